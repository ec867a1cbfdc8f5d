"""The tensors of one configured model, from its traced form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from derive.atlas.completing import IncompleteError
from derive.atlas.expression import LONGEST_LIST, ExpressionError, holds, names_in, value
from derive.atlas.form import Form, TensorForm
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Placed:
    """One tensor form where it is there: the place in the outermost list (none outside of lists), its shape, and how often it stands there."""

    form: TensorForm
    place: tuple[int, ...]
    shape: tuple[int, ...]
    copies: int


def placed(form: Form, fields: Mapping[str, Any]) -> Iterator[Placed]:
    """The tensors of the completed fields. Raises `IncompleteError` where a size is no whole number."""
    for tensor in form.tensors:
        for place in _places(form, tensor, fields):
            if not tensor.condition or holds(tensor.condition, fields, place):
                yield Placed(tensor, place, _shape(tensor, fields, place), _copies(form, tensor, fields, place))


def _places(form: Form, tensor: TensorForm, fields: Mapping[str, Any]) -> Iterator[tuple[int, ...]]:
    outer, star, _ = tensor.name.partition(".*")
    if not star:
        yield ()
        return
    count = _whole(form.repeated[outer], fields, ())
    if count > LONGEST_LIST:
        raise IncompleteError(f"{form.repeated[outer]} is {count}, more layers than any model has")
    yield from ((index,) for index in range(count))


def _copies(form: Form, tensor: TensorForm, fields: Mapping[str, Any], place: tuple[int, ...]) -> int:
    """How often the tensor stands in this place: once, or in every place of inner lists."""
    copies = 1
    parts = tensor.name.split(".*")
    for depth in range(2, len(parts)):
        copies *= _whole(form.repeated[".*".join(parts[:depth])], fields, place)
    return copies


def _shape(tensor: TensorForm, fields: Mapping[str, Any], place: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(_whole(length, fields, place) for length in tensor.lengths)


def _whole(text: str, fields: Mapping[str, Any], place: tuple[int, ...]) -> int:
    try:
        found = value(text, fields, place)
    except ExpressionError as error:
        raise IncompleteError(f"{error}{_of(text, fields)}") from None
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise IncompleteError(f"{text} must be a whole number, not {str(found)[:40]}{_of(text, fields)}")
    return found


def _of(text: str, fields: Mapping[str, Any]) -> str:
    """The values that an expression was worked out from."""
    shown = [f"{name}={str(fields.get(name))[:20]}" for name in sorted(names_in(text))]
    return f" ({', '.join(shown)})" if shown else ""
