"""What a formula means: the exact normal form, equality, residuals, factors."""

from derive.algebra.normal import difference, equal, normal

__all__ = ["difference", "equal", "normal"]
