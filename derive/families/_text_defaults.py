"""What the text part of a multimodal configuration leaves out: sizes that are its class's own.

A configuration file states all sizes of the model itself, but of a part within it only those that differ from the defaults of the
part's class. Released configurations rely on it: LLaVA 1.5 states one size of its text model, Gemma 3 (4B) four.

Source   The configuration classes of transformers 5.24; a key of an older class had the same default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LLAMA = {"hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000}
_QWEN = {
    "hidden_size": 4096, "intermediate_size": 22016, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
    "vocab_size": 151_936,
}  # fmt: skip
_QWEN_VL = {
    "hidden_size": 8192, "intermediate_size": 29568, "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8,
    "vocab_size": 152_064,
}  # fmt: skip
_GEMMA_2 = {
    "hidden_size": 2304, "intermediate_size": 9216, "num_hidden_layers": 26, "num_attention_heads": 8, "num_key_value_heads": 4,
    "head_dim": 256, "vocab_size": 256_000, "sliding_window": 4096,
}  # fmt: skip
_GLM_4V = {
    "hidden_size": 4096, "intermediate_size": 13696, "num_hidden_layers": 40, "num_attention_heads": 32, "num_key_value_heads": 2,
    "vocab_size": 151_552,
}  # fmt: skip

LEFT_OUT: Mapping[str, Mapping[str, Any]] = {
    "cohere2": {
        "hidden_size": 8192, "intermediate_size": 22528, "num_hidden_layers": 40, "num_attention_heads": 64, "vocab_size": 256_000,
        "sliding_window": 4096,
    },
    "gemma": {
        "hidden_size": 3072, "intermediate_size": 24576, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 16,
        "head_dim": 256, "vocab_size": 256_000,
    },
    "gemma2": _GEMMA_2,
    "gemma3_text": _GEMMA_2 | {"vocab_size": 262_208},
    "glm4v_text": _GLM_4V,
    "granite": _LLAMA,
    "llama": _LLAMA,
    "llama4_text": {
        "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384, "num_hidden_layers": 48, "num_attention_heads": 40,
        "num_key_value_heads": 8, "head_dim": 128, "num_local_experts": 16, "num_experts_per_tok": 1, "vocab_size": 202_048,
        "attention_chunk_size": 8192,
    },
    "mistral": _LLAMA | {"intermediate_size": 14336, "num_key_value_heads": 8, "sliding_window": 4096},
    "opt": {
        "hidden_size": 768, "ffn_dim": 3072, "num_hidden_layers": 12, "num_attention_heads": 12, "max_position_embeddings": 2048,
        "vocab_size": 50272,
    },
    "persimmon": {
        "hidden_size": 4096, "intermediate_size": 16384, "num_hidden_layers": 36, "num_attention_heads": 64, "vocab_size": 262_144,
    },
    "phi3": _LLAMA | {"hidden_size": 3072, "intermediate_size": 8192, "vocab_size": 32064},
    "qwen2": _QWEN,
    "qwen2_vl_text": _QWEN_VL,
    "qwen2_5_vl_text": _QWEN_VL,
    "qwen3": _QWEN | {"head_dim": 128},
    "qwen3_vl_text": _QWEN | {"head_dim": 128},
}  # fmt: skip
"""By the type of the text part."""

HEADS_OF_WIDTH = frozenset(("glm4v_text", "glm4v"))
"""Text models whose heads are d/h wide where nothing is said, other than those of the family that they are counted by."""
