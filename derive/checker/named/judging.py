"""A named quantity and a formula for it, compared with the engine's own closed forms under every reading of the letters."""

from __future__ import annotations

from itertools import islice

from derive.algebra.arrange import residual
from derive.checker.finding import Ruling
from derive.checker.named import own_name
from derive.checker.named.concepts import judge_by_concepts
from derive.checker.named.own import own_formula, own_match
from derive.checker.named.readings import readings, translated
from derive.checker.scope.scope import Scope
from derive.errors import DeriveError
from derive.formula.tree import Formula
from derive.symbols import BY_NAME


def judge_named(label: str, context: str, formula: Formula, scope: Scope, *, loose: bool) -> Ruling | None:
    """The verdict on `label = formula`; None where the label names nothing that the engine knows, or nothing can be said."""
    own = own_name(label)
    if own is not None:
        return _own(own, label, context, formula, scope, loose=loose)
    return judge_by_concepts(label, context, formula, scope, loose=loose)


def _own(own: str, label: str, context: str, formula: Formula, scope: Scope, *, loose: bool) -> Ruling | None:
    """The engine's own name: its own closed form decides, and what that leaves open the concepts."""
    for reading in islice(readings(formula, scope), 8):
        assumed = own_match(own, translated(formula, reading))
        if assumed == ():
            return Ruling("exact", "equal-quantity", f"is {own}", own_formula(own).text)
        if assumed is not None:
            return Ruling("exact-under", "equal-under", f"is {own} with {', '.join(assumed)}", own_formula(own).text, assumptions=assumed)
    found = judge_by_concepts(label, context, formula, scope, loose=loose)
    if found is not None:
        return found
    if not _readable(formula, scope) or other_kind(own, formula, scope):
        return found
    right = own_formula(own)
    return Ruling("wrong", "quantity", f"not {own}, which is {right.text}", right.text, residual=_difference(formula, right))


_KINDS = frozenset("L_D L_M L_F L_S E k m_e m_s E_s r_q r_kv d_n d_r d_v w P_mla".split())
"""What only some kinds of model have."""


def other_kind(own: str, formula: Formula, scope: Scope) -> bool:
    """Whether a total is that of a kind of model which the engine's own name does not speak of: a mixed one, one with latent attention."""
    if not own.startswith(("P_total", "P_active", "P_lin", "P_block", "F_", "M_")):
        return False
    foreign = {scope.likely(name) or name for name in formula.names} & _KINDS - set(own_formula(own).names)
    return len(foreign) > 1


def _readable(formula: Formula, scope: Scope) -> bool:
    """Whether every letter is surely a size of the vocabulary."""
    return all(scope.meaning(name) in BY_NAME or speaks_our_notation(name, scope) for name in formula.names)


def speaks_our_notation(name: str, scope: Scope) -> bool:
    """Whether a letter of the vocabulary may mean here what it means there."""
    return name in BY_NAME and (scope.meaning(name) == name or (name in scope.candidates(name) and "d" not in scope.candidates(name)[:1]))


def _difference(written: Formula, right: Formula) -> str | None:
    try:
        return residual(written, right).text
    except DeriveError:
        return None
