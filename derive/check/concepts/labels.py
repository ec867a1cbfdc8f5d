"""From a label to what it names: `P_attn`, "Total parameters", "每个 token 的 KV 缓存"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from derive.check.concepts import lexicon
from derive.check.concepts.concept import Concept
from derive.check.concepts.own import own_concept
from derive.check.concepts.titles import titled

LONGEST = 160
"""Characters of a label that are read; what is longer is a sentence."""

_COMMANDS = re.compile(r"\\(?:text|mathrm|mathbf|mathit|mathcal|operatorname|textrm|textbf|rm|bf)\s*|[{}$`*]|\\[,;!: ]|\\left|\\right")
_GREEK = {r"\theta": "θ", r"\Theta": "Θ", r"\phi": "φ", r"\varphi": "φ", r"\Phi": "Φ", r"\Psi": "Ψ", r"\psi": "Ψ", r"\#": "#"}
_SYMBOL = re.compile(r"^(?P<letter>[A-Za-zθΘφΦΨ#])_(?P<below>.+)$")
_MEASURE_OF_OBJECT = {"cache": "", "optimizer": "bytes", "gradients": "bytes", "state": "bytes", "activations": "bytes"}
_OF_PARAMETERS = frozenset(
    "attention qkv kv q k v o ffn up down norm norms ends embedding head positions router expert experts shared moe block lora model".split()
    + ["final norm", "non-embedding"]
)
_ACTIVE = re.compile(r"\bactiv(e|ated)\b|激活(的)?(总)?参数|(实际)?激活|活跃")
_WEAK = ("model", "block")
_PARTS_OF = {"norm": "norms", "experts": "moe", "expert": "moe", "router": "moe", "shared": "moe"}


@cache
def concepts_of(label: str, context: str = "") -> tuple[Concept, ...]:
    """The concepts that a label can name, most probable first; () where it names none that the engine knows.

    `context` (a heading, a caption, the sentence before) fills in what the label leaves open; what it fills in is never sure.
    """
    plain = _plain(label)
    if not plain or len(plain) > LONGEST:
        return ()
    own = own_concept(plain)
    if own is not None:
        return (_with_hints(own, plain, context),)
    symbol = _SYMBOL.match(plain)
    measure, text = "", _words(plain)
    if symbol:
        measure, text = lexicon.LETTERS.get(symbol["letter"], ""), _words(symbol["below"])
        if symbol["letter"] not in lexicon.LETTERS and symbol["letter"] not in "n#":
            return ()
    elif len(plain) == 1:
        return _letter(plain)
    if lexicon.OTHER_MATTERS.search(text):
        return ()
    return tuple(_with_hints(concept, plain, context) for concept in _from_words(text, measure, _words(_plain(context))))


def _plain(label: str) -> str:
    for command, letter in _GREEK.items():
        label = label.replace(command, letter)
    return re.sub(r"\s+", " ", _COMMANDS.sub("", label)).strip(" :：=≈,，。()（）|")


def _words(text: str) -> str:
    """In lower case, underscores and camel case as spaces."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])|[_\\]", " ", text)
    return re.sub(r"\s+", " ", spaced).lower().strip()


def _letter(letter: str) -> tuple[Concept, ...]:
    """A letter alone: it may be anything, so that only a match counts."""
    known = {
        "N": (("model", "parameters"), ("non-embedding", "parameters")),
        "P": (("model", "parameters"), ("non-embedding", "parameters"), ("block", "parameters")),
        "θ": (("model", "parameters"),), "φ": (("model", "parameters"),), "Φ": (("model", "parameters"),), "Ψ": (("model", "parameters"),),
        "C": (("model", "flops"), ("block", "flops")),
        "F": (("model", "flops"), ("block", "flops")),
        "M": (("cache", ""), ("weights", "bytes"), ("state", "bytes")),
    }  # fmt: skip
    return tuple(_concept(thing, measure, frozenset(), sure=False) for thing, measure in known.get(letter, ()))


def _from_words(text: str, measure: str, context: str) -> tuple[Concept, ...]:
    per, passes = _per(text), lexicon.first(lexicon.PASSES, text)
    rest = text
    for name, pattern in lexicon.PER:
        rest = pattern.sub(" layer " if name == "layer" else " ", rest)
    said = lexicon.first(lexicon.MEASURES, rest)
    measure = said or measure
    active = bool(_ACTIVE.search(rest)) and measure == "parameters"
    if active:
        rest = _ACTIVE.sub(" ; 参数 ", rest)
    objects = _objects(rest)
    if not objects and not measure:
        return ()
    sure = _is_sure(objects, measure)
    if objects == ("kv",) and not measure:
        return (_concept("cache", "", per, sure=False),)
    if not objects or (not measure and objects[0] in _OF_PARAMETERS):
        objects, measure, per, passes = _from_context(objects, measure, per, passes, context)
    if not measure and objects and objects[0] not in _MEASURE_OF_OBJECT:
        measure = "parameters"
    if passes:
        per |= {passes}
    found = (_concept(thing, measure, per, sure=sure and not index, active=active) for index, thing in enumerate(_readings(objects, measure, active=active)))
    return tuple(dict.fromkeys(each for each in found if each is not None))


def _per(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in lexicon.PER if pattern.search(text))


def _objects(text: str) -> tuple[str, ...]:
    """The objects that a text speaks of; the model and its layers only where no part is named."""
    found, _ = lexicon.every(lexicon.OBJECTS, text)
    parts = tuple(each for each in found if each not in _WEAK)
    weak = tuple(each for each in reversed(_WEAK) if each in found)
    return parts or weak[:1]


def _is_sure(objects: tuple[str, ...], measure: str) -> bool:
    """Whether one object, and what is counted of it, are both said."""
    return len(objects) == 1 and objects[0] != "moe" and (bool(measure) or objects[0] in _MEASURE_OF_OBJECT)


def _from_context(
    objects: tuple[str, ...], measure: str, per: frozenset[str], passes: str, context: str
) -> tuple[tuple[str, ...], str, frozenset[str], str]:
    """What the context says where the label is silent."""
    objects = objects or _objects(context)[:1]
    measure = measure or lexicon.first(lexicon.MEASURES, context)
    passes = passes or (lexicon.first(lexicon.PASSES, context) if measure in ("flops", "macs") else "")
    return objects or ("model",), measure, per, passes


def _readings(objects: tuple[str, ...], measure: str, *, active: bool) -> tuple[str, ...]:
    """The objects that the words can stand for, more than one where they are vague."""
    first = objects[0]
    if first == "kv" and measure in ("bytes", "elements", ""):
        return ("cache",)
    if "activations" in objects and (part := next((each for each in ("attention", "ffn") if each in objects), None)):
        return (f"{part} activations",)
    if {"attention", "ffn"} <= set(objects):
        return ("block", *objects)
    if {"positions", "embedding"} <= set(objects):
        return ("embedding", "positions")
    if measure == "bytes" and first in ("model", "block"):
        return ("weights", "state", "cache")
    if first == "model" and measure == "parameters":
        return ("model", "block") if active else ("model", "non-embedding", "block")
    if first == "model" and measure in ("flops", "macs"):
        return ("model", "block")
    if first == "moe" and measure == "parameters":
        return ("moe", "block", "model")
    if first == "head" and measure == "parameters":
        return ("head", "o")
    return tuple(dict.fromkeys((*objects, *(_PARTS_OF[each] for each in objects if each in _PARTS_OF))))


_FOR_ACTIVE = {"model": "active model", "block": "active block", "experts": "active experts", "expert": "active experts", "moe": "active moe"}


def _concept(thing: str, measure: str, per: frozenset[str], *, sure: bool, active: bool = False) -> Concept:
    if thing == "model" and measure == "parameters" and not active:
        per = per - {"layer"}
    if active:
        thing = _FOR_ACTIVE.get(thing, thing)
    return titled(Concept("", _EMPTY, thing, measure, per, sure=sure))


def _with_hints(concept: Concept, label: str, context: str) -> Concept:
    """What label and context say of the kind of model; of the context only a width that it says alone."""
    text = _words(label)
    hints = {name for name, pattern in lexicon.HINTS if pattern.search(text)}
    widths = _widths(text) or _widths(_words(_plain(context)))
    if len(widths) == 1:
        hints |= {_width(concept, width) for width in widths}
    return replace(concept, hints=frozenset(hints)) if hints else concept


def _widths(text: str) -> set[str]:
    return {name for name, pattern in lexicon.WIDTHS if pattern.search(text)}


def _width(concept: Concept, width: str) -> str:
    return f"gradients in {width}" if concept.object == "gradients" else width


def known_objects() -> Iterable[str]:
    """Every object that a label can name."""
    return (name for name, _ in lexicon.OBJECTS)


from derive.check.concepts.titles import EMPTY as _EMPTY  # noqa: E402
