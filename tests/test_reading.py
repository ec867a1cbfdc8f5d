r"""Documents' notation, text by text: what each says, as code; what is not read; and that anything at all ends, quickly."""

import contextlib
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.errors import FormulaError
from derive.formula.parse import parse, parse_equations
from derive.formula.read import read, read_all
from derive.formula.statement import Statement, Unread
from derive.formula.tree import Formula

FORMULAS = [
    (r"\frac{a}{b}c", "(a/b)*c"),
    (r"\tfrac12", "1/2"),
    (r"\tfrac12 d", "(1/2)*d"),
    ("2.4.d^2", "2*4*d**2"),
    ("24bsh^2", "24*b*s*h**2"),
    ("E_s3dm_s", "E_s*3*d*m_s"),
    ("n_hd_h", "n_h*d_h"),
    (r"d\_model", "d_model"),
    (r"\text{hidden\_size}", "hidden_size"),
    (r"\left\lceil V/64 \right\rceil", "ceil(V/64)"),
    (r"\operatorname{ceil}(V/64)", "ceil(V/64)"),
    (r"\mathrm{max}(a, b)", "max(a, b)"),
    (r"\mathbf{12Ld^2}", "12*L*d**2"),
    (r"\color{red}{x}", "x"),
    (r"\color{red} x", "x"),
    (r"{\color{red} 3d}", "3*d"),
    (r"\textcolor{red}{3}d", "3*d"),
    (r"\underbrace{4d^2}_{\text{attn}} + \underbrace{8d^2}_{\text{ffn}}", "4*d**2 + 8*d**2"),
    (r"\overbrace{4d^2}^{\text{attn}}", "4*d**2"),
    (r"{\small 12Ld^2}", "12*L*d**2"),
    (r"\small{P = 3}", "P = 3"),
    ("1,600^2", "1600**2"),
    (r"6.44\times10^9", "(161/25)*10**9"),
    (r"6.44 \cdot 10^{9}", "(161/25)*10**9"),
    ("d' = 4d", "d_prime = 4*d"),
    ("d'' + d", "d_prime_prime + d"),
    (r"|\theta|", "theta"),
    (r"|\theta| = 12Ld^2", "theta = 12*L*d**2"),
    (r"\lvert W \rvert", "W"),
    (r"\log n", "log(n)"),
    (r"\max(a, b)", "max(a, b)"),
    (r"\max\{a, b\}", "max(a, b)"),
    (r"\max\left(a, b\right)", "max(a, b)"),
    (r"\min(a, b + c)", "min(a, b + c)"),
    ("P(d, L)", "P"),
    ("（d＋m）×Ｌ", "(d + m)*L"),
    ("（ａ＋ｂ）－ｃ＝１２；", "(a + b) - c = 12"),
    ("１２ｄ＾２", "12*d**2"),
    ("３．５ × ２", "(7/2)*2"),
    ("12Ld²", "12*L*d**2"),
    ("d₁ + d₂", "d_1 + d_2"),
    ("x^{2n}", "x**(2*n)"),
    ("x^{-1}", "x**(-1)"),
    ("2^{10}", "2**10"),
    ("2^n", "2**n"),
    ("d^{1/2}", "d**(1/2)"),
    (r"\sqrt{d}", "sqrt(d)"),
    (r"\sqrt[3]{d}", "d**(1/3)"),
    ("√d", "sqrt(d)"),
    (r"\lfloor d/2 \rfloor", "floor(d/2)"),
    ("⌈V/64⌉", "ceil(V/64)"),
    (r"4(d_{\rm model})^2", "4*d_model**2"),
    (r"d_{\mathit{ff}}", "d_ff"),
    (r"\alpha\beta", "alpha*beta"),
    (r"\theta_{t+1}", "theta_t_plus_1"),
    (r"\Delta W", "Delta*W"),
    (r"d_{\mathrm{model}}^2", "d_model**2"),
    (r"d^2_{\mathrm{kv}}", "d_kv**2"),
    (r"\hat{y}", "y_hat"),
    (r"\tilde d", "d_tilde"),
    (r"\bar{x}", "x_bar"),
    (r"\ell", "ell"),
    (r"L_{\max}", "L_max"),
    (r"n_{\text{KV heads}}", "n_KV_heads"),
    (r"N_{\text{non-emb}}", "N_non_emb"),
    (r"P_{\text{total, MoE}}", "P_total_MoE"),
    (r"\text{KV cache} = 2Lnd_{kv}", "KVcache = 2*L*n*d_kv"),
    ("参数量 = 12Ld^2", "参数量 = 12*L*d**2"),
    ("每层参数 = 4d^2 + 8d^2", "每层参数 = 4*d**2 + 8*d**2"),
    ("6ND", "6*N*D"),
    (r"C \approx 6ND", "C ≈ 6*N*D"),
    ("2 × 4096 × 11008", "2*4096*11008"),
    ("2*4096*11008", "2*4096*11008"),
    ("4096**2", "4096**2"),
    ("d/2", "d/2"),
    ("d / h h_{kv}", "(d/h)*h_kv"),
    ("T/8D", "T/(8*D)"),
    ("d//h", "floor(d/h)"),
    (r"a \div b", "a/b"),
    ("0.5d", "(1/2)*d"),
    (r"5 \cdot 10^{-3}", "5*10**(-3)"),
    ("5 × 10⁻³", "5*10**(-3)"),
    ("10^6", "10**6"),
    (r"12\text{L}d^2", "12*L*d**2"),
    ("12 L d^2", "12*L*d**2"),
    (r"12\,L\,d^2", "12*L*d**2"),
    (r"12\cdot L\cdot d^2", "12*L*d**2"),
    (r"2 \left( d + m \right)", "2*(d + m)"),
    (r"2 \bigl[ d + m \bigr]", "2*(d + m)"),
    (r"2 \{ d + m \}", "2*(d + m)"),
    ("2[d+m]", "2*(d + m)"),
    (r"n_{\mathrm{layer}}", "n_layer"),
    ("config.hidden_size * 4", "hidden_size*4"),
    (r"h \cdot d_h = d", "h*d_h = d"),
    (r"h\times d_{h}", "h*d_h"),
    (r"\dfrac{d_{\text{model}}}{n_{\text{heads}}}", "d_model/n_heads"),
    (r"\frac{1}{2}n(n+1)", "(1/2)*n*(n + 1)"),
    (r"\frac12 n^2", "(1/2)*n**2"),
    (r"\frac d 2", "d/2"),
    (r"\frac{\partial P}{\partial d}", "diff(P, d)"),
    (r"\sum_{i=1}^{L} d_i", "sum(d_i, (i, 1, L))"),
    (r"\sum_{\ell=1}^L P_\ell", "sum(P_ell, (ell, 1, L))"),
    (r"\lim_{d\to\infty} \frac{P}{d^2}", "limit((P/d**2), d)"),
    ("e^x", "e**x"),
    (r"\pi", "pi"),
    (r"2\pi", "2*pi"),
    (r"12 d^2 L \text{ parameters}", "12*d**2*L*parameters"),
    ("12Ld^2 parameters", "12*L*d**2*parameters"),
    (r"P_{\mathrm{attn}}(d)", "P_attn*d"),
    (r"a \hspace{1cm} = b", "a = b"),
    (r"a \; = \; b", "a = b"),
    (r"a \! b", "a*b"),
    (r"\displaystyle\frac{a}{b}", "a/b"),
    (r"\left.\frac{a}{b}\right.", "a/b"),
    (r"\mathcal{L}", "L"),
    ("8/3 d", "(8/3)*d"),
    ("(8/3)d", "(8/3)*d"),
    (r"\frac{8}{3}d", "(8/3)*d"),
    (r"4\cdot\frac{8}{3}", "4*(8/3)"),
    ("-d", "-d"),
    ("+d", "d"),
    (r"P_{\rm total}=L(2d^2+2dd_{kv}+3dm+2d)+d+cVd", "P_total = L*(2*d**2 + 2*d*d_kv + 3*d*m + 2*d) + d + c*V*d"),
    (r"12 \times 768^2 \times 12 = 84{,}934{,}656", "12*768**2*12 = 84934656"),
    (r"N \approx 2 d_{\text{model}} n_{\text{layer}}(2d_{\text{attn}} + d_{\text{ff}})", "N ≈ 2*d_model*n_layer*(2*d_attn + d_ff)"),
    (r"C_{\text{forward}} = 24bsh^2\left(1 + \frac{s}{6h}\right)", "C_forward = 24*b*s*h**2*(1 + s/(6*h))"),
    (r"F = 96bslh^2\left(1 + \frac{s}{6h} + \frac{V}{16lh}\right)", "F = 96*b*s*l*h**2*(1 + s/(6*h) + V/(16*l*h))"),
    (r"A = sbh\left(34 + 5\frac{as}{h}\right)", "A = s*b*h*(34 + 5*(a*s/h))"),
    ("34sbh + 5as^2b", "34*s*b*h + 5*a*s**2*b"),
    (r"\mathrm{MFU} = \frac{6NT}{P}", "MFU = 6*N*T/P"),
    (r"d_{h} = \tfrac{d}{h}", "d_h = d/h"),
    (r"L\cdot(4d^{2}+8d^{2}) = 12Ld^{2}", "L*(4*d**2 + 8*d**2) = 12*L*d**2"),
    ("Vd + L(12d^2+13d) + 2d", "V*d + L*(12*d**2 + 13*d) + 2*d"),
    (r"2 \cdot d_{\text{model}} \cdot d_{\text{ff}}", "2*d_model*d_ff"),
    (r"3 \cdot 4096 \cdot 11{,}008 = 135{,}266{,}304", "3*4096*11008 = 135266304"),
    (r"32(4\cdot 4096^2 + 3\cdot4096\cdot11008)", "32*(4*4096**2 + 3*4096*11008)"),
    (r"N_{\mathrm{active}} / N_{\mathrm{total}}", "N_active/N_total"),
    (r"\left(\frac{d}{h}\right)^2", "(d/h)**2"),
    (r"\left[ 2d + m \right]", "2*d + m"),
    (r"E_{\text{total}} = E_s + E_r", "E_total = E_s + E_r"),
    ("N^*", "N_star"),
    ("N^{*}", "N_star"),
    (r"N^\star", "N_star"),
    (r"N^{\star} d", "N_star*d"),
    (r"\frac{6.7\times10^{9}\times 2}{10^9}", "(67/10)*10**9*2/10**9"),
    (r"16 \times 7\times 10^9 = 112 \times 10^9", "16*7*10**9 = 112*10**9"),
]
NUMBERS_AND_UNITS = [
    (r"N_{\text{params}}", "N_params"),
    (r"n\_layers \cdot d\_model", "n_layers*d_model"),
    (r"\mathrm{FLOPs/token}", "FLOPstoken"),
    (r"\mathrm{FLOPs/token} = 6N", "FLOPstoken = 6*N"),
    (r"38\,597\,376", "38597376"),
    ("38 597 376", "38597376"),
    ("1.97E+14", "197000000000000"),
    ("1.97e14", "197000000000000"),
    ("3e-4", "3/10000"),
    (r"31\%", "31/100"),
    (r"31 \%", "31/100"),
    (r"0.5\,\%", "1/200"),
    (r"124\,\text{M}", "124000000"),
    (r"124\ \mathrm{M}", "124000000"),
    ("1750亿", "175000000000"),
    ("3860 万", "38600000"),
    ("3860 万参数", "38600000*参数"),
    ("2.5 GiB", "(5/2)*GiB"),
    ("350GB", "350*GB"),
    (r"350~\text{GB}", "350*GB"),
    ("312 TFLOPs", "312*TFLOPs"),
    (r"312\text{ TFLOP/s}", "312*(TFLOP/s)"),
    (r"312\,\mathrm{TFLOP}/\mathrm{s}", "312*TFLOP/s"),
    ("2 bytes/param", "2*bytes/param"),
    (r"2\,\text{bytes/param}", "2*(bytes/param)"),
    ("5.3 GB / sequence", "(53/10)*GB"),
    ("8×", "8"),
    (r"8\times", "8"),
    (r"33.2\times", "166/5"),
    ("~5.2 GB", "≈ (26/5)*GB"),
    (r"\text{Total params} = 12Ld^2", "Totalparams = 12*L*d**2"),
    (r"3\text{ B} + 4\text{ B}", "3000000000 + 4000000000"),
    ("1e12 FLOPs", "1000000000000*FLOPs"),
    (r"3 \times 10^{23}\ \mathrm{FLOPs}", "3*10**23*FLOPs"),
    (r"80\,\mathrm{GB/s}", "80*(GB/s)"),
    ("2 TB/s", "2*TB/s"),
    (r"7\text{B}", "7000000000"),
    ("7B", "7000000000"),
    ("70.6B", "70600000000"),
    ("175 billion", "175000000000"),
    ("1.5 trillion tokens", "1500000000000*tokens"),
    ("1024 tokens", "1024*tokens"),
    ("32 layers", "32*layers"),
    (r"32\text{ layers} \times 4096", "(32*layers)*4096"),
    (".5d", "(1/2)*d"),
    ("1{,}024", "1024"),
    ("1{,}024{,}000", "1024000"),
    (r"1\,024", "1024"),
    ("1'024", "1024"),
    ("1_024", "1024"),
    (r"1\;024", "1024"),
    ("n_{layers}", "n_layers"),
    ("n_layers", "n_layers"),
    ("num_layers * hidden_size", "num_layers*hidden_size"),
    ("1 GB = 10^9 bytes", "1*GB = 10**9*bytes"),
    ("1 GiB = 1024^3 bytes", "1*GiB = 1024**3*bytes"),
    (r"2 \text{ bytes} \times 7 \times 10^9", "(2*bytes)*7*10**9"),
    ("2 bytes × 7B = 14 GB", "(2*bytes)*7000000000 = 14*GB"),
    (r"0.1 \text{ s}", "(1/10)*s"),
    ("15 ms", "15*ms"),
    ("3.2 µs", "(16/5)*µs"),
    (r"3\,\mu\text{s}", "3*us"),
    (r"50 \%", "1/2"),
    (r"\frac{\text{FLOPs}}{\text{token}}", "FLOPstoken"),
    (r"\text{FLOPs per token} = 2N", "FLOPspertoken = 2*N"),
    (r"50{,}257 \cdot 768 \approx 38.6\text{M}", "50257*768 ≈ 38600000"),
    (r"M_{\text{KV}} = 2 \cdot b \cdot n \cdot L \cdot d_{kv} \cdot 2\,\text{bytes}", "M_KV = 2*b*n*L*d_kv*(2*bytes)"),
    (r"\text{KV cache} = 2 \times 32 \times 4096 \times 2 \text{ bytes} = 512 \text{ KiB}", "KVcache = 2*32*4096*(2*bytes) = 512*KiB"),
    (r"\underbrace{Vd}_{\text{embedding}}+\underbrace{L(12d^2)}_{\text{layers}}", "V*d + L*(12*d**2)"),
    (r"n_{\mathrm{params}}", "n_params"),
    (r"112\,\mathrm{GB}", "112*GB"),
    (r"3.35\ \mathrm{TB/s}", "(67/20)*(TB/s)"),
    (r"989\ \text{TFLOPS}", "989*TFLOPS"),
    (r"40 \, \text{ms}", "40*ms"),
    (r"0.75\text{ bits}", "(3/4)*bits"),
    ("显存 = 14 GB", "显存 = 14*GB"),
    ("约 14 GB", "≈ 14*GB"),
    ("2 字节 × 70 亿 = 140 亿字节", "(2*字节)*7000000000 = 14000000000*字节"),
    ("1.3 万亿", "1300000000000"),
    ("6710 亿参数", "671000000000*参数"),
    ("370 亿", "37000000000"),
]
CHAINS = [
    (r"\boxed{12Ld^2}", "12*L*d**2"),
    (r"\boxed{P = 12Ld^2}", "P = 12*L*d**2"),
    (r"\sim 5.2", "≈ 26/5"),
    ("P = ~5.2", "P ≈ 26/5"),
    ("a ≈ b", "a ≈ b"),
    ("a ≃ b", "a ≈ b"),
    ("a := b", "a := b"),
    (r"a \triangleq b", "a := b"),
    (r"a \coloneqq b", "a := b"),
    (r"a = b \implies c = d", "a = b ; c = d"),
    (r"a = b \quad \text{(tied)}", "a = b"),
    (r"a = b \qquad (m = 4d)", "a = b"),
    (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b = c"),
    (r"\begin{align*} a &= b \\ c &= d \end{align*}", "a = b ; c = d"),
    (r"\begin{gather} a = b \\ c = d \end{gather}", "a = b ; c = d"),
    (r"\begin{split} a &= b + c \\ &\quad + d \end{split}", "a = b + c + d"),
    (r"\begin{array}{ll} a = b \end{array}", "a = b"),
    (r"a = b \tag{3}", "a = b"),
    (r"a = b \label{eq:x}", "a = b"),
    ("参数量约为 12Ld^2", "参数量 ≈ 12*L*d**2"),
    ("C ≈ 6·N·D", "C ≈ 6*N*D"),
    (r"a \le b < c", "a ≤ b < c"),
    ("d_{k}=d_v=d/h", "d_k = d_v = d/h"),
    (r"a \neq b", "a ≠ b"),
    (r"a \propto b", "a ∝ b"),
    (r"a \ll b", "a ≪ b"),
    (r"a \gg b", "a ≫ b"),
    ("a → b", "a → b"),
    (r"\text{where } d = 4", "d = 4"),
    (r"a = b, \quad c = d", "a = b ; c = d"),
    (r"a = b \text{ and } c = d", "a = b ; c = d"),
    (r"a = b \text{ if } c = d", "a = b ; c = d"),
    (r"a = b = c \approx d", "a = b = c ≈ d"),
    (r"h_{kv} \ll h", "h_kv ≪ h"),
    (r"k \le E", "k ≤ E"),
    ("总参数量 ≈ 12 × 32 × 4096²", "总参数量 ≈ 12*32*4096**2"),
]


def as_code(statements):
    """`a = b ; c`: the sides as code, with their relations."""
    return " ; ".join(map(one_as_code, statements))


def one_as_code(statement):
    if isinstance(statement, Unread):
        return f"unread: {statement.message}"
    pieces = [statement.leading, statement.sides[0].formula.code]
    for relation, side in zip(statement.relations, statement.sides[1:], strict=True):
        pieces += [relation, side.formula.code]
    return " ".join(filter(None, pieces))


@pytest.mark.parametrize(("text", "code"), [*FORMULAS, *NUMBERS_AND_UNITS, *CHAINS])
def test_read(text, code):
    assert as_code(read_all(text)) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("hidden_size * vocab_size", "hidden_size*vocab_size"),
        ("2 x 4096 x 11008", "2*4096*11008"),
        ("2 bytes * 7B", "(2*bytes)*7000000000"),
        ("20 blocks × 4096", "20*4096"),
        ("10 (dropout) + 24 (matmul)", "10 + 24"),
        ("5.3 GB / sequence", "(53/10)*GB"),
        ("Total params = 124M", "Totalparams = 124000000"),
        ("KV cache per token = 2 * L * d_kv", "KVcachepertoken = 2*L*d_kv"),
        ("cfg.n_layer * 12", "n_layer*12"),
        ("ceil(V/64) * 64", "ceil(V/64)*64"),
        ("d_model // n_heads", "floor(d_model/n_heads)"),
        ("12 * n_layers * d_model**2", "12*n_layers*d_model**2"),
        ("0.0114 s", "(57/5000)*s"),
        ("memory = 16 * N", "memory = 16*N"),
        ("fp16 * 2", "fp16*2"),
    ],
)
def test_plain_text(text, code):
    assert as_code(read_all(text, plain=True)) == code


UNREAD = [
    ("38 597", "two numbers without a sign between them"),
    (r"f = \begin{cases} a & x > 0 \\ b & x < 0 \end{cases}", "cannot read the environment 'cases'"),
    (r"\|x\|", r"cannot read \|"),
    (r"\binom{n}{2}", r"cannot read \binom"),
    ("O(n^2)", "an order of growth, not a number"),
    (r"\mathcal{O}(n^2)", "an order of growth, not a number"),
    (r"W_K^\top", "a matrix, not a number"),
    (r"x \in \{1, 2\}", r"expected '\}' to close '\{'"),
    (r"1.5\text{--}2", "cannot read '--' here"),
    (r"\prod_{i=1}^n i", r"cannot read \prod"),
    (r"\int_0^1 x", r"cannot read \int"),
    (r"\exp(x)", "cannot read the function 'exp'"),
    (r"\%", "expected a number, a symbol or '('"),
    (r"a \cdot\cdot b", "expected a number, a symbol or '('"),
    (r"\mathbb{R}", r"cannot read \mathbb"),
    (r"a \pm b", r"cannot read \pm"),
    ("10 ± 2", "cannot read '±'"),
    ("--d", "expected a number, a symbol or '('"),
    ("a - -b", "expected a number, a symbol or '('"),
    ("a + + b", "expected a number, a symbol or '('"),
]


@pytest.mark.parametrize(("text", "message"), UNREAD)
def test_what_is_not_read_says_why(text, message):
    with pytest.raises(FormulaError) as error:
        read(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "value", "resolution", "unit", "full"),
    [
        (r"38.6\text{M}", 38_600_000, 100_000, "", False),
        ("1750亿", 175_000_000_000, 100_000_000, "", False),
        (r"6.44\times10^9", 6_440_000_000, 10_000_000, "", False),
        (r"84{,}934{,}656", 84_934_656, 1, "", True),
        ("350 GB", 350, 1, "GB", False),
        (r"2\,\text{bytes/param}", 2, 1, "bytes", True),
        ("5 tokens", 5, 1, "tokens", True),
        ("-3.17", Fraction(-317, 100), Fraction(1, 100), "", False),
        (r"-2 \times 10^3", -2000, 1000, "", False),
    ],
)
def test_what_the_digits_claim(text, value, resolution, unit, full):
    claim = read(text).sides[0].claim
    assert (claim.value, claim.resolution, claim.unit, claim.full) == (value, resolution, unit, full)


@pytest.mark.parametrize("text", [r"\frac{1}{3} \times 1000", r"\frac{2 \cdot 3}{5} \cdot 10^3", "12 × 32", "3d", "2(3)"])
def test_a_calculation_claims_nothing(text):
    assert read(text).sides[0].claim is None


@pytest.mark.parametrize("text", [text for text, _ in [*FORMULAS, *CHAINS]])
def test_sides_know_their_places(text):
    for statement in read_all(text):
        assert text[statement.start : statement.end] == statement.text
        assert all(text[side.start : side.end] == side.text for side in statement.sides)


@pytest.mark.parametrize(
    ("text", "column"), [("2d + ", 5), (r"a = \binom{n}{2}", 5), ("1 + 2 3", 7), ("12 ± 2", 4), (r"a = 3 + \oops", 9), ("(d", 3)]
)
def test_errors_know_their_column(text, column):
    with pytest.raises(FormulaError) as error:
        read(text)
    assert error.value.column == column


# anything at all


def nested(opening, inner, closing, depth):
    return opening * depth + inner + closing * depth


HOSTILE = {
    "braces": nested("{", "d", "}", 3000),
    "brackets": nested("(", "d", ")", 3000),
    "brackets around an equation": nested("(", "a=b", ")", 3000),
    "braces around an equation": nested("{", "a=b", "}", 3000),
    "fractions": nested(r"\frac{1}{", "d", "}", 900),
    "fonts": nested(r"\bm{", "d", "}", 1900),
    "words": nested(r"\text{", "d", "}", 1400),
    "boxes": nested(r"\boxed{", "a=b", "}", 1200),
    "subscripts": "d" + nested("_{a", "", "}", 2500),
    "powers": "d" + nested("^{2", "", "}", 2500),
    "a tower of powers": "9^{9^{9^9}}",
    "functions without brackets": r"\log" * 2400,
    "limits of limits": r"\lim_{d\to\infty}" * 500,
    "sums of sums": r"\sum_{i=1}^{2}" * 600,
    "many terms": "+".join(["d"] * 5000),
    "many digits": "7" * 20_000,
    "digits within the bounds": "7" * 3000 + "=" + "8" * 3000,
    "digits before an underscore": "1" * 9000 + "_",
    "many letters": "d" * 9999,
    "many primes": "d" + "'" * 9000,
    "many superscripts": "d" + "²" * 9000,
    "per cent of per cent": "5" + "%" * 9000,
    "many divisions": "d" + "/d" * 4900,
    "many sides": "d=" * 4999 + "d",
    "many marks": "&" * 9999,
    "many equations in a row": "a=b&" * 2400,
    "many rows": "a=b\\\\" * 1600,
    "many notes": r"a=b&\text{x}" * 800,
    "owners of owners": "config." * 1400 + "d",
    "a list that never ends": "P(" * 3300,
    "numbers that go on": "1,111" * 1900,
    "nul": "d\0 = 1",
    "a lone surrogate": "\ud800 = 1",
    "combining marks": "d" + "\u0301" * 5000,
    "unclosed words": r"\text{a",
    "unclosed fraction": r"\frac{a",
    "unclosed environment": r"\begin{aligned} a &= b",
    "unclosed environment name": r"\begin{",
    "unclosed bracket": r"\left( a = b",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("plain", [False, True])
def test_hostile_text_ends_quickly(name, plain):
    start = time.process_time()
    answers = read_all(HOSTILE[name], plain=plain)
    assert all(isinstance(answer, Statement | Unread) for answer in answers)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("name", HOSTILE)
def test_a_command_line_ends_quickly(name):
    start = time.process_time()
    for reads in (parse, parse_equations):
        with contextlib.suppress(FormulaError):
            reads(HOSTILE[name])
    assert time.process_time() - start < 1


PIECES = st.sampled_from(
    [
        *r"\frac{ \frac \sqrt{ \underbrace{ \text{ \mathrm{ \left( \right) \begin{aligned} \end{aligned} \begin{ \sum_{i=1}^ \lim_{d\to\infty} \log \max( "
        r"\lceil \rceil \partial \infty \cdot \times \approx \quad \\ \, \; \% \_ \{ \} \| \tilde \color{red} \tag{1} \oops { } ( ) [ ] ^ _ + - * / // ** = := ~ ≈ "
        "< > , ; . : ! ' | % & # $ @ d L V x s d_{kv} n_h hidden_size config. cfg FLOPs GB B M k 亿 万 参数 约为 约 其中 字节 12 2.5 3e-4 1,024 0 00 1.5.3 ² ⁿ ₁ θ µ √ ∑ （ ） ＝ ＋ × − １".split(),
        " ",
        "  ",
        "\n",
        "\x00",
        "\u2009",
        "́",
        "{}",
        "{,}",
    ]
)


@given(st.lists(PIECES, max_size=16).map("".join), st.booleans(), st.booleans())
@settings(max_examples=600, deadline=None)
def test_any_text_is_read_or_not(text, plain, worded):
    for answer in read_all(text, plain=plain, worded=worded):
        assert isinstance(answer, Statement | Unread)
        assert str(answer)
        if isinstance(answer, Statement):
            assert all(side.text == text[side.start : side.end] and side.formula.latex for side in answer.sides)


@given(st.lists(PIECES, max_size=10).map("".join))
@settings(max_examples=400, deadline=None)
def test_any_command_line_is_read_or_an_error_with_its_column(text):
    try:
        assert isinstance(parse(text), Formula)
    except FormulaError as error:
        assert error.column is not None and 1 <= error.column <= len(text) + 1


@given(st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_characters_are_read_or_not(text):
    assert all(isinstance(answer, Statement | Unread) for answer in read_all(text))
