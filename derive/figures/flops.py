"""Figures of compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from derive.architecture.component import Component
from derive.costs import over, whole
from derive.costs.flops import decode_flops, linear_flops, logits_flops, pair_flops, prefill_flops, token_flops, training_flops
from derive.costs.parameters import active_parameters, active_without_input_embedding, non_embedding, parameters
from derive.figures.figure import Figure
from derive.formula.numbers import significant
from derive.reading import ReadModel


def flops_figures(read: ReadModel, n: int) -> Iterator[Figure]:
    """Forward, prefill, decode and training at a context of n tokens, and the rule of thumb beside them."""
    model = read.numbers
    forward = whole(token_flops(model, n))

    def figure(name: str, value: Any, counts: str) -> Figure:
        return Figure(name, whole(value), "FLOPs", counts)

    yield figure("linear_per_token", over(model, linear_flops), "2 P_lin: the weights of the layers, chosen experts only")
    yield figure("attention_per_token", n * over(model, pair_flops), f"scores and values against all {n:,} tokens of the context")
    yield figure("logits_per_token", over(model, logits_flops), "2 d V, also when the head is tied; the input lookup is 0")
    yield figure("forward_per_token", forward, "the sum of the three; a multiply-add is 2")
    yield figure(
        "prefill",
        prefill_flops(model, n),
        f"one sequence of {n:,} tokens: every token against all, logits for each, as plain kernels compute it",
    )
    yield figure(
        "prefill_causal", prefill_flops(model, n, causal=True), "attention only to the tokens before and itself, and within the window"
    )
    yield figure("prefill_last_logits", prefill_flops(model, n, logits=1), "logits for the last token only, as serving engines compute it")
    yield figure("decode", decode_flops(model, n), f"one new token at a context of {n:,} tokens, windows observed" + _absorbed(read))
    yield figure("train_per_token", training_flops(forward), "3 times forward: the backward pass costs 2")
    yield figure(
        "train_per_token_recomputed", training_flops(forward, recomputed=True), "4 times forward: full recomputation of activations"
    )
    yield from _rule_of_thumb(read, 3 * forward)


def _absorbed(read: ReadModel) -> str:
    latent = any(component.context and component.context.absorbed for _, component in read.numbers.components)
    return "; latent attention on the compressed cache (absorbed)" if latent else ""


def _rule_of_thumb(read: ReadModel, exact: int) -> Iterator[Figure]:
    """6N for each N that people mean, and how far it is from the exact training FLOPs."""
    readings: tuple[tuple[str, Callable[[Component], Any], str], ...] = (
        ("total", parameters, "all stored parameters"),
        ("active", active_parameters, "active parameters, both ends of the vocabulary in"),
        ("active_without_input_embedding", active_without_input_embedding, "active parameters without the lookup"),
        ("non_embedding", non_embedding, "stored parameters without embedding and head"),
    )
    for name, cost, meaning in readings:
        value = 6 * whole(over(read.numbers, cost))
        error = Fraction(value - exact, exact) * 100
        yield Figure(f"6N_{name}", value, "FLOPs", f"rule of thumb with N = {meaning}: {significant(error)} % off train_per_token")
