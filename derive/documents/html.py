"""The HTML that people write in Markdown: its tags, entities and tables."""

from __future__ import annotations

import re
from collections.abc import Callable

from derive.documents.document import Block, Cell
from derive.documents.placed import Placed

_INLINE = frozenset("a abbr b bdi big br cite code del dfn em font i img input ins kbd label mark math nobr q s samp small span strike "
                    "strong sub sup tt u var wbr".split())  # fmt: skip
_BLOCK = frozenset("address article aside blockquote body button canvas caption center col colgroup dd details div dl dt figcaption figure "
                   "footer form h1 h2 h3 h4 h5 h6 head header hr html iframe li link main meta nav object ol p picture pre section source "
                   "style script summary svg path g table tbody td tfoot th thead title tr ul video audio".split())  # fmt: skip

TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[^<>]{0,2000})?)\s*/?>")
AUTOLINK = re.compile(r"<(?:https?|ftp|mailto):[^<>\s]{0,2000}>|<[\w.+-]{1,64}@[\w.-]{1,255}>")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ATTRIBUTES = re.compile(r"(?:\s+[A-Za-z_:@-][\w:.@-]*(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?)*\s*")
_ROW = re.compile(r"<tr\b[^<>]*>", re.IGNORECASE)
_CELL = re.compile(r"<(t[dh])\b[^<>]*>", re.IGNORECASE)
_CELL_END = re.compile(r"</?(?:t[dhr]|thead|tbody|tfoot|table)\b[^<>]*>", re.IGNORECASE)


def tag_at(text: str, start: int) -> re.Match[str] | None:
    """The tag that begins here; `a <b and c> d` is none, nor is a name that HTML does not have."""
    found = TAG.match(text, start)
    if not found or not (is_block_tag(found[2]) or found[2].lower() in _INLINE):
        return None
    attributes = found[3].rstrip("/")
    if not _ATTRIBUTES.fullmatch(attributes) or (len(found[2]) == 1 and attributes.strip() and "=" not in attributes):
        return None
    return found


def is_block_tag(name: str) -> bool:
    """Whether a tag begins or ends a block."""
    return name.lower() in _BLOCK


def entity(reference: str) -> str:
    """The characters of an entity such as `&times;`, or "" for a name that HTML does not have."""
    from html import unescape

    found = unescape(reference)
    return "" if found == reference or found == "\ufffd" else found.replace("\u00a0", " ")


def table(text: Placed, cell: Callable[[Placed], Cell]) -> Block | None:
    """The block of a `<table>`; its first row is a header when it has a `<th>`."""
    starts = [match.end() for match in _ROW.finditer(text.text)]
    ends = [*(match.start() for match in _ROW.finditer(text.text)), len(text.text)][1:]
    rows = []
    for start, end in zip(starts, ends, strict=True):
        cells = []
        for match in _CELL.finditer(text.text, start, end):
            close = _CELL_END.search(text.text, match.end(), end)
            cells.append(cell(text.part(match.end(), close.start() if close else end).strip()))
        if cells:
            rows.append(tuple(cells))
    if not rows:
        return None
    first = text.text[starts[0] : ends[0]].lower()
    return Block("table", rows=tuple(rows), header="<th" in first)
