"""A document → its equations: statements with the words around them and their places."""

from derive.checker.equations.blocks import equations
from derive.checker.equations.equation import Equation

__all__ = ["Equation", "equations"]
