"""The commands of LaTeX text: which show a glyph, which begin a heading, which say nothing to a reader and with how many arguments."""

from __future__ import annotations

import re
from collections.abc import Callable

from derive.documents.document import Cell
from derive.documents.placed import Placed

HEADINGS = frozenset("part chapter section subsection subsubsection paragraph subparagraph title caption frametitle".split())

CODE_COMMANDS = frozenset("texttt code path lstinline mintinline".split())

GLYPHS = {
    " ": " ", ",": " ", ";": " ", ":": " ", "\n": " ", "quad": " ", "qquad": " ", "enspace": " ", "\\": "\n", "newline": "\n",
    "ldots": "…", "dots": "…", "textellipsis": "…", "textasciitilde": "~", "textbackslash": "\\", "textunderscore": "_",
    "textless": "<", "textgreater": ">", "texttimes": "×", "textasciicircum": "^", "textbar": "|", "LaTeX": "LaTeX", "TeX": "TeX",
    "textdegree": "°", "S": "§", "textendash": "–", "textemdash": "—", "slash": "/", "textpm": "±", "textapprox": "≈", "textmu": "µ",
    "textasteriskcentered": "*", "textbullet": "•", "space": " ", "pounds": "£", "footnote": " ", "thanks": " ", "textdollar": "$",
    "percent": "%",
}  # fmt: skip

DROPPED = {
    **dict.fromkeys(
        "cite citep citet citealp citealt citeauthor citeyear parencite textcite footcite autocite nocite label ref eqref autoref cref "
        "Cref pageref nameref url includegraphics bibliography bibliographystyle usepackage documentclass vspace hspace color textcolor "
        "href pagestyle thispagestyle hypersetup newcounter pagenumbering graphicspath cmidrule phantom vphantom hphantom cline hyperref "
        "addbibresource stepcounter pgfplotsset tikzset lstset newtheoremstyle captionsetup usetikzlibrary colorbox".split(),
        1,
    ),
    **dict.fromkeys(
        "setlength addtolength setcounter addtocounter multicolumn multirow newtheorem rule resizebox fontsize raisebox "
        "DeclareUnicodeCharacter addcontentsline newfontfamily".split(),
        2,
    ),
    **dict.fromkeys("newenvironment renewenvironment definecolor".split(), 3),
    **dict.fromkeys("begingroup endgroup hline toprule midrule bottomrule centering maketitle noindent".split(), 0),
}
"""How many of their arguments go with them; `\\textcolor{red}{x}` keeps the second."""

TABLES = {"tabular": 1, "tabularx": 2, "tabulary": 2, "longtable": 1, "array": 1, "tabularray": 1, "tblr": 1, "supertabular": 1}
"""Environments that are tables in the text, and how many arguments come before their first row."""

WITH_ARGUMENT = frozenset("minipage multicols wrapfigure subfigure adjustbox adjustwidth thebibliography spacing column".split())
"""Environments whose first argument is no text."""

_OPTIONS = re.compile(r"(?:[ \t]*\[[^\]\n]{0,300}\]|\([lr]{1,2}\))*")
_CELL = re.compile(r"\\(begin|end)[ \t]*\{|\\\\\*?(?:[ \t]*\[[^\]\n]{0,40}\])?|\\tabularnewline(?![A-Za-z])|\\[\s\S]|[{}&]")
_BRACE = re.compile(r"\\[\s\S]|[{}]")


def options_end(text: str, at: int) -> int:
    """The place behind the arguments in square brackets that stand here."""
    found = _OPTIONS.match(text, at)
    return found.end() if found else at


def braces(text: str) -> dict[int, int]:
    """The place of each closing brace by that of its opening one; one pass."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            found[opened.pop()] = match.start()
    return found


def table_rows(inside: Placed, cell: Callable[[Placed], Cell]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a table from behind its arguments; what stands in braces or inner environments does not separate."""
    rows: list[tuple[Cell, ...]] = []
    cells: list[Placed] = []
    start = depth = 0
    for match in _CELL.finditer(inside.text):
        text = match[0]
        if match[1] or text in "{}":
            depth += 1 if text == "{" else -1 if text == "}" else 2 if match[1] == "begin" else 0
            depth -= 2 if match[1] == "end" else 0
            depth += 1 if match[1] else 0  # its own brace, which the match has taken
        elif depth <= 0 and (text == "&" or text.startswith(("\\\\", "\\tabularnewline"))):
            cells.append(inside.part(start, match.start()))
            start = match.end()
            if text != "&":
                rows.append(tuple(cell(found) for found in cells))
                cells = []
    cells.append(inside.part(start))
    rows.append(tuple(cell(found) for found in cells))
    return tuple(row for row in rows if any(row))
