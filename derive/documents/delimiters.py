r"""Where mathematics stands in words: between dollars, `\(…\)`, `\[…\]`, and in environments."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from derive.documents.environments import Environment, environments, is_mathematics
from derive.records import dataclass

_COMMAND = re.compile(r"\\[A-Za-z]")
_ESCAPED_OR_DOLLAR = re.compile(r"\\[\s\S]|\$")
_PROSE = re.compile(r"\d[\d.,]*\s?(?:[KMBTkmbt]|[a-z]+)?(?:[\s,;:()]+[a-z]{2,}){2}")
"""An amount of money and what is said about it: `5 per token (about 3`."""

_FORMULA = re.compile(r"[\\^_={}+*/<>|≈≤≥×·]|[A-Za-z]\s*\(|\d\s*[A-Za-z]|-\s*\d")
_MOST_UNSURE = 1000


@dataclass(frozen=True, slots=True)
class Found:
    """Mathematics in a text: all of it, what is inside the delimiters, and whether they display it on lines of its own."""

    start: int
    inside: int
    inside_end: int
    end: int
    display: bool = False
    environment: Environment | None = None
    escaped: bool = False


class Delimiters:
    """Finds the mathematics of one text from left to right; each closing mark is looked for once, so it takes linear time.

    `code` are the spans of code, whose dollars do not count. With `strict`, single dollars follow the rules of GitHub and
    pandoc that tell them from money; a LaTeX source has none.
    """

    def __init__(self, text: str, code: tuple[tuple[int, int], ...] = (), strict: bool = True) -> None:
        self.text = text
        self.strict = strict
        self.code = code
        self._next: dict[str, int] = {}

    @cached_property
    def _dollars(self) -> list[int]:
        """The places of the dollars that are neither escaped nor code."""
        starts = [start for start, _ in self.code]

        def in_code(at: int) -> bool:
            before = bisect_left(starts, at + 1) - 1
            return before >= 0 and at < self.code[before][1]

        found = (match.start() for match in _ESCAPED_OR_DOLLAR.finditer(self.text) if match[0] == "$")
        return [at for at in found if not self.code or not in_code(at)]

    @cached_property
    def _environments(self) -> dict[int, Environment]:
        return environments(self.text)

    def close(self, mark: str, start: int) -> int:
        """Where a closing mark stands next, or -1; the answer for one place serves for the places before it."""
        known = self._next.get(mark)
        if known is not None and (known == -1 or known >= start):
            return known
        self._next[mark] = found = self.text.find(mark, start)
        return found

    def at(self, start: int) -> Found | None:
        """The mathematics that begins at this dollar or backslash."""
        return self._dollar(start) if self.text[start] == "$" else self._backslash(start)

    def _dollar(self, start: int) -> Found | None:
        text = self.text
        if text.startswith("$`", start):
            end = self.close("`$", start + 2)
            return Found(start, start + 2, end, end + 2) if end > start + 2 else None
        if text.startswith("$$", start):
            end = self._double(start + 2)
            return Found(start, start + 2, end, end + 2, display=True) if end > start + 2 else None
        place = bisect_left(self._dollars, start + 1)
        if place >= len(self._dollars):
            return None
        end = self._dollars[place]
        return Found(start, start + 1, end, end + 1) if self._encloses(start, end) else None

    def _double(self, start: int) -> int:
        """Where the next two dollars in a row stand."""
        end = self.close("$$", start)
        while end > 0 and self.text[end - 1] == "\\" and self.text[end - 2] != "\\":
            end = self.close("$$", end + 1)
        return end if end < 0 or self.text[start:end].strip() else -1

    def _encloses(self, start: int, end: int) -> bool:
        """Whether the dollars at two places enclose mathematics rather than name prices."""
        content = self.text[start + 1 : end]
        if not content.strip():
            return False
        if not self.strict:
            return "\n\n" not in content
        if self.text[end + 1 : end + 2].isdigit() or _PROSE.match(content):
            return False
        if content[0].isspace() or content[-1].isspace():
            spaced = content[0] == content[-1] == " " and "\n" not in content
            if not content[0].isspace() and content[-1] == " " and "\n" not in content:  # "$2 \cdot 3 = 6 $"
                return bool(_COMMAND.search(content)) and not self.text[end + 1 : end + 2].isalnum()
            return spaced and bool(re.search(r"[\\^_=]", content) or re.fullmatch(r" \w{1,2} ", content))
        return True

    def _backslash(self, start: int) -> Found | None:
        text = self.text
        for opening, closing in ((r"\\(", r"\\)"), (r"\\[", r"\\]"), (r"\(", r"\)"), (r"\[", r"\]")):
            if text.startswith(opening, start):
                return self._bracketed(start, opening, closing)
        found = self._environments.get(start) if text.startswith(r"\begin", start) else None
        if found is None or not is_mathematics(found.name):
            return None
        return Found(start, found.inside, found.inside_end, found.end, display=True, environment=found)

    def _bracketed(self, start: int, opening: str, closing: str) -> Found | None:
        inside = start + len(opening)
        end = self.close(closing, inside)
        if len(opening) == 2:
            while end > 0 and self.text[end - 1] == "\\":  # the second backslash of a row's end: `\\[2pt]`, `\\)`
                end = self.close(closing, end + 1)
        if (
            end <= inside
            or 0 <= self.close("\n\n", inside) < end
            or (self.strict and len(opening) == 2 and not self._is_formula(inside, end))
        ):
            return None
        return Found(start, inside, end, end + len(closing), display="[" in opening, escaped=len(opening) == 3)

    def _is_formula(self, start: int, end: int) -> bool:
        r"""Whether `\(…\)` holds mathematics: `\[1\]` and `\(see below\)` are brackets that Markdown wants escaped."""
        if end - start > _MOST_UNSURE:
            return "\\" in self.text[start : start + _MOST_UNSURE]
        content = self.text[start:end].strip()
        return bool(_FORMULA.search(content)) or bool(re.fullmatch(r"[A-Za-zΑ-ω]{1,2}'?", content))
