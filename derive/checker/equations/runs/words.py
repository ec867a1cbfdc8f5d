"""What a word is beside its neighbours: a symbol, a key, a factor, a part of the sentence."""

from __future__ import annotations

from derive.checker.equations.runs.tokens import Token
from derive.formula.subscripts import is_subscript
from derive.formula.whole_words import is_word
from derive.symbols import meant_by

_ARTICLES = frozenset(("a", "I", "A"))
SMALL_WORDS = frozenset(
    "is of to in on at be by or as an we so if it us then thus our the for and but not now you can are was has via one two any all see "
    "use how why its let set get out when with where here hence since each gives yields also".split()
)
"""Words of a sentence, which no formula has for a name."""


def is_symbol(word: str) -> bool:
    """Whether a word looks like a symbol of a formula: a letter, a subscripted name, a name of the vocabulary, capitals."""
    if word in _ARTICLES or word.lower() in SMALL_WORDS:
        return False
    base = word.split("_")[0]
    if "_" in word:
        return len(base) == 1 or meant_by(word) is not None or is_word(base)
    if len(word) == 1 or meant_by(word) is not None:
        return True
    if len(word) <= 6 and word.isupper() and not is_word(word):
        return len(word) <= 3 or all(letter in "BTSDFNHKGVLECMPd" for letter in word)
    return len(word) <= 3 and not word.islower() and not is_word(word) and not is_subscript(word)


def is_whole(word: str) -> bool:
    """A word of the field without a subscript, which is multiplied only where an operator says so."""
    return "_" not in word and len(word) > 1 and is_word(word)


def is_key(tokens: list[Token], at: int) -> bool:
    """`step=3 loss=2.3`: a word with an equals sign right behind it, and space before, begins a statement of its own."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and after.kind == "rel" and after.start == tokens[at].end and tokens[at].start > tokens[at - 1].end


def touches_number(tokens: list[Token], at: int) -> bool:
    """`4blh`, `24bsh`: a few letters that touch a number are a product."""
    token, before = tokens[at], tokens[at - 1] if at else None
    return before is not None and before.kind == "number" and before.end == token.start and len(token.text) <= 6 and token.text.isalpha()


def beside_operator(tokens: list[Token], at: int) -> bool:
    """Whether an operator stands right before or behind a word, and not as a hyphen."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    before = tokens[at - 1] if at else None
    after_is = after is not None and ((after.kind == "op" and not _is_hyphen(tokens[at], after)) or after.kind == "up")
    before_is = before is not None and before.kind == "op" and not _is_hyphen(before, tokens[at])
    return after_is or before_is


def _is_hyphen(left: Token, right: Token) -> bool:
    """Whether a dash touches a word: `per-token`, `12-layer`; or a slash between words."""
    return left.end == right.start and (left.text in "-–/" or right.text in "-–/")


def is_dash(tokens: list[Token], at: int) -> bool:
    """`= 7.2M – much less`: a dash before words."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    spaced = after is not None and after.start > tokens[at].end
    return tokens[at].text in ("–", "—", "-") and after is not None and spaced and after.kind == "word" and not is_symbol(after.text)


def is_times(tokens: list[Token], at: int) -> bool:
    """Whether an x stands for a product: something that can be a factor follows."""
    return tokens[at].text in ("x", "X") and at + 1 < len(tokens) and tokens[at + 1].kind in ("number", "word", "open")
