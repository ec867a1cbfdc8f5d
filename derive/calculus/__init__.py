"""Scaling questions: what dominates, how fast things change, what one more costs, and which size fits a budget."""
