"""The same small document in every format: the same verdicts, and places that point into the file as it stands."""

import json

import pytest

from derive.checker.checking import check_text

EQUATIONS = (
    (r"50257 \times 768 = 38{,}597{,}376", "50257 × 768 = 38,597,376", "exact"),
    (r"4 \times 4096^2 = 67{,}149{,}312", "4 × 4096² = 67,149,312", "wrong"),
    (r"4d^2 + 8d^2 = 12d^2", "4d² + 8d² = 12d²", "exact"),
    (r"12Ld^2 = 13Ld^2", "12Ld² = 13Ld²", "wrong"),
    (r"4d^2 + 4d \approx 4d^2", "4d² + 4d ≈ 4d²", "approximation"),
    (r"12 \times 768^2 = 7.08\text{M}", "12 × 768² = 7.08M", "rounded"),
)
WORDS = "Number {} on the list says"


def in_sentences(pattern):
    return [f"{WORDS.format('abcdef'[at])} {pattern.format(latex)} here." for at, (latex, _, _) in enumerate(EQUATIONS)]


def displayed(before, after):
    return [f"{WORDS.format('abcdef'[at])}\n\n{before}{latex}{after}\n" for at, (latex, _, _) in enumerate(EQUATIONS)]


def markdown():
    return "# Sizes\n\n" + "\n\n".join(in_sentences("${}$")) + "\n"


def notebook():
    lines = markdown().splitlines(keepends=True)
    cells = [
        {"cell_type": "code", "source": ["x = 1\n", "print(x)"], "outputs": [{"text": ["1 + 1 = 3"]}], "metadata": {}},
        {"cell_type": "markdown", "source": lines, "metadata": {"tags": ["1 + 1 = 3"]}},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False)


def tex(lines):
    return "\\documentclass{article}\n\\begin{document}\n" + "\n\n".join(lines) + "\n\\end{document}\n"


DOCUMENTS = {
    "Markdown": ("md", markdown()),
    "Markdown, displayed": ("md", "\n".join(displayed("$$\n", "\n$$"))),
    "Markdown, lines that end as on Windows": ("md", markdown().replace("\n", "\r\n")),
    "Markdown, indented in a list": ("md", "\n".join("- " + line for line in in_sentences("${}$"))),
    "Markdown, quoted": ("md", "\n>\n".join("> " + line for line in in_sentences("${}$"))),
    "Markdown, behind other letters": ("md", "\n\n".join("参数量，😀 " + line for line in in_sentences("${}$"))),
    "LaTeX": ("tex", tex(in_sentences("${}$"))),
    "LaTeX, brackets": ("tex", tex(in_sentences(r"\({}\)"))),
    "LaTeX, environments": ("tex", tex(displayed("\\begin{equation*}\n  ", "\n\\end{equation*}"))),
    "a notebook": ("ipynb", notebook()),
    "reStructuredText": ("rst", "Sizes\n=====\n\n" + "\n\n".join(in_sentences(":math:`{}`")) + "\n"),
    "reStructuredText, displayed": ("rst", "Sizes\n=====\n\n" + "\n".join(displayed(".. math::\n\n   ", "\n"))),
    "plain text": ("txt", "\n\n".join(f"{WORDS.format('abcdef'[at])} {plain} here." for at, (_, plain, _) in enumerate(EQUATIONS)) + "\n"),
}


@pytest.fixture(params=DOCUMENTS, ids=str)
def document(request):
    return DOCUMENTS[request.param]


def test_the_verdicts_are_the_same(document):
    kind, text = document
    assert [finding.verdict for finding in check_text(text, kind).findings] == [verdict for *_, verdict in EQUATIONS]


def test_places_point_into_the_file(document):
    kind, text = document
    lines = text.split("\n")
    findings = check_text(text, kind).findings
    assert findings
    for finding, (latex, _, _) in zip(findings, EQUATIONS, strict=True):
        assert lines[finding.line - 1][finding.column - 1 :].startswith(latex[:2])
        assert finding.end_line >= finding.line


def test_macros_stand_where_they_are_called():
    text = tex(
        [
            r"\newcommand{\dm}{d_{\text{model}}}",
            r"\def\half{\frac12}",
            r"So $4\dm^2 + 8\dm^2 = 13\dm^2$.",
            r"And $\half \dm + \half \dm = \dm$.",
        ]
    )
    wrong, right = check_text(text, "tex").findings
    assert (wrong.verdict, right.verdict) == ("wrong", "exact")
    assert text.split("\n")[wrong.line - 1][wrong.column - 1 :].startswith(r"4\dm^2")


def test_code_of_a_notebook_is_not_prose():
    assert not [finding for finding in check_text(notebook(), "ipynb").findings if "1 + 1" in finding.text]
