"""Zamba2: a Mamba-2 layer in every layer, and before some of them one of a few transformer blocks that are shared."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.model import Model, Part, decoder, layers
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.families._layer_kinds import ATTENTION, layer_numbers, listed, required
from derive.families._mamba import STATES
from derive.families._mamba2 import duality_mixer, duality_state
from derive.families._sizes import Sizes, ends, stored_copies
from derive.families._state_space import expanded
from derive.families._zamba import UNSHARED, WORDS, shared_blocks, shared_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; L_F layers take the `num_mem_blocks` shared blocks by turns before their Mamba-2 layer.

    A block stores the low-rank updates of all layers that take it, so where blocks are not shared there are more updates
    than layers.
    """
    L, d = config.size("L"), config.size("d")
    kinds = required(config, listed(config, L, "layers_block_type", "layer_types", words=WORDS), "layers_block_type", "layer_types")
    _check_hybrid_layers(config, kinds)
    config.refuse("use_shared_block_lora", True, "the implementation has low-rank updates beside every shared network")
    found = {"L": L, "d": d, "d_rec": expanded(config, d, "mamba_expand")}
    found |= {"d_state": config.size("d_state", "mamba_d_state"), "d_conv": config.size("d_conv", "mamba_d_conv")}
    found |= {"h_ssm": config.size("h_ssm", "n_mamba_heads"), "g_ssm": config.size("g_ssm", "mamba_ngroups")}
    if ATTENTION in kinds:
        hybrid, blocks = kinds.count(ATTENTION), config.size("n_shared_blocks", "num_mem_blocks")
        found |= shared_sizes(config, hybrid, blocks, width=4 * d) | {"r": config.size("r", "adapter_rank", "lora_rank")}
        found |= {"n_updates": _updates(hybrid, blocks) if found["n_shared_blocks"] > blocks else hybrid}
    return found | {"V": config.size("V"), "c": stored_copies(config, tied=True)}


def model(s: Sizes, config: Config) -> Model:
    """Zamba2: Mamba-2 layers, and shared blocks whose networks have low-rank updates of their own in every layer.

    Counts   a shared block is stored once however often it runs; it runs with its weights each time.
    Source   Glorioso et al. 2024, arXiv:2411.15242, section II.
    """
    bias = config.flag("add_bias_linear", False)
    shared: tuple[Part, ...] = (*shared_blocks(s, bias=bias), _low_rank_updates(s, config)) if "L_F" in s else ()
    return decoder(
        "zamba2",
        layers(s.L, duality_mixer(s, bias=bias, conv_bias=True), rms_norm(s.d)),
        *shared,
        *ends(s),
        layers(s.L, duality_state(s)),
        *((layers(s.L_F, softmax_attention(s.d_q, s.d_kv)),) if "L_F" in s else ()),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and what an untied head brings with it."""
    return (STATES, *(() if config.flag("tie_word_embeddings", True) else (UNSHARED,)))


def _check_hybrid_layers(config: Config, kinds: list[str]) -> None:
    """Raise where `hybrid_layer_ids`, by which low-rank updates are built, names other layers than the list of kinds."""
    named = layer_numbers(config, "hybrid_layer_ids")
    if named is not None and named != [layer for layer, kind in enumerate(kinds) if kind == ATTENTION]:
        config.fail("hybrid_layer_ids and the list of layer kinds disagree; keep one of them")


def _updates(hybrid: int, blocks: int) -> int:
    """Low-rank updates stored where each of the layers stores its turn's block, with those of every layer of that turn."""
    turns = (len(range(turn, hybrid, blocks)) for turn in range(blocks))
    return sum(layers_of_it**2 for layers_of_it in turns)


def _low_rank_updates(s: Sizes, config: Config) -> Component:
    """The updates of the networks, and perhaps of the queries, keys and values; each layer runs its own."""
    tensors = [matrix("A_gate_up", s.d, s.r), matrix("B_gate_up", s.r, 2 * s.m)]
    if config.flag("use_shared_attention_adapter", False):
        for name in ("Q", "K", "V"):
            tensors += [matrix(f"A_{name}", s.d_shared_attn, s.r), matrix(f"B_{name}", s.r, s.d_shared_attn)]
    return Component("low-rank updates", "P_update", tuple(tensors), copies=s.n_updates, chosen=s.L_F)
