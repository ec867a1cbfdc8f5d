"""Formulas: whether two sides are one function of their letters, perhaps under an assumption, or one the leading part of the other."""
