"""Verdicts on formulas that people wrote by hand.

A document becomes `equations`; its words say what the letters mean (`glossary`). `judging` goes through both in reading order and
keeps in the `scope` what was said so far. Each relation is ruled on by the `rules` for its kind of pair: numbers by `arithmetic`,
formulas by `equality`, a formula for a `named` quantity by that quantity's own closed forms, or by the `concepts` that the words
before it can name. `tables` rules on tables and lists. A `Ruling` with its place is a `Finding` (`finding`, `placing`), of a kind
that `codes` lists, and `output` prints it.

`files` says which documents a command line names, `instructions` what their authors and readers ask for.
"""
