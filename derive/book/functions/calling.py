"""How templates call functions: what they hand over is bound to the signature and looked at before anything is worked out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import update_wrapper
from inspect import Parameter, Signature
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from jinja2 import Undefined

from derive.errors import ChapterError

_WANTED: Mapping[Any, str] = {
    str: "a text in quotes",
    int: "a whole number, 1 or more",
    bool: "true or false",
    Sequence[str]: 'a list of texts, as in ("one", "two") or ("one",)',
    Sequence[int]: "a list of whole numbers, 1 or more, as in (8, 16) or (8,)",
}
"""What a template hands over, by the type in the signature. Whole numbers count things, so that none is below 1."""
_LONGEST = 40


class Function:
    """A function of templates; a call that does not fit its signature is a `ChapterError` that names it and what it takes."""

    def __init__(self, name: str, function: Callable[..., str]) -> None:
        update_wrapper(self, function)
        self._name, self._function = name, function

    def __call__(self, *given: Any, **named: Any) -> str:
        signature = inspect.signature(self._function, eval_str=True)
        try:
            bound = signature.bind(*given, **named)
        except TypeError as error:
            raise self._misused(str(error)) from None
        for name, parameter in signature.parameters.items():
            if name in bound.arguments or parameter.kind is Parameter.VAR_POSITIONAL:
                reason = _misfit(parameter, bound.arguments.get(name, ()))
                if reason:
                    raise self._misused(reason)
        try:
            return self._function(*given, **named)
        except ZeroDivisionError:
            raise ChapterError(f"{self._name}() divides by zero here") from None

    def __repr__(self) -> str:
        signature = inspect.signature(self._function)
        bare = [each.replace(annotation=Parameter.empty) for each in signature.parameters.values()]
        return f"{self._name}{Signature(bare)}"

    def __str__(self) -> str:
        raise ChapterError(f"{self._name} is a function: call it, as {self!r}; see docs/functions.md")

    def _misused(self, reason: str) -> ChapterError:
        return ChapterError(f"{self!r}: {reason}; see docs/functions.md")


def _misfit(parameter: Parameter, value: Any) -> str:
    """What is wrong with an argument; empty if nothing is."""
    if parameter.kind is Parameter.VAR_KEYWORD:
        return _unknown_option(get_type_hints(get_args(parameter.annotation)[0]), value)
    values = value if parameter.kind is Parameter.VAR_POSITIONAL else (value,)
    if not values:
        return f"{parameter.name}: none is named"
    wrong = [each for each in values if not _fits(each, parameter.annotation)]
    return _said(parameter.name, parameter.annotation, wrong[0]) if wrong else ""


def _unknown_option(known: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """What is wrong with the options of a call, of which those in `known` have a type."""
    for name, value in options.items():
        if name not in known:
            return f"no option '{name}'; there are {', '.join(known)}"
        if not _fits(value, known[name]):
            return _said(name, known[name], value)
    return ""


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a value is of a type; `UndefinedError` for what has no value."""
    if isinstance(value, Undefined):
        str(value)  # which raises, and names it
    if get_origin(wanted) is UnionType:
        return any(_fits(value, each) for each in get_args(wanted))
    if get_origin(wanted) is Literal:
        return isinstance(value, str) and value in get_args(wanted)
    if get_origin(wanted) is Sequence:
        return isinstance(value, (list, tuple)) and bool(value) and all(_fits(each, get_args(wanted)[0]) for each in value)
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    return isinstance(value, wanted)


def _said(name: str, wanted: Any, value: Any) -> str:
    """`n is a whole number, 1 or more, not 'x'`."""
    kind = get_args(wanted)[0] if get_origin(wanted) is UnionType else wanted
    what = _WANTED[kind] if kind in _WANTED else " or ".join(map(repr, get_args(kind)))
    shown = repr(value)
    return f"{name} is {what}, not {shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '…'}"
