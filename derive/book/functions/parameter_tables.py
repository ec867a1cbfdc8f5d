"""Tables of models' sizes and parameters, side by side: shares of components, widths, and estimates by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from derive.architecture.component import Component
from derive.architecture.model import Layers
from derive.architecture.tensor import Use
from derive.book import words
from derive.book.functions.known_names import read_formula, symbol
from derive.book.functions.sizes import resolved, size_of
from derive.book.voice import Voice, alike, digits, in_units, short
from derive.costs import over, whole
from derive.costs.parameters import parameters
from derive.counting import count, count_model
from derive.errors import ChapterError, StepError
from derive.formula.parse import parse
from derive.formula.tree import Name
from derive.reading import ReadModel, read_model


class ParameterTables(Voice):
    """Rows are models, columns what is asked of them."""

    __slots__ = ()

    def sizes(self, symbols: str, *models: str) -> str:
        """The sizes of models by symbol: `sizes("L d V", "LLaMA-7B")`."""
        counted, names = [count(model) for model in models], symbols.split()
        if not names:
            raise ChapterError('sizes: no symbols; name them with spaces between, as in "L d V"')
        for name in names:
            if not any(name in each.symbols for each in counted):
                symbol(name)
        rows = [[each.model, *(digits(each.symbols[name]) if name in each.symbols else "–" for name in names)] for each in counted]
        heading = (words.MODEL, *(alike(self._inline(Name(name))) for name in names))
        return self._table(heading, rows, range(1, len(heading)))

    def shares(self, *models: str) -> str:
        """The shares of the kinds of components in models."""
        counted = [count(model) for model in models]
        grouped = [_grouped(each.model, ((part.name, part.parameters) for part in each.components), each.total) for each in counted]
        used = [name for name in words.GROUPS if any(name in each for each in grouped)]
        rows = [
            [each.model, digits(each.total), *(self._share_in_table(parts.get(name, 0), each.total) for name in used)]
            for each, parts in zip(counted, grouped, strict=True)
        ]
        heading = (words.MODEL, words.PARAMETERS, *(words.GROUP_NAMES[name] for name in used))
        return self._table(heading, rows, range(1, len(heading)))

    def layer_shares(self, *models: str) -> str:
        """The shares of the kinds of components inside the layers alone, without embedding, head, positions and final norm."""
        reads = [read_model(model) for model in models]
        grouped = [_inside_layers(read) for read in reads]
        used = [name for name in words.GROUPS if any(name in each for each in grouped)]
        rows = [
            [read.name, *(self._share_in_table(parts.get(name, 0), sum(parts.values())) for name in used)]
            for read, parts in zip(reads, grouped, strict=True)
        ]
        return self._table((words.MODEL, *(words.GROUP_NAMES[name] for name in used)), rows, range(1, len(used) + 1))

    def widths(self, *models: str) -> str:
        """The feed-forward widths of models beside their hidden sizes, and the matrices of a dense feed-forward network."""
        rows = []
        for read in map(read_model, models):
            d, m, matrices = size_of(read.name, read.sizes, "d"), read.sizes.get("m"), _dense_matrices(read)
            if m is None or not matrices:
                rows.append([read.name, digits(d), "–", "–", "–"])
            else:
                rows.append([read.name, digits(d), digits(m), self._and(map(digits, matrices)), short(Fraction(m, d), 4)])
        heading = (
            words.MODEL,
            *(alike(self._inline(Name(name))) for name in ("d", "m")),
            words.MATRICES,
            alike(self._inline(parse("m/d"))),
        )
        return self._table(heading, rows, (1, 2, 3, 4))

    def embedding_shares(self, *models: str) -> str:
        """The token embedding of models, and its share of the whole."""
        rows = []
        for each in map(count, models):
            V, d = size_of(each.model, each.symbols, "V"), size_of(each.model, each.symbols, "d")
            size = sum(part.parameters for part in each.components if part.name == "token embedding")
            if size != V * d:
                raise StepError(f"embedding_shares: the token embedding of {each.model} has {size:,} parameters, not V d = {V * d:,}")
            rows.append([each.model, digits(V), digits(d), digits(size), self._percent(size, each.total)])
        heading = (words.MODEL, *(alike(self._inline(parse(name))) for name in ("V", "d", "V*d")), words.SHARE)
        return self._table(heading, rows, (1, 2, 3, 4))

    def estimates(self, formulas: Sequence[str], *models: str) -> str:
        """Hand formulas (a list, `("12*L*d^2",)`) beside the exact count: what they come to, and how far off that is."""
        rows = []
        for each in map(count, models):
            cells = []
            for text in formulas:
                number = Fraction(resolved(read_formula(text)).evaluate(each.symbols))
                cells += [in_units(number, self.language, zeros=True), self._change(number - each.total, each.total)]
            rows.append([each.model, digits(each.total), *cells])
        columns = [column for text in formulas for column in (alike(self._inline(read_formula(text))), words.OFF)]
        return self._table((words.MODEL, words.EXACT, *columns), rows, range(1, 2 + len(columns)))


def _grouped(model: str, parts: Iterable[tuple[str, int]], total: int) -> dict[str, int]:
    """Parameters by kind of component, the kinds that there are; `StepError` where they do not add up to the total."""
    found: dict[str, int] = {}
    for name, size in parts:
        found[words.group(name)] = found.get(words.group(name), 0) + size
    if sum(found.values()) != total:
        raise StepError(f"the components of {model} add up to {sum(found.values()):,}, not to {total:,}")
    return {name: size for name, size in found.items() if size}


def _inside_layers(read: ReadModel) -> dict[str, int]:
    """Parameters by kind of component, of what stands in layers; with what stands around them it is the whole model."""
    layers = [part for part in read.numbers.parts if isinstance(part, Layers)]
    around = sum(whole(over(part, parameters)) for part in read.numbers.parts if isinstance(part, Component))
    inside = ((each.name, whole(layer.count * parameters(each))) for layer in layers for each in layer.components)
    return _grouped(read.name, inside, count_model(read).total - around)


def _dense_matrices(read: ReadModel) -> list[int]:
    """How many matrices the dense feed-forward networks of a model have; empty where it has none."""
    dense = (component for _, component in read.numbers.components if component.name == "feed-forward")
    return sorted({sum(tensor.use is Use.MATMUL for tensor in component.tensors) for component in dense} - {0})
