"""JSON whose strings know where they stand; the Python library gives their values only."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

from derive.documents.placed import Placed, instead, join, whole
from derive.errors import DocumentError

DEEPEST = 60
"""Lists and objects within each other beyond this depth are refused."""

Json: TypeAlias = "Placed | dict[str, Json] | list[Json] | float | bool | None"

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"', re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


def parse_json(source: str, name: str) -> Json:
    """The value of a JSON text, with its strings placed; what is not JSON is an error with its line and column."""
    reader = _Json(source, name)
    value, end = reader.value(reader.blank(1 if source.startswith("\ufeff") else 0), 0)
    if reader.blank(end) != len(source):
        raise reader.error("something follows the JSON value", end)
    return value


class _Json:
    """A recursive reader of bounded depth."""

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.name = name

    def error(self, message: str, at: int) -> DocumentError:
        line = self.source.count("\n", 0, at) + 1
        column = at - (self.source.rfind("\n", 0, at) + 1) + 1
        return DocumentError(f"{self.name}: no valid JSON: {message} (line {line}, column {column})")

    def blank(self, at: int) -> int:
        """The place behind the blanks."""
        found = _BLANK.match(self.source, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> tuple[Json, int]:
        """The value that begins here and the place behind it."""
        if depth > DEEPEST:
            raise self.error(f"values are nested deeper than {DEEPEST}", at)
        letter = self.source[at : at + 1]
        if letter == '"':
            return self.string(at)
        if letter == "{":
            return self.object(at + 1, depth)
        if letter == "[":
            return self.array(at + 1, depth)
        number = _NUMBER.match(self.source, at)
        if number:
            return 0.0, number.end()  # no number of a notebook is looked at
        for word, value in _WORDS.items():
            if self.source.startswith(word, at):
                return value, at + len(word)
        raise self.error("a value is missing", at)

    def string(self, at: int) -> tuple[Placed, int]:
        """A string, each character at the place of its escape."""
        found = _STRING.match(self.source, at)
        if not found:
            raise self.error("a string does not end", at)
        start, end = at + 1, found.end() - 1
        if "\\" not in found[0]:
            return whole(self.source, start, end), found.end()
        parts, done = [], start
        for escape in _ESCAPE.finditer(self.source, start, end):
            parts += [whole(self.source, done, escape.start()), instead(self.unescaped(escape), escape.start(), escape.end())]
            done = escape.end()
        parts.append(whole(self.source, done, end))
        return join(parts), found.end()

    def unescaped(self, escape: re.Match[str]) -> str:
        """What an escape stands for."""
        try:
            return str(json.loads(f'"{escape[0]}"'))
        except json.JSONDecodeError:
            raise self.error(f"an escape that JSON does not have, {escape[0]!r}", escape.start()) from None

    def array(self, at: int, depth: int) -> tuple[list[Json], int]:
        """A list, from behind its bracket."""
        found: list[Json] = []
        at = self.blank(at)
        if self.source.startswith("]", at):
            return found, at + 1
        while True:
            value, at = self.value(self.blank(at), depth + 1)
            found.append(value)
            at, done = self.after(at, "]")
            if done:
                return found, at

    def object(self, at: int, depth: int) -> tuple[dict[str, Json], int]:
        """An object, from behind its brace."""
        found: dict[str, Json] = {}
        at = self.blank(at)
        if self.source.startswith("}", at):
            return found, at + 1
        while True:
            key, at = self.string(self.blank(at))
            at = self.blank(at)
            if not self.source.startswith(":", at):
                raise self.error("a colon is missing", at)
            found[key.text], at = self.value(self.blank(at + 1), depth + 1)
            at, done = self.after(at, "}")
            if done:
                return found, at

    def after(self, at: int, closing: str) -> tuple[int, bool]:
        """The place behind the comma or the closing mark, and whether it was the latter."""
        at = self.blank(at)
        letter = self.source[at : at + 1]
        if letter not in (",", closing) or not letter:
            raise self.error(f"a comma or {closing!r} is missing", at)
        return at + 1, letter == closing
