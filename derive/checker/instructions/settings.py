"""What the reader of a document decides: what letters mean, which kinds of finding not to show, which files not to check."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from derive.checker.codes import BY_CODE
from derive.errors import DeriveError
from derive.records import dataclass
from derive.symbols import VOCABULARY, meant_by

KEYS = ("let", "ignore", "exclude")
"""The keys of `[tool.derive.check]` in pyproject.toml."""
_LET = r"\s*([^\s=,，{}]+(?:\{[^{}=,，]*\})?)\s*=\s*([^\s=,，{}]+)\s*"


class SettingsError(DeriveError):
    """A setting is malformed, or names something unknown; the message names the place."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one document.

    `letters` maps a letter of the document to a name of the vocabulary or of a quantity (`{"h": "d", "N": "P_total"}`),
    `ignored` holds the codes that are counted and not shown, `excluded` globs relative to `folder`. The `demanded` letters
    come from the command line, and no comment overrules them.
    """

    letters: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    excluded: tuple[str, ...] = ()
    folder: Path | None = None
    demanded: frozenset[str] = frozenset()

    def over(self, other: Settings) -> Settings:
        """These settings over those of a pyproject.toml: the letters here are demanded."""
        letters = {**other.letters, **self.letters}
        return replace(other, letters=letters, ignored=other.ignored | self.ignored, demanded=frozenset(self.letters))

    def in_document(self, letters: Mapping[str, str]) -> Settings:
        """The same with the letters that a document's comments give; only demanded ones overrule them."""
        own = {letter: meaning for letter, meaning in letters.items() if letter not in self.demanded}
        return replace(self, letters={**self.letters, **own})

    def excludes(self, path: Path) -> bool:
        """Whether a glob of `excluded` is the file or a folder around it."""
        if self.folder is None or not path.is_relative_to(self.folder):
            return False
        parts = path.relative_to(self.folder).parts
        return any(_matches(parts, _glob(pattern)) for pattern in self.excluded)


def meaning_of(word: str) -> str:
    """The name that `word` stands for: a symbol of the vocabulary or a named quantity; `SettingsError` names near ones."""
    symbol = meant_by(word)
    if symbol:
        return symbol
    from derive.quantities import quantities

    known = {name.lower(): name for name in quantities()}
    for each in VOCABULARY:
        if word in each.keys:
            return each.name
    if word.lower() in known:
        return known[word.lower()]
    names = [name for each in VOCABULARY for name in (each.name, *each.other_names)]
    raise SettingsError(f"unknown meaning '{word}'{near(word, (*names, *known.values()))}; known: 'derive symbols', 'derive quantities'")


def letters_of(text: str) -> dict[str, str]:
    """The letters of `h=hidden_size, N=P_total`, each with the name it stands for."""
    letters: dict[str, str] = {}
    for part in re.split("[,，]", text):
        match = re.fullmatch(_LET, part)
        if not match:
            raise SettingsError(f"expected LETTER=MEANING as in 'h=hidden_size', not '{part.strip()}'")
        letter, meaning = _plain(match[1]), meaning_of(match[2])
        if letters.setdefault(letter, meaning) != meaning:
            raise SettingsError(f"'{letter}' is given two meanings: {letters[letter]} and {meaning}")
    return letters


def known_code(name: str) -> str:
    """The name itself, where it is a code; `SettingsError` names near ones."""
    if name not in BY_CODE:
        raise SettingsError(f"unknown code '{name}'{near(name, BY_CODE)}; 'derive explain' lists them")
    return name


def near(word: str, names: Iterable[str]) -> str:
    """`; did you mean a or b?` where names are near the word, else nothing."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in names}
    close = [by_lower[name] for name in get_close_matches(word.lower(), by_lower, n=3, cutoff=0.6)]
    return f"; did you mean {' or '.join(close)}?" if close else ""


def settings_near(folder: Path, known: dict[Path, Settings]) -> Settings:
    """The settings of the nearest pyproject.toml, in `folder` or above, that has a table `[tool.derive.check]`.

    `known` holds those of the folders that were asked for, and is added to.
    """
    if folder not in known:
        here = read_settings(folder / "pyproject.toml")
        known[folder] = here or (Settings() if folder == folder.parent else settings_near(folder.parent, known))
    return known[folder]


def read_settings(path: Path) -> Settings | None:
    """The settings in a pyproject.toml; None where there is no such file, or no table `[tool.derive.check]` in it."""
    try:
        written = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SettingsError(f"{path}: cannot read: {error.strerror}") from error
    import tomllib

    try:
        content = tomllib.loads(written.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"{path}: not TOML: {error}") from error
    table: Any = content
    for key in ("tool", "derive", "check"):
        table = table.get(key) if isinstance(table, dict) else None
    if table is None:
        return None
    place = f"{path}: [tool.derive.check]"
    if not isinstance(table, dict):
        raise SettingsError(f"{place} must be a table")
    return _settings(table, place, path.parent)


def _settings(table: Mapping[str, Any], place: str, folder: Path) -> Settings:
    for key in table:
        if key not in KEYS:
            raise SettingsError(f"{place}: unknown key '{key}'{near(key, KEYS)}; known: {', '.join(KEYS)}")
    let = table.get("let", {})
    if not isinstance(let, dict) or not all(isinstance(meaning, str) for meaning in let.values()):
        raise SettingsError(f"{place}: 'let' must be a table of names, as in {{h = \"hidden_size\"}}")
    try:
        letters = {_plain(letter): meaning_of(meaning) for letter, meaning in let.items()}
        ignored = frozenset(map(known_code, _words(table, "ignore", place)))
    except SettingsError as error:
        raise error if str(error).startswith(place) else SettingsError(f"{place}: {error}") from error
    return Settings(letters, ignored, _words(table, "exclude", place), folder)


def _words(table: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    words = table.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise SettingsError(f"{place}: '{key}' must be a list of strings")
    return tuple(words)


def _plain(letter: str) -> str:
    r"""The letter as the vocabulary writes names: `d_{\rm model}` and `d_{model}` are `d_model`."""
    return re.sub(r"\\(?:rm|mathrm|text|textrm|mathit)\b|[{}$\s]|\\(?=_)", "", letter)


def _glob(pattern: str) -> tuple[str, ...]:
    """The pattern's parts; one without a slash is looked for in every folder."""
    parts = tuple(part for part in pattern.split("/") if part not in ("", "."))
    return parts if "/" in pattern.rstrip("/") else ("**", *parts)


def _matches(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether the pattern is the path, or a folder around it; `**` is any number of folders."""
    from fnmatch import fnmatchcase

    if not pattern:
        return True
    if pattern[0] == "**":
        return any(_matches(parts[at:], pattern[1:]) for at in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])
