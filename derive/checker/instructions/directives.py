"""What a document tells the checker in its comments: `<!-- derive: ignore number: quoted from the paper -->`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import field, replace
from operator import itemgetter
from typing import Literal

from derive.checker.finding import Finding, Ruling
from derive.checker.instructions.settings import SettingsError, known_code, letters_of, near
from derive.checker.placing import finding_at
from derive.documents.document import Block, Comment, Document
from derive.records import dataclass

Verb = Literal["let", "ignore", "ignore-next-line", "off", "on"]
VERBS: tuple[Verb, ...] = ("let", "ignore", "ignore-next-line", "off", "on")

MOST = 1000
"""Instructions of one document that are followed."""

_START = re.compile(r"^[ \t]*derive[ \t]*[:：]", re.MULTILINE)
_COLON = re.compile("[:：]")
_COMMA = re.compile("[,，、]")
_CLOSING = re.compile(r"\s*(?:--!?>|\*/)")
_BLANK_LINES = 100
_BEFORE_ALONE = re.compile(r'[\s">%#*-]*')
_AFTER_ALONE = re.compile(r'\s*(?:\\n)?"?,?\s*')


@dataclass(frozen=True, slots=True)
class Directive:
    """One instruction of a comment; `first` and `last` are the lines that it is about, and `text` how it is written."""

    verb: Verb
    text: str
    line: int
    column: int
    first: int
    last: int
    codes: tuple[str, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()

    def covers(self, finding: Finding) -> bool:
        """Whether the finding stands in the directive's lines."""
        return finding.line <= self.last and finding.end_line >= self.first


@dataclass(frozen=True, slots=True)
class Directives:
    """What a document's comments ask for, and a finding for each that cannot be followed."""

    asked: tuple[Directive, ...] = ()
    malformed: tuple[Finding, ...] = ()
    letters: dict[str, str] = field(default_factory=dict)


def directives_of(document: Document) -> Directives:
    """The directives in the document's comments, in their order."""
    asked: list[Directive] = []
    malformed: list[Finding] = []
    letters: dict[str, str] = {}
    off: Directive | None = None
    instructions = ((comment, text) for comment in document.comments for text in _instructions(comment.text))
    blocks = _Blocks(document)
    for number, (comment, text) in enumerate(instructions):
        try:
            if number == MOST:
                raise SettingsError(f"more than {MOST:,} comments for derive; this one and the rest are not followed")
            directive = _directive(text, comment, blocks)
            _add_letters(letters, directive)
            _check_switch(directive, off)
        except SettingsError as error:
            malformed.append(comment_finding(document, *document.place(comment.offset), "bad-comment", str(error), text))
            if number == MOST:
                break
            continue
        if directive.verb == "off":
            off = directive
        elif off and directive.verb == "on":
            asked.append(replace(off, last=directive.last))
            off = None
        else:
            asked.append(directive)
    if off:
        asked.append(replace(off, last=blocks.last_line))
    return Directives(tuple(asked), tuple(malformed), letters)


def comment_finding(document: Document, line: int, column: int, code: str, message: str, text: str) -> Finding:
    """A finding about a comment itself."""
    end = len(document.line(line)) + 1
    return finding_at((line, column, line, end), Ruling("unchecked", code, message), text)


def _add_letters(letters: dict[str, str], directive: Directive) -> None:
    for letter, meaning in directive.letters:
        if letters.get(letter, meaning) != meaning:
            raise SettingsError(f"'{letter}' is given two meanings: {letters[letter]} and {meaning}")
    letters.update(directive.letters)


def _check_switch(directive: Directive, off: Directive | None) -> None:
    """Checking is switched off where it is on, and on where it is off."""
    if (directive.verb == "off" and off) or (directive.verb == "on" and not off):
        raise SettingsError(f"'{directive.verb}' where checking is {directive.verb} already")


def _instructions(text: str) -> Iterator[str]:
    """The instructions of a comment, each on one line; a line that does not begin with `derive:` goes on the one before."""
    starts = list(_START.finditer(text))
    if not starts or text[: starts[0].start()].strip():
        return
    for match, following in zip(starts, [*starts[1:], None], strict=True):
        yield " ".join(text[match.end() : following.start() if following else len(text)].split())


def _directive(text: str, comment: Comment, blocks: _Blocks) -> Directive:
    verb, _, rest = text.partition(" ")
    verb = verb.rstrip(":：")
    known = next((each for each in VERBS if each == verb), None)
    if known is None:
        raise SettingsError(f"unknown instruction '{verb}'{near(verb, VERBS)}; known: {', '.join(VERBS)}")
    line, column = blocks.document.place(comment.offset)
    first, last = blocks.lines_of(known, comment)
    codes = _codes(known, rest) if known.startswith("ignore") else ()
    letters = tuple(letters_of(rest).items()) if known == "let" else ()
    return Directive(known, text, line, column, first, last, codes, letters)


def _codes(verb: str, rest: str) -> tuple[str, ...]:
    names, *reason = _COLON.split(rest, maxsplit=1)
    codes = tuple(dict.fromkeys(name.strip() for name in _COMMA.split(names) if name.strip()))
    if not codes:
        raise SettingsError(f"'{verb}' names no code; write 'derive: {verb} CODE: reason'")
    codes = tuple(map(known_code, codes))
    if not reason or not reason[0].strip():
        raise SettingsError(f"'{verb}' gives no reason; write 'derive: {verb} {', '.join(codes)}: reason'")
    return codes


class _Blocks:
    """Where the blocks of a document stand, to find what a comment is about."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.last_line = document.place(len(document.source))[0]
        self._extents = sorted(extent for block in document.blocks if (extent := _extent(block)))

    def lines_of(self, verb: Verb, comment: Comment) -> tuple[int, int]:
        """The first and the last line that a directive is about; of `let`, `off` and `on`, where it stands."""
        document, end = self.document, _end(comment, self.document)
        line, column = document.place(comment.offset)
        last, behind = document.place(end)
        if verb in ("let", "off", "on"):
            return line, line
        if verb == "ignore-next-line":
            return self._line_after(last)
        before = document.line(line)[: column - 1].removesuffix("<!--").removesuffix("..")
        if not _BEFORE_ALONE.fullmatch(before) or not _AFTER_ALONE.fullmatch(document.line(last)[behind - 1 :]):
            return line, last
        at = bisect_right(self._extents, comment.offset, key=itemgetter(0))
        if at and comment.offset < self._extents[at - 1][1]:
            return self._line_after(last)
        at = bisect_left(self._extents, end, key=itemgetter(0))
        if at == len(self._extents):
            return self._line_after(last)
        start, stop = self._extents[at]
        return document.place(start)[0], document.place(max(start, stop - 1))[0]

    def _line_after(self, number: int) -> tuple[int, int]:
        """The line after one, as first and last; the first that is not empty."""
        for following in range(number + 1, min(number + _BLANK_LINES, self.last_line) + 1):
            if self.document.line(following).strip():
                return following, following
        return number + 1, number + 1


def _end(comment: Comment, document: Document) -> int:
    """Where the comment ends in the source, its closing mark included."""
    at = document.source.find(comment.text, comment.offset, comment.offset + len(comment.text) + 80)
    if at >= 0:
        closing = _CLOSING.match(document.source, at + len(comment.text))
        return closing.end() if closing else at + len(comment.text)
    end = comment.offset  # its lines were joined or indented otherwise: the end of its last line
    for _ in range(comment.text.count("\n") + 1):
        end = document.source.find("\n", end + 1)
        if end < 0:
            return len(document.source)
    return end


def _extent(block: Block) -> tuple[int, int] | None:
    """From where to where a block stands in the source."""
    pieces = [*block.pieces, *(piece for row in block.rows for cell in row for piece in cell)]
    ends = [(piece.offsets[0], piece.offsets[-1]) for piece in pieces if len(piece.offsets)]
    return (min(start for start, _ in ends), max(stop for _, stop in ends)) if ends else None
