"""The stored tensors beside the closed form, part by part."""

from __future__ import annotations

from collections.abc import Mapping

from derive.architecture.tensor_names import CORRECTION, PARTS, ROUTER
from derive.checkpoints.counted import PartCount
from derive.checkpoints.misfits import (
    NOT_OF_THE_MODEL,
    NOT_PARAMETERS,
    PACKED,
    TIED,
    Misfit,
    expected_tensors,
    leftovers,
    vocabulary_misfits,
)
from derive.checkpoints.packed import Weights
from derive.checkpoints.parts import part_of_component
from derive.counting import Count
from derive.reading import ReadModel


def rows(parts: Mapping[str, list[Weights]], count: Count | None) -> tuple[PartCount, ...]:
    """Every part that is stored or in the closed form, in the order of `PARTS`."""
    forms = closed_forms(count)
    rows = []
    for name in PARTS:
        stored = parts.get(name, [])
        if name in NOT_PARAMETERS or not (stored or name in forms):
            continue
        closed, formula = forms.get(name, (0 if count and name not in NOT_OF_THE_MODEL else None, ""))
        parameters, size = sum(each.elements or 0 for each in stored), sum(each.tensor.bytes for each in stored)
        rows.append(PartCount(name, parameters, closed, formula, len(stored), size))
    return tuple(rows)


def closed_forms(count: Count | None) -> dict[str, tuple[int, str]]:
    """The closed form by part: its number and its formula."""
    found: dict[str, tuple[int, str]] = {}
    for component in count.components if count else ():
        part = part_of_component(component.name)
        number, formula = found.get(part, (0, ""))
        found[part] = number + component.parameters, f"{formula} + {component.formula.text}" if formula else component.formula.text
    return found


def with_correction(parts: dict[str, list[Weights]], count: Count | None) -> dict[str, list[Weights]]:
    """The parts; the routing correction is the router's where the closed form counts it among its parameters."""
    correction, router = parts.get(CORRECTION, []), parts.get(ROUTER, [])
    together = sum(each.elements or 0 for each in (*correction, *router))
    if correction and closed_forms(count).get(ROUTER, (0, ""))[0] == together:
        return {name: each for name, each in parts.items() if name != CORRECTION} | {ROUTER: router + correction}
    return parts


def compared(parts: Mapping[str, list[Weights]], read: ReadModel, count: Count) -> tuple[list[Misfit], tuple[str, ...]]:
    """What does not fit the closed form, and what is to be said of parts that differ by their names only."""
    found = vocabulary_misfits(parts, read)
    rest = _differences(parts, found, count)
    found = [each for each in found if each.kind == TIED or each.part not in rest]  # listed whole below
    rest = _differences(parts, found, count)
    if PACKED in parts or not rest:
        return found, ()
    total = sum(rest.values())
    if total == 0:
        return found, (f"Differ one by one, but agree together: {', '.join(f'{name} ({each:+,})' for name, each in rest.items())}.",)
    named = {component.name: part_of_component(component.name) for _, component in read.numbers.components}
    doubled = {group.pattern for each in found for group in each.groups if each.kind == TIED}
    stored = [each for part in rest for each in parts.get(part, ()) if each.tensor.name not in doubled]
    return found + leftovers(stored, expected_tensors(read, rest, named), total), ()


def _differences(parts: Mapping[str, list[Weights]], misfits: list[Misfit], count: Count) -> dict[str, int]:
    """By part, what is stored over the closed form and not explained; only parts where that is not zero."""
    forms = closed_forms(count)
    rest = {}
    for name in PARTS:
        if name in (*NOT_PARAMETERS, *NOT_OF_THE_MODEL):
            continue
        stored = sum(each.elements or 0 for each in parts.get(name, ()))
        explained = sum(misfit.parameters for misfit in misfits if misfit.part == name)
        difference = stored - explained - forms.get(name, (0, ""))[0]
        if difference:
            rest[name] = difference
    return rest
