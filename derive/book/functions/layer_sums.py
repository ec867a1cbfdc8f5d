"""Sums over layers that differ, proved before a chapter states them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from derive.algebra.arrange import residual
from derive.algebra.normal import equal
from derive.book.functions.known_names import quantity_named
from derive.errors import ChapterError, StepError
from derive.formula.tree import Formula, Name, Number, total
from derive.quantities import quantities

_E, _k, _EXPERT = Name("E"), Name("k"), Name("P_expert")
_PARTS: Mapping[str, tuple[Formula, Formula]] = {
    "P_attn": (Name("P_attn"), Name("P_attn")),
    "P_norm": (Name("P_norm"), Name("P_norm")),
    "P_ffn": (Name("P_ffn"), _E * _EXPERT),
    "P_ffn_active": (Name("P_ffn"), _k * _EXPERT),
    "P_router": (Number(0), Name("P_router")),
}
"""What a part is in a dense layer, and in a layer with experts."""


def check_layer_sum(name: str, parts: Sequence[str]) -> None:
    """An error where a quantity is not the sum of the parts over L_D dense layers and L_M layers with experts."""
    whole = quantities().get(f"{quantity_named(name).name}_mixed")
    if whole is None:
        raise ChapterError(f"layer_sum: {name} is not known for models whose layers differ")
    unknown = [part for part in parts if part not in _PARTS]
    if unknown or not parts:
        raise ChapterError(f"layer_sum: no part of a layer '{' '.join(unknown)}'; known: {', '.join(_PARTS)}")
    dense, sparse = (total(_PARTS[part][kind] for part in parts) for kind in (0, 1))
    summed, closed = (_closed(formula) for formula in (Name("L_D") * dense + Name("L_M") * sparse, whole.formula))
    if not equal(summed, closed):
        shown, off = " + ".join(parts), residual(closed, summed).text
        raise StepError(f"layer_sum: {name} is not {shown} summed over the layers; it differs by {off}")


def _closed(formula: Formula) -> Formula:
    """In sizes alone, the layers being of either kind, and query heads together as wide as the hidden state, as in whole models."""
    named = {name: each.formula for name, each in quantities().items() if name in formula.names}
    return formula.substitute(named).substitute({"L": Name("L_D") + Name("L_M"), "d_q": Name("d")})
