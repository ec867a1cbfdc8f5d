"""LaTeX sources: blocks of words and mathematics, with the macros of the author put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from derive.documents.assembly import Assembly, code_block
from derive.documents.delimiters import Delimiters, Found
from derive.documents.document import Block, Cell, Comment
from derive.documents.environments import DISPLAYED, displayed, environments, of_environment
from derive.documents.latex_commands import (
    CODE_COMMANDS,
    DROPPED,
    GLYPHS,
    HEADINGS,
    TABLES,
    WITH_ARGUMENT,
    braces,
    options_end,
    table_rows,
)  # fmt: skip
from derive.documents.latex_hidden import hide
from derive.documents.macros import Macros
from derive.documents.placed import Placed, instead, visible, whole

Include = Callable[[str], None]
"""Reads the file that `\\input` names, for its macros and as a document of its own."""

DEEPEST = 24

_SPECIAL = re.compile(r"\\[A-Za-z@]+\*?|\\[\s\S]|\$|[{}~]|\n[ \t\r]*\n\s*")
_LONG_LINE = re.compile(r"[^\n]{100000,}")
_BEGIN = re.compile(r"\\begin[ \t]*\{([A-Za-z]+)\*?\}")
_END = re.compile(r"\\end[ \t]*\{[A-Za-z]*\*?\}")
_DOCUMENT = re.compile(r"\\begin[ \t]*\{document\}")
_DOCUMENT_END = re.compile(r"\\end[ \t]*\{document\}")
_INCLUDES = re.compile(r"\\(?:input|include|subfile)[ \t]*(?:\{([^{}\n]{1,500})\}|([\w./-]{1,200}))")
_DEFINES_OR_INCLUDES = re.compile(r"\\(?=(?:(?:re|provide)?newcommand|providecommand|renewcommand|DeclareRobustCommand|DeclareMathOperator|"
                                  r"(?:New|Renew|Provide)DocumentCommand|g?def|edef|let|input|include|subfile)(?![A-Za-z]))")  # fmt: skip
_LISTING = re.compile(r"\\begin[ \t]*\{([A-Za-z]+)\*?\}[ \t]*((?:\[[^\]\n]*\][ \t]*)?(?:\{[^{}\n]*\})?)[^\n]*\n?")
_INLINE_CODE = re.compile(r"\\(?:verb\*?|(?:lstinline|mintinline)(?:\[[^\]\n]*\])?(?:\{\w*\}(?=[^\s]))?)")


def read_latex(source: str, macros: Macros, include: Include | None = None) -> tuple[tuple[Block, ...], tuple[Comment, ...]]:
    """The blocks and the comments of a LaTeX source; `macros` holds what is known before, and takes what is defined here."""
    hidden = hide(source)
    opening = _DOCUMENT.search(hidden.text)
    start = opening.end() if opening else 0
    if opening:
        _preamble(hidden.text[: opening.start()], macros, include)
    closing = _DOCUMENT_END.search(hidden.text, start) if opening else None
    text = whole(hidden.text, start, closing.start() if closing else None)
    verbatim = {at - start: end - start for at, end in hidden.verbatim.items() if at >= start}
    reader = _Latex(macros, include, Assembly(expand=macros.expand))
    done = 0
    for line in _LONG_LINE.finditer(text.text):  # nobody wrote it: words
        reader.read(text.part(done, line.start()), {at - done: end - done for at, end in verbatim.items() if at >= done})
        reader.into.words(text.part(*line.span()))
        done = line.end()
    reader.read(text.part(done), {at - done: end - done for at, end in verbatim.items() if at >= done})
    reader.into.end()
    return tuple(reader.into.blocks), hidden.comments


def _preamble(text: str, macros: Macros, include: Include | None) -> None:
    """Takes the macros of a preamble, and of the files that it reads, in their order."""
    at = 0
    while match := _DEFINES_OR_INCLUDES.search(text, at):
        at = match.end()
        included = _INCLUDES.match(text, match.start())
        if included and include:
            include(included[1] or included[2])
        elif not included:
            at = max(at, macros.define_at(text, match.start()))


class _Latex:
    """Reads texts into an assembly; headings, cells and expanded macros are texts within the text."""

    def __init__(self, macros: Macros, include: Include | None, into: Assembly) -> None:
        self.macros = macros
        self.include = include
        self.into = into

    def read(self, text: Placed, verbatim: Mapping[int, int], depth: int = 0) -> None:
        """Everything in the text, from left to right. `verbatim` has the spans that LaTeX takes as they are."""
        if depth > DEEPEST:
            self.into.words(text)
            return
        passage = _Passage(self, text, verbatim, depth)
        at = 0
        while special := _SPECIAL.search(text.text, at):
            self.into.words(text.part(at, special.start()))
            at = max(passage.after(special), special.end())
        self.into.words(text.part(at))


class _Passage:
    """One text: where its braces and environments close, where mathematics is, and what each command does."""

    def __init__(self, reader: _Latex, text: Placed, verbatim: Mapping[int, int], depth: int) -> None:
        self.reader = reader
        self.into = reader.into
        self.placed = text
        self.text = text.text
        self.verbatim = verbatim
        self.depth = depth
        self.delimiters = Delimiters(self.text, tuple(sorted(verbatim.items())), strict=False)
        self.environments = environments(self.text)
        self.braces = braces(self.text)

    def after(self, special: re.Match[str]) -> int:
        """Reads what begins at a special character and gives the place behind it."""
        start, end, text = special.start(), special.end(), special[0]
        if start in self.verbatim:
            return self.as_it_is(start)
        if text in ("$", r"\(", r"\["):
            return self.formula(self.delimiters.at(start), end)
        if text[0] == "\n":
            self.into.end()
        elif text == "~":
            self.into.words(self.shown(" ", start, end))
        elif text[0] == "\\":
            return self.command(text[1:].rstrip("*") or "*", start, end)
        return end

    def shown(self, text: str, start: int, end: int) -> Placed:
        """Words that stand for a stretch of the text."""
        return instead(text, self.placed.offsets[start], self.placed.offsets[end])

    def formula(self, found: Found | None, end: int) -> int:
        """Mathematics, or a mark that encloses none."""
        if found is None:
            self.into.words(self.placed.part(end - 1, end))
            return end
        inside = visible(self.placed.part(found.inside, found.inside_end))
        if found.display:
            self.into.display(displayed(inside))
        else:
            self.into.math(inside)
        return found.end

    def command(self, name: str, start: int, end: int) -> int:
        """A command of a block or of one glyph; any other goes, and its arguments stay."""
        if name == "begin":
            return self.begin(start, end)
        if name == "end":
            self.into.end()
            closing = _END.match(self.text, start)
            return closing.end() if closing else end
        if name == "item":
            self.into.end("item")
        elif name == "par":
            self.into.end()
        elif name in GLYPHS:
            self.into.words(self.shown(GLYPHS[name], start, end))
            return options_end(self.text, end) if name in ("\\", "newline") else end
        elif not name.isalpha() and "@" not in name:
            if name in "%&_#${}":
                self.into.words(self.placed.part(start + 1, end))
        else:
            return self.named(name, start, end)
        return end

    def named(self, name: str, start: int, end: int) -> int:
        """A command in letters: a heading, code, a definition, a file, a macro, or one that says nothing."""
        if name in HEADINGS:
            return self.heading(end)
        if name in CODE_COMMANDS:
            return self.code(end)
        defined = self.reader.macros.define_at(self.text, start)
        if defined > start:
            return defined
        if name in ("input", "include", "subfile"):
            return self.included(start, end)
        if name in self.reader.macros.known or name in ("num", "SI", "qty"):
            return self.macro(name, start, end)
        if name in DROPPED:
            behind = options_end(self.text, end)
            for _ in range(DROPPED[name]):
                behind = options_end(self.text, self.argument(behind)[1])
            return behind
        if name == "ensuremath":
            inside, behind = self.argument(end)
            self.into.math(visible(inside))
            return behind
        if name in ("textsubscript", "textsuperscript"):
            return self.script("_{" if name == "textsubscript" else "^{", start, end)
        return options_end(self.text, end)

    def argument(self, at: int) -> tuple[Placed, int]:
        """What the braces enclose that stand here, and the place behind them; nothing where there are none."""
        opening = at
        while self.text[opening : opening + 1] in (" ", "\t"):
            opening += 1
        closing = self.braces.get(opening)
        return (self.placed.part(at, at), at) if closing is None else (self.placed.part(opening + 1, closing), closing + 1)

    def within(self, text: Placed, into: Assembly | None = None) -> None:
        """Reads a text within the text."""
        reader = self.reader if into is None else _Latex(self.reader.macros, None, into)
        first = text.offsets[0]
        verbatim = {}
        if self.verbatim and text.text and isinstance(text.offsets, range):
            base = self.placed.offsets[0]
            verbatim = {base + at - first: end - at + base + at - first for at, end in self.verbatim.items() if base + at >= first}
        reader.read(text, verbatim, self.depth + 1)

    def heading(self, end: int) -> int:
        """A heading of its own."""
        inside, behind = self.argument(options_end(self.text, end))
        self.into.end("heading")
        self.within(inside)
        self.into.end()
        return behind

    def code(self, end: int) -> int:
        """Code in the text; formulas in it are formulas."""
        inside, behind = self.argument(end)
        into = Assembly(expand=self.reader.macros.expand)
        self.within(inside, into)
        for piece in into.cell():
            (self.into.math if piece.kind == "math" else self.into.code)(Placed(piece.text, piece.offsets))
        return behind

    def script(self, mark: str, start: int, end: int) -> int:
        """A subscript or superscript in the words."""
        inside, behind = self.argument(end)
        if behind > end:
            self.into.words(self.shown(mark, start, end))
            self.within(inside)
            self.into.words(self.placed.part(behind - 1, behind))
        return behind

    def included(self, start: int, end: int) -> int:
        """Another file, which is read now: what it defines counts from here."""
        found = _INCLUDES.match(self.text, start)
        if found and self.reader.include:
            self.into.end()
            self.reader.include(found[1] or found[2])
        return found.end() if found else end

    def macro(self, name: str, start: int, end: int) -> int:
        """A macro of the author in the words, which is read again with what it stands for."""
        known = self.reader.macros.known.get(name)
        count = known.arguments - (known.default is not None) if known else 1 if name == "num" else 2
        behind = options_end(self.text, end) if known is None or known.default is not None else end
        for _ in range(count):
            behind = self.argument(behind)[1]
        call = self.placed.part(start, behind)
        expanded = self.reader.macros.expand(call)
        if expanded is call:
            self.into.words(call)
        else:
            self.within(Placed(expanded.text, tuple(expanded.offsets)))
        return behind

    def begin(self, start: int, end: int) -> int:
        """An environment: displayed mathematics, a table, or one whose inside is text like any other."""
        opening = _BEGIN.match(self.text, start)
        if not opening:
            return end
        found, name = self.environments.get(start), opening[1]
        if found and name in DISPLAYED:
            self.into.display(visible(of_environment(self.placed, found)))
            return found.end
        if found and name in TABLES:
            return self.table(found.inside, found.inside_end, found.end, TABLES[name] + ("*}" in opening[0]))
        self.into.end()
        if found and name == "thebibliography":
            return found.end
        behind = options_end(self.text, opening.end())
        return self.argument(behind)[1] if name in WITH_ARGUMENT else behind

    def table(self, inside: int, inside_end: int, end: int, arguments: int) -> int:
        """A table; its first row is a header where there are others."""
        for _ in range(arguments):
            inside = options_end(self.text, self.argument(options_end(self.text, inside))[1])
        rows = table_rows(self.placed.part(inside, inside_end), self.cell)
        if rows:
            self.into.block(Block("table", rows=rows, header=len(rows) > 1))
        return end

    def cell(self, text: Placed) -> Cell:
        """A cell of a table."""
        into = Assembly(expand=self.reader.macros.expand)
        self.within(text, into)
        return into.cell()

    def as_it_is(self, start: int) -> int:
        r"""A listing as a block of code, `\verb|…|` as code in the text."""
        end = self.verbatim[start]
        opening = _LISTING.match(self.text, start)
        if opening:
            close = self.text.rfind(r"\end", opening.end(), end)
            inside = self.placed.part(opening.end(), close if close >= 0 else end).strip("\r\n")
            self.into.block(code_block(inside, _language(opening[1], opening[2])))
        else:
            mark = _INLINE_CODE.match(self.text, start)
            self.into.code(self.placed.part(mark.end() + 1 if mark else start, end - 1))
        return end


def _language(name: str, options: str) -> str:
    """The language of a listing: `language=Python`, `{python}`."""
    found = re.search(r"language\s*=\s*\{?(?:\[[^\]]*\])?(\w+)", options) or (
        re.search(r"\{(\w+)\}", options) if name == "minted" else None
    )
    return found[1].lower() if found else ""
