"""The wordings as a matcher: the longest one that begins at a word, and what it means beside a letter."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache
from typing import Literal

from derive.checker.glossary.wordings.automaton import Automaton
from derive.checker.glossary.wordings.rows import rows
from derive.checker.glossary.wordings.wordings import (
    AFTER_A_LETTER_OR_NUMBER,
    BESIDE_AN_EQUALS_SIGN,
    OTHER_NOUNS,
    SAY_IT_ALONE,
    UNCOUNTED_NOUNS,
)
from derive.checker.glossary.words import meaning_of_word
from derive.records import dataclass

Manner = Literal["full", "count", "short"]
"""full: "hidden size", says it alone; count: "layers", after a letter or a number; short: "vocab", only beside `=` or `:`."""

BY_LETTER: dict[str, dict[str, str]] = {
    "tokens": {"D_tokens": "D D_tokens n_tokens T_train", "n": "n T S s l n_ctx t N"},
    "model size": {"P_total": "N P M phi Phi psi Psi theta W", "d": "d d_model"},
    "key size": {"d_h": "d_k d_v d_q d_qk", "d_kv": "d_kv"},
    "groups": {"h_kv": "g G n_g N_g n_groups h_kv"},
    "rank": {"r": "r R"},
    "amount of compute": {"compute": "C C_train"},
    "depth": {"L": "L l ell n n_l N n_layers n_layer"},
}
"""Wordings that mean different things: which, by the letter that they stand with."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording of the tables: what it means and how it is used."""

    meaning: str
    manner: Manner


def match(words: Sequence[str], start: int, silent: Container[int] = ()) -> tuple[Wording, int] | None:
    """The longest wording that begins at `start`, and where it ends; words at `silent` places (hyphens) are passed over."""
    return wordings().longest(words, start, silent)


def meant(wording: Wording, letter: str) -> str | None:
    """What the wording says about `letter`; None where the letter cannot be what it says."""
    choices = BY_LETTER.get(wording.meaning)
    if choices is not None:
        return next((meaning for meaning, letters in choices.items() if letter in letters.split()), None)
    return None if _narrower(letter, wording.meaning) else wording.meaning


def _narrower(letter: str, meaning: str) -> bool:
    """Whether the subscript says less than the wording: `P_attn` is not the count of all parameters, `m_e` not any width."""
    if meaning == "P_total":
        return "_" in letter and meaning_of_word(letter) is None
    return meaning == "m" and letter in ("m_e", "m_s")


def is_other(words: list[str]) -> bool:
    """Whether words that no wording matches name something that is no size of a Transformer: "the weight matrix", "学习率"."""
    if not words or _NEGATIONS & set(words):
        return False
    text = "".join(words)
    if not text.isascii():
        return any(text.endswith(noun) for noun in _others()[1])
    if words[0] in {"number", "total", "num"} and "of" in words[:3] and len(words) > 2:
        return True
    head = next((at for at, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    noun = words[head - 1] if head else ""
    return noun in _others()[0] or (noun in UNCOUNTED_NOUNS.split() and head > 1)


_NEGATIONS = {"not", "no", "never", "不", "非"}
_PREPOSITIONS = {"of", "for", "in", "at", "on", "per", "from", "to", "that", "which", "used", "between", "with", "after", "by", "over"}


@cache
def _others() -> tuple[frozenset[str], frozenset[str]]:
    nouns = OTHER_NOUNS.split()
    return frozenset(filter(str.isascii, nouns)), frozenset(noun for noun in nouns if not noun.isascii())


@cache
def wordings() -> Automaton[Wording]:
    """All rows; where two match the same words, `full` comes before `count` before `short`, then the row that stands first."""
    tables: tuple[tuple[Manner, str], ...] = (
        ("full", SAY_IT_ALONE),
        ("count", AFTER_A_LETTER_OR_NUMBER),
        ("short", BESIDE_AN_EQUALS_SIGN),
    )
    return Automaton((row, Wording(meaning, manner)) for manner, table in tables for meaning, row in rows(table))
