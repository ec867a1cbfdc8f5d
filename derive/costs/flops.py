"""Floating-point operations of a forward pass; a multiply-add is 2.

Counted is every matrix product that really runs. Not counted: lookups, norms, biases, softmax, rotations, activations.
"""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import Context
from derive.architecture.model import Model
from derive.architecture.tensor import Use
from derive.costs import over
from derive.costs.parameters import linear_parameters, sizes
from derive.errors import ConfigError
from derive.formula.tree import Dim, Formula


def linear_flops(component: Component) -> Dim:
    """The products of one token with the weights of the layers [FLOPs per token]: 2 P_lin.

    Counts   chosen and shared experts, and the whole router.
    """
    return 2 * linear_parameters(component)


def logits_flops(component: Component) -> Dim:
    """The product of one token with the output matrix [FLOPs per token]: 2 d V, also where it is tied."""
    return 2 * sizes(component, Use.OUTPUT)


def pair_flops(component: Component) -> Dim:
    """Scores and values of one query token and one context token [FLOPs]: 4 d_q for ordinary attention."""
    return _pair(component.context) if component.context else 0


def prefill_flops(model: Model, n: Dim, *, causal: bool = False, logits: Dim | None = None) -> Dim:
    """The forward pass over a sequence of n tokens [FLOPs].

    Counts   attention of every token to all n, as a plain kernel computes it; with `causal` only to the tokens that it sees,
             n (n + 1) / 2 pairs, fewer under a window. Logits for all n tokens, or for as many as `logits` says.
    Raises   `ConfigError` where layers compute what is not counted; so do `decode_flops` and `token_flops`.
    """
    require_counted(model)
    asked = n if logits is None else logits
    return (
        n * over(model, linear_flops)
        + over(model, lambda component: _context_flops(component, n, causal=causal))
        + asked * over(model, logits_flops)
    )


def decode_flops(model: Model, n: Dim, *, absorbed: bool = True) -> Dim:
    """The forward pass of one new token at a context of n tokens, itself among them [FLOPs].

    Counts   attention to the n tokens, or to the window. Latent attention works on the compressed cache; with
             `absorbed` off, on expanded keys and values that were kept.
    """
    require_counted(model)
    return (
        over(model, linear_flops)
        + over(model, lambda component: _decode_context(component, n, absorbed=absorbed))
        + over(model, logits_flops)
    )


def token_flops(model: Model, n: Dim) -> Dim:
    """The forward pass, per token of a sequence of n tokens, each attending to all n [FLOPs per token]."""
    require_counted(model)
    return over(model, linear_flops) + over(model, lambda component: n * pair_flops(component)) + over(model, logits_flops)


def uncounted(model: Model) -> str:
    """Why the forward pass of a model is not counted: it has layers whose FLOPs between tokens are not known; empty if it is."""
    reasons = (component.context.uncounted for _, component in model.components if component.context)
    return next((reason for reason in reasons if reason), "")


def require_counted(model: Model) -> None:
    """`ConfigError` where the forward pass of a model is not counted."""
    reason = uncounted(model)
    if reason:
        raise ConfigError(f"{model.name}: the FLOPs of a forward pass are not counted: {reason}")


def training_flops(forward: Dim, *, recomputed: bool = False) -> Dim:
    """Forward and backward from the FLOPs of the forward pass: 3 times, 4 times where activations are recomputed in full.

    Source   Narayanan et al. 2021, arXiv:2104.04473, section 5.1 and appendix.
    """
    return (4 if recomputed else 3) * forward


def seen_pairs(n: Dim, window: Dim | None = None) -> Dim:
    """Pairs of a query token and a token that it sees, itself among them, in a causal sequence of n tokens.

    n (n + 1) / 2; under a window of w ≤ n tokens n w - w (w - 1) / 2.
    """
    if window is None:
        return _half(n * (n + 1))
    w = bounded(window, n)
    return n * w - _half(w * (w - 1))


def bounded(window: Dim, n: Dim) -> Dim:
    """The smaller of window and context. As a formula it is the window: closed forms take the context to be the longer."""
    if isinstance(window, Formula) or isinstance(n, Formula):
        return window
    smaller: Dim = window * (window <= n) + n * (window > n)  # for arrays as well
    return smaller


def _half(even: Dim) -> Dim:
    """Half of a number that is even, or of a formula."""
    return even / 2 if isinstance(even, Formula) else even // 2


def _context_flops(component: Component, n: Dim, *, causal: bool) -> Dim:
    if component.context is None:
        return 0
    pairs = seen_pairs(n, component.context.reach) if causal else n * n
    return pairs * _pair(component.context)


def _decode_context(component: Component, n: Dim, *, absorbed: bool) -> Dim:
    context = component.context
    if context is None:
        return 0
    used = context.absorbed if absorbed and context.absorbed else context
    return (n if context.reach is None else bounded(context.reach, n)) * _pair(used)


def _pair(context: Context) -> Dim:
    return 2 * (context.scores + context.values)
