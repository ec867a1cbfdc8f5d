"""The tensors of one configured model, from its traced form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from derive.atlas.completing import IncompleteError
from derive.atlas.expression import PLACES, ExpressionError, Places, holds, mentions, names_in, value
from derive.atlas.form import Form, TensorForm
from derive.atlas.layered import at, common_path
from derive.config import LARGEST_SIZE
from derive.records import dataclass

MOST_LAYERS = 10_000
"""More layers than any model has; each is looked at."""


class OutsideError(IncompleteError):
    """A configuration that the form says nothing about."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One tensor where it has one shape, and how often it stands in each of its places.

    Places are those of its outermost list; outside of lists there is one, which is empty.
    """

    form: TensorForm
    places: tuple[Places, ...]
    shape: tuple[int, ...]
    copies: int


def placed(form: Form, fields: Mapping[str, Any]) -> Iterator[Placed]:
    """The tensors of the completed fields. Raises `IncompleteError` where a size is no whole number."""
    for condition in form.requires:
        if not holds(condition, fields):
            raise OutsideError(f"the form holds only where {condition}{_of(condition, fields)}")
    for tensor in form.tensors:
        found: dict[tuple[tuple[int, ...], int], list[Places]] = {}
        every = _places(form, tensor, fields)
        for places in _alike(form, tensor, every):
            here = at(fields, places[0], form.own_of_layers)
            if not tensor.condition or holds(tensor.condition, here, places[0]):
                found.setdefault((_shape(tensor, here, places[0]), _copies(form, tensor, here, places[0])), []).extend(places)
        for (shape, copies), places in found.items():
            yield Placed(tensor, tuple(places), shape, copies)


def list_of(name: str) -> str:
    """The outermost list of modules that a tensor of this name is in; empty outside of lists."""
    outer, star, _ = name.partition(".*")
    return outer if star else ""


def length_of_list(form: Form, outer: str, fields: Mapping[str, Any]) -> int:
    """How many places a list of modules has; none where its length is null."""
    text = form.repeated[outer]
    return 0 if text.replace(".", "_").isidentifier() and fields[text] is None else _whole(text, fields, ())


def _places(form: Form, tensor: TensorForm, fields: Mapping[str, Any]) -> list[Places]:
    outer = list_of(tensor.name)
    if not outer:
        return [()]
    count = length_of_list(form, outer, fields)
    if count > MOST_LAYERS:
        raise IncompleteError(f"{form.repeated[outer]} is {count}, more layers than any model has")
    return [(index,) for index in range(count)]


def _alike(form: Form, tensor: TensorForm, places: Sequence[Places]) -> list[Sequence[Places]]:
    """The places in groups that need not be told apart: all of them where nothing depends on the place."""
    inner = (form.repeated[name] for name in inner_lists(tensor))
    texts = [text for text in (*tensor.lengths, *inner, tensor.condition) if text]
    own = {common_path(path) for path in form.own_of_layers}
    if not places or not any(mentions(text, PLACES) or own & names_in(text) for text in texts):
        return [places] if places else []
    return [[place] for place in places]


def inner_lists(tensor: TensorForm) -> list[str]:
    """The lists of modules inside the outermost that a tensor is in."""
    parts = tensor.name.split(".*")
    return [".*".join(parts[:depth]) for depth in range(2, len(parts))]


def _copies(form: Form, tensor: TensorForm, fields: Mapping[str, Any], place: Places) -> int:
    """How often the tensor stands in this place: once, or in every place of inner lists."""
    copies = 1
    for name in inner_lists(tensor):
        copies *= _whole(form.repeated[name], fields, place)
    return copies


def _shape(tensor: TensorForm, fields: Mapping[str, Any], place: Places) -> tuple[int, ...]:
    return tuple(_whole(length, fields, place) for length in tensor.lengths)


def _whole(text: str, fields: Mapping[str, Any], place: Places) -> int:
    try:
        found = value(text, fields, place)
    except ExpressionError as error:
        raise IncompleteError(f"{error}{_of(text, fields)}") from None
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise IncompleteError(f"{text} must be a whole number, not {str(found)[:40]}{_of(text, fields)}")
    if found > LARGEST_SIZE:
        raise IncompleteError(f"{text} is larger than any model{_of(text, fields)}")
    return found


def _of(text: str, fields: Mapping[str, Any]) -> str:
    """The values that an expression was worked out from."""
    shown = [f"{name}={str(fields.get(name))[:20]}" for name in sorted(names_in(text))]
    return f" ({', '.join(shown)})" if shown else ""
