"""DeepSeek-V3: latent attention, dense first layers, then routed and shared experts."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import latent_softmax_attention
from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Layers, Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.costs import over
from derive.costs.parameters import parameters
from derive.families._sizes import Sizes, ends, expert_sizes, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol: the first L_D of the L layers are dense, the other L_M have experts."""
    config.refuse("moe_layer_freq", 1, "implementations disagree on which layers then have experts")
    L, h = config.size("L"), config.size("h")
    L_D = config.size("L_D", least=0)
    if L_D > L:
        config.fail(f"first_k_dense_replace={L_D} dense layers, but there are only {L} layers")
    shared = config.size("E_s", null=0, least=0)
    found = {"L": L, "L_D": L_D, "L_M": L - L_D, "d": config.size("d"), "h": h}
    for symbol in ("r_q", "r_kv", "d_n", "d_r", "d_v"):
        size = config.size(symbol, null=0 if symbol == "r_q" else None)
        found |= {symbol: size} if size else {}
    found |= {"m": config.size("m"), **expert_sizes(config, "n_routed_experts", "num_local_experts", width="moe_intermediate_size")}
    found |= {"E_s": shared} if shared else {}
    return found | {"V": config.size("V"), "c": stored_copies(config, tied=False)}


def model(s: Sizes, config: Config) -> Model:
    """DeepSeek-V3 without its extra prediction layers.

    Source   DeepSeek-AI 2024, arXiv:2412.19437, sections 2.1 and 4.2.
    """
    return decoder(
        "deepseek_v3",
        layers(s.L, _attention(s, config), rms_norm(s.d, copies=2)),
        layers(s.L_D, gated(s.d, s.m)),
        _expert_layers(s, config),
        *ends(s),
        layers(s.L, latent_softmax_attention(s.h, s.r_kv, s.d_n, s.d_r, s.d_v)),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out: the layers that predict further tokens, and quantisation scales."""
    found = []
    extra = config.size("L", "num_nextn_predict_layers", default=0, least=0)
    if extra:
        each = _prediction_layer(Sizes(sizes(config)), config)
        found.append(
            f"num_nextn_predict_layers={extra}: multi-token prediction is not part of the model; "
            f"it would add {extra * each:,} parameters besides second copies of the embedding and the head."
        )
    if config.has("quantization_config"):
        found.append("quantization_config: the scales stored beside quantised weights are not parameters.")
    return tuple(found)


def _attention(s: Sizes, config: Config) -> Component:
    rank = s.r_q if config.has("q_lora_rank") else None
    return latent_attention(s.d, s.h, rank, s.r_kv, s.d_n, s.d_r, s.d_v, bias=config.flag("attention_bias", False))


def _expert_layers(s: Sizes, config: Config) -> Layers:
    expert = gated(s.d, s.m_e)
    shared = (shared_experts(expert, s.E_s),) if config.size("E_s", null=0, least=0) else ()
    correction = config.values.get("topk_method", "noaux_tc") in (None, "noaux_tc")
    return layers(s.L_M, routed_experts(expert, s.E, s.k), *shared, router(s.d, s.E, correction=correction))


def _prediction_layer(s: Sizes, config: Config) -> int:
    """Parameters of one multi-token prediction layer that nothing else shares: an expert block, a projection, three norms."""
    projection = Component("projection", "P_proj", (matrix("W_proj", 2 * s.d, s.d),))
    parts = (_attention(s, config), *_expert_layers(s, config).components, rms_norm(s.d, copies=5), projection)
    return int(sum(over(part, parameters) for part in parts))  # type: ignore[arg-type]
