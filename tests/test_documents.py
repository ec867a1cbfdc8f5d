"""Documents: what each format's reader finds, where it stands, and that hostile files have an answer."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from derive.documents.document import Block, Document, Piece
from derive.documents.reading import FORMATS, document_of, read_document, read_documents
from derive.errors import DocumentError

LETTER = {"words": "", "math": "$", "code": "`"}


def shown(pieces: tuple[Piece, ...]) -> str:
    """Pieces on one line: formulas between dollars, code between ticks."""
    return "".join(f"{LETTER[piece.kind]}{piece.text}{LETTER[piece.kind]}" for piece in pieces)


def outline(document: Document) -> list[str]:
    """Each block as `kind: text`; a table as its cells."""
    found = []
    for block in document.blocks:
        if block.kind == "table":
            rows = " / ".join(" | ".join(shown(cell) for cell in row) for row in block.rows)
            found.append(f"table{'+' if block.header else ''}: {rows}")
        elif block.kind in ("display", "code"):
            name = f"code {block.language}".strip() if block.kind == "code" else "display"
            found.append(f"{name}: {block.pieces[0].text}")
        else:
            found.append(f"{block.kind}: {shown(block.pieces)}")
    return found


def pieces_of(block: Block) -> list[Piece]:
    return [*block.pieces, *(piece for row in block.rows for cell in row for piece in cell)]


def misplaced(document: Document) -> list[str]:
    """The characters that are not those of the source at their place, in order."""
    return [
        letter
        for block in document.blocks
        for piece in pieces_of(block)
        for letter, place in zip(piece.text, piece.offsets, strict=False)
        if document.source[place] != letter
    ]


MARKDOWN = [
    ("atx heading", "# The cost of $d$ {#sec}", ["heading: The cost of $d$"]),
    ("closed heading", "## Two ##", ["heading: Two"]),
    ("setext heading", "One\n===\nTwo\n---", ["heading: One", "heading: Two"]),
    ("chinese heading", "##参数量", ["heading: 参数量"]),
    ("soft break", "a\nb", ["text: a\nb"]),
    ("single dollars", "with $d^2$, $x$。", ["text: with $d^2$, $x$。"]),
    ("chinese around", "参数**量**为$12Ld^2$个", ["text: 参数量为$12Ld^2$个"]),
    ("prices", "costs $5 and $10, or $2M … $3M", ["text: costs $5 and $10, or $2M … $3M"]),
    ("a price, then mathematics", "for $5: $x=1$", ["text: for $5: $x=1$"]),
    ("escaped dollar", r"\$5 and $x$", ["text: $5 and $x$"]),
    ("unclosed dollar", "a $x\n\nb $y$", ["text: a $x", "text: b $y$"]),
    ("shell variables", "`$HOME` and `$PATH`", ["text: `$HOME` and `$PATH`"]),
    ("ticked mathematics", "$`a`$ and `b`", ["text: $a$ and `b`"]),
    ("spaces inside", "let $ x_1 $ be", ["text: let $x_1$ be"]),
    ("display", "so\n$$\na = b\n- c\n$$\nend", ["text: so", "display: a = b\n- c", "text: end"]),
    ("display with blank line", "$$\na\n\nb\n$$", ["display: a\n\nb"]),
    ("display on one line", "$$a = b$$", ["display: a = b"]),
    ("several in a row", "$$a$$$$b$$", ["display: a", "display: b"]),
    ("in a sentence", "so $$a$$ holds", ["text: so $a$ holds"]),
    ("label behind", "$$\na\n$$ {#eq-a}", ["display: a"]),
    ("full stop behind", "$$a = b$$.", ["display: a = b"]),
    ("opened in a sentence", "so $$\na\n$$\nend", ["text: so", "display: a", "text: end"]),
    ("in an item", "- one\n  $$\n  a\n  $$\n- two", ["item: one", "display: a", "item: two"]),
    ("in an item, not indented inside", "1. one\n   $$\na\n   $$", ["item: one", "display: a"]),
    ("in a quote", "> so\n>\n> $$\n> a = b\n> + c\n> $$", ["text: so", "display: a = b\n+ c"]),
    ("round brackets", r"let \(x_i\) and \\(y\_i\\)", ["text: let $x_i$ and $y_i$"]),
    ("square brackets", "\\[\na\n\\]\n\n\\\\[ b \\\\\\\\ c \\\\]", ["display: a", "display: b \\\\ c"]),
    ("escaped brackets", r"see \[1\] \(see below\)", ["text: see [1] (see below)"]),
    ("math fence", "```math\n\\alpha\n```", [r"display: \alpha"]),
    ("myst directive", "```{math}\n:label: q\na\n```", ["display: a"]),
    ("myst role", "is {math}`x^2` here", ["text: is $x^2$ here"]),
    ("bare equation", "\\begin{equation}\na\n\\end{equation}", ["display: a"]),
    ("bare align", "\\begin{align}\na &= b \\label{q}\n\\end{align}", [r"display: \begin{aligned}a &= b\end{aligned}"]),
    ("align in dollars", "$$\\begin{align*}a\\end{align*}$$", [r"display: \begin{aligned}a\end{aligned}"]),
    ("aligned", "\\begin{aligned}\na\n\\end{aligned}", ["display: \\begin{aligned}\na\n\\end{aligned}"]),
    ("hugo", "{{< math >}}\n$$\na\n$$\n{{< /math >}}", ["display: a"]),
    ("hugo katex", "so {{< katex >}}\\pi{{< /katex >}} is", [r"text: so $\pi$ is"]),
    ("liquid", "{% raw %}$x${% endraw %}", ["text: $x$"]),
    ("liquid within", "$$a{% raw %}{{b}}{% endraw %}$$", ["display: a{{b}}"]),
    ("front matter", "---\ntitle: $x$\n---\na", ["text: a"]),
    ("toml front matter", "+++\na = 1\n+++\na", ["text: a"]),
    ("comment", "a <!-- $x$ --> b\n\n<!--\n\nc\n\n-->\n\nd", ["text: a  b", "text: d"]),
    ("tags", "<p>d<sub>kv</sub> is d<sup>2</sup><br/>a</p>", ["text: d_{kv} is d^{2}\na"]),
    ("less than", "if a < b and c > d or a<b and c>d", ["text: if a < b and c > d or a<b and c>d"]),
    ("details", "<details><summary>More</summary>\n\n$x$\n\n</details>", ["text: More", "text: $x$"]),
    ("html list", "<ul><li>a</li><li>$b$</li></ul>", ["item: a", "item: $b$"]),
    ("html code", "<code>d_model</code>", ["text: `d_model`"]),
    ("script", "<script>\nvar a = $b$\n</script>\nc", ["text: c"]),
    ("link", "[the $x$ of](http://a_b_c/$y$) it", ["text: the $x$ of it"]),
    ("reference link", "[text][r] and A[i][j]\n\n[r]: http://x", ["text: text and A[i][j]"]),
    ("image", "a ![alt $x$](u.png) b", ["text: a  b"]),
    ("footnote", "a[^1]\n\n[^1]: b $x$", ["text: a", "text: b $x$"]),
    ("emphasis", "*a* **b** ***c*** _d_ __e__ ~~f~~", ["text: a b c d e f"]),
    ("products", "12 * d * d, n_layers*d_model, 2*d*d, 2**10, (a)*(b)*(c)", ["text: 12 * d * d, n_layers*d_model, 2*d*d, 2**10, (a)*(b)*(c)"]),
    ("bold mathematics", "**$x$** and **P = 12 * d**", ["text: $x$ and P = 12 * d"]),
    ("escapes", r"\*a\* d\_model", ["text: *a* d_model"]),
    ("escapes stay in mathematics", r"$d\_x$", [r"text: $d\_x$"]),
    ("entities", "12 &times; d &approx; 3 &lt; $a &lt; b$ &unknown;", ["text: 12 × d ≈ 3 < $a < b$ &unknown;"]),
    ("code", "`a` ``b ` c`` `d", ["text: `a` `b ` c` `d"]),
    ("fence", "```python title=x\n<!-- a -->\n\n$x$\n```", ["code python: <!-- a -->\n\n$x$"]),
    ("quarto fence", "```{python}\n#| a: b\nx\n```", ["code python: #| a: b\nx"]),
    ("unclosed fence", "~~~\na\n# b", ["code: a\n# b"]),
    ("indented", "a\n\n    b\n\n    c\n\nd", ["text: a", "code: b\n\nc", "text: d"]),
    ("items", "- a\n  - b\n    1. c\n* d\n+ e", ["item: a", "item: b", "item: c", "item: d", "item: e"]),
    ("item with paragraphs", "- a\n\n  b\n\nc", ["item: a", "text: b", "text: c"]),
    ("lazy item", "- a\nb", ["item: a\nb"]),
    ("tasks", "- [ ] a\n- [x] b", ["item: a", "item: b"]),
    ("fence in an item", "1. a\n   ```py\n   x\n     y\n   ```\n2. b", ["item: a", "code py: x\n  y", "item: b"]),
    ("table", "| a | b |\n|---|--:|\n| $x\\|y$ | `c` |\n| 1 |", ["table+: a | b / $x|y$ | `c` / 1"]),
    ("table without outer bars", "a | b\n--|--\n1 | 2\n\nc", ["table+: a | b / 1 | 2", "text: c"]),
    ("bars in mathematics", "|a|b|\n|-|-|\n|$|x|$|1|", ["table+: a | b / $|x|$ | 1"]),
    ("html table", "<table>\n<tr><th>a</th></tr>\n\n<tr><td>$x$</td></tr></table>", ["table+: a / $x$"]),
    ("admonition", '!!! note "Title"\n    a\n\n    $$\n    b\n    $$\nc', ["text: Title", "text: a", "display: b", "text: c"]),
    ("div", "::: {.callout-note}\na\n:::", ["text: a"]),
    ("directive", "```{note}\n$x$\n```", ["text: $x$"]),
    ("alert", "> [!NOTE]\n> a", ["text: a"]),
    ("macro", "$\\newcommand{\\dm}{d_{m}}$\n\nso $\\dm^2$", ["text: so $d_{m}^2$"]),
    ("crlf", "a\r\nb\r\n\r\n$$\r\nc\r\n$$\r\n", ["text: a\nb", "display: c"]),
    ("nul", "a\x00b $x\x00y$", ["text: ab $xy$"]),
    ("byte order mark", "\ufeff---\na: b\n---\nc", ["text: c"]),
    ("nothing", "", []),
]  # fmt: skip

LATEX = [
    ("words", r"A \emph{word}, 50\%, d\_x~is \textbf{b \textit{c}} -- \$5", ["text: A word, 50%, d_x is b c -- $5"]),
    ("left out", r"a~\cite[p.~3]{x}\label{y} \ref{z}b \textcolor{red}{c} \href{u}{d}", ["text: a  b c d"]),
    ("paragraphs", "a\nb\n\nc", ["text: a\nb", "text: c"]),
    ("mathematics", r"$a$ \(b\) $$c$$ \[d\]", ["text: $a$ $b$", "display: c", "display: d"]),
    ("unclosed", "a $x\n\n$y$", ["text: a $x", "text: $y$"]),
    ("equation", "\\begin{equation}\\label{q}\na\n\\end{equation}", ["display: a"]),
    ("align", "\\begin{align*}\na &= b \\\\ % c\n&= d \\nonumber\\end{align*}", ["display: \\begin{aligned}a &= b \\\\ \n&= d\\end{aligned}"]),
    ("alignat", r"\begin{alignat}{2}a&=b\end{alignat}", [r"display: \begin{aligned}a&=b\end{aligned}"]),
    ("inner", r"\begin{equation}\begin{split}a\end{split}\end{equation}", [r"display: \begin{split}a\end{split}"]),
    ("preamble", "\\title{x}\n\\begin{document}\na\n\\end{document}\nb", ["text: a"]),
    ("section", r"\section*{A $x$}\subsection[s]{B}", ["heading: A $x$", "heading: B"]),
    ("items", "\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}\nc", ["item: a", "item: b", "text: c"]),
    ("comment", "a % $x$\n% b\nc", ["text: a \nc"]),
    ("percent", r"50\% and \\% c", ["text: 50% and"]),
    ("listing", "\\begin{lstlisting}[language=Python]\nx % $y$\n\\end{lstlisting}", ["code python: x % $y$"]),
    ("minted", "\\begin{minted}{c}\nx\n\\end{minted}", ["code c: x"]),
    ("verb", r"\verb|$a%| and \texttt{n\_x} \lstinline!b!", ["text: `$a%` and `n_x` `b`"]),
    ("table", "\\begin{tabular}{l|r}\\hline a & $b$ \\\\[2pt]\nc \\& d & \\multicolumn{1}{c}{1} \\\\ \\end{tabular}", ["table+: a | $b$ / c & d | 1"]),
    ("footnote", r"a\footnote{b $x$.}", ["text: a b $x$."]),
    ("macro", r"\newcommand{\dm}{d_{m}}\newcommand*{\s}[2][2]{#2^{#1}} $\s{\dm} + \s[3]{n}$", ["text: $d_{m}^{2} + n^{3}$"]),
    ("def, let and operators", r"\def\f#1{(#1)}\let\g\f\DeclareMathOperator{\op}{op} $\g{x}\op y$", [r"text: $(x)\operatorname{op} y$"]),
    ("redefined", r"$\a$ \newcommand{\a}{1}$\a$ \renewcommand{\a}{2}$\a$", [r"text: $\a$ $1$ $2$"]),
    ("provided", r"\newcommand{\a}{1}\providecommand{\a}{2}$\a$", ["text: $1$"]),
    ("the old meaning", r"\let\old\vec\renewcommand{\vec}[1]{\old{\mathbf{#1}}}$\vec x$", [r"text: $\vec{\mathbf{x}}$"]),
    ("macro in words", r"\newcommand{\us}{our $m$}\us{} is", ["text: our $m$ is"]),
    ("recursive macro", r"\def\a{\a\a}$\a$", [r"text: $\a$"]),
    ("siunitx", r"\num{38597376}, $\num{1e9}$, $\SI{80}{\giga\byte}$", [r"text: 38597376, $1\times 10^{9}$, $80\,\text{GB}$"]),
]  # fmt: skip

RST = [
    ("section", "=====\nTitle\n=====\n\nSub\n---\na", ["heading: Title", "heading: Sub", "text: a"]),
    ("roles", "a :math:`d_{m}^2` ``b `` and ``c`` d\\ :sub:`kv` `e <http://f>`_ :ref:`g <h>`", ["text: a $d_{m}^2$ ``b `` and `c` d_{kv} e g"]),
    ("no dollars", "a $x$", ["text: a $x$"]),
    ("emphasis", "*a* **b** n_layers*d_model 2 * d \\*", ["text: a b n_layers*d_model 2 * d *"]),
    ("math directive", ".. math::\n   :label: q\n\n   a &= b \\\\\n   c\n\n   d\n\ne", ["display: a &= b \\\\\nc", "display: d", "text: e"]),
    ("math argument", ".. math:: a = b", ["display: a = b"]),
    ("literal", "so::\n\n    a\n\n      b\n\nc", ["text: so:", "code: a\n\n  b", "text: c"]),
    ("code", ".. code-block:: python\n   :linenos:\n\n   x = 1", ["code python: x = 1"]),
    ("items", "- a\n  b\n\n  - c\n- d\n\n1. e\n#. f", ["item: a\nb", "item: c", "item: d", "item: e", "item: f"]),
    ("comment", "a\n\n.. b\n   c\n\n.. _target:\n\nd", ["text: a", "text: d"]),
    ("note", ".. note:: a\n   b :math:`x`", ["text: a\nb $x$"]),
    ("simple table", "==== ====\na    b\n==== ====\n1    :math:`x`\n==== ====", ["table+: a | b / 1 | $x$"]),
    ("grid table", "+---+----+\n| a | b  |\n+===+====+\n| 1 | 2  |\n|   | 3  |\n+---+----+", ["table+: a | b / 1 | 2\n3"]),
    ("directive in an item", "1. a\n\n   .. math:: x", ["item: a", "display: x"]),
]  # fmt: skip

PLAIN = [
    ("paragraphs", "P = 12Ld^2\n  = 3\n\nb_c * d", ["text: P = 12Ld^2\n  = 3", "text: b_c * d"]),
    ("bullets", "so\n- a\n• b\n1) c", ["text: so", "item: a", "item: b", "item: c"]),
    ("headings", "# a\nb\n\nTitle\n=====\nc", ["heading: a", "text: b", "heading: Title", "text: c"]),
    ("mathematics", "cost $5 and $6, $x$ \\(y\\)\n$$\nz\n$$", ["text: cost $5 and $6, $x$ $y$", "display: z"]),
    ("bars", "| a | b |\n|---|---|\n| 1 | $2$ |", ["table+: a | b / 1 | $2$"]),
    ("drawn", "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+", ["table+: a | b / 1 | 2"]),
    ("columns", "model  P     d\nGPT-2  124M  768", ["table: model | P | d / GPT-2 | 124M | 768"]),
    ("tabs", "a\tb\nc\td", ["table: a | b / c | d"]),
    ("absolute value", "|x| = 3 and so on", ["text: |x| = 3 and so on"]),
]  # fmt: skip

CASES = [
    pytest.param(suffix, text, expected, id=f"{suffix}: {title}")
    for suffix, cases in (("md", MARKDOWN), ("tex", LATEX), ("rst", RST), ("txt", PLAIN))
    for title, text, expected in cases
]


@pytest.mark.parametrize("suffix, text, expected", CASES)
def test_what_is_read(suffix: str, text: str, expected: list[str]) -> None:
    assert outline(document_of(text, format=suffix)) == expected


PUT_IN = ("\\", "&", "<", "#", "~", "newcommand", "def", "\\num", ":sub:", "align", "+", "footnote")
"""What makes characters stand at another's place: escapes, entities, tags, macros, added environments, stacked cells."""


@pytest.mark.parametrize("suffix, text, expected", CASES)
def test_every_character_has_its_place(suffix: str, text: str, expected: list[str]) -> None:
    document = document_of(text, format=suffix)
    for block in document.blocks:
        for piece in pieces_of(block):
            assert len(piece.offsets) == len(piece.text) + 1
            assert list(piece.offsets) == sorted(piece.offsets)
            assert all(0 <= place <= len(text) for place in piece.offsets)
    if not any(mark in text for mark in PUT_IN):
        assert misplaced(document) == []


@pytest.mark.parametrize(
    "suffix, text",
    [
        ("md", "# a\r\n\r\n> - b\r\n>   $$\r\n>   x\r\n>   y @ z\r\n>   $$\r\n"),
        ("tex", "\\section{a}\n% b\n\\begin{align}\n  x &= y @ z\n\\end{align}\n"),
        ("rst", "a\n=\n\n.. math::\n\n   x\n   y @ z\n"),
        ("txt", "a\n\n- b\n\n\n$$y @ z$$\n"),
        ("ipynb", '{"cells": [{"cell_type": "markdown", "source":\n ["\\u2248 \\"a\\"\\n",\n "\\\\(\\\\alpha @ z\\\\)"]}]}'),
    ],
)
def test_the_place_in_every_format(suffix: str, text: str) -> None:
    document = document_of(text, format=suffix)
    piece = next(piece for block in document.blocks for piece in pieces_of(block) if "@" in piece.text)
    line, column = document.place(piece.offsets[piece.text.index("@")])
    assert document.line(line)[column - 1] == "@"


def test_characters_of_a_macro_stand_at_its_call() -> None:
    document = document_of(r"\newcommand{\dm}{d_{m}}$2\dm+1$", format="tex")
    piece = document.blocks[0].pieces[0]
    assert piece.text == "2d_{m}+1"
    call = document.source.rindex(r"\dm")
    assert list(piece.offsets) == [call - 1, *[call] * 5, call + 3, call + 4, call + 5]


def test_comments() -> None:
    assert [comment.text for comment in document_of("a <!-- b --> `<!-- c -->`").comments] == ["b"]
    assert [comment.text for comment in document_of("a % b\n\\verb|%| \\% %% c", format="tex").comments] == ["b", "c"]
    document = document_of("a\n\n  .. b\n     c", format="rst")
    assert [(comment.text, comment.offset) for comment in document.comments] == [("b\nc", 5)]


def notebook(*cells: object, **more: object) -> str:
    return json.dumps({"cells": list(cells), "nbformat": 4, **more}, indent=1)


def test_notebooks() -> None:
    text = notebook(
        {"cell_type": "markdown", "source": ["# A $x$\n", "\n", "$$\n\\alpha\n$$ <!-- 😀 -->"]},
        {
            "cell_type": "code",
            "source": "print('≈')",
            "outputs": [{"output_type": "stream", "text": ["1\n", "2"]}, {"data": {"text/plain": "3"}}],
        },
        {"cell_type": "raw", "source": "raw"},
    )
    document = document_of(text, format="ipynb")
    assert outline(document) == ["heading: A $x$", "display: \\alpha", "code python: print('≈')", "code output: 1\n2", "code output: 3"]
    assert document.comments[0].text == "😀"
    assert text[document.comments[0].offset :].startswith("<!--")


def test_the_notebooks_of_nbformat_3() -> None:
    cells = [{"cell_type": "markdown", "source": "a"}, {"cell_type": "code", "input": "b", "outputs": [{"text": "c"}]}]
    text = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]})
    assert outline(document_of(text, format="ipynb")) == ["text: a", "code python: b", "code output: c"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "line 1, column 1"),
        ("[1]", "no object"),
        ("{}", "no list of cells"),
        ('{"cells": 3}', "no list of cells"),
        ('{"cells": [3]}', "cell 1 is no object"),
        ('{"cells": [{"cell_type": "markdown", "source": {"a": 1}}]}', "neither a string nor a list"),
        ('{"cells": [{"cell_type": "markdown", "source": ["a", 1]}]}', "neither a string nor a list"),
        ('{"cells": []} x', "something follows"),
        ('{"cells": ["\\x"]}', "an escape"),
        ('{\n"cells": ["a', "does not end (line 2, column 11)"),
        ("[" * 100_000, "nested deeper"),
        ('{"a":' * 100_000, "nested deeper"),
    ],
)
def test_what_is_no_notebook(text: str, message: str) -> None:
    with pytest.raises(DocumentError) as error:
        document_of(text, "n.ipynb", "ipynb")
    assert message in str(error.value) and "n.ipynb" in str(error.value)


def test_files_are_read_by_suffix(tmp_path: Path) -> None:
    for name, kind in (("a.md", "heading"), ("a.QMD", "heading"), ("a.txt", "heading"), ("a.unknown", "heading"), ("a.rst", "text")):
        path = tmp_path / name
        path.write_bytes(b"\xef\xbb\xbf# b\r\n")
        assert [block.kind for block in read_document(path).blocks] == [kind]
    (tmp_path / "b.md").write_text("参数 $x$", encoding="utf-16")
    assert outline(read_document(tmp_path / "b.md")) == ["text: 参数 $x$"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    with pytest.raises(DocumentError, match="no such file"):
        read_document(path)
    with pytest.raises(DocumentError, match="a folder"):
        read_document(tmp_path)
    path.write_bytes("ab 参数".encode("gbk"))
    with pytest.raises(DocumentError, match=r"a\.md.*at byte 3"):
        read_document(path)
    path.write_bytes(b"\xff\xfea")
    with pytest.raises(DocumentError, match="UTF-16"):
        read_document(path)
    path.write_bytes(b"a" * 16_000_001)
    with pytest.raises(DocumentError, match="larger than 16 MB"):
        read_document(path)
    with pytest.raises(DocumentError, match="no format 'doc'"):
        document_of("a", format="doc")


def test_latex_files_include_others(tmp_path: Path) -> None:
    root = tmp_path / "paper"
    (root / "parts").mkdir(parents=True)
    (tmp_path / "secret.tex").write_text("secret")
    (root / "link.tex").symlink_to(tmp_path / "secret.tex")
    (root / "macros.tex").write_text(r"\newcommand{\dm}{d}")
    (root / "parts" / "one.tex").write_text("$\\dm\\q$ \\input{main} \\input{parts/one}")
    main = root / "main.tex"
    outside = rf"\input{{../secret}} \input{{{tmp_path / 'secret.tex'}}} \input{{link}} \input{{missing}} \input{{.}} \input{{..}}"
    main.write_text(rf"\input{{macros}}\newcommand{{\q}}{{Q}}\begin{{document}}$\dm$ \include{{parts/one}} {outside}\end{{document}}")
    found = read_documents(main)
    assert [Path(document.name).name for document in found] == ["main.tex", "macros.tex", "one.tex"]
    assert [outline(document) for document in found] == [["text: $d$"], [], ["text: $dQ$"]]
    assert [document.name for document in read_documents(main)] == [
        str(path) for path in (main, root / "macros.tex", root / "parts" / "one.tex")
    ]


HOSTILE = [
    "$", "$a ", "$$", "$$a ", "[", "![", "](", "[a](", "`", "`` ` ", "<", "<a ", '<a b="', "<!--", "**a ", "*a_ ", "\\(", "\\[\n", "\\begin{align}\n",
    "{", "{{<", "{%a ", "&#", "\\", "|a", "> ", ">\n", "- ", "- a\n", "  - a\n", "# ", "```\n", "$$\n", "\\[a\n", "!!! a\n", "[a]: b\n", "<table>\n", "<pre>\n",
    "<script>\n", "\x00", "\r", "\\verb|", "%\n", "\\section{", "\\newcommand{\\a}{", "\\def\\a{\\a\\a}\\a ", "$\\def\\a{\\a\\a}\\a$ ", "\\item", "\\begin{tabular}",
    ":math:`", "``a ", ".. a::\n  ", "::\n\n ", "+--+\n", "=== ===\n", "---\n", "a  b\n", "a|b\n", "😀$", "\ud800", "| a $|b$ |\n|--|--|\n",
]  # fmt: skip


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_texts_have_an_answer(suffix: str, unit: str) -> None:
    started = time.perf_counter()
    try:
        document_of(unit * 3000, format=suffix)
    except DocumentError:
        assert suffix == "ipynb"
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("unit", ["a", "$a ", "\\frac{", "|"])
def test_long_lines_have_an_answer(suffix: str, unit: str) -> None:
    text = unit * (2_000_000 // len(unit))
    started = time.perf_counter()
    try:
        document_of(text, format=suffix)
    except DocumentError:
        assert suffix == "ipynb"
    assert time.perf_counter() - started < 20
