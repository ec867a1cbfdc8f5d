"""Numbers: the value of a side, and whether the digits that are written claim it.

`values`, `intervals` and `dimensions` say what a formula of numbers comes to; `judging` compares it with what is stated, in each of
the ways to take that (`trials`): `rounding`, binary `prefixes`, `nearness`.
"""
