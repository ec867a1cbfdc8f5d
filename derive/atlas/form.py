"""A traced form: which tensors a type of model has, in the fields of its configuration."""

from __future__ import annotations

from collections.abc import Mapping

from derive.atlas.layered import is_own
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class TensorForm:
    """One tensor: its name with `*` for places in lists of modules, its lengths, and the condition under which it is there."""

    name: str
    lengths: tuple[str, ...]
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """The closed form of a model type.

    A configuration is completed first, as the implementation does it: `words` are other names of fields, `missing` says what a field
    is that is not given, `null` what one is that is null, `replaced` what one is that holds a certain word (`"auto"`), `always` what
    one is whatever is given. `values` are the strings under which the form was proved; `kept` are fields that always had one value while
    it was, as JSON; `ignored` are those on which no tensor depends. `repeated` is the length of each list of modules, `requires` what
    has to hold of a configuration for the form to be right.
    """

    model_type: str
    about: str
    words: Mapping[str, str]
    missing: Mapping[str, str]
    null: Mapping[str, str]
    replaced: Mapping[str, Mapping[str, str]]
    always: Mapping[str, str]
    values: Mapping[str, tuple[str, ...]]
    kept: Mapping[str, str]
    ignored: tuple[str, ...]
    requires: tuple[str, ...]
    repeated: Mapping[str, str]
    tensors: tuple[TensorForm, ...]

    @property
    def own_of_layers(self) -> tuple[str, ...]:
        """The paths of values that layers have of their own."""
        return tuple(path for path in self.missing if is_own(path))

    @property
    def is_of_parts(self) -> bool:
        """Whether it is the form of a model of several parts, each with a configuration of its own."""
        return any(path.startswith("text_config.") for path in self.missing)
