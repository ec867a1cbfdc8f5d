"""The Jinja environment of templates: a sandbox, in which what is undefined is an error and every error has its line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from derive.errors import ChapterError, DeriveError

CHARACTERS = 4_000_000
"""Of one rendered document."""
LARGEST_PRODUCT = 1_000_000
"""Characters or items that `*` may make."""
LARGEST_POWER = 10_000
"""Bits of a number that `*` and `**` may make."""

_RAISED = (
    DeriveError,
    TemplateError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
    MemoryError,
    OSError,
)
"""What a template can make Python raise: by its own fault, or by what it hands to a function."""
_UNSAID = {MemoryError: "more memory than a template may use", RecursionError: "it calls itself without end, or is nested too deeply"}


class Sandbox(ImmutableSandboxedEnvironment):
    """Templates that reach no internals of Python, change nothing that they are given, and multiply within bounds."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """`left * right` and `left ** right`, where the result is of a size that a page can hold."""
        if _size(operator, left, right):
            raise ChapterError(f"the result of {operator} is too large")
        return super().call_binop(context, operator, left, right)


class _Loader(FileSystemLoader):
    """Templates of one folder; those that are asked for and are not there are added to `missing`."""

    def __init__(self, folder: Path, missing: set[Path]) -> None:
        super().__init__(folder)
        self.folder, self.missing = folder, missing

    def get_source(self, environment: Any, template: str) -> Any:
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            self.missing.add(self.folder / template)
            raise
        except UnicodeDecodeError:
            raise ChapterError(f"{template}: not UTF-8") from None


def environment(folder: Path, missing: set[Path] | None = None) -> Sandbox:
    """The environment of the templates in a folder."""
    made = Sandbox(
        loader=_Loader(folder, set() if missing is None else missing),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
    )
    del made.globals["lipsum"]
    return made


def rendered(path: Path, called: str, functions: Mapping[str, Any], missing: set[Path] | None = None) -> str:
    """The text of a template, which messages call by the name `called`; `ChapterError` says what is wrong, in which file and line.

    Templates that it asks for and that are not there are added to `missing`.
    """
    made = environment(path.parent, missing)
    made.globals.update(functions)
    try:
        return _spaced(_bounded(made.get_template(path.name).generate()))
    except TemplateSyntaxError as error:
        raise ChapterError(f"{_file(called, error.filename)}, line {error.lineno}: {error.message}") from None
    except _RAISED as error:
        raise ChapterError(f"{_place(error, path.parent, called)}: {_words(error)}") from error


def _bounded(pieces: Iterable[str]) -> str:
    """The pieces together; where they are too many, the template itself is told, so that the error has its line."""
    kept, size = [], 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > CHARACTERS:
            pieces.throw(ChapterError(f"more than {CHARACTERS:,} characters"))  # type: ignore[attr-defined]
    return "".join(kept)


def _size(operator: str, left: Any, right: Any) -> bool:
    """Whether the result of a multiplication or a power would be too large."""
    if isinstance(left, int) and isinstance(right, int):
        bits = abs(right) * left.bit_length() if operator == "**" else left.bit_length() + right.bit_length()
        return bits > LARGEST_POWER
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and hasattr(other, "__len__"):
            return one * len(other) > LARGEST_PRODUCT
    return False


def _place(error: BaseException, folder: Path, called: str) -> str:
    """The file and line of the innermost template from which the error came; the file alone where it came from none of its lines."""
    place, trace = called, error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if path.parent == folder:
            place = f"{_file(called, path.name)}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _file(called: str, path: str | None) -> str:
    """How messages call a template file: like the one that was asked for, if that is it; else by its own name beside it."""
    name = Path(path or called).name
    return called if Path(called).name == name else str(Path(called).with_name(name))


def _words(error: BaseException) -> str:
    """What to say of an error, on one line."""
    if isinstance(error, TemplateNotFound):
        return f"no template '{error.name}' beside it"
    said = next((words for kind, words in _UNSAID.items() if isinstance(error, kind)), "")
    return said or " ".join(str(error).split()) or type(error).__name__


def _spaced(text: str) -> str:
    """At most one empty line in a row, none at the start, one newline at the end."""
    lines = [line.rstrip() for line in text.split("\n")]
    kept = [line for before, line in pairwise(["", *lines]) if line or before]
    return "\n".join(kept).strip("\n") + "\n"
