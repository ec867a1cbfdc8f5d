"""A block of a document → one line of items: names, wordings, verbs, numbers."""
