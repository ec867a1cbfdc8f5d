"""`derive book` and `derive fill`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from derive.book.sandbox.jobs import Watch

_LANGUAGE = click.Choice(["en", "zh"])


class _Place(click.Path):
    """A path that is not empty: an empty one would be the folder that one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail("it is empty", param, ctx)
        return super().convert(value, param, ctx)


_FOLDER, _FILE = _Place(file_okay=False, path_type=Path), _Place(dir_okay=False, path_type=Path)


@click.command()
@click.argument("chapters", nargs=-1)
@click.option("--templates", type=_FOLDER, metavar="DIR", help="A book of your own: DIR/en/*.md.j2, or DIR/*.md.j2.")
@click.option("--language", "languages", multiple=True, type=_LANGUAGE, help="Only this language.")
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(["md", "tex", "pdf", "html"]), help="Only this format; md and tex by default."
)
@click.option("--out", type=_FOLDER, default="out", show_default=True, help="Folder to write into.")
@click.option("--figures/--no-figures", default=True, help="Draw the pictures, which needs matplotlib and, for Chinese, a font.")
def book(chapters: tuple[str, ...], languages: tuple[str, ...], formats: tuple[str, ...], **more: Any) -> None:
    """Render the chapters, every '=' proved on the way, into OUT/<language>/ and, as a site, OUT/html/.

    Chapters that have not changed are not rendered again. Of what it wrote before, 'derive book' removes what the book no longer has.
    """
    from derive.book.rendering import write_book

    chosen = tuple(dict.fromkeys(formats)) or ("md", "tex")
    written = write_book(more.pop("out"), chapters, languages, chosen, watch=_watch("rendering"), **more)
    for path in written.files:
        click.echo(path)
    for path in written.removed:
        click.echo(f"removed {path}")


@click.command()
@click.argument("template", type=_FILE, metavar="FILE.md.j2")
@click.option("-o", "--output", type=_FILE, help="Write here: .md, .tex, .pdf or .html.")
@click.option("--language", type=_LANGUAGE, default="en", show_default=True, help="Language of reasons and tables.")
def fill(template: Path, output: Path | None, language: str) -> None:
    """Render one document from a template, with the functions of 'derive book'; as Markdown to standard output."""
    from derive.book.filling import filled, write_filled

    if output is None:
        click.echo(filled(template, language).markdown, nl=False)
        return
    for path in write_filled(template, output, language):
        click.echo(path)


def _watch(doing: str) -> Watch:
    """A progress bar for what takes long; none where nobody is looking."""

    def watch(results: Iterator[Any], count: int) -> Iterator[Any]:
        if not sys.stderr.isatty():
            return results
        from derive.commands.progress import watched

        return watched(results, count, doing)

    return watch
