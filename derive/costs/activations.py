"""Activations that training keeps for the backward pass: the tensors of one layer, listed.

With multi-head attention, m = 4d, two matrices and dropout the sum is Korthikanti's s b h (34 + 5 a s / h).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from derive.formula.tree import Dim, as_formula, total

Recompute = Literal["none", "selective", "full"]


@dataclass(frozen=True, slots=True)
class Kept:
    """A tensor kept for the backward pass, in bytes; `core` where selective recomputation drops it, `split` where
    tensor parallelism divides it without sequence parallelism.
    """

    name: str
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
        Kept("inputs of the two norms", 4 * tokens * s.d),
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


def _attention(s: LayerShape, tokens: Dim, *, dropout: bool, fused: bool) -> tuple[Kept, ...]:
    pairs = s.h * s.n * tokens
    core: tuple[Kept, ...] = (Kept("sums of the softmax", 4 * s.h * tokens, split=True),)
    if not fused:
        core = (Kept("softmax output", 2 * pairs, core=True, split=True),)
        if dropout:
            core += (
                Kept("mask of the attention dropout", pairs, core=True, split=True),
                Kept("output of the attention dropout", 2 * pairs, core=True, split=True),
            )
    return (
        Kept("input of Q, K and V", 2 * tokens * s.d),
        Kept("Q", 2 * tokens * s.d_q, split=True),
        Kept("K", 2 * tokens * s.d_kv, split=True),
        Kept("V", 2 * tokens * s.d_kv, split=True),
        *core,
        Kept("input of the output projection", 2 * tokens * s.d_q, split=True),
        *((Kept("mask of the dropout behind attention", tokens * s.d),) if dropout else ()),
    )


def _feed_forward(s: LayerShape, tokens: Dim, *, gated: bool, dropout: bool) -> tuple[Kept, ...]:
    names = ("gate", "up-projection", "activated gate", "input of the down-projection")
    inner = names if gated else ("input of the activation", "input of the down-projection")
    return (
        Kept("input of the feed-forward network", 2 * tokens * s.d),
        *(Kept(name, 2 * tokens * s.m, split=True) for name in inner),
        *((Kept("mask of the dropout behind the feed-forward network", tokens * s.d),) if dropout else ()),
    )
