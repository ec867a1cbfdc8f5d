"""Every kind of finding, with its code: what it means, an example, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from derive.check.finding import Verdict


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
        "The formula is the engine's own closed form of the named quantity.",
        "P_attn = 2d·d_q + 2d·d_kv",
        "Nothing to do.",
    ),
    Code(
        "equal-under",
        "exact-under",
        "The two sides are equal under the assumptions that the finding lists, the smallest set that was found.",
        "P_attn = 4d²  (d_kv = d, no bias)",
        "Say the assumptions in the text, where it does not say them yet.",
    ),
    Code(
        "binary-prefix",
        "exact-under",
        "The number is right when its prefix is a power of 1024: K, M, G for Ki, Mi, Gi.",
        "3 × 1024 × 2816 = 8.25M",
        "Write Ki, Mi or Gi.",
    ),
    Code(
        "rounded",
        "rounded",
        "The written digits are the right ones, rounded.",
        "50257 × 768 ≈ 38.6M",
        "Nothing to do; ≈ says it better than =.",
    ),
    Code(
        "truncated",
        "approximation",
        "The written digits were cut off, not rounded.",
        "12 × 768² = 7.0M",
        "Round the last digit.",
    ),
    Code(
        "near",
        "approximation",
        "The written number is near the right one, and its last digits do not hold.",
        "12 × 12 × 768² ≈ 85.2M",
        "Compute from unrounded numbers, or write fewer digits.",
    ),
    Code(
        "dropped-terms",
        "approximation",
        "The formula is the leading part; the finding names the terms that it drops and says how much they are.",
        "P_total ≈ 12Ld²",
        "Write ≈, and say what is dropped.",
    ),
    Code(
        "number",
        "wrong",
        "Both sides are numbers, and they differ by more than rounding.",
        "4 × 4096² = 67,149,312",
        "See the right value.",
    ),
    Code(
        "unit",
        "wrong",
        "The number is right in another unit than the one written.",
        "4 × 1024³ bytes = 4 GB",
        "Write GiB, or give the value in GB.",
    ),
    Code("formula", "wrong", "Both sides are formulas in the same letters, and they differ.", "12Ld² = 13Ld²", "See the residual."),
    Code(
        "quantity",
        "wrong",
        "The formula is not the named quantity, under no assumption that the engine knows.",
        "P_attn = 4d² + 2d·d_kv",
        "See the residual and its explanation.",
    ),
    Code("sum", "wrong", "The parts that are listed do not add up to the total.", "| total | 12 |", "See the right total."),
    Code("false-relation", "wrong", "An inequality that does not hold.", "4 × 4096 ≥ 20000", "See the numbers."),
    Code("follows", "wrong", "The number follows from an earlier one that is wrong.", "160 KB × 32768 = 5.2 GB", "Correct the first one."),
    Code("defined", "definition", "A name is given its meaning here; later lines use it.", "C = 6ND", "Nothing to do."),
    Code("bound", "definition", "A letter is given a number here; later lines use it.", "d = 4096", "Nothing to do."),
    Code("redefined", "definition", "The name has another meaning than before.", "P = 12Ld²  …  P = 13Ld²", "Use two names."),
    Code(
        "unread",
        "unchecked",
        "The formula could not be read; the column is where reading stopped.",
        "W \\in \\mathbb{R}^{d}",
        "Nothing, or rewrite it.",
    ),
    Code(
        "undecided",
        "unchecked",
        "The two sides are not proved equal, nor different: a letter may mean several things.",
        "C = 2kP",
        "Say what the letters mean, or use --let.",
    ),
    Code(
        "unknown-value",
        "unchecked",
        "A letter has no value in the document, so that the number could not be checked.",
        "2Lnd = 4 GiB",
        "Give the letter a value before.",
    ),
    Code("beyond", "unchecked", "The formula is beyond the bounds of exact algebra.", "9^{9^9} = x", "Nothing."),
    Code(
        "stale-ignore",
        "unchecked",
        "A comment that ignores a finding which is not there.",
        "<!-- derive: ignore number: … -->",
        "Remove the comment.",
    ),
)
BY_CODE: dict[str, Code] = {code.name: code for code in CODES}
