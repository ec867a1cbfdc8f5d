"""What a chapter refers to: other chapters, papers, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field

from derive.book.charts import chart_of
from derive.book.naming import Naming
from derive.book.voice import Voice


@dataclass(frozen=True, slots=True)
class Links(Voice):
    """Links by the names that the book's parts have, and pictures."""

    naming: Naming = field(default_factory=Naming)

    def chapter(self, name: str, heading: str = "") -> str:
        """A link to a chapter, or to a heading in it."""
        return self.naming.link(name, heading)

    def cite(self, key: str) -> str:
        """A link to a paper."""
        return self.naming.cite(key)

    def figure(self, name: str) -> str:
        """A picture that is drawn from the engine's numbers, with its caption."""
        chart = chart_of(name)
        return f"\n![{chart.title.in_(self.language)}](figures/{name}.svg)\n\n*{self._sentence(chart.caption)}*\n"
