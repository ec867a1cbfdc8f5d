"""What joins two sides, in mathematics and in words."""

from __future__ import annotations

import re

RELATION = re.compile(
    r"[=≈≃≅≒∼≤≥≠∝＝<>]|\\(?:approx|sim|simeq|cong|equiv|le|leq|ge|geq|ne|neq|propto|triangleq|coloneqq|ll|gg)(?![A-Za-z])|~="
)
IN_WORDS = re.compile(RELATION.pattern + r"|~(?=\s?\d)|约等于|约为|等于")
