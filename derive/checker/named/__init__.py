"""A name and a formula: whether the formula is the quantity that the name or the words before it say it is."""

from derive.checker.finding import Ruling
from derive.checker.scope.scope import Scope
from derive.formula.tree import Formula
from derive.symbols import is_spelled_like_a_quantity

__all__ = ["is_own", "judge_named", "own_name"]

# The engine's own quantities are loaded only for a name or words that may be those of one.


def judge_named(label: str, context: str, formula: Formula, scope: Scope, *, loose: bool) -> Ruling | None:
    """The verdict on `label = formula`; None where the label names nothing that the engine knows, or nothing can be said."""
    from derive.checker.named import judging

    return judging.judge_named(label, context, formula, scope, loose=loose)


def own_name(label: str) -> str | None:
    """The engine's quantity of that name, whatever its case and the commas in its subscript."""
    wanted = label.replace(",", "_").replace("{", "").replace("}", "").replace(" ", "").lower()
    if not is_spelled_like_a_quantity(wanted):
        return None
    from derive.quantities import quantities

    return next((name for name in quantities() if name.lower() == wanted), None)


def is_own(name: str) -> bool:
    """Whether a name is spelled like one of the engine's quantities, and not like a letter that texts use for something else."""
    if not is_spelled_like_a_quantity(name) or name == "N_kv":
        return False
    from derive.quantities import quantities

    return name in quantities()
