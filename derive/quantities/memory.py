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
        name="N_kv_window", meaning=Text(
            "cache of `n` tokens where `L_S` layers keep a window `w` ≤ `n`",
            "`n` 个词元的缓存， `L_S` 层只留窗口 `w` ≤ `n`",
        ),
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
    total = {"P_total": as_formula(over(dense_model(variant), parameters))}
    why = Text("`b` bytes a parameter", "每个参数 `b` 字节")
    weights = defined("M_weights", Text("weights", "权重"), BYTES, s("b") * Name("P_total"), total, why, given=WIDE_AS_HIDDEN)
    schemes = (_training(name, scheme, meaning, total) for name, scheme, meaning in _SCHEMES)
    return (weights, *schemes, *(_sharded(stage, total) for stage in (1, 2, 3)))


_SCHEMES = (
    ("M_train", "mixed", Text("training state, Adam in mixed precision", "训练状态，混合精度 Adam")),
    ("M_train_fp32", "fp32", Text("training state, Adam in fp32", "训练状态，fp32 Adam")),
    ("M_train_18", "mixed-fp32-gradients", Text("training state, mixed precision, fp32 gradients", "训练状态，混合精度，fp32 梯度")),
    ("M_train_20", "mixed-both-gradients", Text("training state, mixed precision, both gradients", "训练状态，混合精度，两种梯度")),
    ("M_train_adam8bit", "adam-8bit", Text("training state, 8-bit Adam", "训练状态，8 位 Adam")),
    ("M_train_sgd", "sgd", Text("training state, SGD without momentum", "训练状态，无动量 SGD")),
)
_STATE = {
    "weights": Text("weights", "权重"),
    "gradients": Text("gradients", "梯度"),
    "fp32 gradients": Text("fp32 gradients", "fp32 梯度"),
    "master weights": Text("master weights", "主权重"),
    "first moment": Text("first moment", "一阶矩"),
    "second moment": Text("second moment", "二阶矩"),
}


def _training(name: str, scheme: str, meaning: Text, total: dict[str, Formula]) -> Listed:
    """The bytes of a scheme, part by part."""
    found = training_scheme(scheme)
    parts = (("weights", found.weights), *found.gradients, *found.optimizer)
    terms = tuple((_STATE[part], size * Name("P_total")) for part, size in parts)
    return Listed(name=name, meaning=meaning, unit=BYTES, terms=terms, definitions=total, given=WIDE_AS_HIDDEN)


def _sharded(stage: int, total: dict[str, Formula]) -> Listed:
    """ZeRO over N_d replicas, in mixed precision: stage 1 divides the optimizer, 2 also gradients, 3 also weights."""
    found = training_scheme("mixed")
    sizes = (("weights", found.weights, 3), ("gradients", found.gradient_bytes, 2), ("optimizer", found.optimizer_bytes, 1))
    names = {**_STATE, "optimizer": Text("optimizer", "优化器")}
    terms = tuple((names[part], size * Name("P_total") / (s("N_d") if stage >= first else 1)) for part, size, first in sizes)
    meaning = Text(f"training state on one of `N_d` devices, ZeRO stage {stage}", f"`N_d` 个设备之一的训练状态，ZeRO 第 {stage} 阶段")
    return Listed(name=f"M_zero{stage}", meaning=meaning, unit=BYTES, terms=terms, definitions=total, given=WIDE_AS_HIDDEN)


def _activations() -> tuple[Quantity, ...]:
    shape = LayerShape(*map(s, ("n", "B", "d", "d_q", "d_kv", "h", "m")))
    old, new = kept_tensors(shape), kept_tensors(shape, gated=True, dropout=False)
    fused = kept_tensors(shape, gated=True, dropout=False, fused=True)
    selective = tuple(each for each in old if not each.core)
    undropped = kept_tensors(shape, dropout=False)
    alone = (Kept(Text("input of the layer", "本层的输入"), 2 * shape.n * shape.B * shape.d),)
    return (
        _kept(
            "A_layer", Text("activations of one layer, two matrices, dropout", "一层的激活，两矩阵，有 dropout"), old,
            layer_activations(shape), _MULTI_HEAD,
        ),
        _kept(
            "A_layer_selective",
            Text("activations of one layer, two matrices, core of attention recomputed", "一层的激活，两矩阵，注意力核心重算"),
            selective,
            layer_activations(shape, recompute="selective"), _MULTI_HEAD,
        ),
        _kept(
            "A_layer_full",
            Text("activations of one layer, everything but its input recomputed", "一层的激活，只存层的输入，其余重算"),
            alone,
            layer_activations(shape, recompute="full"),
        ),
        _kept(
            "A_layer_no_dropout", Text("activations of one layer, two matrices, no dropout", "一层的激活，两矩阵，无 dropout"), undropped,
            layer_activations(shape, dropout=False), _MULTI_HEAD,
        ),
        _kept(
            "A_layer_gated", Text("activations of one layer, gated, no dropout", "一层的激活，门控，无 dropout"), new,
            layer_activations(shape, gated=True, dropout=False),
        ),
        _kept(
            "A_layer_fused",
            Text("activations of one layer, gated, no dropout, fused attention", "一层的激活，门控，无 dropout，融合注意力"),
            fused,
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
        terms.append((Text(f"beside `{tensor.name}`", f"加在 `{tensor.name}` 旁"), as_formula(L * (r * (rows + columns)))))
    whole = as_formula(lora_parameters(dense_model(variant), r, ("attention",)))
    meaning = Text("LoRA on the attention of every layer", "每层注意力上的 LoRA")
    return Listed(name="P_lora", meaning=meaning, terms=tuple(terms), given=WIDE_AS_HIDDEN, whole=whole)


def _experts() -> Listed:
    meaning = Text("distinct experts that `B` tokens use in a layer", "`B` 个词元在一层用到的不同专家数")
    why = Text("each expert is missed by a token with probability `1 - k/E`", "一个词元不选某个专家的概率为 `1 - k/E`")
    return defined("E_used", meaning, Text("experts", "专家"), expected_experts(s("E"), s("k"), s("B")), {}, why)
