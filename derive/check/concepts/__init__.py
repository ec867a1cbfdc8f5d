"""What a phrase names ("attention parameters per layer", `P_attn`), and whether a formula is it."""

from derive.check.concepts.concept import Concept, Match, Miss
from derive.check.concepts.labels import concepts_of
from derive.check.concepts.matching import match, within
from derive.check.concepts.missing import miss

__all__ = ["Concept", "Match", "Miss", "concepts_of", "match", "miss", "within"]
