"""LaTeX → PDF, through XeLaTeX."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from shutil import which

from derive.errors import ChapterError

INSTALL = "install TeX first (Debian: apt-get install texlive-xetex texlive-lang-chinese)"
SECONDS = 120


def compiled(name: str, source: str) -> bytes:
    """The PDF of a LaTeX document.

    Raises `ChapterError` where XeLaTeX is missing, fails, or leaves a reference or a character undefined.
    """
    if which("xelatex") is None:
        raise ChapterError(f"a PDF needs xelatex, which is not installed: {INSTALL}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / f"{name}.tex").write_text(source, encoding="utf-8")
        for _ in range(2):  # the second run settles references and column widths
            _run(name, place)
        log = (place / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        for complaint in ("Missing character", "undefined references", "undefined on input"):
            if complaint in log:
                raise ChapterError(f"{name}.tex: {next(line for line in log.splitlines() if complaint in line)}")
        return (place / f"{name}.pdf").read_bytes()


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
