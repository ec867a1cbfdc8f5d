"""From templates to files: a chapter is rendered whole, every claim in it proved, before anything is written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError, UndefinedError

import derive
from derive.book.functions import Functions
from derive.book.latex import latex_body
from derive.book.writing import LATEX, MARKDOWN, Dialect
from derive.errors import ChapterError, DeriveError
from derive.text import LANGUAGES

_SUFFIX = ".md.j2"


@dataclass(frozen=True, slots=True)
class Page:
    """One rendered file: where it goes below the output folder, and its text."""

    path: Path
    text: str


def templates_folder() -> Path:
    """The folder of the templates: inside the installed package, or beside it in a checkout."""
    package = Path(derive.__file__).parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def chapter_names(language: str = LANGUAGES[0]) -> tuple[str, ...]:
    """The chapters in their order, by template: `05-dense-decoder`, …"""
    return tuple(sorted(path.name.removesuffix(_SUFFIX) for path in (templates_folder() / language).glob(f"*{_SUFFIX}")))


def render_book(chapters: Sequence[str] = (), languages: Sequence[str] = LANGUAGES, formats: Sequence[str] = ("md", "tex")) -> list[Page]:
    """Every chapter in every language and format; `DeriveError` names the first step or place that is wrong."""
    return [_page(language, chapter, form) for language in languages for chapter in _chosen(chapters, language) for form in formats]


def write_book(out: Path, chapters: Sequence[str], languages: Sequence[str], formats: Sequence[str]) -> Iterable[Path]:
    """Render, then write; nothing is written where anything fails. Gives the paths as they are written."""
    texts = [form for form in formats if form != "pdf"]
    pages = render_book(chapters, languages, texts)
    files = [(page.path, page.text.encode()) for page in pages]
    if "pdf" in formats:
        from derive.book.pdf import compiled

        sources = render_book(chapters, languages, ("tex",))
        files += [(page.path.with_suffix(".pdf"), compiled(page.path.stem, page.text)) for page in sources]
    return _write_all([(out / path, content) for path, content in files])


def render(language: str, chapter: str, dialect: Dialect) -> str:
    """A chapter as Markdown, its formulas in one dialect of LaTeX."""
    environment = _environment(templates_folder() / language)
    environment.globals.update(Functions(language, dialect).by_name())
    try:
        text = environment.get_template(chapter + _SUFFIX).render()
    except TemplateSyntaxError as error:
        raise ChapterError(f"{language}/{chapter}{_SUFFIX}, line {error.lineno}: {error.message}") from None
    except (DeriveError, UndefinedError, TypeError, KeyError) as error:
        raise ChapterError(f"{language}/{chapter}{_SUFFIX}, line {_line(error)}: {error}") from error
    return _spaced(text)


def _page(language: str, chapter: str, form: str) -> Page:
    path = Path(language) / f"{chapter}.{form}"
    if form == "md":
        return Page(path, render(language, chapter, MARKDOWN))
    title, body = latex_body(render(language, chapter, LATEX))
    wrapper = _environment(templates_folder() / "latex").get_template("chapter.tex.j2")
    return Page(path, wrapper.render(title=title, body=body, language=language))


def _chosen(chapters: Sequence[str], language: str) -> list[str]:
    """The chapters asked for, by name with or without the number; all of them where none is named."""
    known = chapter_names(language)
    by_name = {name: name for name in known} | {name.partition("-")[2]: name for name in known}
    for chapter in chapters:
        if chapter not in by_name:
            raise ChapterError(f"no chapter '{chapter}'; known: {', '.join(known)}")
    return list(dict.fromkeys(by_name[chapter] for chapter in chapters)) or list(known)


def _environment(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder),
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


def _line(error: BaseException) -> int:
    """The line of the template from which the error came."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(_SUFFIX):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _spaced(text: str) -> str:
    """At most one empty line in a row, none at the start, one newline at the end."""
    kept: list[str] = []
    for line in (line.rstrip() for line in text.split("\n")):
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip("\n") + "\n"


def _write_all(files: Sequence[tuple[Path, bytes]]) -> list[Path]:
    """Write every file beside its target, then put all in place: no target is half-written, none is written alone."""
    staged: list[tuple[Path, Path]] = []
    target = Path()
    try:
        for target, content in files:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                raise ChapterError(f"{target}: a folder is in the way")
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            staged.append((Path(name), target))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(name).chmod(0o644)
        for temporary, target in staged:
            temporary.replace(target)
    except OSError as error:
        raise ChapterError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
    return [target for _, target in staged]
