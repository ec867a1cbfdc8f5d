"""A document → its equations in reading order: statements with the words around them and their places."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from derive.checker.results import results
from derive.checker.runs import runs
from derive.documents.document import Block, Document, Piece
from derive.formula.read import read_all
from derive.formula.statement import Statement, Unread
from derive.formula.units import SINGLE, UNITS, scale
from derive.records import dataclass

Kind = Literal["math", "words", "code", "cell"]

_PLAIN_LANGUAGES = frozenset(("", "text", "txt", "plain", "plaintext", "none", "console", "ascii", "markdown", "md"))
_MATH_LANGUAGES = frozenset(("math", "latex", "tex", "katex"))
_COMMENTED = frozenset(("python", "py", "python3", "julia", "yaml", "yml", "bash", "sh", "toml", "ipython", "ipython3", "r"))
_SLASHED = frozenset(("c", "cpp", "c++", "cuda", "js", "javascript", "ts", "typescript", "rust", "go", "java"))
_RELATION = re.compile(
    r"[=≈≃≅≒∼≤≥≠∝＝<>]|\\(?:approx|sim|simeq|cong|equiv|le|leq|ge|geq|ne|neq|propto|triangleq|coloneqq|ll|gg)(?![A-Za-z])|~="
)
_IN_WORDS = re.compile(_RELATION.pattern + r"|~(?=\s?\d)|约等于|约为|等于")
_OPEN, _CLOSE, _OPAQUE = "\x02", "\x03", "\x04"


@dataclass(frozen=True, slots=True)
class Equation:
    """A statement, read or not, with what stands around it.

    `offsets` are the places in the document of the characters of the text that was read. `label` are the words before it in its
    sentence, `around` its whole block, and `block` the number of the block; `after` are the words behind a bare expression.
    """

    statement: Statement | Unread
    offsets: Sequence[int]
    kind: Kind
    label: str
    around: str
    block: int
    after: str = ""


def equations(document: Document) -> Iterator[Equation]:
    """Every statement of the document with at least one relation, and every bare expression in mathematics."""
    before: Equation | None = None
    for number, block in enumerate(document.blocks):
        if block.kind == "display":
            for piece in block.pieces:
                for equation in _mathematics(piece, _words_before(document, number), "", number):
                    yield (equation := _after(before, equation))
                    before = equation
        elif block.kind == "code":
            yield from _code(block, number)
        elif block.kind == "table":
            for row in block.rows:
                for cell in row:
                    yield from (each for each in _text(cell, number, "cell") if each.statement.has_relation)
        else:
            yield from _text(block.pieces, number, "words")


def _after(before: Equation | None, equation: Equation) -> Equation:
    """A display that begins with a relation goes on with the display before it: its last side is the first here."""
    statement = equation.statement
    if before is None or isinstance(statement, Unread) or isinstance(before.statement, Unread) or not statement.leading:
        return equation
    if equation.block - before.block > 2:
        return equation
    shift = len(before.offsets)
    sides = tuple(replace(side, start=side.start + shift, end=side.end + shift) for side in statement.sides)
    whole = replace(
        statement,
        sides=(before.statement.sides[-1], *sides),
        relations=(statement.leading, *statement.relations),
        units=statement.units | before.statement.units,
        leading="",
        alternatives=(),
    )
    return replace(equation, statement=whole, offsets=[*before.offsets, *equation.offsets])


def _words_before(document: Document, number: int) -> str:
    """The end of the paragraph before a display, which often says what is displayed."""
    for block in reversed(document.blocks[max(0, number - 2) : number]):
        if block.kind in ("text", "item", "heading"):
            return "".join(piece.text for piece in block.pieces)[-200:]
    return ""


def _mathematics(piece: Piece, label: str, around: str, number: int) -> Iterator[Equation]:
    """The statements of one piece of mathematics; `+ 38.6M = 123.6M` goes on with what stands before it."""
    if piece.text.lstrip()[:1] == "+":
        return
    for statement in read_all(piece.text):
        if isinstance(statement, Unread) and not _RELATION.search(statement.text):
            continue
        yield Equation(statement, piece.offsets, "math", label, around, number)


def _code(block: Block, number: int) -> Iterator[Equation]:
    """Lines of a block without a language, and the comments of a program."""
    language = block.language.lower().split(" ")[0]
    mark = "//" if language in _SLASHED else "#"
    for piece in block.pieces:
        if language in _MATH_LANGUAGES:
            yield from _mathematics(piece, "", "", number)
        elif language in _PLAIN_LANGUAGES and not _is_program(piece.text):
            yield from _running(_continued(piece.text, code=True), piece.offsets, number, "code")
        elif language in _COMMENTED or language in _SLASHED or language in _PLAIN_LANGUAGES:
            yield from _running(_comments(piece.text, mark), piece.offsets, number, "code")
        if language not in _MATH_LANGUAGES:
            yield from (Equation(statement, places, "code", "", "", number) for statement, places in results(piece, mark))


_PROGRAM = re.compile(
    r"^\s*(?:import |from \w+ import|def |class |return\b|for \w+ in|if .*:$|print\(|assert |@|\$ |>>> |pip |git |sudo |docker )", re.M
)


def _is_program(text: str) -> bool:
    """Whether a block without a language is a program all the same."""
    return _PROGRAM.search(text) is not None


def _comments(text: str, mark: str) -> str:
    """Only the comments of a program; everything else is blank, so that places stay."""
    lines = []
    for line in text.split("\n"):
        at = line.find(mark)
        lines.append(" " * len(line) if at < 0 else " " * (at + len(mark)) + line[at + len(mark) :])
    return "\n".join(lines)


def _text(pieces: Sequence[Piece], number: int, kind: Kind) -> Iterator[Equation]:
    """The statements of a paragraph: in its mathematics, in its code, and in its words."""
    whole, offsets = _woven(pieces)
    around = _readable(whole)
    own = list(_pieces_with_relations(pieces, number, around))
    bare = [*_bare(pieces, number, around), *_claimed(whole, offsets, number, around)]
    running = list(_running(_continued(whole, code=False), offsets, number, kind))
    taken = [
        (each.offsets[each.statement.start], each.offsets[each.statement.end]) for each in running if isinstance(each.statement, Statement)
    ]
    bare = [each for each in bare if not any(start <= each.offsets[0] < end for start, end in taken)]
    own = [each for each in own if not any(start <= each.offsets[each.statement.start] < end for start, end in taken)]
    found = [*own, *bare, *running]
    may_go_on = any(sign in whole for sign in "(（,，、;；")
    also = [more for each in found if (more := _said_again(each, whole, offsets)) is not None] if may_go_on else []
    yield from sorted((*found, *also), key=lambda each: each.offsets[each.statement.start])


_LED = re.compile(r"\s*(=|≈|\\approx|\\simeq|\\sim)(?![A-Za-z])\s*")


def _woven(pieces: Sequence[Piece]) -> tuple[str, list[int]]:
    """The pieces as one text; an expression stands between marks, and what has relations of its own is one opaque letter."""
    text: list[str] = []
    offsets: list[int] = []
    for piece in pieces:
        if piece.kind == "words":
            text.append(piece.text)
            offsets.extend(piece.offsets[: len(piece.text)])
            continue
        led = _LED.match(piece.text) if piece.kind == "math" else None
        if led is not None and not _RELATION.search(piece.text[led.end() :]):  # "$1.31\cdot 12$ bytes $= 17.5$ GB"
            inner = piece.text[led.end() :]
            sign = "≈" if led.group(1) in ("≈", r"\approx", r"\sim", r"\simeq") else "="
            text.append(f"{sign}{_OPEN}{inner}{_CLOSE}")
            offsets.extend([piece.offsets[0], piece.offsets[led.end()], *piece.offsets[led.end() : len(piece.text)], piece.offsets[-1]])
            continue
        expression = piece.text and not _RELATION.search(piece.text) and len(piece.text) < 200 and "\x02" not in piece.text
        inner = piece.text if expression else _OPAQUE
        places = list(piece.offsets[: len(inner)]) or [piece.offsets[0]]
        text.append(f"{_OPEN}{inner}{_CLOSE}")
        offsets.extend([piece.offsets[0], *places[: len(inner)], piece.offsets[-1]])
    offsets.append(pieces[-1].offsets[-1] if pieces else 0)
    return "".join(text), offsets


_AGAIN = r"""
    \x03?\s* (?:[A-Za-z]{1,12}|[\u4e00-\u9fff]{1,3})?\s*                       # the unit of the number that is said again
    (?:[(（]|[,，、;；](?=\s*(?:[\u4e00-\u9fff]|i\.e)))\s*
    (?:(?:或|即|也就是|大约是|大约为|大约|约为|约等于|约是|大概|约
        |i\.e\.,?|about|approximately|roughly|approx\.?|around|≈|~|\\approx)\s*){1,2}
    (?<=[^A-Za-z])\x02?
    (?P<number>\d[\d,.]*\d?
        (?:\s?(?:[KMGTPB]i?B?(?![A-Za-z])|万亿|千亿|百亿|十亿|亿|千万|百万|万|[bmtr]+illion)(?:\s?(?:bytes|字节))?)?%?)
    (?![\d万亿]|[.,]\d)
    (?!\x03?[ \t]?(?:[A-Za-z]{1,12}\b(?<!params)(?<!parameters)(?<!weights)(?<!bytes)(?<!FLOPs)|天|年|小时|倍|个月|秒|分))
"""


@cache
def _again() -> re.Pattern[str]:
    """Its Chinese letters take milliseconds to compile, which most documents need not wait for."""
    return re.compile(_AGAIN, re.VERBOSE)


def _said_again(equation: Equation, whole: str, offsets: Sequence[int]) -> Equation | None:
    """`= 6,442,450,944 (约 64.4 亿)`, `= 38,597,376, about 38.6M`: the last side said again in other digits."""
    statement = equation.statement
    if isinstance(statement, Unread) or not set(statement.sides[-1].formula.names) <= statement.sides[-1].units:
        return None
    end = equation.offsets[min(statement.end, len(equation.offsets) - 1)]
    match = _again().match(whole, bisect_left(offsets, end))
    if match is None:
        return None
    number = read_all(match.group("number"), plain=True)
    if len(number) != 1 or isinstance(number[0], Unread) or number[0].sides[0].claim is None:
        return None
    shift = len(equation.offsets)
    side = replace(number[0].sides[0], start=shift, end=shift + len(match.group("number")))
    again = Statement(match.group("number"), (statement.sides[-1], side), ("≈",), statement.units | side.units)
    places = [*equation.offsets, *offsets[match.start("number") : match.end("number") + 1]]
    return replace(equation, statement=again, offsets=places)


def _readable(woven: str) -> str:
    return woven.replace(_OPEN, "").replace(_CLOSE, "").replace(_OPAQUE, " ")


def _pieces_with_relations(pieces: Sequence[Piece], number: int, around: str) -> Iterator[Equation]:
    """The statements of the mathematics and of the code spans in a paragraph."""
    before = ""
    for at, piece in enumerate(pieces):
        if piece.kind == "words":
            before = _sentence_end(before + piece.text)
            continue
        if (_RELATION if piece.kind == "math" else _IN_WORDS).search(piece.text):
            if piece.kind == "math" or _is_latex(piece.text):
                yield from _mathematics(_with_unit(piece, pieces[at + 1 : at + 2]), before, around, number)
            else:
                for each in _running(piece.text, piece.offsets, number, "code"):
                    yield Equation(each.statement, each.offsets, "code", f"{before} {each.label}".strip(), around, number)
        before += f" {piece.text} " if len(piece.text) < 40 else " "


_UNIT_BEHIND = re.compile(r"\s?([A-Za-zµ]{1,12}(?:/[A-Za-z]+)?|[万亿千百十]{1,2}|[%‰](?!\w))")


def _with_unit(piece: Piece, following: Sequence[Piece]) -> Piece:
    """`$… = 75$ MB`: the unit that stands behind the mathematics belongs to its number."""
    if not following or following[0].kind != "words" or not piece.text.rstrip()[-1:].isdigit():
        return piece
    last = _RELATION.split(piece.text)[-1]
    match = _UNIT_BEHIND.match(following[0].text)
    if re.search(r"[A-Za-z]", re.sub(r"\\(?:times|cdot|frac|left|right|quad|text)(?![a-z])", "", last)):
        return piece  # the unit of a formula with letters
    if match is None or (match.group(1) not in UNITS and scale(match.group(1)) is None):
        return piece
    if match.group(1) in SINGLE and following[0].text[:1] == " ":
        return piece
    added = r"\%" if match.group(1) == "%" else rf"\text{{ {match.group(1)}}}"
    end = following[0].offsets[match.end()]
    return Piece("math", piece.text + added, [*piece.offsets[: len(piece.text)], *([piece.offsets[-1]] * len(added)), end])


def _is_latex(text: str) -> bool:
    """Whether a code span holds LaTeX."""
    return re.search(r"\\[A-Za-z]", text) is not None


def _bare(pieces: Sequence[Piece], number: int, around: str) -> Iterator[Equation]:
    """Expressions without a relation: "the head has $Vd$ parameters"."""
    before = ""
    for at, piece in enumerate(pieces):
        if piece.kind == "words":
            before = _sentence_end(before + piece.text)
            continue
        after = pieces[at + 1].text[:60] if at + 1 < len(pieces) and pieces[at + 1].kind == "words" else ""
        if piece.kind == "math" and not _RELATION.search(piece.text) and len(piece.text) > 1:
            for statement in read_all(piece.text):
                if isinstance(statement, Statement):
                    yield Equation(statement, piece.offsets, "math", before, around, number, after)
        before += f" {piece.text} " if len(piece.text) < 40 else " "


_CLAIM = re.compile(
    r"(?:参数量|参数|显存|大小|计算量|浮点运算|激活值?|次数|FLOPs)[^，。；,;\n\x02]{0,12}?(?:为|是|共|需要)\s*(?:约|大约)?\s*\**\s*"
    r"(?P<formula>[0-9A-Za-z(][0-9A-Za-z()+*^·×∗/ ²³-]{0,200}[0-9A-Za-z)²³])(?=\s*(?:[，。；,;、个字（]|$))",
    re.MULTILINE,
)


def _claimed(text: str, offsets: Sequence[int], number: int, around: str) -> Iterator[Equation]:
    """`MLP块的参数量为 8h^2+5h。`: a formula in plain words, behind what it is said to be."""
    if "为" not in text and "是" not in text and "共" not in text:
        return
    for match in _CLAIM.finditer(text):
        found = read_all(match["formula"], plain=True)
        statement = found[0] if len(found) == 1 else None
        if isinstance(statement, Statement) and not statement.relations and statement.sides[0].formula.names:
            places = offsets[match.start("formula") : match.end("formula") + 1]
            yield Equation(statement, places, "words", _sentence_end(text[: match.start("formula")]), around, number)


def _sentence_end(text: str) -> str:
    """What stands behind the last full stop, or on the last line where that says by itself what a formula is."""
    for mark in (". ", "。", "；", "; ", "\n\n"):
        text = text.rpartition(mark)[2]
    line = text.rpartition("\n")[2][-300:]
    return line if _OWN_SUBJECT.search(line) else text[-300:]


_OWN_SUBJECT = re.compile(r"\S.{3,}(?:[:：]|为|是)\s*$")


def _continued(text: str, *, code: bool) -> str:
    """The text with a space for each line break inside a statement."""
    lines = text.split("\n")
    joined = lines[0]
    for line in lines[1:]:
        start, end = line.lstrip()[:2], joined.rstrip()[-1:]
        before = joined.rpartition("\n")[2]
        goes_on = (start[:1] in ("=", "≈", "×", "·", "≃") and not _lists_sizes(before)) or (
            start in ("+ ", "* ", "- ") and code and "=" in before
        )
        joined += (" " if goes_on or end in ("=", "≈", "×", "·", "+", "*") else "\n") + line
    return joined


_SIZE = re.compile(r"[A-Za-z_]+\s?=\s?[\d.,]+\w*[).]?\s*$")


def _lists_sizes(line: str) -> bool:
    """Whether a line ends with a size among others (`seq_len=8192, batch_size=32`), which the next line does not go on with."""
    return _SIZE.search(line) is not None and ("," in line or ":" in line)


_EQUAL_IN_WORDS = re.compile(
    r"(?P<end>[*×·/^+²³]\s?[\d.,]*\d(?: ?(?!which|comes|works|adds|equals)[A-Za-z]{1,8})?)"
    r"(?P<words>,? (?:which (?:is|equals|makes|gives)|(?:comes|works out|adds up|amounts) to|equals))(?= (?:about |roughly |~ ?)?\d)"
)


def _with_signs(line: str) -> str:
    """`50257 × 768, which is 38,597,376`: what is said in words behind a computation as a sign, in as many characters."""
    if " to " not in line and "which" not in line and "equals" not in line:
        return line
    return _EQUAL_IN_WORDS.sub(lambda found: found["end"] + "=".rjust(len(found["words"])), line[:20_000]) + line[20_000:]


def _running(text: str, offsets: Sequence[int], number: int, kind: Kind) -> Iterator[Equation]:
    """The statements in running text, line by line."""
    start = 0
    for line in text.split("\n"):
        line = _with_signs(line)
        if len(line) <= 20_000 and _IN_WORDS.search(line):
            for run in runs(line):
                written = line[run.start : run.end].replace(_OPEN, "{").replace(_CLOSE, "}")
                if _OPAQUE in written:
                    continue
                places = offsets[start + run.start : start + run.end + 1]
                for statement in read_all(written, plain=True, worded=run.worded):
                    if isinstance(statement, Statement) and statement.relations:
                        yield Equation(statement, places, kind, _readable(run.label), _readable(line), number)
        start += len(line) + 1
