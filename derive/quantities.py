"""The named closed forms: what the book derives and what `derive show` prints.

Nobody types a closed form here: each is a cost, folded over components that list their tensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from derive.architecture.attention import ALL_BIAS, NO_BIAS, grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.embeddings import embedding_and_head, head, learned_positions, token_embedding
from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
from derive.architecture.feed_forward import gated, two_matrix
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Layers, Model, Part, decoder, layers
from derive.architecture.norms import layer_norm, rms_norm
from derive.costs import Cost, over
from derive.costs.parameters import active_parameters, linear_parameters, parameters
from derive.errors import FormulaError
from derive.formula.tree import Formula, Name, as_formula
from derive.symbols import BY_NAME
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Variant:
    """Which kind of block the named quantities speak of. The default is a LLaMA block: gated, RMSNorm, no biases."""

    bias: bool = False
    ffn: Literal["gated", "two-matrix"] = "gated"
    norm: Literal["rms", "layer"] = "rms"
    positions: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named closed form: the `cost` of a `subject`, under the conditions `given`.

    `first` are the parts whose closed forms a derivation puts in before all others, so that the rest stay as names a line longer.
    """

    name: str
    meaning: Text
    subject: Part | Model
    cost: Cost = parameters
    given: Mapping[str, Formula] = field(default_factory=dict)
    first: tuple[str, ...] = ()

    @property
    def formula(self) -> Formula:
        """The closed form, terms in the order of the parts."""
        return as_formula(over(self.subject, self.cost)).substitute(self.given)

    @property
    def expr(self) -> Any:
        """The closed form as a SymPy expression."""
        return self.formula.expr

    @property
    def latex(self) -> str:
        """The equation `P_attn = …` in LaTeX."""
        return f"{Name(self.name).latex} = {self.formula.latex}"

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"


def quantities(variant: Variant = Variant()) -> dict[str, Quantity]:
    """Every named quantity of a kind of block, by name."""
    return {quantity.name: quantity for quantity in (*_parts(variant), *_blocks(variant), *_models(variant))}


def quantity(name: str, variant: Variant = Variant()) -> Quantity:
    """The quantity of that name, whatever its case; `FormulaError` where there is none."""
    known = quantities(variant)
    for each in known.values():
        if each.name.lower() == name.lower():
            return each
    raise FormulaError(f"unknown quantity; known: {', '.join(known)}", name)


_D_Q = {"d_q": Name("d")}


def _s(name: str) -> Formula:
    """A symbol of the vocabulary."""
    return Name(BY_NAME[name].name)


def _attention(variant: Variant) -> Component:
    return grouped_query_attention(_s("d"), _s("d_q"), _s("d_kv"), bias=ALL_BIAS if variant.bias else NO_BIAS)


def _feed_forward(variant: Variant, width: str = "m") -> Component:
    build = gated if variant.ffn == "gated" else two_matrix
    return build(_s("d"), _s(width), bias=variant.bias)


def _norms(variant: Variant, copies: int = 1) -> Component:
    return (rms_norm if variant.norm == "rms" else layer_norm)(_s("d"), copies=copies)


def _final_norm(variant: Variant) -> Component:
    build = rms_norm if variant.norm == "rms" else layer_norm
    return build(_s("d"), name="final norm", symbol="P_final")


def _experts(variant: Variant) -> tuple[Component, ...]:
    """The routed experts, the router and, where the variant has them, the shared experts."""
    shared = (shared_experts(_feed_forward(variant, "m_s"), _s("E_s")),) if variant.shared else ()
    return routed_experts(_feed_forward(variant, "m_e"), _s("E"), _s("k")), *shared, router(_s("d"), _s("E"))


def _ends(variant: Variant) -> tuple[Part, ...]:
    """What stands around the layers."""
    positions = (learned_positions(_s("n_ctx"), _s("d")),) if variant.positions else ()
    return _final_norm(variant), embedding_and_head(_s("V"), _s("d"), _s("c")), *positions


def _parts(variant: Variant) -> tuple[Quantity, ...]:
    d, V, E = _s("d"), _s("V"), _s("E")
    latent = latent_attention(d, *map(_s, ("h", "r_q", "r_kv", "d_n", "d_r", "d_v")))
    expert = routed_experts(_feed_forward(variant, "m_e"), 1, 1)
    shared = shared_experts(_feed_forward(variant, "m_s"), 1)
    return (
        Quantity("P_tok", Text("token embedding", "词嵌入"), token_embedding(V, d)),
        Quantity("P_pos", Text("learned position table", "可学习位置表"), learned_positions(_s("n_ctx"), d)),
        Quantity("P_head", Text("output head beyond the embedding", "输出头在嵌入之外另存的参数"), head(V, d, _s("c"), bias=variant.bias)),
        Quantity("P_emb", Text("embedding and output head together", "词嵌入与输出头合计"), embedding_and_head(V, d, _s("c"))),
        Quantity("P_attn", Text("attention of one layer", "一层的注意力"), _attention(variant)),
        Quantity("P_mla", Text("multi-head latent attention of one layer", "一层的多头潜在注意力"), latent),
        Quantity("P_ffn", Text("dense feed-forward network of one layer", "一层的稠密前馈网络"), _feed_forward(variant)),
        Quantity("P_norm", Text("one norm", "一个归一化"), _norms(variant)),
        Quantity("P_final", Text("final norm", "末端归一化"), _final_norm(variant)),
        Quantity("P_expert", Text("one routed expert", "一个路由专家"), expert),
        Quantity("P_shared", Text("one shared expert", "一个共享专家"), shared),
        Quantity("P_router", Text("router of one layer", "一层的路由器"), router(d, E)),
        Quantity("P_gate", Text("gate of the shared experts", "共享专家的门控"), shared_expert_gate(d)),
    )  # fmt: skip


def _blocks(variant: Variant) -> tuple[Quantity, ...]:
    dense = layers(1, _attention(variant), _feed_forward(variant), _norms(variant, 2))
    sparse = layers(1, _attention(variant), *_experts(variant), _norms(variant, 2))
    return (
        Quantity("P_block", Text("one dense layer", "一个稠密层"), dense, given=_D_Q),
        Quantity("P_block_MoE", Text("one layer with a mixture of experts", "一个混合专家层"), sparse, given=_D_Q),
        Quantity(
            "P_block_active", Text("what one token uses of a layer with a mixture of experts", "一个词元在混合专家层中用到的参数"),
            sparse, active_parameters, given=_D_Q,
        ),
    )  # fmt: skip


def _models(variant: Variant) -> tuple[Quantity, ...]:
    dense, sparse, mixed = _dense(variant), _sparse(variant), _mixed(variant)
    others = ("P_ffn", "P_norm", "P_final", "P_emb", "P_expert", "P_shared", "P_router", "P_pos")
    return (
        Quantity("P_total", Text("dense model", "稠密模型"), dense, given=_D_Q),
        Quantity("P_lin", Text("linear parameters of a dense model", "稠密模型的线性参数"), dense, linear_parameters, given=_D_Q),
        Quantity("P_total_MoE", Text("model with experts in every layer", "每层都用混合专家的模型"), sparse, given=_D_Q),
        Quantity(
            "P_active", Text("active parameters of a model with experts in every layer", "每层都用混合专家的模型的激活参数"),
            sparse, active_parameters, given=_D_Q,
        ),
        Quantity(
            "P_lin_MoE", Text("linear parameters of a model with experts in every layer", "每层都用混合专家的模型的线性参数"),
            sparse, linear_parameters, given=_D_Q,
        ),
        Quantity(
            "P_total_mixed", Text("model with L_D dense layers and L_M layers of experts", "L_D 个稠密层与 L_M 个混合专家层的模型"),
            mixed, given=_D_Q, first=others,
        ),
        Quantity(
            "P_active_mixed", Text("active parameters of the mixed model", "混合模型的激活参数"),
            mixed, active_parameters, given=_D_Q, first=others,
        ),
        Quantity(
            "P_lin_mixed", Text("linear parameters of the mixed model", "混合模型的线性参数"),
            mixed, linear_parameters, given=_D_Q, first=others,
        ),
    )  # fmt: skip


def _dense(variant: Variant) -> Model:
    block = layers(_s("L"), _attention(variant), _feed_forward(variant), _norms(variant, 2))
    return decoder("dense", block, *_ends(variant))


def _sparse(variant: Variant) -> Model:
    block = layers(_s("L"), _attention(variant), *_experts(variant), _norms(variant, 2))
    return decoder("mixture of experts", block, *_ends(variant))


def _mixed(variant: Variant) -> Model:
    common: Layers = layers(_s("L"), _attention(variant), _norms(variant, 2))
    dense, sparse = layers(_s("L_D"), _feed_forward(variant)), layers(_s("L_M"), *_experts(variant))
    return decoder("mixed", common, dense, sparse, *_ends(variant))
