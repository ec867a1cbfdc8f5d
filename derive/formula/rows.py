r"""Tokens → lines: the rows of environments, each with the note in its last column.

A row that begins with a relation or an operator goes on with the one before it (`&= 12Ld^2`).
"""

from __future__ import annotations

from derive.errors import FormulaError
from derive.formula.signs import CLOSING
from derive.formula.tokens import Token

CLOSED = frozenset(CLOSING.values())
JOINING = frozenset("+-*/")
"""Operators that join what stands before and behind them."""

_BOXES = frozenset((r"\boxed", r"\fbox", r"\ensuremath", r"\displaylines"))
_ROW_KINDS = frozenset(("row", "align", "gap"))
_ROW_COMMANDS = frozenset((r"\begin", r"\end", *_BOXES))
_NOTE_KINDS = frozenset(("gap", "text", "cjk"))
_NO_EQUATION_KINDS = frozenset(("relation", "end", "row", "align", *_NOTE_KINDS, *JOINING))
_ENVIRONMENTS = frozenset(
    "equation align aligned gather gathered multline split eqnarray alignat alignedat flalign displaymath math dmath subequations "
    "multlined array center".split()
)
_WITH_COLUMNS = frozenset(("array", "alignat", "alignedat"))


def lines_of(text: str, tokens: list[Token]) -> list[list[Token]]:
    """The lines of a text. Raises `FormulaError` where an environment holds something else than equations."""
    if _ROW_KINDS.isdisjoint([token.kind for token in tokens]) and _ROW_COMMANDS.isdisjoint([token.text for token in tokens]):
        return [tokens[:-1]]
    return _joined(_with_notes(text, _Rows(text, tokens).read()))


class _Rows:
    r"""The rows of a text; `\begin`, `\end`, alignment marks and boxes around statements are left out."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.closing = closings(tokens)
        self.at = 0
        self.rows: list[list[Token]] = [[]]
        self.has_relation = False

    def read(self) -> list[list[Token]]:
        """The rows from top to bottom."""
        depth = 0
        unwrapped: set[int] = set()
        while (token := self.tokens[self.at]).kind != "end":
            kind = token.kind
            if kind == "command" and token.text in (r"\begin", r"\end"):
                self.at = _behind_environment(self.text, self.tokens, self.at)
                continue
            if kind == "command" and token.text in _BOXES and self.tokens[self.at + 1].kind == "{":
                unwrapped.add(self.closing.get(self.at + 1, 0))
                self.at += 1
            elif kind == "align":
                self.align()
                continue
            elif kind == "row" and depth <= 0:
                depth = 0
                self.start_row()
            elif kind != "row" and self.at not in unwrapped:
                depth += (kind in CLOSING) - (kind in CLOSED)
                self.has_relation |= kind == "relation"
                self.rows[-1].append(token)
            self.at += 1
        return self.rows

    def start_row(self) -> None:
        """What follows stands in a row of its own."""
        self.rows.append([])
        self.has_relation = False

    def align(self) -> None:
        """Alignment marks line up a sign, begin another equation of the row (`a &= b & c &= d`), or begin a note."""
        first = self.at
        while self.tokens[self.at].kind == "align":
            self.at += 1
        after = self.tokens[self.at]
        if not self.has_relation or not is_complete(self.rows[-1]):
            return
        if after.kind in _NOTE_KINDS:
            while self.tokens[self.at].kind not in ("row", "end") and self.tokens[self.at].text != r"\end":
                self.at += 1
            self.rows[-1].append(_note(self.text, self.tokens[first + 1 : self.at]))
        elif after.kind not in _NO_EQUATION_KINDS:
            self.start_row()


def _with_notes(text: str, rows: list[list[Token]]) -> list[list[Token]]:
    """Rows without the space that indents them; one that is words in brackets is a note on the row before."""
    kept: list[list[Token]] = []
    for row in rows:
        start = 0
        while start < len(row) and row[start].kind == "gap":
            start += 1
        row = row[start:]
        if kept and is_aside(row):
            kept[-1].append(_note(text, row))
        elif row:
            kept.append(row)
    return kept


def _note(text: str, tokens: list[Token]) -> Token:
    """Tokens as one note, in the words of the text."""
    start, end = (tokens[0].start, tokens[-1].end) if tokens else (0, 0)
    return Token("note", text[start:end], start, end)


def is_complete(row: list[Token]) -> bool:
    """Whether a row could end here: it does not end with an operator or a relation."""
    last = next((token for token in reversed(row) if token.kind != "note"), None)
    return last is not None and last.kind != "relation" and last.kind not in JOINING


def _behind_environment(text: str, tokens: list[Token], at: int) -> int:
    r"""The place behind `\begin{aligned}` (and `{ll}` of an array); matrices and cases are not read."""
    opening = at + 1
    names = []
    if tokens[opening].kind == "{":
        opening += 1
        while tokens[opening].kind not in ("}", "end"):
            names.append(tokens[opening].text)
            opening += 1
    name = "".join(names).rstrip("*")
    if name not in _ENVIRONMENTS:
        raise FormulaError(f"cannot read the environment '{name}'", text, tokens[at].start + 1)
    behind = opening + 1 if tokens[opening].kind == "}" else opening
    if tokens[at].text == r"\begin" and name in _WITH_COLUMNS and tokens[behind].kind == "{":
        while tokens[behind].kind not in ("}", "end"):
            behind += 1
        behind += tokens[behind].kind == "}"
    return behind


def _joined(rows: list[list[Token]]) -> list[list[Token]]:
    """Rows that go on with the one before are part of it."""
    lines: list[list[Token]] = []
    for row in rows:
        goes_on = row[0].kind == "relation" or row[0].kind in JOINING
        if lines and (goes_on or not is_complete(lines[-1])):
            lines[-1].extend(row)
        else:
            lines.append(row)
    return lines


def is_aside(tokens: list[Token]) -> bool:
    r"""`(\\text{with }d_q = d)`: words in brackets."""
    return len(tokens) > 2 and tokens[1].kind in ("text", "cjk") and is_in_brackets(tokens)


def is_in_brackets(tokens: list[Token]) -> bool:
    """`(m = 4d)`: whether one bracket holds all of the tokens."""
    return tokens[0].kind in ("(", "[") and closings(tokens).get(0) == len(tokens) - 1


def closings(tokens: list[Token]) -> dict[int, int]:
    """For each opening bracket that is closed, the place of the one that closes it."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind in CLOSING:
            opened.append(at)
        elif token.kind in CLOSED and opened:
            found[opened.pop()] = at
    return found
