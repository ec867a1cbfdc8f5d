"""Jupyter notebooks: Markdown cells as Markdown, code cells as code, and what they printed."""

from __future__ import annotations

from collections.abc import Iterator

from derive.documents.assembly import Expand, as_is, code_block, moved
from derive.documents.document import Block, Comment
from derive.documents.json_text import Json, parse_json
from derive.documents.markdown import read_markdown
from derive.documents.placed import Placed, join
from derive.errors import DocumentError


def read_notebook(source: str, name: str, expand: Expand = as_is) -> tuple[tuple[Block, ...], tuple[Comment, ...]]:
    """The blocks of a notebook (nbformat 3 and 4); places are those in the JSON text."""
    notebook = parse_json(source, name)
    if not isinstance(notebook, dict):
        raise DocumentError(f"{name}: no notebook: the JSON value is no object")
    language = _language(notebook)
    blocks: list[Block] = []
    comments: list[Comment] = []
    for number, cell in enumerate(_cells(notebook, name), 1):
        if not isinstance(cell, dict):
            raise DocumentError(f"{name}: cell {number} is no object")
        found, hidden = _cell(cell, f"{name}: cell {number}", language, expand)
        blocks += found
        comments += hidden
    return tuple(blocks), tuple(comments)


def _cells(notebook: dict[str, Json], name: str) -> list[Json]:
    """The cells, which nbformat 3 keeps in worksheets."""
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets := notebook.get("worksheets"), list):
        cells = [cell for sheet in sheets if isinstance(sheet, dict) for cell in _listed(sheet.get("cells"))]
    if not isinstance(cells, list):
        raise DocumentError(f"{name}: no notebook: it has no list of cells")
    return cells


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _language(notebook: dict[str, Json]) -> str:
    """The language of the code cells; Python unless the notebook says another."""
    metadata = notebook.get("metadata")
    for key in ("language_info", "kernelspec"):
        about = metadata.get(key) if isinstance(metadata, dict) else None
        named = about.get("name" if key == "language_info" else "language") if isinstance(about, dict) else None
        if isinstance(named, Placed) and named.text:
            return "python" if named.text.lower() in ("ipython", "python3") else named.text.lower()
    return "python"


def _cell(cell: dict[str, Json], where: str, language: str, expand: Expand) -> tuple[list[Block], list[Comment]]:
    kind = cell.get("cell_type")
    kind_text = kind.text if isinstance(kind, Placed) else ""
    text = _text(cell.get("source", cell.get("input")), where)
    if kind_text in ("markdown", "heading"):
        blocks, comments = read_markdown(text.text, expand)
        return [moved(block, text.offsets.__getitem__) for block in blocks], [
            Comment(comment.text, text.offsets[comment.offset]) for comment in comments
        ]
    if kind_text != "code":
        return [], []
    blocks_of_code = [code_block(text, language)] if text.text.strip() else []
    return [*blocks_of_code, *_outputs(cell.get("outputs"), where)], []


def _outputs(outputs: Json, where: str) -> Iterator[Block]:
    """What a code cell printed, and the text of what it returned."""
    for output in _listed(outputs):
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        printed = output.get("text", data.get("text/plain") if isinstance(data, dict) else None)
        if printed is not None:
            text = _text(printed, where)
            if text.text.strip():
                yield code_block(text, "output")


def _text(value: Json, where: str) -> Placed:
    """The text of a cell: one string, or a list of its lines."""
    if value is None:
        return Placed("", (0,))
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, Placed) for part in parts):
        raise DocumentError(f"{where}: its text is neither a string nor a list of strings")
    return join(part for part in parts if isinstance(part, Placed))
