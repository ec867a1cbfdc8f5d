"""Nemotron-H: every block is one of four: a Mamba-2 layer, attention, a feed-forward network, or a mixture of experts."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import two_matrix
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix, vector
from derive.config import Config, shown
from derive.families._hybrid import attention, contexts, in_layers
from derive.families._layer_kinds import ATTENTION, DENSE, EXPERTS, FULL_OR_LINEAR, RECURRENT, counts, listed, required, unused
from derive.families._mamba import STATES, UNTIED
from derive.families._mamba2 import duality_mixer, duality_state
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes

LETTERS = {"M": RECURRENT, "*": ATTENTION, "-": DENSE, "E": EXPERTS}
WORDS = {**FULL_OR_LINEAR, "mlp": DENSE, "moe": EXPERTS}


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; each letter of `hybrid_override_pattern` is one block, M - E * in the order of their layers.

    The heads of a Mamba-2 layer decide its width, not `expand`. The head has a matrix of its own whatever
    `tie_word_embeddings` says, as the implementation has it.
    """
    kinds = _blocks(config)
    config.flag("tie_word_embeddings", False)
    found = {"L": len(kinds), **counts(kinds), "d": config.size("d")}
    found |= _attention_sizes(config) if ATTENTION in kinds else {}
    found |= _mamba_sizes(config) if RECURRENT in kinds else {}
    found |= {"m": config.size("m")} if DENSE in kinds else {}
    unused(config, "n_routed_experts", "num_local_experts", "n_shared_experts", "moe_intermediate_size", "moe_latent_size")
    if EXPERTS in kinds:
        found |= expert_sizes(config, "n_routed_experts", "num_local_experts", width="moe_intermediate_size")
        config.size("E_s", default=1, least=0)  # one shared network is built whatever this says
        found |= {"m_s": config.size("m_s", "moe_shared_expert_intermediate_size")}
        found |= {"d_routed": config.size("d_routed")} if config.has("moe_latent_size") else {}
    return found | {"V": config.size("V"), "c": 2}


def model(s: Sizes, config: Config) -> Model:
    """Nemotron-H: one norm and one mixer or network a block; two matrices a network, the experts' without biases.

    Source   NVIDIA 2025, arXiv:2504.03624, section 2; experts: Nemotron 3 Nano 2025, arXiv:2512.20848, section 2.
    """
    bias, conv_bias = config.flag("use_bias", False), config.flag("use_conv_bias", True)
    mlp_bias, recurrent = config.flag("mlp_bias", False), "L_rec" in s
    return decoder(
        "nemotron_h",
        *in_layers(s, L_F=(attention(s),) if "L_F" in s else ()),
        *in_layers(s, L_rec=(duality_mixer(s, bias=bias, conv_bias=conv_bias),) if recurrent else ()),
        *in_layers(s, L_D=(two_matrix(s.d, s.m, bias=mlp_bias),) if "L_D" in s else ()),
        *in_layers(s, L_M=_experts(s, bias=mlp_bias) if "L_M" in s else ()),
        layers(s.L, rms_norm(s.d)),
        *ends(s),
        *contexts(s, duality_state(s) if recurrent else None),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and which keys the implementation does not follow."""
    found = [STATES]
    if config.flag("tie_word_embeddings", False):
        found.append(UNTIED)
    if config.flag("attention_bias", False):
        found.append("attention_bias is true, but the implementation has no biases in attention.")
    if config.size("E_s", default=1, least=0) != 1:
        found.append("n_shared_experts is not 1, but the implementation builds one shared network as wide as its own key says.")
    if config.number("num_nextn_predict_layers", default=0, least=0):
        found.append("num_nextn_predict_layers: layers that predict further tokens are not part of the model and are not counted.")
    return tuple(found)


def _blocks(config: Config) -> list[str]:
    kinds = listed(config, None, "layers_block_type", "layer_types", words=WORDS)
    if config.has("hybrid_override_pattern"):
        pattern = config.values["hybrid_override_pattern"]
        if not isinstance(pattern, str) or not pattern or set(pattern) - set(LETTERS):
            config.fail(f"hybrid_override_pattern must be made of the letters {' '.join(LETTERS)}, not {shown(pattern)}")
        spelled = [LETTERS[letter] for letter in pattern]
        if kinds not in (None, spelled):
            config.fail("hybrid_override_pattern and the list of layer kinds disagree; keep one of them")
        kinds = spelled
    kinds = required(config, kinds, "hybrid_override_pattern", "layers_block_type", "layer_types")
    if config.size("L", "num_hidden_layers", default=len(kinds)) != len(kinds):
        config.fail(f"num_hidden_layers={config.values['num_hidden_layers']}, but the pattern names {len(kinds)} blocks")
    return kinds


def _attention_sizes(config: Config) -> dict[str, int]:
    """The heads, whose size the first releases call `attention_head_dim`."""
    head = "attention_head_dim" if config.has("attention_head_dim") and not config.has("head_dim") else "head_dim"
    return attention_sizes(config, explicit="Nemotron-H", head=head)


def _mamba_sizes(config: Config) -> dict[str, int]:
    h_ssm = config.size("h_ssm", "mamba_num_heads")
    return {
        "d_rec": h_ssm * config.number("mamba_head_dim"), "d_state": config.size("d_state", "ssm_state_size"),
        "d_conv": config.size("d_conv", "conv_kernel", "mamba_d_conv"), "h_ssm": h_ssm,
        "g_ssm": config.size("g_ssm", "n_groups", "mamba_n_groups"),
    }  # fmt: skip


def _experts(s: Sizes, *, bias: bool) -> tuple[Component, ...]:
    """Routed experts, which may work at a width of their own between two projections, and one shared network."""
    width = s.d_routed if "d_routed" in s else s.d
    routed = routed_experts(two_matrix(width, s.m_e), s.E, s.k)
    shared = shared_experts(two_matrix(s.d, s.m_s, bias=bias), 1)
    return routed, *(_latent(s, bias) if "d_routed" in s else ()), shared, router(s.d, s.E, correction=True)


def _latent(s: Sizes, bias: bool) -> tuple[Component, ...]:
    biases = (vector("b_in", s.d_routed), vector("b_out", s.d)) if bias else ()
    matrices = (matrix("W_in", s.d, s.d_routed), matrix("W_out", s.d_routed, s.d))
    return (Component("latent projections", "P_latent", (*matrices, *biases)),)
