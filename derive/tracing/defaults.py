"""How a configuration is completed: what each field is when it is missing, null, or given in another way.

Learned from the configuration class alone, which is quick: no model is built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from derive.atlas.completing import GIVEN, NUMBER, nested
from derive.atlas.expression import names_in
from derive.atlas.layered import KEY, is_own
from derive.tracing.configurations import Fields, config_class, configured_traced, further_names, own_defaults
from derive.tracing.deciding import Conditions, Row, bits
from derive.tracing.explaining import NotRecognisedError, explained
from derive.tracing.sampling import REFUSED, Sample

_FEW = 10
"""Samples that rules are learned from: the first ones, and the last, which an earlier form was wrong about."""


@dataclass(slots=True)
class Rules:
    """Rules by path, as `derive.atlas.form.Form` has them."""

    missing: dict[str, str] = field(default_factory=dict)
    null: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, dict[str, str]] = field(default_factory=dict)
    always: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Case:
    """A completed configuration: the other fields, what one field became, and from what expression."""

    fields: Fields
    given: Any
    became: Any
    source: Any


def rules(model_type: str, samples: Sequence[Sample], names: Iterable[str], optional: frozenset[str]) -> Rules:
    """The rules of these fields and of all those that the rules need. Raises `NotRecognisedError`."""
    learned = Rules()
    waiting = list(dict.fromkeys(names))
    done: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in done:
            continue
        done.add(path)
        for rule in _learn(model_type, samples, path, path in optional, learned):
            waiting += [name for name in names_in(rule) if name not in done]
    return learned


def _learn(model_type: str, samples: Sequence[Sample], path: str, optional: bool, learned: Rules) -> list[str]:
    """The rules of one field, added to what is learned."""
    if path.startswith(GIVEN):
        learned.missing[path] = repr(own_defaults(model_type)[path.removeprefix(GIVEN)])
        return []
    if path in further_names(model_type) and not all(path in sample.built.fields for sample in samples):
        learned.missing[path] = repr(further_names(model_type)[path])  # it is as it was given
        return []
    given_cases = list(_cases(model_type, samples, path, "given"))
    changed = [case for case in given_cases if case.became != case.given]
    if changed:
        numbers = [case for case in given_cases if isinstance(case.given, int) and not isinstance(case.given, bool)]
        if all(isinstance(case.became, list) for case in changed) and all(isinstance(case.given, int) for case in changed):
            learned.replaced.setdefault(path, {})[NUMBER] = _rule(path, numbers, own=True)
        elif all(isinstance(case.given, str) for case in changed) and any(not isinstance(case.became, str) for case in changed):
            for word in sorted({case.given for case in changed}):
                learned.replaced.setdefault(path, {})[word] = _rule(path, [case for case in changed if case.given == word])
        else:
            learned.always[path] = _rule(path, given_cases, own=True)
            if path not in names_in(learned.always[path]):
                return [learned.always[path]]
    missing = list(_cases(model_type, samples, path, "missing"))
    if missing:
        learned.missing[path] = _rule(path, missing)
    null = list(_cases(model_type, samples, path, "null")) if optional or path not in learned.missing else []
    if null and any(case.became is not None for case in null):
        learned.null[path] = _rule(path, null)
    found = [rules[path] for rules in (learned.missing, learned.null, learned.always) if path in rules]
    return [*found, *learned.replaced.get(path, {}).values()]


def _cases(model_type: str, samples: Sequence[Sample], path: str, how: str) -> Iterable[_Case]:
    """Configurations with the field given, missing or null; the others as they were given, or all of them as they were completed."""
    outer, dot, _ = path.rpartition(".")
    dictionary = f"{outer}." if dot and outer not in _inner_classes(model_type) else ""
    for sample in (*samples[:_FEW], *samples[max(_FEW, len(samples) - _FEW) :]):
        for others in (sample.given, sample.built.fields):
            given = {name: value for name, value in others.items() if name != path and not name.startswith(path + ".")}
            if how == "missing" and dictionary:
                given = {name: value for name, value in given.items() if not name.startswith(dictionary)}
            mine = sample.built.fields.get(path) if how == "given" and others is sample.built.fields else others.get(path)
            if how == "given" and mine is None:
                continue
            if how != "missing":
                given[path] = mine if how == "given" else None
            try:
                fields, sources = configured_traced(model_type, nested(given))
            except REFUSED:
                continue
            taken = {name: given.get(name, default) for name, default in further_names(model_type).items()}
            yield _Case({**fields, **taken, **_as_given(model_type, given)}, given.get(path), _became(fields, path), sources.get(path))


def _as_given(model_type: str, given: Fields) -> Fields:
    """The fields of the class as they were given, or as the class has them, before they were completed."""
    return {f"{GIVEN}{name}": given[name] if given.get(name) is not None else default for name, default in own_defaults(model_type).items()}


def _became(fields: Fields, path: str) -> Any:
    """What a field became; of the layers' own values, where there are none, a list of nothing."""
    if is_own(path) and fields.get(path) is None:
        count = fields.get(f"{path.partition(KEY)[0]}num_hidden_layers")
        return [None] * count if isinstance(count, int) else None
    return fields.get(path)


def _inner_classes(model_type: str) -> frozenset[str]:
    """The fields that are configurations of their own, with defaults of their own, by path; other dictionaries are all or nothing."""
    inner = getattr(config_class(model_type), "sub_configs", None) or {}
    return frozenset(inner) | {f"{name}.{deeper}" for name, cls in inner.items() for deeper in getattr(cls, "sub_configs", None) or {}}


def _rule(path: str, cases: Sequence[_Case], *, own: bool = False) -> str:
    """What the field became, in the other fields; with `own` also in what was given for it."""
    rows: list[Row] = []
    names = dict.fromkeys(name for case in cases for name in case.fields)
    for case in cases:
        fields = {name: case.fields.get(name) for name in names if name not in (path, f"{GIVEN}{path}")}
        if own and not isinstance(case.became, list):  # lists are completed from sizes, not sizes from lists
            fields = {name: value for name, value in fields.items() if name.startswith(GIVEN) or not isinstance(value, list)}
        rows.append(({**fields, path: case.given} if own else fields, ()))
    became = [case.became for case in cases]
    if len({repr(value) for value in became}) == 1:
        return repr(became[0])
    if any(isinstance(value, list) for value in became):
        return _list_rule(path, rows, became, [case.source for case in cases])
    sources = [case.source if isinstance(case.source, str) and _known(case.source, rows[0][0]) else None for case in cases]
    sources += [repr(value) for value in became if not isinstance(value, list)]
    return explained(path, rows, became, sources)


def _known(source: str, fields: Mapping[str, Any]) -> bool:
    return names_in(source) <= fields.keys()


def _list_rule(path: str, rows: Sequence[Row], lists: Sequence[Any], sources: Sequence[Any]) -> str:
    """A list by its elements; where it stays null nothing is made of it."""
    kept = [index for index, value in enumerate(lists) if isinstance(value, list)]
    rows, lists, sources = [rows[index] for index in kept], [lists[index] for index in kept], [sources[index] for index in kept]
    chosen = _chosen_places(rows, lists)
    if chosen:
        return chosen
    count = explained(f"len({path})", rows, [len(value) for value in lists], ())
    places: list[Row] = []
    elements: list[Any] = []
    origins: list[str | None] = []
    for (fields, _), value, source in zip(rows, lists, sources, strict=True):
        for index, element in enumerate(value):
            places.append((fields, (index,)))
            elements.append(element)
            origin = source[index] if isinstance(source, list) and index < len(source) else None
            origins.append(origin.replace(f"[{index}]", "[i]") if isinstance(origin, str) else None)
    if not places:
        return "[]"
    words = sorted({repr(element) for element in elements if element is None or isinstance(element, str | bool)})
    if len(words) > 1 and all(element is None or isinstance(element, str | bool) for element in elements):
        return f"[{_words(path, places, elements, words, count)} for i in range({count})]"
    own = [repr(element) for element in elements if not isinstance(element, list)]
    return f"[{explained(path, places, elements, [*origins, *dict.fromkeys(own)], count)} for i in range({count})]"


def _chosen_places(rows: Sequence[Row], lists: Sequence[list[Any]]) -> str | None:
    """`[i for i in range(layers) if condition]`, for lists of layers."""
    if any(isinstance(one, bool) or not isinstance(one, int) for listed in lists for one in listed) or any(
        sorted(set(one)) != one for one in lists
    ):
        return None
    for name in (name for name in rows[0][0] if "layers" in name):
        counts = [fields.get(name) for fields, _ in rows]
        if all(isinstance(count, int) and all(one < count for one in listed) for count, listed in zip(counts, lists, strict=True)):
            places = [
                ((fields, (index,)), index in listed)
                for (fields, _), listed in zip(rows, lists, strict=True)
                for index in range(fields[name])
            ]
            conditions = Conditions([row for row, _ in places], name)
            present = bits(found for _, found in places)
            condition = conditions.separating(present, present)
            if condition is not None:
                return f"[i for i in range({name}){f' if {condition}' if condition else ''}]"
    return None


def _words(path: str, rows: Sequence[Row], elements: Sequence[Any], words: Sequence[str], count: str) -> str:
    """`'a' if condition else 'b'`."""
    conditions = Conditions(rows, count)
    texts = [repr(element) for element in elements]
    by_number = sorted(words, key=texts.count)
    left = conditions.everywhere
    chosen = ""
    for word in by_number[:-1]:
        at = bits(text == word for text in texts)
        condition = conditions.separating(at, at | ~left & conditions.everywhere)
        if not condition:
            raise NotRecognisedError(f"where {path} has {word}")
        chosen += f"{word} if {condition} else "
        left &= ~at
    return chosen + by_number[-1]
