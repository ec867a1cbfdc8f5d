"""Activations that training keeps for the backward pass: the tensors of one layer, listed.

With multi-head attention, m = 4d, two matrices and dropout the sum is Korthikanti's s b h (34 + 5 a s / h).
"""

from __future__ import annotations

from typing import Any, Literal

from derive.formula.tree import Dim, as_formula, total
from derive.records import dataclass
from derive.text import Text

Recompute = Literal["none", "selective", "full"]


@dataclass(frozen=True, slots=True)
class Kept:
    """A tensor kept for the backward pass, in bytes; `core` where selective recomputation drops it, `split` where
    tensor parallelism divides it without sequence parallelism.
    """

    name: Text
    bytes: Dim
    core: bool = False
    split: bool = False


@dataclass(frozen=True, slots=True)
class LayerShape:
    """The dimensions of one layer and of what it processes: n tokens in each of B sequences."""

    n: Dim
    B: Dim
    d: Dim
    d_q: Dim
    d_kv: Dim
    h: Dim
    m: Dim


def kept_tensors(s: LayerShape, *, gated: bool = False, dropout: bool = True, fused: bool = False) -> tuple[Kept, ...]:
    """The tensors that one layer keeps, 2 bytes an element, masks 1 byte.

    Counts   `fused` attention keeps the logarithm of the softmax's sum (4 bytes a head and token) and none of the n × n
             tensors; a layer without `dropout` keeps no mask and no dropped copy.
    Source   Korthikanti et al. 2022, arXiv:2205.05198, section 4.1; fused: Dao et al. 2022, arXiv:2205.14135, section 3.1.
    """
    tokens = s.n * s.B
    return (
        *_attention(s, tokens, dropout=dropout, fused=fused),
        *_feed_forward(s, tokens, gated=gated, dropout=dropout),
        Kept(Text("inputs of the two norms", "两个归一化的输入"), 4 * tokens * s.d),
    )


def layer_activations(
    s: LayerShape, *, gated: bool = False, dropout: bool = True, fused: bool = False, recompute: Recompute = "none"
) -> Dim:
    """What one layer keeps [bytes]: everything; without the core of attention; or its input alone."""
    if recompute == "full":
        return 2 * s.n * s.B * s.d
    kept = kept_tensors(s, gated=gated, dropout=dropout, fused=fused)
    size: Dim = total(each.bytes for each in kept if not (each.core and recompute == "selective"))
    return size


def split_activations(kept: tuple[Kept, ...], t: Dim, *, sequence: bool) -> Any:
    """What one of t tensor-parallel devices keeps [bytes]: with `sequence` parallelism a t-th of everything.

    Source   Korthikanti et al. 2022, arXiv:2205.05198, sections 4.2.1 and 4.2.2.
    """
    divided = as_formula(total(each.bytes for each in kept if each.split or sequence))
    return total(each.bytes for each in kept if not (each.split or sequence)) + divided / t


_DOWN = Text("input of the down-projection", "降维投影的输入")
_TWO_MATRIX = (Text("input of the activation", "激活函数的输入"), _DOWN)
_GATED = (Text("gate", "门控"), Text("up-projection", "升维投影"), Text("activated gate", "激活后的门控"), _DOWN)


def _attention(s: LayerShape, tokens: Dim, *, dropout: bool, fused: bool) -> tuple[Kept, ...]:
    pairs = s.h * s.n * tokens
    core: tuple[Kept, ...] = (Kept(Text("sums of the softmax", "softmax 的归一化和"), 4 * s.h * tokens, split=True),)
    if not fused:
        core = (Kept(Text("softmax output", "softmax 的输出"), 2 * pairs, core=True, split=True),)
        if dropout:
            core += (
                Kept(Text("mask of the attention dropout", "注意力 dropout 的掩码"), pairs, core=True, split=True),
                Kept(Text("output of the attention dropout", "注意力 dropout 的输出"), 2 * pairs, core=True, split=True),
            )
    return (
        Kept(Text("input of Q, K and V", "Q、K、V 的输入"), 2 * tokens * s.d),
        Kept(Text("Q", "Q"), 2 * tokens * s.d_q, split=True),
        Kept(Text("K", "K"), 2 * tokens * s.d_kv, split=True),
        Kept(Text("V", "V"), 2 * tokens * s.d_kv, split=True),
        *core,
        Kept(Text("input of the output projection", "输出投影的输入"), 2 * tokens * s.d_q, split=True),
        *((Kept(Text("mask of the dropout after attention", "注意力之后 dropout 的掩码"), tokens * s.d),) if dropout else ()),
    )


def _feed_forward(s: LayerShape, tokens: Dim, *, gated: bool, dropout: bool) -> tuple[Kept, ...]:
    inner = _GATED if gated else _TWO_MATRIX
    return (
        Kept(Text("input of the feed-forward network", "前馈网络的输入"), 2 * tokens * s.d),
        *(Kept(name, 2 * tokens * s.m, split=True) for name in inner),
        *(
            (Kept(Text("mask of the dropout after the feed-forward network", "前馈网络之后 dropout 的掩码"), tokens * s.d),)
            if dropout
            else ()
        ),
    )
