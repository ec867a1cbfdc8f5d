"""LaTeX of the book → MathML, which browsers show without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from derive.book.markdown import RefusedError
from derive.errors import ChapterError

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_TAG = f"{{{NAMESPACE}}}"
_SUBSTITUTES = (
    (r"\begin{aligned}", r"\begin{align*}"),
    (r"\end{aligned}", r"\end{align*}"),
    (r"\cr", r"\\"),
    (r"\thinspace", r"\,"),
)
"""What the converter does not know, in its words."""
_FUNCTIONS = {"ln", "log", "exp"}
"""Around which thin spaces stand: behind a factor, and before an argument without a bracket."""
_FENCES = frozenset("()[]{}|‖⌊⌋⌈⌉")
_ROWS = {_TAG + name for name in ("math", "mrow", "mtd", "msqrt", "mstyle")}
"""Elements whose children stand in a row, as many as there are."""
_SCRIPTS = {_TAG + name for name in ("msub", "msup", "msubsup")}
_FACTORS = _SCRIPTS | {_TAG + name for name in ("mi", "mn", "mfrac", "msqrt")}
_THIN = "0.167em"
_UNREAD = re.compile(r"\\[A-Za-z]+")
_TEXT = re.compile(r"\\text\{[^{}]*\}")
_MARKUP = {r"\&": ("\ue000", "&amp;"), "<": ("\ue001", "&lt;"), ">": ("\ue002", "&gt;")}
"""Signs in a text that the converter would write as they are: what stands for each meanwhile, and what it is in the end."""


@lru_cache(maxsize=4096)
def mathml(latex: str, *, display: bool = False, large: bool = False) -> str:
    """A `math` element; `RefusedError` for LaTeX that cannot be converted, or only in part.

    A display is a block of its own; what is large stands in a line, and has the fractions and sums of a display.
    """
    try:
        from latex2mathml import exceptions
        from latex2mathml.converter import convert
    except ImportError:
        raise ChapterError("HTML needs latex2mathml, which is not installed: pip install 'derive[book]'") from None
    own = (kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception))
    refused: tuple[type[Exception], ...] = (ElementTree.ParseError, *own)
    given = _TEXT.sub(lambda found: _kept(found[0]), latex)
    for ours, theirs in _SUBSTITUTES:
        end = r"(?![A-Za-z])" if ours[-1].isalpha() else ""
        given = re.sub(re.escape(ours) + end, theirs.replace("\\", "\\\\"), given)
    try:
        converted = convert(given, display="block" if display else "inline").replace("<mi>&</mi>", "<mi>\\amp</mi>")
        made = ElementTree.fromstring(_given_back(converted))
    except refused as error:
        raise RefusedError(f"the formula '{latex}' cannot be shown in HTML: {type(error).__name__}", latex) from None
    for unread in (leaf.text for leaf in made.iter() if leaf.text and _UNREAD.fullmatch(leaf.text)):
        raise RefusedError(f"the formula '{latex}' cannot be shown in HTML: {unread} is not known", latex)
    _tidy(made)
    if large:
        made.set("displaystyle", "true")
    ElementTree.register_namespace("", NAMESPACE)
    return ElementTree.tostring(made, encoding="unicode").replace(f' xmlns="{NAMESPACE}"', "")


def _kept(text: str) -> str:
    for sign, (instead, _) in _MARKUP.items():
        text = text.replace(sign, instead)
    return text


def _given_back(written: str) -> str:
    for instead, entity in _MARKUP.values():
        written = written.replace(instead, entity)
    return written


def _tidy(element: Element) -> None:
    """The same mathematics in fewer and truer elements: upright words and grouped numbers are one token each."""
    for child in element:
        _tidy(child)
    if element.tag == f"{_TAG}mo" and element.text in _FENCES:
        element.attrib.update({"lspace": "0em", "rspace": "0em"})
    if element.tag in _ROWS:
        children = list(_spaced(list(_joined(list(element)))))
        for child in list(element):
            element.remove(child)
        element.extend(children)
    if element.tag == f"{_TAG}mrow" and len(element) == 1 and element[0].tag == f"{_TAG}mrow":
        inner = element[0]
        element.remove(inner)
        element.extend(list(inner))


def _joined(children: list[Element]) -> Iterator[Element]:
    """Children, runs of upright letters joined to a word, and the groups of a number to one number."""
    at = 0
    while at < len(children):
        end = at + 1
        if _upright(children[at]):
            while end < len(children) and _upright(children[end]):
                end += 1
            yield _token("mi", children[at:end], upright=end - at == 1)
        elif children[at].tag == f"{_TAG}mn":
            while end + 1 < len(children) and _comma(children[end]) and _group(children[end + 1]) and children[end - 1].tag not in _SCRIPTS:
                end += 2
            yield _number(children[at:end])
        else:
            yield children[at]
        at = end


def _number(parts: list[Element]) -> Element:
    """The groups of a number as one; what stands at the last group, such as an exponent, stands at the number."""
    number = _token("mn", [_base(part) for part in parts])
    if parts[-1].tag not in _SCRIPTS:
        return number
    parts[-1][0] = number
    return parts[-1]


def _spaced(children: list[Element]) -> Iterator[Element]:
    """Children, with the thin spaces around functions."""
    for at, child in enumerate(children):
        function = _base(child).text in _FUNCTIONS
        if function and at and (children[at - 1].tag in _FACTORS or children[at - 1].text in ("∂", ")")):
            yield Element(f"{_TAG}mspace", {"width": _THIN})
        yield child
        if function and at + 1 < len(children) and not "".join(children[at + 1].itertext()).startswith("("):
            yield Element(f"{_TAG}mspace", {"width": _THIN})


def _token(tag: str, parts: list[Element], *, upright: bool = False) -> Element:
    made = Element(f"{_TAG}{tag}", {"mathvariant": "normal"} if upright else {})
    made.text = "".join("".join(part.itertext()) for part in parts)
    return made


def _base(element: Element) -> Element:
    """What an index or an exponent stands at; an element without one is its own base."""
    return element[0] if element.tag in _SCRIPTS else element


def _upright(element: Element) -> bool:
    return element.tag == f"{_TAG}mi" and element.get("mathvariant") == "normal" and len(element.text or "") == 1


def _comma(element: Element) -> bool:
    return element.tag == f"{_TAG}mrow" and len(element) == 1 and element[0].text == ","


def _group(element: Element) -> bool:
    base = _base(element)
    return base.tag == f"{_TAG}mn" and re.fullmatch(r"\d{3}(\.\d+)?", base.text or "") is not None
