"""What the letters of a document mean, from its own words.

A block becomes one line of items (`lines`): names, wordings of a size (`wordings`), verbs, numbers. Short patterns of items
(`patterns`) say what a letter means or how large a size is; tables and code have patterns of their own. `reading` goes through the
document, and `glossary` brings it together for the letters of the formulas.
"""

from derive.checker.glossary.glossary import Glossary, glossary, glossary_from
from derive.checker.glossary.lines.names import name_of
from derive.checker.glossary.meanings import MEANINGS, OTHER, possible
from derive.checker.glossary.reading import Statements, evidence, statements
from derive.checker.glossary.said import Evidence, Value
from derive.checker.glossary.words import meaning_of_word

__all__ = [
    "MEANINGS",
    "OTHER",
    "Evidence",
    "Glossary",
    "Statements",
    "Value",
    "evidence",
    "glossary",
    "glossary_from",
    "meaning_of_word",
    "name_of",
    "possible",
    "statements",
]
