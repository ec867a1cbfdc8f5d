"""The names that the formulas of a template may hold. What is misspelt is refused, with the name that it is nearest to.

A name is known where it is

- a symbol of the vocabulary, one of its other names, or a named quantity;
- one letter, set apart from others: `W*x`, not `Wx`;
- a tensor or a coefficient: `W`, `w`, `b`, `g`, `α`, `β`, `γ` or `μ` with a subscript, as `W_0` and `γ_Q`;
- a letter with an index, a digit or one of `i`, `j`, `t`, `ℓ`: `x_i`;
- `P_act`, the active parameters of a model, or `d_in` and `d_out`, the sides of any matrix;
- given a value where it is asked for: `at="P_e=1"`.

A name that is none of these, an author writes as mathematics of Markdown, between dollar signs.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

from derive.errors import FormulaError
from derive.formula.parse import parse
from derive.formula.tree import Formula
from derive.quantities import DEFAULT_VARIANT, Quantity, Variant, quantities, quantity
from derive.symbols import BY_NAME, meant_by

_TENSOR = re.compile(r"[Wwbgαβγμ]_[A-Za-z0-9]+")
_INDEXED = re.compile(r"\w_[0-9ijtℓ]")
_OF_MODELS = ("P_act", "d_in", "d_out")


def read_formula(text: str, own: Collection[str] = ()) -> Formula:
    """The formula that a template writes; `FormulaError` for a name that is neither known nor one of the template's `own`."""
    formula = parse(text)
    for name in formula.names:
        if name in own or name in BY_NAME:
            continue
        if len(name) == 1:
            _apart(name, text)
        elif not (_TENSOR.fullmatch(name) or _INDEXED.fullmatch(name) or name in _OF_MODELS or name in quantities()):
            raise FormulaError(f"unknown name '{name}'{nearest(name, (*BY_NAME, *quantities(), *own))}", text)
    return formula


def symbol(name: str) -> str:
    """The name of a symbol of the vocabulary; `FormulaError` for any other word."""
    if name not in BY_NAME:
        meant = meant_by(name)
        raise FormulaError(f"no symbol of the vocabulary{f'; use {meant}' if meant else nearest(name, BY_NAME)}", name)
    return name


def quantity_named(name: str, variant: Variant = DEFAULT_VARIANT) -> Quantity:
    """The quantity of that name, whatever its case; `FormulaError` where there is none."""
    if not any(each.lower() == name.lower() for each in quantities()):
        raise FormulaError(f"no named quantity{nearest(name, quantities())}", name)
    return quantity(name, variant)


def nearest(name: str, known: Collection[str]) -> str:
    """`; did you mean P_attn?`, or where to look where nothing is near."""
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else "; 'derive symbols' and 'derive quantities' list the names"


def _apart(letter: str, text: str) -> None:
    """`FormulaError` where a letter that is no symbol stands among others, as those of a misspelt word do."""
    if letter.isascii() and not re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", text):
        word = next((word for word in re.findall(r"[A-Za-z]+", text) if letter in word), letter)
        raise FormulaError(f"unknown word '{word}'; letters that are no symbols stand apart, as in {'*'.join(word[:2])}", text)
