"""What a chapter refers to: other chapters, papers, pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from derive.book.charts import chart_of
from derive.book.naming import Naming
from derive.book.voice import Voice


@dataclass(frozen=True, slots=True)
class Links(Voice):
    """Links by the names that the book's parts have, and pictures."""

    naming: Naming = field(default_factory=Naming)

    def by_name(self) -> dict[str, Callable[..., str]]:
        """The functions under the names that templates call them by."""
        return {"chapter": self.naming.link, "cite": self.naming.cite, "figure": self.figure}

    def figure(self, name: str) -> str:
        """A picture that is drawn from the engine's numbers, with its caption."""
        chart = chart_of(name)
        return f"\n![{chart.title.in_(self.language)}](figures/{name}.svg)\n\n*{self._sentence(chart.caption)}*\n"
