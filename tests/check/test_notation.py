"""The notation of this field, read right: every side as a SymPy expression that means the same."""

import re

import pytest
import sympy
from reference import records

import derive
from derive.errors import DeriveError

ROWS = records("check/notation.jsonl")
RELATIONS = {"=": ("=",), "~": ("≈",), "<=": ("≤",), ">=": ("≥",), "expr": ()}
KEPT = {"Sum", "Limit", "oo", "dir"}


def expected(text):
    """The meaning as a SymPy object, every name in it a plain symbol."""
    names = set(re.findall(r"[^\W\d]\w*", text)) - KEPT
    return sympy.sympify(text, locals={name: sympy.Symbol(name) for name in names})


def plain(expression):
    """A derivative as the one symbol that the data has for it."""
    return sympy.sympify(expression).replace(
        lambda node: isinstance(node, sympy.Derivative),
        lambda node: sympy.Symbol(f"d{node.expr}d{node.variables[0]}"),
    )


def means(expression, meaning):
    """Sums and limits that stay as they are must look alike; everything else must be equal."""
    expression = plain(expression)
    if meaning.has(sympy.Sum, sympy.Limit):
        return expression == meaning
    return sympy.simplify(expression.doit() - meaning) == 0


def read_as(statement, meanings):
    """Whether the sides, in order, mean these; a pair of a system is two sides."""
    wanted = [side for text in meanings for side in (lambda each: each if isinstance(each, tuple) else (each,))(expected(text))]
    return len(statement.sides) == len(wanted) and all(map(means, [side.expr for side in statement.sides], wanted))


READABLE = [row for row in ROWS if row["kind"] != "reject"]
REFUSED = [row for row in ROWS if row["kind"] == "reject"]


@pytest.mark.parametrize("row", READABLE, ids=lambda row: f"{row['id']}: {row['tex'][:40]}")
def test_read_right(row):
    statement = derive.read(row["tex"])
    assert any(read_as(statement, meanings) for meanings in (row["means"], *row["also_right"])), statement.reads_as


@pytest.mark.parametrize("row", [row for row in READABLE if row["kind"] in RELATIONS], ids=lambda row: f"{row['id']}: {row['tex'][:40]}")
def test_relations(row):
    relations = derive.read(row["tex"]).relations
    assert relations == RELATIONS[row["kind"]] * len(relations)
    assert len(relations) == len(row["means"]) - 1


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["tex"])
def test_membership_is_refused_or_read_as_membership(row):
    try:
        relations = derive.read(row["tex"]).relations
    except DeriveError:
        return
    assert relations == ("∈",)


def test_all_68_are_there():
    assert len(ROWS) == 68
