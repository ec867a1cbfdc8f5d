"""The process that renders one template: it may read files and think for a while, and nothing else.

`python -m derive.book.sandbox.worker` reads a `Job` as JSON from standard input and prints the outcome as JSON. Templates are other
people's programs; whatever they do, this process ends within its limits, and the one that started it says so.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from derive.book.functions.functions import Functions
from derive.book.naming import Naming
from derive.book.output.store import changed
from derive.book.sandbox.templating import rendered
from derive.book.writing import LATEX, MARKDOWN
from derive.errors import ChapterError

MEMORY = 2 << 30
"""Address space of the process [bytes]."""
_FORBIDDEN = (
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.system",
    "os.remove",
    "os.rename",
    "os.mkdir",
    "socket.",
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True, slots=True)
class Job:
    """One template to render in both dialects; `called` is its name in messages, `seconds` the time that it may take."""

    path: str
    called: str
    language: str
    naming: Naming
    seconds: float


def outcome(job: Job, opened: Mapping[str, int | None]) -> dict[str, Any]:
    """The texts, and what they were made from: files read (`opened` knows them), and templates that were asked for and are missing."""
    missing: set[Path] = set()
    texts = {
        name: rendered(Path(job.path), job.called, Functions(job.language, dialect, job.naming).by_name(), missing)
        for name, dialect in (("md", MARKDOWN), ("tex", LATEX))
    }
    return {"texts": texts, "read": dict(opened), "missing": sorted(map(str, missing))}


def _limit(seconds: float, called: str) -> None:
    """Bounds on memory and time; on time's end the template's own line is interrupted, so that the message can name it."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise ChapterError(f"not done after {seconds:g} s")

    import resource  # where processes have limits: not on Windows

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)  # again, should somebody have caught it


def _watch(opened: dict[str, int | None]) -> None:
    """From here on the process may open files for reading; anything else that reaches out is refused.

    `opened` learns which files, and when each had last been changed.
    """

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            _, mode, flags = arguments
            if (isinstance(mode, str) and set(mode) & set("wax+")) or (isinstance(flags, int) and flags & _WRITING):
                raise PermissionError("a template may not write files")
            path = os.path.abspath(os.fsdecode(arguments[0]))
            opened.setdefault(path, changed(path))
        elif event.startswith(_FORBIDDEN) or (event == "ctypes.dlopen" and arguments[0] is not None):
            raise PermissionError(f"a template may not do this: {event}")

    sys.addaudithook(hook)


def main() -> None:
    """Render the job on standard input."""
    given: Mapping[str, Any] = json.load(sys.stdin)
    job = Job(**{**given, "naming": Naming.from_dict(given["naming"])})
    opened: dict[str, int | None] = {}
    _watch(opened)
    _limit(job.seconds, job.called)
    try:
        answer = outcome(job, opened)
    except ChapterError as error:
        answer = {"error": str(error)}
    signal.setitimer(signal.ITIMER_REAL, 0)
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
