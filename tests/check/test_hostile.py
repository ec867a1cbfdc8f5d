"""Bad input answers with a finding or a clear error, in little time and memory.

Each runs in a process of its own with four seconds of processor time and 1.5 GB of address space.
"""

import json
import resource
import subprocess
import sys
from itertools import pairwise

import pytest

SECONDS, BYTES = 4, 1536 * 2**20
CHILD = """
import sys
from derive.checker.checking import check_text
from derive.errors import DeriveError
text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
for kind in sys.argv[1:]:
    try:
        print("findings", len(check_text(text, kind).findings))
    except DeriveError as error:
        print("error", str(error).encode("ascii", "replace").decode())
"""


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def run(*arguments, stdin=b""):
    return subprocess.run([sys.executable, *arguments], input=stdin, capture_output=True, preexec_fn=limited, check=False)


def nested(opening, inner, closing, depth=3000):
    return opening * depth + inner + closing * depth


def math(*formulas):
    return "".join(f"$$\n{formula}\n$$\n\n" for formula in formulas)


MANY = 5000
MEGABYTES = 10_000_000
EQUATIONS = {
    "a tower of powers": r"9^{9^{9^9}} = 1",
    "a tower of powers on both sides": r"9^{9^{9^9}} = 9^{9^{9^8}}",
    "a sum to a high power": r"(a+b+c+d)^{1000000000} = a",
    "a sum to a power with many terms": r"(a+b+c+d+e+f)^{60} = 1",
    "powers of powers": r"((((a+b+c)^9)^9)^9)^9 = 1",
    "a negative power of ten": r"10^{-999999999} = 0",
    "a power of ten": r"10^{999999999} = 2^{999999999}",
    "nested braces": nested("{", "d", "}") + " = d",
    "nested brackets": nested("(", "d", ")") + " = d",
    "nested big brackets": nested(r"\left(", "d", r"\right)") + " = d",
    "nested fractions": nested(r"\frac{1}{", "d", "}") + " = d",
    "nested roots": nested(r"\sqrt{", "d", "}") + " = d",
    "nested subscripts": "d" + nested("_{a", "", "}") + " = d",
    "nested powers": "d" + nested("^{2", "", "}") + " = d",
    "nested words": nested(r"\text{", "d", "}") + " = d",
    "nested braces below": nested(r"\underbrace{", "d", "}_{x}") + " = d",
    "nested sums": nested(r"\sum_{i=1}^{2} (", "i", ")") + " = 3",
    "many terms": " + ".join(f"x_{{{at}}}" for at in range(MANY)) + " = 1",
    "many equal terms": " + ".join(["d"] * MANY) + f" = {MANY}d",
    "many factors": r" \cdot ".join(["(a + b)"] * MANY) + " = 1",
    "many different factors": " ".join(f"(a + {at}b)" for at in range(60)) + " = 1",
    "many sides": " = ".join(["d + 1"] * MANY),
    "many letters": "".join("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") + " = hHnNdDkKbBtTsSlL",
    "many signs": "1 " + "+ - " * MANY + "1 = 2",
    "many digits": "7" * 20_000 + " = 7",
    "many digits multiplied": "7" * 20_000 + r" \times " + "7" * 20_000 + " = 49",
    "many digits behind the point": "0." + "1" * 20_000 + " = 0.1",
    "a huge exponent of a decimal": "1e999999999 = 1",
    "a long sum": r"\sum_{i=1}^{1000000000} i^{3} = 5",
    "a sum of sums": r"\sum_{i=1}^{10^9} \sum_{j=1}^{i} \sum_{k=1}^{j} ijk = 5",
    "a long product": r"\prod_{i=1}^{1000000000} i = 5",
    "division by zero": r"\frac{1}{0} = 1",
    "division by a hidden zero": r"\frac{d}{d - d} = 1",
    "zero over zero": r"\frac{0}{0} = 1",
    "a power of zero": r"0^{-1} = 0^{0}",
    "a root of minus one": r"\sqrt{-1} = 1",
    "an irrational power": r"\sqrt{2}^{\sqrt{2}} = 2",
    "two points in a number": "1.2.3.4 = 1",
    "an open fraction": r"\frac{d = 1",
    "an open bracket": r"\left( d = 1",
    "an open brace": r"{ d = 1",
    "a closing brace": r"} d = 1",
    "an open word": r"\text{d = 1",
    "an open environment": r"\begin{aligned} d &= 1",
    "a command at the end": "d = \\",
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_hostile_equation(name):
    """In Markdown and in LaTeX, one after the other."""
    done = run("-c", CHILD, "md", "tex", stdin=math(EQUATIONS[name]).encode())
    assert done.returncode == 0, f"{done.returncode} {done.stderr[-500:].decode(errors='replace')}"
    answers = done.stdout.decode().splitlines()
    assert len(answers) == 2
    assert all(answer.startswith("error ") or answer > "findings 0" for answer in answers), answers


def growing_macros(steps=20):
    """Each macro is ten times the one before it."""
    names = [rf"\m{chr(97 + at)}" for at in range(steps + 1)]
    grown = [rf"\def{after}{{{before * 10}}}" for before, after in pairwise(names)]
    return "\n".join([rf"\def{names[0]}{{d}}", *grown, f"${names[-1]} = 1$", ""])


TEXTS = {
    "one long line of letters": ("md", "a" * MEGABYTES),
    "one long line of words": ("txt", "model = " * (MEGABYTES // 8)),
    "one long line of digits": ("md", "1" * MEGABYTES + " = 1"),
    **{f"one long line of {sign}": ("md", sign * (MEGABYTES // len(sign))) for sign in ("$", "=", "(", "`", "|", "[", "<!--", "*", "> ", "\\(", "~")},
    **{f"a text that ends in {sign!r}": ("md", f"Before it.\n\n{sign}d = 1\n") for sign in ("$", "$$", r"\(", r"\[", "```\n", "`", "<!-- ", "```math\n", "---\n")},
    "a display that never ends": ("tex", r"\begin{equation} d = 1" + "\n" * 1000),
    "a nul byte": ("md", "$d \0 = 1$ and 1 + 1 = 3\0"),
    "lone surrogates": ("md", "$d = \ud800 1$"),
    "no width, right to left": ("md", "1\u200b + 1\u202e = \u2066 3 and 1 + 1 = 3"),
    "combining marks": ("md", "$d" + "\u0301" * MANY + " = 1$"),
    "many equations": ("md", math(*(f"{at} \\times {at} = {at * at}" for at in range(1, 2000)))),
    "names that grow": ("md", math("x_0 = a + b", *(f"x_{{{at + 1}}} = x_{{{at}}} x_{{{at}}}" for at in range(60)), "x_{60} = 1")),
    "names that go round": ("md", math("x = y + 1", "y = z + 1", "z = x + 1", "x = 1")),
    "a macro of itself": ("tex", "\\newcommand{\\a}{\\a\\a}\n$\\a = 1$\n"),
    "macros that grow": ("tex", growing_macros()),
    "a macro without an end": ("tex", r"\newcommand{\a}[9]{#1#2#3 $d = 1$"),
    "a file that includes itself": ("tex", r"\input{/dev/zero}\input{../../../etc/passwd}$1 + 1 = 3$"),
    "nested quotations": ("md", ">" * 3000 + " $1 + 1 = 3$"),
    "nested lists": ("md", "\n".join("  " * at + "- 1 + 1 = 3" for at in range(400))),
    "a wide table": ("md", f"|{'a|' * 3000}\n|{'-|' * 3000}\n|{'1|' * 3000}\n"),
    "a tall table": ("md", "| a | b |\n| - | - |\n" + "| 1 | 2 |\n" * 20_000 + "| total | 3 |\n"),
    "links within links": ("md", "[" * 3000 + "a" + "](b)" * 3000),
    "a deep notebook": ("ipynb", nested("[", "", "]", 100_000)),
    "a deep notebook of objects": ("ipynb", nested('{"cells":', "1", "}", 100_000)),
    "half a notebook": ("ipynb", '{"cells": [{"cell_type": "markdown", "source": ["$1 + 1 = 3$"'),
    "a notebook of other things": ("ipynb", '{"cells": {"a": 1}, "nbformat": "four"}'),
    "a notebook of numbers": ("ipynb", '{"cells": [{"cell_type": "markdown", "source": 12}, 7, null]}'),
    "only relations": ("md", math("= = = \\approx =", r"\% = %")),
    "nothing": ("md", ""),
    "nothing in a notebook": ("ipynb", ""),
    "a role that never ends": ("rst", ":math:`1 + 1 = 3\n\n.. math::\n\n   \\frac{"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_text(name):
    kind, text = TEXTS[name]
    done = run("-c", CHILD, kind, stdin=text.encode("utf-8", "surrogatepass"))
    assert done.returncode == 0, f"{done.returncode} {done.stderr[-500:].decode(errors='replace')}"


FILES = {
    "latin.md": "Größe: 1 + 1 = 3".encode("latin-1"),
    "utf16.md": "1 + 1 = 3".encode("utf-16"),
    "mark.md": b"\xef\xbb\xbf1 + 1 = 3\n",
    "binary.md": bytes(range(256)) * 100,
    "nul.tex": b"\0" * 10_000,
    "broken.ipynb": b'{"cells": [\xff\xfe',
    "deep.ipynb": b"[" * 100_000,
    "unknown.xyz": b"1 + 1 = 3\n",
}


@pytest.mark.parametrize("name", FILES)
def test_hostile_file(name, tmp_path):
    (tmp_path / name).write_bytes(FILES[name])
    done = run("-m", "derive", "check", str(tmp_path / name), "--format", "json")
    assert done.returncode in (0, 1, 2), done.stderr[-500:]
    assert b"Traceback" not in done.stderr
    assert b"No such command" not in done.stderr
    assert done.stderr.strip() if done.returncode == 2 else json.loads(done.stdout)["files"] is not None


@pytest.mark.parametrize("name", ["missing.md", "folder", "loop.md"])
def test_hostile_path(name, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop.md").symlink_to(tmp_path / "loop.md")
    done = run("-m", "derive", "check", str(tmp_path / name))
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr
    assert b"No such command" not in done.stderr
