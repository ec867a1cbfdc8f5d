"""LaTeX of the book → MathML, which browsers show without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

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
"""Behind which a space stands, if no bracket does."""
_UNREAD = re.compile(r"\\[A-Za-z]+")


@lru_cache(maxsize=4096)
def mathml(latex: str, *, display: bool = False) -> str:
    """A `math` element; `ChapterError` for LaTeX that cannot be converted, or only in part."""
    try:
        from latex2mathml import exceptions
        from latex2mathml.converter import convert
    except ImportError:
        raise ChapterError("HTML needs latex2mathml, which is not installed: pip install 'derive[book]'") from None
    refused: tuple[type[Exception], ...] = tuple(
        kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)
    )
    given = latex
    for ours, theirs in _SUBSTITUTES:
        end = r"(?![A-Za-z])" if ours[-1].isalpha() else ""
        given = re.sub(re.escape(ours) + end, theirs.replace("\\", "\\\\"), given)
    try:
        made = ElementTree.fromstring(convert(given, display="block" if display else "inline").replace("<mi>&</mi>", "<mi>\\amp</mi>"))
    except refused as error:
        raise ChapterError(f"the formula '{latex}' cannot be shown in HTML: {type(error).__name__}") from None
    for unread in (leaf.text for leaf in made.iter() if leaf.text and _UNREAD.fullmatch(leaf.text)):
        raise ChapterError(f"the formula '{latex}' cannot be shown in HTML: {unread} is not known")
    _tidy(made)
    ElementTree.register_namespace("", NAMESPACE)
    return ElementTree.tostring(made, encoding="unicode").replace(f' xmlns="{NAMESPACE}"', "")


def _tidy(element: Element) -> None:
    """The same mathematics in fewer and truer elements: upright words and grouped numbers are one token each."""
    for child in element:
        _tidy(child)
    children = list(_joined(list(element)))
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
            while end + 1 < len(children) and _comma(children[end]) and _group(children[end + 1]):
                end += 2
            yield _token("mn", children[at:end])
        else:
            yield children[at]
            if children[at].text in _FUNCTIONS and end < len(children) and children[end].text != "(":
                yield Element(f"{_TAG}mspace", {"width": "0.167em"})
        at = end


def _token(tag: str, parts: list[Element], *, upright: bool = False) -> Element:
    made = Element(f"{_TAG}{tag}", {"mathvariant": "normal"} if upright else {})
    made.text = "".join("".join(part.itertext()) for part in parts)
    return made


def _upright(element: Element) -> bool:
    return element.tag == f"{_TAG}mi" and element.get("mathvariant") == "normal" and len(element.text or "") == 1


def _comma(element: Element) -> bool:
    return element.tag == f"{_TAG}mrow" and len(element) == 1 and element[0].text == ","


def _group(element: Element) -> bool:
    return element.tag == f"{_TAG}mn" and re.fullmatch(r"\d{3}(\.\d+)?", element.text or "") is not None
