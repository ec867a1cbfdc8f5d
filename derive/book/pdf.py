"""LaTeX → PDF, through XeLaTeX."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from shutil import which

from derive.errors import ChapterError

INSTALL = "install TeX first (Debian: apt-get install texlive-xetex texlive-lang-chinese)"
SECONDS = 180
RUNS = 4
"""At most."""


def compiled(name: str, files: Mapping[str, bytes]) -> bytes:
    """The PDF of the LaTeX document `name`.tex among the files.

    Raises `ChapterError` where XeLaTeX is missing, fails, or leaves a reference or a character undefined.
    """
    if which("xelatex") is None:
        raise ChapterError(f"a PDF needs xelatex, which is not installed: {INSTALL}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for path, content in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
        for _ in range(RUNS):
            before = _notes(name, place)
            _run(name, place)
            if _notes(name, place) == before:
                break
        log = (place / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        for complaint in ("Missing character", "undefined references", "undefined on input"):
            if complaint in log:
                raise ChapterError(f"{name}.tex: {next(line for line in log.splitlines() if complaint in line)}")
        return (place / f"{name}.pdf").read_bytes()


def _notes(name: str, place: Path) -> list[bytes]:
    """What one run leaves for the next: references and contents; once they stay the same, the document is done."""
    notes = (place / f"{name}.{suffix}" for suffix in ("aux", "toc", "out"))
    return [path.read_bytes() for path in notes if path.exists()]


def _run(name: str, place: Path) -> None:
    command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"{name}.tex"]
    try:
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ChapterError(f"{name}.tex: xelatex did not finish in {SECONDS} s") from None
    if done.returncode:
        reason = next((line for line in done.stdout.splitlines() if line.startswith("!")), "unknown error")
        missing = f"; {INSTALL}" if "not found" in reason else ""
        raise ChapterError(f"{name}.tex: xelatex: {reason.lstrip('! ')}{missing}")
