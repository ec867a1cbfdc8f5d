r"""Tokens → chains: lines into statements, statements into sides.

Commas, wide gaps and arrows between statements part them; what stands behind a gap without a relation is a remark.
"""

from __future__ import annotations

from itertools import accumulate

from derive.formula.rows import CLOSED, JOINING, closings, is_aside, is_complete, is_in_brackets, lines_of
from derive.formula.scan import scan
from derive.formula.signs import CLOSING
from derive.formula.tokens import Token
from derive.records import dataclass

_BEFORE = frozenset((".", ":", "!", "'"))
_BEHIND = frozenset((".", ":", "|", "!"))
_PARTING_KINDS = frozenset((",", ";", ":", "gap", "text", "cjk", "relation"))
_CONNECTIVES = frozenset(
    "where with for and or if when so thus hence therefore then since as because let assuming which i.e. e.g. iff "
    "taking using given putting 取 代入 由 其中 以及 和 且 则 所以 因此 当 若 即 或 令 设 故".split()
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """One statement as tokens: its sides, the relations between them, what was said behind it, and its place."""

    sides: tuple[tuple[Token, ...], ...]
    relations: tuple[str, ...]
    place: tuple[int, int]
    remark: str = ""
    leading: str = ""
    notes: tuple[str, ...] = ()


def chunks(text: str) -> tuple[Chunk, ...]:
    """The statements of a text as tokens. Raises `FormulaError` where brackets do not fit."""
    found: list[Chunk] = []
    for line in lines_of(text, scan(text)):
        for tokens, remark in _statements(text, line):
            chunk = _chunk(text, tokens, remark)
            if chunk is not None:
                found.append(chunk)
    return tuple(found)


def _statements(text: str, tokens: list[Token]) -> list[tuple[list[Token], str]]:
    """A line parted at its commas, gaps, connectives and arrows; remarks go to the statement before them."""
    if not tokens:
        return []
    return _with_remarks(text, _parts(tokens))


def _parts(tokens: list[Token]) -> list[list[Token]]:
    """What stands between the commas, gaps, connectives and arrows outside brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for at, token in enumerate(tokens):
        kind = token.kind
        if kind in CLOSING:
            depth += 1
        elif kind in CLOSED:
            depth -= 1
        elif kind in _PARTING_KINDS and depth == 0:
            if kind == "text" and at and _is_remark(token.text) and _goes_on(tokens, at):
                continue
            if kind == ":" and not _is_label_colon(tokens, at):
                parts[-1].append(token)
                continue
            if _is_parting(token):
                parts.append([] if kind != "text" or _is_connective(token) else [token])
                continue
        if kind != "gap":
            parts[-1].append(token)
    return parts


def _is_label_colon(tokens: list[Token], at: int) -> bool:
    """`W_Q: 4096 × 4096 = …`: a colon behind what an equation is about, and not between two numbers."""
    numbers = at and tokens[at - 1].kind == "number" and tokens[at + 1 : at + 2] and tokens[at + 1].kind == "number"
    return (
        not numbers
        and any(token.kind == "relation" for token in tokens[at:])
        and not any(token.kind == "relation" for token in tokens[:at])
    )


def _with_remarks(text: str, parts: list[list[Token]]) -> list[tuple[list[Token], str]]:
    """The parts that are statements, each with its remark.

    What has no relation, or stands in brackets, is a remark on the part before it; what begins with a relation goes on with that part.
    """
    found: list[tuple[list[Token], str]] = []
    for part in parts:
        if not part:
            continue
        if found and (not any(token.kind == "relation" for token in part) or is_in_brackets(part)):
            before, remark = found[-1]
            found[-1] = before, f"{remark} {text[part[0].start : part[-1].end]}".strip()
        elif found and part[0].kind == "relation" and is_complete(found[-1][0]):
            found[-1][0].extend(part)
        else:
            found.append((part, ""))
    return found


def _goes_on(tokens: list[Token], at: int) -> bool:
    """Whether an operator or a relation follows: words before it are a note on what stands before them."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and (after.kind == "relation" or after.kind in JOINING)


def _is_parting(token: Token) -> bool:
    """Whether a token outside brackets parts two statements."""
    if token.kind == "relation":
        return token.text == "⇒"
    if token.kind == "cjk":
        return token.text in _CONNECTIVES
    return token.kind != "text" or _is_connective(token) or _is_remark(token.text)


def _is_connective(token: Token) -> bool:
    return token.text.strip(" ,.:;").lower() in _CONNECTIVES


def _is_remark(text: str) -> bool:
    r"""`\text{(tied)}`, `\text{ where d is the width}`: words about the statement."""
    stripped = text.strip(" ,;")
    return stripped[:1] in ("(", "（", "[", "") or (stripped.split(" ")[0].lower() in _CONNECTIVES and len(stripped.split()) > 1)


def _chunk(text: str, tokens: list[Token], remark: str) -> Chunk | None:
    """The sides and relations of one statement; conditions in brackets go to the remark."""
    tokens = _unwrapped(tokens)
    if is_aside(tokens):
        return None
    tokens, conditions = _trimmed(tokens), ""
    parted = _parted(tokens)
    if parted.some_inside:
        tokens, conditions = _without_conditions(text, tokens)
        parted = _parted(tokens)
    sides, relations, notes = parted.sides, parted.relations, parted.notes
    leading = ""
    if relations and not sides[0]:  # a line that begins with a relation and has nothing before it
        leading, sides, relations, notes = relations[0], sides[1:], relations[1:], notes[1:]
    while relations and not sides[-1]:
        sides, relations, notes = sides[:-1], relations[:-1], notes[:-1]
    if not sides[0]:
        return None
    place = sides[0][0].start, sides[-1][-1].end
    return Chunk(tuple(map(tuple, sides)), tuple(relations), place, f"{remark} {conditions}".strip(), leading, tuple(notes))


def _trimmed(tokens: list[Token]) -> list[Token]:
    """Without the points and colons around a statement."""
    start, end = 0, len(tokens)
    if end and tokens[-1].kind == "|" and sum(token.kind == "|" for token in tokens) % 2 == 0:
        return tokens  # |W|
    while end and (tokens[end - 1].kind in _BEHIND or tokens[end - 1].text == "⇒"):
        end -= 1
    while start < end and (tokens[start].kind in _BEFORE or tokens[start].text == "⇒"):
        start += 1
    return tokens[start:end]


@dataclass(slots=True)
class _Parted:
    """The sides of a statement, the relations between them, the note on each side, and whether relations stand in brackets."""

    sides: list[list[Token]]
    relations: list[str]
    notes: list[str]
    some_inside: bool = False


def _parted(tokens: list[Token]) -> _Parted:
    """The tokens parted at the relations outside brackets; of two relations in a row one counts."""
    found = _Parted([[]], [], [""])
    side, depth = found.sides[0], 0
    for token in tokens:
        kind = token.kind
        if kind == "relation" and depth <= 0:
            if not side and found.relations:  # "= ~5.2", "≈ ~", ": ="
                found.relations[-1] = "≈" if "≈" in (found.relations[-1], token.text) else token.text
                continue
            side = []
            found.relations.append(token.text)
            found.sides.append(side)
            found.notes.append("")
            continue
        if kind == "note":
            found.notes[-1] = token.text
            continue
        found.some_inside |= kind == "relation"
        if kind in CLOSING:
            depth += 1
        elif kind in CLOSED:
            depth -= 1
        side.append(token)
    return found


def _unwrapped(tokens: list[Token]) -> list[Token]:
    r"""Without braces around a whole statement: `\\small{a = b}`."""
    if not tokens or tokens[0].kind != "{" or not any(token.kind == "relation" for token in tokens):
        return tokens
    closing = closings(tokens)
    start, end = 0, len(tokens)
    while end - start > 2 and tokens[start].kind == "{" and closing.get(start) == end - 1:
        start, end = start + 1, end - 1
    return tokens[start:end]


def _without_conditions(text: str, tokens: list[Token]) -> tuple[list[Token], str]:
    """`12Ld^2 (m = 4d)`: a bracket that holds a relation is a condition."""
    kept: list[Token] = []
    conditions: list[str] = []
    closing = closings(tokens)
    relations_before = [0, *accumulate(token.kind == "relation" for token in tokens)]
    at = 0
    while at < len(tokens):
        token, end = tokens[at], closing.get(at, at)
        holds_relation = relations_before[end] > relations_before[at]
        if token.kind in ("(", "[") and holds_relation and kept and kept[-1].kind != "_":
            conditions.append(text[tokens[at + 1].start : tokens[end - 1].end])
            at = end + 1
            continue
        kept.append(token)
        at += 1
    return kept, ", ".join(conditions)
