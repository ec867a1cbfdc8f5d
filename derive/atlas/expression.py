"""The language of traced forms: expressions in the fields of a configuration, in Python's notation.

`2 * (num_attention_heads * head_dim)`, `layer_types[i] == "full_attention"`, `i < first_k_dense_replace`; `i` is the place of a block in
the outermost list of modules, `j` in the next. Text is parsed by the standard library and never evaluated as code: each kind of node
known here is translated, anything else is refused.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

Fields: TypeAlias = Mapping[str, Any]
Places: TypeAlias = tuple[int, ...]
Evaluator: TypeAlias = Callable[[Fields, Places], Any]

PLACES = ("i", "j", "l")
LONGEST_LIST = 100_000
"""The longest list that is worked out: more layers than any model has."""


class ExpressionError(Exception):
    """An expression that is not in the language, or that has no value for the fields given."""


@lru_cache(maxsize=4096)
def evaluator(text: str) -> Evaluator:
    """The function that an expression stands for. Raises `ExpressionError` where the text is not in the language."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ExpressionError(f"{text}: {error.msg}") from None
    return _translated(tree.body)


def value(text: str, fields: Fields, places: Places = ()) -> Any:
    """The value of an expression. Raises `ExpressionError` where it has none: a field that is missing or null, a division by zero."""
    try:
        return evaluator(text)(fields, places)
    except (TypeError, ZeroDivisionError, IndexError, OverflowError, ValueError) as error:
        raise ExpressionError(f"{text}: {error}") from None


def holds(text: str, fields: Fields, places: Places = ()) -> bool:
    """Whether a condition holds; one that has no value does not."""
    try:
        return bool(value(text, fields, places))
    except ExpressionError:
        return False


def names_in(text: str) -> frozenset[str]:
    """The fields that an expression reads."""
    return frozenset(_names(ast.parse(text, mode="eval").body))


@lru_cache(maxsize=4096)
def mentions(text: str, places: tuple[str, ...]) -> bool:
    """Whether an expression depends on a place."""
    return any(isinstance(node, ast.Name) and node.id in places for node in ast.walk(ast.parse(text, mode="eval")))


def _names(node: ast.AST) -> set[str]:
    path = path_of(node)
    if path is not None:
        return set() if path in PLACES else {path}
    children = ast.iter_child_nodes(node)
    if isinstance(node, ast.Call):
        children = iter(node.args)
    if isinstance(node, ast.ListComp):
        loop = node.generators[0]
        return _names(node.elt) | _names(loop.iter) | set().union(*(_names(condition) for condition in loop.ifs))
    return set().union(*(_names(child) for child in children))


def path_of(node: ast.AST) -> str | None:
    """`ffn_config.moe_num_experts` for the attribute of a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        start = path_of(node.value)
        return None if start is None else f"{start}.{node.attr}"
    return None


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: lambda base, exponent: _power(base, exponent),
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b, ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ceil": math.ceil, "floor": math.floor, "int": int, "round": round, "max": max, "min": min, "len": len, "abs": abs,
    "sum": sum, "sqrt": math.sqrt,
}  # fmt: skip


def _translated(node: ast.AST) -> Evaluator:
    path = path_of(node)
    if path is not None:
        return _place(PLACES.index(path)) if path in PLACES else _field(path)
    for kind, translate in _TRANSLATORS.items():
        if isinstance(node, kind):
            return translate(node)
    raise ExpressionError(f"{ast.unparse(node)}: not in the language of forms")


def _place(index: int) -> Evaluator:
    return lambda fields, places: places[index]


def _field(path: str) -> Evaluator:
    def read(fields: Fields, places: Places) -> Any:
        try:
            return fields[path]
        except KeyError:
            raise ExpressionError(f"{path} is not given") from None

    return read


def _constant(node: Any) -> Evaluator:
    constant = node.value
    return lambda fields, places: constant


def _binary(node: Any) -> Evaluator:
    act = _BINARY.get(type(node.op))
    if act is None:
        raise ExpressionError(f"{ast.unparse(node)}: not in the language of forms")
    left, right = _translated(node.left), _translated(node.right)
    return lambda fields, places: act(_number(left(fields, places)), _number(right(fields, places)))


def _power(base: Any, exponent: Any) -> Any:
    if exponent not in (0, 1, 2, 3, 4):
        raise ExpressionError(f"a power of {exponent}: not in the language of forms")
    return base**exponent


def _number(found: Any) -> Any:
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise ExpressionError(f"not a number: {str(found)[:40]}")
    return found


def _unary(node: Any) -> Evaluator:
    inner = _translated(node.operand)
    if isinstance(node.op, ast.Not):
        return lambda fields, places: not inner(fields, places)
    if isinstance(node.op, ast.USub):
        return lambda fields, places: -_number(inner(fields, places))
    raise ExpressionError(f"{ast.unparse(node)}: not in the language of forms")


def _comparison(node: Any) -> Evaluator:
    if len(node.ops) != 1:
        raise ExpressionError(f"{ast.unparse(node)}: one comparison at a time")
    act = _COMPARED[type(node.ops[0])]
    left, right = _translated(node.left), _translated(node.comparators[0])
    return lambda fields, places: act(left(fields, places), right(fields, places))


def _logical(node: Any) -> Evaluator:
    parts = tuple(_holding(_translated(part)) for part in node.values)
    quantifier = all if isinstance(node.op, ast.And) else any
    return lambda fields, places: quantifier(part(fields, places) for part in parts)


def _holding(part: Evaluator) -> Evaluator:
    """A condition that does not hold where it has no value."""

    def held(fields: Fields, places: Places) -> bool:
        try:
            return bool(part(fields, places))
        except (ExpressionError, TypeError, ZeroDivisionError, IndexError):
            return False

    return held


def _choice(node: Any) -> Evaluator:
    condition, yes, no = _holding(_translated(node.test)), _translated(node.body), _translated(node.orelse)
    return lambda fields, places: yes(fields, places) if condition(fields, places) else no(fields, places)


def _element(node: Any) -> Evaluator:
    values, index = _translated(node.value), _translated(node.slice)
    return lambda fields, places: values(fields, places)[index(fields, places)]


def _call(node: Any) -> Evaluator:
    if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS or node.keywords:
        raise ExpressionError(f"{ast.unparse(node)}: not in the language of forms")
    function, given = _FUNCTIONS[node.func.id], tuple(_translated(argument) for argument in node.args)
    return lambda fields, places: function(*(argument(fields, places) for argument in given))


def _list(node: Any) -> Evaluator:
    elements = tuple(_translated(element) for element in node.elts)
    return lambda fields, places: [element(fields, places) for element in elements]


def _generated(node: Any) -> Evaluator:
    """`[… for i in range(n) if …]`, the only loop there is."""
    loop = node.generators[0]
    simple = len(node.generators) == 1 and path_of(loop.target) == "i" and len(loop.ifs) < 2
    if not simple or not isinstance(loop.iter, ast.Call) or path_of(loop.iter.func) != "range" or len(loop.iter.args) != 1:
        raise ExpressionError(f"{ast.unparse(node)}: not in the language of forms")
    element, count = _translated(node.elt), _translated(loop.iter.args[0])
    wanted = [_holding(_translated(condition)) for condition in loop.ifs]

    def generated(fields: Fields, places: Places) -> list[Any]:
        length = count(fields, places)
        if length > LONGEST_LIST:
            raise ExpressionError(f"{length} layers are more than any model has")
        return [element(fields, (index,)) for index in range(length) if all(test(fields, (index,)) for test in wanted)]

    return generated


_TRANSLATORS: dict[type[ast.AST], Callable[[Any], Evaluator]] = {
    ast.Constant: _constant, ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _comparison, ast.BoolOp: _logical, ast.IfExp: _choice,
    ast.Subscript: _element, ast.Call: _call, ast.List: _list, ast.ListComp: _generated,
}  # fmt: skip
