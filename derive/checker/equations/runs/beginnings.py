"""Where the left side of a relation begins, and the words before it."""

from __future__ import annotations

from derive.checker.equations.runs.operands import MOST_TOKENS, end_of_expression
from derive.checker.equations.runs.tokens import Token
from derive.checker.equations.runs.words import SMALL_WORDS, is_symbol

_OPERATOR_WORDS = ("乘以", "除以", "加上", "减去", "加", "减", "乘", "除", "mod", "plus", "minus", "times", "divided", "by", "xor")
"""Operators in words: what stands behind them is the end of an expression that is not read."""
_OPERATOR_SIGNS = frozenset("& % ^ @ ! ~ \\ << >>".split())
_BETWEEN = frozenset(("of", "to", "vs", "versus", "per", "over", "到"))
"""`38.6M of 124.4M = 31%`: a comparison of two numbers, which is no product."""
_LEADING = frozenset(
    "and or where with so thus then hence the a an is are for that this which of in we have get gives giving has to by".split()
)
"""Words that a label does not begin with."""


def beginning(text: str, tokens: list[Token], relation: int, behind: int) -> tuple[int | None, str, bool]:
    """Where the left side begins, not before `behind`, the words before it, and whether it is itself only words."""
    first = max(0, relation - MOST_TOKENS)
    boundary = relation
    while boundary > max(first, behind) and not _is_boundary(tokens[boundary - 1]):
        boundary -= 1
    for start in range(boundary, relation):
        if tokens[start].kind == "op" and not (_is_sign(tokens, start) or (start == boundary and tokens[start].text in ("-", "−"))):
            continue
        if end_of_expression(tokens, start) == relation and not _cut_off(tokens, start):
            lone = start == relation - 1 and tokens[start].kind == "word" and not is_symbol(tokens[start].text)
            if not lone:
                return tokens[start].start, _words_before(text, tokens, start, first), False
    called = _call_start(tokens, relation)
    if called is not None and called >= behind:
        return tokens[called].start, _words_before(text, tokens, called, first), True
    phrase = _phrase_start(tokens, relation, boundary)
    if phrase is None:
        return None, "", False
    return tokens[phrase].start, _words_before(text, tokens, phrase, first), True


def _is_sign(tokens: list[Token], at: int) -> bool:
    """Whether an operator belongs to what follows only: a root, or the minus in `then -d`."""
    token, before, after = tokens[at], tokens[at - 1] if at else None, tokens[at + 1]
    apart = before is None or (before.end < token.start and before.text.lower() in SMALL_WORDS)
    return token.text == "√" or (token.text in ("-", "−") and apart and after.start == token.end)


def _note_in_product(tokens: list[Token], closing: int) -> bool:
    """`8 × (seq) 2048`: a bracket behind an operator is a note on what follows."""
    at = closing
    while at > 0 and tokens[at].kind != "open" and closing - at < 12:
        at -= 1
    return at > 0 and tokens[at].kind == "open" and tokens[at - 1].kind == "op"


def _call_start(tokens: list[Token], relation: int) -> int | None:
    """`N(Q, K, V) = …`: where the name begins that has a list in brackets behind it."""
    if relation < 3 or tokens[relation - 1].kind != "close":
        return None
    at = relation - 2
    while at > 0 and relation - at < 16 and tokens[at].kind != "open":
        at -= 1
    touching = tokens[at].kind == "open" and tokens[at - 1].kind == "word" and tokens[at - 1].end == tokens[at].start
    return at - 1 if touching else None


def _cut_off(tokens: list[Token], start: int) -> bool:
    """Whether the token before belongs to the same expression, which then could not be read as a whole."""
    before = tokens[start - 1] if start else None
    if before is None:
        return False
    if before.text.lower().endswith(_OPERATOR_WORDS) or before.text in _OPERATOR_SIGNS or before.text in ("x", "X"):
        return True
    if before.text.lower() in _BETWEEN and start > 1 and tokens[start - 2].kind in ("number", "word") and tokens[start].kind == "number":
        return True
    if tokens[start].kind == "number" and tokens[start + 1].kind == "open" and tokens[start + 1].start == tokens[start].end:
        return before.kind == "word" and before.text[:1].isupper()  # "RTX 4090(24GB)"
    if before.kind == "number" or (before.kind == "close" and _note_in_product(tokens, start - 1)):
        return True
    return before.kind in ("op", "up") or (before.end == tokens[start].start and before.kind in ("number", "word", "close", "math"))


def _is_boundary(token: Token) -> bool:
    return token.kind in ("break", "rel")


def _phrase_start(tokens: list[Token], relation: int, boundary: int) -> int | None:
    """The first of the words right before a relation: `Total parameters = `."""
    start = relation
    while start > boundary and relation - start < 8 and tokens[start - 1].kind in ("word", "cjk", "close", "open", "number", "math"):
        start -= 1
    while start < relation and (tokens[start].text.lower() in _LEADING or tokens[start].kind in ("close", "number")):
        start += 1
    kinds = [token.kind for token in tokens[start:relation]]
    return start if any(kind in ("word", "cjk", "math") for kind in kinds) else None


def _words_before(text: str, tokens: list[Token], start: int, first: int) -> str:
    """The words of the same sentence before a place."""
    begin = start
    while (
        begin > first and tokens[begin - 1].text not in ("\n", "。", "；", ";", "!", "?", "|") and not _full_stop(text, tokens[begin - 1])
    ):
        begin -= 1
    return text[tokens[begin].start : tokens[start].start].strip() if begin < start else ""


def _full_stop(text: str, token: Token) -> bool:
    return token.text == "." and text[token.end : token.end + 1] in ("", " ", "\n")
