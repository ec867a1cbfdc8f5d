"""Tables and lists: computations beside their results, parts and their totals."""
