"""Other people's templates: whatever they do, one line says what and where, in bounded time, and nothing is written."""

import time
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

import derive
from derive.book.naming import Naming
from derive.book.sandbox import templating
from derive.book.sandbox.jobs import Task, render_now
from derive.cli import main
from derive.errors import ChapterError

HOSTILE = {
    "undefined": ("<< nothing >>", "line 3: 'nothing' is undefined"),
    "syntax": ("<% for %>", "line 3: Expected an expression"),
    "unclosed": ("<% if 1 %>", "line 3: Unexpected end of template"),
    "a huge range": ("<% for a in range(10**9) %>x<% endfor %>", "line 3: Range too big"),
    "classes": ("<< ''.__class__.__mro__ >>", "line 3: access to attribute '__class__'"),
    "globals": ("<< math.__wrapped__.__globals__ >>", "line 3: access to attribute '__wrapped__'"),
    "the object of a method": ("<< math.__call__.__self__ >>", "line 3: access to attribute '__call__'"),
    "what a function wraps": ("<< math._function >>", "line 3: access to attribute '_function'"),
    "a filter for attributes": ("<< ''|attr('__class__') >>", "line 3: access to attribute '__class__'"),
    "format": ("<< '{0.__class__.__init__}'.format(math) >>", "line 3: access to attribute"),
    "initialisers": ("<< cycler.__init__.__globals__.os.system('id') >>", "line 3: access to attribute '__init__'"),
    "itself": ("<< self.__init__.__globals__ >>", "line 3: access to attribute '__init__'"),
    "changing a list": ("<% set x = [] %><< x.append(2) >>", "line 3: access to attribute 'append'"),
    "recursion": ("<% macro f() %><< f() >><% endmacro %><< f() >>", "line 3: it calls itself without end"),
    "including itself": ("<% include 'notes.md.j2' %>", "it calls itself without end"),
    "depth": ("<< " + "(" * 3000 + "1" + ")" * 3000 + " >>", "nested too deeply"),
    "a string bomb": ("<< 'x' * 10**12 >>", "line 3: the result of * is too large"),
    "a padding bomb": ("<< 'x'|center(10**12) >>", "line 3: more memory than a template may use"),
    "a format bomb": ("<< '%9999999999d'|format(1) >>", "line 3: more memory than a template may use"),
    "a list bomb": ("<< ([1] * 10**12)|length >>", "line 3: the result of * is too large"),
    "a power": ("<< 9**(9**9) >>", "line 3: the result of ** is too large"),
    "an object": ("<< cycler >>", "line 3: only texts and numbers can be printed"),
    "nothing at all": ("<< none >>", "line 3: only texts and numbers can be printed"),
    "a function not called": ("<< math >>", "line 3: math is a function: call it"),
    "slices without end": ("<< [1]|slice(10**10)|list >>", "line 3: slice() into too many parts"),
    "blocks in blocks": ("<% for a in [1] %>" * 200 + "<% endfor %>" * 200, "md.j2: its blocks are nested too deeply"),
    "half a character": (r"<< 'a\ud800' >>", "line 3 of the text that it makes holds U+D800, half a character"),
    "too much output": ("<% for a in range(90000) %><< 'x' * 99999 >><% endfor %>", "line 3: more than 4,000,000 characters"),
    "files above": ("<% include '../../etc/passwd' %>", "line 3: no template '../../etc/passwd'"),
    "files elsewhere": ("<% include '/etc/passwd' %>", "line 3: no template '/etc/passwd'"),
    "devices": ("<< counted('/dev/zero') >>", "line 3: /dev/zero: not a regular file"),
    "a long formula": ("<< math('" + "(" * 9000 + "') >>", "line 3: "),
    "a large power of a sum": ("<< claim('(a+b+c+d+e)^90 = 1') >>", "line 3: a sum to the power 90"),
    "dividing by zero": ("<< 1/0 >>", "line 3: division by zero"),
    "a number for text": ("<< math(3) >>", "line 3: math(text): text is a text in quotes, not 3; see docs/functions.md"),
    "an unknown figure": ("<< figure('../secret') >>", "line 3: no figure '../secret'; known: active-and-total"),
    "an unknown chapter": ("<< chapter('nowhere') >>", "line 3: no chapter 'nowhere'"),
    "an unknown paper": ("<< cite('nobody') >>", "line 3: no reference 'nobody'"),
}


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """A template in an empty folder, of which line 3 is given."""
    monkeypatch.chdir(tmp_path)

    def write(text):
        path = tmp_path / "notes.md.j2"
        path.write_text(f"# Notes\n\n{text}\n", encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("name", HOSTILE)
def test_one_line_says_what_and_where(notes, tmp_path, name):
    text, words = HOSTILE[name]
    notes(text)
    result = CliRunner().invoke(main, ["fill", "notes.md.j2", "-o", "notes.md"])
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert result.stderr.startswith("derive: notes.md.j2") and words in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md.j2"]


def test_an_endless_loop_ends_and_has_its_line(notes):
    ranges = "".join(f"<% for {letter} in range(99999) %>" for letter in "abc")
    task = Task(notes(f"{ranges}<% endfor %><% endfor %><% endfor %>"), "notes.md.j2", "en", Naming(), seconds=2)
    started = time.monotonic()
    with pytest.raises(ChapterError, match=r"^notes.md.j2, line 3: not done after 2 s$"):
        render_now(task)
    assert time.monotonic() - started < 10


def test_doubling_a_string_is_bounded(notes):
    doubling = "<% set n = namespace(s='x') %><% for i in range(60) %><% set n.s = n.s ~ n.s %><% endfor %>"
    with pytest.raises(ChapterError, match=r"line 3: (more memory|not done)"):
        render_now(Task(notes(doubling), "notes.md.j2", "en", Naming(), seconds=10))


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"fine\n<< nothing >>\n", "'nothing' is undefined"), (b"fine\n<% for %>", "Expected an expression"), (b"fine\n\xff", "not UTF-8$")],
)
@pytest.mark.parametrize("name", ["part.md.j2", "sub/_part.md"])
def test_an_error_in_an_included_file_has_that_file_s_line(notes, tmp_path, name, content, words):
    (tmp_path / "sub").mkdir()
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ChapterError, match=rf"^en/{name}, line 2: {words}"):
        render_now(Task(notes(f"<% include '{name}' %>"), "en/notes.md.j2", "en", Naming()))


def test_code_beside_a_template_is_no_template(tmp_path):
    """Where the package itself lies below the folder of the template, its lines are not the template's."""
    path = Path(derive.__file__).parent.parent / "notes.md.j2"
    with pytest.raises(ChapterError, match=r"^notes.md.j2, line 2: no chapter 'x'"):
        rendered_from("a\n<< chapter('x') >>", path)


def rendered_from(text, path):
    """What a template would render to if it lay at a path."""
    loader = patch.object(templating.FileSystemLoader, "get_source", lambda *_: (text, str(path), None))
    with loader:
        return templating.rendered(path, path.name, {"chapter": Naming().link})


def test_a_file_that_cannot_be_read_is_named_by_its_template(tmp_path):
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "/home/somebody/notes.md.j2")

    with patch.object(templating.FileSystemLoader, "get_source", refuse), pytest.raises(ChapterError) as raised:
        templating.rendered(tmp_path / "notes.md.j2", "notes.md.j2", {})
    assert str(raised.value) == "notes.md.j2: cannot be read: Permission denied"


def test_a_byte_order_mark_is_no_text(notes, tmp_path):
    (tmp_path / "part.md").write_bytes(b"\xef\xbb\xbfpart")
    path = notes("<% include 'part.md' %>")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert render_now(Task(path, "notes.md.j2", "en", Naming())).markdown == "# Notes\n\npart\n"


def test_a_link_out_of_the_folder_is_not_followed(notes, tmp_path):
    (tmp_path.parent / "secret.txt").write_text("secret")
    (tmp_path / "_link.md").symlink_to(tmp_path.parent / "secret.txt")
    (tmp_path / "_own.md").write_text("own")
    (tmp_path / "_inner.md").symlink_to("_own.md")
    assert "own" in render_now(Task(notes("<% include '_inner.md' %>"), "notes.md.j2", "en", Naming())).markdown
    with pytest.raises(ChapterError, match=r"^notes.md.j2, line 3: '_link.md' leads out of the folder of templates$"):
        render_now(Task(notes("<% include '_link.md' %>"), "notes.md.j2", "en", Naming()))


@pytest.mark.parametrize("reach", ["open('x', 'w')", "__import__('os').system('id')", "__import__('subprocess').run(['id'])"])
def test_the_process_itself_may_only_read(reach, tmp_path):
    """Should a template get out of the sandbox, the process that it runs in still refuses."""
    import subprocess
    import sys

    script = f"from derive.book.sandbox.worker import _watch; _watch(dict()); {reach}"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert "PermissionError: a template may not" in done.stderr and not list(tmp_path.iterdir())
