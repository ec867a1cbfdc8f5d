r"""Marks that make another name: `d'`, `N^*`, `d^{(l)}`, `P_{attn}^{\text{GQA}}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.formula.subscripts import canonical
from derive.formula.tree import Formula, Name

if TYPE_CHECKING:
    from derive.formula.side import SideReader

_STARS = frozenset(("*", r"\star", r"\prime", r"\dagger"))
_EXPONENTS = frozenset("LBEN")
"""Capitals that stand as exponents."""
_MATRICES = frozenset("WXQKVOAHY")


def read_prime(reader: SideReader, base: Formula) -> Formula:
    """`d'` is another name than d."""
    if not isinstance(base, Name):
        raise reader.fail("a prime behind what is no name")
    reader.take()
    return Name(f"{base.name}_prime")


def read_mark(reader: SideReader, base: Formula) -> Formula | None:
    """`N^*`, `d^{(l)}`: a mark that makes another name."""
    braced = reader.ahead().kind == "{"
    at = reader.at + 1 + braced
    token = reader.tokens[at]
    if token.text in (r"\top", r"\intercal"):
        reader.go(at)
        raise reader.fail("a matrix, not a number")
    if not isinstance(base, Name):
        return None
    if token.text in _STARS and token.kind in ("*", "command"):
        reader.go(at + 1 + braced)
        return Name(f"{base.name}_star")
    if (label := _word_above(reader, base, at, braced=braced)) is not None:
        return label
    if braced and token.kind == "(" and reader.tokens[at + 2].kind == ")":
        inner = reader.tokens[at + 1].text
        if reader.tokens[at + 3].kind == "}" and not inner.isdecimal():
            reader.go(at + 4)
            return Name(f"{base.name}_{inner}")
    return None


def _word_above(reader: SideReader, base: Name, at: int, *, braced: bool) -> Name | None:
    r"""`P_{attn}^{\text{GQA}}`, `W^{DQ}`, `d_h^R`: words above a name are part of it."""
    end, words = at, []
    while reader.tokens[end].kind in ("text", "word") and (braced or end == at):
        words.append(reader.tokens[end].text)
        end += 1
    if not words or (braced and reader.tokens[end].kind != "}"):
        return None
    word = "".join("".join(words).split())
    letter = len(word) == 1 and word.isupper() and word not in _EXPONENTS and ("_" in base.name or base.name in _MATRICES)
    if not letter and not (len(word) > 1 and (reader.tokens[at].kind == "text" or word.isupper())):
        return None
    reader.go(end + braced)
    return Name(f"{base.name}_{canonical(word)}")
