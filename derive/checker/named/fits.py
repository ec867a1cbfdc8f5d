"""A number that is wrong for its formula may be right for another: a named quantity at the document's sizes, or a known model."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from derive.checker.arithmetic.values import UNIT_VALUES, claim_value
from derive.checker.scope.scope import Scope
from derive.formula.statement import Claim
from derive.formula.tree import Formula
from derive.quantities import DEFAULT_VARIANT, Variant, quantities

_FEWEST_DIGITS = 100
"""A number of one or two digits fits too much."""
_LLAMA = DEFAULT_VARIANT
_GPT2 = Variant(bias=True, ffn="two-matrix", norm="layer", positions=True)
_KINDS = ((_LLAMA, ""), (_GPT2, " of a GPT-2 block"))


def fits_elsewhere(claim: Claim, scope: Scope) -> str:
    """`; it fits P_total`, `; it is the total of LLaMA-7B`; empty where the number fits nothing known."""
    value = claim_value(claim)
    half = claim.resolution * UNIT_VALUES.get(claim.unit, Fraction(1)) / 2 if not claim.full else Fraction(0)
    if value < 1000 or abs(claim.value / claim.resolution) < _FEWEST_DIGITS:
        return ""
    return _quantity(value, half, _sizes(scope)) or _model(value, half)


def _sizes(scope: Scope) -> dict[str, Fraction]:
    """The document's sizes under the vocabulary's names, with those that follow from them."""
    found = {key[1:]: values[-1] for key, values in scope.values.items() if key.startswith("=") and values}
    if "d_h" not in found and "d" in found and found.get("h"):
        found["d_h"] = found["d"] / found["h"]
    if "d_h" in found:
        found.setdefault("d_q", found["d_h"] * found.get("h", Fraction(0)))
        found.setdefault("d_kv", found["d_h"] * found.get("h_kv", found.get("h", Fraction(0))))
    if "d" in found:
        found.setdefault("d_kv", found["d"])
        found.setdefault("m", 4 * found["d"])
    return found


def _quantity(value: Fraction, half: Fraction, sizes: Mapping[str, Fraction]) -> str:
    if "d" not in sizes:
        return ""
    for variant, said in _KINDS:
        for copies, tied in ((1, "tied"), (2, "untied")):
            known = {"c": Fraction(copies), **sizes}
            for name, formula, meaning in _closed_forms(variant):
                if known.keys() >= set(formula.names) and _is(formula.evaluate(known), value, half):
                    untied = f", {tied}" if "c" in formula.names else ""
                    return f"; it fits {name}{said}{untied}, the {meaning}"
    return ""


@cache
def _closed_forms(variant: Variant) -> tuple[tuple[str, Formula, str], ...]:
    """Every named quantity with its closed form and its meaning."""
    return tuple((name, quantity.formula, quantity.meaning.en) for name, quantity in quantities(variant).items())


def _is(found: Fraction, value: Fraction, half: Fraction) -> bool:
    return abs(found - value) <= half


def _model(value: Fraction, half: Fraction) -> str:
    name = next((name for name, total in _totals().items() if _is(Fraction(total), value, half)), "")
    return f"; it is the total of {name}" if name else ""


@cache
def _totals() -> dict[str, int]:
    """The parameters of every bundled model."""
    from derive.counting import count
    from derive.models import bundled_models

    return {model.name: count(model.name).total for model in bundled_models()}
