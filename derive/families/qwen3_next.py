"""Qwen3-Next: gated delta nets, gated attention in every few layers, and experts beside a shared one."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._gated_delta import delta_model, mixer_sizes, prediction_layer, shared_expert_sizes
from derive.families._layer_kinds import DENSE, EXPERTS, counts, layer_count, sparse_layers, unused
from derive.families._mamba import STATES
from derive.families._sizes import Sizes, stored_copies
from derive.families._stored import Repeated


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `decoder_sparse_step`-th layer has experts, but for those in `mlp_only_layers`."""
    L = layer_count(config)
    networks = sparse_layers(config, L) if config.size("E", "num_experts", "num_local_experts", least=0) else [DENSE] * L
    unused(config, "decoder_sparse_step", "mlp_only_layers", "moe_intermediate_size", "shared_expert_intermediate_size")
    return {
        "L": L, **(counts(networks) if len(set(networks)) > 1 else {}), **mixer_sizes(config, L, "Qwen3-Next"),
        **({"m": config.size("m")} if DENSE in networks else {}), **(shared_expert_sizes(config) if EXPERTS in networks else {}),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen3-Next: pre-norm blocks of a gated delta net or of gated attention, each before experts.

    Source   Qwen3-Next 2025, as built in transformers; gated delta net: arXiv:2412.06464; gated attention: arXiv:2505.06708.
    """
    return delta_model("qwen3_next", s, config, fused="all")


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and what released checkpoints store beside the model."""
    return (STATES, "A layer that predicts a further token, which released checkpoints store, is not part of the model.")


def prediction(s: Sizes, config: Config) -> Repeated:
    """The layer that predicts a further token."""
    return prediction_layer(s, config)
