"""The text of a reStructuredText paragraph: words, `:math:` roles and double-ticked code; dollars are nothing special."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.documents.assembly import Assembly
from derive.documents.emphasis import marks
from derive.documents.placed import Placed, instead

MOST = 200_000
"""A paragraph of more characters is taken as words."""

_SPECIAL = re.compile(
    r"\\(?P<escaped>[\s\S])|``(?=\S)(?P<code>(?:[^`]|`(?!`)){1,3000}?)(?<=\S)``"
    r"|:(?P<role>[A-Za-z][\w:.+-]{0,40}):`(?P<of>(?:\\.|[^`\\]){1,5000})`|(?<![\w`])`(?=\S)(?P<link>(?:\\.|[^`\\]){1,2000})`(?P<to>:math:|__?|)"
    r"|(?P<note>\[(?:#?[\w.-]{1,50}|\*)\]_)(?!\w)|(?P<word>(?<=\w)__?(?![\w`]))"
)
_TARGET = re.compile(r"\s*<[^<>]*>\Z")
_LINKED = frozenset("ref doc term any class func meth mod attr data obj numref eq cite cite:p cite:t py:class py:func py:meth abbr".split())


def read_inline(text: Placed, into: Assembly) -> None:
    """Puts the words, formulas and code of a text into the assembly."""
    if len(text.text) > MOST:
        into.words(text)
        return
    found = list(_SPECIAL.finditer(text.text))
    gone = marks(text.text, _between(found, len(text.text)))
    done = number = 0
    for match in (*found, None):
        end = match.start() if match else len(text.text)
        while number < len(gone) and gone[number][0] < end:
            into.words(text.part(done, gone[number][0]))
            done = max(done, gone[number][1])
            number += 1
        into.words(text.part(done, end))
        if match:
            _special(text, match, into)
            done = match.end()


def _between(found: list[re.Match[str]], size: int) -> Iterator[tuple[int, int]]:
    """The spans of words between what is special."""
    done = 0
    for match in found:
        yield done, match.start()
        done = match.end()
    yield done, size


def _special(text: Placed, match: re.Match[str], into: Assembly) -> None:
    """An escape, code, a role, a link, or the mark of a note."""
    if match["escaped"] is not None:
        if not match["escaped"].isspace():
            into.words(text.part(*match.span("escaped")))
    elif match["code"] is not None:
        into.code(text.part(*match.span("code")))
    elif match["role"]:
        _role(text, match, into)
    elif match["link"] is not None:
        if match["to"] == ":math:":
            into.math(text.part(*match.span("link")))
        else:
            into.words(_without_target(text.part(*match.span("link"))))


def _role(text: Placed, match: re.Match[str], into: Assembly) -> None:
    role, content = match["role"].lower(), text.part(*match.span("of"))
    if role in ("math", "eq:math"):
        into.math(content)
    elif role in ("code", "literal", "file", "command", "samp", "option"):
        into.code(content)
    elif role in ("sub", "subscript", "sup", "superscript"):
        start, end = text.offsets[match.start()], text.offsets[match.end()]
        into.words(instead("_{" if role.startswith("sub") else "^{", start, content.offsets[0]))
        into.words(content)
        into.words(instead("}", content.offsets[-1], end))
    elif role not in ("cite", "cite:p", "cite:t", "eq", "numref", "footcite"):
        into.words(_without_target(content))


def _without_target(content: Placed) -> Placed:
    """The text of a link without the address behind it."""
    target = _TARGET.search(content.text)
    return content.part(0, target.start()) if target and target.start() else content
