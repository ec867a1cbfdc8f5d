r"""Functions of formulas: `log(x)`, `\max(a, b)`, `ceil(V/64)`, `\lfloor d/2 \rfloor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.formula.signs import CLOSING
from derive.formula.tree import Applied, Formula, Number, Quotient

if TYPE_CHECKING:
    from derive.formula.side import SideReader

_FUNCTIONS = frozenset(("ceil", "floor", "sqrt", "log", "max", "min"))
_OF_SEVERAL = frozenset(("max", "min"))
_ROUNDINGS = {r"\lfloor": ("floor", r"\rfloor"), r"\lceil": ("ceil", r"\rceil"), "⌊": ("floor", "⌋"), "⌈": ("ceil", "⌉")}


def read_function(reader: SideReader, name: str) -> Formula:
    """A function that stands here, or was read just before, and what it is applied to."""
    if name == "O":
        raise reader.fail("an order of growth, not a number")
    if name not in _FUNCTIONS:
        raise reader.fail(f"cannot read the function '{name}'")
    if reader.token.kind in ("word", "command"):
        reader.take()
    if reader.token.kind == "_" and name == "log":
        return _of_base(reader)
    if reader.token.kind in ("_", "sub"):
        raise reader.fail(f"cannot read the subscript of '{name}'")
    if reader.token.kind not in CLOSING:
        reader.deeper()
        argument = reader.factor()
        reader.depth -= 1
        return Applied(name, (argument,))
    closing = CLOSING[reader.take().kind]
    found = [reader.sum()]
    while reader.token.kind == "," and name in _OF_SEVERAL:
        reader.take()
        found.append(reader.sum())
    reader.expect(closing, f"to close {name}")
    return reader.not_too_high(Applied(name, tuple(found)))


def _of_base(reader: SideReader) -> Formula:
    r"""`\log_2 x`, `\log_{10}(x)`: a quotient of logarithms."""
    reader.take()
    braces = reader.token.kind == "{"
    base = reader.argument(r"\log_")
    if not braces and not isinstance(base, Number):
        raise reader.fail("cannot read the base of the logarithm")
    above = read_function(reader, "log") if reader.token.kind in CLOSING else Applied("log", (reader.factor(),))
    return Quotient(above, Applied("log", (base,)))


def read_rounding(reader: SideReader) -> Formula:
    r"""`\lceil V/64 \rceil`."""
    name, closing = _ROUNDINGS[reader.take().text]
    inside = reader.sum()
    if reader.token.text != closing:
        raise reader.fail(f"expected '{closing}' to close the {name}")
    reader.take()
    return reader.not_too_high(Applied(name, (inside,)))
