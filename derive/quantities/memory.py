"""The named memory counts: cache, weights, training state, activations; adapters and the experts of a batch."""

from __future__ import annotations

from derive.architecture.context import latent_softmax_attention, softmax_attention
from derive.architecture.model import decoder, layers
from derive.costs import over
from derive.costs.activations import Kept, LayerShape, kept_tensors, layer_activations
from derive.costs.cache import cache_elements, cache_per_token
from derive.costs.lora import lora_parameters
from derive.costs.memory import training_scheme
from derive.costs.parameters import parameters
from derive.costs.routing import expected_experts
from derive.formula.tree import Formula, Name, as_formula
from derive.quantities.parameters import WIDE_AS_HIDDEN, attention, dense_model
from derive.quantities.quantity import Counted, Listed, Quantity, Variant, defined, s
from derive.text import Text

BYTES, ELEMENTS = Text("bytes", "字节"), Text("elements per token", "每词元元素数")
_MULTI_HEAD = {"d_q": Name("d"), "d_kv": Name("d"), "m": 4 * Name("d")}


def memory_quantities(variant: Variant) -> tuple[Quantity, ...]:
    """What is kept while a model runs or trains."""
    return (*_cache(), *_weights(variant), *_activations(), _lora(variant), _experts())


def _cache() -> tuple[Quantity, ...]:
    n, B, b, L = s("n"), s("B"), s("b"), s("L")
    heads = {"d_kv": s("h_kv") * s("d_h")}
    plain = Counted(
        name="N_kv", meaning=Text("cache of one token", "一个词元的缓存"), unit=ELEMENTS, given=heads,
        subject=decoder("", layers(L, softmax_attention(s("d_q"), s("d_kv")))), cost=cache_per_token,
    )  # fmt: skip
    latent = Counted(
        name="N_kv_mla", meaning=Text("cache of one token, latent attention", "一个词元的缓存，潜在注意力"), unit=ELEMENTS,
        subject=decoder("", layers(L, latent_softmax_attention(*map(s, ("h", "r_kv", "d_n", "d_r", "d_v"))))), cost=cache_per_token,
    )  # fmt: skip
    window = Counted(
        name="N_kv_window", meaning=Text("cache of n tokens where L_S layers keep a window w ≤ n", "n 个词元的缓存，L_S 层只留窗口 w ≤ n"),
        unit=Text("elements", "元素数"), given=heads, cost=lambda component: cache_elements(component, n),
        subject=decoder(
            "", layers(s("L_F"), softmax_attention(s("d_q"), s("d_kv"))),
            layers(s("L_S"), softmax_attention(s("d_q"), s("d_kv"), window=s("w"))),
        ),
    )  # fmt: skip
    why = Text("`n` tokens in each of `B` sequences, `b` bytes an element", "`B` 个序列各 `n` 个词元，每个元素 `b` 字节")
    return (
        plain, latent, window,
        defined("M_kv", Text("key/value cache", "键值缓存"), BYTES, Name("N_kv") * n * B * b, {"N_kv": plain.general}, why, given=heads),
        defined(
            "M_kv_mla", Text("cache of latent attention", "潜在注意力的缓存"), BYTES, Name("N_kv_mla") * n * B * b,
            {"N_kv_mla": latent.formula}, why,
        ),
    )  # fmt: skip


def _weights(variant: Variant) -> tuple[Quantity, ...]:
    P = Name("P_total")
    total = {"P_total": as_formula(over(dense_model(variant), parameters))}
    scheme = training_scheme("mixed")
    parts = (("weights", scheme.weights), *scheme.gradients, *scheme.optimizer)
    return (
        defined(
            "M_weights", Text("weights", "权重"), BYTES, s("b") * P, total,
            Text("`b` bytes a parameter", "每个参数 `b` 字节"), given=WIDE_AS_HIDDEN,
        ),
        Listed(
            name="M_train", meaning=Text("training state, Adam in mixed precision", "训练状态，混合精度 Adam"), unit=BYTES,
            terms=tuple((_STATE[name], size * P) for name, size in parts), definitions=total, given=WIDE_AS_HIDDEN,
        ),
    )  # fmt: skip


_STATE = {
    "weights": Text("weights", "权重"),
    "gradients": Text("gradients", "梯度"),
    "master weights": Text("master weights", "主权重"),
    "first moment": Text("first moment", "一阶矩"),
    "second moment": Text("second moment", "二阶矩"),
}


def _activations() -> tuple[Quantity, ...]:
    shape = LayerShape(*map(s, ("n", "B", "d", "d_q", "d_kv", "h", "m")))
    old, new = kept_tensors(shape), kept_tensors(shape, gated=True, dropout=False)
    fused = kept_tensors(shape, gated=True, dropout=False, fused=True)
    selective = tuple(each for each in old if not each.core)
    return (
        _kept(
            "A_layer", Text("activations of one layer, two matrices, dropout", "一层的激活，两矩阵，有 dropout"), old,
            layer_activations(shape), _MULTI_HEAD,
        ),
        _kept(
            "A_layer_selective", Text("the same, core of attention recomputed", "同上，注意力核心重算"), selective,
            layer_activations(shape, recompute="selective"), _MULTI_HEAD,
        ),
        _kept(
            "A_layer_gated", Text("activations of one layer, gated, no dropout", "一层的激活，门控，无 dropout"), new,
            layer_activations(shape, gated=True, dropout=False),
        ),
        _kept(
            "A_layer_fused", Text("the same, fused attention", "同上，融合注意力"), fused,
            layer_activations(shape, gated=True, dropout=False, fused=True),
        ),
    )  # fmt: skip


def _kept(name: str, meaning: Text, kept: tuple[Kept, ...], whole: object, given: dict[str, Formula] | None = None) -> Listed:
    terms = tuple((each.name, as_formula(each.bytes)) for each in kept)
    return Listed(name=name, meaning=meaning, unit=BYTES, terms=terms, given=given or {}, whole=as_formula(whole))  # type: ignore[arg-type]


def _lora(variant: Variant) -> Listed:
    r, L = s("r"), s("L")
    matrices = [tensor for tensor in attention(variant).tensors if len(tensor.shape) == 2]
    terms = []
    for tensor in matrices:
        rows, columns = tensor.shape
        terms.append((Text(f"`{tensor.name}`", f"`{tensor.name}`"), as_formula(L * (r * (rows + columns)))))
    whole = as_formula(lora_parameters(dense_model(variant), r, ("attention",)))
    meaning = Text("LoRA on the attention of every layer", "每层注意力上的 LoRA")
    return Listed(name="P_lora", meaning=meaning, terms=tuple(terms), given=WIDE_AS_HIDDEN, whole=whole)


def _experts() -> Listed:
    meaning = Text("distinct experts that B tokens use in a layer", "B 个词元在一层用到的不同专家数")
    why = Text("each expert is missed by a token with probability `1 - k/E`", "一个词元不选某个专家的概率为 `1 - k/E`")
    return defined("E_used", meaning, Text("experts", "专家"), expected_experts(s("E"), s("k"), s("B")), {}, why)
