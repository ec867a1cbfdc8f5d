"""Chapters: prose from templates, every formula and number from the engine."""
