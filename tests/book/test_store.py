"""What has been rendered is used again only where it would be rendered the same."""

import json
import os
import time
from pathlib import Path

import pytest

from derive.book.output import store
from derive.book.output.store import Store, changed, key_of
from derive.book.rendering import write_book
from derive.book.sandbox import jobs
from derive.errors import ChapterError


@pytest.fixture
def templates(tmp_path):
    """A book of two chapters."""
    folder = tmp_path / "templates" / "en"
    folder.mkdir(parents=True)
    (folder / "01-one.md.j2").write_text("# One\n\n<< counted('LLaMA-7B') >>\n")
    (folder / "02-two.md.j2").write_text("# Two\n\n<< chapter('one') >>\n")
    past = time.time() - 60
    for path in folder.iterdir():
        os.utime(path, (past, past))
    return folder.parent


@pytest.fixture
def made(monkeypatch):
    """The templates that are rendered, not found."""
    names = []
    true = jobs._answer
    monkeypatch.setattr(jobs, "_answer", lambda task: names.append(task.path.name) or true(task))
    return names


def rendered(templates, out):
    write_book(out, formats=("md",), templates=templates)
    return {path.name: path.read_text() for path in (out / "en").glob("*.md")}


def test_an_unchanged_chapter_is_not_rendered_again(templates, made, tmp_path):
    first = rendered(templates, tmp_path / "out")
    assert sorted(made) == ["01-one.md.j2", "02-two.md.j2"]
    made.clear()
    assert rendered(templates, tmp_path / "out") == first and made == []
    (templates / "en" / "01-one.md.j2").write_text("# One\n\nnew\n")
    assert "new" in rendered(templates, tmp_path / "out")["01-one.md"] and made == ["01-one.md.j2"]


def test_a_deleted_or_spoiled_output_is_written_again(templates, tmp_path):
    first = rendered(templates, tmp_path / "out")
    (tmp_path / "out" / "en" / "01-one.md").write_text("spoiled")
    (tmp_path / "out" / "en" / "02-two.md").unlink()
    assert rendered(templates, tmp_path / "out") == first


def test_a_spoiled_store_is_not_used(templates, made, tmp_path):
    first = rendered(templates, tmp_path / "out")
    for kept in (tmp_path / "out" / ".derive-cache").glob("[0-9a-f]*"):
        kept.write_bytes(kept.read_bytes().replace(b"6,738,415,616", b"6,738,415,617"))
    made.clear()
    assert rendered(templates, tmp_path / "out") == first and "01-one.md.j2" in made


def test_another_title_is_seen_by_those_who_refer_to_it(templates, tmp_path):
    rendered(templates, tmp_path / "out")
    (templates / "en" / "01-one.md.j2").write_text("# Uno\n")
    assert "[Uno](01-one.md)" in rendered(templates, tmp_path / "out")["02-two.md"]


def test_files_that_a_template_reads_count(templates, made, tmp_path):
    """A configuration, an included file, and one that was not there."""
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"model_type": "llama", "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 3,
                                  "num_attention_heads": 4, "vocab_size": 100}))  # fmt: skip
    chapter = templates / "en" / "01-one.md.j2"
    chapter.write_text(f"# One\n\n<% include 'note.txt' ignore missing %>\n<< counted('{config}') >>\n")
    past = time.time() - 60
    for path in (config, chapter):
        os.utime(path, (past, past))
    before = rendered(templates, tmp_path / "out")["01-one.md"]
    made.clear()
    assert rendered(templates, tmp_path / "out")["01-one.md"] == before and made == []
    config.write_text(config.read_text().replace("100", "101"))
    after = rendered(templates, tmp_path / "out")["01-one.md"]
    assert after != before
    (templates / "en" / "note.txt").write_text("a note")
    assert "a note" in rendered(templates, tmp_path / "out")["01-one.md"]


def test_a_file_named_like_a_bundled_model_is_seen(templates, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "6,738,415,616" in rendered(templates, tmp_path / "out")["01-one.md"]
    Path("LLaMA-7B").write_text(json.dumps({"model_type": "llama", "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 3,
                                            "num_attention_heads": 4, "vocab_size": 100}))  # fmt: skip
    assert "6,738,415,616" not in rendered(templates, tmp_path / "out")["01-one.md"]


def test_another_engine_keeps_apart(monkeypatch):
    before = key_of("x")
    monkeypatch.setattr(store, "engine", lambda: "another version")
    assert key_of("x") != before


def test_what_is_done_is_kept_though_another_chapter_fails(templates, made, tmp_path):
    (templates / "en" / "02-two.md.j2").write_text("# Two\n\n<< nothing >>\n")
    with pytest.raises(ChapterError):
        rendered(templates, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".derive-cache"]
    made.clear()
    (templates / "en" / "02-two.md.j2").write_text("# Two\n")
    rendered(templates, tmp_path / "out")
    assert made == ["02-two.md.j2"]


def test_a_template_from_the_future_is_kept_too(templates, made, tmp_path):
    coming = time.time() + 1_000_000
    os.utime(templates / "en" / "01-one.md.j2", (coming, coming))
    rendered(templates, tmp_path / "out")
    made.clear()
    rendered(templates, tmp_path / "out")
    assert made == []


def test_what_changes_while_it_is_read_is_not_kept(tmp_path):
    path = tmp_path / "part.md"
    path.write_text("before")
    answer = {"read": {str(path): changed(str(path))}, "missing": []}
    assert jobs._made_from(answer) == {str(path): store.digest_of(path)}
    os.utime(path, (1, 1))
    assert jobs._made_from(answer) is None


class TestFolder:
    KEY = "ab" * 32

    def test_old_entries_go(self, tmp_path):
        kept = Store(tmp_path / "kept")
        kept.put(self.KEY, b"old")
        kept.put("cd" * 32, b"new")
        os.utime(kept.folder / self.KEY, (0, 0))
        kept.tidy()
        assert kept.get(self.KEY) is None and kept.get("cd" * 32) == b"new"

    def test_nothing_of_others_is_touched(self, tmp_path):
        names = ("a notebook.txt", "abc", "deadbeef", self.KEY + ".orig", ".gitignore")
        for name in names:
            (tmp_path / name).write_text("of somebody")
            os.utime(tmp_path / name, (0, 0))
        (tmp_path / self.KEY).mkdir()
        (tmp_path / "cafe").mkdir()
        os.utime(tmp_path / self.KEY, (0, 0))
        kept = Store(tmp_path)
        kept.put("cd" * 32, b"new")
        kept.tidy()
        assert all((tmp_path / name).read_text() == "of somebody" for name in names)
        assert (tmp_path / self.KEY).is_dir() and (tmp_path / "cafe").is_dir() and kept.get(self.KEY) is None

    def test_what_cannot_be_put_leaves_nothing(self, tmp_path):
        kept = Store(tmp_path)
        (tmp_path / self.KEY).mkdir()
        kept.put(self.KEY, b"content")
        assert sorted(path.name for path in tmp_path.iterdir()) == [".gitignore", self.KEY]
