"""Formulas that hold names of the engine's own quantities: its closed forms put in."""

from __future__ import annotations

from derive.checker.equality.comparing import compare
from derive.checker.finding import Ruling
from derive.checker.named import is_own
from derive.checker.named.judging import other_kind
from derive.checker.named.own import own_equal
from derive.checker.rules.names import define
from derive.checker.rules.pair import Pair
from derive.checker.scope.scope import Scope
from derive.formula.tree import Formula, Name
from derive.symbols import BY_NAME


def rule_own_names(pair: Pair, scope: Scope) -> Ruling | None:
    """Equal once the closed forms are put in, or wrong where every letter is surely a size; None for any other pair."""
    if not _is_about_own(pair, scope):
        return None
    meanings = {name: Name(str(scope.likely(name))) for name in pair.names if not is_own(name)}
    assumed = own_equal(*(side.substitute(meanings) for side in (pair.a, pair.b)))
    if assumed is None:
        return _unequal(pair, scope)
    for name, other in _lone_names(pair):
        define(name.name, other, pair, scope)
    if not assumed:
        return Ruling("exact", "equal-quantity", "equal with the closed forms put in")
    return Ruling("exact-under", "equal-under", f"equal with {', '.join(assumed)}", assumptions=assumed)


def _lone_names(pair: Pair) -> list[tuple[Name, Formula]]:
    """The sides that are one name, each with the other side."""
    return [(side, other) for side, other in ((pair.a, pair.b), (pair.b, pair.a)) if isinstance(side, Name)]


def _is_about_own(pair: Pair, scope: Scope) -> bool:
    """Whether the pair holds an own name, not merely on one side alone, and every other letter may be a size."""
    own = [name for name in pair.names if is_own(name)]
    if _lone_names(pair) and not any(name in side.names for name in own for side in (pair.a, pair.b) if not isinstance(side, Name)):
        return False
    return all(is_own(name) or scope.likely(name) in BY_NAME for name in pair.names)


def _unequal(pair: Pair, scope: Scope) -> Ruling | None:
    """Wrong, unless the sides agree in some other way, or may speak of another kind of model."""
    found = compare(pair.a, pair.b, lambda: scope.known(pair.names, pair.statement), loose=pair.loose)
    if found.verdict in ("exact", "exact-under", "approximation") or pair.loose:
        return None
    if any(name in scope.definitions for name in pair.names if is_own(name)):
        return None
    if any(is_own(name.name) and other_kind(name.name, other, scope) for name, other in _lone_names(pair)):
        return None
    if not {"P_mla", "P_shared"}.isdisjoint(pair.names) or not all(is_own(name) or _is_sure(name, scope) for name in pair.names):
        return None
    return Ruling("wrong", "quantity", "not equal with the closed forms put in", stated=pair.b.text)


def _is_sure(name: str, scope: Scope) -> bool:
    """Whether a letter is a size of the vocabulary by what the document says, or by being written like one."""
    return scope.meaning(name) in BY_NAME or (name in BY_NAME and scope.likely(name) == name)
