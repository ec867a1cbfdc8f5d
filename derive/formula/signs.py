r"""The signs, commands and relations of documents, each under the one sign that means the same."""

from __future__ import annotations

SAME_SIGN = {
    **dict.fromkeys("·⋅×∗•⨯✕", "*"),
    "÷": "/",
    **dict.fromkeys("−–—‒", "-"),
    "**": "^",
    "、": ",",
    "。": ".",
    "√": r"\sqrt",
    "∑": r"\sum",
    "∂": r"\partial",
    "∞": r"\infty",
}
SIGN_COMMANDS = {
    **dict.fromkeys((r"\cdot", r"\times", r"\ast", r"\bullet", r"\cdotp", r"\bigcdot"), "*"),
    r"\div": "/",
    r"\%": "%",
    r"\_": "_",
    r"\{": r"\{",
    r"\}": r"\}",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\lparen": "(",
    r"\rparen": ")",
    r"\colon": ":",
    r"\slash": "/",
    **dict.fromkeys((r"\vert", r"\lvert", r"\rvert"), "|"),
}
RELATIONS = {
    **dict.fromkeys(("=", "==", "=:", "≡", "等于", r"\eq", r"\equiv"), "="),
    **dict.fromkeys((":=", "≜", r"\coloneqq", r"\triangleq", r"\defeq", r"\doteq", r"\coloneq"), ":="),
    **dict.fromkeys("~= ≃ ≅ ≈ ≒ ∼ ~ 约等于 约为 约".split() + r"\approx \sim \simeq \cong \approxeq \thickapprox".split(), "≈"),
    **dict.fromkeys(("<=", "≤", "≦", "⩽", r"\le", r"\leq", r"\leqslant", r"\lesssim", r"\leqq"), "≤"),
    **dict.fromkeys((">=", "≥", "≧", "⩾", r"\ge", r"\geq", r"\geqslant", r"\gtrsim", r"\geqq"), "≥"),
    **dict.fromkeys(("<", r"\lt"), "<"),
    **dict.fromkeys((">", r"\gt"), ">"),
    **dict.fromkeys(("≪", r"\ll"), "≪"),
    **dict.fromkeys(("≫", r"\gg"), "≫"),
    **dict.fromkeys(("!=", "≠", r"\ne", r"\neq"), "≠"),
    **dict.fromkeys(("∝", r"\propto", r"\varpropto"), "∝"),
    **dict.fromkeys(("->", "→", r"\to", r"\rightarrow", r"\longrightarrow", r"\mapsto"), "→"),
    **dict.fromkeys(("∈", r"\in"), "∈"),
    **dict.fromkeys(("=>", "⇒", "⟹", r"\Rightarrow", r"\implies", r"\Longrightarrow", "⇔", r"\iff", r"\Leftrightarrow"), "⇒"),
}
SILENT = frozenset(
    r"\left \right \middle \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \bigm \displaystyle \textstyle "
    r"\scriptstyle \limits \nolimits \nonumber \notag \small \normalsize \large \Large \footnotesize \tiny \bf \it \sf \tt \mathstrut "
    r"\hline \centering \relax \strut \mathop \mathbin \mathrel \mathord \, \# \boldmath \null \newcommand".split()
)
"""Commands that change how a formula looks."""

SILENT_WITH_GROUP = frozenset(
    r"\label \tag \tag* \ref \eqref \vspace \phantom \hphantom \vphantom \color".split(),
)
"""Commands that are left out with the group behind them."""

SPACES = frozenset(r"\thinspace \medspace \thickspace \negthinspace \enspace \allowbreak \nobreakspace".split())
GAPS = frozenset(r"\quad \qquad \hspace \hspace* \hfill \hfil".split())
FONTS = frozenset(
    r"\text \textrm \textsf \textnormal \mathrm \mathit \mathsf \mathtt \mathbf \mathcal \mathscr \mathfrak \operatorname \operatorname* "
    r"\textbf \textit \texttt \mbox \hbox \boldsymbol \bm \pmb \emph \textsc \mathnormal".split()
)
FORMULA_FONTS = frozenset((r"\boldsymbol", r"\bm", r"\pmb"))
"""Fonts that a formula is written in, never words."""

WORD_FONTS = frozenset(r"\text \textrm \mbox \textbf \textit \texttt \emph \hbox".split())
"""Fonts of running text, in which mathematics is part of the words."""

SWITCHES = frozenset((r"\rm", r"\bf", r"\it", r"\sf", r"\tt"))
ACCENTS = frozenset(r"\tilde \hat \bar \overline \widetilde \widehat \vec \underline \dot".split())
GREEK = frozenset(
    r"\alpha \beta \gamma \delta \epsilon \varepsilon \zeta \eta \theta \vartheta \iota \kappa \lambda \mu \nu \xi \pi \rho \varrho "
    r"\sigma \tau \upsilon \phi \varphi \chi \psi \omega \Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega "
    r"\ell \hbar \imath \jmath".split()
)
GREEK_NAMES = dict(
    zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩϕµ", (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
        "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega phi mu"
    ).split(), strict=True)
)  # fmt: skip
"""A Greek letter's name."""

CLOSING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
"""The bracket that closes each."""

FULL_WIDTH = str.maketrans({0xFEE0 + code: chr(code) for code in range(0x21, 0x7F)})
"""Letters, digits and signs as Chinese keyboards write them: one character for one, so that places stay."""
