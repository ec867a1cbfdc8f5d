r"""The commands of LaTeX → tokens: signs, relations, fonts and accents; what only changes the looks is left out."""

from __future__ import annotations

import re

from derive.errors import FormulaError
from derive.formula.signs import (
    ACCENTS,
    FONTS,
    FORMULA_FONTS,
    GAPS,
    GREEK,
    RELATIONS,
    SAME_SIGN,
    SIGN_COMMANDS,
    SILENT,
    SILENT_WITH_GROUP,
    SPACES,
    SWITCHES,
    WORD_FONTS,
)
from derive.formula.tokens import WORD, Tape

_COMMAND = re.compile(r"\\(?:[A-Za-z]+\*?|[{}%$#&_|])")
_ROW = re.compile(r"\\\\(?:\[[^\[\]]{0,20}\])?")
_MICRO = re.compile(r"\\mu\s*(?:\\(?:text|mathrm|rm)\s*\{\s*s\s*\}|s(?![A-Za-z]))")
_GAP_WIDTH = re.compile(r"\{[^{}]{0,40}\}")
_EXPONENT = re.compile(r"\{?([+-]?[0-9]{1,3})(?![0-9])\}?")
_PLAIN_TEXT = re.compile(r"[^\\{}^$&]*\Z")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_ESCAPED_IN_TEXT = {
    r"\_": "_", r"\%": "%", r"\ ": " ", r"\,": " ", "~": " ", r"\&": "&", r"\#": "#", r"\times": "×", r"\-": "", r"\/": "", "{,}": ",",
}  # fmt: skip


class Commands(Tape):
    """Reads the pieces that begin with a backslash."""

    braces: dict[int, int] | None = None
    """For each brace its partner, once a group was looked for."""

    def command(self) -> None:
        """The command that begins here, as the token that it means; nothing where it only changes the looks."""
        text = self.text
        match = _COMMAND.match(text, self.at)
        if match is None:
            self.row_or_space()
            return
        command, end = match.group(), match.end()
        if command in SIGN_COMMANDS:
            self.add(SIGN_COMMANDS[command], SIGN_COMMANDS[command], end)
        elif command in RELATIONS:
            self.add("relation", RELATIONS[command], end)
        elif command in FONTS:
            self.font(command, end)
        elif command in SWITCHES:
            self.next_word(end)
        elif command in SILENT or command.rstrip("*") in SILENT:
            self.silent(command, end)
        elif command in GREEK:
            micro = _MICRO.match(text, self.at) if command == r"\mu" else None
            if micro is not None:
                self.add("text", "us", micro.end())
            else:
                self.add("greek", command[1:], end)
        elif command in ACCENTS:
            self.accent(command, end)
        else:
            self.layout(command, end)

    def layout(self, command: str, end: int) -> None:
        """A gap, a row, a label, or a command that the reader knows."""
        if command in GAPS:
            width = _GAP_WIDTH.match(self.text, end) if command.startswith(r"\hspace") else None
            self.add("gap", command, width.end() if width is not None else end)
        elif command in SPACES:
            self.at, self.spaced = end, True
        elif command in (r"\newline", r"\cr"):
            self.add("row", command, end)
        elif command in SILENT_WITH_GROUP:
            self.at = self.behind_group(end) or end
        else:
            self.add("command", command, end)

    def row_or_space(self) -> None:
        r"""A backslash without letters: `\\` ends a row, `\,` is a space."""
        row = _ROW.match(self.text, self.at)
        if row is not None:
            self.add("row", row.group(), row.end())
        else:
            self.space_or_word()

    def silent(self, command: str, end: int) -> None:
        r"""Left out; with its point, as in `\left.` and `\right.`."""
        point = command in (r"\left", r"\right") and self.text.startswith(".", end)
        self.at = end + point

    def behind_group(self, at: int) -> int | None:
        """The place behind the group that begins at `at`, after spaces; None where none does."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if not self.text.startswith("{", at):
            return None
        if self.braces is None:
            self.braces = _matched_braces(self.text)
        if at not in self.braces:
            raise FormulaError("expected '}'", self.text, at + 1)
        return self.braces[at] + 1

    def font(self, command: str, end: int) -> None:
        r"""`\text{KV cache}` as one token; a font around a formula (`\mathbf{W}_Q`, `\mathrm{12 L d^2}`) is left out."""
        behind = self.behind_group(end)
        if behind is None:  # a font without braces takes the next letter or word
            self.next_word(end)
            return
        words = self.text[self.text.index("{", end) + 1 : behind - 1]
        if "\\" in words or "~" in words or "{" in words:
            for escaped, meant in _ESCAPED_IN_TEXT.items():
                words = words.replace(escaped, meant)
        stripped = words.strip()
        if stripped in ("e", "E") and self.exponent_of_ten(behind):
            return
        if not stripped:
            self.at, self.spaced = behind, True
        elif stripped in (",", ";", ":", ".", "、", ".:"):
            self.sign(SAME_SIGN.get(stripped, stripped), behind)
        elif command in FORMULA_FONTS or stripped[0].isdigit():
            self.at = end
        elif _PLAIN_TEXT.match(words):
            self.add("text", words, behind)
        elif command in WORD_FONTS:
            self.add("text", re.sub(r"\\[A-Za-z]+|[{}$^\\]", "", words), behind)
        else:
            self.at = end

    def exponent_of_ten(self, behind: int) -> bool:
        r"""`312\text{e}12` is 312·10^12; whether the number before goes on like that."""
        before = self.found[-1] if self.found else None
        match = _EXPONENT.match(self.text, behind)
        if before is None or before.kind != "number" or before.end != self.at or "e" in before.text or match is None:
            return False
        self.found[-1] = before._replace(text=f"{before.text}e{match.group(1)}", end=match.end())
        self.at = match.end()
        return True

    def next_word(self, end: int) -> None:
        r"""`\rm total`, `\mathrm d`: the word or letter that follows is one token."""
        while end < len(self.text) and self.text[end].isspace():
            end += 1
        start, self.at = self.at, end
        match = WORD.match(self.text, end)
        if match is not None:
            self.at = start
            self.add("text", match.group(), match.end())

    def accent(self, command: str, end: int) -> None:
        r"""`\tilde{d}` is a name of its own: d_tilde; an accent over more than a letter is left out."""
        behind = self.behind_group(end)
        if behind is None:
            behind = end + len(self.text[end:]) - len(self.text[end:].lstrip()) + 1
        inner = self.text[end:behind].strip(" {}")
        if inner.isalpha() and len(inner) == 1:
            self.add("text", f"{inner}_{command[1:]}", behind)
        else:
            self.at = end


def _matched_braces(text: str) -> dict[int, int]:
    """For each brace that is closed, the place of the one that closes it."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACES.finditer(text):
        if match.group() == "{":
            opened.append(match.start())
        elif match.group() == "}" and opened:
            found[opened.pop()] = match.start()
    return found
