"""Routing by hand: scores, chosen experts, their weights, what is mixed, and what a batch of tokens adds up to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from string import ascii_uppercase

from derive.book import words
from derive.book.voice import Voice, alike, digits, in_units, short
from derive.book.writing import display
from derive.costs.routing import assignments, expected_experts, loads, mixed, top_k
from derive.errors import ChapterError
from derive.formula.numbers import rounded
from derive.formula.tree import Name


class Routing(Voice):
    """Experts are named by capital letters, tokens by numbers; scores are written as text, which keeps them exact."""

    __slots__ = ()

    def expert_budget(self, common: int, expert: int, *pools: Sequence[int]) -> str:
        """Stored and active parameters of invented models, in B: `common` shared by all tokens, pools (E, k) of experts of a size, as in
        `expert_budget(2, 1, (8, 2), (16, 2))`.
        """
        rows = []
        for pool in pools:
            E, k = _pool(pool)
            total, active = ((common + count * expert) * 10**9 for count in (E, k))
            cells = (in_units(total, self.language), in_units(active, self.language), self._percent(active, total))
            rows.append([digits(E), digits(k), *cells])
        symbols = (alike(self._inline(Name(name))) for name in ("E", "k"))
        return self._table((*symbols, words.STORED, words.ACTIVE_PARAMETERS, words.ACTIVE_SHARE), rows, range(5))

    def routing(self, scores: str, k: int) -> str:
        """The scores of one token (`"0.50 0.30 0.15 0.05"`), the k that are chosen, and their weights."""
        values = _scores(scores)
        kept = dict(top_k(values, k))
        rows = [
            [_letter(place), score, words.YES.in_(self.language) if place in kept else "–", short(kept[place]) if place in kept else "–"]
            for place, score in enumerate(values)
        ]
        return self._table((words.EXPERT, words.SCORE, words.CHOSEN, words.WEIGHT), rows, (1, 3))

    def renormalised(self, scores: str, k: int) -> str:
        """Each chosen score over the sum of the chosen ones; scores as in `routing`."""
        values = _scores(scores)
        kept = top_k(values, k)
        whole = " + ".join(values[place] for place, _ in kept)
        sides = (rf"w_{{\mathrm{{{_letter(place)}}}}} = \frac{{{values[place]}}}{{{whole}}} = {short(weight)}" for place, weight in kept)
        return display(r" \qquad ".join(sides))

    def weight(self, scores: str, k: int, which: int) -> str:
        """One weight, in a sentence: `which` of the k, counted from 1, the largest; scores as in `routing`."""
        weights = [weight for _, weight in top_k(_scores(scores), k)]
        if which > k:
            raise ChapterError(f"weight: {k} experts are chosen, so which is 1 to {k}, not {which}")
        return short(weights[which - 1])

    def mixture(self, scores: str, k: int, *outputs: str) -> str:
        """The weighted sum of the chosen experts' outputs (`"2 0", "0 4"`), given in the order of their weights; scores as in `routing`."""
        weights = [weight for _, weight in top_k(_scores(scores), k)]
        vectors = [_numbers(output) for output in outputs]
        if len(vectors) != k:
            raise ChapterError(f"{k} experts are chosen, so {k} outputs are wanted, not {len(vectors)}")
        if len({len(vector) for vector in vectors}) > 1:
            raise ChapterError(f"the outputs {', '.join(map(repr, outputs))} are not of the same length")
        result = mixed(weights, vectors)
        terms = " + ".join(rf"{short(weight)} \cdot ({', '.join(vector)})" for weight, vector in zip(weights, vectors, strict=True))
        return display(f"{terms} = ({', '.join(map(_two_decimals, result))})")

    def vector(self, numbers: str) -> str:
        """A vector in a sentence: `(2, 0)` from `"2 0"`."""
        return f"$({', '.join(_numbers(numbers))})$"

    def chosen(self, tokens: str, E: int) -> str:
        """A table of tokens and the experts that each chose: with `"AB AC"` the first chose A and B, the second A and C, of E experts."""
        rows = [[digits(at), self._and(map(_letter, token))] for at, token in enumerate(_read(tokens, E), start=1)]
        return self._table((words.TOKEN, words.EXPERTS), rows)

    def assigned(self, tokens: str, E: int) -> str:
        """How many pairs of a token and an expert there are; tokens as in `chosen`."""
        pairs = _read(tokens, E)
        return digits(assignments(len(pairs[0]), len(pairs)))

    def load(self, tokens: str, E: int) -> str:
        """How many tokens each expert receives: `A 2, B 2, C 2, D 2`; tokens as in `chosen`."""
        return self._and(f"{_letter(at)} {count}" for at, count in enumerate(loads(_read(tokens, E), E)))

    def distinct(self, tokens: str, E: int) -> str:
        """How many different experts the tokens use together; tokens as in `chosen`."""
        return digits(len({expert for token in _read(tokens, E) for expert in token}))

    def expected(self, E: int, k: int, *batches: int) -> str:
        """The experts that a batch of so many tokens is expected to use in a layer, tokens choosing uniformly and independently."""
        rows = []
        for B in batches:
            used = Fraction(expected_experts(E, k, B))
            rows.append([digits(B), digits(assignments(k, B)), rounded(used, 2)])
        return self._table((words.TOKENS, words.ASSIGNMENTS, words.EXPECTED), rows, (0, 1, 2))


def _read(tokens: str, E: int) -> list[tuple[int, ...]]:
    """`AB CD` → the places of the experts that each token chose; all choose the same number of existing ones."""
    known = ascii_uppercase[:E]
    if len(known) < E:
        raise ChapterError(f"{E} experts, but letters name {len(ascii_uppercase)} at most")
    for letter in tokens.replace(" ", ""):
        if letter not in known:
            raise ChapterError(f"'{tokens}': no expert '{letter}'; {E} experts are called {known[0]} to {known[-1]}")
    read = [tuple(map(known.index, token)) for token in tokens.split()]
    if len({len(token) for token in read}) != 1:
        raise ChapterError(f"'{tokens}': every token chooses as many experts")
    loads(read, E)
    return read


def _pool(pool: Sequence[int]) -> tuple[int, int]:
    if len(pool) != 2 or pool[1] > pool[0]:
        raise ChapterError(f"a pool is (E, k), k of E experts chosen, not {tuple(pool)}")
    return pool[0], pool[1]


def _scores(text: str) -> list[str]:
    """The scores of as many experts as letters can name."""
    scores = _numbers(text)
    if len(scores) > len(ascii_uppercase):
        raise ChapterError(f"{len(scores)} scores, but letters name {len(ascii_uppercase)} experts at most")
    return scores


def _numbers(text: str) -> list[str]:
    """Numbers with spaces between them, as they are written."""
    numbers = text.split()
    for number in numbers:
        if not re.fullmatch(r"-?\d+(\.\d+)?", number, re.ASCII):
            raise ChapterError(f"'{text}': numbers with spaces between them are wanted, as in '0.50 0.30', not '{number}'")
    return numbers


def _letter(place: int) -> str:
    return ascii_uppercase[place]


def _two_decimals(value: Fraction) -> str:
    return f"{value.numerator / value.denominator:.2f}" if value * 100 % 1 == 0 else short(value)
