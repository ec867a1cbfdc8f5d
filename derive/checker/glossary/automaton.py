"""Many patterns of words at once: the longest match in one walk over the words, whatever the number of patterns."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import field
from typing import Generic, TypeVar

from derive.records import dataclass

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class State(Generic[T]):
    """A set of places in the patterns; `means` is what ends here, `after` where a word leads, as far as it was asked."""

    places: frozenset[int]
    means: T | None
    after: dict[str, State[T] | None] = field(default_factory=dict)


class Automaton(Generic[T]):
    """Patterns of slots parted by spaces: `a|b` one of several, `[a|b]` one of several or nothing, `~` a space in a wording.

    The sets of places that can be reached are worked out when a text first reaches them, and kept.
    """

    def __init__(self, rows: Iterable[tuple[str, T]]) -> None:
        self._edges: list[dict[str, list[int]]] = []
        self._skips: dict[int, int] = {}
        self._ends: dict[int, tuple[int, T]] = {}
        self._states: dict[frozenset[int], State[T]] = {}
        first = [self._add(row, rank, means) for rank, (row, means) in enumerate(rows)]
        self._words = {word for edges in self._edges for word in edges}
        self.start = self._state(first)

    def after(self, state: State[T], word: str) -> State[T] | None:
        """Where `word` leads from `state`; None where no pattern goes on with it."""
        if word not in self._words:
            return None
        if word not in state.after:
            reached = [place for origin in state.places for place in self._edges[origin].get(word, ())]
            state.after[word] = self._state(reached) if reached else None
        return state.after[word]

    def longest(self, words: Sequence[str], start: int, silent: Container[int] = ()) -> tuple[T, int] | None:
        """What the longest match from `start` means, and where it ends; words at `silent` places may be passed over."""
        state, found, at = self.start, None, start
        while at < len(words):
            following = self.after(state, words[at])
            if following is not None:
                state, at = following, at + 1
                if state.means is not None:
                    found = state.means, at
            elif at in silent and at > start:
                at += 1
            else:
                break
        return found

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


def _words(alternative: str) -> list[str]:
    if alternative.isascii() and alternative.isalnum():
        return [alternative]
    return re.findall(r"[a-z0-9_'/]+|[\u4e00-\u9fff]|#", alternative)
