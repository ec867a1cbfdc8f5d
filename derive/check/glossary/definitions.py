"""What a line defines: "where h is the hidden size", "$L$ layers", "词表大小为 V", "hidden size of 4096".

Each pattern is a short run of items, so that what a text says between the lines is not guessed at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from derive.check.glossary.items import END, Item, items_of
from derive.check.glossary.meanings import OTHER, possible
from derive.check.glossary.phrases import Wording, is_other, meant
from derive.check.glossary.said import Evidence, Value, plausible_value
from derive.check.glossary.tokens import Line
from derive.check.glossary.words import meaning_of_word
from derive.symbols import BY_NAME

_ARTICLES = {"a", "A", "I", "i"}
_MOST_NAMES = 12
_NARROWING = set(
    """expert experts ffn mlp feed feedforward attention head heads embedding encoder vision image router adapter stage stages gpu gpus device devices node
    layer layers block blocks each one single chunk page group projection draft lora matrix weight keys key value query batch""".split()
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
}
_NARROWING_BEFORE = _NARROWING | set("draft shared output generated per adapter lora other extra additional non".split())
_REFORMING = set("per minus times divided plus multiplied squared excluding without 乘 除 减 加 的 倍 乘以 除以".split())
_PREPOSITIONS = set("of in for on inside within from across".split())
_PARTIAL = set(
    "first last next top bottom every another other remaining each final extra additional more per these those initial 前 后 每 第 最 另 余 其".split()
)
_CHOOSING = set("top selects select activates activate chooses choose picks pick routed uses active activated only".split())
_ZH_BEFORE = set("的设令若当其中即与和或及则有以对用把将该为是在由于型络且果如而取:：")
_UNNAMED_HEADS = set("mlp ffn feed feedforward perceptron norm norms normalization layernorm lstm rnn gru cnn network".split())


@dataclass(frozen=True, slots=True)
class _Found:
    """What a pattern said, and the item behind it."""

    said: tuple[Evidence | Value, ...]
    end: int


def definitions(line: Line) -> Iterator[Evidence | Value]:
    """What `line` says, in reading order."""
    reader = _Reader(line)
    at = 0
    while at < len(reader.items):
        found = reader.read(at)
        if found is None:
            at += 1
        else:
            yield from found.said
            at = found.end


class _Reader:
    """Tries the patterns at one item after the other."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.items = items_of(line)

    def at(self, index: int) -> Item:
        return self.items[index] if 0 <= index < len(self.items) else END

    def read(self, at: int) -> _Found | None:
        item = self.at(at)
        if item.kind == "name" and self.stands_alone(at):
            return (
                self.several(at) or self.defined(at) or self.same_as(at) or self.explained(at) or self.counting(at) or self.hyphened(at) or self.valued(at)
            )
        if item.kind == "name":
            return self.hyphened(at)
        if item.kind == "wording":
            return self.named(at) or self.sized(at)
        if item.kind == "number":
            return self.numbered(at)
        return None

    # Names first

    def several(self, at: int) -> _Found | None:
        """`b`, `s` and `h` are the batch size, the sequence length and the hidden size."""
        names, end = [self.at(at)], at + 1
        while self.at(end).kind == "separator" and len(names) <= _MOST_NAMES:
            behind = end + 2 if self.at(end + 1).kind == "separator" else end + 1
            if self.at(behind).kind != "name" or not self.stands_alone(behind):
                break
            names.append(self.at(behind))
            end = behind + 1
        if len(names) < 2:
            return None
        link = self.at(end)
        if link.link == "each" or link.link == "denotes" or (link.link == "is" and link.text not in ("is", "as", "即", "就是")):
            said = self.meanings_in_order(names, end + 1)
            return _Found(said, end + 1) if said else _Found((), end)
        return None

    def meanings_in_order(self, names: list[Item], at: int) -> tuple[Evidence | Value, ...]:
        meanings: list[Wording] = []
        end = at
        while len(meanings) < len(names):
            start = self.past_fillers(at)
            if self.at(start).kind != "wording" or self.narrowed(start):
                return ()
            meanings.append(self.wording(start))
            at = end = start + 1
            while self.at(at).kind == "separator":
                at += 1
        if self.at(end).kind == "separator" and self.at(self.past_fillers(at)).kind == "wording" and self.at(self.past_fillers(at) + 1).link is None:
            return ()
        pairs = ((name, meant(wording, name.text)) for name, wording in zip(names, meanings, strict=True))
        return tuple(self.evidence(name, meaning, names[0], self.at(end - 1)) for name, meaning in pairs if meaning)

    def defined(self, at: int) -> _Found | None:
        """`h` is the hidden size."""
        name, link = self.at(at), self.at(at + 1)
        if link.link in (None, "each"):
            return None
        if link.link == "back" and link.text not in ("定义为", "表示为"):
            return None
        start = self.past_fillers(at + 2)
        if self.at(start).kind != "wording":
            return self.other(at, start)
        wording = self.wording(start)
        meaning = meant(wording, name.text)
        if meaning is None or self.narrowed(start):
            return None
        if wording.manner != "full" and (link.link not in ("=", ":", "-") or not _plausible(name, meaning)):
            return None
        if not self.trusted(at, meaning, strong=wording.manner == "full" and link.link in ("is", "denotes")):
            return None
        if not name.marked and link.link in (":", "-") and self.at(start + 1).kind == "number" and not _plausible(name, meaning):
            return None
        return self.with_value(name, meaning, name, self.at(start), start + 1)

    def other(self, at: int, start: int) -> _Found | None:
        """`W` is the weight matrix: no size."""
        name, link = self.at(at), self.at(at + 1)
        chinese = link.text in ("为", "是", "表示", "代表", "指", "即")
        said_so = chinese or self.at(at + 2).kind == "filler" or link.link in ("=", ":", "-", "denotes")
        weak = not name.marked and (len(name.text) > 1 or name.text in _ARTICLES or link.link in ("=", ":", "-"))
        if not said_so or weak or meaning_of_word(name.text):
            return None
        end = start
        while self.at(end).kind in ("word", "wording", "filler") or self.at(end).text in ("of", "by"):
            end += 1
            if end - start > 12:
                break
        tokens = self.line.tokens[self.at(start).first : self.at(end - 1).last] if end > start else ()
        if not is_other([token.text.lower() for token in tokens]):
            return None
        return _Found((self.evidence(name, OTHER, name, self.at(end - 1)),), end)

    def explained(self, at: int) -> _Found | None:
        """`d` (hidden size); `d`, the hidden size,; `s` the sequence length."""
        name, following = self.at(at), self.at(at + 1)
        start = self.past_fillers(at + 2)
        wording = self.at(start).wording
        if following.kind == "open" and wording is not None and self.at(start + 1).kind in ("close", "separator"):
            meaning = meant(wording, name.text)
            if meaning and self.trusted(at, meaning) and (wording.manner == "full" or _plausible(name, meaning)):
                return self.with_value(name, meaning, name, self.at(start), start + 1)
        apposed = following.kind == "separator" and self.at(at + 2).text == "the" and name.marked
        if following.text == "the" or apposed:
            start = at + (3 if apposed else 2)
            wording = self.at(start).wording
            if wording is not None and wording.manner == "full" and self.at(start + 1).kind in ("end", "separator", "close"):
                meaning = meant(wording, name.text)
                if meaning and self.trusted(at, meaning) and _plausible(name, meaning):
                    return self.with_value(name, meaning, name, self.at(start), start + 1)
        return None

    def counting(self, at: int) -> _Found | None:
        """`L` layers; `V` = 50257 vocabulary size."""
        name, item = self.at(at), self.at(at + 1)
        if item.wording is None or self.narrowed(at + 1) or self.at(at - 1).text in ("第", "layer", "layers"):
            return None
        meaning = meant(item.wording, name.text)
        if meaning is None or name.text in _ARTICLES and not name.marked and name.value is None:
            return None
        fits = item.wording.manner == "count" or (name.value is not None and _plausible(name, meaning))
        if not fits or not (name.marked or _plausible(name, meaning)) or self.at(at + 2).text in _UNNAMED_HEADS:
            return None
        if self.at(at + 2).kind == "name" and self.at(at + 2).marked and item.wording.manner != "count":
            return None
        return self.with_value(name, meaning, name, item, at + 2)

    def hyphened(self, at: int) -> _Found | None:
        """An `L`-layer model."""
        name, dash, noun = self.at(at), self.at(at + 1), self.at(at + 2)
        if dash.text != "-" or dash.kind != "operator" or self.at(at - 1).kind == "operator":
            return None
        meaning = {"layer": "L", "head": "h", "expert": "E"}.get(noun.text)
        following = self.at(at + 3).text
        if meaning is None or following in _UNNAMED_HEADS or not (noun.last - noun.first == 1) or not _plausible(name, meaning):
            return None
        if name.text in _ARTICLES and not name.marked:
            return None
        return _Found((self.evidence(name, meaning, name, noun),), at + 3)

    def same_as(self, at: int) -> _Found | None:
        """`h` = hidden_size; `hidden_size` (`h`)."""
        first, between, second = self.at(at), self.at(at + 1), self.at(at + 2)
        if second.kind != "name" or not self.stands_alone(at + 2):
            return None
        bracketed = between.kind == "open" and self.at(at + 3).kind == "close"
        if not bracketed and between.link not in ("=", ":", "is", "-"):
            return None
        for letter, word in ((first, second), (second, first)):
            meaning = meaning_of_word(word.text)
            if len(letter.text) <= 4 and meaning and meaning_of_word(letter.text) is None and meaning in possible(letter.text) and len(word.text) > 3:
                end = at + (4 if bracketed else 3)
                return self.with_value(letter, meaning, first, second, end, word.value)
        return None

    def valued(self, at: int) -> _Found | None:
        """`d_model` = 4096."""
        name = self.at(at)
        meaning = meaning_of_word(name.text)
        if name.value is None or meaning is None:
            return None
        return _Found(self.value(meaning, name.value, name, name), at + 1)

    # Wordings first

    def named(self, at: int) -> _Found | None:
        """The hidden size `h`; number of layers (`L`); 词表大小记为 `V`."""
        wording, start = self.wording(at), self.name_after(at)
        name = self.at(start)
        if name.kind != "name" or not self.stands_alone(start) or self.compound(at):
            return None
        meaning = meant(wording, name.text)
        direct = start == at + 1
        bracketed = self.at(at + 1).kind == "open"
        if meaning is None or (self.at(start + 1).link in ("is", "denotes", "each") and not bracketed and not (direct and name.value is not None)):
            return None
        if self.at(start + 1).link in ("=", ":") and direct and self.at(start + 2).kind in ("wording", "filler") and wording.manner != "full":
            return None
        if wording.manner != "full" and not self.heads(at, name, meaning):
            return None
        if not (name.marked or _plausible(name, meaning)) or (name.text in _ARTICLES and not name.marked and not bracketed):
            return None
        if bracketed and not name.marked and self.at(start + 1).kind == "close" and self.at(start + 2).kind in ("word", "wording", "filler"):
            return None
        return self.with_value(name, meaning, self.at(at), name, start + 1 + bracketed)

    def heads(self, at: int, name: Item, meaning: str) -> bool:
        """Whether "layers" or "vocab" stand as a heading of the letter: "Layers: L", "heads (h)"."""
        plain = self.at(at - 1).kind in ("end", "separator", "open", "number") or at == 0
        linked = self.at(at + 1).kind == "open" or self.at(at + 1).link in ("=", ":")
        return _plausible(name, meaning) and (linked or (plain and name.marked and self.at(at).text != "layer"))

    def name_after(self, at: int) -> int:
        """Where the name stands that the wording at `at` may introduce."""
        following = self.at(at + 1)
        if following.kind == "open":
            start = at + 2
            while self.at(start).link in ("back", "is", "=") or self.at(start).text in ("i", "e", ".", ","):
                start += 1
            return start if self.at(start + 1).kind in ("close", "separator") else -1
        if following.link in ("is", "=", ":", "back"):
            return at + 2 if self.at(at + 2).kind == "name" and self.ends_there(at + 2) else -1
        if following.kind == "separator" and self.at(at + 2).kind == "name":
            apposed = self.at(at + 2).marked and self.at(at + 3).kind in ("separator", "end") and self.at(at + 4).kind != "name"
            return at + 2 if apposed and self.wording(at).manner == "full" and following.text in (",", "，") and at + 3 < len(self.items) else -1
        return at + 1

    def ends_there(self, at: int) -> bool:
        """Whether nothing follows the name that would make it part of a formula."""
        return self.at(at + 1).kind not in ("operator", "opaque", "name")

    def sized(self, at: int) -> _Found | None:
        """Hidden size of 4096; sequence length: 2048; 词表大小为 32000."""
        wording = self.wording(at)
        meaning = wording.meaning
        end = at + 1
        if self.at(end).link in ("is", "=", ":", "back"):
            end += 1
        elif wording.manner != "full":
            return None
        if self.at(end).kind == "open":
            end += 1
        number = self.at(end)
        if number.kind != "number" or number.value is None or self.compound(at) or meaning not in BY_NAME:
            return None
        if wording.manner == "count" and self.at(at + 1).link not in ("=", ":"):
            return None
        if self.at(end + 1).kind == "operator" or self.at(at - 1).kind in ("operator", "number"):
            return None
        if self.at(end + 1).kind == "wording" and end == at + 1 and self.wording(end + 1).manner == "count":
            return None
        return _Found(self.value(meaning, _number(number, meaning), self.at(at), number), end + 1)

    # Numbers first

    def numbered(self, at: int) -> _Found | None:
        """32 layers; a 12-layer model; 4096-dimensional embeddings; 32 attention heads of size 128."""
        number, before = self.at(at), self.at(at - 1)
        if number.value is None or before.kind == "operator" or before.text in _PARTIAL or before.link == "=" or before.text == "$":
            return None
        if self.at(at + 1).text == "-" and self.at(at + 1).kind == "operator":
            return self.number_hyphened(at)
        item = self.at(at + 1)
        if item.wording is None or self.narrowed(at + 1) or self.at(at + 2).text in _UNNAMED_HEADS:
            return None
        meaning = item.wording.meaning
        if item.wording.manner == "full" and not (before.kind in ("separator", "end") and self.at(at + 2).kind in ("separator", "end", "close")):
            return None
        if item.wording.manner == "short" or meaning not in BY_NAME or meaning in ("b", "B"):
            return None
        if meaning in ("L", "E") and number.value < (4 if meaning == "L" else 2) and item.last - item.first < 2:
            return None
        if meaning == "E" and any(self.at(at - back).text in _CHOOSING for back in (1, 2, 3)):
            return None
        said = self.value(meaning, _number(number, meaning), number, item)
        of_size = self.at(at + 2).text == "of" and self.at(at + 3).text in ("size", "dim", "dimension", "width")
        if meaning == "h" and of_size and self.at(at + 4).kind == "number":
            size = self.at(at + 4)
            return _Found((*said, *self.value("d_h", size.value, number, size)), at + 5)
        return _Found(said, at + 2)

    def number_hyphened(self, at: int) -> _Found | None:
        number, noun, following = self.at(at), self.at(at + 2), self.at(at + 3)
        word = self.line.tokens[noun.first].text.lower() if noun is not END and noun.first < len(self.line.tokens) else ""
        meaning = {"layer": "L", "head": "h", "expert": "E"}.get(word)
        last = self.line.tokens[noun.last - 1].text.lower() if noun is not END else ""
        if word in ("dimensional", "dim"):
            words = {following.text, self.at(at + 4).text}
            if words & set("hidden embedding embeddings residual model token representations representation".split()):
                meaning = "d"
            elif words & {"head", "heads"}:
                meaning = "d_h"
        if meaning is None or {following.text, last} & _UNNAMED_HEADS or number.value is None or (meaning == "L" and number.value < 4):
            return None
        return _Found(self.value(meaning, _number(number, meaning), number, noun), at + 3)

    # What patterns share

    def wording(self, at: int) -> Wording:
        wording = self.at(at).wording
        assert wording is not None
        return wording

    def past_fillers(self, at: int) -> int:
        start = at
        while self.at(at).kind == "filler" and at - start < 5:
            at += 1
        return at

    def stands_alone(self, at: int) -> bool:
        """Whether the name is no part of a product, a power or a larger formula."""
        before, after = self.at(at - 1), self.at(at + 1)
        if after.text == "^" or (before.kind == "operator" and before.text != "/") or after.kind == "operator":
            return False
        close = self.line.glued(self.at(at).first) and before.kind in ("name", "number") and not self.at(at).marked
        return not close and after.text not in ("[", "'")

    def narrowed(self, at: int) -> bool:
        """Whether what follows the wording makes it something else: "hidden size divided by …", "layers per stage"."""
        meaning = self.wording(at).meaning
        following = self.at(at + 1)
        if following.kind == "operator":
            return following.text != "~"
        if following.text in _REFORMING:
            return not (following.text == "per" and self.at(at + 2).text in _HARMLESS.get(meaning, set()))
        if following.text not in _PREPOSITIONS:
            return False
        for ahead in range(at + 2, at + 7):
            item = self.at(ahead)
            if item.kind in ("separator", "end", "close", "number"):
                return False
            words = {token.text.lower() for token in self.line.tokens[item.first : item.last]}
            if words & (_NARROWING - _HARMLESS.get(meaning, set())):
                return True
        return False

    def compound(self, at: int) -> bool:
        """Whether the wording is only the end of a longer one: "注意力参数量", "expert hidden size"."""
        first = self.at(at).first
        if first == 0:
            return self.narrowed(at)
        before = self.line.tokens[first - 1]
        if before.kind == "word" and not before.text.isascii() and not self.line.tokens[first].text.isascii():
            if before.text == "的" and self.wording(at).meaning == "P_total":
                return self.line.tokens[first - 2].text.lower() not in ("型", "络", "transformer", "llm", "decoder") if first > 1 else True
            return before.text not in _ZH_BEFORE
        if before.kind == "word" and before.text.lower() in _NARROWING_BEFORE:
            return True
        return self.narrowed(at)

    def trusted(self, at: int, meaning: str, *, strong: bool = False) -> bool:
        name = self.at(at)
        return name.marked or _plausible(name, meaning) or (strong and name.text not in _ARTICLES)

    def with_value(self, name: Item, meaning: str, first: Item, last: Item, end: int, value: Fraction | None = None) -> _Found:
        """The evidence, and the value that the name has or that follows: `h` = hidden size = 4096."""
        said: tuple[Evidence | Value, ...] = (self.evidence(name, meaning, first, last),)
        value = name.value if value is None else value
        following, number = self.at(end), self.at(end + 1)
        if value is None and following.link in ("=", "back") and number.kind == "number" and self.at(end + 2).kind != "operator":
            value, last, end = _number(number, meaning), number, end + 2
        if value is not None:
            said += self.value(meaning, value, first, last)
        return _Found(said, end)

    def evidence(self, name: Item, meaning: str, first: Item, last: Item) -> Evidence:
        return Evidence(name.text, meaning, self.quote(first, last), self.line.tokens[name.first].offset)

    def value(self, meaning: str, value: Fraction | None, first: Item, last: Item) -> tuple[Value, ...]:
        if value is None or not plausible_value(meaning, value):
            return ()
        return (Value(meaning, value, self.quote(first, last), self.line.tokens[first.first].offset),)

    def quote(self, first: Item, last: Item) -> str:
        tokens = self.line.tokens
        return self.line.quote(tokens[min(first.first, last.first)].start, tokens[max(first.last, last.last) - 1].end)


def _plausible(name: Item, meaning: str) -> bool:
    """Whether the letter often means this in our field."""
    return meaning in possible(name.text)


def _number(item: Item, meaning: str) -> Fraction | None:
    """The value of a number; `32k` is told only for a vocabulary and a context."""
    if item.text != "k" or item.value is None:
        return item.value
    if meaning == "V":
        return item.value * 1000
    power_of_two = item.value.numerator & (item.value.numerator - 1) == 0
    return item.value * (1024 if power_of_two else 1000) if meaning == "n" else None
