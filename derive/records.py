"""Dataclasses that are quick to define: like the standard library's, but nothing is compiled before a record is made.

The standard decorator compiles six functions for each class, half a millisecond; for a hundred classes that is most of the time in
which a command starts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, eq: bool = True, frozen: bool = False, slots: bool = False, kw_only: bool = False) -> Any:
        """The decorator, with those options of the standard one that are used here."""

        def decorated(given: type) -> type:
            own = frozenset(given.__dict__)
            if "__doc__" not in own or given.__doc__ is None:
                given.__doc__ = given.__name__  # else the standard decorator writes the signature
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(given)
            _add(made, _methods(made, eq, frozen, slots), own)
            if eq and not frozen:
                made.__hash__ = None
            return made

        return decorated if cls is None else decorated(cls)


def _add(made: type, methods: dict[str, Any], own: frozenset[str]) -> None:
    """The methods that the class does not write itself."""
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)


def _methods(made: type, eq: bool, frozen: bool, slots: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"__init__": _first_init(made, frozen), "__repr__": _repr}
    values = _values(tuple(field.name for field in dataclasses.fields(made) if field.compare))
    if eq:
        found["__eq__"] = _equality(values)
    if eq and frozen:
        found["__hash__"] = _hashing(values)
    if frozen:
        found |= {"__setattr__": _no_setting, "__delattr__": _no_deleting}
    if frozen and slots:
        found |= {"__getstate__": _state, "__setstate__": _set_state}
    return found


def _first_init(made: type, frozen: bool) -> Callable[..., None]:
    """An `__init__` that writes the real one when it is first called."""

    def first(self: Any, *values: Any, **named: Any) -> None:
        real = _init(made, frozen)
        made.__init__ = real  # type: ignore[misc]
        real(self, *values, **named)

    return first


def _init(made: Any, frozen: bool) -> Callable[..., None]:
    """The `__init__` that the standard decorator would have written, taken from a class with the same fields."""
    post = {"__post_init__": made.__post_init__} if hasattr(made, "__post_init__") else {}
    fields = [(field.name, field.type, _like(field)) for field in dataclasses.fields(made)]
    like = dataclasses.make_dataclass(made.__name__, fields, namespace=post, frozen=frozen, repr=False, eq=False)
    found: Callable[..., None] = vars(like)["__init__"]
    found.__qualname__ = f"{made.__qualname__}.__init__"
    return found


def _like(field: dataclasses.Field[Any]) -> Any:
    """A field of its own, as this one was declared."""
    return dataclasses.field(default=field.default, default_factory=field.default_factory, init=field.init, kw_only=field.kw_only)


def _values(names: tuple[str, ...]) -> Callable[[Any], Any]:
    """The values of the fields that count for equality."""
    return attrgetter(*names) if names else lambda record: ()


def _equality(values: Callable[[Any], Any]) -> Callable[[Any, object], Any]:
    def equal(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return equal


def _hashing(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def hashed(self: Any) -> int:
        return hash(values(self))

    return hashed


def _repr(self: Any) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _no_setting(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deleting(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
