"""The sizes of a model by symbol, read as numbers or as the symbols themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from derive.architecture.component import Component
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.formula.tree import Dim, Name
from derive.symbols import BY_NAME


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

    def multi_head(self) -> Sizes:
        """The same sizes where queries, keys and values are all as wide as the residual stream: d_q and d_kv read d."""
        return Sizes({**self.by_symbol, "d_q": self.d, "d_kv": self.d})


def symbols(numbers: Mapping[str, int]) -> Sizes:
    """The symbols of the same sizes; a query width that equals the hidden size is written d."""
    names: dict[str, Dim] = {symbol: Name(symbol) for symbol in numbers}
    if "d_q" in numbers and numbers["d_q"] == numbers.get("d"):
        names["d_q"] = Name("d")
    return Sizes(names)


def attention_sizes(
    config: Config, *, all_heads: bool = False, explicit: str = "", rounded: bool = False, head: str = "head_dim"
) -> dict[str, int]:
    """Hidden size and heads: d, h, h_kv, d_h and the widths d_q = h d_h and d_kv = h_kv d_h.

    The head size is the config's own where it gives one (under the key `head`), else d/h, which must divide; a family that has a
    head size of its own whatever d/h is (its name in `explicit`) wants it to be given, and one whose implementation rounds d/h
    down (`rounded`) does so.
    Key/value heads that are null are as many as query heads; where they are missing, only families that had no other kind
    (`all_heads`) say the same.
    """
    d, h = config.size("d"), config.size("h")
    h_kv = config.size("h_kv", default=h if all_heads else None, null=h)
    if h % h_kv:
        config.fail(f"{h} query heads do not divide among {h_kv} key/value heads")
    given = config.has(head)
    if explicit and not given:
        config.fail(f"missing d_h (head size); tried {head}, which {explicit} does not derive from the hidden size")
    if given:
        return _heads(d, h, h_kv, config.size("d_h", head))
    return _heads(d, h, h_kv, d // h if rounded and d >= h else whole_head(config, d, h))


def derived_attention_sizes(
    config: Config, h_kv: int, d: int | None = None, h: int | None = None, *, uneven: bool = False
) -> dict[str, int]:
    """The same where the implementation takes d/h whatever `head_dim` says, with these key/value heads.

    With `uneven`, query heads need not divide among them: such a model can be built, though not run.
    """
    d, h = d or config.size("d"), h or config.size("h")
    d_h = whole_head(config, d, h)
    config.refuse("head_dim", d_h, f"the family's heads are as wide as the hidden size divided by their number, {d_h}")
    if h % h_kv and not uneven:
        config.fail(f"{h} query heads do not divide among {h_kv} key/value heads")
    return _heads(d, h, h_kv, d_h)


def multi_head_sizes(config: Config, *, width: str = "", heads: str = "") -> dict[str, int]:
    """The same where there is nothing but multi-head attention; `width` and `heads` are the keys of d and h beside the usual."""
    d, h = (config.size(symbol, *named(symbol, key)) for symbol, key in (("d", width), ("h", heads)))
    return derived_attention_sizes(config, h, d, h)


def multi_head_only(config: Config) -> None:
    """Refuse key/value heads of their own number, which the family does not have."""
    config.refuse("num_key_value_heads", config.size("h"), "the family has as many key/value heads as query heads")


def named(symbol: str, key: str = "") -> tuple[str, ...]:
    """The keys of a symbol: the vocabulary's, and the family's own name for it."""
    return tuple(dict.fromkeys((*BY_NAME[symbol].keys, *((key,) if key else ()))))


def _heads(d: int, h: int, h_kv: int, d_h: int) -> dict[str, int]:
    return {"d": d, "h": h, "h_kv": h_kv, "d_h": d_h, "d_q": h * d_h, "d_kv": h_kv * d_h}


def whole_head(config: Config, d: int, h: int) -> int:
    """d/h, the head size where none is given; an error where it does not divide."""
    if d % h:
        config.fail(f"hidden size {d} does not divide into {h} heads, and head_dim is not given")
    return d // h


def vocabulary_sizes(config: Config, *, tied: bool) -> dict[str, int]:
    """V and c: the vocabulary, and how often its matrix is stored; `tied` is the family's default."""
    return {"V": config.size("V"), "c": stored_copies(config, tied)}


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


def expert_sizes(config: Config, *count: str, width: str, chosen: str = "num_experts_per_tok", null: bool = False) -> dict[str, int]:
    """Routed experts: E as one of the keys `count` says, k of them chosen, each m_e wide, as the key `width` says.

    With `null`, a k that is null is not known, and all E count as chosen.
    """
    E = config.size("E", *count)
    k = config.size("k", chosen, null=E if null else None)
    if k > E:
        config.fail(f"{k} experts chosen for a token, but there are only {E}")
    return {"E": E, "k": k, "m_e": config.size("m_e", width)}


def shared_and_routed_sizes(config: Config) -> dict[str, int]:
    """Routed experts as DeepSeek names them (E, k, m_e), and E_s shared experts of the same width where there are any."""
    routed = expert_sizes(config, "n_routed_experts", "num_local_experts", width="moe_intermediate_size", null=True)
    shared = config.size("E_s", null=0, least=0)
    return {**routed, **({"E_s": shared} if shared else {})}
