"""LaTeX → PDF, through XeLaTeX."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from shutil import which

from derive.book.latex.letters import text_latex
from derive.book.markdown import RefusedError
from derive.errors import ChapterError

INSTALL = "install TeX first (Debian: apt-get install texlive-xetex texlive-lang-chinese)"
SECONDS = 60
"""That one run may take."""
RUNS = 4
"""At most."""
_COMMAND = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "-no-shell-escape"]
_MAIN = "_document"
"""What the document is called while it is made: no name of a file that it includes, and one that TeX can read."""
_BOUNDS = {"openin_any": "p", "openout_any": "p"}
"""Files that documents may read and write: those in their own folder, and TeX's."""
_MISSING = re.compile(r"^Missing character: There is no (.)", re.MULTILINE)
_ERROR = re.compile(r"^(?:!|(?:\./)?(?P<file>[^\n:]+):(?P<line>\d+):) (?P<words>.*)\n(?P<shown>[^\n]*)", re.MULTILINE)
_LAST_COMMAND = re.compile(r"\\[A-Za-z]+ *$")


def compiled(name: str, files: Mapping[str, bytes]) -> bytes:
    """The PDF of the LaTeX document `name`.tex among the files.

    Raises `ChapterError` where XeLaTeX is missing, fails, or leaves a reference undefined, and `RefusedError` for what of the document
    is known to be the reason.
    """
    if which("xelatex") is None:
        raise ChapterError(f"a PDF needs xelatex, which is not installed: {INSTALL}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for path, content in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
        (place / f"{name}.tex").rename(place / f"{_MAIN}.tex")
        for _ in range(RUNS):
            before = _notes(place)
            _run(name, place)
            if _notes(place) == before:
                break
        _check_log(name, (place / f"{_MAIN}.log").read_text(encoding="utf-8", errors="replace"), files)
        return (place / f"{_MAIN}.pdf").read_bytes()


def _check_log(name: str, log: str, files: Mapping[str, bytes]) -> None:
    """Errors for what XeLaTeX goes over in silence."""
    missing = _MISSING.search(log)
    if missing:
        letter = missing[1]
        raise RefusedError(f"the fonts of the PDF have no '{letter}' (U+{ord(letter):04X})", _meant(letter, files))
    for complaint in ("undefined references", "undefined on input"):
        if complaint in log:
            raise ChapterError(f"{name}.tex: {next(line for line in log.splitlines() if complaint in line)}")


def _meant(letter: str, files: Mapping[str, bytes]) -> str:
    """A letter that is missing; where only code has it as a letter, the line of code."""
    if text_latex(letter) == letter:
        return letter
    lines = (line for path, content in files.items() if path.endswith(".tex") for line in content.decode().split("\n"))
    return next((line.strip() for line in lines if letter in line), letter)


def _notes(place: Path) -> list[bytes]:
    """What one run leaves for the next: references and contents; once they stay the same, the document is done."""
    notes = (place / f"{_MAIN}.{suffix}" for suffix in ("aux", "toc", "out"))
    return [path.read_bytes() for path in notes if path.exists()]


def _run(name: str, place: Path) -> None:
    try:
        done = subprocess.run(
            [*_COMMAND, f"{_MAIN}.tex"], cwd=place, env={**os.environ, **_BOUNDS}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ChapterError(f"{name}.tex: xelatex did not finish in {SECONDS} s") from None
    if done.returncode:
        raise _failure(name, place, done.stdout)


def _failure(name: str, place: Path, output: str) -> ChapterError:
    """What XeLaTeX complains of first, with the command or the line of the document that it means, where it says so."""
    error = _ERROR.search(output)
    if error is None:
        return ChapterError(f"{name}.tex: xelatex: unknown error")
    if "not found" in error["words"]:
        return ChapterError(f"{name}.tex: xelatex: {error['words']}; {INSTALL}")
    command = _LAST_COMMAND.search(error["shown"])
    if command and "Undefined control sequence" in error["words"]:
        return RefusedError(f"xelatex: {error['words']} {command[0].strip()}", command[0].strip())
    return RefusedError(f"xelatex: {error['words']}", _line(place, error))


def _line(place: Path, error: re.Match[str]) -> str:
    """The line of the document that an error names."""
    path = place / (error["file"] or "")
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    return lines[int(error["line"]) - 1].strip() if 0 < int(error["line"] or 0) <= len(lines) else ""
