"""What tokens share: attention between positions, and what it keeps of them. No parameters, but FLOPs and a cache."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.formula.tree import Dim
from derive.records import dataclass

RECURRENCE = "a recurrence or a convolution costs what its kernel does: token by token, in blocks, or as a scan"


@dataclass(frozen=True, slots=True)
class Context:
    """Attention of one layer, for each pair of a query token and a context token.

    `scores` and `values` are the multiply-adds of the two products of one pair; `cache` the elements kept of a context
    token. Attention looks back over `window` tokens (None: over all), or at as many as are `selected` of those that are
    kept. `state` elements are kept once for a sequence, however long. `absorbed` is the same attention computed on the
    compressed cache, as decoding does. `uncounted` says why the FLOPs between tokens are not known, where they are not.
    """

    scores: Dim = 0
    values: Dim = 0
    cache: Dim = 0
    window: Dim | None = None
    state: Dim = 0
    absorbed: Context | None = None
    selected: Dim | None = None
    uncounted: str = ""

    @property
    def reach(self) -> Dim | None:
        """How many tokens a query attends to at most; None: all of them."""
        return self.selected if self.window is None else self.window


def softmax_attention(d_q: Dim, d_kv: Dim, *, window: Dim | None = None) -> Component:
    """Softmax attention between tokens; queries share key and value heads without saving any of the products.

    Q: (h, n, d_h), K: (h_kv, n, d_h) -> A: (h, n, n), V: (h_kv, n, d_h) -> (h, n, d_h)

    Counts   d_q multiply-adds for the score of a pair, d_q for its value; keys and values kept, 2 d_kv a token.
    Source   Vaswani et al. 2017, arXiv:1706.03762, section 3.2.1; cache: Shazeer 2019, arXiv:1911.02150, section 2.4.
    """
    return _between("attention scores and values", Context(scores=d_q, values=d_q, cache=2 * d_kv, window=window))


def latent_softmax_attention(h: Dim, r_kv: Dim, d_n: Dim, d_r: Dim, d_v: Dim, *, selected: Dim | None = None) -> Component:
    """Softmax attention of multi-head latent attention, on expanded or on compressed keys and values.

    expanded: Q and K: (h, n, d_n + d_r), V: (h, n, d_v); absorbed: K and V: (n, r_kv + d_r), one for all heads

    Counts   the expanded form for prefill and training; in the absorbed form W_UKV moves to the queries and the outputs,
             so each pair costs more multiply-adds, but only r_kv + d_r elements are kept of a token; with `selected`,
             attention only to as many tokens as an indexer selects.
    Source   DeepSeek-V2 2024, arXiv:2405.04434, sections 2.1.2 and 2.1.3.
    """
    absorbed = Context(scores=h * (r_kv + d_r), values=h * r_kv, cache=r_kv + d_r)
    expanded = Context(scores=h * (d_n + d_r), values=h * d_v, cache=h * (d_n + d_r + d_v), absorbed=absorbed, selected=selected)
    return _between("attention scores and values", expanded)


def indexer_scores(h_I: Dim, d_I: Dim) -> Component:
    """The scores by which a sparse-attention indexer selects tokens: all of the context, with one small key for all heads.

    Q: (h_I, n, d_I), K: (n, d_I) -> (n, n)

    Counts   for a pair h_I d_I multiply-adds, and h_I more to add up the heads by their weights. The key of d_I elements that
             is kept of a token stands in a cache of its own, not in the key/value cache, and is not counted with it.
    Source   DeepSeek-V3.2 2025, arXiv:2512.02556, section 2.1.
    """
    return _between("indexer scores", Context(scores=h_I * d_I, values=h_I))


def state_space_state(d_rec: Dim, d_state: Dim, d_conv: Dim) -> Component:
    """What a state-space layer (Mamba) keeps of a sequence: its state and the last inputs of its convolution.

    state: (d_rec, d_state), inputs: (d_rec, d_conv)

    Source   Gu and Dao 2023, arXiv:2312.00752, section 3.
    """
    return recurrent_state(d_rec * d_state, d_rec, d_conv)


def linear_attention_state(h: Dim, d_k: Dim, d_v: Dim) -> Component:
    """What a linear-attention layer keeps of a sequence: one matrix a head.

    state: (h, d_k, d_v)

    Source   Katharopoulos et al. 2020, arXiv:2006.16236, section 3.4.
    """
    return recurrent_state(h * d_k * d_v)


def recurrent_state(state: Dim, channels: Dim = 0, d_conv: Dim = 0) -> Component:
    """What a layer with a recurrence or a convolution keeps of a sequence: its state, and its convolution's last inputs.

    state: (state,), inputs: (channels, d_conv)

    Counts   no FLOPs: those of a recurrence depend on whether it runs token by token, in blocks, or as a scan.
    """
    return _between("state", Context(state=state + channels * d_conv, uncounted=RECURRENCE))


def _between(name: str, context: Context) -> Component:
    return Component(name, "", (), context=context)
