r"""Tokens → chains: environments into lines, lines into statements, statements into sides.

A line that begins with a relation goes on with the chain before it (`&= 12Ld^2`), one that begins with an operator with the
last side. Commas, wide gaps and arrows between statements part them; what stands behind a gap without a relation is a remark.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from derive.errors import FormulaError
from derive.formula.scan import Token, scan

_OPENING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
_JOINING = frozenset("+-*/")
_CONNECTIVES = frozenset(
    "where with for and or if when so thus hence therefore then since as because let assuming which i.e. e.g. iff "
    "taking using given putting 取 代入 由 其中 以及 和 且 则 所以 因此 当 若 即 或 令 设 故".split()
)
_ENVIRONMENTS = frozenset(
    "equation align aligned gather gathered multline split eqnarray alignat alignedat flalign displaymath math dmath subequations "
    "multlined array center".split()
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


@dataclass(slots=True)
class _Line:
    """Tokens of one row."""

    tokens: list[Token] = field(default_factory=list)


def chunks(text: str) -> tuple[Chunk, ...]:
    """The statements of a text as tokens. Raises `FormulaError` where brackets do not fit."""
    found: list[Chunk] = []
    for line in _joined(_rows(text, scan(text))):
        for tokens, remark in _statements(text, line):
            chunk = _chunk(text, tokens, remark)
            if chunk is not None:
                found.append(chunk)
    return tuple(found)


def _rows(text: str, tokens: list[Token]) -> list[list[Token]]:
    r"""The rows of an environment; `\begin`, `\end`, alignment marks and boxes around statements are left out."""
    rows: list[list[Token]] = [[]]
    depth, at = 0, 0
    closing = _closings(tokens)
    unwrapped: set[int] = set()
    while tokens[at].kind != "end":
        token = tokens[at]
        if token.kind == "command" and token.text in (r"\begin", r"\end"):
            at = _environment(text, tokens, at)
            continue
        if token.text in (r"\boxed", r"\fbox", r"\ensuremath", r"\displaylines") and tokens[at + 1].text == "{":
            unwrapped.add(closing.get(at + 1, 0))
            at += 2
            continue
        if at in unwrapped:
            at += 1
            continue
        if token.text in _OPENING:
            depth += 1
        elif token.text in _OPENING.values():
            depth -= 1
        if token.kind == "row" and depth <= 0:
            rows.append([])
            depth = 0
        elif token.kind == "align":
            if _starts_note(rows[-1], tokens, at):
                end = _row_end(tokens, at)
                rows[-1].append(_note(text, tokens[at + 1 : end]))
                at = end
                continue
            if _starts_equation(rows[-1], tokens, at):
                rows.append([])
        elif token.kind != "row":
            rows[-1].append(token)
        at += 1
    kept: list[list[Token]] = []
    for row in map(_without_gap, rows):
        if kept and _is_aside(row):
            kept[-1].append(_note(text, row))
        elif row:
            kept.append(row)
    return kept


def _starts_note(row: list[Token], tokens: list[Token], at: int) -> bool:
    """Whether the column behind the mark at `at` is a note on its row: it begins with a wide gap or with words."""
    while tokens[at].kind == "align":
        at += 1
    return tokens[at].kind in ("gap", "text", "cjk") and any(token.kind == "relation" for token in row) and _complete(row)


def _row_end(tokens: list[Token], at: int) -> int:
    """Where the row ends that holds the token at `at`."""
    while tokens[at].kind not in ("row", "end") and tokens[at].text != r"\end":
        at += 1
    return at


def _note(text: str, tokens: list[Token]) -> Token:
    """Tokens as one note, in the words of the text."""
    start, end = (tokens[0].start, tokens[-1].end) if tokens else (0, 0)
    return Token("note", text[start:end], start, end)


def _without_gap(row: list[Token]) -> list[Token]:
    """A row without the space that indents it."""
    start = 0
    while start < len(row) and row[start].kind == "gap":
        start += 1
    return row[start:]


def _starts_equation(row: list[Token], tokens: list[Token], at: int) -> bool:
    """Whether the mark at `at` begins another equation of the row (`a &= b & c &= d`) rather than lining up a sign."""
    after = tokens[at + 1]
    has_relation = any(token.kind == "relation" for token in row)
    return (
        has_relation
        and after.kind not in ("relation", "end", "row", "align", "gap", "text", "cjk")
        and after.text not in _JOINING
        and _complete(row)
    )


def _complete(row: list[Token]) -> bool:
    """Whether a row could end here: it does not end with an operator or a relation."""
    last = next((token for token in reversed(row) if token.kind != "note"), None)
    return last is not None and last.kind != "relation" and last.text not in _JOINING


def _environment(text: str, tokens: list[Token], at: int) -> int:
    r"""The place behind `\begin{aligned}` (and `{ll}` of an array); matrices and cases are not read."""
    opening = at + 1
    names = []
    if tokens[opening].text == "{":
        opening += 1
        while tokens[opening].text != "}" and tokens[opening].kind != "end":
            names.append(tokens[opening].text)
            opening += 1
    name = "".join(names).rstrip("*")
    if name not in _ENVIRONMENTS:
        raise FormulaError(f"cannot read the environment '{name}'", text, tokens[at].start + 1)
    behind = opening + 1 if tokens[opening].text == "}" else opening
    if tokens[at].text == r"\begin" and name in ("array", "alignat", "alignedat") and tokens[behind].text == "{":
        while tokens[behind].text != "}" and tokens[behind].kind != "end":
            behind += 1
        behind += 1
    return behind


def _joined(rows: list[list[Token]]) -> list[list[Token]]:
    """Rows that go on with the one before are part of it."""
    lines: list[list[Token]] = []
    for row in rows:
        goes_on = row[0].kind == "relation" or (row[0].text in _JOINING and row[0].kind == "sign")
        if lines and (goes_on or not _complete(lines[-1])):
            lines[-1].extend(row)
        else:
            lines.append(row)
    return lines


def _statements(text: str, tokens: list[Token]) -> list[tuple[list[Token], str]]:
    """A line parted at its commas, gaps, connectives and arrows; remarks go to the statement before them."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token.text in _OPENING) - (token.text in _OPENING.values())
        if depth == 0 and token.kind == "text" and at and _is_remark(token.text) and _goes_on(tokens, at):
            continue
        if depth == 0 and _parts(token, tokens, at):
            parts.append([])
            if token.kind == "text" and not _is_connective(token):
                parts[-1].append(token)
        elif token.kind != "gap":
            parts[-1].append(token)
    found: list[tuple[list[Token], str]] = []
    for part in parts:
        if not part:
            continue
        if found and not any(token.kind == "relation" for token in part):
            before, remark = found[-1]
            found[-1] = before, f"{remark} {text[part[0].start : part[-1].end]}".strip()
        elif found and part[0].kind == "relation" and _complete(found[-1][0]):
            found[-1][0].extend(part)
        else:
            found.append((part, ""))
    return found


def _goes_on(tokens: list[Token], at: int) -> bool:
    """Whether an operator or a relation follows: words before it are a note on what stands before them."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and (after.kind == "relation" or after.text in _JOINING)


def _parts(token: Token, tokens: list[Token], at: int) -> bool:
    """Whether a token parts two statements."""
    if token.kind == "gap" or (token.kind == "relation" and token.text == "⇒"):
        return True
    if token.kind == "sign" and token.text in (",", ";"):
        return True
    if token.kind == "cjk":
        return token.text in _CONNECTIVES
    return token.kind == "text" and (_is_connective(token) or _is_remark(token.text))


def _is_connective(token: Token) -> bool:
    return token.text.strip(" ,.:;").lower() in _CONNECTIVES


def _is_remark(text: str) -> bool:
    r"""`\text{(tied)}`, `\text{ where d is the width}`: words about the statement."""
    stripped = text.strip(" ,;")
    return stripped[:1] in "(（[" or (stripped.split(" ")[0].lower() in _CONNECTIVES and len(stripped.split()) > 1)


def _chunk(text: str, tokens: list[Token], remark: str) -> Chunk | None:
    """The sides and relations of one statement; conditions in brackets go to the remark."""
    tokens = _unwrapped(tokens)
    if _is_aside(tokens):
        return None
    while tokens and tokens[-1].kind in ("sign", "relation") and tokens[-1].text in (".", ":", "|", "!", "⇒"):
        tokens = tokens[:-1]
    while tokens and tokens[0].kind in ("sign", "relation") and tokens[0].text in (".", ":", "!", "⇒", "'"):
        tokens = tokens[1:]
    if not tokens:
        return None
    kept, conditions = _without_conditions(text, tokens)
    if not any(token.kind != "note" for token in kept):
        return None
    notes: dict[int, str] = {}
    sides: list[list[Token]] = [[]]
    relations: list[str] = []
    depth = 0
    for token in kept:
        if token.kind == "note":
            notes[len(sides) - 1] = token.text
            continue
        depth += (token.text in _OPENING) - (token.text in _OPENING.values())
        if token.kind == "relation" and depth <= 0:
            if not sides[-1] and relations:  # "= ~5.2", "≈ ~", ": ="
                relations[-1] = "≈" if "≈" in (relations[-1], token.text) else token.text
                continue
            relations.append(token.text)
            sides.append([])
        else:
            sides[-1].append(token)
    leading = ""
    if relations and not sides[0]:  # a line that begins with a relation and has nothing before it
        leading, sides, relations = relations[0], sides[1:], relations[1:]
        notes = {at - 1: note for at, note in notes.items()}
    while relations and not sides[-1]:
        sides, relations = sides[:-1], relations[:-1]
    if not sides or not sides[0]:
        return None
    place = sides[0][0].start, sides[-1][-1].end
    said = tuple(notes.get(at, "") for at in range(len(sides)))
    return Chunk(tuple(map(tuple, sides)), tuple(relations), place, f"{remark} {conditions}".strip(), leading, said)


def _is_aside(tokens: list[Token]) -> bool:
    r"""`(\\text{with }d_q = d)`: words in brackets."""
    return (
        len(tokens) > 2
        and tokens[0].text in ("(", "[")
        and tokens[1].kind in ("text", "cjk")
        and _closings(tokens).get(0) == len(tokens) - 1
    )


def _unwrapped(tokens: list[Token]) -> list[Token]:
    r"""Without braces around a whole statement: `\\small{a = b}`."""
    while len(tokens) > 2 and tokens[0].text == "{" and _closings(tokens).get(0) == len(tokens) - 1:
        if not any(token.kind == "relation" for token in tokens):
            break
        tokens = tokens[1:-1]
    return tokens


def _without_conditions(text: str, tokens: list[Token]) -> tuple[list[Token], str]:
    """`12Ld^2 (m = 4d)`: a bracket that holds a relation is a condition."""
    kept: list[Token] = []
    conditions: list[str] = []
    closing = _closings(tokens)
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in ("(", "[") and kept and kept[-1].text != "_":
            end = closing.get(at, at)
            inside = tokens[at + 1 : end]
            if any(each.kind == "relation" for each in inside):
                conditions.append(text[inside[0].start : inside[-1].end] if inside else "")
                at = end + 1
                continue
        kept.append(token)
        at += 1
    return kept, ", ".join(conditions)


def _closings(tokens: list[Token]) -> dict[int, int]:
    """For each opening bracket that is closed, the place of the one that closes it."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text in _OPENING:
            opened.append(at)
        elif token.text in _OPENING.values() and opened:
            found[opened.pop()] = at
    return found
