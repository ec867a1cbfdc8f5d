"""How the parts of a book are called and linked: chapters by their titles, headings by anchors, papers by their authors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from derive.book.sources import Sources
from derive.errors import ChapterError

_DROPPED = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Naming:
    """Titles by chapter, and papers by key: how each is named in a sentence, and where it is."""

    titles: Mapping[str, str] = field(default_factory=dict)
    papers: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Naming:
        """The value that `as_dict` wrote."""
        return cls(given["titles"], {key: (short, url) for key, (short, url) in given["papers"].items()})

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def chapter(self, name: str) -> str:
        """A chapter's full name, by that or without its number."""
        for full in self.titles:
            if name in (full, full.partition("-")[2]):
                return full
        raise ChapterError(f"no chapter '{name}'; known: {', '.join(self.titles) or 'none'}")

    def link(self, name: str, heading: str = "") -> str:
        """A link to a chapter, or to a heading in it."""
        chapter = self.chapter(name)
        anchor = f"#{slug(heading)}" if heading else ""
        return f"[{heading or self.titles[chapter]}]({chapter}.md{anchor})"

    def cite(self, key: str) -> str:
        """A link to a paper."""
        if key not in self.papers:
            raise ChapterError(f"no reference '{key}'; references.toml has: {', '.join(self.papers) or 'none'}")
        short, url = self.papers[key]
        return f"[{short}]({url})" if url else short


def naming_of(sources: Sources, language: str) -> Naming:
    """The names that a chapter in a language may refer to."""
    return Naming(sources.titles(language), {each.key: (each.short(language), each.url) for each in sources.references})


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it: `One layer, stored` → `one-layer-stored`."""
    return _DROPPED.sub("", heading.strip().lower()).replace(" ", "-")


def distinct(slugs: Iterable[str]) -> list[str]:
    """Anchors of one page, a number behind each that has been there before."""
    seen: dict[str, int] = {}
    found = []
    for each in slugs:
        seen[each] = seen.get(each, -1) + 1
        found.append(f"{each}-{seen[each]}" if seen[each] else each)
    return found
