"""Zamba: a selective state space in every layer, and before some of them one transformer block that they share."""

from __future__ import annotations

from derive.architecture.context import softmax_attention, state_space_state
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._layer_kinds import ATTENTION, RECURRENT, by_rule, layer_count, listed, unused
from derive.families._mamba import STATES, selective_mixer
from derive.families._sizes import Sizes, ends, stored_copies
from derive.families._state_space import expanded, step_rank
from derive.families._zamba import UNSHARED, WORDS, shared_blocks, shared_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the heads of a state-space layer split its projections, but not their number of elements."""
    L, d = layer_count(config), config.size("d")
    kinds = _kinds(config, L)
    d_rec, heads = expanded(config, d, "mamba_expand"), config.size("h_ssm", "n_mamba_heads")
    if d_rec % heads:
        config.fail(f"n_mamba_heads={heads} heads do not divide the inner width {d_rec}")
    found = {"L": L, "d": d, "d_rec": d_rec, "d_state": config.size("d_state", "mamba_d_state")}
    found |= {"d_conv": config.size("d_conv", "mamba_d_conv"), "r_dt": step_rank(config, d, "mamba_dt_rank")}
    if ATTENTION in kinds:
        found |= shared_sizes(config, kinds.count(ATTENTION), 1)
    return found | {"V": config.size("V"), "c": stored_copies(config, tied=True)}


def model(s: Sizes, config: Config) -> Model:
    """Zamba: pre-norm layers of a selective state space, some behind the shared attention and its network.

    Counts   the shared block is stored once however often it runs; it runs with its weights each time.
    Source   Glorioso et al. 2024, arXiv:2405.16712, section 2.
    """
    mixer = selective_mixer(s, config.flag("mamba_proj_bias", False), config.flag("mamba_conv_bias", True))
    return decoder(
        "zamba",
        layers(s.L, mixer, rms_norm(s.d)),
        *(shared_blocks(s) if "L_F" in s else ()),
        *ends(s),
        layers(s.L, state_space_state(s.d_rec, s.d_state, s.d_conv)),
        *((layers(s.L_F, softmax_attention(s.d_q, s.d_kv)),) if "L_F" in s else ()),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and what an untied head brings with it."""
    return (STATES, *(() if config.flag("tie_word_embeddings", True) else (UNSHARED,)))


def _kinds(config: Config, L: int) -> list[str]:
    """The listed kinds; else the third layer is a hybrid one, and behind it every period-th."""
    unused(config, "attn_layer_period")
    kinds = listed(config, L, "layers_block_type", "layer_types", words=WORDS)
    if kinds is not None:
        return kinds
    period, offset = config.number("attn_layer_period"), config.number("attn_layer_offset", least=0)
    first = [RECURRENT, RECURRENT, ATTENTION]
    if len(first) > L:
        config.fail(f"the pattern of its layers begins with three, but there are {L}")
    return first + by_rule(L - len(first), lambda layer: layer % period == offset, (ATTENTION, RECURRENT))
