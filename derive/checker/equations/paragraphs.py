"""The equations of a paragraph: in its mathematics, in its code, and in its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checker.equations.again import said_again
from derive.checker.equations.bare import bare_expressions, claimed_expressions
from derive.checker.equations.equation import Equation, Kind
from derive.checker.equations.mathematics import in_mathematics, with_unit_behind
from derive.checker.equations.running import continued, in_running_text
from derive.checker.equations.sentences import with_words_before
from derive.checker.equations.signs import IN_WORDS, RELATION
from derive.checker.equations.weaving import readable, woven
from derive.documents.document import Piece


def in_paragraph(pieces: Sequence[Piece], number: int, kind: Kind) -> Iterator[Equation]:
    """The equations of the pieces, those of the words before those within them; `number` is that of the block."""
    whole, offsets = woven(pieces)
    around = readable(whole)
    own = list(_pieces_with_relations(pieces, number, around))
    bare = [*bare_expressions(pieces, number, around), *claimed_expressions(whole, offsets, number, around)]
    running = list(in_running_text(continued(whole, code=False), offsets, number, kind))
    taken = [(each.start, each.offsets[each.statement.end]) for each in running]
    bare = [each for each in bare if not any(start <= each.offsets[0] < end for start, end in taken)]
    own = [each for each in own if not any(start <= each.start < end for start, end in taken)]
    found = [*own, *bare, *running]
    may_go_on = any(sign in whole for sign in "(（,，、;；")
    also = [more for each in found if (more := said_again(each, whole, offsets)) is not None] if may_go_on else []
    yield from sorted((*found, *also), key=lambda each: each.start)


def _pieces_with_relations(pieces: Sequence[Piece], number: int, around: str) -> Iterator[Equation]:
    """The statements of the mathematics and of the code spans in a paragraph."""
    for at, piece, before in with_words_before(pieces):
        if (RELATION if piece.kind == "math" else IN_WORDS).search(piece.text):
            if piece.kind == "math" or _is_latex(piece.text):
                yield from in_mathematics(with_unit_behind(piece, pieces[at + 1 : at + 2]), before, around, number)
            else:
                for each in in_running_text(piece.text, piece.offsets, number, "code"):
                    yield Equation(each.statement, each.offsets, "code", f"{before} {each.label}".strip(), around, number)


def _is_latex(text: str) -> bool:
    """Whether a code span holds LaTeX."""
    return re.search(r"\\[A-Za-z]", text) is not None
