"""The words of a label → the concepts that it can name."""
