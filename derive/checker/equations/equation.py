"""What an equation is: a statement in a document, with what stands around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from derive.formula.statement import Statement, Unread
from derive.records import dataclass

Kind = Literal["math", "words", "code", "cell"]


@dataclass(frozen=True, slots=True)
class Equation:
    """A statement, read or not, with what stands around it.

    `offsets` are the places in the document of the characters of the text that was read. `label` are the words before it in its
    sentence, `around` its whole block, and `block` the number of the block; `after` are the words behind a bare expression.
    """

    statement: Statement | Unread
    offsets: Sequence[int]
    kind: Kind
    label: str
    around: str
    block: int
    after: str = ""

    @property
    def start(self) -> int:
        """Where the statement begins in the document."""
        return self.offsets[self.statement.start]

    @property
    def letters(self) -> tuple[str, ...]:
        """The names in it that are no units."""
        statement = self.statement
        if isinstance(statement, Unread):
            return ()
        return tuple(name for side in statement.sides for name in side.formula.names if name not in statement.units)
