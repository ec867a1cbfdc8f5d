"""What templates may call: every formula, number and table of a chapter."""
