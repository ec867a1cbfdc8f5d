"""From a model type to its proved form."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import transformers

from derive.atlas.form import Form
from derive.atlas.expression import names_in
from derive.tracing.building import other_names
from derive.tracing.defaults import rules
from derive.tracing.learning import Learner, NotRecognised
from derive.tracing.proving import difference
from derive.tracing.sampling import Sample, Sampler

FIRST = 60
"""Samples that a form is learned from at first."""
FRESH = 60
"""Samples in a row that a form has to agree with before it counts as proved."""
ROUNDS = 12
"""How often a form is learned again with the samples that it was wrong about."""


def trace(model_type: str, seed: int = 1) -> Form:
    """The closed form of a model type, proved on fresh odd configurations. Raises `NotRecognised`, which names what is not explained."""
    sampler = Sampler(model_type, seed)
    pool: list[Sample] = [sampler.start, sampler.small, *sampler.samples(FIRST)]
    doubt = ""
    for _ in range(ROUNDS):
        form = learned(sampler, pool)
        wrong: list[Sample] = [sample for sample in pool if difference(form, sample)]
        if wrong:
            raise NotRecognised(f"the form is wrong about what it was learned from: {difference(form, wrong[0])}")
        fresh = list(sampler.samples(FRESH))
        wrong = [sample for sample in fresh if difference(form, sample)]
        if not wrong:
            return form
        doubt = str(difference(form, wrong[0]))
        pool += wrong
    raise NotRecognised(f"after {ROUNDS} rounds fresh configurations still differ: {doubt}")


def learned(sampler: Sampler, samples: Sequence[Sample]) -> Form:
    """The form that explains the samples."""
    learner = Learner(samples)
    tensors = learner.filling(learner.tensors())
    texts = [*learner.repeated.values(), *(text for tensor in tensors for text in (*tensor.lengths, tensor.condition) if text)]
    needed = frozenset().union(*(names_in(text) for text in texts))
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
        about=f"transformers {transformers.__version__}, torch {torch.__version__}",
        words=other_names(sampler.model_type),
        missing=found.missing,
        null=found.null,
        replaced=found.replaced,
        always=found.always,
        values=words,
        fixed={},
        repeated=learner.repeated,
        tensors=tensors,
    )


def _words(value: object) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    return [word for word in listed if isinstance(word, str) and len(word) < 60]
