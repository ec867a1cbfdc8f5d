"""The named FLOP counts; a multiply-add is 2."""

from __future__ import annotations

from derive.architecture.context import Context, latent_softmax_attention
from derive.architecture.embeddings import head
from derive.architecture.model import Model, decoder, layers
from derive.costs import over
from derive.costs.flops import linear_flops, logits_flops, pair_flops, prefill_flops, seen_pairs, token_flops
from derive.costs.parameters import linear_parameters, parameters
from derive.formula.tree import Formula, Name, as_formula
from derive.quantities.parameters import WIDE_AS_HIDDEN, dense_model, mixed_model, sparse_model, with_attention
from derive.quantities.quantity import Counted, Listed, Quantity, Variant, defined, s
from derive.text import Text

PER_TOKEN = Text("FLOPs per token", "每词元 FLOPs")
FLOPS = Text("FLOPs", "FLOPs")
_SCORES, _VALUES = Text("scores", "得分"), Text("values", "加权求和")


def compute_quantities(variant: Variant) -> tuple[Quantity, ...]:
    """Forward, prefill and training FLOPs of a dense model, and of the kinds of attention."""
    n = s("n")
    model = with_attention(dense_model(variant))
    linear, attention, logits = _linear("", model), _attention(model), _logits()
    parts = {each.name: each.general for each in (linear, attention, logits)}
    token = _token("", model, parts)
    whole = {"F_token": token.general}
    return (
        linear,
        attention,
        logits,
        token,
        _prefill(model, whole),
        _prefill_causal(model, parts),
        defined(
            "F_train", Text("training", "训练"), PER_TOKEN, 3 * Name("F_token"), whole,
            Text("backward costs twice forward", "反向为前向的两倍"), given=WIDE_AS_HIDDEN,
        ),
        defined(
            "F_train_recomputed", Text("training, activations recomputed in full", "训练，激活全部重算"), PER_TOKEN,
            4 * Name("F_token"), whole, Text("and forward runs once more", "前向再算一遍"), given=WIDE_AS_HIDDEN,
        ),
        defined(
            "F_rule", Text("rule of thumb for training", "训练的经验公式"), PER_TOKEN, 6 * Name("P_total"),
            {"P_total": _total(variant)}, Text("six FLOPs for each parameter", "每个参数六次运算"), given=WIDE_AS_HIDDEN,
        ),
        *_with_experts("_MoE", with_attention(sparse_model(variant)), attention, logits),
        *_with_experts("_mixed", with_attention(mixed_model(variant)), attention, logits),
        _windowed(n),
        _windowed_causal(n),
        *_latent(n),
    )  # fmt: skip


def _total(variant: Variant) -> Formula:
    return as_formula(over(dense_model(variant), parameters))


def _with_experts(suffix: str, model: Model, attention: Listed, logits: Counted) -> tuple[Listed, Listed]:
    """The products with the weights, and the whole forward pass, where layers have experts."""
    linear = _linear(suffix, model)
    parts = {each.name: each.general for each in (linear, attention, logits)}
    return linear, _token(suffix, model, parts)


_KINDS = {
    "": Text("", ""),
    "_MoE": Text(", experts in every layer", "，每层都有专家"),
    "_mixed": Text(", dense layers and layers with experts", "，稠密层与混合专家层"),
}


def _linear(suffix: str, model: Model) -> Listed:
    lin = as_formula(over(model, linear_parameters))
    why = Text("a multiply-add for each linear parameter", "每个线性参数一次乘加")
    experts = {
        "": ("", ""),
        "_MoE": (", experts in every layer", "，每层都有专家"),
        "_mixed": (", dense and expert layers", "，稠密层与专家层"),
    }
    meaning = Text("products with the weights of the layers", "与各层权重的乘积") + Text(*experts[suffix])
    whole = as_formula(over(model, linear_flops))
    name = f"P_lin{suffix}"
    return defined(f"F_lin{suffix}", meaning, PER_TOKEN, 2 * Name(name), {name: lin}, why, whole=whole, given=WIDE_AS_HIDDEN)


def _attention(model: Model) -> Listed:
    each = 2 * s("L") * s("n") * s("d_q")
    return Listed(
        name="F_attn", meaning=Text("attention of every token to all `n`", "每个词元对全部 `n` 个词元的注意力"), unit=PER_TOKEN,
        terms=((_SCORES, each), (_VALUES, each)), given=WIDE_AS_HIDDEN,
        whole=as_formula(over(model, lambda component: s("n") * pair_flops(component))),
    )  # fmt: skip


def _logits() -> Counted:
    meaning = Text("logits, also with a tied head", "输出得分（共享时相同）")
    return Counted(name="F_logits", meaning=meaning, unit=PER_TOKEN, subject=head(s("V"), s("d"), s("c")), cost=logits_flops)


def _token(suffix: str, model: Model, parts: dict[str, Formula]) -> Listed:
    terms = (
        (Text("weights", "权重"), Name(f"F_lin{suffix}")),
        (Text("attention", "注意力"), Name("F_attn")),
        (Text("logits", "输出得分"), Name("F_logits")),
    )
    return Listed(
        name=f"F_token{suffix}", meaning=Text("forward pass at a context of `n` tokens", "上下文为 `n` 个词元时的前向"), unit=PER_TOKEN,
        terms=terms, definitions=parts, given=WIDE_AS_HIDDEN, whole=as_formula(token_flops(model, s("n"))),
    )  # fmt: skip


def _prefill(model: Model, parts: dict[str, Formula]) -> Listed:
    meaning = Text("forward pass over `n` tokens, each against all", "`n` 个词元的前向，两两计算")
    why = Text("`n` tokens", "`n` 个词元")
    whole = as_formula(prefill_flops(model, s("n")))
    return defined("F_prefill", meaning, FLOPS, s("n") * Name("F_token"), parts, why, whole=whole, given=WIDE_AS_HIDDEN)


def _prefill_causal(model: Model, parts: dict[str, Formula]) -> Listed:
    n = s("n")
    return Listed(
        name="F_prefill_causal", meaning=Text("forward pass over `n` tokens, causal", "`n` 个词元的因果前向"),
        unit=FLOPS, definitions=parts, given=WIDE_AS_HIDDEN, whole=as_formula(prefill_flops(model, n, causal=True)),
        terms=(
            (Text("weights and logits", "权重与输出得分"), n * (Name("F_lin") + Name("F_logits"))),
            (Text("`n*(n+1)/2` pairs", "`n*(n+1)/2` 对"), Name("F_attn") * (n + 1) / 2),
        ),
    )  # fmt: skip


def _windowed(n: Formula) -> Listed:
    full, sliding = 4 * s("L_F") * n * s("d_q"), 4 * s("L_S") * s("w") * s("d_q")
    return Listed(
        name="F_attn_window", meaning=Text(
            "attention of one token, `L_S` layers with a window `w` ≤ `n`",
            "一个词元的注意力， `L_S` 层窗口 `w` ≤ `n`",
        ),
        unit=PER_TOKEN, terms=((Text("full layers", "完整层"), full), (Text("sliding layers", "滑动层"), sliding)),
    )  # fmt: skip


def _windowed_causal(n: Formula) -> Listed:
    pair = 4 * s("d_q")
    return Listed(
        name="F_attn_window_causal",
        meaning=Text(
            "causal attention over `n` tokens, `L_S` layers with a window `w` ≤ `n`",
            "`n` 词元因果注意力， `L_S` 层窗口 `w` ≤ `n`",
        ),
        unit=FLOPS,
        terms=(
            (Text("full layers", "完整层"), as_formula(s("L_F") * (pair * seen_pairs(n)))),
            (Text("sliding layers", "滑动层"), as_formula(s("L_S") * (pair * seen_pairs(n, s("w"))))),
        ),
    )  # fmt: skip


def _latent(n: Formula) -> tuple[Listed, ...]:
    component = latent_softmax_attention(*map(s, ("h", "r_kv", "d_n", "d_r", "d_v")))
    expanded = component.context
    if expanded is None or expanded.absorbed is None:
        raise TypeError("latent attention has an expanded and an absorbed form")
    model = decoder("latent", layers(s("L"), component))
    whole = as_formula(over(model, lambda each: n * pair_flops(each)))
    return (
        _latent_pairs("F_attn_mla", Text("latent attention, expanded (prefill)", "潜在注意力，展开（预填充）"), n, expanded, whole),
        _latent_pairs("F_attn_mla_absorbed", Text("latent attention, absorbed (decode)", "潜在注意力，吸收（解码）"), n, expanded.absorbed),
    )


def _latent_pairs(name: str, meaning: Text, n: Formula, context: Context, whole: Formula | None = None) -> Listed:
    terms = (
        (_SCORES, as_formula(2 * s("L") * n * context.scores)),
        (_VALUES, as_formula(2 * s("L") * n * context.values)),
    )
    return Listed(name=name, meaning=meaning, unit=PER_TOKEN, terms=terms, whole=whole)
