"""Pictures of a book, drawn once and kept."""

from __future__ import annotations

from derive.book.charts import chart_of
from derive.book.drawing import drawn, drawn_with
from derive.book.output.store import Store, key_of


def picture(name: str, form: str, language: str, store: Store | None = None) -> bytes:
    """A figure as `svg` or `pdf`, labelled in a language."""
    if store is None:
        return drawn(chart_of(name), language)[form]
    keys = {each: key_of("picture", name, each, language, drawn_with(language)) for each in ("svg", "pdf")}
    found = store.get(keys[form])
    if found is None:
        made = drawn(chart_of(name), language)
        for each, key in keys.items():
            store.put(key, made[each])
        found = made[form]
    return found
