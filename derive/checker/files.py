"""Which files a command line names, and their checking, one after the other or several at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from derive.checker.finding import FORMULA_NAME, Checked
from derive.checker.instructions.settings import Settings, settings_near
from derive.documents.document import Block, Document, Piece
from derive.errors import DeriveError
from derive.records import dataclass

SUFFIXES = (".md", ".markdown", ".mdx", ".tex", ".ipynb", ".rst", ".txt")
"""The documents that are looked for in a folder; a file that is named itself may have another."""
_NOT_ENTERED = {"node_modules", "__pycache__", "site-packages", "__MACOSX"}
_NO_DOCUMENTS = ("requirements", "constraints", "CMakeLists", "LICENSE", "LICENCE", "NOTICE", "robots")
"""Text files whose names begin so are for machines or lawyers."""


@dataclass(frozen=True, slots=True)
class Task:
    """A document to be checked, read already or still a file, and under which settings."""

    subject: Document | Path
    settings: Settings


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, and why; `excluded` where the settings say so."""

    file: str
    reason: str
    excluded: bool = False


Result = Checked | Unread


def run(tasks: Sequence[Task | Unread], jobs: int = 1) -> Iterator[Result]:
    """Each task's documents as they are checked, in order; what could not be read stays in its place.

    `jobs` processes work at once, 0 for one on each core.
    """
    workers = min(jobs or os.cpu_count() or 1, len(tasks))
    if workers < 2:
        for task in tasks:
            yield from _results(task)
    else:
        yield from _at_once(tasks, workers)


def _at_once(tasks: Sequence[Task | Unread], workers: int) -> Iterator[Result]:
    """The same by several processes; what they need takes longer to load than a document to check."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from signal import SIG_IGN, SIGINT, signal

    chunk = max(1, min(16, len(tasks) // (workers * 4)))
    with ProcessPoolExecutor(workers, initializer=signal, initargs=(SIGINT, SIG_IGN)) as pool:
        try:
            for results in pool.map(_results, tasks, chunksize=chunk):
                yield from results
        except BrokenProcessPool as error:
            raise DeriveError("a process that checked was ended from outside; '-j 1' shows at which file") from error
        finally:
            pool.shutdown(cancel_futures=True)


def tasks(paths: Iterable[str | Path], settings: Settings, standard_input: Document | None = None) -> list[Task | Unread]:
    """What the paths name: a task for each document, with the settings of its folder under `settings`; `-` is standard input."""
    known: dict[Path, Settings] = {}
    found: dict[Path | Unread, Task | Unread] = {}
    for path in map(Path, paths):
        if standard_input and path == Path("-"):
            found.setdefault(path, Task(standard_input, settings_here(settings, None, known)))
            continue
        for file in _named(path, known):
            if isinstance(file, Unread):
                found.setdefault(file, file)
            else:
                found.setdefault(_real(file), _task(file, settings, known))
    return list(found.values())


def _named(path: Path, known: dict[Path, Settings]) -> list[Path | Unread]:
    """The path itself, or the documents in the folder that it is."""
    if not os.path.isdir(path):
        return [path]
    nothing = Unread(str(path), f"no documents in this folder ({', '.join('*' + suffix for suffix in SUFFIXES)})")
    return _documents_in(path, known) or [nothing]


def settings_here(settings: Settings, folder: Path | None = None, known: dict[Path, Settings] | None = None) -> Settings:
    """The settings, over those of the nearest pyproject.toml."""
    return settings.over(settings_near(_absolute(folder or Path()), {} if known is None else known))


def formula_document(text: str, name: str = FORMULA_NAME) -> Document:
    """A document of one displayed formula."""
    return Document(name, text, (Block("display", (Piece("math", text, range(len(text) + 1)),)),))


def _task(file: Path, settings: Settings, known: dict[Path, Settings]) -> Task | Unread:
    merged = settings_here(settings, file.parent, known)
    if merged.excludes(_absolute(file)):
        return Unread(str(file), "excluded by pyproject.toml", excluded=True)
    return Task(file, merged)


def _results(task: Task | Unread) -> tuple[Result, ...]:
    """The findings of a task's documents, or why its file could not be read."""
    if isinstance(task, Unread):
        return (task,)
    if isinstance(task.subject, Document):
        return (_result(task.subject, task.settings),)
    from derive.documents.reading import read_documents

    file = str(task.subject)
    try:
        documents = read_documents(task.subject)
    except FileNotFoundError:
        return (Unread(file, "no such file"),)
    except OSError as error:
        return (Unread(file, error.strerror or "cannot be read"),)
    except DeriveError as error:
        return (Unread(file, str(error).removeprefix(f"{file}: ")),)
    return tuple(_result(document, task.settings) for document in documents)


def _result(document: Document, settings: Settings) -> Result:
    from derive.checker.checking import check_document

    try:
        return check_document(document, settings)
    except DeriveError as error:
        return Unread(document.name, str(error))
    except (RecursionError, MemoryError):
        return Unread(document.name, "nested too deeply, or too large, to be checked")


def _documents_in(folder: Path, known: dict[Path, Settings]) -> list[Path | Unread]:
    """The documents in a folder and the folders in it, by name; hidden ones and those of tools are not entered."""
    found: list[Path | Unread] = []

    def locked(error: OSError) -> None:
        found.append(Unread(str(error.filename), error.strerror or "cannot be read"))

    for place, folders, files in os.walk(folder, onerror=locked):
        here = Path(place)
        folders[:] = sorted(name for name in folders if _is_entered(here / name, known))
        documents = [here / name for name in sorted(files) if _is_document(name)]
        found += [file for file in documents if not _is_excluded(file, known)]
    return found


def _is_excluded(path: Path, known: dict[Path, Settings]) -> bool:
    return settings_near(_absolute(path.parent), known).excludes(_absolute(path))


def _is_entered(folder: Path, known: dict[Path, Settings]) -> bool:
    if folder.name.startswith(".") or folder.name in _NOT_ENTERED or _is_excluded(folder, known):
        return False
    return not os.path.exists(folder / "pyvenv.cfg") and not os.path.exists(folder / "conda-meta")


def _is_document(name: str) -> bool:
    hidden = name.startswith(".") or (name.endswith(".txt") and name.startswith(_NO_DOCUMENTS))
    return name.lower().endswith(SUFFIXES) and not hidden


def _real(file: Path) -> Path:
    """The file itself, whatever links lead to it."""
    try:
        return file.resolve()
    except (OSError, RuntimeError):  # a link that leads to itself
        return _absolute(file)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))
