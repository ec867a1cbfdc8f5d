"""What the HTML of a page depends on besides its text, and the boxes in it that scroll by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from derive.text import Text


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page: its language, its number, and what its links and pictures lead to."""

    language: str = "en"
    number: str = ""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """The numbers of chapters by file, where links to them show these."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """The pictures by address, as far as they have been drawn."""
    alone: bool = False
    """Whether the page holds its pictures itself."""

    def box(self, name: str, label: Text, *, tag: str = "div") -> str:
        """The start of a box that scrolls where it is too wide, and is then within reach of a keyboard."""
        words = escape(label.in_(self.language))
        return f'<{tag} class="{name}" role="region" aria-label="{words}" tabindex="0">'


def numbered(number: str) -> str:
    """A chapter's number before its title."""
    return f'<span class="number">{escape(number)}</span> ' if number else ""
