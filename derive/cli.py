"""The command line: reads arguments, calls one function, prints."""

from __future__ import annotations

import atexit
import gc
import io
import sys
from typing import TYPE_CHECKING, Any

gc.set_threshold(100_000)  # before anything is loaded: a command that ends soon leaves few cycles to look for,
atexit.register(gc.freeze)  # and at its end none

import click

from derive.commands.book import book, fill
from derive.commands.check import check, explain
from derive.commands.count import count
from derive.commands.trace import trace
from derive.commands.window import window_width
from derive.errors import DeriveError

if TYPE_CHECKING:
    from collections.abc import Callable

    from derive.calculus.answer import Answer


class _Group(click.Group):
    """A command group that prints our errors as one line and exits with 2."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except DeriveError as error:
            message = str(error)
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "derive"
            message = f"{error.format_message().rstrip('.')}. Try '{command} --help'."
        except OSError as error:
            message = f"cannot write: {error.strerror}"
        from derive.text import printable

        click.echo(f"derive: {printable(' '.join(message.split()))}", err=True)
        return context.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="derive", message="derive %(version)s")
def main() -> None:
    """The arithmetic of Transformer language models: closed forms, proved derivations, exact counts."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a letter shows a question mark
            stream.reconfigure(errors="replace")


def _kind(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which kind of block the named quantities speak of."""
    options = (
        click.option("--bias", is_flag=True, help="Attention and feed-forward projections with biases."),
        click.option("--head-bias", is_flag=True, help="Output head with a bias."),
        click.option(
            "--ffn", type=click.Choice(["gated", "two-matrix"]), default="gated", show_default=True, help="Kind of feed-forward network."
        ),
        click.option("--norm", type=click.Choice(["rms", "layer"]), default="rms", show_default=True, help="RMSNorm or LayerNorm."),
        click.option("--positions", is_flag=True, help="With a table of learned positions."),
        click.option("--shared", is_flag=True, help="With shared experts."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@main.command()
@click.argument("quantity", required=False)
@click.option("--family", metavar="MODEL_TYPE", help="Instead of a quantity: the closed form of a model type (qwen3_moe, gpt2, …).")
@click.option("--given", metavar="EQUATIONS", help="Substitute, as in 'd_kv=d, m=8*d/3'.")
@click.option("--expand", is_flag=True, help="Multiply out.")
@click.option("--factor", is_flag=True, help="Factor.")
@click.option("--at", metavar="NUMBERS|MODEL", help="Put numbers in: 'L=32, d=4096', a bundled model, or a config.json.")
@_kind
@click.option("--latex", "form", flag_value="latex", help="Print LaTeX.")
@click.option("--markdown", "form", flag_value="markdown", help="Print Markdown.")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of the reasons.")
def show(quantity: str | None, family: str | None, form: str | None, language: str, **options: Any) -> None:
    """The closed form of a named quantity (P_attn, P_block, P_total, …), derived line by line; or that of a model type.

    'derive quantities' lists the names.
    """
    if (quantity is None) == (family is None):
        raise click.UsageError("name a quantity, or a model type with --family")
    if family is not None:
        _show_family(family, form, language)
    elif quantity is not None:
        _show_quantity(quantity, form, language, options)


def _show_family(model_type: str, form: str | None, language: str) -> None:
    from derive.family_text import family_count, family_markdown, family_report

    count = family_count(model_type)
    if form == "latex":
        click.echo(count.latex)
    else:
        click.echo(family_markdown(count, language) if form == "markdown" else family_report(count, window_width(), language))


def _show_quantity(quantity: str, form: str | None, language: str, options: dict[str, Any]) -> None:
    import derive.showing as showing
    from derive.book.writing import derivation_latex, derivation_markdown
    from derive.report import derivation_report

    result = showing.show(quantity, **options)
    if form == "latex":
        click.echo(derivation_latex(result.derivation, language))
    elif form == "markdown":
        click.echo(derivation_markdown(result.derivation, language))
    else:
        click.echo(derivation_report(result.title(language), result.derivation, window_width(), language))
    for note in result.notes:
        click.echo(f"note: {note}", err=True)


_GIVEN = click.option("--given", metavar="EQUATIONS", help="Conditions, as in 'd_kv=d, m=8*d/3'.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_LANGUAGE = click.option("--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of the reasons.")


def _forms(command: Callable[..., None]) -> Callable[..., None]:
    """The options that choose how a derivation is printed."""
    latex = click.option("--latex", "form", flag_value="latex", help="Print LaTeX.")
    markdown = click.option("--markdown", "form", flag_value="markdown", help="Print Markdown.")
    return latex(markdown(_JSON(_LANGUAGE(command))))


@main.command()
@click.argument("quantity")
@click.option("--over", required=True, metavar="FORMULA", help="What is thought to lead, as in '12*L*d^2'.")
@click.option("--as", "scaling", required=True, metavar="SCALING", help="What grows: 'd->oo', or 'd,V->oo' in proportion.")
@_GIVEN
@click.option("--below", metavar="PERCENT", help="The size from which the error stays below this, as in '5%'.")
@click.option("--at", metavar="NUMBERS", help="The other sizes for --below, as in 'L=32, V=32000, c=2'.")
@_kind
@_forms
def limit(quantity: str, as_json: bool, form: str | None, language: str, **asked: Any) -> None:
    """Whether a formula leads a quantity as sizes grow: the ratio expanded, its limit, and the exact error."""
    from derive.calculus.answers import limit_answer

    _print_answer(limit_answer(quantity, **_of_kind(asked)), form, as_json, language)


@main.command()
@click.argument("quantity")
@click.option("--by", "name", required=True, metavar="SYMBOL", help="The size that changes.")
@_GIVEN
@click.option("--ties", metavar="EQUATIONS", help="Sizes tied to it, as in 'm=4d': the total derivative, too.")
@click.option("--at", multiple=True, metavar="NUMBERS|MODEL", help="Elasticities in every size of a model; may be repeated.")
@_kind
@_forms
def rate(quantity: str, as_json: bool, form: str | None, language: str, **asked: Any) -> None:
    """How fast a quantity changes with a size: partial derivative, elasticity, and under ties the total derivative."""
    from derive.calculus.answers import rate_answer

    _print_answer(rate_answer(quantity, **_of_kind(asked)), form, as_json, language)


@main.command()
@click.argument("quantity")
@click.option("--by", "names", required=True, metavar="SYMBOLS", help="The size that changes; several for --times, as in 'd,m'.")
@click.option("--times", type=int, metavar="FACTOR", help="Multiply instead of adding one, as in 2 for doubling.")
@click.option("--pad", type=int, metavar="MULTIPLE", help="Round the size of --at up to a multiple, as vocabularies are padded.")
@_GIVEN
@click.option("--at", metavar="NUMBERS|MODEL", help="Put numbers in.")
@_kind
@_forms
def change(quantity: str, as_json: bool, form: str | None, language: str, **asked: Any) -> None:
    """What one more of a size adds (one layer, expert, vocabulary entry, …), or by what factor doubling it multiplies."""
    from derive.calculus.answers import change_answer

    _print_answer(change_answer(quantity, **_of_kind(asked)), form, as_json, language)


@main.command()
@click.argument("equation")
@click.option("--for", "symbol", required=True, metavar="SYMBOL", help="The unknown.")
@_GIVEN
@click.option("--multiple", type=int, metavar="N", help="Realisable sizes are multiples of this; 128 for d, 256 for m by default.")
@_kind
@_forms
def solve(equation: str, as_json: bool, form: str | None, language: str, **asked: Any) -> None:
    """The size that solves an equation such as 'P_total = 7e9': closed form, exact root, and whole sizes beside it."""
    from derive.calculus.answers import solve_answer

    _print_answer(solve_answer(equation, **_of_kind(asked)), form, as_json, language)


@main.command()
@click.argument("quantity")
@click.option("--as", "scaling", required=True, metavar="SCALING", help="What grows: 'd->oo', or 'd,V->oo' in proportion.")
@_GIVEN
@_kind
@_forms
def leading(quantity: str, as_json: bool, form: str | None, language: str, **asked: Any) -> None:
    """The terms of a quantity, those that grow fastest first, and the exact factor of doubling."""
    from derive.calculus.answers import leading_answer

    _print_answer(leading_answer(quantity, **_of_kind(asked)), form, as_json, language)


@main.command()
@click.argument("model", required=False)
@click.option("--share", metavar="PERCENT", help="The depth from which embedding and head are less than this, as in '5%'.")
@_forms
def crossover(model: str | None, share: str | None, **form: Any) -> None:
    """Where costs overtake one another: attention and linear layers, attention and feed-forward, router, embedding.

    As formulas; with MODEL also as its numbers.
    """
    from derive.calculus.answers import crossover_answer

    _print_answer(crossover_answer(model, share), **form)


@main.command()
@click.argument("quantity")
@click.option("--of", "size", required=True, metavar="SYMBOL", help="The size that is chosen, as in d.")
@click.option("--for", "other", required=True, metavar="SYMBOL", help="The size that follows, as in L.")
@_GIVEN
@click.option("--at", metavar="NUMBERS|MODEL", help="Whose total is spent: the other size at several of the first.")
@click.option("--multiple", type=int, metavar="N", help="Sizes are multiples of this; 128 for d, 256 for m by default.")
@_kind
@_forms
def trade(quantity: str, as_json: bool, form: str | None, language: str, **asked: Any) -> None:
    """What one size is exchanged for at the same total, such as depth for width at the same parameters."""
    from derive.calculus.answers import trade_answer

    _print_answer(trade_answer(quantity, **_of_kind(asked)), form, as_json, language)


@main.command()
@click.argument("budget")
@_forms
def allocate(budget: str, **form: Any) -> None:
    """The compute-optimal parameters and tokens for BUDGET training FLOPs (as in 5.76e23), derived, under published fits."""
    from derive.calculus.answers import allocation_answer

    _print_answer(allocation_answer(budget), **form)


@main.command("one-more-token")
@_forms
def one_more_token(**form: Any) -> None:
    """The five readings of "one more token", and what each adds."""
    from derive.calculus.answers import token_answer

    _print_answer(token_answer(), **form)


@main.command()
def quantities() -> None:
    """The named quantities that 'derive show' derives, with their closed forms."""
    from derive.formula.inline import inline_text
    from derive.listing import print_table
    from derive.quantities import quantities as known

    print_table(
        ("quantity", "meaning", "closed form"),
        [(each.name, inline_text(each.meaning.en), each.formula.text) for each in known().values()],
    )


@main.command()
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of the meanings.")
def symbols(language: str) -> None:
    """The vocabulary: every symbol, its meaning, unit, and other names (config.json keys among them)."""
    from derive.formula.inline import inline_text
    from derive.listing import print_table
    from derive.symbols import VOCABULARY

    print_table(
        ("symbol", "meaning", "unit", "other names"),
        [(each.name, inline_text(each.meaning.in_(language)), each.unit.in_(language), ", ".join(each.other_names)) for each in VOCABULARY],
    )


@main.command()
def models() -> None:
    """The bundled models and where their sizes were published."""
    from derive.counting import count as counted
    from derive.listing import print_table
    from derive.models import bundled_models

    print_table(
        ("model", "family", "parameters", "source"),
        [(each.name, each.config.model_type, f"{counted(each.config).total:,}", each.source) for each in bundled_models()],
    )


def _print_answer(answer: Answer, form: str | None, as_json: bool, language: str) -> None:
    """An answer in the form asked for."""
    from derive.report import answer_report

    if as_json and form is not None:
        raise click.UsageError("one form at a time: --json, --latex or --markdown")
    if as_json:
        import json

        click.echo(json.dumps(answer.as_dict(language), ensure_ascii=False, indent=2))
        return
    if form is None:
        click.echo(answer_report(answer, window_width(), language))
        return
    from derive.book.answers import answer_latex, answer_markdown

    click.echo((answer_latex if form == "latex" else answer_markdown)(answer, language))


def _of_kind(asked: dict[str, Any]) -> dict[str, Any]:
    """The options of a question, those of `_kind` gathered to a variant."""
    from derive.quantities import Variant

    kind = {name: asked.pop(name) for name in ("bias", "head_bias", "ffn", "norm", "positions", "shared")}
    return {**asked, "variant": Variant(**kind)}


for _command in (book, check, count, explain, fill, trace):
    main.add_command(_command)
