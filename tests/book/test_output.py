"""The output folder is the user's: what derive did not write there stays, and what it wrote goes when the book no longer has it."""

import json
import shutil
from hashlib import sha256

import pytest
from click.testing import CliRunner

from derive.book.output.written import File, write_all
from derive.cli import main
from derive.errors import ChapterError


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Render a book whose English chapters are given by name; `None` is one that it no longer has."""
    monkeypatch.chdir(tmp_path)

    def render(chapters, *options, formats=("md",)):
        folder = tmp_path / "book" / "en"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in chapters.items():
            path = folder / f"{name}.md.j2"
            path.write_text(text) if text else path.unlink()
        chosen = [word for each in formats for word in ("--format", each)]
        return CliRunner().invoke(main, ["book", "--templates", "book", "--out", "out", *chosen, *options])

    return render


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


ONE, TWO = {"01-one": "# One\n"}, {"02-two": "# Two\n"}
REFUSED = "there already, and not on the list of what derive wrote; remove it, or name another --out"


class TestOthers:
    def test_a_page_of_somebody_is_not_overwritten(self, book, out):
        (out / "en").mkdir(parents=True)
        (out / "en" / "index.md").write_text("by hand")
        result = book(ONE)
        assert result.exit_code == 2 and result.stderr == f"derive: out/en/index.md: {REFUSED}\n"
        assert [path.name for path in (out / "en").iterdir()] == ["index.md"] and (out / "en" / "index.md").read_text() == "by hand"

    def test_nor_a_note_beside_chapters_that_derive_wrote(self, book, out):
        book(ONE)
        (out / "en" / "02-two.md").write_text("by hand")
        result = book(TWO)
        assert result.exit_code == 2 and f"out/en/02-two.md: {REFUSED}" in result.stderr
        assert (out / "en" / "02-two.md").read_text() == "by hand"

    @pytest.mark.parametrize("formats", [("md",), ("md", "tex")])
    def test_a_clone_without_the_list_can_be_rendered(self, book, out, formats):
        """One chapter is as it is to be, or a file of LaTeX says whose it is; then every file there is derive's."""
        book(ONE | TWO, formats=formats)
        shutil.rmtree(out / ".derive-cache")
        assert book({"01-one": "# New\n"}, formats=formats).exit_code == 0
        assert (out / "en" / "01-one.md").read_text() == "# New\n"
        assert book({"02-two": "# New\n"}, "02-two", formats=formats).exit_code == 0

    def test_one_chapter_of_a_clone(self, book, out):
        book(ONE | TWO, formats=("md", "tex"))
        shutil.rmtree(out / ".derive-cache")
        for name in ("01-one", "02-two"):
            assert book({name: "# New\n"}, name, formats=("md",)).exit_code == 0

    def test_what_derive_wrote_is_written_again(self, book, out):
        book(ONE)
        (out / "en" / "01-one.md").write_text("spoiled")
        assert book({"01-one": "# New\n"}).exit_code == 0 and (out / "en" / "01-one.md").read_text() == "# New\n"

    def test_no_name_of_a_folder(self, book):
        result = book(ONE, "--out", "")
        assert result.exit_code == 2 and "'--out': it is empty" in result.stderr


class TestLeftovers:
    def test_a_renamed_chapter_leaves_nothing(self, book, out):
        book(ONE | TWO, formats=("md", "tex", "html"))
        result = book({"02-two": None, "03-two": "# Two\n"}, formats=("md", "tex", "html"))
        assert sorted(line for line in result.output.splitlines() if "02-two" in line) == [
            "removed out/en/02-two.md", "removed out/en/02-two.tex", "removed out/en/body/02-two.tex", "removed out/html/en/02-two.html",
        ]  # fmt: skip
        assert not list(out.rglob("02-two.*"))

    def test_other_formats_languages_and_chapters_stay(self, book, out):
        book(ONE | TWO, formats=("md", "tex"))
        assert "removed" not in book({}, "01-one").output
        assert book({"02-two": None}).output.count("removed") == 1
        assert (out / "en" / "body" / "02-two.tex").exists()

    def test_pictures_stay_where_none_are_drawn(self, book, out):
        book({"01-one": "# One\n\n<< figure('kv-cache') >>\n"})
        assert "removed" not in book({}, "--no-figures").output
        assert "removed out/en/figures/kv-cache.svg" in book(ONE).output

    def test_what_somebody_changed_stays(self, book, out):
        book(ONE | TWO)
        (out / "en" / "02-two.md").write_text("mine now")
        assert "removed" not in book({"02-two": None}).output
        assert (out / "en" / "02-two.md").read_text() == "mine now"

    def test_a_list_that_points_elsewhere_removes_nothing(self, book, out, tmp_path):
        book(ONE)
        precious = tmp_path / "precious.md"
        precious.write_text("precious")
        path = out / ".derive-cache" / "written.json"
        entry = [sha256(b"precious").hexdigest(), str(tmp_path / "book")]
        path.write_text(json.dumps({"en/../../precious.md": entry, str(precious): entry, "html": entry}))
        assert book(TWO).exit_code == 0 and precious.read_text() == "precious"

    def test_another_book_in_the_same_folder_stays(self, book, out, tmp_path):
        book(ONE)
        shutil.copytree(tmp_path / "book", tmp_path / "other")
        (tmp_path / "other" / "en" / "01-one.md.j2").rename(tmp_path / "other" / "en" / "02-two.md.j2")
        for _ in range(2):
            result = book({}, "--templates", "other")
            assert "out/en/02-two.md" in result.output and "removed" not in result.output and (out / "en" / "01-one.md").exists()

    @pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b'{"en/01-one.md": 3}', b'{"en/01-one.md": {}}'])
    def test_a_damaged_list_is_none(self, book, out, content):
        book(ONE)
        (out / ".derive-cache" / "written.json").write_bytes(content)
        assert book({}).exit_code == 0


class TestWriting:
    def test_a_failure_leaves_no_folders(self, tmp_path):
        (tmp_path / "there").mkdir()
        (tmp_path / "there" / "file").write_text("in the way")
        with pytest.raises(ChapterError, match=r"b\.md: cannot be written: .*there/file is no folder"):
            write_all(tmp_path, [File.of("new/inner/a.md", "a"), File.of("there/file/b.md", "b")])
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "there"]

    def test_a_folder_in_the_way(self, tmp_path):
        (tmp_path / "en" / "b.md").mkdir(parents=True)
        with pytest.raises(ChapterError, match="a folder is in the way"):
            write_all(tmp_path, [File.of("en/a.md", "a"), File.of("en/b.md", "b")])
        assert [path.name for path in (tmp_path / "en").iterdir()] == ["b.md"]


class TestFill:
    @pytest.fixture(autouse=True)
    def here(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize("output", ["plain.md", "./plain.md", "link.md"])
    def test_a_template_is_not_overwritten(self, tmp_path, output):
        (tmp_path / "plain.md").write_text("# << 1 + 1 >>\n")
        (tmp_path / "link.md").symlink_to("plain.md")
        result = CliRunner().invoke(main, ["fill", "plain.md", "-o", output])
        assert result.exit_code == 2 and "this is the template, which would be lost" in result.stderr
        assert (tmp_path / "plain.md").read_text() == "# << 1 + 1 >>\n"

    @pytest.mark.parametrize(("arguments", "words"), [((".",), "'.' is a directory"), (("a.md", "-o", ""), "it is empty")])
    def test_no_file(self, arguments, words):
        result = CliRunner().invoke(main, ["fill", *arguments])
        assert result.exit_code == 2 and words in result.stderr and result.stderr.count("\n") == 1
