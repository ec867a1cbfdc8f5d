"""Compute-optimal scaling: how a training budget divides between parameters and tokens, and what that depends on.

The loss is fitted as E + A / N^α + B / D^β; the budget is C = 6 N D. Exponents are symbols here, so the steps are proved
with SymPy, whose powers of positive symbols the exact normal form does not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.derivation import Derivation, begin
from derive.errors import FormulaError, StepError
from derive.formula.sympy_form import to_sympy
from derive.formula.tidy import negated
from derive.formula.tree import Applied, Formula, Name, Number, Power, Product, Quotient, Sum
from derive.text import Text

N, D, C, A, B, E, ALPHA, BETA = (Name(name) for name in ("N", "D", "C", "A", "B", "E", "α", "β"))


@dataclass(frozen=True, slots=True)
class Fit:
    """Constants of a fitted loss, and who fitted them."""

    source: str
    A: Fraction
    B: Fraction
    alpha: Fraction
    beta: Fraction


FITS: tuple[Fit, ...] = (
    Fit("Hoffmann et al. 2022, arXiv:2203.15556, approach 3", Fraction("406.4"), Fraction("410.7"), Fraction("0.34"), Fraction("0.28")),
    Fit(
        "Besiroglu et al. 2024, arXiv:2404.10102 (the same data, fitted again)",
        Fraction("482.01"), Fraction("2085.43"), Fraction("0.3478"), Fraction("0.3658"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Allocation:
    """The best number of parameters and of tokens for a budget, under one fit; rounded where it is printed."""

    fit: Fit
    parameters: float
    tokens: float

    @property
    def ratio(self) -> float:
        """Tokens per parameter."""
        return self.tokens / self.parameters


def derivations() -> tuple[Derivation, ...]:
    """The loss along the budget, its derivative, the condition of Lagrange, the best N and D, and their ratio, each proved."""
    exponents = Sum((ALPHA, BETA))
    ratio, inverse = Quotient(Product((ALPHA, A)), Product((BETA, B))), Quotient(Product((BETA, B)), Product((ALPHA, A)))
    budget = Quotient(C, Number(6))
    best_N = Product((Power(ratio, Quotient(Number(1), exponents)), Power(budget, Quotient(BETA, exponents))))
    best_D = Product((Power(inverse, Quotient(Number(1), exponents)), Power(budget, Quotient(ALPHA, exponents))))
    tokens = Product((Power(inverse, Quotient(Number(2), exponents)), Power(budget, Quotient(Sum((ALPHA, negated(BETA))), exponents))))
    gain_N, gain_D = Product((ALPHA, A, Power(N, negated(ALPHA)))), Product((BETA, B, Power(D, negated(BETA))))
    _prove_stationary(gain_N, gain_D)
    _prove_best(best_N, best_D, tokens)
    loss = Sum((E, Quotient(A, Power(N, ALPHA)), Quotient(B, Power(D, BETA))))
    slope = Sum((gain_D, negated(gain_N)))
    fitted = Text("the fitted loss", "拟合的损失")
    slopes = Text("along `C = 6*N*D`, where `D` falls as `N` grows", "沿 `C = 6*N*D`，`N` 增则 `D` 减")
    equal = Text("so at the optimum the gains are equal (Lagrange)", "故最优处两者的边际收益相等（拉格朗日）")
    return (
        begin(Name("L"), loss, fitted),
        begin(Applied("log_slope", (Name("L"), N)), slope, slopes),
        begin(gain_N, gain_D, equal),
        begin(Applied("best", (N,)), best_N, Text("with `C = 6*N*D`", "代入 `C = 6*N*D`")),
        begin(Applied("best", (D,)), best_D, Text("from `D = C/(6*N)`", "由 `D = C/(6*N)`")),
        begin(Quotient(Applied("best", (D,)), Applied("best", (N,))), tokens, Text("tokens for each parameter", "每个参数的词元数")),
    )


def allocate(budget: Fraction, fit: Fit) -> Allocation:
    """The best parameters and tokens for a budget of training FLOPs, under a fit. Raises `FormulaError` beyond 6 to 10^40."""
    if not 6 <= budget < 10**40:
        raise FormulaError("a budget of training FLOPs lies between 6 and 10^40, as in 5.76e23", str(budget)[:40])
    alpha, beta, flops = float(fit.alpha), float(fit.beta), float(budget)
    constant = (alpha * float(fit.A) / (beta * float(fit.B))) ** (1 / (alpha + beta))
    parameters = constant * (flops / 6) ** (beta / (alpha + beta))
    return Allocation(fit, parameters, flops / (6 * parameters))


def _symbols(expression: Any) -> Any:
    """The same with positive symbols, for which powers may be taken apart."""
    import sympy

    return expression.subs({symbol: sympy.Symbol(symbol.name, positive=True) for symbol in expression.free_symbols})


def _prove_stationary(left: Formula, right: Formula) -> None:
    """Along C = 6 N D the derivative of the loss by ln N is right - left, so it vanishes where they are equal."""
    import sympy

    loss = Sum((E, Quotient(A, Power(N, ALPHA)), Quotient(B, Power(D, BETA))))
    along = _symbols(to_sympy(loss)).subs(sympy.Symbol("D", positive=True), _symbols(to_sympy(Quotient(C, Product((Number(6), N))))))
    n = sympy.Symbol("N", positive=True)
    gain = (n * sympy.diff(along, n)).subs(_symbols(to_sympy(C)), _symbols(to_sympy(Product((Number(6), N, D)))))
    if sympy.simplify(sympy.powsimp(sympy.expand_power_base(gain - _symbols(to_sympy(right)) + _symbols(to_sympy(left)), force=True))) != 0:
        raise StepError("the condition of Lagrange does not hold")


def _prove_best(best_N: Formula, best_D: Formula, tokens: Formula) -> None:
    """The best N and D spend the budget, have the ratio `tokens`, and make both gains equal (compared by their logarithms)."""
    import sympy

    n, d = _symbols(to_sympy(best_N)), _symbols(to_sympy(best_D))
    a, b, alpha, beta, c = (_symbols(to_sympy(name)) for name in (A, B, ALPHA, BETA, C))

    def logarithm(expression: Any) -> Any:
        return sympy.expand_log(sympy.log(expression), force=True)

    spent = logarithm(6 * n * d) - sympy.log(c)
    balanced = logarithm(alpha * a) - alpha * logarithm(n) - logarithm(beta * b) + beta * logarithm(d)
    apart = logarithm(d) - logarithm(n) - logarithm(_symbols(to_sympy(tokens)))
    if any(sympy.simplify(rest) != 0 for rest in (spent, balanced, apart)):
        raise StepError("the best N and D do not satisfy the condition of Lagrange under the budget")
