"""Characters in LaTeX: those that it takes for commands, and those that only its mathematics can print."""

from __future__ import annotations

import re

_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "\u00a0": "~", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True))
_COMMANDS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ϵ": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ϑ": "vartheta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "ς": "varsigma",
    "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega", "ℓ": "ell", "∂": "partial", "∇": "nabla", "∅": "emptyset", "∀": "forall", "∃": "exists",
    "≤": "leq", "≥": "geq", "≈": "approx", "≠": "neq", "≡": "equiv", "∝": "propto", "∼": "sim", "≃": "simeq", "≅": "cong", "≪": "ll",
    "≫": "gg", "∈": "in", "∉": "notin", "⊂": "subset", "⊆": "subseteq", "⊃": "supset", "⊇": "supseteq", "∪": "cup", "∩": "cap",
    "∖": "setminus", "∧": "wedge", "∨": "vee", "⊥": "perp", "∥": "parallel", "∑": "sum", "∏": "prod", "∫": "int", "⋅": "cdot",
    "∘": "circ", "∙": "bullet", "⊙": "odot", "⊗": "otimes", "⊕": "oplus", "⋯": "cdots", "↔": "leftrightarrow", "⇒": "Rightarrow",
    "⇐": "Leftarrow", "⇔": "Leftrightarrow", "↦": "mapsto", "⟶": "longrightarrow", "⟹": "Longrightarrow",
    "⌈": "lceil", "⌉": "rceil", "⌊": "lfloor", "⌋": "rfloor", "⟨": "langle", "⟩": "rangle", "′": "prime",
}  # fmt: skip
"""What the fonts of text lack."""
_COMMANDS_OF_FORMULAS = {
    "×": "times", "÷": "div", "±": "pm", "·": "cdot", "∗": "ast", "∞": "infty", "√": "surd", "→": "to", "←": "leftarrow", "‖": "Vert",
    "…": "ldots", "¬": "neg", "µ": "mu",
}  # fmt: skip
"""What the fonts of text have, and those of formulas lack."""
_RUNS = re.compile("|".join(f"([{''.join(letters)}]+)" for letters in (_RAISED, _LOWERED, _COMMANDS)))
_WORDS = re.compile(r"(\\(?:text(?:bf|it|md|normal|rm|sf|sl|tt|up)?|mbox|emph)\s*\{[^{}]*\})")
_IN_FORMULAS = str.maketrans({letter: f"\\{name} " for letter, name in {**_COMMANDS, **_COMMANDS_OF_FORMULAS}.items()} | {"−": "-"})


def text_latex(words: str) -> str:
    r"""Words as they are printed: `10⁶ & α` → `10$^{6}$ \& $\alpha$`."""
    found, start = "", 0
    for run in _RUNS.finditer(words):
        found += words[start : run.start()].translate(_ESCAPES) + _inline(run)
        start = run.end()
    return found + words[start:].translate(_ESCAPES)


def formula_latex(latex: str) -> str:
    r"""A formula whose signs are all commands: `αx ≤ 2²` → `\alpha x \leq  2^{2}`."""
    parts = _WORDS.split(latex)
    return "".join(_RUNS.sub(_inline, part) if at % 2 else _mathematics(part) for at, part in enumerate(parts))


def _inline(run: re.Match[str]) -> str:
    return f"${_mathematics(run[0]).strip()}$"


def _mathematics(latex: str) -> str:
    return _RUNS.sub(_script, latex).translate(_IN_FORMULAS)


def _script(run: re.Match[str]) -> str:
    """Raised or lowered letters in a row as one exponent or index; any other run as it is."""
    raised, lowered, _ = run.groups()
    if raised:
        return f"^{{{''.join(map(_RAISED.__getitem__, raised))}}}"
    return f"_{{{''.join(map(_LOWERED.__getitem__, lowered))}}}" if lowered else run[0]
