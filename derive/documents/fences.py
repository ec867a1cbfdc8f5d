"""Fenced blocks of Markdown: what their first line says, and where they end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.documents.lines import Line, indent
from derive.records import dataclass

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,}|:{3,}(?=\{math\}))[ \t]*([^\n]*)\Z")
_DIRECTIVE = re.compile(r"\{([\w:.-]+)\}[ \t]*([\w+#.-]*)")
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_CODE = frozenset("code code-block code-cell sourcecode literalinclude".split())
_NOTES = frozenset(
    "note warning tip important hint caution danger attention error admonition dropdown seealso remark example margin sidebar aside "
    "theorem proof lemma definition exercise solution proposition corollary observation algorithm card grid grid-item tab-set tab-item "
    "details epigraph topic pull-quote div table".split()
)
_DROPPED = frozenset("toctree image figure bibliography contents raw include iframe".split())


@dataclass(frozen=True, slots=True)
class Fence:
    """The opening line of a fence: its mark, its indentation, and what stands behind the mark."""

    mark: str
    indent: int
    info: str

    def ends_at(self, text: str) -> bool:
        """Whether a line closes the fence."""
        mark = text.strip()
        return len(mark) >= len(self.mark) and not mark.strip(self.mark[0]) and mark[0] == self.mark[0]

    @property
    def directive(self) -> str:
        """The name of a MyST directive, `{note}`, without its domain; "" when it is none."""
        found = _DIRECTIVE.match(self.info)
        return found[1].rpartition(":")[2].lower() if found else ""

    @property
    def is_math(self) -> bool:
        """Whether it holds a displayed formula."""
        return self.directive == "math" or self.info.split(maxsplit=1)[:1] in (["math"], ["latex-math"], ["katex"])

    @property
    def is_note(self) -> bool:
        """Whether it holds Markdown."""
        return self.directive in _NOTES

    @property
    def is_dropped(self) -> bool:
        """Whether there is nothing to read in it."""
        return self.directive in _DROPPED

    def body(self, lines: Sequence[Line]) -> Sequence[Line]:
        """The lines inside, without the options of a directive."""
        start = 0
        if self.directive:
            while start < len(lines) and _OPTION.match(lines[start].text):
                start += 1
        return lines[start:]


def fence_at(text: str) -> Fence | None:
    """The fence that a line opens."""
    found = _FENCE.match(text)
    if not found or (found[1][0] == "`" and "`" in found[2]):
        return None
    return Fence(found[1], indent(text), found[2].strip())


def language_of(info: str) -> str:
    """The language that a fence names: `python`, `{.python}`, `{python}`, `{code-block} python`."""
    found = _DIRECTIVE.match(info)
    if found:
        return found[2].lower() if found[1] in _CODE else found[1].lower()
    word = re.match(r"\{?[ \t]*\.?([^\s{},:=]*)", info)
    return word[1].lower() if word else ""
