"""What a phrase names ("attention parameters per layer", `P_attn`), and whether a formula is it."""

from collections.abc import Mapping

from derive.checker.concepts.concept import Concept, Match, Miss
from derive.checker.concepts.labels import concepts_of
from derive.formula.tree import Formula

__all__ = ["Concept", "Match", "Miss", "concepts_of", "match", "miss", "within"]

# The forms that concepts can have are laid out only for a label that names one.


def match(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Match | None:
    """How the formula is what the concept names; see `matching.match`."""
    from derive.checker.concepts import matching

    return matching.match(concept, formula, facts)


def within(concept: Concept, formula: Formula) -> bool:
    """Whether the formula speaks only of what the concept's forms speak of; see `matching.within`."""
    from derive.checker.concepts import matching

    return matching.within(concept, formula)


def miss(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Miss:
    """How far the formula is from what the concept names; see `missing.miss`."""
    from derive.checker.concepts import missing

    return missing.miss(concept, formula, facts)
