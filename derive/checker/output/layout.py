"""Text in the columns of a terminal: folded, and cut around a place. A Chinese character takes two columns."""

from __future__ import annotations

from derive.text import printable


def cell_len(text: str) -> int:
    """How many columns the text takes; `rich` is asked only where a letter may take two."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def folded(text: str, width: int, indent: int = 0, first: int | None = None) -> str:
    """The text broken at spaces, and within words that are wider than a line.

    Later lines are indented; on the first, `first` columns are taken already (as many as the indent by default).
    """
    room = max(width - indent, 8)
    lines = [""]
    left = max(width - (indent if first is None else first), 0)
    for word in text.split():
        wide = cell_len(word)
        if lines[-1] and cell_len(lines[-1]) + 1 + wide <= left:
            lines[-1] += f" {word}"
        elif not lines[-1] and wide <= left:
            lines[-1] = word
        else:
            from rich.cells import chop_cells

            lines = [*(lines if lines[-1] or left < room else []), *chop_cells(word, room)]
            left = room
    return ("\n" + " " * indent).join(lines)


def excerpt(line: str, start: int, end: int, width: int) -> tuple[str, int, int]:
    """The line cut to `width` columns around the letters from `start` to `end`; with the column and width of that span in it.

    What is cut off is shown by `…`.
    """
    start = min(start, len(line))
    end = max(min(end, len(line)), min(start + 1, len(line)))
    low, high = max(0, start - width), min(len(line), start + width)
    text = plain(line[low:high])
    cells = [cell_len(letter) for letter in text]
    seen = _window(cells, start - low, min(end, high) - low, width, (low > 0, high < len(line)))
    before, behind = low + seen[0] > 0, low + seen[1] < len(line)
    shown = "…" * before + text[seen[0] : seen[1]] + "…" * behind
    column = before + sum(cells[seen[0] : start - low])
    return shown, column, max(1, sum(cells[start - low : min(end - low, seen[1])]))


def _window(cells: list[int], start: int, end: int, width: int, cut: tuple[bool, bool]) -> tuple[int, int]:
    """From which letter to which a line is shown: the span first, then what stands around it on both sides alike."""
    if sum(cells) <= width and not any(cut):
        return 0, len(cells)
    first, last, room = start, start, width - 2  # a column for each …
    while last < end and cells[last] <= room:
        room -= cells[last]
        last += 1
    if last < end:
        return first, last
    around = room // 3
    while first and cells[first - 1] <= around:
        first -= 1
        around -= cells[first]
        room -= cells[first]
    while last < len(cells) and cells[last] <= room:
        room -= cells[last]
        last += 1
    while first and cells[first - 1] <= room:
        first -= 1
        room -= cells[first]
    return first, last


def plain(text: str) -> str:
    """Letters that take the columns that `cell_len` says: no tab, no control character."""
    return printable(text.replace("\t", " "))
