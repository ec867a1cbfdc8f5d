"""ERNIE 4.5, its mixtures of experts: dense layers at both ends, routed and shared experts between, tied head."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families import _notes
from derive.families._decoder import Facts, decoder_of, everywhere, shared_as_one
from derive.families._layer_kinds import layer_split
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the last of each `moe_layer_interval` layers from the start to the end index has experts."""
    L = config.size("L")
    E_s = config.size("E_s", "moe_num_shared_experts", least=0)
    return {
        "L": L, **layer_split(config, L, _sparse_layers(config, L)), **attention_sizes(config),
        **expert_sizes(config, "moe_num_experts", "num_experts", width="moe_intermediate_size", chosen="moe_k"),
        **({"E_s": E_s} if E_s else {}), **vocabulary_sizes(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """ERNIE 4.5 MoE: the router chooses k of E gated experts; `use_bias` puts a bias on all other matrices, also on the head.

    Counts   the routing correction, E elements a layer, as the bias of the router: the implementation stores it as a parameter.
    Source   Baidu 2025, ERNIE 4.5 Technical Report.
    """
    bias = config.flag("use_bias", False)
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared_as_one(s, bias=bias), router(s.d, s.E, bias=True))
    facts = Facts(bias=everywhere(bias), mlp_bias=bias, head_bias=bias, experts=experts)
    return decoder_of("ernie4_5_moe", s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and what it does not."""
    return (*_notes.notes(config), _notes.COUNTED_CORRECTION)


def _sparse_layers(config: Config, L: int) -> int:
    start = config.number("moe_layer_start_index", least=0)
    end = config.values.get("moe_layer_end_index", -1)
    last = L - 1 if end == -1 else min(L - 1, config.number("moe_layer_end_index", least=0))
    step = config.number("moe_layer_interval", default=1)
    return max(0, (last + 1) // step - start // step)
