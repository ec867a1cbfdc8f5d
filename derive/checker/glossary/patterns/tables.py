"""What tables say: of notation (symbol, meaning, value), of hyperparameters (name, value), of one model (sizes as columns)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from derive.checker.glossary.lines.items import Item, items_of
from derive.checker.glossary.lines.tokens import Line, line_of
from derive.checker.glossary.meanings import OTHER, possible
from derive.checker.glossary.patterns.clause import Clause
from derive.checker.glossary.patterns.definitions import definitions
from derive.checker.glossary.said import Evidence, Value, plausible_value
from derive.checker.glossary.wordings.phrases import Wording, is_other, meant
from derive.checker.glossary.words import meaning_of_word
from derive.documents.document import Block
from derive.symbols import BY_NAME

MOST_ROWS = 400

_SYMBOL = {"symbol", "symbols", "notation", "variable", "variables", "letter", "符号", "记号", "变量", "字母", "标记"}
_COUNTS = {
    "params",
    "parameters",
    "flops",
    "memory",
    "bytes",
    "gb",
    "mb",
    "gib",
    "size",
    "参数量",
    "参数",
    "内存",
    "显存",
    "计算量",
    "formula",
    "公式",
    "time",
}


def said_in_table(block: Block) -> Iterator[Evidence | Value]:
    """What the rows of a table define, row by row."""
    rows = [[line_of(cell) for cell in row] for row in block.rows[:MOST_ROWS]]
    header = rows[0] if block.header and rows else []
    notation = any(cell.text.strip().lower() in _SYMBOL for cell in header)
    counted = {at for at, cell in enumerate(header) if at and set(_plain(cell).split()) & _COUNTS}
    for cell in header:
        yield from definitions(cell)
    body = rows[1:] if block.header else rows
    for row in body:
        yield from _in_row(row, notation, counted)
    if len(body) == 1 and header:
        yield from _in_columns(header, body[0])


def _in_row(row: list[Line], notation: bool, counted: set[int]) -> Iterator[Evidence | Value]:
    """The letter of a row and its meaning, what its cells define, and the only number of the row."""
    cells = [items_of(cell) for cell in row]
    lone = next((at for at, cell in enumerate(cells) if len(cell) == 1 and cell[0].kind == "name"), None)
    said = _symbol(row, lone, cells[lone][0], notation) if lone is not None else None
    if said is not None:
        yield said
    for at, cell in enumerate(row):
        if at != lone:
            yield from definitions(cell)
    meaning = said.meaning if said else _title(cells[0 if lone is None else lone]) if cells else None
    numbers = [(at, cell[0]) for at, cell in enumerate(cells) if len(cell) == 1 and cell[0].kind == "number" and at not in counted]
    if meaning is not None and meaning in BY_NAME and len(numbers) == 1:
        at, number = numbers[0]
        yield from _value(meaning, number, row[at], "; ".join(cell.text.strip() for cell in row if cell.text.strip()))


def _symbol(row: list[Line], lone: int, name: Item, notation: bool) -> Evidence | None:
    """What the other cells say about the name that is a cell of its own."""
    for at, cell in enumerate(row):
        meaning = _cell_meaning(cell, name.text, notation) if at != lone else None
        if meaning is not None:
            why = f"{row[lone].text.strip()}: {cell.text.strip()}"
            return Evidence(name.text, meaning, why[:90], row[lone].tokens[0].offset)
    return None


def _cell_meaning(cell: Line, letter: str, notation: bool) -> str | None:
    """The size that a cell begins with; in a table of notation also that it is none of ours."""
    own = _own_meanings().get(_joined(cell.text))
    if own is not None:
        return own
    wording, whole = _leading(cell)
    if wording is None:
        words = [token.text.lower() for token in cell.tokens if token.kind == "word"]
        return OTHER if notation and meaning_of_word(letter) is None and is_other(words) else None
    meaning = meant(wording, letter)
    return meaning if wording.manner == "full" or (whole and meaning in possible(letter)) else None


@cache
def _own_meanings() -> dict[str, str]:
    """The vocabulary's own words for each symbol, in both languages."""
    return {_joined(text): symbol.name for symbol in BY_NAME.values() for text in (symbol.meaning.en, symbol.meaning.zh)}


def _joined(text: str) -> str:
    return "".join(text.replace("`", "").split())


def _leading(line: Line) -> tuple[Wording | None, bool]:
    """The wording that a cell begins with, unless more words make it something else; and whether it is all of the cell."""
    clause = Clause(line)
    start = clause.past_fillers(0)
    wording, following = clause.wording(start), clause.at(start + 1)
    if wording is None or clause.narrowed(start):
        return None, False
    stops = (
        following.kind in ("separator", "open", "end", "close")
        or following.link in ("=", ":", "-")
        or following.text in ("in", "of", "for")
    )
    return (wording, start + 1 == len(clause.items)) if stops else (None, False)


def _title(cell: list[Item]) -> str | None:
    """What the first cell of a row names: "Hidden size", "Layers", `n_heads`, "hidden size (d)"."""
    if cell and cell[0].kind == "name" and len(cell) == 1:
        return meaning_of_word(cell[0].text)
    if cell and cell[0].wording and (len(cell) == 1 or (cell[1].kind in ("open", "name") and len(cell) <= 4)):
        return cell[0].wording.meaning
    return None


def _in_columns(header: list[Line], row: list[Line]) -> Iterator[Value]:
    """The sizes of the only model of a table that has one in each row."""
    for title, cell in zip(header, row, strict=False):
        meaning, numbers = _title(items_of(title)), items_of(cell)
        if meaning in BY_NAME and meaning is not None and len(numbers) == 1 and numbers[0].kind == "number":
            yield from _value(meaning, numbers[0], cell, f"{title.text.strip()}: {cell.text.strip()}")


def _value(meaning: str, number: Item, cell: Line, why: str) -> Iterator[Value]:
    value = number.value if number.text == "" else None
    if isinstance(value, Fraction) and plausible_value(meaning, value):
        yield Value(meaning, value, why[:90], cell.tokens[0].offset)


def _plain(cell: Line) -> str:
    return cell.text.strip().lower().replace("(", " ").replace(")", " ")
