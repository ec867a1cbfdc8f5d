"""The quick dataclasses behave like the standard library's."""

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, fields, replace

import pytest

from derive.checker.finding import Checked, Finding
from derive.checker.instructions.settings import Settings
from derive.documents.document import Block, Document, Piece
from derive.quantities import is_spelled_like_a_quantity, quantities
from derive.records import dataclass
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Quick:
    """A record with every kind of field."""

    size: int
    name: str = "x"
    parts: list[int] = field(default_factory=list, compare=False, repr=False)
    twice: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.size)


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same, by the standard library."""

    size: int
    name: str = "x"
    parts: list[int] = field(default_factory=list, compare=False, repr=False)
    twice: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.size)


@dataclass(slots=True)
class Changing:
    """A record that may change."""

    size: int
    seen: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByName:
    """A record made by name."""

    last: int = 2
    first: int


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    """A record that equals only itself."""

    size: int


def test_made_and_shown_like_a_standard_one():
    assert repr(Quick(3, parts=[1])) == repr(Standard(3, parts=[1])).replace("Standard", "Quick")
    assert [each.name for each in fields(Quick)] == [each.name for each in fields(Standard)]
    assert ByName(first=1) == ByName(first=1, last=2)


def test_equal_and_hashed_by_the_fields_that_are_compared():
    assert Quick(3, parts=[1]) == Quick(3, parts=[2]) != Quick(4)
    assert hash(Quick(3)) == hash(Quick(3, parts=[2])) == hash(Standard(3))
    assert Quick(3) != Standard(3)
    assert Changing(1) == Changing(1)
    with pytest.raises(TypeError):
        hash(Changing(1))
    assert Itself(1) != Itself(1)


def test_defaults_are_made_anew():
    assert Changing(1).seen is not Changing(1).seen
    assert Quick(1).parts is not Quick(1).parts


@pytest.mark.parametrize("arguments", [(), (1, "x", [], 2)])
def test_wrong_arguments_are_refused(arguments):
    with pytest.raises(TypeError) as quick:
        Quick(*arguments)
    with pytest.raises(TypeError) as standard:
        Standard(*arguments)
    assert str(quick.value).replace("Quick", "Standard") == str(standard.value)


def test_frozen():
    with pytest.raises(FrozenInstanceError):
        Quick(1).size = 2
    with pytest.raises(FrozenInstanceError):
        del Quick(1).size
    assert not hasattr(Quick(1), "__dict__")


@pytest.mark.parametrize(
    "record",
    [
        Text("a", "b"),
        Settings({"h": "d"}, frozenset({"number"})),
        Document("x", "$a$", (Block("text", (Piece("math", "a", range(1, 3)),)),)),
        Checked(
            "x",
            "",
            (
                Finding(
                    line=1, column=1, end_line=1, end_column=2, text="", reads_as="", relation="=", verdict="exact", code="", message=""
                ),
            ),
        ),
    ],
)
def test_records_travel_between_processes(record):
    assert pickle.loads(pickle.dumps(record)) == record == copy.copy(record) == copy.deepcopy(record)
    assert replace(record) == record


def test_every_quantity_is_spelled_like_one():
    assert all(is_spelled_like_a_quantity(name) and is_spelled_like_a_quantity(name.lower()) for name in quantities())
    assert not any(map(is_spelled_like_a_quantity, ("", "P", "d_model", "h_kv", "hidden_size")))
