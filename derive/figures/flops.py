"""Figures of compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from derive.architecture.component import Component
from derive.costs import over, whole
from derive.costs.flops import decode_flops, linear_flops, logits_flops, pair_flops, prefill_flops, token_flops, training_flops, uncounted
from derive.costs.parameters import (
    active_non_embedding,
    active_parameters,
    active_without_input_embedding,
    non_embedding,
    parameters,
)
from derive.figures.figure import Figure
from derive.reading import ReadModel


def flops_figures(read: ReadModel, n: int) -> Iterator[Figure]:
    """Forward, prefill, decode and training at a context of n tokens, and the rule of thumb beside them."""
    model = read.numbers

    def figure(name: str, value: Any, counts: str) -> Figure:
        return Figure(name, whole(value), "FLOPs", counts)

    experts = ", of the experts only those chosen" if "E" in read.sizes else ""
    windows = ", within the window in sliding layers" if "w" in read.sizes else ""
    yield figure("linear_per_token", over(model, linear_flops), f"2 P_lin: the weights of the layers{experts}")
    yield figure("attention_per_token", n * over(model, pair_flops), f"scores and values against all {n:,} tokens")
    yield figure("logits_per_token", over(model, logits_flops), "2 d V, also when the head is tied; the input lookup is 0")
    if uncounted(model):
        yield from _not_counted(uncounted(model))
        return
    forward = whole(token_flops(model, n))
    yield figure("forward_per_token", forward, "the sum of the three; a multiply-add is 2")
    yield figure("prefill", prefill_flops(model, n), f"{n:,} tokens, each against all (plain kernels), logits for each")
    yield figure("prefill_causal", prefill_flops(model, n, causal=True), f"each token against itself and earlier ones{windows}")
    last = prefill_flops(model, n, causal=True, logits=1)
    yield figure("prefill_causal_last_logits", last, "the same, logits for the last token only: what serving needs")
    yield figure("decode", decode_flops(model, n), f"one new token at a context of {n:,}{windows}{_absorbed(read)}")
    yield figure("train_per_token", training_flops(forward), "3 times forward_per_token: the backward pass costs 2")
    yield figure("train_per_token_recomputed", training_flops(forward, recomputed=True), "4 times: activations recomputed")
    yield from _rule_of_thumb(read, 3 * forward)


def _not_counted(reason: str) -> Iterator[Figure]:
    """What a forward pass adds up to, where a part of it is not known."""
    for name in ("forward_per_token", "prefill", "prefill_causal", "decode", "train_per_token"):
        yield Figure(name, "not counted", "", reason)


def _absorbed(read: ReadModel) -> str:
    latent = any(component.context and component.context.absorbed for _, component in read.numbers.components)
    return "; latent attention on the compressed cache (absorbed)" if latent else ""


def _rule_of_thumb(read: ReadModel, exact: int) -> Iterator[Figure]:
    """6N for each N that people mean, and how far it is from the exact training FLOPs."""
    readings: tuple[tuple[str, Callable[[Component], Any], str], ...] = (
        ("total", parameters, "all stored parameters"),
        ("active", active_parameters, "active parameters, both ends of the vocabulary in"),
        ("active_no_lookup", active_without_input_embedding, "active parameters without the lookup"),
        ("active_no_embedding", active_non_embedding, "active parameters without embedding and head"),
        ("no_embedding", non_embedding, "stored parameters without embedding and head"),
    )
    for name, cost, meaning in readings:
        value = 6 * whole(over(read.numbers, cost))
        yield Figure(f"rule_6N_{name}", value, "FLOPs", f"rule of thumb, N = {meaning}")
        error = float(round(Fraction(value - exact, exact) * 100, 4))
        yield Figure(f"rule_6N_{name}_error", error, "%", "off train_per_token")
