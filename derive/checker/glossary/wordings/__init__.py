"""What texts call the sizes of a Transformer, and the machine that finds it."""
