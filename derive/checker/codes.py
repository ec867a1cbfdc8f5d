"""Every kind of finding, with its code: what it means, an example, and what to do."""

from __future__ import annotations

from derive.checker.finding import Verdict
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding. `meaning` is a sentence, `example` a line of a document, `advice` what the author can do."""

    name: str
    verdict: Verdict
    meaning: str
    example: str
    advice: str


CODES: tuple[Code, ...] = (
    Code(
        "equal-numbers",
        "exact",
        "Both sides are numbers, and they are the same number.",
        "50257 × 768 = 38,597,376",
        "Nothing to do.",
    ),
    Code(
        "equal-formulas",
        "exact",
        "Both sides are the same function of their letters, proved by their normal forms.",
        "L(4d² + 8d²) = 12Ld²",
        "Nothing to do.",
    ),
    Code(
        "equal-quantity",
        "exact",
        "The formula is the engine's own closed form of the quantity that it is said to be.",
        "P_attn = 2d·d_q + 2d·d_kv",
        "Nothing to do.",
    ),
    Code(
        "equal-under",
        "exact-under",
        "The two sides are equal under the assumptions that the finding lists: the smallest set that was found.",
        "P_attn = 4d² (under d_q = d, d_kv = d, no bias)",
        "Say the assumptions in the text, where it does not say them yet.",
    ),
    Code(
        "binary-prefix",
        "exact-under",
        "The number is right when its prefix is read as a power of 1024: K, M, G for Ki, Mi, Gi.",
        "3 × 1024 × 2816 = 8.25M",
        "Write Ki, Mi or Gi, or give the value in powers of 1000.",
    ),
    Code(
        "rounded",
        "rounded",
        "The written digits are those of the right number, correctly rounded.",
        "50257 × 768 ≈ 38.6M",
        "Nothing to do; ≈ says it better than =.",
    ),
    Code(
        "truncated",
        "approximation",
        "The written digits are the first ones of the right number: they were cut off, not rounded.",
        "12 × 768² = 7.0M",
        "Round the last digit.",
    ),
    Code(
        "near",
        "approximation",
        "The written number is near the right one, but its last digits do not hold.",
        "12 × 12 × 768² ≈ 85.2M",
        "Compute with unrounded numbers, or write fewer digits.",
    ),
    Code(
        "dropped-terms",
        "approximation",
        "The formula is the leading part of the right one; the finding names the terms that it drops and says how much they are.",
        "P_total ≈ 12Ld²",
        "Write ≈, not =, and say what is dropped.",
    ),
    Code(
        "number",
        "wrong",
        "Both sides are numbers, and they differ by more than rounding.",
        "4 × 4096² = 67,149,312",
        "Take the right value that the finding gives, or find the factor that differs.",
    ),
    Code(
        "unit",
        "wrong",
        "The number is right in another unit than the one written.",
        "4 × 1024³ bytes = 4 GB",
        "Write GiB, or give the value in GB (1 GiB = 1.073741824 GB).",
    ),
    Code(
        "formula",
        "wrong",
        "Both sides are formulas in the same letters, and they are different functions.",
        "12Ld² = 13Ld²",
        "The residual is right minus left: it shows the term that is missing, or one too many.",
    ),
    Code(
        "quantity",
        "wrong",
        "The formula is not the quantity that it is said to be, under no assumption that the engine knows.",
        "P_attn = 4d² + 2d·d_kv",
        "The residual shows what is counted too often or not at all; 'derive show' derives the right formula.",
    ),
    Code(
        "sum",
        "wrong",
        "The parts that are listed do not add up to the stated total.",
        "| total | 12 |",
        "Take the right total, or look for the part that is missing.",
    ),
    Code(
        "false-relation",
        "wrong",
        "An inequality that does not hold.",
        "4 × 4096 ≥ 20000",
        "Compare the values of both sides that the finding gives.",
    ),
    Code(
        "follows",
        "wrong",
        "The number was computed from an earlier one that is wrong.",
        "160 KB × 32768 = 5.2 GB",
        "Correct the first one; this one follows.",
    ),
    Code(
        "defined",
        "definition",
        "A name is given its meaning here; later lines are checked with it.",
        "C = 6ND",
        "Nothing to do.",
    ),
    Code(
        "bound",
        "definition",
        "A letter is given a number here; later lines are checked with it.",
        "d = 4096",
        "Nothing to do.",
    ),
    Code(
        "redefined",
        "definition",
        "A name is given another meaning than it had before.",
        "P = 12Ld² … P = 13Ld²",
        "Use two names, or say that the meaning changes.",
    ),
    Code(
        "unread",
        "unchecked",
        "The formula could not be read; the column is where reading stopped.",
        r"x = \operatorname{softmax}(q)",
        "Nothing, where it is no formula of sizes; else write it in simpler notation.",
    ),
    Code(
        "undecided",
        "unchecked",
        "The two sides are proved neither equal nor different: a letter may mean several things here.",
        "C = 2kP",
        "Say in the text what the letters mean, or use --let.",
    ),
    Code(
        "unknown-value",
        "unchecked",
        "A letter has no value in the document, so that the number could not be checked.",
        "2Lnd = 4 GiB",
        "Give the letter a value before.",
    ),
    Code(
        "beyond",
        "unchecked",
        "The formula is beyond the bounds of exact algebra.",
        "9^{9^9} = x",
        "Nothing to do; it was not checked.",
    ),
    Code(
        "stale-ignore",
        "unchecked",
        "A comment ignores a kind of finding that is not there.",
        "<!-- derive: ignore number: quoted from the paper -->",
        "Remove the comment, or the code that is not needed any more.",
    ),
    Code(
        "bad-comment",
        "unchecked",
        "A comment for derive cannot be followed: an unknown instruction, code or meaning, or no reason.",
        "<!-- derive: ignore number -->",
        "Write 'derive: ignore CODE: reason'; the message says what is missing.",
    ),
)
BY_CODE: dict[str, Code] = {code.name: code for code in CODES}
COMMENT_CODES = frozenset({"stale-ignore", "bad-comment"})
"""Findings about a comment for derive, not about an equation."""
