"""The Jinja environment of templates: a sandbox, in which what is undefined is an error and every error has its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.filters import sync_do_slice
from jinja2.sandbox import ImmutableSandboxedEnvironment

from derive.book.sources import line_at
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
    SyntaxError,
)
"""What a template can make Python raise: by its own fault, or by what it hands to a function."""
_UNSAID = {
    MemoryError: "more memory than a template may use",
    RecursionError: "it calls itself without end, or is nested too deeply",
    IndentationError: "its blocks are nested too deeply",
}
_HALF = re.compile("[\ud800-\udfff]")


class Sandbox(ImmutableSandboxedEnvironment):
    """Templates that reach no internals of Python, change nothing that they are given, and multiply within bounds."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """`left * right` and `left ** right`, where the result is of a size that a page can hold."""
        if _size(operator, left, right):
            raise ChapterError(f"the result of {operator} is too large")
        return super().call_binop(context, operator, left, right)


class _Loader(FileSystemLoader):
    """Templates of one folder, and what they include from it; what is asked for and is not there is added to `missing`."""

    def __init__(self, template: Path, missing: set[Path]) -> None:
        super().__init__(template.parent, encoding="utf-8-sig")
        self.template, self.missing = template, missing

    def get_source(self, environment: Any, template: str) -> Any:
        path = self.template.parent / template
        try:
            source, file, unchanged = super().get_source(environment, template)
        except TemplateNotFound:
            self.missing.add(path)
            raise
        except UnicodeDecodeError as error:
            raise TemplateSyntaxError("not UTF-8", line_at(path.read_bytes(), error.start), template, str(path)) from None
        if template != self.template.name and not Path(file).resolve().is_relative_to(self.template.parent.resolve()):
            raise ChapterError(f"'{template}' leads out of the folder of templates")
        return source, file, unchanged


def environment(folder: Path) -> Sandbox:
    """The environment of the templates in a folder."""
    return _environment(FileSystemLoader(folder))


def _environment(loader: FileSystemLoader) -> Sandbox:
    made = Sandbox(
        loader=loader,
        undefined=StrictUndefined,
        finalize=_printable,
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
    made.filters["slice"] = _slice
    return made


def rendered(path: Path, called: str, functions: Mapping[str, Any], missing: set[Path] | None = None) -> str:
    """The text of a template, which messages call by the name `called`; `ChapterError` says what is wrong, in which file and line.

    Templates that it asks for and that are not there are added to `missing`.
    """
    made = _environment(_Loader(path, set() if missing is None else missing))
    made.globals.update(functions)
    try:
        return _written(_spaced(_bounded(made.get_template(path.name).generate())))
    except TemplateSyntaxError as error:
        raise ChapterError(f"{_file(called, path.parent, error.filename)}, line {error.lineno}: {error.message}") from None
    except _RAISED as error:
        raise ChapterError(f"{_place(error, path.parent, called)}: {_words(error)}") from error


def _printable(value: Any) -> Any:
    """Texts and numbers; an undefined name and a function say themselves what is wrong."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return value
    str(value)
    raise ChapterError("only texts and numbers can be printed")


def _slice(value: Collection[Any], slices: int, fill_with: Any = None) -> Iterator[Any]:
    """Jinja's filter, for as many slices as a page can hold."""
    if slices > LARGEST_PRODUCT:
        raise ChapterError("slice() into too many parts")
    return sync_do_slice(value, slices, fill_with)


def _bounded(pieces: Iterable[str]) -> str:
    """The pieces together; where they are too many, the template itself is told, so that the error has its line."""
    kept, size = [], 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > CHARACTERS:
            pieces.throw(ChapterError(f"more than {CHARACTERS:,} characters"))  # type: ignore[attr-defined]
    return "".join(kept)


def _written(text: str) -> str:
    """The text, if a file can hold it."""
    half = _HALF.search(text)
    if half:
        line = text.count("\n", 0, half.start()) + 1
        raise ChapterError(f"line {line} of the text that it makes holds U+{ord(half[0]):04X}, half a character")
    return text


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
        if "__jinja_exception__" in trace.tb_frame.f_globals:  # a line of a template, put in by Jinja for its own
            place = f"{_file(called, folder, trace.tb_frame.f_code.co_filename)}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _file(called: str, folder: Path, path: str | None) -> str:
    """How messages call a template file: by its place beside the one that was asked for."""
    inner = Path(path or called)
    return str(Path(called).parent / (inner.relative_to(folder) if inner.is_relative_to(folder) else inner.name))


def _words(error: BaseException) -> str:
    """What to say of an error, on one line."""
    if isinstance(error, TemplateNotFound):
        return f"no template '{error.name}' beside it"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    said = next((words for kind, words in _UNSAID.items() if isinstance(error, kind)), "")
    if isinstance(error, SyntaxError) and not said:
        return error.msg
    return said or " ".join(str(error).split()) or type(error).__name__


def _spaced(text: str) -> str:
    """At most one empty line in a row, none at the start, one newline at the end."""
    lines = [line.rstrip() for line in text.split("\n")]
    kept = [line for before, line in pairwise(["", *lines]) if line or before]
    return "\n".join(kept).strip("\n") + "\n"
