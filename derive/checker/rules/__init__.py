"""One statement → its findings, a relation at a time, with a module for each kind of pair.

`statements` asks `relations` for a ruling on each `pair`, and that asks the module for its kind: two `numbers` (also `running`
computations, `conversions`, `computations` on both sides), a formula that is an instance of numbers (`instances`), a lone name
(`names`), two `formulas`, formulas with the engine's `own_names`, inequalities (`orders`), arrows (`steps`). An expression without a
relation is `bare`.
"""
