"""How the parts of a book are called and linked: chapters by their titles, headings by anchors, papers by their authors."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from derive.book.markdown import slug
from derive.book.sources import Sources
from derive.errors import ChapterError


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

    def link(self, name: str, heading: str = "") -> str:
        """A link to a chapter, or to a heading in it."""
        chapter = full_name(name, self.titles)
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


def full_name(name: str, known: Collection[str]) -> str:
    """A chapter's full name, by that or without its number."""
    found = [name] if name in known else [full for full in known if name == full.partition("-")[2]]
    if len(found) > 1:
        raise ChapterError(f"which chapter '{name}' is: {' or '.join(found)}?")
    if not found:
        raise ChapterError(f"no chapter '{name}'; known: {', '.join(known) or 'none'}")
    return found[0]
