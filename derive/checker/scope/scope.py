"""What a document has said up to a place: values of letters, what names stand for, and which numbers were wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from itertools import islice, product

from derive.checker.arithmetic.values import claim_value
from derive.checker.glossary import Glossary, meaning_of_word
from derive.checker.scope.definitions import TIED, Definition, is_multiple, only_together, tie_of
from derive.checker.scope.known import Known
from derive.formula.statement import Statement
from derive.formula.tree import Applied, Formula, Name, Power, Quotient
from derive.records import dataclass
from derive.symbols import BY_NAME

MOST_COMBINATIONS = 48
"""Of earlier values that are tried before a number is called wrong."""


@dataclass(slots=True)
class Scope:
    """The state of one check, from the top of a document down."""

    glossary: Glossary
    values: dict[str, list[Fraction]] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    wrong: dict[Fraction, tuple[int, Fraction | None]] = field(default_factory=dict)
    products: dict[frozenset[str], Fraction] = field(default_factory=dict)
    beside: tuple[Statement, ...] = ()
    beside_values: dict[str, list[Fraction]] = field(default_factory=dict)

    def enter(self, statements: tuple[Statement, ...]) -> None:
        """A block begins: what its statements bind counts in all of it, also before them."""
        if statements is self.beside:
            return
        self.beside, self.beside_values = statements, {}
        for statement in statements:
            if len(statement.sides) == 2 and isinstance(statement.sides[0].formula, Name) and statement.sides[1].claim is not None:
                claim = statement.sides[1].claim
                self.beside_values.setdefault(statement.sides[0].formula.name, []).append(claim_value(claim))

    def meaning(self, name: str) -> str | None:
        """What a letter surely means."""
        found = self.candidates(name)
        return found[0] if len(found) == 1 else None

    def candidates(self, name: str) -> tuple[str, ...]:
        """What a letter can mean, the most probable first."""
        if name in self.glossary.meanings:
            return self.glossary.meanings[name]
        word = meaning_of_word(name)
        return (word,) if word is not None else ()

    def tied_beside(self, itself: Statement | None = None) -> dict[str, Formula]:
        """What the statements of the same block say that names are: `D = NH`, `d_attn = d_ff/4 = d_model`."""
        found: dict[str, Formula] = {}
        for statement in (each for each in self.beside if each is not itself):
            for left, relation, right in zip(statement.sides, statement.relations, statement.sides[1:], strict=False):
                tie = tie_of(left.formula, right.formula) if relation in ("=", ":=") else None
                if tie is not None:
                    found.setdefault(*tie)
        return found

    def bind(self, name: str, value: Fraction) -> None:
        """A letter has this value from here on."""
        for key in self._keys(name):
            self._keep(key, value)

    def bind_meaning(self, meaning: str, value: Fraction) -> None:
        """A size of the vocabulary has this value from here on, under whatever letter."""
        self._keep(f"={meaning}", value)

    def _keep(self, key: str, value: Fraction) -> None:
        values = self.values.setdefault(key, [])
        if value in values:
            values.remove(value)
        values.append(value)

    def _keys(self, name: str) -> tuple[str, ...]:
        """Under what a value is kept: the letter itself, and its meaning where that is sure."""
        meaning = self.meaning(name)
        return (name,) if meaning in (None, "other") else (name, f"={meaning}")

    def values_of(self, name: str) -> list[Fraction]:
        """The values that a letter was given, the latest last; its own before those of its meaning."""
        own = [*self.values.get(name, ()), *self.beside_values.get(name, ())]
        if own:
            return own
        meaning = self.meaning(name)
        return self.values.get(f"={meaning}", []) if meaning else []

    def latest(self, names: Mapping[str, object] | tuple[str, ...]) -> dict[str, Fraction]:
        """The latest value of each letter that has one."""
        return {name: found[-1] for name in names if (found := self.values_of(name))}

    def combinations(self, names: tuple[str, ...]) -> Iterator[dict[str, Fraction]]:
        """Values for all of the letters, the latest first, then earlier ones."""
        every = [list(reversed(self.values_of(name)))[:4] for name in names]
        for chosen in islice(product(*every), MOST_COMBINATIONS):
            yield dict(zip(names, chosen, strict=True))

    def products_in(self, formula: Formula, missing: list[str]) -> dict[str, Fraction]:
        """Values for letters whose product alone is known (`B·T = 4M`), where the formula holds them as that product only."""
        found: dict[str, Fraction] = {}
        for letters, value in self.products.items():
            if letters <= set(missing) and only_together(formula, letters):
                first, *others = sorted(letters)
                found |= {first: value, **dict.fromkeys(others, Fraction(1))}
        return found

    def known(self, names: tuple[str, ...], statement: Statement) -> Known:
        """What is known of the letters of an equation that stands in the statement."""
        meanings = {name: meaning for name in names if (meaning := self.likely(name)) is not None}
        candidates = {name: found for name in names if (found := self.candidates(name))}
        definitions = {name: each.formula for name, each in self.definitions.items() if self.stands_for(name, each)}
        sizes = {
            name: each.formula for name, each in self.definitions.items() if name not in definitions and name not in each.formula.names
        }
        certain = frozenset(name for name in names if self.is_size(name))
        return Known(meanings, definitions, self.latest(names), candidates, certain, sizes, self.tied_beside(statement))

    def stands_for(self, name: str, definition: Definition) -> bool:
        """Whether a name may be replaced by what it was said to be: not for ≈, and not for a size that an equation was solved for."""
        size = self.likely(name)
        solved = is_multiple(definition.formula) or isinstance(definition.formula, (Applied, Quotient, Power))
        tied = size in TIED or not (solved and (size in BY_NAME or isinstance(definition.formula, Applied)))
        return definition.relation != "≈" and name not in definition.formula.names and tied

    def is_size(self, name: str) -> bool:
        """Whether a letter surely is a size of the vocabulary; a word may be one of two."""
        found = self.candidates(name)
        return 0 < len(found) <= (2 if len(name) > 1 else 1) and all(each in BY_NAME for each in found)

    def likely(self, name: str) -> str | None:
        """The most probable meaning of a letter."""
        found = self.candidates(name)
        if found:
            return found[0]
        return name if name in BY_NAME else None
