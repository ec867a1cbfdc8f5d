"""Formulas: whether two sides are one function of their letters, perhaps under an assumption, or one the leading part of the other.

`rational` makes a side ready for the exact algebra; `comparing` asks in turn for equality, for `assumptions` (from the list of
`bridges`) and for a `leading_part`; `unify` finds the numbers that were put in for letters.
"""
