r"""Commands of LaTeX that are part of a formula: `\frac`, `\sqrt`, `\underbrace`, `\sum`, `\lim`, `\log`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from derive.formula.calculus_commands import read_derivative, read_limit, read_series
from derive.formula.functions import read_function, read_rounding
from derive.formula.tree import INFINITY, Applied, Formula, Number, Power, Quotient

if TYPE_CHECKING:
    from derive.formula.side import SideReader


def read_command(reader: SideReader) -> Formula:
    """What a command writes."""
    read = _COMMANDS.get(reader.token.text)
    if read is None:
        raise reader.fail(f"cannot read {reader.token.text}")
    return read(reader)


def _fraction(reader: SideReader) -> Formula:
    command = reader.take().text
    derivative = read_derivative(reader)
    if derivative is not None:
        return derivative
    above = reader.argument(command)
    return reader.not_too_high(Quotient(above, reader.argument(command)))


def _root(reader: SideReader) -> Formula:
    reader.take()
    degree = 2
    if reader.token.kind == "[":
        reader.take()
        if not reader.token.text.isdecimal():
            raise reader.fail("expected the degree of the root")
        degree = int(reader.take().text)
        reader.expect("]", "to close the degree")
    inside = reader.group() if reader.token.kind == "(" else reader.argument(r"\sqrt")
    return Applied("sqrt", (inside,)) if degree == 2 else Power(inside, Number(Fraction(1, max(degree, 1))))


def _braced(reader: SideReader) -> Formula:
    r"""`\underbrace{4d^2}_{\text{attention}}`: the label is kept as a remark."""
    inside = reader.argument(reader.take().text)
    if reader.token.kind in ("_", "^"):
        reader.take()
        start = reader.token.start
        _skip_argument(reader)
        reader.remark(start, reader.before().end)
    return inside


def _stacked(reader: SideReader) -> Formula:
    r"""`\overset{!}{x}`: what stands above is left out."""
    command = reader.take().text
    if reader.token.kind == "{":
        _skip_argument(reader)
    return reader.argument(command)


def _wrapped(reader: SideReader) -> Formula:
    return reader.argument(reader.take().text)


def _infinity(reader: SideReader) -> Formula:
    reader.take()
    return INFINITY


def _skip_argument(reader: SideReader) -> None:
    """Leaves out a token, or a group in braces."""
    depth = 0
    while True:
        token = reader.take()
        depth += (token.kind == "{") - (token.kind == "}")
        if depth <= 0 or token.kind == "end":
            return


_COMMANDS: dict[str, Callable[[SideReader], Formula]] = {
    **dict.fromkeys((r"\frac", r"\dfrac", r"\tfrac", r"\cfrac", r"\nicefrac", r"\sfrac"), _fraction),
    **dict.fromkeys((r"\underbrace", r"\overbrace", r"\underbracket"), _braced),
    **dict.fromkeys((r"\underset", r"\overset", r"\stackrel", r"\textcolor"), _stacked),
    **dict.fromkeys((r"\boxed", r"\fbox", r"\ensuremath", r"\cancel"), _wrapped),
    **dict.fromkeys((r"\lfloor", r"\lceil"), read_rounding),
    **dict.fromkeys((r"\log", r"\ln", r"\lg"), lambda reader: read_function(reader, "log")),
    r"\exp": lambda reader: read_function(reader, "exp"),
    r"\max": lambda reader: read_function(reader, "max"),
    r"\min": lambda reader: read_function(reader, "min"),
    **dict.fromkeys((r"\sum", r"\prod"), read_series),
    r"\sqrt": _root,
    r"\lim": read_limit,
    r"\infty": _infinity,
}
