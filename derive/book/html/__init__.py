"""Chapters as HTML with MathML."""
