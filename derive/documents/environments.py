r"""The environments of LaTeX: which are displayed mathematics, which are code, and what of them a formula reader sees."""

from __future__ import annotations

import re

from derive.documents.placed import Placed, instead, join
from derive.records import dataclass

ALIGNED = frozenset("align alignat flalign eqnarray gather multline xalignat xxalignat".split())
"""Displayed environments whose rows are lined up; the reader gets them as `aligned`."""

PLAIN = frozenset("equation displaymath dmath math subequations".split())
"""Displayed environments that hold one formula, or an inner environment."""

INNER = frozenset("aligned alignedat gathered split cases array matrix pmatrix bmatrix dcases".split())
"""Environments that stand inside mathematics; Markdown authors also leave the dollars out."""

DISPLAYED = ALIGNED | PLAIN

_EDGE = re.compile(r"\\(begin|end)[ \t]*\{([A-Za-z]+)(\*?)\}")
_WITH_ARGUMENT = frozenset({"alignat", "xalignat", "xxalignat"})
_LEFT_OUT = re.compile(r"\\(?:label|tag\*?|vspace\*?|hspace\*?)[ \t]*\{[^{}\n]*\}|\\(?:nonumber|notag|allowdisplaybreaks)(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment in a text: from the backslash of its `begin` to behind its `end`, and what is inside."""

    name: str
    start: int
    inside: int
    inside_end: int
    end: int


def environments(text: str) -> dict[int, Environment]:
    """Every closed environment by the place of its `begin`; one pass, whatever is left open."""
    found: dict[int, Environment] = {}
    opened: dict[str, list[tuple[int, int]]] = {}
    for edge in _EDGE.finditer(text):
        name = edge[2] + edge[3]
        if edge[1] == "begin":
            opened.setdefault(name, []).append((edge.start(), edge.end()))
        elif opened.get(name):
            start, inside = opened[name].pop()
            found[start] = Environment(edge[2], start, inside, edge.start(), edge.end())
    return found


def is_mathematics(name: str, inner: bool = True) -> bool:
    """Whether an environment (without its star) holds mathematics; `inner` counts those that stand inside of it too."""
    return name in DISPLAYED or (inner and name in INNER)


def displayed(content: Placed) -> Placed:
    r"""What a formula reader gets of displayed mathematics.

    An outer `equation` is left out, an outer `align` becomes `aligned`, and so do labels and numbers go.
    """
    shown = _without_labels(content.strip())
    edge = _EDGE.match(shown.text)
    if not edge or edge[2] not in DISPLAYED:
        return shown
    outer = environments(shown.text).get(0)
    if outer is None or shown.text[outer.end :].strip(" \t\n.,;\x00"):
        return shown
    return of_environment(shown, outer)


def of_environment(text: Placed, found: Environment) -> Placed:
    """The inside of an environment of the text as a formula reader gets it."""
    if found.name in INNER:
        return _without_labels(text.part(found.start, found.end))
    inside = text.part(found.inside, found.inside_end)
    if found.name in _WITH_ARGUMENT:
        argument = re.match(r"\s*\{[^{}\n]*\}", inside.text)
        inside = inside.part(argument.end()) if argument else inside
    inside = _without_labels(inside).strip()
    if found.name not in ALIGNED or not inside.text:
        return displayed(inside) if found.name in PLAIN else inside
    at, end = text.offsets[found.start], text.offsets[found.inside_end]
    edges = instead(r"\begin{aligned}", at, inside.offsets[0]), instead(r"\end{aligned}", end, text.offsets[found.end])
    return join((edges[0], inside, edges[1]))


def _without_labels(content: Placed) -> Placed:
    r"""Without `\label{…}`, `\tag{…}`, `\nonumber` and what else says nothing about the formula."""
    if "\\" not in content.text:
        return content
    parts, done = [], 0
    for match in _LEFT_OUT.finditer(content.text):
        parts.append(content.part(done, match.start()))
        done = match.end()
    return join((*parts, content.part(done))) if parts else content
