"""Numbers that remember how they were worked out from the fields of a configuration.

A real implementation computes with them as with any `int` or `float`; what comes out still says, for instance,
`2 * (num_attention_heads * head_dim)`. Strings remember what they were compared with.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator
from typing import Any


class _Sourced:
    """A number and the expression that gave it, in Python's notation; a copy is the number itself."""

    source: str

    def __new__(cls, value: Any, source: str) -> Any:
        made = super().__new__(cls, value)  # type: ignore[call-arg]
        made.source = source
        return made

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (plain(self), self.source)


class TracedInt(_Sourced, int):
    """An integer that remembers its source."""


class TracedFloat(_Sourced, float):
    """A decimal number that remembers its source."""


class TracedText(str):
    """A string that keeps the values it was compared with in `seen`."""

    seen: set[str]

    def __new__(cls, value: str, seen: set[str]) -> TracedText:
        made = str.__new__(cls, value)
        made.seen = seen
        return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            self.seen.add(str.__str__(other))
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __deepcopy__(self, memo: Any) -> TracedText:
        return self


def traced(value: int | float, source: str) -> TracedInt | TracedFloat:
    """A number with its source."""
    made: TracedInt | TracedFloat = (TracedInt if isinstance(value, int) else TracedFloat)(value, source)
    return made


def source_of(value: object) -> str | None:
    """How a value was worked out; a plain number is itself, and what is neither has no source."""
    if isinstance(value, TracedInt | TracedFloat):
        return value.source
    return repr(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def plain(value: Any) -> Any:
    """A number without its source; anything else as it is."""
    if isinstance(value, TracedInt):
        return int(value)
    return float(value) if isinstance(value, TracedFloat) else value


_OPERATORS: dict[str, str] = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}


def _operation(base: type, name: str, sign: str, *, reflected: bool) -> Callable[[Any, Any], Any]:
    act = getattr(base, f"__{'r' if reflected else ''}{name}__")

    def operation(self: Any, other: Any) -> Any:
        mine, theirs = source_of(self), source_of(other)
        value = act(plain(self), plain(other))
        if name == "pow" and (reflected or not isinstance(value, int)):
            return value
        if theirs is None or not isinstance(value, int | float):
            return value
        left, right = (theirs, mine) if reflected else (mine, theirs)
        return traced(value, f"({left} {sign} {right})")

    return operation


def _rounding(name: str, function: Callable[[Any], int]) -> Callable[[Any], Any]:
    def rounded(self: Any) -> Any:
        return TracedInt(function(plain(self)), f"{name}({self.source})")

    return rounded


def _equip(base: type, made: Any) -> None:
    """The operators of a traced class."""
    for name, sign in _OPERATORS.items():
        setattr(made, f"__{name}__", _operation(base, name, sign, reflected=False))
        setattr(made, f"__r{name}__", _operation(base, name, sign, reflected=True))
    for name, function, called in (("ceil", math.ceil, "ceil"), ("floor", math.floor, "floor"), ("trunc", int, "int")):
        setattr(made, f"__{name}__", _rounding(called, function))
    made.__neg__ = lambda self: traced(-plain(self), f"(-{self.source})")


_equip(int, TracedInt)
_equip(float, TracedFloat)


class _Like(type):
    """Makes a stand-in answer `isinstance` as the built-in type does."""

    wrapped: type

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.wrapped)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, cls.wrapped)


class TracingInt(metaclass=_Like):
    """`int`, but what it makes of a traced number is traced."""

    wrapped = int

    def __new__(cls, value: Any = 0, *rest: Any) -> Any:
        if isinstance(value, TracedFloat):
            return TracedInt(int(float(value)), f"int({value.source})")
        return value if isinstance(value, TracedInt) and not rest else builtins.int(value, *rest)


def _extreme(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def extreme(*values: Any, **options: Any) -> Any:
        found = function(*values, **options)
        given = values if len(values) > 1 else ()
        if given and not options and any(isinstance(value, TracedInt) for value in given) and all(source_of(value) for value in given):
            return TracedInt(int(found), f"{name}({', '.join(str(source_of(value)) for value in given)})")
        return found

    return extreme


STAND_INS: dict[str, Any] = {"int": TracingInt, "max": _extreme("max", max), "min": _extreme("min", min)}
"""What takes the place of built-in functions in the module of an implementation, so that no number loses its source."""


class _TracingMath:
    """The module `math`, but a square root keeps its source."""

    def __getattr__(self, name: str) -> Any:
        return getattr(math, name)

    @staticmethod
    def sqrt(value: Any) -> float:
        """The square root."""
        source = value.source if isinstance(value, TracedInt | TracedFloat) else None
        return math.sqrt(value) if source is None else TracedFloat(math.sqrt(value), f"sqrt({source})")


STAND_IN_MODULES: dict[str, tuple[Any, Any]] = {"math": (math, _TracingMath())}
"""The same for modules: by name, the module and what takes its place."""


class TracedList(list[Any]):
    """A list whose numbers are traced as `name[3]`."""

    source: str

    @classmethod
    def of(cls, values: list[Any], source: str, seen: set[str]) -> TracedList:
        """The list of a field."""
        made = cls(_element(value, f"{source}[{index}]", seen) for index, value in enumerate(values))
        made.source = source
        return made

    def __deepcopy__(self, memo: Any) -> TracedList:
        return self


def _element(value: Any, source: str, seen: set[str]) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return traced(value, source)
    return TracedText(value, seen) if isinstance(value, str) else value


def numbers_in(values: Any) -> Iterator[int]:
    """The integers among the arguments of a call, in order, however they are nested."""
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool):
            yield value
        elif isinstance(value, list | tuple):
            yield from numbers_in(value)
