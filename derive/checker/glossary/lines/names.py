r"""LaTeX of a single name → the name as the formula reader gives it: `d_{\text{model}}` → d_model, `\phi` → phi."""

from __future__ import annotations

import re

from derive.checker.glossary.words import meaning_of_word
from derive.text import is_chinese

LONGEST = 80
"""Characters of LaTeX that one name can have."""

GREEK: dict[str, str] = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ϵ": "epsilon",
    "η": "eta",
    "θ": "theta",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "φ": "phi",
    "ϕ": "phi",
    "ψ": "psi",
    "ω": "omega",
    "Γ": "Gamma",
    "Δ": "Delta",
    "Θ": "Theta",
    "Λ": "Lambda",
    "Φ": "Phi",
    "Ψ": "Psi",
    "Ω": "Omega",
    "ℓ": "ell",
}
_GREEK_COMMANDS = {"\\" + name: name for name in GREEK.values()} | {r"\varphi": "phi", r"\varepsilon": "epsilon", r"\vartheta": "theta"}

_VECTOR = re.compile(r"\\(?:mathbf|boldsymbol|bm|mathbb|vec|hat|tilde|bar)(?![A-Za-z])")
_FONT = re.compile(
    r"\\(?:mathrm|mathit|mathsf|mathtt|mathcal|text|textrm|textit|textsf|texttt|textbf|operatorname|rm|it|sf|tt)(?![A-Za-z])\*?"
)
_SILENT = re.compile(r"\\[,;:! ]|\\(?:displaystyle|textstyle|left|right|thinspace)(?![A-Za-z])|~")
_COMMAND = re.compile(r"\\[A-Za-z]+")
# Sets of ranges beyond ASCII take milliseconds to compile, so that `_is_spelled` asks for those.
_NAME = re.compile(r"((?:[A-Za-z]|[^\x00-\x7f])(?:[A-Za-z0-9]|[^\x00-\x7f])*)((?:_(?:[A-Za-z0-9]|[^\x00-\x7f])+)*)")


def name_of(latex: str) -> str | None:
    """The name that `latex` is, None where it is anything else: a product, a number, a vector in bold."""
    text = latex.strip()
    if not text or len(text) > LONGEST or _VECTOR.search(text):
        return None
    worded = bool(_FONT.match(text.lstrip("{ ")))
    text = _FONT.sub("", _SILENT.sub(" ", text)).replace(r"\_", "_")
    text = _COMMAND.sub(lambda match: _GREEK_COMMANDS.get(match.group(), match.group()) + " ", text)
    text = re.sub(r"[{}\s]", "", text).strip("|")
    match = _NAME.fullmatch(text)
    if match is None or not (text.isascii() or _is_spelled(match[1], match[2])):
        return None
    base = GREEK.get(match[1], match[1])
    name = base + match[2]
    return name if _is_one_name(base, name, worded) else None


def _is_spelled(base: str, below: str) -> bool:
    """Whether what is not ASCII is Chinese, or Greek at the beginning and in subscripts."""
    may_be_greek = base[0].replace("ℓ", "l") + below
    greek = all(each.isascii() or is_chinese(each) or "\u0370" <= each <= "\u03ff" for each in may_be_greek)
    return greek and all(each.isascii() or is_chinese(each) for each in base[1:])


def _is_one_name(base: str, name: str, worded: bool) -> bool:
    """Whether a base of several letters is a word: `hidden_size` and `FLOPs` are names, `bsh` is a product."""
    return len(base) == 1 or worded or base in _GREEK_COMMANDS.values() or not base.isascii() or meaning_of_word(name) is not None
