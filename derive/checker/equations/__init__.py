"""A document → its equations: statements with the words around them and their places.

`blocks` goes through the document. A display is `mathematics`; a paragraph (`paragraphs`) has equations in its mathematics, in its
code spans and in its words, whose pieces are woven into one text (`weaving`) and read line by line (`running`, `runs`), and
expressions that its sentences say something about (`bare`); a block of code has lines, comments and `results` (`programs`).
"""

from derive.checker.equations.blocks import equations
from derive.checker.equations.equation import Equation

__all__ = ["Equation", "equations"]
