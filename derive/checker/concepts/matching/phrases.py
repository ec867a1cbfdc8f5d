"""Which assumptions go together, and how they are said."""

from __future__ import annotations

from functools import cache

from derive.algebra.arrange import residual
from derive.checker.concepts.concept import Kind
from derive.checker.concepts.forms.form import Form
from derive.checker.concepts.forms.parameters import (
    ATTENTION_BIAS,
    FFN_BIAS,
    GATED,
    LAYER,
    NO_ATTENTION_BIAS,
    NO_FFN_BIAS,
    ONE_LAYER_NORM,
    RMS,
    TWO,
)
from derive.formula.tree import Formula

_EXCLUSIVE: tuple[frozenset[str], ...] = (
    frozenset({RMS, LAYER}),
    frozenset({GATED, TWO}),
    frozenset({"tied", "untied"}),
    frozenset({"elements", "4 bit", "8 bit", "16 bit", "32 bit"}),
    frozenset({"multi-head attention", "multi-query attention", "grouped-query attention"}),
    frozenset({"d_kv = d", "multi-query attention", "grouped-query attention"}),
    frozenset({"bytes", "elements"}),
    frozenset({"no causal discount", "causal"}),
    frozenset({GATED, ONE_LAYER_NORM}),
    frozenset({RMS, ONE_LAYER_NORM}),
    frozenset({"gradients in 16 bit", "gradients in 32 bit", "gradients in both precisions", "elements"}),
)
_FINAL = "final norm"
SOFT = frozenset({LAYER})
"""What a label may say loosely: people call any norm a layer norm."""


@cache
def contradictory(said: frozenset[str]) -> bool:
    """Whether two of these exclude one another."""
    return any(len(group & said) > 1 for group in _EXCLUSIVE)


def gathered(
    form: Form, picked: tuple[int | None, ...], said: tuple[str, ...], *, general: bool, strict: bool
) -> tuple[Kind, tuple[str, ...], tuple[tuple[str, Formula], ...]]:
    """The kind of match, its assumptions said once, and the dropped parts.

    A form in `general` widths that leaves out only norms is that form without norms; with `m = 4d`, and where a name of ours stands for
    the whole (`strict`), it is an approximation. A two-matrix model has biases, so that an approximation of one has dropped them.
    """
    dropped: list[tuple[str, Formula]] = []
    two = TWO in said
    for part, index in zip(form.parts, picked, strict=True):
        if index is None and part.left_out is not None:
            dropped.append((part.name, part.left_out[two]))
    without = {name for name, _ in dropped}
    if dropped and not strict and (without == {_FINAL} or (general and without <= {"norms", _FINAL})):
        counted = [f"{name} not counted" for name, _ in dropped]
        return "under", _once((*said, *counted)), tuple(dropped)
    if dropped and two and {NO_ATTENTION_BIAS, NO_FFN_BIAS} <= set(said):
        dropped += _biases(form, picked)
        said = tuple(each for each in said if each not in (NO_ATTENTION_BIAS, NO_FFN_BIAS))
    return ("approximation" if dropped else "under"), _once(said), tuple(dropped)


def _biases(form: Form, picked: tuple[int | None, ...]) -> list[tuple[str, Formula]]:
    """The biases that the parts were counted without."""
    found = []
    for part, index in zip(form.parts, picked, strict=True):
        if index is None or not {NO_ATTENTION_BIAS, NO_FFN_BIAS} & set(part.choices[index].assumptions):
            continue
        kinds = set(part.choices[index].assumptions) - {NO_ATTENTION_BIAS, NO_FFN_BIAS}
        full = next(each for each in part.choices if kinds <= set(each.assumptions) and {ATTENTION_BIAS, FFN_BIAS} & set(each.assumptions))
        found.append((f"{part.name} biases", _more(full.formula, part.choices[index].formula)))
    return found


@cache
def _more(full: Formula, less: Formula) -> Formula:
    return residual(full, less)


def _once(said: tuple[str, ...]) -> tuple[str, ...]:
    """Each assumption once; what holds of every part is said of all."""
    found = list(dict.fromkeys(said))
    for every, whole in (((NO_ATTENTION_BIAS, NO_FFN_BIAS), "no bias"), ((ATTENTION_BIAS, FFN_BIAS), "biases")):
        others = (ATTENTION_BIAS, FFN_BIAS) if whole == "no bias" else (NO_ATTENTION_BIAS, NO_FFN_BIAS)
        mine = [each for each in every if each in found]
        if mine and not any(each in found for each in others) and not ("bias on Q, K and V" in found and whole == "no bias"):
            found = [each for each in found if each not in every]
            found.append(whole)
    return tuple(found)
