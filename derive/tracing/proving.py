"""A form against fresh real models: the total and the shape of every tensor."""

from __future__ import annotations

from derive.atlas.completing import Completed, IncompleteError
from derive.atlas.expression import holds
from derive.atlas.form import Form
from derive.atlas.tensors import OutsideError, placed
from derive.tracing.sampling import Sample, Sampler


def difference(form: Form, sample: Sample) -> str | None:
    """What the form says differently of a sample, by the first tensor; None where it agrees.

    The form sees what was given, then the configuration as the implementation completed it, and as it would write it.
    """
    for given in (sample.given, sample.built.fields, sample.built.written):
        try:
            found = _difference(form, given, sample)
        except OutsideError:
            return None
        except IncompleteError as error:
            found = str(error)
        if found:
            return found
    return None


def _difference(form: Form, given: dict[str, object], sample: Sample) -> str | None:
    said: dict[tuple[str, tuple[int, ...]], dict[tuple[int, ...], int]] = {}
    for tensor in placed(form, Completed(form, given)):
        for place in tensor.places:
            said.setdefault((tensor.form.name, place), {})[tensor.shape] = tensor.copies
    real: dict[tuple[str, tuple[int, ...]], dict[tuple[int, ...], int]] = {}
    for name, places in sample.built.tensors.items():
        for place, found in places.items():
            counted = real.setdefault((name, place[:1]), {})
            counted[found.shape] = counted.get(found.shape, 0) + 1
    for key in dict.fromkeys((*real, *said)):
        if said.get(key) != real.get(key):
            return f"{key[0]} {key[1]}: the form says {said.get(key)}, the model has {real.get(key)}"
    return None


def covers(form: Form, sample: Sample) -> bool:
    """Whether a form says anything about a sample."""
    return all(holds(condition, sample.built.fields) for condition in form.requires)


def disagreement(form: Form, seed: int, count: int = 20) -> str:
    """The first difference between a form and so many fresh real models; empty where there is none.

    A configuration that the form refuses is no difference, unless it refuses most.
    """
    refused = 0
    for sample in Sampler(form.model_type, seed).samples(count):
        for given in (sample.given, sample.built.fields, sample.built.written):
            try:
                found = _difference(form, given, sample)
            except IncompleteError:
                refused += 1
            else:
                if found:
                    return found
    return "it refuses most configurations" if refused > 1.5 * count else ""
