"""A text or a document → its findings, under settings and the document's own comments."""

from __future__ import annotations

from collections.abc import Mapping

from derive.checker.finding import Checked
from derive.checker.instructions.settings import Settings
from derive.documents.document import Document

NO_SETTINGS = Settings()


def check(text: str, format: str = "md", let: Mapping[str, str] | None = None) -> Checked:
    """The findings of a text, which can be iterated: `[finding.verdict for finding in derive.check("$12Ld^2 = 13Ld^2$")]`.

    `format` is one of md, tex, ipynb, rst, txt; `let` says what letters mean (`{"h": "hidden_size"}`). Raises `DocumentError` for a text
    that is not of that format.
    """
    from derive.checker.instructions.settings import meaning_of

    return check_text(text, format, settings=Settings(letters={letter: meaning_of(word) for letter, word in (let or {}).items()}))


def check_text(text: str, format: str = "md", name: str = "<text>", settings: Settings = NO_SETTINGS) -> Checked:
    """The findings of a text in one of the formats of `documents.reading.FORMATS`, under settings and its own comments."""
    from derive.documents.reading import document_of

    return check_document(document_of(text, name, format), settings)


def check_document(document: Document, settings: Settings = NO_SETTINGS) -> Checked:
    """The findings of a document; its own comments overrule the settings of a pyproject.toml."""
    from derive.checker.judging import judged

    if not document.comments and not settings.ignored:
        return judged(document, settings.letters)
    from derive.checker.instructions.directives import directives_of
    from derive.checker.instructions.suppression import suppressed

    directives = directives_of(document)
    checked = judged(document, settings.in_document(directives.letters).letters)
    return suppressed(checked, directives, settings, document)
