"""One relation of a statement → its verdict. The kinds of pairs in the order in which they are tried."""

from __future__ import annotations

import re
from dataclasses import field, replace
from fractions import Fraction

from derive.algebra import polynomial
from derive.algebra.arrange import simplified
from derive.algebra.normal import difference, equal, normal, sign
from derive.checker.arithmetic import Computed, Judgement, judge_numbers
from derive.checker.equations import Equation
from derive.checker.finding import Verdict
from derive.checker.identity import compare
from derive.checker.named import judge_named, other_kind
from derive.checker.own_quantities import is_own, own_equal, own_name
from derive.checker.rational import is_opaque, opaque, rational
from derive.checker.scope import Definition, Scope
from derive.checker.size_relations import judge_size
from derive.checker.unify import numbers_put_in
from derive.checker.values import UNIT_VALUES, Interval, interval_of, value_of, with_binary_prefixes
from derive.errors import DeriveError, UndecidedError
from derive.formula.read import read_all
from derive.formula.side import claim_of
from derive.formula.statement import Claim, Side, Statement, Written
from derive.formula.tree import Applied, Formula, Name, Number, Product, Quotient, children
from derive.formula.units import UNITS
from derive.records import dataclass
from derive.symbols import BY_NAME

EQUALITIES = frozenset(("=", "≈", ":="))
ORDERS = {"≤": "<=", "≥": ">=", "<": "<", ">": ">", "≪": "<", "≫": ">", "≠": "!="}


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one relation, with everything that a finding shows but its place."""

    verdict: Verdict
    code: str
    message: str
    stated: str | None = None
    right: str | None = None
    residual: str | None = None
    assumptions: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    relative_error: Fraction | None = None
    computed: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """The two sides of a relation, ready for algebra, and where they come from."""

    left: Side
    right: Side
    relation: str
    statement: Statement
    equation: Equation
    first: bool
    a: Formula = field(default_factory=lambda: Number(0))
    b: Formula = field(default_factory=lambda: Number(0))

    @property
    def loose(self) -> bool:
        """Whether the relation is ≈."""
        return self.relation == "≈"

    @property
    def names(self) -> tuple[str, ...]:
        """The letters of both sides."""
        return tuple(dict.fromkeys((*self.a.names, *self.b.names)))


def rule(pair: Pair, scope: Scope) -> Ruling | None:
    """The verdict on a pair; None where the relation says nothing that could be checked."""
    if pair.relation in ("∈", "⇒", ";"):
        return None
    try:
        if pair.relation == "→":
            return _step(pair, scope)
        if pair.relation in ORDERS:
            return _order(pair, scope)
        if pair.relation == "∝":
            return Ruling("unchecked", "undecided", "a proportion is not checked")
        return _equality(pair, scope)
    except UndecidedError as error:
        return Ruling("unchecked", "beyond", str(error))


def prepared(left: Side, right: Side, relation: str, statement: Statement, equation: Equation, scope: Scope, *, first: bool) -> Pair:
    """The pair with its sides made rational. Raises `UndecidedError` beyond the bounds."""
    definitions = {name: each.formula for name, each in scope.definitions.items()}
    a, b = (rational(side.formula, side.units, definitions) for side in (left, right))
    return Pair(left, right, relation, statement, equation, first, a, b)


def _step(pair: Pair, scope: Scope) -> Ruling | None:
    """`a → b` with the note "with d_kv = d, m = 4d": what is put in, put in."""
    put_in = _said_in(pair.right.note or pair.statement.remark)
    if not put_in or not pair.a.names:
        return None
    for _ in range(2):
        replaced = pair.a.substitute(put_in)
        if equal(replaced, pair.b):
            said = ", ".join(f"{name} = {value.text}" for name, value in put_in.items())
            return Ruling("exact", "equal-formulas", f"equal with {said}")
        put_in = {name: value.substitute(put_in) for name, value in put_in.items()}
    shown = _simple(replaced)
    return Ruling("wrong", "formula", f"it is {shown}", pair.b.text, shown)


def _said_in(note: str) -> dict[str, Formula]:
    """The equations in a note: what its names stand for."""
    found: dict[str, Formula] = {}
    inner = note.strip("& ")
    inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
    for statement in read_all(inner) if "=" in inner else ():
        if isinstance(statement, Statement) and len(statement.sides) == 2 and isinstance(statement.sides[0].formula, Name):
            found[statement.sides[0].formula.name] = rational(statement.sides[1].formula, statement.units, {})
    return found


def _equality(pair: Pair, scope: Scope) -> Ruling:
    if not pair.names:
        return _arithmetic(pair, scope)
    if _SHAPES.match(pair.left.text):
        return Ruling("definition", "defined", "shapes of matrices")
    if pair.first and _CALL.match(pair.left.text) and pair.a.names:
        return Ruling("definition", "defined", f"defines {pair.left.text.strip().split('(')[0].strip()}")
    if (found := _own_names(pair, scope)) is not None:
        return found
    for name_side, other_side in ((pair.a, pair.b), (pair.b, pair.a)):
        if isinstance(name_side, Name) and (pair.first or name_side is pair.b):
            return _name(name_side.name, other_side, pair, scope)
    if not pair.a.names or not pair.b.names:
        return _instance(pair, scope)
    return _formulas(pair, scope)


def _own_names(pair: Pair, scope: Scope) -> Ruling | None:
    """Formulas that hold names of the engine's own quantities: its closed forms put in."""
    own = [name for name in pair.names if is_own(name)]
    lone = [side for side in (pair.a, pair.b) if isinstance(side, Name)]
    if not own or (lone and not any(name in side.names for name in own for side in (pair.a, pair.b) if side not in lone)):
        return None
    if not all(is_own(name) or scope.likely(name) in BY_NAME for name in pair.names):
        return None
    meanings = {name: Name(str(scope.likely(name))) for name in pair.names if not is_own(name)}
    assumed = own_equal(*(side.substitute(meanings) for side in (pair.a, pair.b)))
    if assumed is not None:
        for side, other in ((pair.a, pair.b), (pair.b, pair.a)):
            if isinstance(side, Name):
                _define(side.name, other, pair, scope)
        if not assumed:
            return Ruling("exact", "equal-quantity", "equal with the closed forms put in")
        return Ruling("exact-under", "equal-under", f"equal with {', '.join(assumed)}", assumptions=assumed)
    found = compare(pair.a, pair.b, scope.known(pair.names), loose=pair.loose)
    if found.verdict in ("exact", "exact-under", "approximation") or pair.loose or any(name in scope.definitions for name in own):
        return None
    if any(is_own(side.name) and other_kind(side.name, other, scope) for side, other in ((pair.a, pair.b), (pair.b, pair.a)) if isinstance(side, Name)):
        return None
    if any(name in ("P_mla", "P_shared") for name in pair.names):
        return None
    if not all(is_own(name) or scope.meaning(name) in BY_NAME or (name in BY_NAME and scope.likely(name) == name) for name in pair.names):
        return None
    return Ruling("wrong", "quantity", "not equal with the closed forms put in", pair.b.text, None)


# numbers


def _arithmetic(pair: Pair, scope: Scope, values: dict[str, Fraction] | None = None) -> Ruling:
    """Both sides are numbers, perhaps once the values of letters are put in."""
    with_units = {**UNIT_VALUES, **(values or {})}
    sides = (pair.left, pair.right)
    stated, computed = (sides[1], sides[0]) if sides[1].claim is not None or sides[0].claim is None else sides
    if (goes_on := _goes_on(pair, with_units)) is not None:
        return goes_on
    if stated.claim is None and _is_conversion(pair) and _two_expressions(pair, with_units).verdict == "wrong":
        return Ruling("definition", "bound", "a conversion of units")
    if stated.claim is None:
        found_two = _two_expressions(pair, with_units)
        return Ruling("definition", "bound", "says what a unit is") if found_two.verdict == "wrong" and _defines_unit(pair) else found_two
    value = value_of(computed.formula, with_units)
    has_unit = bool(computed.units) or _scaled(computed.formula)
    made = Computed(
        value,
        has_unit,
        lambda: _interval(computed.formula, with_units),
        lambda: _without_units(computed, values),
        (lambda: _in_binary(computed, values)) if has_unit else None,
    )
    found = judge_numbers(made, stated.claim, loose=pair.loose)
    if found.verdict == "wrong" and _defines_unit(pair):
        return Ruling("definition", "bound", "says what a unit is")
    if found.verdict == "wrong" and _is_conversion(pair):
        return Ruling("definition", "bound", "a conversion of units")
    if found.verdict == "wrong" and pair.loose and stated is pair.left and (loose := _two_expressions(pair, with_units)).verdict != "wrong":
        return loose
    ruling = replace(_from_judgement(found, stated, values), computed=value)
    if found.verdict != "wrong" and (follows := _follows(computed, stated.claim, values, scope)) is not None:
        return replace(ruling, verdict="wrong", code="follows", message=f"follows from the number in line {follows}, which is wrong")
    if found.code == "number" and found.verdict == "wrong" and stated.claim is not None:
        from derive.checker.fits import fits_elsewhere

        return replace(ruling, message=ruling.message + fits_elsewhere(stated.claim, scope))
    return ruling


def _goes_on(pair: Pair, values: dict[str, Fraction]) -> Ruling | None:
    """`4 + 4 = 8 bytes × 1.5B = 12 GB`: the right side begins with the result of the left one and goes on from it."""
    right = pair.right.formula
    claim = _leading(right, pair.right.units)
    if claim is None or pair.right.claim is not None:
        return None
    left = value_of(pair.left.formula, values)
    bare = pair.left.claim.value if pair.left.claim is not None else left
    for value in (left, bare):
        found = judge_numbers(Computed(value, True), claim, loose=pair.loose)
        if found.verdict in ("exact", "exact-under", "rounded") or found.code == "truncated":
            return Ruling(found.verdict, found.code, "a running computation: the result is the first number of what follows", pair.right.text)
    return None


def _leading(formula: Formula, units: frozenset[str]) -> Claim | None:
    """The number that a formula begins with, with its unit."""
    while isinstance(formula, (Product, Quotient)):
        found = claim_of(formula, set(units))
        if found is not None:
            return found
        formula = formula.factors[0] if isinstance(formula, Product) else formula.numerator
    return claim_of(formula, set(units))


def _is_conversion(pair: Pair) -> bool:
    """`1 inch = 2.54 cm`, `3 days = 576 GPU hours`: two numbers that count different things, or stand in running text without a unit."""
    if not all(_is_measure(side) for side in (pair.left, pair.right)):
        return False
    if pair.left.claim is None or pair.right.claim is None:
        return True
    if pair.left.claim.full and not pair.left.units and not pair.left.claim.scale and (not pair.first or pair.left.claim.value >= 10**4):
        return False  # a result written in full, not something that is counted
    kinds = [_kind(side) for side in (pair.left, pair.right)]
    known = {"bytes", "time", "flops", "rate"}
    if "other" in kinds or (kinds[0] != kinds[1] and set(kinds) & known):
        return True
    return pair.equation.kind != "math" and not set(kinds) & known and not (pair.left.claim.scale and pair.right.claim.scale)


def _is_measure(side: Side) -> bool:
    """Whether a side is one number with units."""
    return len(_written(side.formula)) == 1 and set(side.formula.names) <= side.units and (side.claim is not None or bool(side.units))


def _kind(side: Side) -> str:
    """What the unit of a side measures."""
    return next((UNITS[word].kind for word in sorted(side.units)), "count")


def _in_binary(computed: Side, values: dict[str, Fraction] | None) -> Fraction:
    formula, units = with_binary_prefixes(computed.formula, computed.units)
    return value_of(formula, {**units, **(values or {})})


def _without_units(computed: Side, values: dict[str, Fraction] | None) -> Fraction:
    """The value of the bare numbers, where units are written in ways that do not fit together."""
    return value_of(computed.formula, {**dict.fromkeys(computed.units, Fraction(1)), **(values or {})})


def _from_judgement(found: Judgement, stated: Side, values: dict[str, Fraction] | None) -> Ruling:
    given = f" with {_values_said(values)}" if values else ""
    return Ruling(
        found.verdict,
        found.code,
        found.message + given,
        stated.text.strip(),
        found.right,
        None,
        found.assumptions,
        (),
        found.relative_error,
    )


def _values_said(values: dict[str, Fraction]) -> str:
    return ", ".join(
        f"{name} = {value.numerator:,}" if value.denominator == 1 else f"{name} = {float(value):g}" for name, value in values.items()
    )


def _interval(formula: Formula, values: dict[str, Fraction]) -> Interval | None:
    try:
        return interval_of(formula, values)
    except DeriveError:
        return None


def _scaled(formula: Formula) -> bool:
    """Whether a number in it has a scale: 7B."""
    if isinstance(formula, Written):
        return bool(formula.scale)
    return any(_scaled(child) for child in children(formula))


def _defines_unit(pair: Pair) -> bool:
    """`1 GB = 2^30 bytes` says what a GB is."""
    claim = pair.left.claim
    return claim is not None and claim.value == 1 and bool(claim.unit) and UNIT_VALUES.get(claim.unit, 1) > 1


def _two_expressions(pair: Pair, values: dict[str, Fraction]) -> Ruling:
    """Two products or sums of numbers."""
    left, right = value_of(pair.left.formula, values), value_of(pair.right.formula, values)
    shown = _number_text(left)
    if left == right:
        return Ruling("exact", "equal-numbers", f"both are {shown}")
    bare = [value_of(side.formula, {**values, **dict.fromkeys(side.units, Fraction(1))}) for side in (pair.left, pair.right)]
    if bare[0] == bare[1] and pair.left.units | pair.right.units:
        return Ruling("exact", "equal-numbers", f"both are {_number_text(bare[0])}, whatever the units")
    error = (right - left) / left if left else None
    near = error is not None and abs(error) <= Fraction(1, 10 if pair.loose else 200)
    one, other = _interval(pair.left.formula, values), _interval(pair.right.formula, values)
    overlap = one is not None and other is not None and one.low <= other.high and other.low <= one.high
    if near and (pair.loose or overlap):
        return Ruling("approximation", "near", f"near: {shown} and {_number_text(right)}", relative_error=error)
    message = f"the left side is {shown}, the right side {_number_text(right)}"
    return Ruling("wrong", "number", message, _number_text(right), shown, relative_error=error)


def _number_text(value: Fraction) -> str:
    from derive.formula.numbers import decimal

    return f"{value.numerator:,}" if value.denominator == 1 and abs(value) < 10**24 else decimal(value, 6)


def _follows(computed: Side, claim: Claim, values: dict[str, Fraction] | None, scope: Scope) -> int | None:
    """The line of an earlier wrong number that stands in the computed side, where the right one would lead elsewhere."""
    used = [Fraction(number.value) for number in _written(computed.formula)] + list((values or {}).values())
    for value in used:
        line, right = scope.wrong.get(value, (0, None))
        if not line or abs(value) < 100:
            continue
        if right is None or not right or not value:
            return line
        shifted = value_of(computed.formula, {**UNIT_VALUES, **(values or {})}) * right / value
        if judge_numbers(Computed(shifted, True), claim, loose=False).verdict == "wrong":
            return line
    return None


def _written(formula: Formula) -> list[Written]:
    if isinstance(formula, Written):
        return [formula]
    return [found for child in children(formula) for found in _written(child)]


_CALL = re.compile(r"\s*\\?[A-Za-z]+(?:_\{?[\\A-Za-z0-9]+\}?)?\s*(?:\\left)?\(\s*[A-Za-z0-9_\\]+(?:\s*[,;]\s*[A-Za-z0-9_\\]+)*\s*(?:\\right)?\)\s*$")
"""`f(x)`, `P(d, L)`: a name with what it depends on."""
_SHAPES = re.compile(r"\s*\(\s*\w+\s*(?:\\times|×|x)\s*\w+\s*\)\s*(?:\\cdot|\\times|·|×|@)?\s*\(\s*\w+\s*(?:\\times|×|x)\s*\w+\s*\)\s*$")
"""`(n × d)(d × m)`: the shapes of two matrices that are multiplied."""
_CONDITION = re.compile(
    r"(?:\b(?:when|if|until|at|solve|solving|set|setting|crossover|such that|find|once|unless|suppose|assume|let)"
    r"|令|当|若|解|假设|设|满足|使得?)\s*(?:is|for|that|we have|有)?\s*(?:at)?\s*$",
    re.IGNORECASE,
)


def _is_condition(pair: Pair) -> bool:
    """Whether the words before say that the equation is to be solved or assumed, not that it holds."""
    return pair.first and _CONDITION.search(pair.equation.label) is not None


def _instance(pair: Pair, scope: Scope) -> Ruling:
    """A formula with letters on one side, a number on the other: checked where the document gives the letters values."""
    found = _evaluated(pair, scope)
    if found.verdict not in ("wrong", "unchecked"):
        return found
    product = _letters_only(pair) and (pair.left.claim or pair.right.claim)
    if product and (pair.loose or found.verdict == "unchecked"):
        _bind_product(pair, scope)
        return Ruling("definition", "bound", "a product of letters is given a value")
    if _is_condition(pair) and not (product and not pair.loose):
        return Ruling("definition", "bound", "a condition on the letters")
    return found


def _evaluated(pair: Pair, scope: Scope) -> Ruling:
    """The formula with the letters' values put in, against the number."""
    names = pair.names
    letters = pair.a if pair.a.names else pair.b
    said = _values_beside(pair)
    needed = needed_names(letters)
    free = {name: Fraction(1) for name in names if name not in needed}
    free |= {name: value for name, value in said.items() if name in needed}
    free |= scope.products_in(letters, [name for name in needed if not scope.values_of(name)])
    missing = [name for name in needed if name not in free and not scope.values_of(name)]
    if missing:
        return _unknown_values(pair, scope, missing)
    first: Ruling | None = None
    for values in scope.combinations(tuple(name for name in names if name not in free)):
        found = _arithmetic(pair, scope, {**values, **free})
        if found.verdict != "wrong" or found.code == "follows":
            return found
        first = first or found
    assert first is not None
    return _rebinding(pair, scope) or first


def _rebinding(pair: Pair, scope: Scope) -> Ruling | None:
    """`4d = 4·512`: numbers put in that are far from the letters' earlier values are values of their own."""
    letters, numbers = (pair.left, pair.right) if pair.a.names else (pair.right, pair.left)
    put_in = numbers_put_in(letters.formula, numbers.formula) if numbers.claim is None else None
    if put_in is None or put_in.slips:
        return None
    for name, value in put_in.values.items():
        known = scope.values_of(name)
        if known and value not in known and min(abs(value / each - 1) for each in known if each) < Fraction(1, 20):
            return None
    for name, value in put_in.values.items():
        scope.bind(name, value)
    return Ruling("definition", "bound", f"numbers put in: {_values_said(put_in.values)}")


def _bind_product(pair: Pair, scope: Scope) -> None:
    letters, number = (pair.a, pair.b) if pair.a.names else (pair.b, pair.a)
    if isinstance(letters, Product) and _letters_only(pair):
        scope.products[frozenset(letters.names)] = value_of(number, {})


def needed_names(formula: Formula) -> tuple[str, ...]:
    """The letters that a rational formula depends on: `2HT²(D/H)` does not depend on H."""
    try:
        form = normal(formula)
        above, below = polynomial.cancelled(form.ring, form.numerator, form.denominator)
    except DeriveError:
        return formula.names
    found = {name for terms in (above, below) for key in terms for name, _ in form.ring.exponents(key)}
    return tuple(name for name in formula.names if name in found)


def _values_beside(pair: Pair) -> dict[str, Fraction]:
    """Values that are said in a remark on the statement: `4d² = 2,359,296 (d = 768)`."""
    found: dict[str, Fraction] = {}
    remark = pair.statement.remark
    for statement in read_all(remark.strip("()（） ")) if "=" in remark else ():
        if isinstance(statement, Statement) and len(statement.sides) == 2 and isinstance(statement.sides[0].formula, Name):
            claim = statement.sides[1].claim
            if claim is not None:
                found[statement.sides[0].formula.name] = claim_value(claim)
    return found


def _letters_only(pair: Pair) -> bool:
    """`B·T = 4M`: a product of letters is given a number."""
    letters = pair.a if pair.a.names else pair.b
    return isinstance(letters, Product) and all(isinstance(factor, Name) for factor in letters.factors)


def _unknown_values(pair: Pair, scope: Scope, missing: list[str]) -> Ruling:
    letters, numbers = (pair.left, pair.right) if pair.a.names else (pair.right, pair.left)
    put_in = numbers_put_in(letters.formula, numbers.formula)
    if put_in is not None:
        if put_in.slips and not pair.loose:
            of_formula, here = put_in.slips[0]
            message = f"numbers put in, but {_number_text(of_formula)} in the formula is {_number_text(here)} here"
            return Ruling("wrong", "number", message, numbers.text)
        for name, value in put_in.values.items():
            scope.bind(name, value)
        return Ruling("definition", "bound", f"numbers put in: {_values_said(put_in.values)}")
    if len(missing) == 1 and pair.names == (missing[0],) and pair.a in (Name(missing[0]),):
        scope.bind(missing[0], value_of(pair.b, {}))
    return Ruling("unchecked", "unknown-value", f"{', '.join(missing)} has no value in the document")


# names


def _name(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling:
    """A lone name on one side."""
    side = pair.right if other is pair.b else pair.left
    if not other.names:
        return _bound(name, side, other, pair, scope)
    if pair.relation != ":=":
        is_size = scope.meaning(name) in BY_NAME and not (own_name(name) and any(scope.likely(each) == "L" for each in other.names))
        for by in (_by_size, _by_definition) if is_size else (_by_size, _by_concept, _by_definition):
            found = by(name, other, pair, scope)
            if found is not None:
                if found.verdict != "wrong":
                    _define(name, other, pair, scope)
                return found
    if name in other.names:
        return _recursion(name, other, pair, scope)
    _define(name, other, pair, scope)
    return Ruling("definition", "defined", f"defines {name}")


def _recursion(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling:
    """`i = i + 1` is an assignment; `P = P` would be an identity."""
    if equal(Name(name), opaque(other)):
        return Ruling("exact", "equal-formulas", "equal")
    return Ruling("definition", "redefined" if name in scope.definitions else "defined", f"gives {name} another value")


def _define(name: str, formula: Formula, pair: Pair, scope: Scope) -> None:
    if name not in formula.names:
        scope.definitions[name] = Definition(formula, 0, pair.relation)


def _bound(name: str, side: Side, other: Formula, pair: Pair, scope: Scope) -> Ruling:
    """A name and a number: the value of a letter, or the value of what the name stands for."""
    value = value_of(other, {})
    checked = _value_of_definition(name, side, pair, scope)
    scope.bind(name, value)
    return checked or Ruling("definition", "bound", f"{name} is {_number_text(value)}", side.text.strip())


def _value_of_definition(name: str, side: Side, pair: Pair, scope: Scope) -> Ruling | None:
    """The number beside the formula that the name was said to be; said only where they agree."""
    definition = scope.definitions.get(name)
    if definition is None or side.claim is None or not all(scope.values_of(each) for each in definition.formula.names):
        return None
    for values in scope.combinations(definition.formula.names):
        made = Computed(value_of(definition.formula, values), True)
        found = judge_numbers(made, side.claim, loose=pair.loose)
        if found.verdict not in ("wrong", "approximation"):
            return _from_judgement(found, side, values)
    return None


def _by_size(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling | None:
    found = judge_size(name, other, scope)
    if found is None:
        return None
    return Ruling(found.verdict, found.code, found.message, pair.right.text, found.right, found.residual, found.assumptions)


def _by_concept(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling | None:
    label = pair.statement.labels.get(name, name)
    side = pair.right if other is pair.b else pair.left
    with_width = _with_byte_width(side.formula, side.units)
    formula = rational(with_width, side.units, {}) if with_width is not side.formula else other
    found = judge_named(label, f"{pair.equation.label} {pair.statement.remark}", formula, scope, loose=pair.loose)
    if found is None:
        return None
    return Ruling(
        found.verdict,
        found.code,
        found.message,
        simplified_text(other),
        found.right.text if found.right is not None else None,
        found.residual.text if found.residual is not None else None,
        found.assumptions,
        found.dropped,
        found.relative_error,
    )


def _with_byte_width(formula: Formula, units: frozenset[str]) -> Formula:
    """`… × 2 bytes` says how wide an element is: the 2 is the vocabulary's b."""
    if not isinstance(formula, Product):
        return formula
    factors = tuple(Name("b") if _is_byte_width(factor, units) else factor for factor in formula.factors)
    return Product(factors) if factors != formula.factors else formula


def _is_byte_width(factor: Formula, units: frozenset[str]) -> bool:
    if not isinstance(factor, Product) or len(factor.factors) != 2:
        return False
    number, unit = factor.factors
    return (
        isinstance(number, Number)
        and number.value in (1, 2, 4)
        and isinstance(unit, Name)
        and unit.name in units & {"bytes", "byte", "Bytes", "字节"}
    )


def simplified_text(formula: Formula) -> str:
    """The formula in Unicode."""
    return formula.text


def _by_definition(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling | None:
    """The name was defined before: the same, or another definition."""
    before = scope.definitions.get(name)
    if before is None:
        return None
    found = compare(before.formula, other, scope.known(tuple(dict.fromkeys((*before.formula.names, *other.names)))), loose=pair.loose)
    if found.verdict in ("exact", "exact-under", "approximation"):
        return Ruling(found.verdict, found.code, found.message, None, None, None, found.assumptions, found.dropped, found.relative_error)
    _define(name, other, pair, scope)
    return Ruling("definition", "redefined", f"{name} was {before.formula.text} before", other.text, before.formula.text)


# formulas


def _formulas(pair: Pair, scope: Scope) -> Ruling:
    found = compare(pair.a, pair.b, scope.known(pair.names), loose=pair.loose)
    if found.code == "undecided" and _differs_somewhere(pair):
        return Ruling("wrong", "formula", "the sides have different values", pair.b.text, pair.a.text)
    if found.verdict == "wrong" and _solvable(pair):
        solved = _solved(pair, scope)
        if solved is not None:
            return solved
        if _is_condition(pair):
            return Ruling("definition", "defined", "a condition on the letters")
    residual = found.residual.text if found.residual is not None else None
    stated, right = (pair.b.text, _simple(pair.a)) if found.verdict == "wrong" else (None, None)
    return Ruling(found.verdict, found.code, found.message, stated, right, residual, found.assumptions, found.dropped, found.relative_error)


def _differs_somewhere(pair: Pair) -> bool:
    """Whether sides in the same letters, outside of the reach of the algebra, have different values at two places."""
    names = tuple(dict.fromkeys((*pair.left.formula.names, *pair.right.formula.names)))
    left, right = set(pair.left.formula.names), set(pair.right.formula.names)
    if (
        pair.loose
        or not any(is_opaque(name) for side in (pair.a, pair.b) for name in opaque(side).names)
        or not (left <= right or right <= left)
    ):
        return False
    places = [{name: Fraction(start + 7 * at) for at, name in enumerate(names)} for start in (11, 29)]
    try:
        return all(value_of(pair.left.formula, place) != value_of(pair.right.formula, place) for place in places)
    except DeriveError:
        return False


def _solvable(pair: Pair) -> bool:
    """Whether positive letters could make the sides equal: their difference has terms of both signs."""
    return not sign(difference(pair.a, pair.b))


def _solved(pair: Pair, scope: Scope) -> Ruling | None:
    """An equation whose solution stands beside it: `24BTDNH = 12BT²NH` where T = 2D."""
    for statement in scope.beside:
        for left, right in zip(statement.sides, statement.sides[1:], strict=False):
            for name, value in ((left.formula, right.formula), (right.formula, left.formula)):
                if not isinstance(name, Name) or name.name not in pair.names or name.name in value.names:
                    continue
                put_in = {name.name: rational(value, statement.units, {})}
                if equal(pair.a.substitute(put_in), pair.b.substitute(put_in)):
                    said = f"{name.name} = {value.text}"
                    return Ruling("exact-under", "equal-under", f"equal with {said}", assumptions=(said,))
    return None


def _simple(formula: Formula) -> str:
    try:
        return simplified(formula).text
    except DeriveError:
        return formula.text


# orders


def _order(pair: Pair, scope: Scope) -> Ruling:
    names = pair.names
    if any(isinstance(side.formula, Applied) for side in (pair.left, pair.right)) and names:
        return Ruling("unchecked", "undecided", "an inequality between formulas is not decided")
    if not all(scope.values_of(name) for name in names):
        return Ruling("unchecked", "undecided", "an inequality that depends on the letters")
    values = scope.latest(names)
    left, right = value_of(pair.a, values), value_of(pair.b, values)
    holds = {"<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right, "!=": left != right}[ORDERS[pair.relation]]
    shown = f"{_number_text(left)} {pair.relation} {_number_text(right)}"
    if holds:
        return Ruling("exact", "equal-numbers", f"holds: {shown}")
    if names:
        return Ruling("unchecked", "undecided", f"does not hold for {_values_said(values)}")
    return Ruling("wrong", "false-relation", f"does not hold: {shown}", right=_number_text(left))


def claim_value(claim: Claim) -> Fraction:
    """The value of a claim with its unit."""
    return claim.value * UNIT_VALUES.get(claim.unit, Fraction(1))
