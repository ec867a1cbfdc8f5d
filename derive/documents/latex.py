"""LaTeX sources: blocks of words and mathematics, with the macros of the author put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from derive.documents.assembly import Assembly, code_block
from derive.documents.delimiters import Delimiters, Found
from derive.documents.document import Block, BlockKind, Comment
from derive.documents.environments import CODE, DISPLAYED, displayed, of_environment
from derive.documents.environments import environments as environments_of
from derive.documents.latex_commands import (
    ARGUMENTS, CODE_COMMANDS, DROPPED, GLYPHS, HEADINGS, SKIPS_FIRST, TABLES, argument, optional_end, optional_ends, table_rows,
)  # fmt: skip
from derive.documents.latex_hidden import hide
from derive.documents.macros import Macros
from derive.documents.placed import MASK, Placed, instead, visible, whole

Include = Callable[[str], None]
"""Reads the file that `\\input` names, for its macros and as a document of its own."""

DEEPEST = 24

_SPECIAL = re.compile(r"\\[A-Za-z@]+\*?|\\[\s\S]|\$|[{}~]|\n[ \t\r]*\n\s*")
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
    verbatim = {at - start: end - start for at, end in hidden.verbatim.items()}
    reader = _Latex(source, macros, include, Assembly(expand=macros.expand))
    reader.read(text, verbatim, 0)
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
    """Reads a text from left to right into an assembly; tables, headings and expanded macros are read by readers within."""

    def __init__(self, source: str, macros: Macros, include: Include | None, into: Assembly) -> None:
        self.source = source
        self.macros = macros
        self.include = include
        self.into = into

    def read(self, text: Placed, verbatim: Mapping[int, int], depth: int) -> None:
        """Everything in the text. `verbatim` has the spans that LaTeX takes as they are."""
        if depth > DEEPEST:
            self.into.words(text)
            return
        passage = _Passage(self, text, verbatim, depth)
        at = 0
        while special := _SPECIAL.search(text.text, at):
            self.into.words(text.part(at, special.start()))
            at = passage.after(special)
        self.into.words(text.part(at))


class _Passage:
    """What the reader needs to know of one text: its closed environments, and where mathematics is."""

    def __init__(self, reader: _Latex, text: Placed, verbatim: Mapping[int, int], depth: int) -> None:
        self.reader = reader
        self.into = reader.into
        self.placed = text
        self.text = text.text
        self.verbatim = verbatim
        self.depth = depth
        self.delimiters = Delimiters(self.text, strict=False)
        self.environments = environments_of(self.text)

    def after(self, special: re.Match[str]) -> int:
        """Reads what begins at a special character and gives the place behind it."""
        start, text = special.start(), special[0]
        if start in self.verbatim:
            return self.read_verbatim(start)
        if text == "$" or text in (r"\(", r"\["):
            return self.formula(self.delimiters.at(start), special)
        if text[0] == "\n":
            self.into.end()
        elif text == "~":
            self.into.words(instead(" ", self.placed.offsets[start], self.placed.offsets[start + 1]))
        elif text[0] == "\\":
            return self.command(text[1:].rstrip("*"), special)
        return special.end()

    def formula(self, found: Found | None, special: re.Match[str]) -> int:
        if found is None:
            self.into.words(self.placed.part(special.end() - 1, special.end()))
            return special.end()
        inside = visible(self.placed.part(found.inside, found.inside_end))
        if found.display:
            self.into.display(displayed(inside))
        else:
            self.into.math(inside)
        return found.end

    def command(self, name: str, special: re.Match[str]) -> int:
        """A command: an environment, a heading, an item, a glyph, a macro; any other goes and its argument stays."""
        start, end = special.start(), special.end()
        if name == "begin":
            return self.begin(start, end)
        if name == "end":
            self.into.end()
            return self.behind(_END, start, end)
        if name in HEADINGS:
            return self.heading(end)
        if name == "item":
            self.into.end("item")
            return end
        if name in CODE_COMMANDS:
            return self.code(end)
        if name in GLYPHS:
            self.into.words(instead(GLYPHS[name], self.placed.offsets[start], self.placed.offsets[end]))
            return optional_end(self.text, end) if name in ("\\", "newline") else end
        if len(name) == 1 and not name.isalpha():
            self.into.words(self.placed.part(start + 1, end) if name in "%&_#${}" else instead("", start, end))
            return end
        return self.named(name, start, end)

    def named(self, name: str, start: int, end: int) -> int:
        """A command in letters that is neither a block nor a glyph."""
        defined = self.reader.macros.define_at(self.text, start)
        if defined > start:
            return defined
        if name in ("input", "include", "subfile"):
            included = _INCLUDES.match(self.text, start)
            if included and self.reader.include:
                self.into.end()
                self.reader.include(included[1] or included[2])
            return included.end() if included else end
        if name in self.reader.macros.known or name in ("num", "SI", "qty"):
            return self.macro(start, end)
        if name in DROPPED or name in SKIPS_FIRST:
            behind = optional_ends(self.text, end)
            for _ in range(1 if name in SKIPS_FIRST else DROPPED[name]):
                behind = argument(self.text, behind)
            return behind
        if name == "ensuremath":
            behind = argument(self.text, end)
            self.into.math(visible(self.placed.part(end + 1, behind - 1)))
            return max(behind, end)
        if name in ("textsubscript", "textsuperscript"):
            return self.script("_{" if name == "textsubscript" else "^{", start, end)
        return optional_end(self.text, end) if name in ARGUMENTS or self.text.startswith("[", end) else end

    def script(self, mark: str, start: int, end: int) -> int:
        behind = argument(self.text, end)
        if behind > end:
            self.into.words(instead(mark, self.placed.offsets[start], self.placed.offsets[end]))
            self.reader.read(self.placed.part(end + 1, behind - 1), {}, self.depth + 1)
            self.into.words(self.placed.part(behind - 1, behind))
        return behind

    def macro(self, start: int, end: int) -> int:
        """A macro of the author in the words, read again with what it stands for."""
        behind = optional_ends(self.text, end)
        name = self.text[start + 1 : end]
        known = self.reader.macros.known.get(name)
        count = known.arguments - (known.default is not None) if known else 1 if name == "num" else 2
        for _ in range(count):
            behind = argument(self.text, behind)
        behind = behind if count else end
        call = self.placed.part(start, behind)
        expanded = self.reader.macros.expand(call)
        if expanded is not call and expanded.text != call.text:
            self.reader.read(expanded, {}, self.depth + 1)
        return behind

    def heading(self, end: int) -> int:
        opening = optional_end(self.text, end)
        behind = argument(self.text, opening)
        if behind > opening:
            self.into.end("heading")
            opening = self.text.index("{", opening)
            self.reader.read(self.placed.part(opening + 1, behind - 1), self.shifted(opening + 1), self.depth + 1)
            self.into.end()
        return behind

    def code(self, end: int) -> int:
        behind = argument(self.text, end)
        if behind > end:
            opening = self.text.index("{", end)
            into = Assembly()
            _Latex(self.reader.source, self.reader.macros, None, into).read(self.placed.part(opening + 1, behind - 1), {}, self.depth + 1)
            into.end()
            for piece in (piece for block in into.blocks for piece in block.pieces):
                found = Placed(piece.text, piece.offsets)
                (self.into.math if piece.kind == "math" else self.into.code)(found)
        return behind

    def begin(self, start: int, end: int) -> int:
        """An environment: displayed mathematics, a table, or one whose inside is text like any other."""
        named = _BEGIN.match(self.text, start)
        if not named:
            return end
        found, name = self.environments.get(start), named[1]
        if found and name in DISPLAYED:
            self.into.display(of_environment(self.placed, found))
            return found.end
        if found and name in TABLES:
            self.into.end()
            inside = self.placed.part(found.inside, found.inside_end)
            rows = table_rows(inside, TABLES[name], self.cell)
            if rows:
                self.into.block(Block("table", rows=rows, header=len(rows) > 1))
            return found.end
        self.into.end()
        if found and name in ("thebibliography", "CJK"):
            return found.end if name == "thebibliography" else argument(self.text, argument(self.text, named.end()))
        behind = optional_ends(self.text, named.end())
        return argument(self.text, behind) if name in ("minipage", "multicols", "wrapfigure", "tabbing", "subfigure") else behind

    def cell(self, text: Placed) -> tuple[tuple[object, ...], ...] | object:
        raise NotImplementedError

    def shifted(self, start: int) -> dict[int, int]:
        """The verbatim spans as a text that begins here counts them."""
        return {at - start: end - start for at, end in self.verbatim.items() if at >= start}

    def behind(self, pattern: re.Pattern[str], start: int, otherwise: int) -> int:
        found = pattern.match(self.text, start)
        return found.end() if found else otherwise

    def read_verbatim(self, start: int) -> int:
        """A listing as a block of code, `\\verb|…|` as code in the text."""
        return start
