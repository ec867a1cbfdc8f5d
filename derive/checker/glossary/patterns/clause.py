"""The items of a line with the questions that every pattern asks: does a name stand alone, is a wording a part of a longer one."""

from __future__ import annotations

from fractions import Fraction

from derive.checker.glossary.lines.items import END, Item, items_of
from derive.checker.glossary.lines.tokens import Line
from derive.checker.glossary.meanings import possible
from derive.checker.glossary.said import Evidence, Value, plausible_value
from derive.checker.glossary.wordings.phrases import Wording
from derive.records import dataclass

ARTICLES = {"a", "A", "I", "i"}
"""Letters that are words as well: bare, they need more than a neighbour."""

UNNAMED_HEADS = set("mlp ffn feed feedforward perceptron norm norms normalization layernorm lstm rnn gru cnn network".split())
"""A "2-layer MLP" and "2 layer norms" say nothing of the layers of the model."""

_NARROWING = set(
    """expert experts ffn mlp feed feedforward attention head heads embedding encoder vision image router adapter stage stages gpu
    gpus device devices node layer layers block blocks each one single chunk page group projection draft lora matrix weight keys key
    value query batch""".split()
)
_HARMLESS: dict[str, set[str]] = {
    "h": set("layer layers block blocks attention each".split()),
    "h_kv": set("layer layers block blocks attention each".split()),
    "E": set("layer layers block each".split()),
    "E_s": set("layer layers block each".split()),
    "k": set("layer each".split()),
    "B": set("gpu gpus device devices each".split()),
    "n": set("batch each".split()),
    "b": set("each one single weight".split()),
    "d": set("embedding embeddings".split()),
    "r": set("lora matrix adapter".split()),
}
_NARROWING_BEFORE = _NARROWING | set("draft shared output generated per other extra additional non".split())
_REFORMING = set("per minus times divided plus multiplied squared excluding without 乘 除 减 加 的 倍 乘以 除以".split())
_PREPOSITIONS = set("of in for on inside within from across".split())
_BEFORE_A_WORDING = set("的设令若当其中即与和或及则有以对用把将该为是在由于型络且果如而取着")
HYPHENED = {"layer": "L", "head": "h", "expert": "E"}
"""Nouns that count what they name behind a hyphen: a 12-layer model."""
_WHOLE_MODELS = {"型", "络", "transformer", "llm", "decoder"}


@dataclass(frozen=True, slots=True)
class Found:
    """What a pattern said, and the item behind it."""

    said: tuple[Evidence | Value, ...]
    end: int


class Clause:
    """The items of a line."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.items = items_of(line)

    def at(self, index: int) -> Item:
        """The item at `index`, an end where there is none."""
        return self.items[index] if 0 <= index < len(self.items) else END

    def wording(self, at: int) -> Wording | None:
        """The wording at `at`, if there is one."""
        return self.at(at).wording

    def past_fillers(self, at: int) -> int:
        """Behind "the", "a", "total" and the like."""
        start = at
        while self.at(at).kind == "filler" and at - start < 5:
            at += 1
        return at

    def words(self, first: int, last: int) -> list[str]:
        """The words of the items from `first` up to `last`, in small letters."""
        if last <= first:
            return []
        return [token.text.lower() for token in self.line.tokens[self.at(first).first : self.at(last - 1).last]]

    def name_alone(self, at: int) -> Item | None:
        """The name at `at`, unless it is a part of a product, a power or a larger formula."""
        item, before, after = self.at(at), self.at(at - 1), self.at(at + 1)
        if (
            item.kind != "name"
            or after.kind == "operator"
            or after.text in ("[", "'")
            or (before.kind == "operator" and before.text != "/")
        ):
            return None
        run_on = not item.marked and before.kind in ("name", "number") and self.line.glued(item.first)
        return None if run_on else item

    def narrowed(self, at: int) -> bool:
        """Whether what follows the wording makes it something else: "hidden size divided by …", "layers per stage"."""
        item, following = self.at(at), self.at(at + 1)
        if item.wording is None:
            return False
        harmless = _HARMLESS.get(item.wording.meaning, set())
        if following.kind == "operator":
            return following.text != "~"
        if following.text in _REFORMING:
            said_of_each = following.text == "per" and self.at(at + 2).text in harmless
            return not said_of_each and not (following.text == "的" and item.wording.manner == "count")
        return following.text in _PREPOSITIONS and bool(self._words_after(at + 2) & (_NARROWING - harmless))

    def _words_after(self, at: int) -> set[str]:
        """The words up to the end of a phrase."""
        end = at
        while end < at + 5 and self.at(end).kind not in ("separator", "end", "close", "number"):
            end += 1
        return set(self.words(at, min(end, len(self.items))))

    def compound(self, at: int) -> bool:
        """Whether the wording is only a part of a longer one: "注意力参数量", "expert hidden size", "layers per stage"."""
        first = self.at(at).first
        if first == 0 or self.line.tokens[first - 1].kind != "word":
            return self.narrowed(at)
        before, own = self.line.tokens[first - 1].text.lower(), self.line.tokens[first].text
        if before.isascii() or own.isascii():
            return before in _NARROWING_BEFORE or self.narrowed(at)
        wording = self.wording(at)
        if before == "的" and wording is not None and wording.meaning == "P_total":
            return first < 2 or self.line.tokens[first - 2].text.lower() not in _WHOLE_MODELS
        return before not in _BEFORE_A_WORDING or self.narrowed(at)

    def evidence(self, name: Item, meaning: str, first: Item, last: Item) -> Evidence:
        """That `name` means `meaning`, as the items from `first` to `last` say."""
        return Evidence(name.text, meaning, self.quote(first, last), self.line.tokens[name.first].offset)

    def value(self, meaning: str, value: Fraction | None, first: Item, last: Item) -> tuple[Value, ...]:
        """That the size is `value`, if it can be."""
        if value is None or not plausible_value(meaning, value):
            return ()
        return (Value(meaning, value, self.quote(first, last), self.line.tokens[first.first].offset),)

    def evidence_and_value(self, name: Item, meaning: str, first: Item, last: Item, end: int, value: Fraction | None = None) -> Found:
        """The meaning of a name, and the number that it has or that follows: `h` = hidden size = 4096."""
        value = name.value if value is None else value
        following, number = self.at(end), self.at(end + 1)
        if value is None and following.link in ("=", "back") and number.kind == "number" and self.at(end + 2).kind != "operator":
            value, last, end = number_for(meaning, number), number, end + 2
        return Found((self.evidence(name, meaning, first, last), *self.value(meaning, value, first, last)), end)

    def quote(self, first: Item, last: Item) -> str:
        """The words of the document between two items, whichever comes first."""
        tokens = self.line.tokens
        return self.line.quote(tokens[min(first.first, last.first)].start, tokens[max(first.last, last.last) - 1].end)


def plausible(name: Item, meaning: str) -> bool:
    """Whether the letter often means this in our field."""
    return meaning in possible(name.text)


def number_for(meaning: str, item: Item) -> Fraction | None:
    """The value of a number; `32k` is told only for a vocabulary and a context, where 8k is 8192."""
    if item.text != "k" or item.value is None:
        return item.value
    if meaning == "V":
        return item.value * 1000
    power_of_two = item.value.numerator & (item.value.numerator - 1) == 0
    return item.value * (1024 if power_of_two else 1000) if meaning == "n" else None
