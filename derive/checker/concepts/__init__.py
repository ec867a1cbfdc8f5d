"""What a phrase names ("attention parameters per layer", `P_attn`), and whether a formula is it."""

from derive.checker.concepts.concept import Concept, Match, Miss
from derive.checker.concepts.labels import concepts_of
from derive.checker.concepts.matching import match, within
from derive.checker.concepts.missing import miss

__all__ = ["Concept", "Match", "Miss", "concepts_of", "match", "miss", "within"]
