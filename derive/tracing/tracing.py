"""From a model type to its proved form."""

from __future__ import annotations

import json
from collections.abc import Sequence

import torch
import transformers

from derive.atlas.expression import names_in
from derive.atlas.form import Form
from derive.atlas.layered import own_path
from derive.atlas.model import CHOSEN
from derive.tracing.configurations import Fields, other_names
from derive.tracing.defaults import rules
from derive.tracing.explaining import NotRecognisedError
from derive.tracing.learning import Learner
from derive.tracing.proving import covers, difference
from derive.tracing.sampling import Sample, Sampler, proportions

FIRST = 45
"""Samples that a form is learned from at first."""
FRESH = 45
"""Samples in a row that a form has to agree with before it counts as proved."""
REWRITTEN = 16
"""Of how many the configuration is read back as it is written."""
ROUNDS = 12
"""How often a form is learned again with the samples that it was wrong about."""


def trace(model_type: str, seed: int = 1) -> Form:
    """The closed form of a model type, proved on fresh odd configurations.

    Raises `NotRecognisedError`, which names what is not explained.
    """
    sampler = Sampler(model_type, seed)
    pool: list[Sample] = [sampler.start, sampler.small, *sampler.samples(FIRST)]
    pool += as_written(sampler, pool[:REWRITTEN])
    doubt: str | None = ""
    for _ in range(ROUNDS):
        form = learned(sampler, pool)
        doubts = [difference(form, sample) for sample in pool]
        wrong = [sample for sample, found in zip(pool, doubts, strict=True) if found]
        if wrong:  # rules are learned from a few samples: next time from these
            pool = [sample for sample, found in zip(pool, doubts, strict=True) if not found] + wrong
        else:
            fresh = [sample for sample in sampler.samples(FRESH) if covers(form, sample)]
            wrong = [sample for sample in fresh if difference(form, sample)]
            if not wrong and len(fresh) > FRESH // 2:
                return form
            pool += wrong
        doubt = difference(form, wrong[0]) if wrong else "too few configurations that the form covers"
    raise NotRecognisedError(f"after {ROUNDS} rounds configurations still differ: {doubt}")


def as_written(sampler: Sampler, samples: Sequence[Sample]) -> list[Sample]:
    """The models of configurations as the implementation writes them, where it writes something else than it has."""
    differing = [one for one in samples if any(one.built.fields.get(path) != value for path, value in one.built.written.items())]
    return [found for one in differing if (found := sampler.attempt(one.built.written)) is not None]


def learned(sampler: Sampler, samples: Sequence[Sample]) -> Form:
    """The form that explains the samples."""
    learner = Learner(samples)
    tensors = learner.filling(learner.tensors())
    texts = [*learner.repeated.values(), *(text for tensor in tensors for text in (*tensor.lengths, tensor.condition) if text)]
    chosen = (path for path in learner.fields[0] if path in CHOSEN or path.rpartition(".")[2] in CHOSEN)
    needed = frozenset(chosen).union(*(names_in(text) for text in texts))
    needed |= {own_path(path) for path in needed} & learner.fields[0].keys()
    found = rules(sampler.model_type, samples, sorted(needed), sampler.optional)
    for path, rule in learner.filled.items():
        found.null[path] = rule
        found.missing[path] = rule if found.missing.get(path, "None") == "None" else found.missing[path]
    words = {
        path: tuple(sorted(seen))
        for path in (*found.missing, *found.always)
        if (seen := {word for fields in learner.fields for word in _words(fields.get(path))})
    }
    return Form(
        model_type=sampler.model_type,
        about=f"traced from transformers {transformers.__version__} and torch {torch.__version__.partition('+')[0]}",
        words=other_names(sampler.model_type),
        missing=found.missing,
        null=found.null,
        replaced=found.replaced,
        always=found.always,
        values=words,
        kept=kept(samples, learner.fields, needed, sampler),
        ignored=tuple(sorted(learner.fields[0].keys() - needed - found.missing.keys() - found.always.keys())),
        requires=(*learner.requires, *(f"{path} <= {limit}" for path, limit in proportions(learner.fields[0]) if path in needed)),
        repeated=learner.repeated,
        tensors=tensors,
    )


def kept(samples: Sequence[Sample], fields: Sequence[Fields], needed: frozenset[str], sampler: Sampler) -> dict[str, str]:
    """The fields that had one value in all samples, though another might mean other tensors, as JSON."""
    found: dict[str, str] = {}
    for path, value in fields[0].items():
        decides = (
            isinstance(value, bool | list) or (isinstance(value, int) and path in needed) or len(sampler.alternatives.get(path, ())) > 1
        )
        constant = all(one[path] == value for one in fields) and all(sample.given.get(path, value) == value for sample in samples)
        if decides and constant and value not in (None, []):
            found[path] = json.dumps(value)
    return found


def _words(value: object) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    return [word for word in listed if isinstance(word, str) and len(word) < 60]
