"""Where one cost overtakes another: attention and the linear layers, attention and feed-forward, the ends of the model."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.calculus.inverse import solve
from derive.calculus.subject import subject
from derive.conditions import read_conditions
from derive.costs import over, whole
from derive.costs.flops import linear_flops, pair_flops, require_counted
from derive.derivation import Derivation, begin, expanded, given
from derive.errors import ConfigError, UndecidedError
from derive.formula.tidy import divide
from derive.formula.tree import Quotient
from derive.text import Text


def ratio(above: str, below: str, conditions: str | None = None) -> Derivation:
    """One quantity over another, multiplied out, and with conditions put in."""
    of, to = subject(above), subject(below)
    closed = Text("closed forms", "闭式")
    derived = begin(Quotient(of.asked, to.asked), divide(of.closed, to.closed), closed).then(expanded())
    return derived.then(given(read_conditions(conditions)), expanded()) if conditions else derived


def general(share: Fraction | None = None) -> tuple[Derivation, ...]:
    """The crossovers as formulas.

    Feed-forward over attention, also in the textbook block, where it is 2; the context at which attention to all of it
    costs as much as the linear layers; a router over its experts; and the depth from which embedding and head are less than
    a share of the whole.
    """
    found = (
        ratio("P_ffn", "P_attn", "d_q=d, d_kv=d, m=8*d/3"),
        *solve("F_attn = F_lin", "n").closed,
        ratio("P_router", "E*P_expert"),
    )
    if share is None:
        return found
    depth = solve(f"c*V*d = {share.numerator}/{share.denominator}*P_total", "L").closed
    return (*found, *depth)


def overtaking_context(model: Model) -> Fraction:
    """The context at which attention of one token costs what the linear layers do [tokens], windows counted as they are.

    Counts   one query token, attending to all of the context or to the window; no logits.
    Raises `UndecidedError` where every layer has a window and attention never gets there, `ConfigError` where layers have no
    attention but a recurrence, or it is not known what their attention computes.
    """
    require_counted(model)
    if not any(component.context for _, component in model.components):
        raise ConfigError(f"{model.name}: what the attention of this family keeps and computes is not known")
    linear = whole(over(model, linear_flops))
    pairs = [(whole(layers * pair_flops(component)), _window(component)) for layers, component in model.components if component.context]
    for end in sorted({window for _, window in pairs}):  # between two windows the cost is linear in the context
        growing = sum(cost for cost, window in pairs if window >= end)
        settled = sum(cost * int(window) for cost, window in pairs if window < end)
        reached = Fraction(linear - settled, growing)
        if reached <= end:
            return reached
    raise UndecidedError("attention never costs what the linear layers do: every layer has a window")


def _window(component: Component) -> float:
    """How far back attention looks [tokens]; infinite where it has no window."""
    window = component.context.window if component.context else None
    return inf if window is None else whole(window)
