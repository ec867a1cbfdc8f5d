"""A name and a formula: whether the formula is the quantity that the name or the words before it say it is."""
