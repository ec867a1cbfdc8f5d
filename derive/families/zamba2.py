"""Zamba2: a Mamba-2 layer in every layer, and before some of them one of a few transformer blocks that are shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Layers, Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.families._layer_kinds import ATTENTION, RECURRENT, counts, listed, required
from derive.families._mamba import STATES
from derive.families._mamba2 import duality_mixer, duality_state
from derive.families._sizes import Sizes, ends, stored_copies
from derive.families._state_space import expanded

WORDS = {"linear_attention": RECURRENT, "mamba": RECURRENT, "hybrid": ATTENTION}


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the shared blocks read d_attn, the hidden state beside the embedding, so 2d where nothing else is said.

    L_F layers have a shared block before their Mamba-2 layer; they take the `num_mem_blocks` blocks by turns.
    """
    L, d = config.size("L"), config.size("d")
    kinds = required(config, listed(config, L, "layers_block_type", "layer_types", words=WORDS), "layers_block_type", "layer_types")
    found = {"L": L, "d": d, "d_inner": expanded(config, d, "mamba_expand")}
    found |= {"d_state": config.size("d_state", "mamba_d_state"), "d_conv": config.size("d_conv", "mamba_d_conv")}
    found |= {"h_ssm": config.size("h_ssm", "n_mamba_heads"), "n_groups": config.size("n_groups", "mamba_ngroups")}
    if ATTENTION in kinds:
        hybrid = counts(kinds)["L_F"]
        config.refuse("use_shared_block_lora", True, "the implementation has low-rank updates beside every shared network")
        if hybrid > config.size("n_blocks", "num_mem_blocks") and not config.flag("tie_word_embeddings", True):
            config.fail("tie_word_embeddings is false, and with it the implementation shares no blocks either; that is not counted")
        shared = {"n_blocks": min(config.size("n_blocks", "num_mem_blocks"), hybrid), "r": config.size("r", "adapter_rank", "lora_rank")}
        found |= {"L_F": hybrid, **shared, **_attention_sizes(config, d), "m": config.size("m", default=4 * d)}
    return found | {"V": config.size("V"), "c": stored_copies(config, tied=True)}


def model(s: Sizes, config: Config) -> Model:
    """Zamba2: Mamba-2 layers, and shared blocks whose networks have low-rank updates of their own in every layer.

    Counts   a shared block is stored once however often it runs; it runs with the weights of each turn.
    Source   Glorioso et al. 2024, arXiv:2411.15242, section II.
    """
    mixer = duality_mixer(s, bias=config.flag("add_bias_linear", False), conv_bias=True)
    return decoder(
        "zamba2",
        layers(s.L, mixer, rms_norm(s.d)),
        *(_shared_blocks(s, config) if "L_F" in s else ()),
        *ends(s),
        layers(s.L, duality_state(s)),
        *((layers(s.L_F, softmax_attention(s.d_q, s.d_kv)),) if "L_F" in s else ()),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know."""
    return (STATES,)


def _attention_sizes(config: Config, d: int) -> dict[str, int]:
    h = config.size("h")
    h_kv = config.size("h_kv", null=h)
    if h % h_kv:
        config.fail(f"{h} query heads do not divide among {h_kv} key/value heads")
    d_h = config.size("d_h", "attention_head_dim", default=2 * d // h)
    d_attn = config.size("d_attn", "attention_hidden_size", default=2 * d)
    return {"h": h, "h_kv": h_kv, "d_h": d_h, "d_q": h * d_h, "d_kv": h_kv * d_h, "d_attn": d_attn}


def _shared_blocks(s: Sizes, config: Config) -> Iterator[Layers]:
    """The shared blocks as stored, the same as they run again, and what each of their layers has of its own."""
    bias = config.flag("add_bias_linear", False)
    matrices = (matrix("W_Q", s.d_attn, s.d_q), matrix("W_K", s.d_attn, s.d_kv), matrix("W_V", s.d_attn, s.d_kv), matrix("W_O", s.d_q, s.d))
    attention, network = Component("attention", "P_attn", matrices), gated(s.d, s.m, bias=bias)
    norms = (rms_norm(s.d_attn, name="norm before attention", symbol="P_first"), rms_norm(s.d))
    yield layers(s.n_blocks, attention, network, *norms)
    yield layers(s.L_F - s.n_blocks, _again(attention), _again(network))
    update = [matrix("A_gate_up", s.d, s.r), matrix("B_gate_up", s.r, 2 * s.m)]
    if config.flag("use_shared_attention_adapter", False):
        for name in ("Q", "K", "V"):
            update += [matrix(f"A_{name}", s.d_attn, s.r), matrix(f"B_{name}", s.r, s.d_attn)]
    own = Component("projection behind the shared block", "P_proj", (matrix("W_back", s.d, s.d),))
    yield layers(s.L_F, Component("low-rank updates", "P_update", tuple(update)), own)


def _again(component: Component) -> Component:
    """The component as it runs once more: its weights are used, but stored no further time."""
    tensors = tuple(replace(tensor, copies=0) for tensor in component.tensors)
    return replace(component, name=f"{component.name}, shared", symbol=f"{component.symbol}_again", tensors=tensors)
