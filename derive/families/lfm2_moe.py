"""LFM2-MoE: LFM2 blocks whose feed-forward networks are mixtures of experts but for the first few."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._hybrid import contexts, in_layers
from derive.families._layer_kinds import DENSE, EXPERTS, by_rule, counts, layer_count, listed, required
from derive.families._lfm2 import WORDS, inputs, mixers, tied
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the first `num_dense_layers` layers are dense."""
    L = layer_count(config)
    kinds = required(config, listed(config, L, "layer_types", words=WORDS), "layer_types")
    first = config.size("L_D", "num_dense_layers", least=0)
    networks = by_rule(L, lambda layer: layer < first, (DENSE, EXPERTS))
    dense = {"m": config.size("m")} if DENSE in networks else {}
    return {
        "L": L, **counts(kinds), **counts(networks), **attention_sizes(config), "d_conv": config.size("d_conv", "conv_L_cache"),
        **dense, **expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size"), "V": config.size("V"),
        "c": tied(config),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """LFM2-MoE: the router chooses k of E gated experts, with a bias for balance that no gradient moves.

    Source   LFM2 2025, arXiv:2511.23404, section 2.
    """
    scores = router(s.d, s.E, correction=config.flag("use_expert_bias", True))
    return decoder(
        "lfm2_moe",
        *mixers(s, config),
        *in_layers(s, L_D=(gated(s.d, s.m),) if "L_D" in s else ()),
        *in_layers(s, L_M=(routed_experts(gated(s.d, s.m_e), s.E, s.k), scores)),
        layers(s.L, rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, inputs(s)),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    return ("Rotary positions have no parameters; a stored inv_freq is a buffer and is not counted.",)
