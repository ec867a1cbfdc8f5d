"""What tables say: of notation (symbol, meaning, value), of hyperparameters (name, value), of one model (sizes as columns)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derive.check.glossary.definitions import definitions
from derive.check.glossary.items import Item, items_of
from derive.check.glossary.meanings import possible
from derive.check.glossary.phrases import Wording, is_other, meant
from derive.check.glossary.said import Evidence, Value, plausible_value
from derive.check.glossary.tokens import Line, line_of
from derive.check.glossary.words import meaning_of_word
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
    cells = [items_of(cell) for cell in row]
    lone = next((at for at, cell in enumerate(cells) if len(cell) == 1 and cell[0].kind == "name"), None)
    numbers = [(at, cell[0]) for at, cell in enumerate(cells) if len(cell) == 1 and cell[0].kind == "number" and at not in counted]
    meaning: str | None = None
    if lone is not None:
        said = _symbol_row(row, cells, lone, notation)
        if said:
            yield said
            meaning = said.meaning
        else:
            meaning = meaning_of_word(cells[lone][0].text)
    found = [said for at, cell in enumerate(row) if at != lone or meaning is None for said in definitions(cell)]
    yield from found
    if meaning is None:
        meaning = _title(cells[0]) if cells else None
    if meaning in BY_NAME and meaning is not None and len(numbers) == 1:
        at, number = numbers[0]
        yield from _value(meaning, number, row[at], "; ".join(cell.text.strip() for cell in row if cell.text.strip()))


def _symbol_row(row: list[Line], cells: list[list[Item]], lone: int, notation: bool) -> Evidence | None:
    name = cells[lone][0]
    for at, cell in enumerate(cells):
        if at == lone or not cell:
            continue
        wording, whole = _leading(cell)
        meaning = meant(wording, name.text) if wording and (whole or wording.manner == "full") else None
        if meaning and wording and wording.manner != "full" and meaning not in possible(name.text):
            meaning = None
        if meaning is None and notation and wording is None and not meaning_of_word(name.text):
            meaning = "other" if is_other([token.text.lower() for token in row[at].tokens if token.kind == "word"]) else None
        if meaning:
            why = f"{row[lone].text.strip()}: {row[at].text.strip()}"
            return Evidence(name.text, meaning, why[:90], row[lone].tokens[0].offset)
    return None


def _leading(cell: list[Item]) -> tuple[Wording | None, bool]:
    """The wording that a cell begins with, unless more words make it something else; and whether it is all of the cell."""
    start = 0
    while start < len(cell) and cell[start].kind == "filler":
        start += 1
    if start == len(cell) or cell[start].wording is None:
        return None, False
    rest = cell[start + 1 :]
    stops = (
        not rest
        or rest[0].kind in ("separator", "open", "end", "close")
        or rest[0].link in ("=", ":", "-")
        or rest[0].text in ("in", "of", "for")
    )
    return (cell[start].wording, not rest) if stops else (None, False)


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
