r"""Documents' formulas → statements: chains of sides, as people of this field write them.

    statement := side (relation side)*
    side      := ["+" | "-"] term (("+" | "-") term)*
    term      := factor (["*" | "/"] factor)*         juxtaposition multiplies: 2dd_{kv}, 24bsh^2, E_s3dm_s
    factor    := atom ("^" exponent | superscript | "%" | subscript)*
    atom      := number [scale | unit] | name | group | \frac{side}{side} | \sqrt{side} | \sum… | \lim… | \underbrace{side}_{label}
    name      := letter [subscript] | whole word | \text{words} | CJK word

What cannot be read is an `Unread` with its place, never a guess. Names stay as written (`d_{\text{model}}` is d_model); what
they mean is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

from derive.errors import FormulaError
from derive.formula.chains import Chunk, chunks
from derive.formula.side import SideReader
from derive.formula.statement import Side, Statement, Unread


def read(text: str) -> Statement:
    r"""The statement that `text` writes: `read(r"12Ld^2 \approx P").sides`.

    The lines of a system come one after the other, with the relation ";" between them. Raises `FormulaError`, with the column,
    where the text cannot be read.
    """
    found = read_all(text)
    statements: list[Statement] = []
    for each in found:
        if isinstance(each, Unread):
            raise FormulaError(each.message, text, each.at + 1)
        statements.append(each)
    if not statements:
        raise FormulaError("there is no formula", text)
    first = statements[0]
    if len(statements) == 1:
        return first
    sides = tuple(side for statement in statements for side in statement.sides)
    relations = tuple(relation for statement in statements for relation in (*statement.relations, ";"))[:-1]
    units = frozenset().union(*(statement.units for statement in statements))
    labels = {name: words for statement in statements for name, words in statement.labels.items()}
    return Statement(text, sides, relations, units, labels)


def read_all(text: str, *, plain: bool = False, worded: bool = False) -> tuple[Statement | Unread, ...]:
    """Every statement of a text, in order.

    `plain` where it is not LaTeX, so that words are words; `worded` where the first side is words, one name.
    """
    try:
        pieces = chunks(text)
    except FormulaError as error:
        return (Unread(text, 0, len(text), _message(error), (error.column or 1) - 1),)
    return tuple(_statement(text, piece, plain, worded and at == 0) for at, piece in enumerate(pieces))


def _statement(text: str, chunk: Chunk, plain: bool, worded: bool) -> Statement | Unread:
    try:
        statement, doubts = _read(text, chunk, plain, worded, frozenset())
    except FormulaError as error:
        start, end = chunk.place
        return Unread(text[start:end], start, end, _message(error), (error.column or start + 1) - 1)
    others = []
    for doubt in sorted(doubts):
        try:
            others.append(_read(text, chunk, plain, worded, frozenset((doubt,)))[0])
        except FormulaError:
            continue
    return replace(statement, alternatives=tuple(others)) if others else statement


def _read(text: str, chunk: Chunk, plain: bool, worded: bool, choices: frozenset[str]) -> tuple[Statement, set[str]]:
    """A chunk under some choices, and the doubts that another choice would settle otherwise."""
    sides: list[Side] = []
    units: set[str] = set()
    labels: dict[str, str] = {}
    doubts: set[str] = set()
    remarks = [chunk.remark] if chunk.remark else []
    for at, tokens in enumerate(chunk.sides):
        reader = SideReader(text, tokens, plain=plain, choices=choices)
        note = chunk.notes[at] if chunk.notes else ""
        side = reader.side(worded=worded and at == 0)
        sides.append(replace(side, note=note) if note else side)
        units |= reader.units
        labels |= reader.labels
        doubts |= reader.doubts
        remarks += reader.remarks
    start, end = chunk.place
    remark = " ".join(remarks).strip()
    statement = Statement(text[start:end], tuple(sides), chunk.relations, frozenset(units), labels, remark, chunk.leading)
    return statement, doubts


def _message(error: FormulaError) -> str:
    """The message without the quoted text: the finding shows it."""
    return str(error).rpartition(" (in '")[0] or str(error)
