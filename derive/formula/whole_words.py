"""Words of the field that are one name wherever they stand, also where letters could be multiplied."""

from __future__ import annotations

from functools import lru_cache

from derive.formula.units import LIKE_LETTERS, UNITS
from derive.symbols import meant_by

WHOLE_WORDS = frozenset(
    "hidden vocab vocabulary layers layer heads head batch seq tokens token bytes byte params param parameters parameter embed embedding "
    "embeddings attention attn ffn mlp mha mqa gqa mla moe expert experts router norm layernorm rmsnorm context ctx dim dims width depth "
    "size length model dmodel dff dhead nlayers nheads nlayer nhead flops flop total active cache kv memory gradients optimizer weights "
    "activations states kvcache lora rank bias biases logits unembed unembedding lmhead head_dim dtype precision elements ratio "
    "intermediate inner ffw feedforward positions position seqlen layernum headnum hiddensize vocabsize batchsize time latency bandwidth "
    "throughput".split()
)
"""Lower-cased; `FLOPs`, `MLP`, `KV` are among them."""

FUNCTIONS = frozenset(
    "exp log ln lg min max ceil floor round abs mod sin cos tan tanh softmax sigmoid relu gelu swish silu argmax argmin det tr std var "
    "mean sqrt sum prod lim len int float range concat topk dim rank norm gcd lcm Pr erf sup inf Attention LayerNorm RMSNorm "
    "Softmax".split()
)
"""Names that are applied to what stands in brackets behind them."""

ATTRIBUTE_OWNERS = frozenset("config cfg args self model params hparams opt conf hp".split())
"""`config.hidden_size` is hidden_size."""


@lru_cache(maxsize=4096)
def is_word(word: str) -> bool:
    """Whether a run of letters is one name of the field."""
    return word.lower() in WHOLE_WORDS or (len(word) > 1 and word in UNITS and word not in LIKE_LETTERS) or meant_by(word) is not None
