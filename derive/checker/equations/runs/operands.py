"""How far an expression reaches that begins at a token."""

from __future__ import annotations

from derive.checker.equations.runs.tokens import Token
from derive.checker.equations.runs.words import SMALL_WORDS, beside_operator, is_dash, is_key, is_symbol, is_times, is_whole, touches_number
from derive.formula.units import UNITS, scale
from derive.formula.whole_words import ATTRIBUTE_OWNERS, FUNCTIONS

MOST_TOKENS = 300
"""How far a formula in running text reaches to each side of a relation."""


def end_of_expression(tokens: list[Token], start: int) -> int:
    """Where the expression that begins at `start` ends; `start` itself where none begins."""
    at = start
    end = start
    while at < len(tokens) and at - start < MOST_TOKENS:
        if tokens[at].text in ("-", "+", "−", "~", "√") and tokens[at].kind in ("op", "rel"):
            at += 1
            continue
        after = _operand(tokens, at)
        if after == at:
            break
        at = end = after
        while at < len(tokens) and (tokens[at].kind == "up" or tokens[at].text in ("%", "‰")):
            at = end = at + 1
        if tokens[at - 1].kind in ("up", "close"):
            at = end = _behind_unit(tokens, at)
        if at < len(tokens) and tokens[at].kind == "open" and tokens[at - 1].kind in ("number", "word"):
            at = end = _behind_note(tokens, at)
        if at >= len(tokens) or is_dash(tokens, at):
            break
        if tokens[at].kind == "op" or is_times(tokens, at):
            at += 1
        elif not _juxtaposed(tokens, at):
            break
    return end


def _operand(tokens: list[Token], at: int) -> int:
    """The place behind the operand at `at`, or `at`."""
    if at >= len(tokens):
        return at
    token = tokens[at]
    if token.kind in ("number", "math"):
        return _behind_unit(tokens, at + 1)
    if token.kind == "word":
        return _behind_word(tokens, at)
    if token.kind == "cjk":
        return at + 1 if beside_operator(tokens, at) else at
    if token.kind == "open":
        return _behind_group(tokens, at)
    return at


def _behind_unit(tokens: list[Token], at: int) -> int:
    """Behind the scale and the unit that follow a number."""
    for _ in range(2):
        if at < len(tokens) and tokens[at].kind in ("word", "cjk"):
            word = tokens[at].text
            if is_key(tokens, at):
                return at
            touching = tokens[at].start == tokens[at - 1].end
            if word in UNITS or (scale(word) is not None and (touching or len(word) > 1)):
                at += 1
                if (
                    at + 1 < len(tokens)
                    and tokens[at].text == "/"
                    and tokens[at + 1].kind == "word"
                    and tokens[at].start == tokens[at - 1].end
                ):
                    at += 2
                continue
            if counted := _counts(tokens, at):
                at += counted
                if at + 1 < len(tokens) and tokens[at].text == "/" and tokens[at + 1].kind == "word":
                    at += 2
                return at
            if tokens[at].kind == "cjk" and word[0] in "万亿千百个字层头倍次参":
                at += 1
        elif at < len(tokens) and tokens[at].text in ("%", "‰"):
            at += 1
    return at


def _counts(tokens: list[Token], at: int) -> int:
    """`20 blocks ×`, `8 kv heads *`: how many words behind a number and before an operator say what is counted."""
    end = at
    while end < len(tokens) and end - at < 3 and tokens[end].kind == "word" and tokens[end].text.isalpha() and len(tokens[end].text) > 1:
        end += 1
    token, after = tokens[end - 1], tokens[end] if end < len(tokens) else None
    if end == at or after is None or tokens[at].start == tokens[at - 1].end:
        return 0
    stated = at > 1 and tokens[at - 2].kind == "rel"
    goes_on = after.text in ("×", "*", "·", "+", "/", "x") or (after.kind == "rel" and after.start > token.end and not stated)
    return end - at if goes_on else 0


def _behind_word(tokens: list[Token], at: int) -> int:
    """Behind a word that can be an operand here: a symbol, or any word beside an operator."""
    word = tokens[at].text
    if word in FUNCTIONS and at + 1 < len(tokens) and tokens[at + 1].kind == "open":
        return _behind_group(tokens, at + 1)
    if word in ("x", "X") or word.lower() in SMALL_WORDS:
        return at
    if word in ATTRIBUTE_OWNERS and at + 2 < len(tokens) and tokens[at + 1].text == ".":
        return at + 3
    if is_symbol(word) or beside_operator(tokens, at) or touches_number(tokens, at):
        return at + 1
    return at


def _behind_note(tokens: list[Token], at: int) -> int:
    """Behind words in brackets that touch a number: `10(norm/dropout)`; or `at`."""
    end = at + 1
    words = int(tokens[at].start > tokens[at - 1].end)  # with a space before it, single letters are words too
    while (
        end < len(tokens) and end - at < 10 and (tokens[end].kind in ("word", "cjk") or tokens[end].text in ("/", "-", ",", "、", ".", "!"))
    ):
        words += len(tokens[end].text) > 2 or tokens[end].kind == "cjk"
        end += 1
    return end + 1 if words and end < len(tokens) and tokens[end].kind == "close" else at


def _behind_group(tokens: list[Token], at: int) -> int:
    """Behind a bracket whose inside is an expression, or `at`."""
    inside = end_of_expression(tokens, at + 1) if at + 1 < len(tokens) else at
    if inside > at + 1 and inside < len(tokens) and tokens[inside].kind == "close":
        return inside + 1
    return at


def _is_spaced_product(tokens: list[Token], at: int) -> bool:
    """`+ 2 d (4d) =`: a bracket with a space before it, between an operator with a number and a relation."""
    if at < 3 or tokens[at - 1].kind != "word" or tokens[at - 2].kind != "number" or tokens[at - 3].kind not in ("op", "rel"):
        return False
    end = _behind_group(tokens, at)
    return end > at and end < len(tokens) and tokens[end].kind in ("rel", "op")


def _juxtaposed(tokens: list[Token], at: int) -> bool:
    """Whether the token at `at` is multiplied with the one before it though no operator stands between."""
    token, before = tokens[at], tokens[at - 1]
    if token.kind == "open" and _is_spaced_product(tokens, at):
        return True
    if token.kind == "open":
        short = before.kind == "word" and (len(before.text) <= 3 or touches_number(tokens, at - 1))
        return (before.kind in ("number", "close", "up") or short) and before.end == token.start
    if token.kind == "word" and touches_number(tokens, at):
        return True
    if token.kind == "word" and is_key(tokens, at):
        return False
    if token.kind == "word":
        if not is_symbol(token.text) or is_whole(token.text):
            return False
        if before.kind in ("word", "up", "close"):
            return before.kind != "word" or (is_symbol(before.text) and not is_whole(before.text))
        return before.kind == "number" and (token.start == before.end or is_symbol(token.text))
    return token.kind == "math" and before.kind in ("number", "math", "up", "close")
