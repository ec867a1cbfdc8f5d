r"""Sums over an index, limits and derivatives: `\sum_{\ell=1}^{L} 12d^2`, `\lim_{d \to \infty} r`, `\frac{\partial P}{\partial d}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.formula.tree import INFINITY, Applied, Formula, Name

if TYPE_CHECKING:
    from derive.formula.side import SideReader

_NAME_KINDS = frozenset(("word", "greek", "text"))


def read_series(reader: SideReader) -> Formula:
    """A sum over an index, its body up to the next plus or minus."""
    if reader.token.text == r"\prod":
        raise reader.fail(r"cannot read \prod")
    reader.take()
    index, lower, upper = _bounds(reader)
    return Applied("sum", (_body(reader), index, lower, upper))


def _body(reader: SideReader) -> Formula:
    reader.deeper()
    body = reader.product()
    reader.depth -= 1
    return body


def _bounds(reader: SideReader) -> tuple[Name, Formula, Formula]:
    """The index of a sum, where it begins and where it ends."""
    index, lower, upper = None, None, None
    while reader.token.kind in ("_", "^"):
        if reader.take().kind == "^":
            upper = reader.argument(r"\sum")
            continue
        index, lower = _bound(reader, "=", "after the sum", "expected '=' in the bounds of the sum", "to close the bounds of the sum")
    if not isinstance(index, Name) or lower is None or upper is None:
        raise reader.fail("a sum without bounds")
    return index, lower, upper


def _bound(reader: SideReader, sign: str, opening: str, missing: str, closing: str) -> tuple[Formula, Formula]:
    """`{i = 1}`, `{d → ∞}`: what stands in a group before and behind a sign; the rest are errors where a part of it is missing."""
    reader.expect("{", opening)
    name = reader.atom()
    if reader.token.text != sign:
        raise reader.fail(missing)
    reader.take()
    value = reader.sum()
    reader.expect("}", closing)
    return name, value


def read_limit(reader: SideReader) -> Formula:
    """A limit at infinity, of the product that follows."""
    reader.take()
    reader.expect("_", r"after \lim")
    name, target = _bound(reader, "→", r"after \lim", "expected an arrow in the limit", "to close the limit")
    if target != INFINITY or not isinstance(name, Name):
        raise reader.fail("only limits at infinity are read")
    return Applied("limit", (_body(reader), name))


def read_derivative(reader: SideReader) -> Formula | None:
    """A derivative, taken if the two arguments of a fraction here are one."""
    start = reader.at
    above = _differential(reader)
    below = _differential(reader) if above is not None else None
    if above is None or below is None or above[0] != below[0]:
        reader.go(start)
        return None
    return Applied(above[0], (above[1], below[1]))


def _differential(reader: SideReader) -> tuple[str, Name] | None:
    r"""`{\partial P}` or `{\mathrm{d}P}`: which derivative, and of what."""
    if reader.token.kind != "{":
        return None
    reader.take()
    sign = reader.take()
    kind = "partial" if sign.text == r"\partial" else "total" if sign.kind == "text" and sign.text == "d" else ""
    if not kind or reader.token.kind not in _NAME_KINDS:
        return None
    name = reader.atom()
    if not isinstance(name, Name) or reader.token.kind != "}":
        return None
    reader.take()
    return kind, name
