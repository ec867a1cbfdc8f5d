"""Memory of weights and of training: bytes per parameter by scheme, and how they are shared among devices."""

from __future__ import annotations

from fractions import Fraction

from derive.errors import ConfigError
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class TrainingScheme:
    """Bytes that training keeps of one parameter: of the weight itself, of its gradient, and of the optimizer."""

    name: str
    weights: int
    gradients: tuple[tuple[str, int], ...]
    optimizer: tuple[tuple[str, int], ...]
    source: str

    @property
    def gradient_bytes(self) -> int:
        """Bytes of the gradient, in both precisions where a framework keeps both [bytes per parameter]."""
        return sum(size for _, size in self.gradients)

    @property
    def optimizer_bytes(self) -> int:
        """Bytes of the optimizer's state, a master copy of the weight among them [bytes per parameter]."""
        return sum(size for _, size in self.optimizer)

    @property
    def bytes_per_parameter(self) -> int:
        """All of it [bytes per parameter]."""
        return self.weights + self.gradient_bytes + self.optimizer_bytes

    @property
    def spelled(self) -> str:
        """The sum, part by part: `2 weights + 2 gradients + 4 master weights + …`."""
        parts = (("weights", self.weights), *self.gradients, *self.optimizer)
        return " + ".join(f"{size} {name}" for name, size in parts)


_FP32, _HALF = (("gradients", 4),), (("gradients", 2),)
_ADAM = (("first moment", 4), ("second moment", 4))
_MASTER = (("master weights", 4),)
_ZERO = "Rajbhandari et al. 2020 (ZeRO), arXiv:1910.02054, section 3.1"

SCHEMES: dict[str, TrainingScheme] = {
    each.name: each
    for each in (
        TrainingScheme("fp32", 4, _FP32, _ADAM, "Kingma and Ba 2015, arXiv:1412.6980"),
        TrainingScheme("mixed", 2, _HALF, (*_MASTER, *_ADAM), _ZERO),
        TrainingScheme("mixed-fp32-gradients", 2, _FP32, (*_MASTER, *_ADAM), "Narayanan et al. 2021, arXiv:2104.04473"),
        TrainingScheme("mixed-both-gradients", 2, (*_HALF, ("fp32 gradients", 4)), (*_MASTER, *_ADAM), "DeepSpeed keeps both"),
        TrainingScheme(
            "adam-8bit",
            2,
            _HALF,
            (*_MASTER, ("first moment", 1), ("second moment", 1)),
            "Dettmers et al. 2022, arXiv:2110.02861; without block constants",
        ),
        TrainingScheme("sgd", 4, _FP32, (), "no momentum"),
        TrainingScheme("sgd-momentum", 4, _FP32, (("momentum", 4),), "one momentum"),
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

    def __post_init__(self) -> None:
        for name, least, most in (("zero", 0, 3), ("data", 1, 10**6), ("tensor", 1, 10**6), ("pipeline", 1, 10**6)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                what = "ZeRO has stages 0 to 3" if name == "zero" else f"{name} parallelism is a whole number from 1 to {most:,}"
                raise ConfigError(f"{what}, not {str(value)[:20]}")
        if self.zero and self.data == 1:
            raise ConfigError(f"ZeRO stage {self.zero} divides among data-parallel replicas: say how many with --data")


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
    if parameters < 0:
        raise ConfigError(f"{parameters} parameters cannot be")
    model = sharing.tensor * sharing.pipeline
    sizes = (scheme.weights, scheme.gradient_bytes, scheme.optimizer_bytes)
    replicas = (sharing.data if sharing.zero >= stage else 1 for stage in (3, 2, 1))
    return TrainingState(*(_whole(Fraction(parameters * size, model * share)) for size, share in zip(sizes, replicas, strict=True)))


def _whole(size: Fraction) -> int:
    return -int(-size // 1)
