"""Jamba: attention in every few layers, a selective state space in the others; experts in every few feed-forward networks."""

from __future__ import annotations

from derive.architecture.context import state_space_state
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._hybrid import attention, contexts, in_layers
from derive.families._layer_kinds import ATTENTION, DENSE, EXPERTS, RECURRENT, by_rule, counts, layer_count
from derive.families._mamba import STATES, selective_mixer
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes, stored_copies
from derive.families._state_space import expanded, step_rank


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; layer i has attention where i mod period is the offset, and so it is with the experts.

    With one expert, all feed-forward networks are dense. Experts are as wide as the dense networks.
    """
    L, d = layer_count(config), config.size("d")
    mixers = _every(config, L, "attn_layer", (ATTENTION, RECURRENT))
    networks = _every(config, L, "expert_layer", (EXPERTS, DENSE))
    if config.size("E", "num_experts", "num_local_experts") == 1:
        networks = [DENSE] * L
    found = {"L": L, **counts(mixers), **counts(networks), **attention_sizes(config)}
    if RECURRENT in mixers:
        found |= {
            "d_rec": expanded(config, d, "mamba_expand"), "d_state": config.size("d_state", "mamba_d_state"),
            "d_conv": config.size("d_conv", "mamba_d_conv"), "r_dt": step_rank(config, d, "mamba_dt_rank"),
        }  # fmt: skip
    if DENSE in networks:
        found |= {"m": config.size("m")}
    if EXPERTS in networks:
        found |= expert_sizes(config, "num_experts", "num_local_experts", width="intermediate_size")
    return found | {"V": config.size("V"), "c": stored_copies(config, tied=False)}


def model(s: Sizes, config: Config) -> Model:
    """Jamba: layers of attention or of a state space with norms inside, each before a gated network or a mixture of experts.

    Source   Lieber et al. 2024, arXiv:2403.19887, sections 2 and 3.
    """
    bias, conv_bias = config.flag("mamba_proj_bias", False), config.flag("mamba_conv_bias", True)
    recurrent = "L_rec" in s
    return decoder(
        "jamba",
        *in_layers(s, L_F=(attention(s),)),
        *in_layers(s, L_rec=(selective_mixer(s, bias, conv_bias, norms=True),) if recurrent else ()),
        *in_layers(s, L_D=(gated(s.d, s.m),) if "L_D" in s else ()),
        *in_layers(s, L_M=(routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E)) if "L_M" in s else ()),
        layers(s.L, rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, state_space_state(s.d_rec, s.d_state, s.d_conv) if recurrent else None),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know."""
    return (STATES,)


def _every(config: Config, L: int, which: str, kinds: tuple[str, str]) -> list[str]:
    period = config.number(f"{which}_period")
    offset = config.number(f"{which}_offset", least=0)
    if offset >= period:
        config.fail(f"{which}_offset={offset} must be smaller than {which}_period={period}")
    return by_rule(L, lambda layer: layer % period == offset, kinds)
