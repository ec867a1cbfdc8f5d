"""What a formula looks like: the tree, its reading and its writing."""

from derive.formula.tree import Dim, Formula, Name, Number, Power, Product, Quotient, Sum, as_formula, total

__all__ = ["Dim", "Formula", "Name", "Number", "Power", "Product", "Quotient", "Sum", "as_formula", "total"]
