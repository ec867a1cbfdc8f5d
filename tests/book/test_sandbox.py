"""Other people's templates: whatever they do, one line says what and where, in bounded time, and nothing is written."""

import time

import pytest
from click.testing import CliRunner

from derive.book.jobs import Task, render_now
from derive.book.naming import Naming
from derive.cli import main
from derive.errors import ChapterError

HOSTILE = {
    "undefined": ("<< nothing >>", "line 3: 'nothing' is undefined"),
    "syntax": ("<% for %>", "line 3: Expected an expression"),
    "unclosed": ("<% if 1 %>", "line 3: Unexpected end of template"),
    "a huge range": ("<% for a in range(10**9) %>x<% endfor %>", "line 3: Range too big"),
    "classes": ("<< ''.__class__.__mro__ >>", "line 3: access to attribute '__class__'"),
    "globals": ("<< math.__globals__ >>", "line 3: access to attribute '__globals__'"),
    "the object of a method": ("<< math.__self__ >>", "line 3: access to attribute '__self__'"),
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
    "too much output": ("<% for a in range(90000) %><< 'x' * 99999 >><% endfor %>", "line 3: more than 4,000,000 characters"),
    "files above": ("<% include '../../etc/passwd' %>", "line 3: no template '../../etc/passwd'"),
    "files elsewhere": ("<% include '/etc/passwd' %>", "line 3: no template '/etc/passwd'"),
    "devices": ("<< counted('/dev/zero') >>", "line 3: /dev/zero: not a regular file"),
    "a long formula": ("<< math('" + "(" * 9000 + "') >>", "line 3: "),
    "a large power of a sum": ("<< claim('(a+b+c+d+e)^90 = 1') >>", "line 3: a sum to the power 90"),
    "dividing by zero": ("<< 1/0 >>", "line 3: division by zero"),
    "a number for text": ("<< math(3) >>", "line 3: 'int' object"),
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


def test_an_error_in_an_included_file_has_that_file_s_line(notes, tmp_path):
    (tmp_path / "part.md.j2").write_text("fine\n<< nothing >>\n")
    with pytest.raises(ChapterError, match=r"^part.md.j2, line 2: 'nothing' is undefined$"):
        render_now(Task(notes("<% include 'part.md.j2' %>"), "notes.md.j2", "en", Naming()))


@pytest.mark.parametrize("reach", ["open('x', 'w')", "__import__('os').system('id')", "__import__('subprocess').run(['id'])"])
def test_the_process_itself_may_only_read(reach, tmp_path):
    """Should a template get out of the sandbox, the process that it runs in still refuses."""
    import subprocess
    import sys

    script = f"from derive.book.worker import _watch; _watch(set()); {reach}"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert "PermissionError: a template may not" in done.stderr and not list(tmp_path.iterdir())
