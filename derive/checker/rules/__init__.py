"""One relation → its ruling, a module for each kind of pair: two numbers, a formula and a number, a name, two formulas."""
