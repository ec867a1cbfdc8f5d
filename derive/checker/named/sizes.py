"""Relations between sizes that hold in every model of their kind: `d_kv = h_kv d_h`, `d_h = d/h`, `L = L_D + L_M`."""

from __future__ import annotations

from functools import cache

from derive.algebra.arrange import residual
from derive.algebra.normal import equal
from derive.checker.finding import Ruling
from derive.checker.scope.scope import Scope
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name

_ALWAYS = {
    "d_q": ("h*d_h",),
    "d_kv": ("h_kv*d_h", "d_h*h/g"),
    "L": ("L_D + L_M", "L_F + L_S"),
    "h": ("h_kv*g", "d_q/d_h"),
    "h_kv": ("h/g", "d_kv/d_h"),
    "d_h": ("d_q/h", "d_kv/h_kv"),
}
_WITH_QUERY_WIDTH = {
    "d_h": ("d/h",),
    "d_kv": ("d*h_kv/h", "d/g"),
    "d": ("h*d_h", "d_q"),
    "d_q": ("d",),
    "h": ("d/d_h",),
    "h_kv": ("d_kv*h/d",),
}
_CLOSED = frozenset(("d", "d_q", "d_kv", "h", "h_kv", "d_h", "g"))
"""Sizes that these relations tie completely: a formula of them that is none of these is wrong."""


@cache
def _formulas(texts: tuple[str, ...]) -> tuple[Formula, ...]:
    from derive.formula.parse import parse

    return tuple(parse(text) if "g" not in text else _with_group(text) for text in texts)


def _with_group(text: str) -> Formula:
    """The same with `g`, query heads per key/value head, which is no symbol of the vocabulary."""
    from derive.formula.parse import parse

    return parse(text.replace("g", "w")).substitute({"w": Name("g")})


def judge_size(name: str, formula: Formula, scope: Scope) -> Ruling | None:
    """The verdict on `name = formula` where both are sizes that a relation ties; None for any other pair."""
    size = scope.likely(name)
    if size not in _ALWAYS and size not in _WITH_QUERY_WIDTH:
        return None
    inner = {letter: scope.likely(letter) for letter in formula.names}
    if not inner or any(each is None or each == size for each in inner.values()):
        return None
    written = formula.substitute({letter: Name(str(each)) for letter, each in inner.items()})
    try:
        if any(equal(written, known) for known in _formulas(_ALWAYS.get(size, ()))):
            return Ruling("exact", "equal-quantity", "holds by what the sizes are")
        if any(equal(written, known) for known in _formulas(_WITH_QUERY_WIDTH.get(size, ()))):
            return Ruling(
                "exact-under", "equal-under", "holds where the query heads together are as wide as the model", assumptions=("d_q = d",)
            )
        return _broken(name, size, written, formula, scope)
    except DeriveError:
        return None


def _broken(name: str, size: str, written: Formula, formula: Formula, scope: Scope) -> Ruling | None:
    """Wrong where the sizes are tied by a relation with the same letters."""
    sure = scope.meaning(name) is not None and all(scope.meaning(letter) is not None for letter in formula.names)
    if not sure or not set(written.names) <= _CLOSED or len(written.names) < 2:
        return None
    for known in (*_formulas(_ALWAYS.get(size, ())), *_formulas(_WITH_QUERY_WIDTH.get(size, ()))):
        if set(known.names) == set(written.names):
            back = {meaning: Name(letter) for letter in formula.names if (meaning := scope.likely(letter))}
            right = known.substitute(back)
            return Ruling("wrong", "quantity", f"it is {right.text}", right.text, residual=residual(written, known).text)
    return None
