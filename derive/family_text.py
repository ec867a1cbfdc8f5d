"""`derive show --family`: the closed form of a model type, component by component, with what its symbols stand for."""

from __future__ import annotations

from derive.atlas import form_of, traced_types
from derive.atlas.completing import as_config
from derive.book.tables import table
from derive.config import Config
from derive.counting import Count, count_model
from derive.errors import ConfigError
from derive.families import has_family, unknown_type
from derive.formula.tree import Name
from derive.reading import read_model
from derive.report import columns, folded
from derive.symbols import BY_NAME

_HEADINGS = {
    "en": (("component", "formula", "by default"), ("symbol", "meaning", "by default")),
    "zh": (("组成部分", "公式", "默认值"), ("符号", "含义", "默认值")),
}


def family_count(model_type: str) -> Count:
    """The count of a type at the sizes that its implementation has by default.

    Raises `ConfigError` where the type is not known, or has a family by hand but no defaults.
    """
    form = form_of(model_type)
    if form is not None:
        return count_model(read_model(Config(as_config(form, {}), model_type)))
    if has_family(model_type):
        raise ConfigError(f"{model_type}: no default sizes are known; 'derive count CONFIG' shows the closed form of a configuration")
    return unknown_type(Config({"model_type": model_type}, "--family"), traced_types())


def family_report(count: Count, width: int, language: str = "en") -> str:
    """The components, the closed form, and each symbol with its meaning and its default."""
    rows = [[part.name, part.formula.text] for part in count.components]
    table = columns(rows)
    if max(map(len, table)) > width:
        table = [line for name, formula in rows for line in (name, "  " + folded(formula, width, 4))]
    left = "P_total = "
    symbols = [[f"{symbol} = {size}", _meaning(symbol, language)] for symbol, size in count.symbols.items()]
    wide = columns(symbols)
    if max(map(len, wide)) > width:
        wide = [line for symbol, meaning in symbols for line in (symbol, "  " + folded(meaning, width, 2)) if line.strip()]
    notes = [line for note in count.notes for line in ("", *folded(f"note: {note}", width).split("\n"))]
    title = f"{count.family}: parameters by component, sizes as its implementation has them by default"
    return "\n".join((folded(title, width), "", *table, "", left + folded(count.closed_form.text, width, len(left)), "", *wide, *notes))


def family_markdown(count: Count, language: str = "en") -> str:
    """The same for a document."""
    parts = [[part.name, f"${part.formula.latex}$", f"{part.parameters:,}"] for part in count.components]
    symbols = [[f"${Name(symbol).latex}$", _meaning(symbol, language), f"{size:,}"] for symbol, size in count.symbols.items()]
    of_parts, of_symbols = _HEADINGS[language]
    total = f"$$P_{{\\mathrm{{total}}}} = {count.closed_form.latex}$$"
    return "\n".join((table(of_parts, parts, right=(2,)), total, table(of_symbols, symbols, right=(2,)))).strip()


def _meaning(symbol: str, language: str) -> str:
    """What a symbol stands for; a field of the configuration is called by its own name."""
    return BY_NAME[symbol].meaning.in_(language).replace("`", "") if symbol in BY_NAME else ""
