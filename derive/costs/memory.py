"""Memory of weights and of training: bytes per parameter by scheme, and how they are shared among devices."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derive.errors import ConfigError


@dataclass(frozen=True, slots=True)
class TrainingScheme:
    """Bytes that training keeps of one parameter: of the weight itself, of its gradient, and of the optimizer."""

    name: str
    weights: int
    gradients: int
    optimizer: tuple[tuple[str, int], ...]
    source: str

    @property
    def optimizer_bytes(self) -> int:
        """Bytes of the optimizer's state, a master copy of the weight among them [bytes per parameter]."""
        return sum(size for _, size in self.optimizer)

    @property
    def bytes_per_parameter(self) -> int:
        """All of it [bytes per parameter]."""
        return self.weights + self.gradients + self.optimizer_bytes

    @property
    def spelled(self) -> str:
        """The sum, part by part: `2 weights + 2 gradients + 4 master weights + …`."""
        parts = (("weights", self.weights), ("gradients", self.gradients), *self.optimizer)
        return " + ".join(f"{size} {name}" for name, size in parts)


_ADAM = (("first moment", 4), ("second moment", 4))
_MASTER = (("master weights", 4),)
_ZERO = "Rajbhandari et al. 2020 (ZeRO), arXiv:1910.02054, section 3.1"

SCHEMES: dict[str, TrainingScheme] = {
    each.name: each
    for each in (
        TrainingScheme("fp32", 4, 4, _ADAM, "Kingma and Ba 2015, arXiv:1412.6980"),
        TrainingScheme("mixed", 2, 2, (*_MASTER, *_ADAM), _ZERO),
        TrainingScheme("mixed-fp32-gradients", 2, 4, (*_MASTER, *_ADAM), "Narayanan et al. 2021, arXiv:2104.04473"),
        TrainingScheme("mixed-both-gradients", 2, 2, (("fp32 gradients", 4), *_MASTER, *_ADAM), "gradients kept in both precisions"),
        TrainingScheme(
            "adam-8bit",
            2,
            2,
            (*_MASTER, ("first moment", 1), ("second moment", 1)),
            "Dettmers et al. 2022, arXiv:2110.02861; without block constants",
        ),
        TrainingScheme("sgd", 4, 4, (), "no momentum"),
        TrainingScheme("sgd-momentum", 4, 4, (("momentum", 4),), "one momentum"),
    )
}


@dataclass(frozen=True, slots=True)
class Sharing:
    """How training state is divided among devices.

    ZeRO divides over `data` replicas: stage 1 the optimizer, stage 2 also the gradients, stage 3 also the weights.
    `tensor` and `pipeline` divide the model itself, weights, gradients and optimizer alike, into even shares.
    """

    zero: int = 0
    data: int = 1
    tensor: int = 1
    pipeline: int = 1


ONE_DEVICE = Sharing()


@dataclass(frozen=True, slots=True)
class TrainingState:
    """Bytes of training state on one device [bytes]; a share that does not divide counts its last byte whole."""

    weights: int
    gradients: int
    optimizer: int

    @property
    def total(self) -> int:
        """Weights, gradients and optimizer together [bytes]."""
        return self.weights + self.gradients + self.optimizer


def training_scheme(name: str) -> TrainingScheme:
    """The scheme of that name; `ConfigError` where it is unknown."""
    if name not in SCHEMES:
        raise ConfigError(f"unknown training scheme '{name[:40]}'; known: {', '.join(SCHEMES)}")
    return SCHEMES[name]


def training_state(parameters: int, scheme: TrainingScheme, sharing: Sharing = ONE_DEVICE) -> TrainingState:
    """The training state of a model, on one device [bytes].

    Source   stages: Rajbhandari et al. 2020 (ZeRO), arXiv:1910.02054, section 5.
    """
    if not 0 <= sharing.zero <= 3:
        raise ConfigError(f"ZeRO has stages 0 to 3, not {sharing.zero}")
    if min(sharing.data, sharing.tensor, sharing.pipeline) < 1:
        raise ConfigError("data, tensor and pipeline parallelism are at least 1 each")
    model = sharing.tensor * sharing.pipeline
    sizes = (scheme.weights, scheme.gradients, scheme.optimizer_bytes)
    replicas = (sharing.data if sharing.zero >= stage else 1 for stage in (3, 2, 1))
    return TrainingState(*(_whole(Fraction(parameters * size, model * share)) for size, share in zip(sizes, replicas, strict=True)))


def _whole(size: Fraction) -> int:
    return -int(-size // 1)
