"""The text of a Markdown paragraph, cell or heading: words, formulas and code, each where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from derive.documents.assembly import Assembly
from derive.documents.delimiters import Delimiters, Found
from derive.documents.document import BlockKind
from derive.documents.emphasis import marks
from derive.documents.environments import displayed, of_environment
from derive.documents.placed import MASK, Placed, instead, join, visible
from derive.records import dataclass

MOST = 200_000
"""A paragraph of more characters is taken as words: nobody wrote it."""

SegmentKind = Literal["words", "math", "display", "code", "gone", "link", "break", "item", "heading"]

_SPECIAL = re.compile(r"[\\`$<&{\[\]\x00]")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_TICKS = re.compile("`+")
_TARGET = re.compile(r"\]\(\s{0,50}(?:<[^<>\n]{0,2000}>|(?:[^()\s\\]|\\.|\((?:[^()\s\\]|\\.){0,500}\)){0,2000})"
                     r"(?:\s{1,50}(?:\"[^\"]{0,1000}\"|'[^']{0,1000}'|\([^()]{0,1000}\)))?\s{0,50}\)")  # fmt: skip
_REFERENCE = re.compile(r"\]\[([^\[\]]{0,500})\]")
_NOTE = re.compile(r"\[\^[^\]\s]{1,200}\]|\[-?@[^\[\]\n]{1,500}\]")
_ATTRIBUTES = re.compile(r"\{(?::\s|[:#.][A-Za-z])[^{}\n]{0,500}\}")
_ROLE = re.compile(r"\{([A-Za-z][\w:.-]{0,50})\}(?=`)")
_KATEX = re.compile(r"\{\{<\s*(?:katex|latex)\b([^<>\n]{0,200})>\}\}")
_KATEX_END = "{{< /"
_OPENS_LINES = re.compile(r"(?:\$\$|\\{1,2}\[)[ \t]*\n")
_AFTER_DISPLAY = re.compile(r"[ \t.,;:!。，；：、\x00]*(?:\{[#.:][^{}\n]*\}|\([\w:.-]{1,80}\))?[ \t.,;\x00]*(?=\n|\Z|\$\$|\\\[)")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the text from `start` to `end`, what it is, and the text that it shows."""

    kind: SegmentKind
    start: int
    end: int
    shown: Placed | None = None


def read_inline(text: Placed, into: Assembly, links: frozenset[str] = frozenset()) -> None:
    """Puts words, formulas and code of the text into the assembly; `links` are the labels that the document defines."""
    if len(text.text) > MOST:
        into.words(text)
        return
    segments = list(_Scanner(text, links).segments())
    gone = _left_out(text.text, segments)
    line_free = 0
    for segment in segments:
        while gone and gone[-1][1] <= segment.start:
            gone.pop()
        if gone and gone[-1][0] <= segment.start and segment.end <= gone[-1][1]:
            continue
        if segment.kind == "display":
            alone = _stands_alone(text.text, segment, line_free)
            (into.display if alone else into.math)(_shown(segment))
            line_free = segment.end if alone else line_free
        elif segment.kind in ("words", "link"):
            _words(text, segment, gone, into)
        elif segment.kind == "math":
            into.math(_shown(segment))
        elif segment.kind == "code":
            into.code(_shown(segment))
        elif segment.kind != "gone":
            _break(segment.kind, into)


def _break(kind: SegmentKind, into: Assembly) -> None:
    """Ends the block at a tag such as `<li>`."""
    names: dict[SegmentKind, BlockKind] = {"item": "item", "heading": "heading"}
    into.end(names.get(kind, "text"))


def _shown(segment: Segment) -> Placed:
    assert segment.shown is not None
    return segment.shown


def _words(text: Placed, segment: Segment, gone: list[tuple[int, int]], into: Assembly) -> None:
    """The words of a segment without the marks in it; `gone` is in order, and what is behind is taken off it."""
    if segment.shown is not None:
        into.words(segment.shown)
        return
    at = segment.start
    while gone and gone[-1][0] < segment.end:
        start, end = gone[-1]
        if end > at:
            into.words(text.part(at, start))
            at = end
        if end > segment.end:
            break
        gone.pop()
    if at < segment.end:
        into.words(text.part(at, segment.end))


def _left_out(text: str, segments: list[Segment]) -> list[tuple[int, int]]:
    """The spans that only mark something up, last one first: emphasis, the brackets and targets of links, images."""
    plain = [(segment.start, segment.end) for segment in segments if segment.kind == "words" and segment.shown is None]
    return sorted((*marks(text, plain), *_links(text, segments)), reverse=True)


def _links(text: str, segments: list[Segment]) -> Iterator[tuple[int, int]]:
    """The brackets of links around their text, and all of an image."""
    opened: list[int] = []
    for segment in segments:
        if segment.kind == "link":
            if opened:
                start = opened.pop()
                is_image = start > 0 and text[start - 1] == "!"
                if is_image:
                    yield start - 1, segment.end
                else:
                    yield start, start + 1
                    yield segment.start, segment.end
        elif segment.kind == "words" and segment.shown is None and segment.end - segment.start == 1:
            if text[segment.start] == "[":
                opened.append(segment.start)
            elif text[segment.start] == "]" and opened:
                opened.pop()


def _stands_alone(text: str, segment: Segment, line_free: int) -> bool:
    """Whether displayed mathematics has its lines for itself, but for a full stop or a label."""
    if _OPENS_LINES.match(text, segment.start) and _AFTER_DISPLAY.match(text, segment.end):
        return True
    line = max(text.rfind("\n", line_free, segment.start) + 1, line_free)
    if text[line : segment.start].strip(" \t.,;" + MASK) and not _is_only_tags(text[line : segment.start]):
        return False
    return bool(_AFTER_DISPLAY.match(text, segment.end))


def _is_only_tags(text: str) -> bool:
    return len(text) < 200 and not re.sub(r"</?[A-Za-z][^<>]*>", "", text).strip()


class _Scanner:
    """One pass from left to right; what begins first wins, as in Markdown."""

    def __init__(self, placed: Placed, links: frozenset[str]) -> None:
        self.placed = placed
        self.text = placed.text
        self.links = links
        self.code = dict(_code_spans(self.text))
        self.delimiters = Delimiters(self.text, tuple(self.code.items()))
        self.rules: dict[str, Callable[[int], Segment | None]] = {
            "\\": self._backslash, "`": self._code, "$": self._math, "<": self._tag, "&": self._entity, "{": self._brace,
            "[": self._bracket, "]": self._target, MASK: lambda at: Segment("gone", at, at + 1),
        }  # fmt: skip

    def segments(self) -> Iterator[Segment]:
        """The segments of the text in order, without a gap."""
        done = at = 0
        while special := _SPECIAL.search(self.text, at):
            at = special.start()
            segment = self.rules[special[0]](at)
            if segment is None:
                at += 1
                continue
            if done < segment.start:
                yield Segment("words", done, segment.start)
            yield segment
            done = at = segment.end
        if done < len(self.text):
            yield Segment("words", done, len(self.text))

    def _backslash(self, at: int) -> Segment | None:
        found = self.delimiters.at(at)
        if found:
            return self._formula(found)
        after = self.text[at + 1 : at + 2]
        if after == "\n":
            return Segment("gone", at, at + 1)
        return Segment("words", at, at + 2, self.placed.part(at + 1, at + 2)) if after in _PUNCTUATION and after else None

    def _code(self, at: int) -> Segment:
        end = self.code.get(at)
        if end is None:  # ticks without an end; all of the run, so that none of it begins anything
            run = _TICKS.match(self.text, at)
            return Segment("words", at, run.end() if run else at + 1)
        size = len(self.text[at:end]) - len(self.text[at:end].lstrip("`"))
        inside = self.placed.part(at + size, end - size)
        if inside.text.strip() and inside.text[0] in " \n" and inside.text[-1] in " \n":
            inside = inside.part(1, len(inside.text) - 1)
        return Segment("code", at, end, inside)

    def _math(self, at: int) -> Segment | None:
        found = self.delimiters.at(at)
        if found:
            return self._formula(found)
        return Segment("words", at, at + 2, self.placed.part(at, at + 2)) if self.text.startswith("$$", at) else None

    def _formula(self, found: Found) -> Segment:
        if found.environment:
            shown = in_markdown(of_environment(self.placed, found.environment))
        else:
            inside = in_markdown(visible(self.placed.part(found.inside, found.inside_end)), found.escaped)
            shown = displayed(inside) if found.display else inside
        return Segment("display" if found.display else "math", found.start, found.end, shown)

    def _tag(self, at: int) -> Segment | None:
        from derive.documents.html import AUTOLINK, is_block_tag, tag_at

        link = AUTOLINK.match(self.text, at)
        if link:
            return Segment("gone", at, link.end())
        found = tag_at(self.text, at)
        if not found:
            return None
        name, closing, end = found[2].lower(), bool(found[1]), found.end()
        if name in ("sub", "sup"):
            shown = "}" if closing else "_{" if name == "sub" else "^{"
            return Segment("words", at, end, instead(shown, self.placed.offsets[at], self.placed.offsets[end]))
        if name == "br":
            return Segment("words", at, end, instead("\n", self.placed.offsets[at], self.placed.offsets[end]))
        if name in ("code", "tt", "samp") and not closing:
            close = self.delimiters.close(f"</{name}>", end)
            if close >= 0:
                return Segment("code", at, close + len(name) + 3, _resolved(self.placed.part(end, close)))
        if not is_block_tag(name):
            return Segment("gone", at, end)
        return Segment("item" if name == "li" and not closing else "heading" if name[1:].isdigit() and not closing else "break", at, end)

    def _entity(self, at: int) -> Segment | None:
        from derive.documents.html import ENTITY, entity

        found = ENTITY.match(self.text, at)
        letters = entity(found[0]) if found else ""
        if not found or not letters:
            return None
        return Segment("words", at, found.end(), instead(letters, self.placed.offsets[at], self.placed.offsets[found.end()]))

    def _brace(self, at: int) -> Segment | None:
        katex = _KATEX.match(self.text, at)
        if katex:
            end = self.delimiters.close(_KATEX_END, katex.end())
            behind = self.text.find(">}}", end) if end >= 0 else -1
            if behind >= 0:
                content = in_markdown(self.placed.part(katex.end(), end))
                return Segment("display" if "display" in katex[1] or "\n" in content.text else "math", at, behind + 3, displayed(content))
        role = _ROLE.match(self.text, at)
        if role and role.end() in self.code:
            code = self._code(role.end())
            kind: SegmentKind = "math" if role[1] == "math" else "gone" if role[1] in ("cite", "eq", "numref") else "words"
            return Segment(kind, at, code.end, code.shown)
        attributes = _ATTRIBUTES.match(self.text, at)
        return Segment("gone", at, attributes.end()) if attributes else None

    def _bracket(self, at: int) -> Segment:
        note = _NOTE.match(self.text, at)
        return Segment("gone", at, note.end()) if note else Segment("words", at, at + 1)

    def _target(self, at: int) -> Segment:
        target = _TARGET.match(self.text, at)
        if target:
            return Segment("link", at, target.end())
        reference = _REFERENCE.match(self.text, at)
        if reference and reference[1].lower() in self.links:
            return Segment("link", at, reference.end())
        return Segment("words", at, at + 1)


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where code begins and ends: ticks up to the next run of as many; `$`…`$` is mathematics."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[number][1] - runs[number][0], []).append(number)
    number = 0
    while number < len(runs):
        start, end = runs[number]
        same = later[end - start]
        while same and same[-1] <= number:
            same.pop()
        if same and not _is_escaped(text, start):
            number = same[-1]
            close = runs[number][1]
            if not (end - start == 1 and text.startswith("$", close) and start and text[start - 1] == "$"):
                yield start, close
        number += 1


def _is_escaped(text: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before a place."""
    start = at
    while start and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


_ESCAPED_IN_MATH = re.compile(r"\\\\\\\\|\\[_*]|\\\\(?=[A-Za-z{}|,;!])")


def in_markdown(content: Placed, escaped: bool = False) -> Placed:
    r"""Mathematics as it is once Markdown is done: entities are characters and, after `\\(`, escapes are what they escape."""
    if "&" in content.text:
        content = _resolved(content)
    if not escaped:
        return content
    parts, done = [], 0
    for match in _ESCAPED_IN_MATH.finditer(content.text):
        kept = match.start() + len(match[0]) // 2
        parts += [content.part(done, match.start()), content.part(kept, match.end())]
        done = match.end()
    return join((*parts, content.part(done)))


def _resolved(content: Placed) -> Placed:
    """With entities as characters."""
    if "&" not in content.text:
        return content
    from derive.documents.html import ENTITY, entity

    parts, done = [], 0
    for match in ENTITY.finditer(content.text):
        letters = entity(match[0])
        if letters:
            parts += [content.part(done, match.start()), instead(letters, content.offsets[match.start()], content.offsets[match.end()])]
            done = match.end()
    return join((*parts, content.part(done))) if parts else content
