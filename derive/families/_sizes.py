"""The sizes of a model by symbol, read as numbers or as the symbols themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from derive.architecture.component import Component
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.formula.tree import Dim, Name


@dataclass(frozen=True, slots=True)
class Sizes:
    """Dimensions by symbol: `sizes.d_kv` is a number in one reading and the symbol in the other."""

    by_symbol: Mapping[str, Dim]

    def __contains__(self, symbol: str) -> bool:
        return symbol in self.by_symbol

    def __getattr__(self, symbol: str) -> Dim:
        try:
            return self.by_symbol[symbol]
        except KeyError:
            raise AttributeError(f"the family gives no size for {symbol}") from None


def symbols(numbers: Mapping[str, int]) -> Sizes:
    """The symbols of the same sizes; a query width that equals the hidden size is written d."""
    names: dict[str, Dim] = {symbol: Name(symbol) for symbol in numbers}
    if numbers.get("d_q") == numbers["d"]:
        names["d_q"] = Name("d")
    return Sizes(names)


def attention_sizes(config: Config, *, all_heads: bool = False) -> dict[str, int]:
    """Hidden size and heads: d, h, h_kv, d_h and the widths d_q = h d_h and d_kv = h_kv d_h.

    The head size is the config's own where it gives one, else d/h, which must divide. Key/value heads that are null are as
    many as query heads; where they are missing, only families that had no other kind (`all_heads`) say the same.
    """
    d, h = config.size("d"), config.size("h")
    h_kv = config.size("h_kv", default=h if all_heads else None, null=h)
    if h % h_kv:
        config.fail(f"{h} query heads do not divide among {h_kv} key/value heads")
    d_h = config.size("d_h") if config.has("head_dim") else whole_head(config, d, h)
    return {"d": d, "h": h, "h_kv": h_kv, "d_h": d_h, "d_q": h * d_h, "d_kv": h_kv * d_h}


def whole_head(config: Config, d: int, h: int) -> int:
    """d/h, the head size where none is given; an error where it does not divide."""
    if d % h:
        config.fail(f"hidden size {d} does not divide into {h} heads, and head_dim is not given")
    return d // h


def stored_copies(config: Config, tied: bool) -> int:
    """c: the stored copies of the embedding matrix, 1 tied and 2 not; `tied` is the family's default."""
    return 1 if config.flag("tie_word_embeddings", tied) else 2


def ends(s: Sizes) -> tuple[Component, ...]:
    """What stands around the layers of a LLaMA-like model: final RMSNorm, token embedding, output head."""
    return (
        rms_norm(s.d, name="final norm", symbol="P_final"),
        token_embedding(s.V, s.d),
        head(s.V, s.d, s.c),
    )


def expert_sizes(config: Config, *count: str, width: str, chosen: str = "num_experts_per_tok") -> dict[str, int]:
    """Routed experts: E as one of the keys `count` says, k of them chosen, each m_e wide, as the key `width` says."""
    E, k = config.size("E", *count), config.size("k", chosen)
    if k > E:
        config.fail(f"{k} experts chosen for a token, but there are only {E}")
    return {"E": E, "k": k, "m_e": config.size("m_e", width)}
