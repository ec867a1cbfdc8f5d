"""Verdicts on formulas that people wrote by hand."""
