"""The equations of a block of code: its lines where it has no language, else its comments, and results beside computations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checker.equations.equation import Equation
from derive.checker.equations.mathematics import in_mathematics
from derive.checker.equations.results import results
from derive.checker.equations.running import continued, in_running_text
from derive.documents.document import Block

_PLAIN_LANGUAGES = frozenset(("", "text", "txt", "plain", "plaintext", "none", "console", "ascii", "markdown", "md"))
_MATH_LANGUAGES = frozenset(("math", "latex", "tex", "katex"))
_COMMENTED = frozenset(("python", "py", "python3", "julia", "yaml", "yml", "bash", "sh", "toml", "ipython", "ipython3", "r"))
_SLASHED = frozenset(("c", "cpp", "c++", "cuda", "js", "javascript", "ts", "typescript", "rust", "go", "java"))


def in_code(block: Block, number: int) -> Iterator[Equation]:
    """Lines of a block without a language, and the comments of a program."""
    language = block.language.lower().split(" ")[0]
    mark = "//" if language in _SLASHED else "#"
    for piece in block.pieces:
        if language in _MATH_LANGUAGES:
            yield from in_mathematics(piece, "", "", number)
        elif language in _PLAIN_LANGUAGES and not _is_program(piece.text):
            yield from in_running_text(continued(piece.text, code=True), piece.offsets, number, "code")
        elif language in _COMMENTED or language in _SLASHED or language in _PLAIN_LANGUAGES:
            yield from in_running_text(_comments(piece.text, mark), piece.offsets, number, "code")
        if language not in _MATH_LANGUAGES:
            yield from (Equation(statement, places, "code", "", "", number) for statement, places in results(piece, mark))


_PROGRAM = re.compile(
    r"^\s*(?:import |from \w+ import|def |class |return\b|for \w+ in|if .*:$|print\(|assert |@|\$ |>>> |pip |git |sudo |docker )", re.M
)


def _is_program(text: str) -> bool:
    """Whether a block without a language is a program all the same."""
    return _PROGRAM.search(text) is not None


def _comments(text: str, mark: str) -> str:
    """Only the comments of a program; everything else is blank, so that places stay."""
    lines = []
    for line in text.split("\n"):
        at = line.find(mark)
        lines.append(" " * len(line) if at < 0 else " " * (at + len(mark)) + line[at + len(mark) :])
    return "\n".join(lines)
