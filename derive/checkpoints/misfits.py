"""What a checkpoint stores beside the parameters of the closed form, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from derive.architecture.tensor import Use
from derive.architecture.tensor_names import BUFFER, CORRECTION, EMBEDDING, HEAD, OTHER_MODALITY, PREDICTION
from derive.checkpoints.groups import Group, grouped
from derive.checkpoints.packed import Weights
from derive.checkpoints.parts import first_prediction_layer, layer_of, parts_by_name
from derive.costs import whole
from derive.reading import ReadModel
from derive.records import dataclass

SIDE_DATA = "quantisation data"
TIED = "tied head stored twice"
PADDED = "padded vocabulary"
PACKED = "packed, count not known"
UNPACKED = "packed weights"
LEFT_OUT = "in the closed form, not stored"
BESIDE = "stored, not in the closed form"

REASONS = {
    BUFFER: "stored, but not learned: recomputed or constant",
    CORRECTION: "the bias of routing that load balancing moves, not the gradient; the closed form counts it apart",
    OTHER_MODALITY: "encoders and projectors of images or sound; the closed form is that of the language model",
    PREDICTION: "layers that predict further tokens; not part of the model that the closed form counts",
    SIDE_DATA: "scales, zero points, orders and maps that read quantised weights; not parameters",
    TIED: "by the configuration the head is the embedding, but a matrix is stored for each: the same one twice, or not tied after all",
    PADDED: "more rows than the vocabulary of the configuration has entries",
    UNPACKED: "several weights in one stored element; behind '=' is how many weights there are",
    PACKED: "integers that hold several weights each in a format that is not known; they are not in the count",
    LEFT_OUT: "no tensor of this size is left over for it",
    BESIDE: "no tensor of the closed form is left over for it",
}
"""Why something does not fit; what it is called, and what it means."""
NOT_PARAMETERS = (BUFFER, CORRECTION, SIDE_DATA)
NOT_OF_THE_MODEL = (OTHER_MODALITY, PREDICTION)


@dataclass(frozen=True, slots=True)
class Misfit:
    """Tensors that do not fit, and why; `parameters` is what they add to the stored ones over the closed form [elements]."""

    kind: str
    parameters: int
    groups: tuple[Group, ...]
    part: str = ""
    said: str = ""

    @property
    def reason(self) -> str:
        """Why they do not fit."""
        return self.said or REASONS[self.kind]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": self.kind,
            "parameters": self.parameters,
            "reason": self.reason,
            "tensors": [group.as_dict() for group in self.groups],
        }


def sorted_out(source: str, weights: Iterable[Weights], layers: int | None) -> dict[str, list[Weights]]:
    """The tensors by part; side data and what cannot be counted apart, and layers beyond the model's are for prediction."""
    listed = list(weights)
    parts = parts_by_name(source, (each.tensor.name for each in listed))
    if layers is None:
        layers = first_prediction_layer(each.tensor.name for each in listed)
    found: dict[str, list[Weights]] = {}
    for each in listed:
        found.setdefault(_place(each, parts[each.tensor.name], layers), []).append(each)
    return found


def _place(weights: Weights, part: str, layers: int | None) -> str:
    name = weights.tensor.name
    if weights.side:
        return SIDE_DATA
    if part in (BUFFER, CORRECTION, OTHER_MODALITY):
        return part
    if weights.elements is None:
        return PACKED
    layer = layer_of(name)
    return PREDICTION if layers is not None and layer is not None and layer >= layers else part


def general_misfits(parts: Mapping[str, list[Weights]]) -> list[Misfit]:
    """What does not fit whatever the configuration says."""
    found = []
    for kind in (BUFFER, CORRECTION, SIDE_DATA, PACKED, *NOT_OF_THE_MODEL):
        if parts.get(kind):
            added = sum(each.elements or 0 for each in parts[kind]) if kind in NOT_OF_THE_MODEL else 0
            found.append(Misfit(kind, added, grouped(parts[kind])))
    packed = [each for members in parts.values() for each in members if each.elements and each.elements != each.tensor.elements]
    return [*found, Misfit(UNPACKED, 0, grouped(packed))] if packed else found


def vocabulary_misfits(parts: Mapping[str, list[Weights]], read: ReadModel) -> list[Misfit]:
    """A tied head that is stored all the same, and rows beyond the vocabulary."""
    V, d, tied = read.sizes.get("V"), read.sizes.get("d"), read.sizes.get("c") == 1
    if V is None or d is None:
        return []
    found = []
    for part in (EMBEDDING, HEAD):
        for each in parts.get(part, ()):
            shape = each.tensor.shape
            if len(shape) != 2 or d not in shape or each.elements != shape[0] * shape[1]:
                continue
            if part is HEAD and tied:
                found.append(Misfit(TIED, shape[0] * shape[1], grouped([each]), HEAD))
                continue
            rows = shape[0] * shape[1] // d
            extra = rows - V
            if 0 < extra < V:
                said = f"{rows:,} rows, the vocabulary has {V:,} entries: {extra:,} × {d:,} elements more"
                found.append(Misfit(PADDED, extra * d, grouped([each]), part, said))
    return found


def leftovers(stored: list[Weights], expected: Iterable[tuple[int, str, tuple[int, ...]]], difference: int) -> list[Misfit]:
    """Where a part differs: tensors of one side that have no partner of equal size on the other.

    `expected` are the closed form's tensors: how often, the name, the shape. Their sums differ by `difference`, and so do the misfits'.
    """
    wanted: Counter[int] = Counter()
    for count, _, shape in expected:
        wanted[_size(shape)] += count
    surplus = []
    for each in stored:
        size = each.elements or 0
        if wanted[size] > 0:
            wanted[size] -= 1
        else:
            surplus.append(each)
    missing = []
    for count, name, shape in expected:
        size = _size(shape)
        left = min(count, wanted[size])
        if left:
            wanted[size] -= left
            missing.append(Group(name, shape, "", left, "", left * size, 0, 0, ""))
    found = [Misfit(BESIDE, sum(each.elements or 0 for each in surplus), grouped(surplus))] if surplus else []
    if missing:
        found.append(Misfit(LEFT_OUT, -sum(group.elements or 0 for group in missing), tuple(missing)))
    assert sum(each.parameters for each in found) == difference
    return found


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


def expected_tensors(read: ReadModel, wanted: Iterable[str], part_names: Mapping[str, str]) -> list[tuple[int, str, tuple[int, ...]]]:
    """The closed form's learned tensors of some parts: how often each is stored, its name and its shape."""
    parts = set(wanted)
    found = []
    for layers, component in read.numbers.components:
        if part_names[component.name] not in parts:
            continue
        for tensor in component.tensors:
            copies = whole(layers * component.copies * tensor.copies)
            if copies and tensor.use is not Use.BUFFER:
                found.append((copies, f"{component.name}: {tensor.name}", tuple(whole(length) for length in tensor.shape)))
    return found
