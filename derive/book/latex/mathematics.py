"""The commands that a formula may hold in LaTeX: those of mathematics. All others could read files, never end, or end the document."""

from __future__ import annotations

import re

from derive.book.markdown import RefusedError

_LETTERS = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma varsigma tau
    upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varGamma varDelta varTheta varLambda varXi
    varPi varSigma varUpsilon varPhi varPsi varOmega aleph ell hbar imath jmath wp Re Im partial nabla infty emptyset forall exists neg
    lnot top bot angle surd prime flat natural sharp clubsuit diamondsuit heartsuit spadesuit backslash"""
_OPERATORS = """
    sum prod coprod int iint iiint iiiint idotsint oint bigcap bigcup bigsqcup bigvee bigwedge bigodot bigotimes bigoplus biguplus
    pm mp times div ast star circ bullet cdot cap cup uplus sqcap sqcup vee lor wedge land setminus wr diamond bigtriangleup
    bigtriangledown triangleleft triangleright oplus ominus otimes oslash odot bigcirc dagger dag ddagger ddag amalg limits nolimits"""
_RELATIONS = """
    leq le geq ge neq ne equiv sim simeq asymp approx cong doteq propto ll gg prec preceq succ succeq subset subseteq supset supseteq
    sqsubseteq sqsupseteq in ni owns notin vdash dashv models perp mid parallel bowtie smile frown not colon"""
_ARROWS = """
    to gets leftarrow rightarrow leftrightarrow Leftarrow Rightarrow Leftrightarrow uparrow downarrow updownarrow Uparrow Downarrow
    Updownarrow longleftarrow longrightarrow longleftrightarrow Longleftarrow Longrightarrow Longleftrightarrow mapsto longmapsto
    hookleftarrow hookrightarrow leftharpoonup leftharpoondown rightharpoonup rightharpoondown rightleftharpoons nearrow searrow swarrow
    nwarrow iff implies impliedby xleftarrow xrightarrow"""
_FUNCTIONS = """
    arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf injlim ker lg lim liminf limsup ln log max min Pr projlim
    sec sin sinh sup tan tanh varinjlim varliminf varlimsup varprojlim bmod pmod mod pod operatorname operatornamewithlimits"""
_BRACKETS = """
    left middle right big bigl bigm bigr Big Bigl Bigm Bigr bigg biggl biggm biggr Bigg Biggl Biggm Biggr langle rangle lfloor rfloor
    lceil rceil lbrace rbrace lbrack rbrack vert Vert lvert rvert lVert rVert lgroup rgroup lmoustache rmoustache"""
_STRUCTURE = """
    frac dfrac tfrac cfrac genfrac binom dbinom tbinom over choose atop sqrt root of overset underset stackrel substack sideset overline
    underline overbrace underbrace overleftarrow overrightarrow overleftrightarrow underleftarrow underrightarrow underleftrightarrow boxed
    acute bar breve check dot ddot dddot ddddot grave hat mathring tilde vec widehat widetilde phantom hphantom vphantom smash mathstrut
    displaystyle textstyle scriptstyle scriptscriptstyle mathbin mathclose mathinner mathop mathopen mathord mathpunct mathrel
    tag notag nonumber hline cr"""
_FONTS = """
    mathbf mathcal mathit mathnormal mathrm mathsf mathtt boldsymbol pmb rm bf it sf tt cal
    text textbf textit textmd textnormal textrm textsf textsl texttt textup mbox emph"""
_SPACE = """
    quad qquad enspace thinspace medspace thickspace negthinspace negmedspace negthickspace space allowbreak
    dots ldots cdots vdots ddots dotsb dotsc dotsi dotsm dotso"""
_OF_AMSSYMB = """
    ulcorner urcorner llcorner lrcorner
    mathbb mathfrak Bbbk beth gimel daleth complement digamma varkappa eth hslash nexists varnothing measuredangle sphericalangle square
    blacksquare lozenge blacklozenge triangledown bigstar backprime leqslant geqslant lesssim gtrsim lessapprox gtrapprox lessgtr gtrless
    leqq geqq eqsim approxeq thicksim thickapprox triangleq doteqdot risingdotseq fallingdotseq circeq bumpeq Bumpeq lll ggg nless ngtr
    nleq ngeq nsim ncong subseteqq supseteqq subsetneq supsetneq nsubseteq nsupseteq sqsubset sqsupset preccurlyeq succcurlyeq precsim
    succsim nprec nsucc vDash Vdash Vvdash nvdash nvDash nmid nparallel shortmid shortparallel because therefore between pitchfork varpropto
    dotplus smallsetminus Cap Cup barwedge veebar boxminus boxtimes boxdot boxplus ltimes rtimes circledast circledcirc centerdot intercal
    curlywedge curlyvee divideontimes leadsto rightsquigarrow leftrightsquigarrow leftleftarrows rightrightarrows leftrightarrows
    rightleftarrows twoheadrightarrow twoheadleftarrow rightarrowtail leftarrowtail multimap nleftarrow nrightarrow nLeftarrow nRightarrow
    nleftrightarrow nLeftrightarrow curvearrowleft curvearrowright circlearrowleft circlearrowright upuparrows downdownarrows checkmark"""
COMMANDS = frozenset(f"{_LETTERS}{_OPERATORS}{_RELATIONS}{_ARROWS}{_FUNCTIONS}{_BRACKETS}{_STRUCTURE}{_FONTS}{_SPACE}".split())
"""Of LaTeX itself and of amsmath."""
COMMANDS_OF_AMSSYMB = frozenset(_OF_AMSSYMB.split())
"""For documents that load it, or a font in its stead."""
SIGNS = frozenset(",;:!>{}|\\%#$&_ \n")
"""What may stand behind a backslash."""
ENVIRONMENTS = frozenset(
    "aligned alignedat gathered split cases array subarray matrix smallmatrix pmatrix bmatrix Bmatrix vmatrix Vmatrix".split()
)
_MARKS = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}|\\([^\W\d_]+|.|$)|\^\^|[%#]", re.DOTALL)


def check_mathematics(latex: str) -> None:
    """`RefusedError` for a command or a sign that is not mathematics."""
    for mark in _MARKS.finditer(latex):
        if mark[1]:
            known = mark[2] in ENVIRONMENTS
        else:
            known = mark[3] in COMMANDS or mark[3] in COMMANDS_OF_AMSSYMB or mark[3] in SIGNS
        if not known:
            raise RefusedError(f"a formula for LaTeX may hold mathematics alone, not {mark[0].strip()}", _line(mark))


def _line(mark: re.Match[str]) -> str:
    """The line that a mark stands in, as an author wrote it."""
    start = mark.string.rfind("\n", 0, mark.start()) + 1
    return mark.string[start:].partition("\n")[0].strip()
