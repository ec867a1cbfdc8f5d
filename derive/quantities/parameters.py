"""The named parameter counts: parts, blocks and models.

Nobody types a closed form here: each is a cost, folded over components that list their tensors.
"""

from __future__ import annotations

from typing import Any

from derive.architecture.attention import ALL_BIAS, NO_BIAS, grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.embeddings import embedding_and_head, head, learned_positions, token_embedding
from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
from derive.architecture.feed_forward import gated, two_matrix
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Layers, Model, Part, decoder, layers
from derive.architecture.norms import layer_norm, rms_norm
from derive.costs import Cost
from derive.costs.parameters import active_parameters, linear_parameters, parameters
from derive.formula.tree import Name
from derive.quantities.quantity import Counted, Variant, s
from derive.text import Text

WIDE_AS_HIDDEN = {"d_q": Name("d")}
"""The condition under which blocks and models are usually written: the query heads together as wide as the hidden state."""


def _counted(name: str, meaning: Text, subject: Part | Model, cost: Cost = parameters, **more: Any) -> Counted:
    return Counted(name=name, meaning=meaning, subject=subject, cost=cost, **more)


def attention(variant: Variant) -> Component:
    return grouped_query_attention(s("d"), s("d_q"), s("d_kv"), bias=ALL_BIAS if variant.bias else NO_BIAS)


def _feed_forward(variant: Variant, width: str = "m") -> Component:
    build = gated if variant.ffn == "gated" else two_matrix
    return build(s("d"), s(width), bias=variant.bias)


def _norms(variant: Variant, copies: int = 1) -> Component:
    return (rms_norm if variant.norm == "rms" else layer_norm)(s("d"), copies=copies)


def _final_norm(variant: Variant) -> Component:
    build = rms_norm if variant.norm == "rms" else layer_norm
    return build(s("d"), name="final norm", symbol="P_final")


def _experts(variant: Variant) -> tuple[Component, ...]:
    """The routed experts, the router and, where the variant has them, the shared experts."""
    shared = (shared_experts(_feed_forward(variant, "m_s"), s("E_s")),) if variant.shared else ()
    return routed_experts(_feed_forward(variant, "m_e"), s("E"), s("k")), *shared, router(s("d"), s("E"))


def _ends(variant: Variant) -> tuple[Part, ...]:
    """What stands around the layers."""
    positions = (learned_positions(s("n_ctx"), s("d")),) if variant.positions else ()
    return _final_norm(variant), embedding_and_head(s("V"), s("d"), s("c"), bias=variant.head_bias), *positions


def part_quantities(variant: Variant) -> tuple[Counted, ...]:
    d, V, E = s("d"), s("V"), s("E")
    both_ends = embedding_and_head(V, d, s("c"), bias=variant.head_bias)
    latent = latent_attention(d, *map(s, ("h", "r_q", "r_kv", "d_n", "d_r", "d_v")), bias=variant.bias)
    expert = routed_experts(_feed_forward(variant, "m_e"), 1, 1)
    shared = shared_experts(_feed_forward(variant, "m_s"), 1)
    return (
        _counted("P_tok", Text("token embedding", "词嵌入"), token_embedding(V, d)),
        _counted("P_pos", Text("learned position table", "可学习位置表"), learned_positions(s("n_ctx"), d)),
        _counted("P_head", Text("output head beyond the embedding", "输出头另存的参数"), head(V, d, s("c"), bias=variant.head_bias)),
        _counted("P_emb", Text("embedding and output head together", "词嵌入与输出头合计"), both_ends),
        _counted("P_attn", Text("attention of one layer", "一层的注意力"), attention(variant)),
        _counted("P_mla", Text("multi-head latent attention of one layer", "一层的多头潜在注意力"), latent),
        _counted("P_ffn", Text("dense feed-forward network of one layer", "一层的稠密前馈网络"), _feed_forward(variant)),
        _counted("P_norm", Text("one norm", "一个归一化"), _norms(variant)),
        _counted("P_final", Text("final norm", "最终归一化"), _final_norm(variant)),
        _counted("P_expert", Text("one routed expert", "一个路由专家"), expert),
        _counted("P_shared", Text("one shared expert", "一个共享专家"), shared),
        _counted("P_router", Text("router of one layer", "一层的路由器"), router(d, E)),
        _counted("P_gate", Text("gate of the shared experts", "共享专家的门控"), shared_expert_gate(d)),
    )  # fmt: skip


def block_quantities(variant: Variant) -> tuple[Counted, ...]:
    dense = layers(1, attention(variant), _feed_forward(variant), _norms(variant, 2))
    sparse = layers(1, attention(variant), *_experts(variant), _norms(variant, 2))
    return (
        _counted("P_block", Text("one dense layer", "一个稠密层"), dense, given=WIDE_AS_HIDDEN),
        _counted("P_block_MoE", Text("one layer with a mixture of experts", "一个混合专家层"), sparse, given=WIDE_AS_HIDDEN),
        _counted(
            "P_block_active", Text("what one token uses of a layer with a mixture of experts", "一个词元在混合专家层中用到的参数"),
            sparse, active_parameters, given=WIDE_AS_HIDDEN,
        ),
    )  # fmt: skip


def model_quantities(variant: Variant) -> tuple[Counted, ...]:
    dense, sparse, mixed = dense_model(variant), sparse_model(variant), mixed_model(variant)
    others = ("P_ffn", "P_norm", "P_final", "P_emb", "P_expert", "P_shared", "P_router", "P_pos")
    return (
        _counted("P_total", Text("dense model", "稠密模型"), dense, given=WIDE_AS_HIDDEN),
        _counted("P_lin", Text("linear parameters of a dense model", "稠密模型的线性参数"), dense, linear_parameters, given=WIDE_AS_HIDDEN),
        _counted("P_total_MoE", Text("model with experts in every layer", "每层都用混合专家的模型"), sparse, given=WIDE_AS_HIDDEN),
        _counted(
            "P_active", Text("active parameters of a model with experts in every layer", "每层都用混合专家的模型的激活参数"),
            sparse, active_parameters, given=WIDE_AS_HIDDEN,
        ),
        _counted(
            "P_lin_MoE", Text("linear parameters of a model with experts in every layer", "每层都用混合专家的模型的线性参数"),
            sparse, linear_parameters, given=WIDE_AS_HIDDEN,
        ),
        _counted(
            "P_total_mixed", Text("model with `L_D` dense layers and `L_M` layers of experts", "`L_D` 个稠密层与 `L_M` 个混合专家层的模型"),
            mixed, given=WIDE_AS_HIDDEN, first=others,
        ),
        _counted(
            "P_active_mixed", Text("active parameters of the mixed model", "混合模型的激活参数"),
            mixed, active_parameters, given=WIDE_AS_HIDDEN, first=others,
        ),
        _counted(
            "P_lin_mixed", Text("linear parameters of the mixed model", "混合模型的线性参数"),
            mixed, linear_parameters, given=WIDE_AS_HIDDEN, first=others,
        ),
    )  # fmt: skip


def dense_model(variant: Variant) -> Model:
    """A model of equal dense layers."""
    block = layers(s("L"), attention(variant), _feed_forward(variant), _norms(variant, 2))
    return decoder("dense", block, *_ends(variant))


def with_attention(model: Model) -> Model:
    """The model with its attention between tokens, as costs of computing need it."""
    return decoder(model.name, *model.parts, layers(s("L"), softmax_attention(s("d_q"), s("d_kv"))))


def sparse_model(variant: Variant) -> Model:
    """A model with experts in every layer."""
    block = layers(s("L"), attention(variant), *_experts(variant), _norms(variant, 2))
    return decoder("mixture of experts", block, *_ends(variant))


def mixed_model(variant: Variant) -> Model:
    """A model with L_D dense layers and L_M layers of experts."""
    common: Layers = layers(s("L"), attention(variant), _norms(variant, 2))
    dense, sparse = layers(s("L_D"), _feed_forward(variant)), layers(s("L_M"), *_experts(variant))
    return decoder("mixed", common, dense, sparse, *_ends(variant))
