"""A configured model of a traced form: its components by the names of its tensors, in numbers and in symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from derive.architecture.component import Component
from derive.architecture.model import Layers, Model, Part
from derive.architecture.tensor import Tensor, Use
from derive.architecture.tensor_names import (
    ATTENTION,
    EMBEDDING,
    EMBEDDING_NORM,
    EXPERTS,
    FEED_FORWARD,
    FINAL_NORM,
    HEAD,
    MIXER,
    NORMS,
    POSITIONS,
    ROUTER,
    SHARED,
    SHARED_GATE,
    part_of,
)  # fmt: skip
from derive.atlas.completing import Completed, IncompleteError, flat
from derive.atlas.expression import Places
from derive.atlas.form import Form, TensorForm
from derive.atlas.symbolic import Symbols
from derive.atlas.tensors import Placed, inner_lists, length_of_list, list_of, placed
from derive.config import Config
from derive.families._sizes import Sizes
from derive.formula.tree import Dim, Formula
from derive.records import dataclass
from derive.symbols import VOCABULARY

CHOSEN = (
    "num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_top_k", "top_k", "moe_k", "ffn_config.moe_top_k", "top_k_experts",
)  # fmt: skip
"""Fields that say how many experts a token uses, in the order in which they are looked for."""

_RANK = (
    ATTENTION, MIXER, FEED_FORWARD, EXPERTS, ROUTER, SHARED, SHARED_GATE, NORMS, "other", EMBEDDING_NORM, FINAL_NORM,
    EMBEDDING, POSITIONS, HEAD,
)  # fmt: skip
"""Parts in the order in which a closed form has them."""

_SYMBOLS = {
    ATTENTION: "P_attn", MIXER: "P_mixer", FEED_FORWARD: "P_ffn", EXPERTS: "P_expert", ROUTER: "P_router", SHARED: "P_shared",
    SHARED_GATE: "P_gate", NORMS: "P_norm", EMBEDDING_NORM: "P_embnorm", FINAL_NORM: "P_final", EMBEDDING: "P_tok", POSITIONS: "P_pos",
    HEAD: "P_head",
}  # fmt: skip
_ORDER = {symbol.name: rank for rank, symbol in enumerate(sorted(VOCABULARY, key=lambda symbol: symbol.name != "L"))}
_LAYER_COUNTS = {EXPERTS: "L_M", MIXER: "L_rec", FEED_FORWARD: "L_D"}
"""Symbols for the layers that have a part, where others have not; the first part that there is names them."""


_Where: TypeAlias = tuple[str, tuple[Places, ...]]


@dataclass(frozen=True, slots=True)
class _Key:
    """What the tensors of one component have in common: list, places, part, and the number of experts as an expression."""

    outer: str
    places: tuple[Places, ...]
    part: str
    experts: str

    @property
    def where(self) -> _Where:
        """List and places."""
        return self.outer, self.places


@dataclass(frozen=True, slots=True)
class _Written:
    """A component as symbols, and the symbol of the layers that it stands in; layers of one list and the same places stand together."""

    where: _Where
    layers: Dim
    component: Component


class TracedModel:
    """The family of one configuration: sizes, model and notes, as hand-made families give them.

    Raises `ConfigError` where the configuration lacks a field, or has a value that the form was not proved for.
    """

    def __init__(self, form: Form, config: Config) -> None:
        self.form = form
        try:
            self.fields = Completed(form, flat(config.values))
            _require_sizes(form, self.fields)
            self.symbols = Symbols(self.fields, form.own_of_layers)
            self.written = self._components(tuple(placed(form, self.fields)))
        except IncompleteError as error:
            config.fail(str(error))
        known = (*form.missing, *form.null, *form.always, *form.words, *form.ignored)
        config.read.update(word for name in known for word in (name, name.partition(".")[0]))

    def sizes(self, config: Config) -> dict[str, int]:
        """The sizes by symbol."""
        return dict(sorted(self.symbols.numbers.items(), key=lambda size: _ORDER.get(size[0], len(_ORDER))))

    def model(self, s: Sizes, config: Config) -> Model:
        """The model in these sizes."""
        parts: dict[Any, list[_Written]] = {}
        for written in self.written:
            parts.setdefault(written.where if written.where[0] else written.component, []).append(written)
        return Model(self.form.model_type, tuple(_part(group, s) for group in parts.values()))

    def notes(self, config: Config) -> tuple[str, ...]:
        """Where the form comes from, and what its own symbols mean."""
        meanings = "; ".join(f"{symbol} = {meaning}" for symbol, meaning in self.symbols.meanings.items())
        taken = ", ".join(
            f"{path}={self.fields[path]}" for path, rule in self.form.missing.items() if rule.isdigit() and path not in self.fields.given
        )
        said = (
            f"The closed form was {self.form.about}; {self.form.model_type} has no family by hand.",
            f"Not given, so taken from the implementation's defaults: {taken}." if taken else "",
            f"{meanings}." if meanings else "",
        )
        return tuple(note for note in said if note)

    def _components(self, tensors: Sequence[Placed]) -> tuple[_Written, ...]:
        """The tensors by part and place, as components in symbols."""
        embedding = next((tensor.form for tensor in tensors if part_in(tensor.form) == EMBEDDING and not list_of(tensor.form.name)), None)
        groups: dict[_Key, list[Placed]] = {}
        for tensor in tensors:
            part = part_in(tensor.form)
            groups.setdefault(_Key(list_of(tensor.form.name), tensor.places, part, self._experts(part, tensor.form)), []).append(tensor)
        keys = sorted(groups, key=lambda key: (not key.outer, _rank(key.part)))
        for length in embedding.lengths if embedding else ():
            self.symbols.written(length, ())
        layers = {where: self._layers(where, groups) for where in dict.fromkeys(key.where for key in keys)}
        written = [_Written(key.where, layers[key.where], self._component(key, groups[key], embedding)) for key in keys]
        has_output = any(tensor.use is Use.OUTPUT for each in written for tensor in each.component.tensors)
        return tuple(written) if has_output or embedding is None else (*written, self._tied_head(embedding))

    def _experts(self, part: str, form: TensorForm) -> str:
        """The number of experts that a tensor of theirs is stored for, as an expression; empty for other tensors."""
        if part != EXPERTS:
            return ""
        inner = inner_lists(form)
        if inner:
            return self.form.repeated[inner[0]]
        return form.lengths[0] if len(form.lengths) > 1 and "expert" in form.lengths[0] else ""

    def _component(self, key: _Key, tensors: Sequence[Placed], embedding: TensorForm | None) -> Component:
        """One component in symbols."""
        return Component(
            name=key.part,
            symbol=_SYMBOLS.get(key.part, "P_other"),
            tensors=tuple(self._tensor(key, tensor, embedding) for tensor in tensors),
            copies=self.symbols.written(key.experts, key.places[0]) if key.experts else 1,
            chosen=self._chosen() if key.experts else None,
        )

    def _tensor(self, key: _Key, tensor: Placed, embedding: TensorForm | None) -> Tensor:
        """A tensor of one copy of its component; a matrix as large as the embedding that gives the logits is stored c - 1 times."""
        form, place = tensor.form, key.places[0]
        inner = inner_lists(form)
        stacked = bool(key.experts) and not inner
        shape = tuple(self.symbols.written(length, place) for length in (form.lengths[1:] if stacked else form.lengths))
        copies: Dim = 1
        for name in inner[1 if key.experts else 0 :]:
            copies = copies * self.symbols.written(self.form.repeated[name], place)
        if key.part == HEAD and embedding is not None and len(shape) == 2 and form.lengths == embedding.lengths:
            copies = self.symbols.named("c", 2) - 1
        use = _use(key.part, shape)
        return Tensor(form.name, shape[::-1] if use is Use.MATMUL else shape, use, copies)  # torch stores a matrix as (output, input)

    def _tied_head(self, embedding: TensorForm) -> _Written:
        """The output head of a model that has no matrix of its own for it: the embedding, stored c - 1 = 0 more times."""
        shape = tuple(self.symbols.written(length, ()) for length in embedding.lengths)
        tensor = Tensor(embedding.name, shape, Use.OUTPUT, self.symbols.named("c", 1) - 1)
        return _Written(("", ((),)), 1, Component(HEAD, _SYMBOLS[HEAD], (tensor,)))

    def _chosen(self) -> Dim | None:
        """How many of the experts a token uses, where a field says so."""
        known = (path for path in CHOSEN if path in self.form.missing or path in self.fields.given)
        return next((self.symbols.field(path) for path in known if isinstance(self.fields[path], int)), None)

    def _layers(self, where: _Where, groups: Mapping[_Key, Sequence[Placed]]) -> Dim:
        """The symbol for the layers that stand in these places."""
        outer, places = where
        if not outer:
            return 1
        if len(places) == length_of_list(self.form, outer, self.fields):
            return self.symbols.written(self.form.repeated[outer], ())
        here = {key.part: tensors for key, tensors in groups.items() if key.where == where}
        part = next((part for part in _LAYER_COUNTS if part in here), "")
        condition = here[part or next(iter(here))][0].form.condition
        return self.symbols.named(
            _LAYER_COUNTS.get(part, "L_1"), len(places), f"layers where {condition}" if condition else "layers of one size"
        )


def _require_sizes(form: Form, fields: Completed) -> None:
    """A configuration that gives none of the sizes is not one of this type, whatever the implementation would take for them."""
    sizes = [path for path, rule in form.missing.items() if rule.isdigit() and int(rule) > 1]
    if sizes and not any(fields.given.get(path) is not None for path in sizes) and len(fields.given) > 1:
        raise IncompleteError(f"gives none of the sizes of {form.model_type}: {', '.join(sizes[:6])}")


def part_in(form: TensorForm) -> str:
    """The part of the model that a tensor belongs to."""
    return part_of(form.name.replace("*", "0"))


def _rank(part: str) -> int:
    return _RANK.index(part) if part in _RANK else _RANK.index("other")


def _use(part: str, shape: tuple[Dim, ...]) -> Use:
    """What a forward pass does with a tensor, by the part it belongs to."""
    if part in (EMBEDDING, POSITIONS):
        return Use.LOOKUP
    if len(shape) < 2 or part in (NORMS, FINAL_NORM, EMBEDDING_NORM):
        return Use.VECTOR
    return Use.OUTPUT if part == HEAD else Use.MATMUL


def _part(group: Sequence[_Written], s: Sizes) -> Part:
    """Components in these sizes: those of a list as layers, others alone."""
    if not group[0].where[0]:
        return _component(group[0].component, s)
    return Layers(_dim(group[0].layers, s), tuple(_component(written.component, s) for written in group))


def _component(component: Component, s: Sizes) -> Component:
    tensors = tuple(
        replace(tensor, shape=tuple(_dim(length, s) for length in tensor.shape), copies=_dim(tensor.copies, s))
        for tensor in component.tensors
    )
    chosen = None if component.chosen is None else _dim(component.chosen, s)
    return replace(component, tensors=tensors, copies=_dim(component.copies, s), chosen=chosen)


def _dim(dim: Dim, s: Sizes) -> Dim:
    """A dimension with what the sizes have for its names: numbers or symbols."""
    return dim.evaluate(s.by_symbol) if isinstance(dim, Formula) and all(isinstance(size, int) for size in s.by_symbol.values()) else dim
