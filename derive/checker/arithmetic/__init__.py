"""Numbers: the value of a side, and whether the digits that are written claim it."""
