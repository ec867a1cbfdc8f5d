"""From a label to what it names: `P_attn`, "Total parameters", "每个 token 的 KV 缓存"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from derive.checker.concepts.concept import Concept
from derive.checker.concepts.labels import lexicon
from derive.checker.concepts.labels.own import own_concept
from derive.checker.concepts.labels.titles import titled
from derive.records import dataclass

LONGEST = 160
"""Characters of a label that are read; what is longer is a text."""

_COMMANDS = re.compile(r"\\(?:text|mathrm|mathbf|mathit|mathcal|operatorname|textrm|textbf|rm|bf)\s*|[{}$`*]|\\[,;!: ]|\\left|\\right")
_GREEK = {r"\theta": "θ", r"\Theta": "Θ", r"\varphi": "φ", r"\phi": "φ", r"\Phi": "Φ", r"\Psi": "Ψ", r"\psi": "Ψ", r"\#": "#"}
_SYMBOL = re.compile(r"^(?P<letter>[A-Za-zθΘφΦΨ#])_(?P<below>.+)$")
_ACTIVE = re.compile(r"\bactiv(e|ated)\b|(实际)?激活|活跃")
_WEAK = ("model", "block")
"""Objects that are meant only where no part is named: "attention block" is attention."""
_VAGUE = frozenset({"moe", "experts", "lora", "state", "optimizer", "activations", "attention activations", "ffn activations"})
"""Objects of which each text counts other parts."""
_BYTES = frozenset({"optimizer", "gradients", "state", "activations", "attention activations", "ffn activations"})
_BOTH = {"norm": ("norms",), "experts": ("moe",), "expert": ("moe",), "router": ("moe",), "shared": ("moe",)}
_FOR_ACTIVE = {
    "model": "active model",
    "block": "active block",
    "moe": "active moe",
    **dict.fromkeys(("expert", "experts"), "active experts"),
}
_ALSO: dict[tuple[str, str], tuple[str, ...]] = {
    ("norm", "parameters"): ("norms",),
    ("ends", "parameters"): ("embedding",),
    ("head", "parameters"): ("o",),
    ("expert", "parameters"): ("experts",),
    ("attention scores", "flops"): ("attention",),
}
"""What people call by one of our own names though it is more, or less."""
_LETTERS: dict[str, tuple[tuple[str, str], ...]] = {
    "N": (("model", "parameters"), ("non-embedding", "parameters")),
    "P": (("model", "parameters"), ("non-embedding", "parameters"), ("block", "parameters")),
    **dict.fromkeys("θΘφΦΨ", (("model", "parameters"), ("non-embedding", "parameters"))),
    **dict.fromkeys("CF", (("model", "flops"), ("block", "flops"))),
    "M": (("cache", ""), ("weights", "bytes"), ("state", "bytes")),
}
"""What a letter alone may be; only a match counts for it."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What the words of a label say."""

    objects: tuple[str, ...]
    measure: str
    per: frozenset[str]
    active: bool = False

    @property
    def decided(self) -> bool:
        """Whether one object, and what is counted of it, are both said."""
        return len(self.objects) == 1 and self.objects[0] not in _VAGUE and bool(self.measure or self.objects[0] in _BYTES | {"cache"})


@lru_cache(maxsize=4096)
def concepts_of(label: str, context: str = "") -> tuple[Concept, ...]:
    """The concepts that a label can name, most probable first; () where it names none that the engine knows.

    `context` (a heading, a caption, the sentence before) fills in what the label leaves open; what it fills in is never sure.
    """
    plain = _plain(label)
    if not plain or len(plain) > LONGEST:
        return ()
    own = own_concept(plain)
    if own is not None:
        alike = (titled(thing, own.measure, own.per) for thing in _ALSO.get((own.object, own.measure), ()))
        return tuple(_with_hints(each, plain, context) for each in (own, *alike))
    if len(plain) == 1:
        return tuple(_concept(thing, _Said((), measure, frozenset()), sure=False) for thing, measure in _LETTERS.get(plain, ()))
    symbol = _SYMBOL.match(plain)
    if symbol and symbol["letter"] not in lexicon.LETTERS:
        return ()
    text = _words(symbol["below"] if symbol else plain)
    if lexicon.first(lexicon.OTHER_MATTERS, text):
        return ()
    said = _said(text, lexicon.LETTERS[symbol["letter"]] if symbol else "")
    if symbol and symbol["letter"] in "n#" and not said.measure:
        return ()
    found = _concepts(said, _words(_plain(context)))
    return tuple(_with_hints(concept, plain, context) for concept in found)


def _plain(label: str) -> str:
    """Without the marks of LaTeX and Markdown."""
    for command, letter in _GREEK.items():
        label = label.replace(command, letter)
    return re.sub(r"\s+", " ", _COMMANDS.sub("", label)).strip(" :：=≈,，。()（）|")


def _words(text: str) -> str:
    """In lower case, underscores and camel case as spaces."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])|[_\\]", " ", text)
    return re.sub(r"\s+", " ", spaced).lower().strip()


def _said(text: str, measure: str = "") -> _Said:
    """What the words say; `measure` is what a letter before them says."""
    per = frozenset(lexicon.named(lexicon.PER, text))
    passes = lexicon.first(lexicon.PASSES, text)
    for name, pattern in lexicon.PER:
        text = lexicon.compiled(pattern).sub(" layer " if name == "layer" else " ", text)
    measure = lexicon.first(lexicon.MEASURES, text) or measure
    active = measure == "parameters" and bool(_ACTIVE.search(text))
    if active:
        text = _ACTIVE.sub(" ; ", text)
    return _Said(_objects(text), measure, per | {passes} if passes else per, active)


def _objects(text: str) -> tuple[str, ...]:
    """The objects that a text speaks of; the model and its layers only where no part is named."""
    found = lexicon.every(lexicon.OBJECTS, text)
    parts = tuple(each for each in found if each not in _WEAK)
    inside = next((each for each in ("attention", "ffn") if each in parts), None)
    if inside and "activations" in parts:
        return (f"{inside} activations",)
    return parts or tuple(each for each in ("block", "model") if each in found)[:1]


def _concepts(said: _Said, context: str) -> tuple[Concept, ...]:
    if not said.objects and not said.measure:
        return ()
    if said.objects == ("kv",) and not said.measure:
        return (_concept("cache", said, sure=False),)
    full = said if said.decided else _filled_in(said, _said(context))
    things = _readings(full, decided=said.decided)
    return tuple(dict.fromkeys(_concept(thing, full, sure=said.decided and not place) for place, thing in enumerate(things)))


def _filled_in(said: _Said, around: _Said) -> _Said:
    """What the context says where the label is silent."""
    objects = said.objects or around.objects[:1] or ("model",)
    measure = said.measure or ("" if objects[0] in _BYTES | {"cache"} else around.measure or "parameters")
    passes = around.per & {"training", "forward", "backward"} if measure in ("flops", "macs") else frozenset[str]()
    known = said.per & {"training", "forward", "backward"}
    return replace(said, objects=objects, measure=measure, per=said.per if known else said.per | passes)


def _readings(said: _Said, *, decided: bool) -> tuple[str, ...]:
    """The objects that the words can stand for, more than one where they are vague."""
    objects, measure = said.objects, said.measure
    together = _together(objects)
    if together:
        return together
    match objects[0], measure:
        case "kv", "bytes" | "elements" | "":
            return ("cache",)
        case (("model" | "block"), "bytes"):
            return ("weights", "state", "cache")
        case "model", "parameters" if not decided:
            return ("model", "block") if said.active else ("model", "non-embedding", "block")
        case "model", ("flops" | "macs"):
            return ("model", "block")
        case "moe", "parameters":
            return ("moe", "block", "model")
        case "head", "parameters":
            return ("head", "o")
    return tuple(dict.fromkeys((*objects, *(other for each in objects for other in _BOTH.get(each, ())))))


def _together(objects: tuple[str, ...]) -> tuple[str, ...]:
    """What several objects are together."""
    if {"attention", "ffn"} <= set(objects):
        return ("block", *objects)
    if {"positions", "embedding"} <= set(objects):
        return ("embedding", "positions")
    return ()


def _concept(thing: str, said: _Said, *, sure: bool) -> Concept:
    if said.active:
        thing = _FOR_ACTIVE.get(thing, thing)
    per = said.per - {"layer"} if thing in ("model", "non-embedding") and said.measure == "parameters" else said.per
    return titled(thing, said.measure, per, sure=sure)


def _with_hints(concept: Concept, label: str, context: str) -> Concept:
    """With what the label says of the kind of model; of the context only a width of numbers that it says alone."""
    text = _words(label)
    hints = concept.hints | (set(lexicon.named(lexicon.HINTS, text)) if len(text) > 1 else set[str]())
    widths = _widths(text) or _widths(_words(_plain(context)))
    if len(widths) == 1:
        (width,) = widths
        hints |= {f"gradients in {width}" if concept.object == "gradients" else width}
    return replace(concept, hints=hints) if hints else concept


def _widths(text: str) -> set[str]:
    return set(lexicon.named(lexicon.WIDTHS, text))
