"""Formulas in running text.

A line becomes tokens (`tokens`). Around each relation among them, `operands` says how far an expression reaches to the right, with
what `words` knows of each word, and `beginnings` where the left side begins; `runs` puts the sides together.
"""

from derive.checker.equations.runs.operands import MOST_TOKENS
from derive.checker.equations.runs.runs import Run, runs

__all__ = ["MOST_TOKENS", "Run", "runs"]
