"""Many patterns of words at once: the longest match in one walk over the words, whatever the number of patterns."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Generic, TypeVar

from derive.records import dataclass

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class State(Generic[T]):
    """A set of places in the patterns; `means` is what ends here, `after` where words lead, as far as they were asked for."""

    places: frozenset[int]
    means: T | None
    after: dict[str, State[T]] = field(default_factory=dict)


class Automaton(Generic[T]):
    """Patterns of slots parted by spaces: `a|b` one of several, `[a|b]` one of several or nothing, `~` a space in a wording.

    A row is laid out when a text first has a word that it begins with, and the sets of places that can be reached when a text first
    reaches them.
    """

    def __init__(self, rows: Iterable[tuple[str, T]]) -> None:
        self._edges: list[dict[str, list[int]]] = []
        self._skips: dict[int, int] = {}
        self._ends: dict[int, tuple[int, T]] = {}
        self._states: dict[frozenset[int], State[T]] = {}
        self._rows = list(rows)
        self._laid_out: dict[int, int] = {}
        self._beginning: dict[str, list[int]] = {}
        for rank, (row, _) in enumerate(self._rows):
            for word in _first_words(row):
                self._beginning.setdefault(word, []).append(rank)
        self._begun: dict[str, State[T]] = {}

    def begin(self, word: str) -> State[T] | None:
        """Where `word` leads from the start; None where no pattern begins with it."""
        if word not in self._beginning:
            return None
        if word not in self._begun:
            first = self._state(map(self._first_place, self._beginning[word]))
            self._begun[word] = self._state(place for origin in first.places for place in self._edges[origin].get(word, ()))
        return self._begun[word]

    def after(self, state: State[T], word: str) -> State[T] | None:
        """Where `word` leads from `state`; None where no pattern goes on with it."""
        if word not in state.after:
            reached = [place for origin in state.places for place in self._edges[origin].get(word, ())]
            if not reached:
                return None
            state.after[word] = self._state(reached)
        return state.after[word]

    def longest(self, words: Sequence[str], start: int, silent: Container[int] = ()) -> tuple[T, int] | None:
        """What the longest match from `start` means, and where it ends; words at `silent` places may be passed over."""
        state, found, at = None, None, start
        while at < len(words):
            following = self.after(state, words[at]) if state else self.begin(words[at])
            if following is not None:
                state, at = following, at + 1
                if state.means is not None:
                    found = state.means, at
            elif at in silent and at > start:
                at += 1
            else:
                break
        return found

    def _first_place(self, rank: int) -> int:
        if rank not in self._laid_out:
            row, means = self._rows[rank]
            self._laid_out[rank] = self._add(row, rank, means)
        return self._laid_out[rank]

    def _add(self, row: str, rank: int, means: T) -> int:
        """The places of one row, one behind each slot; the first of them."""
        first = place = self._place()
        for slot in row.split(" "):
            behind = self._place()
            for alternative in slot.strip("[]").split("|"):
                self._chain(place, behind, _words(alternative))
            if slot.startswith("["):
                self._skips[place] = behind
            place = behind
        self._ends[place] = rank, means
        return first

    def _chain(self, start: int, end: int, words: list[str]) -> None:
        for word in words[:-1]:
            between = self._place()
            self._edges[start].setdefault(word, []).append(between)
            start = between
        self._edges[start].setdefault(words[-1], []).append(end)

    def _place(self) -> int:
        self._edges.append({})
        return len(self._edges) - 1

    def _state(self, places: Iterable[int]) -> State[T]:
        closed = set(places)
        for place in tuple(closed):
            while place in self._skips:
                place = self._skips[place]
                closed.add(place)
        key = frozenset(closed)
        if key not in self._states:
            ends = sorted((self._ends[place] for place in closed if place in self._ends), key=lambda end: end[0])
            self._states[key] = State(key, ends[0][1] if ends else None)
        return self._states[key]


def _first_words(row: str) -> Iterator[str]:
    """The words that a row can begin with."""
    for slot in row.split(" "):
        for alternative in slot.strip("[]").split("|"):
            if alternative[0].isascii():
                first = alternative.partition("~")[0]
                yield first if first.isascii() and first.isalnum() else _words(first)[0]
            else:
                yield alternative[0]
        if not slot.startswith("["):
            return


def _words(alternative: str) -> list[str]:
    """The words of a wording; a Chinese character is one."""
    return re.findall(r"[a-z0-9_'/]+|[^\x00-\x7f]|#", alternative)
