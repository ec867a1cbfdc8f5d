"""Tables in LaTeX: as wide as their cells, folded where that is too wide, over several pages where they are long."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from markdown_it.tree import SyntaxTreeNode

from derive.book.writing import breadth

WIDEST_TABLE = 85
"""Letters that fit beside one another in a table."""
WIDER_THAN_FAIR = 1.2
"""A column that takes so many times its share of a table that is too wide holds words, and folds."""
NARROW = 16
"""Letters of a column that does not fold."""
MOST_ROWS = 22
"""Of a table that stays on one page."""
MATH_LETTER = 0.8
"""Of a letter in a formula beside one in a text, some being subscripts."""
_MARKUP = re.compile(r"\\(?:mathrm|text|left|right|frac|,)|[{}_^\\]")
_FOLDED = {"l": r">{\raggedright\arraybackslash}X", "r": r">{\raggedleft\arraybackslash}X"}


def latex_table(node: SyntaxTreeNode, write: Callable[[SyntaxTreeNode], str]) -> str:
    """A table, its cells written by `write`."""
    rows = [row.children for section in node.children for row in section.children]
    heading, *body = (no_argument(" & ".join(map(write, row))) + r" \\" for row in rows)
    flush = ["r" if "right" in str(cell.attrs.get("style", "")) else "l" for cell in rows[0]]
    breadths = [max(map(_breadth, column)) for column in zip(*rows, strict=True)]
    wide = sum(breadths) + 2 * len(breadths) > WIDEST_TABLE
    if len(rows) > MOST_ROWS:
        return _long(_shares(breadths) if wide else "".join(flush), heading, body)
    begin, end = _folding(flush, breadths) if wide else _plain(flush)
    lines = (r"\begin{center}\small", begin, r"\toprule", heading, r"\midrule", *body, r"\bottomrule", end, r"\end{center}")
    return "\n".join(lines)


def no_argument(text: str) -> str:
    """The text, set apart from a command before it that would take its first sign for an argument."""
    return "{}" + text if text.startswith(("[", "*")) else text


def _plain(columns: Sequence[str]) -> tuple[str, str]:
    return rf"\begin{{tabular}}{{@{{}}{''.join(columns)}@{{}}}}", r"\end{tabular}"


def _folding(flush: Sequence[str], breadths: Sequence[float]) -> tuple[str, str]:
    """A table that is too wide: its columns of words fold; if there are none, all draw closer."""
    broad = [breadth > WIDER_THAN_FAIR * WIDEST_TABLE / len(breadths) for breadth in breadths]
    if not any(broad):
        begin, end = _plain(flush)
        return r"\setlength{\tabcolsep}{3pt}" + begin, end
    columns = [_FOLDED[letter] if folds else letter for letter, folds in zip(flush, broad, strict=True)]
    return rf"\begin{{tabularx}}{{\linewidth}}{{@{{}}{''.join(columns)}@{{}}}}", r"\end{tabularx}"


def _shares(breadths: Sequence[float]) -> str:
    """Columns that together are as wide as the text: a narrow one as wide as it needs, the others share what is left."""
    narrow = {at: (breadth + 2) / WIDEST_TABLE for at, breadth in enumerate(breadths) if breadth <= NARROW}
    left = 1 - 0.03 * (len(breadths) - 1) - sum(narrow.values())
    wide = {at: min(breadth, WIDEST_TABLE / 2) for at, breadth in enumerate(breadths) if at not in narrow}
    shares = {**narrow, **{at: left * breadth / sum(wide.values()) for at, breadth in wide.items()}}
    return "".join(rf">{{\raggedright\arraybackslash}}p{{{shares[at]:.3f}\linewidth}}" for at in range(len(breadths)))


def _long(columns: str, heading: str, body: Sequence[str]) -> str:
    """A table that runs over pages, with its heading on each."""
    lines = (
        r"{\small", rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}", r"\toprule", heading, r"\midrule\endhead", r"\bottomrule\endfoot",
        *body, r"\end{longtable}}",
    )  # fmt: skip
    return "\n".join(lines)


def _breadth(cell: SyntaxTreeNode) -> float:
    """About how wide a cell is, in letters; of a formula, without its markup."""
    return sum(
        MATH_LETTER * len(_MARKUP.sub("", leaf.content)) if leaf.type == "math_inline" else breadth(leaf.content)
        for leaf in cell.walk()
        if leaf.type in ("text", "code_inline", "math_inline")
    )
