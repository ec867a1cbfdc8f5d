"""Qwen, the first: LLaMA blocks with q, k and v biases, whose configuration states the feed-forward width twice over."""

from __future__ import annotations

from derive.architecture.attention import AttentionBias
from derive.architecture.model import Model
from derive.config import Config
from derive.families import llama
from derive.families._decoder import Facts, decoder_of
from derive.families._sizes import Sizes, stored_copies, whole_head


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; gate and up-projection are each half of `intermediate_size` wide, heads `kv_channels`."""
    d, h = config.size("d", "hidden_size", "n_embd"), config.size("h", "num_attention_heads", "n_head")
    d_h = config.size("d_h", "kv_channels") if config.has("kv_channels") else whole_head(config, d, h)
    doubled = config.size("m", "intermediate_size", "ffn_hidden_size", least=2)
    if doubled % 2:
        config.fail(f"intermediate_size={doubled} must be even: it holds the widths of gate and up-projection together")
    return {
        "L": config.size("L", "num_hidden_layers", "n_layer"), "d": d, "h": h, "h_kv": h, "d_h": d_h, "d_q": h * d_h, "d_kv": h * d_h,
        "m": doubled // 2, "V": config.size("V", "vocab_size", "padded_vocab_size"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen: attention with a bias on the fused q, k and v projection whatever `no_bias` says.

    Source   Bai et al. 2023, arXiv:2309.16609, section 2.3.
    """
    others = not config.flag("no_bias", True)
    return decoder_of("qwen", s, Facts(bias=AttentionBias(q=True, k=True, v=True, o=others), mlp_bias=others))


def notes(config: Config) -> tuple[str, ...]:
    """What the keys mean here, and what the count leaves out."""
    found = [*llama.notes(config), "intermediate_size counts gate and up-projection together; each is half as wide."]
    if config.has("visual"):
        found.append("visual: the count is that of the language model, without the vision tower and its resampler.")
    return tuple(found)
