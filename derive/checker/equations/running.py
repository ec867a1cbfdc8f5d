"""The equations of running text, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checker.equations.equation import Equation, Kind
from derive.checker.equations.runs import runs
from derive.checker.equations.signs import IN_WORDS
from derive.checker.equations.weaving import CLOSE, OPAQUE, OPEN, readable
from derive.formula.read import read_all
from derive.formula.statement import Statement


def continued(text: str, *, code: bool) -> str:
    """The text with a space for each line break inside a statement."""
    lines = text.split("\n")
    joined = lines[0]
    for line in lines[1:]:
        start, end = line.lstrip()[:2], joined.rstrip()[-1:]
        before = joined.rpartition("\n")[2]
        goes_on = (start[:1] in ("=", "≈", "×", "·", "≃") and not _lists_sizes(before)) or (
            start in ("+ ", "* ", "- ") and code and "=" in before
        )
        joined += (" " if goes_on or end in ("=", "≈", "×", "·", "+", "*") else "\n") + line
    return joined


_SIZE = re.compile(r"[A-Za-z_]+\s?=\s?[\d.,]+\w*[).]?\s*$")


def _lists_sizes(line: str) -> bool:
    """Whether a line ends with a size among others (`seq_len=8192, batch_size=32`), which the next line does not go on with."""
    return _SIZE.search(line) is not None and ("," in line or ":" in line)


_EQUAL_IN_WORDS = re.compile(
    r"(?P<end>[*×·/^+²³]\s?[\d.,]*\d(?: ?(?!which|comes|works|adds|equals)[A-Za-z]{1,8})?)"
    r"(?P<words>,? (?:which (?:is|equals|makes|gives)|(?:comes|works out|adds up|amounts) to|equals))(?= (?:about |roughly |~ ?)?\d)"
)


def _with_signs(line: str) -> str:
    """`50257 × 768, which is 38,597,376`: what is said in words behind a computation as a sign, in as many characters."""
    if " to " not in line and "which" not in line and "equals" not in line:
        return line
    return _EQUAL_IN_WORDS.sub(lambda found: found["end"] + "=".rjust(len(found["words"])), line[:20_000]) + line[20_000:]


def in_running_text(text: str, offsets: Sequence[int], number: int, kind: Kind) -> Iterator[Equation]:
    """The statements in running text, line by line."""
    start = 0
    for line in text.split("\n"):
        line = _with_signs(line)
        if len(line) <= 20_000 and IN_WORDS.search(line):
            for run in runs(line):
                written = line[run.start : run.end].replace(OPEN, "{").replace(CLOSE, "}")
                if OPAQUE in written:
                    continue
                places = offsets[start + run.start : start + run.end + 1]
                for statement in read_all(written, plain=True, worded=run.worded):
                    if isinstance(statement, Statement) and statement.relations:
                        yield Equation(statement, places, kind, readable(run.label), readable(line), number)
        start += len(line) + 1
