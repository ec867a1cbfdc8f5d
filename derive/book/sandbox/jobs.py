"""Rendering templates: each in a process of its own, several at a time, and none that an earlier run has rendered from the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from sysconfig import get_path
from typing import Any, TypeAlias

import derive
from derive.book.naming import Naming
from derive.book.output.store import Store, changed, digests_of, key_of
from derive.errors import ChapterError

SECONDS = 30.0
"""That one template may take."""
GRACE = 10.0
"""Seconds beyond that, for a process that does not hear its alarm [to start, and in the middle of one long operation]."""


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One template to render; `called` is its name in messages. Each is its own, whatever it holds."""

    path: Path
    called: str
    language: str
    naming: Naming
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class Rendered:
    """A chapter as Markdown, its formulas in the dialect for Markdown and in the one for LaTeX."""

    markdown: str
    latex: str


Watch: TypeAlias = Callable[[Iterator[Any], int], Iterator[Any]]
"""Passes results through as they come, and shows how many of the number have come."""


def unwatched(results: Iterator[Any], count: int) -> Iterator[Any]:
    """The results, without a progress bar."""
    return results


def render_all(tasks: Sequence[Task], store: Store | None = None, watch: Watch = unwatched) -> dict[Task, Rendered]:
    """Every template rendered; the error of the first that fails, in their order, once all have ended."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        ahead = {pool.submit(_rendered, task, store): task for task in tasks}
        try:
            for _ in watch(as_completed(ahead), len(tasks)):
                pass
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        return {task: future.result() for future, task in ahead.items()}


def render_now(task: Task) -> Rendered:
    """One template rendered in a process of its own."""
    return _texts(_answer(task))


def _rendered(task: Task, store: Store | None) -> Rendered:
    """The texts kept from before, if everything that they were made from is as it was; else made now."""
    if store is None:
        return render_now(task)
    key = key_of(str(task.path.absolute()), task.called, task.language, task.naming.as_dict(), os.getcwd(), _shadowed())
    kept = store.get(key)
    if kept is not None:
        answer = json.loads(kept)
        if digests_of(answer["from"]) == answer["from"]:
            return _texts(answer)
    answer = _answer(task)
    made_from = _made_from(answer)
    if made_from is not None:
        store.put(key, json.dumps({"texts": answer["texts"], "from": made_from}).encode())
    return _texts(answer)


def _answer(task: Task) -> dict[str, Any]:
    job = {**asdict(task), "path": str(task.path.absolute()), "naming": task.naming.as_dict()}
    command = [sys.executable, "-P", "-B", "-m", "derive.book.sandbox.worker"]
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in (_PACKAGE, os.environ.get("PYTHONPATH", "")) if path)}
    try:
        done = subprocess.run(
            command, input=json.dumps(job), capture_output=True, text=True, encoding="utf-8", errors="replace",
            env={**where, "PYTHONIOENCODING": "utf-8"}, timeout=task.seconds + GRACE, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ChapterError(f"{task.called}: not done after {task.seconds:g} s, and stopped") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"ended by signal {-done.returncode}"])[-1]
        raise ChapterError(f"{task.called}: rendering failed: {last}")
    answer: dict[str, Any] = json.loads(done.stdout)
    if "error" in answer:
        raise ChapterError(answer["error"])
    return answer


_PACKAGE = str(Path(derive.__file__).parent.parent)
_KNOWN = tuple(Path(path).resolve() for path in (_PACKAGE + "/derive", *map(get_path, ("stdlib", "platstdlib", "purelib", "platlib"))))
"""Folders whose content is in the key already, or as fixed as Python itself."""


def _made_from(answer: dict[str, Any]) -> dict[str, str | None] | None:
    """The hashes of what was read, or was not there; `None` where something has no hash, such as a pipe, or changed meanwhile."""
    read = [path for path in answer["read"] if not any(Path(path).resolve().is_relative_to(folder) for folder in _KNOWN)]
    try:
        digests = digests_of([*read, *answer["missing"]])
    except ChapterError:
        return None
    return None if any(changed(path) != answer["read"][path] for path in read) else digests


def _texts(answer: dict[str, Any]) -> Rendered:
    return Rendered(answer["texts"]["md"], answer["texts"]["tex"])


def _shadowed() -> list[str]:
    """Files here that are named like bundled models, and so are read in their stead."""
    from derive.models import bundled_model

    return sorted(name for name in os.listdir() if bundled_model(name))
