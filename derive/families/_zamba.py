"""What the Zamba models share: a state-space layer everywhere, and before some of them a transformer block that is shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.architecture.component import Component
from derive.architecture.feed_forward import gated
from derive.architecture.model import Layers, layers
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.families._layer_kinds import ATTENTION, RECURRENT
from derive.families._sizes import Sizes

WORDS = {"linear_attention": RECURRENT, "mamba": RECURRENT, "hybrid": ATTENTION}
UNSHARED = "tie_word_embeddings is false, and with it the implementation stores the shared block anew in every layer that runs it."


def shared_sizes(config: Config, hybrid: int, blocks: int, *, width: int | None = None) -> dict[str, int]:
    """The sizes of `blocks` shared transformer blocks, which `hybrid` layers run by turns; `width` is the network's where it is not given.

    They read the hidden state beside the embedding, so d_shared_attn is 2d where nothing else is said. Without
    `tie_word_embeddings` the implementation shares no blocks either.
    """
    d, h = config.size("d"), config.size("h")
    h_kv = config.size("h_kv", null=h)
    if h % h_kv:
        config.fail(f"{h} query heads do not divide among {h_kv} key/value heads")
    d_h = config.size("d_h", "attention_head_dim", "head_dim", default=2 * d // h)
    stored = min(blocks, hybrid) if config.flag("tie_word_embeddings", True) else hybrid
    return {
        "L_F": hybrid, "n_shared_blocks": stored, "h": h, "h_kv": h_kv, "d_h": d_h, "d_q": h * d_h, "d_kv": h_kv * d_h,
        "d_shared_attn": config.size("d_shared_attn", "attention_hidden_size", default=2 * d), "m": config.size("m", default=width),
    }  # fmt: skip


def shared_blocks(s: Sizes, *, bias: bool = False) -> Iterator[Layers]:
    """The shared blocks as they are stored, as they run once more, and the projection behind each of their layers."""
    matrices = (
        matrix("W_Q", s.d_shared_attn, s.d_q),
        matrix("W_K", s.d_shared_attn, s.d_kv),
        matrix("W_V", s.d_shared_attn, s.d_kv),
        matrix("W_O", s.d_q, s.d),
    )
    attention, network = Component("attention", "P_attn", matrices), gated(s.d, s.m, bias=bias)
    yield layers(
        s.n_shared_blocks, attention, network, rms_norm(s.d_shared_attn, name="norm before attention", symbol="P_first"), rms_norm(s.d)
    )
    yield layers(s.L_F - s.n_shared_blocks, _again(attention), _again(network))
    yield layers(s.L_F, Component("projection behind the shared block", "P_proj", (matrix("W_back", s.d, s.d),)))


def _again(component: Component) -> Component:
    """The component as it runs once more: its weights are used, but stored no further time."""
    tensors = tuple(replace(tensor, copies=0) for tensor in component.tensors)
    return replace(component, name=f"{component.name}, run again", symbol=f"{component.symbol}_again", tensors=tensors)
