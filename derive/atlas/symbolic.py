"""Expressions of a traced form in the field's symbols: `num_attention_heads * head_dim` is d_q."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from derive.atlas.completing import IncompleteError
from derive.atlas.expression import PLACES, Places, holds, names_in, path_of, value
from derive.atlas.layered import at, own_path
from derive.formula.tree import Dim, Name
from derive.symbols import VOCABULARY

_OWN_WORDS: Mapping[str, str] = {
    "d_model": "d", "n_embed": "d", "dim": "d", "emb_dim": "d", "n_heads": "h", "num_heads": "h", "encoder_attention_heads": "h_enc",
    "decoder_attention_heads": "h", "n_layers": "L", "num_layers": "L", "decoder_layers": "L", "ffn_dim": "m", "decoder_ffn_dim": "m",
    "ffn_hidden_size": "m", "d_inner": "m", "vocabulary_size": "V", "moe_num_experts": "E", "num_experts_per_token": "k", "moe_topk": "k",
    "moe_top_k": "k", "top_k": "k", "max_position_embeddings": "n_ctx", "n_ctx": "n_ctx", "embedding_size": "d_emb",
    "moe_num_shared_experts": "E_s", "num_shared_experts": "E_s",
}  # fmt: skip
"""Names of fields, beside those of the vocabulary, by their symbol."""

_BY_KEY: Mapping[str, str] = {**{key: symbol.name for symbol in VOCABULARY for key in symbol.keys}, **_OWN_WORDS}
_PRODUCTS = {frozenset(("h", "d_h")): "d_q", frozenset(("h_kv", "d_h")): "d_kv"}


class Symbols:
    """The symbols of one configured form, with their numbers.

    Each field has one symbol; what is no polynomial in the fields gets a symbol of its own (x_1), which
    `meanings` explains.
    """

    def __init__(self, fields: Mapping[str, Any], own: tuple[str, ...] = ()) -> None:
        self.fields = fields
        self.own = own
        self.numbers: dict[str, int] = {}
        self.meanings: dict[str, str] = {}
        self._of_path: dict[str, str] = {}

    def field(self, path: str) -> Dim:
        """The symbol of a field."""
        if path not in self._of_path:
            self._of_path[path] = self._free(_BY_KEY.get(path.rpartition(".")[2], path.rpartition(".")[2]), path)
            self.numbers[self._of_path[path]] = self.fields[path]
        return Name(self._of_path[path])

    def named(self, symbol: str, number: int, meaning: str = "") -> Dim:
        """A symbol for a number that no field holds; one that is taken by another number gets an index."""
        while self.numbers.get(symbol, number) != number or symbol in self._of_path.values():
            symbol = _next(symbol)
        self.numbers[symbol] = number
        if meaning:
            self.meanings.setdefault(symbol, meaning)
        return Name(symbol)

    def written(self, text: str, place: Places) -> Dim:
        """An expression in symbols, in the branch that holds for this configuration and place."""
        return self._written(ast.parse(text, mode="eval").body, place)

    def _free(self, symbol: str, path: str) -> str:
        taken = symbol in self.numbers
        return path.replace(".", "_") if taken and self.numbers[symbol] != self.fields[path] else symbol

    def _written(self, node: Any, place: Places) -> Dim:
        path = path_of(node)
        if path is not None:
            return place[PLACES.index(path)] if path in PLACES else self._whole_field(path, place)
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.IfExp):
            chosen = holds(ast.unparse(node.test), at(self.fields, place, self.own), place)
            return self._written(node.body if chosen else node.orelse, place)
        if isinstance(node, ast.Subscript):
            return self._element(node, place)
        if isinstance(node, ast.BinOp):
            return self._operation(node, place)
        if isinstance(node, ast.Call) and isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Div):
            left, right = self._written(node.args[0].left, place), self._written(node.args[0].right, place)
            return self._quotient(node, left, right, place)
        return self._own(node, place)

    def _whole_field(self, path: str, place: Places) -> Dim:
        """The symbol of a field, or of the value that this layer has of its own."""
        found = at(self.fields, place, self.own)[path]
        if isinstance(found, bool) or not isinstance(found, int):
            return self._own(ast.parse(path, mode="eval").body, place)
        if own_path(path) in self.own and found != self.fields[path]:
            word = path.rpartition(".")[2]
            return self.named(_BY_KEY.get(word, word), found, f"{word} of the layers that have their own")
        return self.field(path)

    def _element(self, node: Any, place: Places) -> Dim:
        """An element of a list, by the symbol of the list; another value gets an index."""
        path = path_of(node.value)
        number = value(ast.unparse(node), at(self.fields, place, self.own), place)
        if path is None or not isinstance(number, int):
            return self._own(node, place)
        word = path.rpartition(".")[2]
        return self.named(_BY_KEY.get(word, word), int(number), f"an element of {path}")

    def _operation(self, node: Any, place: Places) -> Dim:
        if _has_decimals(node, self.fields):
            return self._own(node, place)
        left, right = self._written(node.left, place), self._written(node.right, place)
        if isinstance(node.op, ast.Mult):
            return self._product(left, right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Pow) and isinstance(right, int):
            return left**right
        if isinstance(node.op, ast.FloorDiv):
            return self._quotient(node, left, right, place)
        return self._own(node, place)

    def _product(self, left: Dim, right: Dim) -> Dim:
        """H d_h is d_q, or d where it is as wide as the hidden states; h_kv d_h is d_kv."""
        names = [getattr(side, "name", "") for side in (left, right)]
        symbol = _PRODUCTS.get(frozenset(names))
        if symbol is None or len(set(names)) < 2:
            return left * right
        number = self.numbers[names[0]] * self.numbers[names[1]]
        if symbol == "d_q" and number == self.numbers.get("d"):
            return Name("d")
        return self.named(symbol, number) if self.numbers.get(symbol, number) == number else left * right

    def _quotient(self, node: Any, left: Dim, right: Dim, place: Places) -> Dim:
        """d/h is the head size; any other quotient, which may be rounded, has a symbol of its own."""
        number = value(ast.unparse(node), at(self.fields, place, self.own), place)
        names = (getattr(left, "name", ""), getattr(right, "name", ""))
        if names == ("d", "h") and self.numbers.get("d_h", number) == number:
            self.numbers["d_h"] = number
            return Name("d_h")
        return self._own(node, place)

    def _own(self, node: Any, place: Places) -> Dim:
        """A symbol of its own for what has no closed form in the symbols."""
        text = ast.unparse(node)
        number = value(text, at(self.fields, place, self.own), place)
        if isinstance(number, bool) or not isinstance(number, int):
            raise IncompleteError(f"{text} must be a whole number, not {str(number)[:40]}")
        known = next((symbol for symbol, meaning in self.meanings.items() if meaning == text and self.numbers[symbol] == number), None)
        return Name(known) if known else self.named("x_1", number, text)


def _next(symbol: str) -> str:
    """`x_2` after `x_1`, `m_2` after `m`, `d_h_2` after `d_h`."""
    base, underscore, index = symbol.rpartition("_")
    return f"{base}_{int(index) + 1}" if underscore and index.isdigit() else f"{symbol}_2"


def _has_decimals(node: Any, fields: Mapping[str, Any]) -> bool:
    """Whether a number that is not whole takes part."""
    constants = (inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant))
    return any(isinstance(constant, float) for constant in constants) or any(
        isinstance(fields[path], float) for path in names_in(ast.unparse(node))
    )
