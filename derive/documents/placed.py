"""Text whose every character knows where it stands in the original file; what readers cut, join and put in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from derive.records import dataclass

MASK = "\x00"
"""What hides a character that no reader sees (comments, front matter, shortcodes); `visible` drops it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A text and the places of its characters; `offsets[-1]` is where it ends, as in `Piece`."""

    text: str
    offsets: Sequence[int]

    def part(self, start: int, end: int | None = None) -> Placed:
        """The characters from `start` up to `end`."""
        stop = len(self.text) if end is None else min(end, len(self.text))
        if start >= stop:
            place = self.offsets[min(start, len(self.text))]
            return Placed("", (place,))
        inside = self.offsets[start:stop]
        last = inside[-1] + 1 if isinstance(inside, range) else max(inside[-1], min(inside[-1] + 1, self.offsets[stop]))
        tail = range(inside[0], last + 1) if isinstance(inside, range) else (*inside, last)
        return Placed(self.text[start:stop], tail)

    def strip(self, letters: str | None = None) -> Placed:
        """Without the blanks at both ends."""
        start = len(self.text) - len(self.text.lstrip(letters))
        return self.part(start, len(self.text.rstrip(letters)))


def whole(source: str, start: int = 0, end: int | None = None) -> Placed:
    """A stretch of the source itself."""
    stop = len(source) if end is None else end
    return Placed(source[start:stop], range(start, stop + 1))


def instead(text: str, start: int, end: int) -> Placed:
    """Text that stands for the source from `start` to `end`: an entity, a tag, an added environment."""
    return Placed(text, (*(start for _ in text), end))


def join(parts: Iterable[Placed]) -> Placed:
    """One text after the other; neighbours in the source stay one range."""
    found = [part for part in parts if part.text]
    if not found:
        return Placed("", (0,))
    text = "".join(part.text for part in found)
    if all(isinstance(part.offsets, range) for part in found) and _adjacent(found):
        return Placed(text, range(found[0].offsets[0], found[-1].offsets[-1] + 1))
    offsets: list[int] = []
    for part in found:
        offsets.extend(part.offsets[:-1])
    offsets.append(found[-1].offsets[-1])
    return Placed(text, tuple(offsets))


def _adjacent(parts: Sequence[Placed]) -> bool:
    """Whether each part begins where the one before ends."""
    return all(left.offsets[-1] == right.offsets[0] for left, right in pairwise(parts))


def visible(placed: Placed) -> Placed:
    """Without what is masked."""
    text = placed.text
    if MASK not in text:
        return placed
    parts, start = [], 0
    while start < len(text):
        end = text.find(MASK, start)
        end = len(text) if end < 0 else end
        if end > start:
            parts.append(placed.part(start, end))
        start = end + 1
    return join(parts)


def masked(source: str, spans: Iterable[tuple[int, int]]) -> str:
    """The source, as long as before, with each span hidden but its line ends kept."""
    parts, done = [], 0
    for start, end in spans:
        if end <= done:
            continue
        hidden = source[max(start, done) : end]
        parts.append(source[done : max(start, done)])
        parts.append("\n".join(MASK * len(line) for line in hidden.split("\n")))
        done = end
    parts.append(source[done:])
    return "".join(parts)
