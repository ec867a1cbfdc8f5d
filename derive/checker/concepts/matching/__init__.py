"""A formula against the forms of a concept: how it is one of them, or what it is instead."""
