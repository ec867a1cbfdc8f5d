r"""The macros that authors define, and formulas with them put in: `\newcommand{\dm}{d_{\text{model}}}`, `\def`, siunitx numbers.

A macro that does not end, or grows beyond the bounds, leaves its formula as it is.
"""

from __future__ import annotations

import re

from derive.documents.placed import Placed
from derive.records import dataclass

MOST_EXPANSIONS = 1_000
"""In one formula."""

MOST_TEXT = 100_000
"""Characters of one formula with its macros put in."""

MOST_IN_ALL = 4_000_000
"""Characters that the macros of a document may add to it."""

MOST_EXPANSIONS_IN_ALL = 200_000
"""In a document."""

MOST_UNREAD = 100
"""Definitions that do not end; after so many, none is read."""

MOST_MACROS = 5_000
MOST_DEFINITION = 5_000
"""Characters of the body of a macro."""

_TOKEN = re.compile(r"\\[A-Za-z@]+|\\[\s\S]|[\s\S]")
_DEFINES = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|renewcommand|DeclareRobustCommand|DeclareMathOperator|(?:New|Renew|Provide)DocumentCommand"
    r"|g?def|edef|let)(?![A-Za-z])"
)
_COMMAND = re.compile(r"\\([A-Za-z@]+)")
_UNITS = frozenset({"num", "SI", "qty"})


@dataclass(frozen=True, slots=True)
class Macro:
    """What a command stands for: `#1` … `#9` in the body are its arguments; `default` is that of an optional first one.

    A `final` one is another name of a command of LaTeX itself, whatever that is made to mean later.
    """

    arguments: int
    body: str
    default: str | None = None
    final: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int


class Macros:
    """The macros known so far, in the order of the document: a later definition counts from where it stands."""

    def __init__(self) -> None:
        self.known: dict[str, Macro] = {}
        self._left = MOST_IN_ALL
        self._expansions = 0
        self._unread = 0

    def define_at(self, text: str, start: int) -> int:
        """Takes the definition that begins here and gives the place behind it; the place itself when it is none."""
        match = _DEFINES.match(text, start)
        if not match or self._unread > MOST_UNREAD:
            return start
        found = _definition(text, match)
        if found is None:
            self._unread += 1
            return start
        name, macro, end, provides = found
        if len(self.known) < MOST_MACROS and not (provides and name in self.known):
            self.known[name] = self.known.get(macro.body[1:], macro) if match[0] == r"\let" else macro
        return end

    def expand(self, placed: Placed) -> Placed:
        """A formula with its macros put in and its definitions taken out; as it is where that does not end."""
        text = placed.text
        if "\\" not in text or self._left <= 0 or self._expansions > MOST_EXPANSIONS_IN_ALL:
            return placed
        names = {match[1] for match in _COMMAND.finditer(text)}
        if names.isdisjoint(self.known) and names.isdisjoint(_UNITS) and not _DEFINES.search(text):
            return placed
        expanded = self._expanded(placed)
        if expanded is None:
            return placed
        self._left -= max(0, len(expanded.text) - len(text))
        return expanded

    def _expanded(self, placed: Placed) -> Placed | None:
        """Reads tokens one by one, with the bodies of macros pushed back before what follows; None beyond the bounds."""
        pending = _tokens(placed)[::-1]
        done: list[_Token] = []
        expansions = size = 0
        while pending:
            token = pending.pop()
            name = token.text[1:] if len(token.text) > 1 else ""
            if _DEFINES.fullmatch(token.text):
                self._take_definition(token, pending)
                continue
            macro = self.known.get(name) if name else None
            body = _called(macro, token, pending) if macro else _quantity(name, token, pending) if name in _UNITS else None
            if body is None:
                done.append(token)
                size += len(token.text)
                continue
            if macro and macro.final:
                done += body
                continue
            pending.extend(reversed(body))
            expansions += 1
            self._expansions += 1
            if expansions > MOST_EXPANSIONS or size + len(pending) > MOST_TEXT:
                return None
        return _written(done, placed)

    def _take_definition(self, token: _Token, pending: list[_Token]) -> None:
        """Takes a definition in a formula off what follows."""
        ahead = pending[: -MOST_DEFINITION - 1 : -1]
        text = token.text + "".join(found.text for found in ahead)
        end = self.define_at(text, 0) or len(token.text)
        size = len(token.text)
        while pending and size < end:
            size += len(pending.pop().text)


def _definition(text: str, match: re.Match[str]) -> tuple[str, Macro, int, bool] | None:
    """The name and the macro of a definition, the place behind it, and whether it only provides what is not known."""
    kind = match[0][1:]
    at = match.end() + (1 if text.startswith("*", match.end()) else 0)
    named = re.compile(r"\s*(?:\{\s*\\([A-Za-z@]+)\s*\}|\\([A-Za-z@]+))\s*").match(text, at)
    if not named:
        return None
    name, at = named[1] or named[2], named.end()
    if kind == "let":
        meant = re.compile(r"=?\s*(\\[A-Za-z@]+)").match(text, at)
        return (name, Macro(0, meant[1], final=True), meant.end(), False) if meant and meant[1] != f"\\{name}" else None
    arguments, default, at = _arguments(text, at, kind)
    if arguments < 0:
        return None
    body = _braced(text, at)
    if body is None:
        return None
    inside = text[at + 1 : body - 1]
    if kind == "DeclareMathOperator":
        inside = rf"\operatorname{{{inside}}}"
    return name, Macro(arguments, inside.strip(), default), body, kind.lower().startswith("provide")


def _arguments(text: str, at: int, kind: str) -> tuple[int, str | None, int]:
    """How many arguments a definition announces, the default of the first, and where its body begins; -1 for what is not read."""
    if kind.endswith("def"):
        found = re.compile(r"((?:#[1-9])*)\s*(?=\{)").match(text, at)
        return (len(found[1]) // 2, None, found.end()) if found else (-1, None, at)
    if kind.endswith("DocumentCommand"):
        found = re.compile(r"\{\s*(?:O\{([^{}]*)\}\s*)?((?:m\s*)*)\}\s*").match(text, at)
        if not found:
            return -1, None, at
        return found[2].count("m") + (found[1] is not None), found[1], found.end()
    found = re.compile(r"(?:\[\s*(\d)\s*\])?\s*(?:\[([^\[\]]{0,200})\])?\s*(?=\{)").match(text, at)
    return (int(found[1] or 0), found[2], found.end()) if found else (-1, None, at)


def _braced(text: str, start: int) -> int | None:
    """The place behind the group that begins with this brace."""
    if not text.startswith("{", start):
        return None
    depth = 0
    for match in re.compile(r"\\[\s\S]|[{}]").finditer(text, start, start + MOST_DEFINITION):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return None


def _tokens(placed: Placed) -> list[_Token]:
    offsets = placed.offsets
    return [_Token(match[0], offsets[match.start()], offsets[match.end()]) for match in _TOKEN.finditer(placed.text)]


def _called(macro: Macro, call: _Token, pending: list[_Token]) -> list[_Token]:
    """The body of a macro with its arguments, which keep their places."""
    arguments: list[list[_Token]] = []
    if macro.default is not None:
        optional = _optional(pending)
        arguments.append(
            [_Token(letter, call.start, call.end) for letter in _TOKEN.findall(macro.default)] if optional is None else optional
        )
    while len(arguments) < macro.arguments:
        arguments.append(_argument(pending))
    end = max((found[-1].end for found in arguments if found), default=call.end)
    body = _TOKEN.findall(macro.body)
    tokens: list[_Token] = []
    number = 0
    while number < len(body):
        text = body[number]
        if text == "#" and number + 1 < len(body) and body[number + 1].isdigit():
            which = int(body[number + 1]) - 1
            tokens += arguments[which] if which < len(arguments) else []
            number += 2
            continue
        tokens.append(_Token(text, call.start, end))
        number += 1
    if tokens and len(tokens[-1].text) > 1 and tokens[-1].text[-1].isalpha() and pending and pending[-1].text.isalpha():
        tokens.append(_Token(" ", call.start, end))  # `\x` before a letter, where the macro ended it
    return tokens


def _argument(pending: list[_Token]) -> list[_Token]:
    """The next argument: a group without its braces, or one token."""
    while pending and pending[-1].text.isspace():
        pending.pop()
    if not pending:
        return []
    first = pending.pop()
    return _until("}", "{", pending) if first.text == "{" else [first]


def _optional(pending: list[_Token]) -> list[_Token] | None:
    """An argument in square brackets, where one stands."""
    if not pending or pending[-1].text != "[":
        return None
    pending.pop()
    return _until("]", "[", pending)


def _until(closing: str, opening: str, pending: list[_Token]) -> list[_Token]:
    found, depth = [], 0
    while pending:
        token = pending.pop()
        if token.text == closing and depth == 0:
            break
        depth += {opening: 1, closing: -1}.get(token.text, 0)
        found.append(token)
    return found


def _quantity(name: str, call: _Token, pending: list[_Token]) -> list[_Token]:
    r"""What siunitx prints: `\num{1e9}` is `1\times 10^{9}`, `\SI{80}{GB}` is `80\,\text{GB}`."""
    _optional(pending)
    number = _argument(pending)
    power = next((at for at, token in enumerate(number) if token.text in "eE"), None)

    def written(text: str, place: _Token) -> list[_Token]:
        return [_Token(part, place.start, place.end) for part in _TOKEN.findall(text)]

    if power is not None:
        at = number[power]
        number = [*number[:power], *written(r"\times 10^{", at), *number[power + 1 :], *written("}", at)]
    if name == "num":
        return number
    _optional(pending)
    unit = [token for token in _argument(pending) if token.text not in ("~", " ")]
    place = unit[0] if unit else call
    return [*number, *written(r"\,\text{", place), *_unit(unit), *written("}", unit[-1] if unit else call)]


_UNIT_WORDS = {
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti",
    "byte": "B", "bit": "bit", "second": "s", "per": "/", "flop": "FLOP", "flops": "FLOPs", "percent": "%", "watt": "W", "hertz": "Hz",
    "milli": "m", "micro": "µ", "nano": "n", "hour": "h", "GB": "GB", "MB": "MB", "TB": "TB",
}  # fmt: skip


def _unit(tokens: list[_Token]) -> list[_Token]:
    r"""A unit in letters: `\giga\byte` is GB."""
    return [_Token(_UNIT_WORDS.get(token.text[1:], token.text[1:]) if token.text[0] == "\\" else token.text, token.start, token.end)
            for token in tokens]  # fmt: skip


def _written(tokens: list[_Token], placed: Placed) -> Placed:
    """Tokens as text; the places never go back, though a macro may turn its arguments round."""
    offsets: list[int] = []
    last = placed.offsets[0]
    for token in tokens:
        span = token.end - token.start
        for number in range(len(token.text)):
            last = max(last, token.start + number if span == len(token.text) else token.start)
            offsets.append(last)
    return Placed("".join(token.text for token in tokens), (*offsets, max(last, placed.offsets[-1])))
