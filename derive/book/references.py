"""What lies at the ends of the book: links between chapters, the index of formulas, the papers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from derive.book import words
from derive.book.papers import PAPERS, Paper
from derive.book.voice import Voice
from derive.errors import ChapterError
from derive.formula.tree import Name
from derive.quantities import quantities
from derive.symbols import BY_NAME
from derive.text import Text

WIDEST = 45
"""Characters of a closed form that the index shows; a longer one stands in its chapter."""


_SUBSCRIPTED = re.compile(r"\b[A-Za-z]+_[A-Za-z]+\b", re.ASCII)


class References(Voice):
    """Links, citations and lists."""

    __slots__ = ()

    def by_name(self) -> dict[str, Callable[..., str]]:
        """The functions under the names that templates call them by."""
        return {"chapter": self.chapter, "cite": self.cite, "formula_index": self.formula_index, "papers": self.papers}

    def chapter(self, name: str) -> str:
        """A link to a chapter by its name without the number, with the chapter's title."""
        file = next((each for each in words.CHAPTERS if each.partition("-")[2] == name), None)
        if file is None:
            raise ChapterError(f"no chapter '{name}'; known: {', '.join(each.partition('-')[2] for each in words.CHAPTERS)}")
        return f"[{words.CHAPTERS[file].in_(self.language)}]({file}.md)"

    def cite(self, key: str) -> str:
        """A paper in a sentence: authors and year."""
        return _paper(key).cited

    def formula_index(self, chapters: Mapping[str, str]) -> str:
        """Every quantity that the book derives: its closed form and the chapter, given as `{"attention": "P_attn P_mla"}`."""
        known = quantities()
        text = ""
        for chapter, names in chapters.items():
            rows = []
            for name in names.split():
                if name not in known:
                    raise ChapterError(f"the index names '{name}', which is not a quantity")
                each = known[name]
                closed = self._inline(each.formula) if len(each.formula.text) <= WIDEST else "–"
                rows.append([self._inline(Name(name)), self._named(each.meaning), closed])
            text += f"\n{self.chapter(chapter)}\n" + self._table((words.SYMBOL, words.MEANING, words.FORMULA), rows)
        return text

    def _named(self, meaning: Text) -> str:
        """A meaning, the symbols with a subscript in it as mathematics."""
        written = _SUBSCRIPTED.sub(lambda found: self._symbol(found[0]), meaning.in_(self.language))
        return written.replace("  ", " ")

    def _symbol(self, word: str) -> str:
        """A symbol of the vocabulary, set off by a space before it; any other word as it is."""
        return f" {self._inline(Name(word))}" if word in BY_NAME else word

    def papers(self) -> str:
        """The papers, in the order of their authors."""
        return "\n" + "\n".join(f"- {each.listed(self.language)}" for each in sorted(PAPERS.values(), key=lambda each: each.authors)) + "\n"


def _paper(key: str) -> Paper:
    if key not in PAPERS:
        raise ChapterError(f"no paper '{key}'; known: {', '.join(PAPERS)}")
    return PAPERS[key]
