"""What an author's folder may hold: names of chapters, titles, settings, references; one line says what is amiss, and where."""

import pytest
from click.testing import CliRunner

from derive.cli import main


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Render a book of these files as Markdown; gives what is said, and what pages are made."""
    monkeypatch.chdir(tmp_path)

    def render(files, *options):
        for name, content in files.items():
            path = tmp_path / "book" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        result = CliRunner().invoke(main, ["book", "--templates", "book", "--out", "out", "--format", "md", *options])
        assert result.exit_code in (0, 2) and result.stderr.count("\n") <= 1
        return result.stderr, {path.name: path.read_text() for path in (tmp_path / "out").glob("en/*.md")}

    return render


A = {"en/01-a.md.j2": "# A\n\nSee << chapter('b') >>.\n"}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"_a.md.j2": "x"}, "book: no templates; they are named *.md.j2"),
        ({"en/_a.md.j2": "x"}, "book: no templates; they are named *.md.j2"),
        ({"en/book.md.j2": "# A\n"}, "en/book.md.j2: no chapter can be named 'book', as book.tex is a file of every book"),
        ({"en/Preamble.md.j2": "# A\n"}, "no chapter can be named 'Preamble'"),
        ({"en/my notes.md.j2": "# A\n"}, "en/my notes.md.j2: a chapter's name holds letters, digits, '-', '_' and '.', and does not begin"),
        ({"en/-a.md.j2": "# A\n"}, "en/-a.md.j2: a chapter's name"),
        ({"en/50%.md.j2": "# A\n"}, "en/50%.md.j2: a chapter's name"),
        ({**A, "en/02-b.md.j2": "# B\n", "en/03-b.md.j2": "# B\n"}, "en/01-a.md.j2, line 3: which chapter 'b' is: 02-b or 03-b?"),
        ({**A, "c.md.j2": "# C\n"}, "book: templates lie here and in en/; move these into the folder of their language"),
        ({"en/a.md.j2": b"# A\n\n\xff"}, "en/a.md.j2, line 3: not UTF-8"),
        ({"book.toml": "titel = 'A'", "en/a.md.j2": "# A\n"}, "book/book.toml: titel: no such key; there are title, author"),
        ({"book.toml": "title = 3", "en/a.md.j2": "# A\n"}, "book.toml: title: a text in quotes or a table by language is wanted, not 3"),
        ({"book.toml": "[title]\nde = 'A'", "en/a.md.j2": "# A\n"}, "book.toml: title.de: no such key; there are en, zh"),
        ({"book.toml": "author = ['A']", "en/a.md.j2": "# A\n"}, "book.toml: author: a text in quotes is wanted, not ['A']"),
    ],
)
def test_what_is_amiss(book, files, words):
    said, made = book(files)
    assert words in said and not made


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("x = 3", "[x] wants authors, year, title, and perhaps url and mark"),
        ("[x]\nauthors = 'A'\nyear = 2020", "[x] wants authors, year, title, and perhaps url and mark"),
        ("[x]\nauthors = 'A'\nyear = '2020'\ntitle = 'T'", "[x] year: a whole number is wanted, not '2020'"),
        ("[x]\nauthors = 'A'\nyear = true\ntitle = 'T'", "[x] year: a whole number is wanted, not True"),
        ("[x]\nauthors = 'A'\nyear = 20200\ntitle = 'T'", "[x] year: 20200 is no year"),
        ("[x]\nauthors = 'A'\nyear = 2020\ntitle = 'T'\nlink = 'U'", "[x] link: no such key; there are authors, year, title, url, mark"),
    ],
)
def test_a_reference_that_is_amiss(book, fields, words):
    said, made = book({"references.toml": fields, "en/a.md.j2": "# A\n"})
    assert f"book/references.toml: {words}" in said and not made


def test_several_languages_need_several_folders(book):
    said, _ = book({"a.md.j2": "# A\n"}, "--language", "en", "--language", "zh")
    assert "book: templates that lie here are of one language; name it, or make en and zh folders" in said


def test_a_chapter_that_leads_elsewhere_is_not_read(book, tmp_path):
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "book" / "en").mkdir(parents=True)
    (tmp_path / "book" / "en" / "b.md.j2").symlink_to(tmp_path / "secret")
    said, made = book({"en/a.md.j2": "# A\n"})
    assert "en/b.md.j2: this link leads out of the folder of templates" in said and not made


def test_letters_of_every_language_and_what_editors_leave(book):
    said, made = book({"en/01-层_é.2.md.j2": "# A\n", "en/.#01.md.j2": "# B\n", "en/01.md.j2~": "# C\n"})
    assert not said and "01-层_é.2.md" in made and len(made) == 2


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("```\n# code\n```\n\n# Title\n", "Title"),
        ("<#\n# remark\n#>\n# Title\n", "Title"),
        ("Title\n=====\n", "Title"),
        ("\ufeff# Title\n", "Title"),
        ("# First\n\n# Second\n", "First"),
        ("# <% if 1 %>Title<% endif %>\n", "02-b"),
    ],
)
def test_a_chapter_is_named_by_its_first_heading(book, text, title):
    _, made = book({**A, "en/02-b.md.j2": text})
    assert made["01-a.md"] == f"# A\n\nSee [{title}](02-b.md).\n"


PAPERS = """
[wu]
authors = "Wu"
year = 2020
title = "First"

[liu]
authors = "Liu and Wu"
year = 2020
title = "Second"

[linked]
authors = "Wu"
year = 2021
title = "Third"
url = "https://example.org/ä"
"""


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("<< cite('wu') >>", ["First"]),
        ("<< cite('liu') >>", ["Second"]),
        ("Wu 2020b, DeWu 2020, and Wu 2021", []),
        ("<< cite('linked') >>", ["Third"]),
        ("<< cite('wu') >> and << cite('liu') >>", ["Second", "First"]),
        ("Liu and\nWu 2020", ["Second"]),
    ],
)
def test_papers_that_are_cited_are_listed(book, text, listed):
    _, made = book({"references.toml": PAPERS, "en/a.md.j2": f"# A\n\n{text}\n"})
    lines = made.get("references.md", "").splitlines()[2:]
    assert [line.partition("*")[2].partition("*")[0] for line in lines] == listed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\n\n<b>c</b>\n", "line 5: a chapter may not hold HTML: <b>"),
        ("a $$y$$ b\n", "line 3: a displayed formula stands on lines of its own: $$, the formula, $$"),
        ("![a](https://example.org/a.png)\n", "line 3: a chapter may show only what figure() draws"),
        ("- # x\n", "line 3: a heading may not stand in a list or a quotation"),
        ("a\n\n[x](nowhere.md)\n", "line 5: a link leads to 'nowhere.md', which is not there"),
        ("## H\n\n<< chapter('a', 'No') >>\n", "under 'H': a link leads to 'a.md#no', which is not there"),
        ("## H\n\n<% include '_part.md' %>\n", "under 'H': a chapter may not hold HTML: <i>"),
    ],
)
def test_what_no_format_has_room_for(book, text, words):
    """Refused in every format, with the line of the template or, where that does not hold it, the heading above."""
    said, made = book({"en/a.md.j2": f"# A\n\n{text}", "en/_part.md": "<i>\n"})
    assert said.startswith("derive: en/a.md.j2, ") and words in said and not made


def test_pictures_of_a_pdf(book):
    said, _ = book({"en/a.md.j2": "# A\n\n<< figure('kv-cache') >>\n"}, "--format", "pdf", "--no-figures")
    assert "a PDF holds its pictures: leave out --no-figures" in said
