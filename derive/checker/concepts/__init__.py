"""What a phrase names ("attention parameters per layer", `P_attn`), and whether a formula is it.

`labels` reads the phrase, `forms` lays out what a formula of it can look like, `matching` compares.
"""

from collections.abc import Mapping

from derive.checker.concepts.concept import Concept, Match, Miss
from derive.checker.concepts.labels.labels import concepts_of
from derive.formula.tree import Formula

__all__ = ["Concept", "Match", "Miss", "concepts_of", "match", "miss", "within"]

# The forms that concepts can have are laid out only for a label that names one.


def match(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Match | None:
    """How the formula is what the concept names; see `matching.matching`."""
    from derive.checker.concepts.matching import matching

    return matching.match(concept, formula, facts)


def within(concept: Concept, formula: Formula) -> bool:
    """Whether the formula speaks only of what the concept's forms speak of; see `matching.matching`."""
    from derive.checker.concepts.matching import matching

    return matching.within(concept, formula)


def miss(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Miss:
    """How far the formula is from what the concept names; see `matching.missing`."""
    from derive.checker.concepts.matching import missing

    return missing.miss(concept, formula, facts)
