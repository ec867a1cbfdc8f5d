"""The answers to scaling questions, as the commands ask them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from derive.agreement import check_own
from derive.algebra.normal import normal
from derive.calculus.allocation import FITS, allocate, derivations
from derive.calculus.answer import Answer, Cell, Column, Share, decimal_power, shown
from derive.calculus.crossover import general, overtaking_context
from derive.calculus.dominance import Threshold, dominance, error_below, leading_terms, percent_of, read_scaling, terms_by_part
from derive.calculus.inverse import USUAL_MULTIPLES, Candidate
from derive.calculus.inverse import solve as solved
from derive.calculus.rates import elasticities, elasticity, partial, tied_elasticity, total
from derive.calculus.steps import multiplied, one_more, one_more_token, padded
from derive.calculus.subject import Subject, subject
from derive.calculus.trade import exchange_rate, exchanged
from derive.conditions import BOUNDS, Sizes, check_possible, check_together, read_conditions, read_sizes
from derive.counting import count_model
from derive.derivation import Derivation, begin, limit, numbers_put_in, worked_out
from derive.errors import FormulaError
from derive.formula.numbers import decimal, percent
from derive.formula.parse import parse
from derive.formula.tree import Applied, Formula, Name, Number, terms_of
from derive.models import bundled_models
from derive.quantities import DEFAULT_VARIANT, Variant
from derive.reading import ReadModel, read_model
from derive.text import Text

WITH_EXACT_COUNT = ("GPT-2 small", "LLaMA-7B", "Llama-3-8B", "Llama-2-70B", "GPT-3 175B")
"""Dense models whose exact count is shown beside a leading formula."""


def limit_answer(
    quantity: str,
    over: str,
    scaling: str,
    given: str | None = None,
    below: str | None = None,
    at: str | None = None,
    variant: Variant = DEFAULT_VARIANT,
) -> Answer:
    """Whether a formula dominates, what the error is, at models, and from which size it is small."""
    of, leading, grow = subject(quantity, given, variant), subject(over, given, variant), read_scaling(scaling)
    if at is not None and below is None:
        raise FormulaError("--at gives the other sizes for --below; give both", at)
    found = dominance(of, leading, grow)
    why = Text("what the leading formula leaves out, over the whole", "被略去的部分与整体之比")
    error = begin((of.asked - leading.asked) / of.asked, found.error, why)
    derived = (found.derivation, error) if found.error != Number(0) else (found.derivation,)
    remarks = [] if found.dominates else [_not_dominant(leading, found.limit)]
    if below is not None:
        sizes = read_sizes(at) if at is not None else Sizes({})
        bound = percent_of(below)
        remarks.append(_threshold(error_below(found.error, grow, bound, sizes.numbers), bound, below))
    rows = _beside_models(of, leading)
    if not rows:
        return Answer(derived, remarks=tuple(remarks))
    remarks.append(
        Text(
            "behind the share: what each kind of component is of the exact count; ends are embedding, head and learned positions",
            "占比之后：各类组件在精确总数中的比例；两端指嵌入、输出头与可学习位置",
        )
    )
    heading = (
        Column("model", Text("model", "模型")),
        Column("exact", Text("exact count", "精确总数")),
        Column("formula", Text(leading.closed.text, leading.closed.text)),
        Column("share", Text("share", "占比")),
        *(Column(title.en.replace(", ", "_"), title) for title in _GROUPS),
    )
    return Answer(derived, heading, rows, tuple(remarks))


def rate_answer(
    quantity: str,
    name: str,
    given: str | None = None,
    ties: str | None = None,
    at: tuple[str, ...] = (),
    variant: Variant = DEFAULT_VARIANT,
) -> Answer:
    """Partial derivative and elasticity; under ties the total derivative and its elasticity; elasticities at models or sizes."""
    of = subject(quantity, given, variant)
    derived = [partial(of, name), _with_limit(elasticity(of, name), name, of)]
    if ties is not None:
        tied = read_conditions(ties)
        derived.append(total(of, name, tied))
        why = Text("the elasticity with the ties", "带关系的弹性")
        left = Applied("total_elasticity", (of.asked, Name(name)))
        derived.append(_with_limit(begin(left, tied_elasticity(of, name, tied), why), name, of))
    if not at:
        return Answer(tuple(derived))
    columns = [elasticities(of, _checked(of, each, given, of.closed.names).numbers) for each in at]
    rows: tuple[tuple[Cell, ...], ...] = tuple((symbol, *(column[symbol] for column in columns)) for symbol in of.closed.names)
    heading = (Column("symbol", Text("elasticity in", "弹性")), *(Column(each, Text(each, each)) for each in at))
    remark = Text("each with all other sizes held fixed", "其余尺寸均固定")
    return Answer(tuple(derived), heading, rows, (remark,))


def _with_limit(derived: Derivation, name: str, of: Subject) -> Derivation:
    """An elasticity with what it tends to, where the size can grow and the elasticity is not zero."""
    can_grow = name != "c" and (name not in BOUNDS or BOUNDS[name] in of.conditions)
    return derived.then(limit((name,))) if can_grow and normal(derived.result).numerator else derived


def change_answer(
    quantity: str,
    names: str,
    times: int | None = None,
    pad: int | None = None,
    given: str | None = None,
    at: str | None = None,
    variant: Variant = DEFAULT_VARIANT,
) -> Answer:
    """One more of a size, a size padded to a multiple, or several sizes multiplied."""
    of = subject(quantity, given, variant)
    symbols = tuple(name.strip() for name in names.split(","))
    if times is None and len(symbols) > 1:
        raise FormulaError("one more of one size at a time; several go with --times", names)
    if pad is not None and (at is None or times is not None):
        raise FormulaError("padding needs the size to be padded: give --at, and no --times", names)
    sizes = _checked(of, at, given, of.closed.names) if at is not None else Sizes({})
    count = 1 if pad is None else _padding(symbols[0], pad, sizes.numbers)
    if not count:
        none = Text(f"{symbols[0]} is a multiple of {pad} already: nothing is added", f"{symbols[0]} 已是 {pad} 的倍数，无须增加")
        return Answer((), remarks=(none,))
    found = one_more(of, symbols[0], count) if times is None else multiplied(of, symbols, times)
    if at is None:
        return Answer((found,))
    grown = {name: sizes.numbers[name] + count if times is None else sizes.numbers[name] * times for name in symbols}
    check_possible({**sizes.numbers, **grown}, at, of.closed.names)
    found = found.then(numbers_put_in(sizes.numbers), worked_out())
    value = Fraction(found.result.evaluate({}))
    about = f"{decimal(value, 6)}"
    return Answer((found,), remarks=() if value.denominator == 1 else (Text(f"about {about}", f"约 {about}"),))


def solve_answer(
    equation: str, symbol: str, given: str | None = None, multiple: int | None = None, variant: Variant = DEFAULT_VARIANT
) -> Answer:
    """The roots of an equation, and the whole sizes beside them."""
    if multiple is not None and not 1 <= multiple <= 10**9:
        raise FormulaError("a multiple lies between 1 and 10^9", str(multiple))
    found = solved(equation, symbol, given, multiple, variant)
    about = [_about(symbol, root.low) for root in found.roots if root.low.denominator != 1 or not root.exact]
    exact = [_alike(f"{symbol} = {root.low}") for root in found.roots if root.exact and not found.closed]
    rows = tuple(_candidate_row(each) for each in found.candidates)
    if not rows:
        return Answer(found.closed, remarks=(*exact, *about, *found.remarks), posed=found.posed)
    left, asked = (side.text for side in found.equation)
    right = asked if len(asked) < 30 else shown(found.candidates[0].right, "en", str)
    heading = (
        Column("size", Text(symbol, symbol)),
        Column("kind", Text("kind", "类型")),
        *(Column(name, Text(name, name)) for name, _ in found.candidates[0].tied),
        Column("value", Text(left, left)),
        Column("off", Text(f"off {right}", f"相对 {right} 的偏差")),
    )
    return Answer(found.closed, heading, rows, (*exact, *about, *found.remarks), found.posed)


def crossover_answer(model: str | None = None, share: str | None = None) -> Answer:
    """Where costs overtake one another: as formulas, and for a model as numbers."""
    part = percent_of(share) if share is not None else None
    formulas = general(part)
    meanings = Text(
        "feed-forward over attention is 2 where d_kv = d and the matrices of the feed-forward network hold 8d²; fewer key/value heads or a "
        "wider network raise it; attention to n tokens costs as much as the linear layers from the n above; a router is 1/(3m_e) of "
        "its experts",
        "前馈与注意力之比在 d_kv = d 且前馈矩阵共 8d² 时为 2；键值头更少或前馈更宽时更大；"
        "上下文达到上述 n 时，注意力与线性层计算量相等；路由器为其专家参数的 1/(3m_e)",
    )
    if model is None:
        return Answer(formulas, remarks=(meanings,))
    read = read_model(model)
    heading = (Column("what", Text(read.name, read.name)), Column("value", Text("value", "数值")), Column("unit", Text("unit", "单位")))
    convention = Text(
        "context: one new token attends to all before it or to its window, latent attention expanded; the linear layers without logits",
        "上下文：一个新词元关注此前全部词元或其窗口，潜在注意力按展开形式；线性层不含 logits",
    )
    return Answer(formulas, heading, tuple(_crossover_rows(read)), (meanings, convention))


def leading_answer(quantity: str, scaling: str, given: str | None = None, variant: Variant = DEFAULT_VARIANT) -> Answer:
    """The terms of a quantity in order of growth, and the factor by which the whole grows when the scaling symbols double."""
    of, grow = subject(quantity, given, variant), read_scaling(scaling)
    found = leading_terms(of, grow)
    rows: tuple[tuple[Cell, ...], ...] = tuple(terms_by_part(quantity, grow, of.conditions, variant))
    rows = rows or tuple((degree, term) for degree, group in found for term in terms_of(group))
    doubled = multiplied(of, grow, 2)
    remark = _why_not_all(found[0][0], tuple(rows))
    heading = (Column("degree", Text("degree", "次数")), Column("term", Text("term", "项")), Column("of", Text("of", "来自")))[
        : len(rows[0])
    ]
    return Answer((doubled,), heading, rows, (remark,))


def _why_not_all(highest: int, rows: tuple[tuple[Cell, ...], ...]) -> Text:
    """Why the whole grows less than its leading terms, when what scales is doubled."""
    factor = Fraction(2) ** highest
    slower = [row for row in rows if row[0] != highest]
    if not slower:
        return Text(f"doubled, the whole grows by {factor} exactly", f"加倍后整体恰好乘以 {factor}")
    parts = ", ".join(dict.fromkeys(str(row[2]) for row in slower if len(row) > 2)) or ", ".join(str(row[1]) for row in slower)
    return Text(
        f"doubled, the leading terms grow by {factor}; the whole does not quite, because of terms of lower degree: {parts}",
        f"加倍后最高次项乘以 {factor}；整体略有不同，因为还有低次项：{parts}",
    )


def allocation_answer(budget: str) -> Answer:
    """The best parameters and tokens for a training budget, under each published fit."""
    asked = parse(budget)
    if asked.names:
        raise FormulaError("a budget is a number of FLOPs, as in 5.76e23", budget)
    number = Fraction(asked.evaluate({}))
    rows = []
    for fit in FITS:
        best = allocate(number, fit)
        exponent = fit.beta / (fit.alpha + fit.beta)
        rows.append(
            (
                fit.source,
                _rough(best.parameters),
                _rough(best.tokens),
                f"{best.ratio:.3g}",
                f"{float(exponent):.3f}",
                f"{float(1 - exponent):.3f}",
            )
        )
    heading = (
        Column("fit", Text("fit", "拟合")),
        Column("N", Text("parameters `N`", "参数量 `N`")),
        Column("D", Text("tokens `D`", "词元数 `D`")),
        Column("D/N", Text("D/N", "D/N")),
        Column("exponent_N", Text("exponent of `N`", "`N` 的指数")),
        Column("exponent_D", Text("exponent of `D`", "`D` 的指数")),
    )
    remark = Text(
        "D/N goes with `C^((α - β)/(α + β))`: it is the same at every budget only where `α` equals `β`, and then it is "
        "`(B/A)^(1/α)`. So 20 tokens for each parameter is a property of the fitted constants",
        "D/N 随 `C^((α - β)/(α + β))` 变化：仅当 `α` 等于 `β` 时与预算无关，此时为 `(B/A)^(1/α)`。故“每参数 20 词元”取决于拟合常数",
    )
    return Answer(derivations(), heading, tuple(rows), (remark,))


def trade_answer(
    quantity: str,
    size: str,
    other: str,
    given: str | None = None,
    at: str | None = None,
    multiple: int | None = None,
    variant: Variant = DEFAULT_VARIANT,
) -> Answer:
    """What a size is exchanged for at the same whole; with numbers, the other size at several of it."""
    of = subject(quantity, given, variant)
    if multiple is not None and not 1 <= multiple <= 10**9:
        raise FormulaError("a multiple lies between 1 and 10^9", str(multiple))
    derived = exchange_rate(of, size, other)
    if at is None:
        return Answer(derived)
    sizes = _checked(of, at, None, of.closed.names)
    step = multiple or USUAL_MULTIPLES.get(size, 1)
    rows = tuple((each.size, each.other, each.whole, each.value) for each in exchanged(of, size, other, sizes.numbers, step))
    whole = Text(f"`{other}` rounded down", f"`{other}` 向下取整")
    heading = (Column(size, _alike(size)), Column(other, _alike(other)), Column("whole", whole), Column("value", _alike(of.asked.text)))
    budget = f"{of.asked.text} = {shown(Fraction(of.closed.evaluate(sizes.numbers)), 'en', str)}"
    remark = Text(
        f"each {other} spends {budget}; a whole one, rounded down, what stands beside it",
        f"各 {other} 均对应 {budget}；取整（向下）后如旁所示",
    )
    return Answer(derived, heading, rows, (remark,))


def token_answer() -> Answer:
    """The five readings of one more token, and the two that are steps of a size as derivations."""
    rows = tuple((each.meaning, each.adds, each.with_bias, each.unit) for each in one_more_token())
    heading = (
        Column("meaning", Text("one more token", "多一个词元")),
        Column("adds", Text("adds", "增加")),
        Column("with_bias", Text("with bias", "含偏置")),
        Column("unit", Text("unit", "单位")),
    )
    return Answer((one_more(subject("c*V*d"), "V"), one_more(subject("n*N_kv"), "n")), heading, rows)


def _not_dominant(leading: Subject, tends_to: Formula) -> Text:
    return Text(
        f"{leading.asked.text} does not dominate along this scaling: the ratio tends to {tends_to.text}",
        f"{leading.asked.text} 在此增长方式下不是主项：比值趋于 {tends_to.text}",
    )


def _threshold(found: Threshold, bound: Fraction, below: str) -> Text:
    """From which size the error is small, its values there with as many digits as set them apart from the bound."""
    at = _apart(found.error, bound)
    before = (
        Text(f", {_apart(found.before, bound)} just before", f"，此前为 {_apart(found.before, bound)}")
        if found.before is not None
        else Text("", "")
    )
    return (
        Text(
            f"from {found.symbol} = {found.size:,} on the error stays below {below}: {at} there",
            f"自 {found.symbol} = {found.size:,} 起误差低于 {below}：该处 {at}",
        )
        + before
    )


def _apart(value: Fraction, bound: Fraction) -> str:
    for digits in range(4, 12):
        text = percent(value, 1, digits)
        if Fraction(text.removesuffix(" %").replace(",", "")) != abs(bound) * 100:
            return text
    return text


def _check(of: Subject, sizes: Sizes, given: str | None, at: str | None) -> None:
    """`FormulaError` where conditions contradict sizes, or a model has another number under the name of a quantity."""
    text = " with ".join(text for text in (given, at) if text)
    check_together(of.conditions, sizes, text)
    check_possible(sizes.numbers, text, of.closed.names)
    if sizes.model is not None:
        for name, form in of.quantities.items():
            if set(form.names) <= sizes.numbers.keys():
                check_own(name, Fraction(form.evaluate(sizes.numbers)), sizes.model, sizes.numbers)


def _checked(of: Subject, at: str, given: str | None, needed: Iterable[str]) -> Sizes:
    """Sizes that give a number for every symbol of a formula, and that agree with it."""
    sizes = read_sizes(at)
    if sizes.model is not None:
        for name in of.quantities:
            check_own(name, None, sizes.model, sizes.numbers)
    missing = [name for name in needed if name not in sizes.numbers]
    if missing:
        raise FormulaError(f"no number given for {', '.join(missing)}", at)
    _check(of, sizes, given, at)
    return sizes


def _padding(name: str, multiple: int, sizes: Mapping[str, int]) -> int:
    if name not in sizes:
        raise FormulaError("no number given for the size to be padded", name)
    return padded(sizes[name], multiple) - sizes[name]


def _alike(text: str) -> Text:
    return Text(text, text)


def _about(symbol: str, value: Fraction) -> Text:
    number = decimal(value, 10) if value < 10**24 else decimal_power(value)
    return Text(f"{symbol} is about {number}", f"{symbol} 约为 {number}")


def _candidate_row(each: Candidate) -> tuple[Cell, ...]:
    off = Share((each.left - each.right) / each.right) if each.right else None
    return (each.size, each.kind, *(size for _, size in each.tied), each.left, off)


def _crossover_rows(read: ReadModel) -> Iterable[tuple[Cell, ...]]:
    counted = count_model(read)
    stored = {part.name: part.parameters for part in counted.components}
    active = {part.name: part.active for part in counted.components}
    tokens, each = Text("tokens", "词元"), Text("to 1", "比 1")
    yield (
        Text("context where attention costs as much as the linear layers", "注意力与线性层计算量相等的上下文"),
        overtaking_context(read.numbers),
        tokens,
    )
    for parts, kind in ((stored, Text("stored", "存储")), (active, Text("active", "激活"))):
        attention = parts.get("attention") or parts["latent attention"]
        dense = sum(parts.get(name, 0) for name in ("feed-forward", "routed experts", "shared experts"))
        yield Text("feed-forward parameters over those of attention, ", "前馈与注意力参数之比，") + kind, Fraction(dense, attention), each
        if stored == active:
            break
    ends = stored["token embedding"] + stored["output head"]
    of_whole = Text("of the whole", "占整体")
    yield Text("embedding and head", "嵌入与输出头"), Share(Fraction(ends, counted.total)), of_whole
    if "router" in stored:
        yield Text("router", "路由器"), Share(Fraction(stored["router"], counted.total)), of_whole


def _rough(value: float) -> str:
    return f"{value:.3g}"


_GROUPS = {
    Text("attention", "注意力"): ("attention",),
    Text("feed-forward", "前馈"): ("feed-forward",),
    Text("ends", "两端"): ("token embedding", "output head", "learned positions"),
    Text("norms", "归一化"): ("norms", "final norm"),
}


def _beside_models(of: Subject, leading: Subject) -> tuple[tuple[Cell, ...], ...]:
    """A leading formula of the whole model beside the exact count of real ones, and what that consists of."""
    if of.asked != Name("P_total"):
        return ()
    rows: list[tuple[int, tuple[Cell, ...]]] = []
    for name in (model.name for model in bundled_models() if model.name in WITH_EXACT_COUNT):
        read = read_model(name)
        if set(leading.closed.names) <= read.sizes.keys():
            counted, value = count_model(read), Fraction(leading.closed.evaluate(read.sizes))
            parts = {part.name: part.parameters for part in counted.components}
            shares = (Share(Fraction(sum(parts.get(part, 0) for part in group), counted.total)) for group in _GROUPS.values())
            rows.append((counted.total, (name, counted.total, value, Share(value / counted.total), *shares)))
    return tuple(row for _, row in sorted(rows, key=lambda row: row[0]))
