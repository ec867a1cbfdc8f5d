"""What has been rendered is used again only where it would be rendered the same."""

import json
import os
import time
from pathlib import Path

import pytest

from derive.book import jobs, store
from derive.book.rendering import render_book, write_book
from derive.book.store import Store, key_of


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
    for kept in (tmp_path / "out" / ".cache").glob("[0-9a-f]*"):
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


def test_nothing_is_kept_where_nothing_is_written(templates, tmp_path):
    kept = Store(tmp_path / "nowhere" / ".cache")
    render_book(formats=("md",), templates=templates, store=kept)
    assert kept.waiting and not (tmp_path / "nowhere").exists()


def test_old_entries_go(tmp_path):
    kept = Store(tmp_path / ".cache")
    kept.put("ab", b"old")
    kept.put("cd", b"new")
    os.utime(tmp_path / ".cache" / "ab", (0, 0))
    kept.tidy()
    assert kept.get("ab") is None and kept.get("cd") == b"new"
