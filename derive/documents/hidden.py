"""What a reader of Markdown never sees: front matter, comments, shortcodes, scripts; found once, before the blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.documents.document import Comment
from derive.documents.placed import masked

_FRONT = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n")
_START = re.compile(
    r"(?=^|[`<{\\])"  # what all below begin with, looked for at once
    r"(?:(?P<fence>^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){0,3}(?:`{3,}(?=[^`\n]*$)|~{3,}))"
    r"|(?P<escape>\\[`<{])|(?P<ticks>`+)|(?P<comment><!--)"
    r"|(?P<raw><(?P<name>script|style)\b)|(?P<hugo>\{\{[<%]-?(?!\s*/?\s*(?:katex|latex)\b))|(?P<liquid>\{%-?[ \t]*\w))",
    re.MULTILINE | re.IGNORECASE,
)
_START_BUT_COMMENTS = re.compile(_START.pattern.replace("<!--", "(?!)"), _START.flags)
"""For a source in which no comment ends any more."""
_COMMENT_END = "-->"
_FENCE = re.compile(r"`{3,}|~{3,}")
_MOST_CODE = 5000


def hide(source: str) -> tuple[str, tuple[Comment, ...]]:
    """The source, as long as before, with what nobody sees masked; and its comments."""
    finder = _Hidden(source)
    spans = list(finder.spans())
    return (masked(source, spans) if spans else source), tuple(finder.comments)


class _Hidden:
    """One pass over the source; an end that was not found once is not looked for again."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.comments: list[Comment] = []
        self._missing: set[str] = set()

    def spans(self) -> Iterator[tuple[int, int]]:
        """The spans to mask, in order."""
        at = _front_matter(self.source)
        if at:
            yield 0, at
        while match := self._starts.search(self.source, at):
            span = self._span(match)
            if match.lastgroup in ("fence", "ticks", "escape") or span is None:
                at = span[1] if span else match.end()
                continue
            yield span
            at = span[1]

    @property
    def _starts(self) -> re.Pattern[str]:
        return _START_BUT_COMMENTS if _COMMENT_END in self._missing else _START

    def _span(self, match: re.Match[str]) -> tuple[int, int] | None:
        """Where what begins here ends; for code, what to pass over."""
        start, end = match.start(), match.end()
        if match["fence"]:
            return start, _fence_end(self.source, match)
        if match["ticks"]:
            return self._ticks(match)
        if match["comment"]:
            return self._comment(start)
        if match["raw"]:
            close = self._close(f"</{match['name']}", end)
            behind = self.source.find(">", close) if close >= 0 else -1
            return (start, behind + 1) if behind >= 0 else None
        if match["hugo"]:
            close = self._close(("%" if "%" in match["hugo"] else ">") + "}}", end)
            return (start, close + 3) if 0 <= close < end + 1000 else None
        if match["liquid"]:
            close = self._close("%}", end)
            return (start, close + 2) if 0 <= close < end + 1000 and "\n" not in self.source[start:close] else None
        return None

    def _ticks(self, match: re.Match[str]) -> tuple[int, int] | None:
        """Code in the text: up to as many ticks, within its paragraph."""
        start, end, size = match.start(), match.end(), len(match["ticks"])
        close = re.compile(rf"(?<!`)`{{{size}}}(?!`)|\n[ \t]*\n").search(self.source, end, end + _MOST_CODE)
        return (start, close.end()) if close and close[0][0] == "`" else None

    def _comment(self, start: int) -> tuple[int, int] | None:
        close = self._close(_COMMENT_END, start + 2)
        if close < 0:
            return None
        self.comments.append(Comment(self.source[start + 4 : close].strip(), start))
        return start, close + 3

    def _close(self, mark: str, start: int) -> int:
        if mark in self._missing:
            return -1
        found = self.source.find(mark, start)
        if found < 0:
            self._missing.add(mark)
        return found


def _front_matter(source: str) -> int:
    """Where the front matter ends: YAML between `---`, TOML between `+++`; 0 when there is none."""
    opening = _FRONT.match(source)
    if not opening:
        return 0
    mark = r"(?:---|\.\.\.)" if opening[1] == "---" else r"\+\+\+"
    close = re.compile(rf"^{mark}[ \t]*\r?$", re.MULTILINE).search(source, opening.end())
    return close.end() if close else 0


def _fence_end(source: str, match: re.Match[str]) -> int:
    """Where the fence that begins here ends; the end of the source when it is never closed."""
    opening = _FENCE.search(match[0])
    if opening is None:
        return match.end()
    mark = opening[0]
    line = source.find("\n", match.end())
    close = re.compile(rf"^[ \t>]*{mark[0]}{{{len(mark)},}}[ \t]*\r?$", re.MULTILINE).search(source, line) if line >= 0 else None
    return close.end() if close else len(source)
