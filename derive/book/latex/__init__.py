"""Chapters as LaTeX and PDF."""
