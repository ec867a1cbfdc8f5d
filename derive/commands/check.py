"""`derive check`: verdicts on the formulas of documents; `derive explain`: what its codes mean."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from typing import IO, TYPE_CHECKING, Any

import click

from derive.commands.window import window_width
from derive.errors import DeriveError
from derive.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from derive.checker.files import Result, Task, Unread
    from derive.checker.finding import Checked
    from derive.documents.document import Document

FORMATS = ("text", "json", "sarif", "github")
STDIN_FORMATS = ("md", "tex", "ipynb", "rst", "txt")
LONGEST_INPUT = 64 * 2**20
"""Bytes that are read from standard input."""


@click.command()
@click.argument("paths", nargs=-1)
@click.option("-e", "--formula", "formulas", multiple=True, metavar="FORMULA", help="Check a formula, as in '12Ld^2 = 13Ld^2'.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="What to print.")
@click.option("--stdin-format", type=click.Choice(STDIN_FORMATS), default="md", show_default=True, help="What '-' is written in.")
@click.option("--let", "letters", multiple=True, metavar="LETTER=MEANING", help="What a letter means, as in h=hidden_size or N=P_total.")
@click.option("--glossary", is_flag=True, help="Show what each letter was taken to mean.")
@click.option("-a", "--all", "every", is_flag=True, help="Show every finding, not only what is wrong.")
@click.option("-q", "--quiet", is_flag=True, help="Show the summary only.")
@click.option("-j", "--jobs", type=click.IntRange(min=0), default=1, show_default=True, metavar="N", help="Processes; 0 for every core.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True, help="Colours in text.")
@click.option("--output", type=click.Path(dir_okay=False), metavar="FILE", help="Write to a file instead of the screen.")
def check(
    paths: tuple[str, ...],
    formulas: tuple[str, ...],
    stdin_format: str,
    letters: tuple[str, ...],
    jobs: int,
    output: str | None,
    **shown: Any,
) -> None:
    """Verdicts on the formulas in documents: Markdown, LaTeX, notebooks, reStructuredText, plain text.

    PATHS are files, folders, or '-' for standard input. Exits with 1 where something is wrong, with 2 where something could not be
    read, else with 0.

    \b
    derive check notes.md chapters/
    derive check -e '50257 × 768 ≈ 38.6M'
    derive check --let h=hidden_size --all post.md
    """  # noqa: D301
    if not paths and not formulas:
        raise click.UsageError("nothing to check: name files or folders, '-' for standard input, or a formula with -e.")
    from derive.checker.files import run

    tasks = _tasks(paths, formulas, stdin_format, letters)
    outcome = _Outcome()
    results = outcome.checked(_watched(run(tasks, jobs), len(tasks)))
    try:
        with _opened(output) if output else nullcontext(sys.stdout) as stream:
            _print(results, stream, **shown)
    except KeyboardInterrupt:
        raise DeriveError("interrupted; what was not checked yet is not in the report") from None
    click.get_current_context().exit(outcome.exit_code)


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """What a code of 'derive check' means, with an example and what to do; without CODE, all codes."""
    from derive.checker.codes import BY_CODE, CODES
    from derive.checker.instructions.settings import known_code
    from derive.checker.output.explanation import explained, listed

    width = window_width()
    click.echo(explained(BY_CODE[known_code(code)], width) if code else listed(CODES, width))


class _Outcome:
    """What the exit code is made of, gathered while results pass through."""

    def __init__(self) -> None:
        self.wrong = self.unread = False

    @property
    def exit_code(self) -> int:
        return 2 if self.unread else int(self.wrong)

    def checked(self, results: Iterable[Result]) -> Iterator[Checked]:
        """The results that are findings; each file that could not be read is told on standard error, and the rest goes on."""
        from derive.checker.files import Unread

        for result in results:
            if isinstance(result, Unread):
                self.unread |= not result.excluded
                click.echo(f"derive: {_line(result)}", err=True)
            else:
                self.wrong |= any(finding.verdict == "wrong" for finding in result.findings)
                yield result


def _line(unread: Unread) -> str:
    return printable(" ".join(f"{unread.file}: {unread.reason}".split()))


def _tasks(paths: tuple[str, ...], formulas: tuple[str, ...], stdin_format: str, letters: tuple[str, ...]) -> list[Task | Unread]:
    """What is to be checked: the formulas, then the paths in their order, standard input where `-` stands."""
    from derive.checker.files import Task, formula_document, settings_here, tasks
    from derive.checker.instructions.settings import Settings

    settings = Settings(_letters(letters))
    named = tasks(paths, settings, _standard_input(stdin_format) if "-" in paths else None)
    return [*(Task(formula_document(formula), settings_here(settings)) for formula in formulas), *named]


def _letters(letters: tuple[str, ...]) -> dict[str, str]:
    from derive.checker.instructions.settings import SettingsError, letters_of

    try:
        return letters_of(", ".join(letters)) if letters else {}
    except SettingsError as error:
        raise SettingsError(f"--let: {error}") from error


def _standard_input(form: str) -> Document:
    from derive.documents.reading import document_of

    content = sys.stdin.buffer.read(LONGEST_INPUT + 1)
    if len(content) > LONGEST_INPUT:
        raise DeriveError(f"standard input is larger than {LONGEST_INPUT // 2**20} MiB")
    return document_of(content.decode("utf-8-sig", "replace"), "-", form)


def _print(results: Iterator[Checked], stream: IO[str], color: str, **shown: Any) -> None:
    """Print the results as they come, as long as somebody reads."""
    colour = _is_coloured(color, stream)
    try:
        for piece in _written(results, colour, **shown):
            click.echo(piece, file=stream, color=colour)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _written(results: Iterator[Checked], colour: bool, form: str, glossary: bool, every: bool, quiet: bool) -> Iterator[str]:
    """The results in the form asked for, in pieces as they come."""
    if form == "text":
        from derive.checker.output.text import View, written

        return written(results, View(window_width(), colour, every, quiet, glossary))
    if form == "github":
        from derive.checker.output import github

        return github.written(results, every)
    from derive.checker.output import json, sarif

    return json.written(results) if form == "json" else sarif.written(results)


def _opened(path: str) -> IO[str]:
    try:
        return open(path, "w", encoding="utf-8", newline="\n", errors="replace")
    except OSError as error:
        raise DeriveError(f"{path}: cannot write: {error.strerror}") from error


def _is_coloured(when: str, stream: IO[str]) -> bool:
    """`always` and `never` say so; else a terminal has colours where neither NO_COLOR nor TERM says that it has none."""
    if when != "auto":
        return when == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _watched(results: Iterator[Result], count: int) -> Iterator[Result]:
    """The results, with a progress bar on standard error where that is a terminal and they take more than a second.

    The bar is gone whenever something else is printed.
    """
    if not sys.stderr.isatty() or count < 2:
        yield from results
        return
    from derive.commands.progress import watched

    yield from watched(results, count)
