"""The real implementations without attention in every layer, built on the meta device: parameters of odd configurations.

Runs where torch and transformers are installed (extra `trace`); elsewhere the recorded totals stand in, in the other tests.
"""

import pytest

from derive.counting import count

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

BASE = {"vocab_size": 97, "hidden_size": 48, "num_hidden_layers": 5, "pad_token_id": None}
HEADS = {"num_attention_heads": 6, "num_key_value_heads": 2}
LLAMA = BASE | HEADS | {"intermediate_size": 80}
SSM = {"state_size": 7, "expand": 3, "conv_kernel": 5}
MAMBA = {"mamba_d_state": 7, "mamba_d_conv": 5, "mamba_expand": 3}
MAMBA2 = MAMBA | {"mamba_n_heads": 12, "mamba_d_head": "auto", "mamba_n_groups": 2}
BIASES = {"mamba_proj_bias": True, "mamba_conv_bias": False}
EXPERTS = {"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 24}
LINEAR = {
    "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 5, "linear_value_head_dim": 7,
    "linear_conv_kernel_dim": 3,
}  # fmt: skip
KINDS = ["linear_attention", "full_attention", "linear_attention", "linear_attention", "full_attention"]
JAMBA = LLAMA | MAMBA | {
    "attn_layer_period": 3, "attn_layer_offset": 1, "expert_layer_period": 2, "expert_layer_offset": 0, "num_experts": 4,
    "num_experts_per_tok": 2,
}  # fmt: skip
NEMOTRON = {key: value for key, value in LLAMA.items() if key != "num_hidden_layers"} | {
    "hybrid_override_pattern": "M*E-MEM", "head_dim": 10, "ssm_state_size": 7, "mamba_num_heads": 6, "mamba_head_dim": 5, "n_groups": 2,
    "conv_kernel": 3, "n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
    "moe_shared_expert_intermediate_size": 28,
}  # fmt: skip
LFM2 = LLAMA | {"conv_L_cache": 4, "layer_types": ["conv", "full_attention", "conv", "conv", "full_attention"], "block_multiple_of": 7}
KIMI = LLAMA | {
    "num_key_value_heads": 6, "moe_intermediate_size": 24, "num_shared_experts": 2, "kv_lora_rank": 20, "q_lora_rank": None,
    "qk_rope_head_dim": 4, "v_head_dim": 10, "qk_nope_head_dim": 12, "num_experts_per_token": 2, "num_experts": 4,
    "first_k_dense_replace": 2,
}  # fmt: skip
KDA = {"full_attn_layers": [2, 5], "kda_layers": [1, 3, 4], "head_dim": 7, "num_heads": 3, "short_conv_kernel_size": 3}
ZAMBA = {"layers_block_type": ["mamba", "hybrid", "mamba", "hybrid", "hybrid"], "num_key_value_heads": 6}
ZAMBA2 = LLAMA | ZAMBA | MAMBA | {"mamba_ngroups": 2, "n_mamba_heads": 4, "num_mem_blocks": 2, "adapter_rank": 5}
XLSTM = BASE | {"num_heads": 4, "ffn_round_up_to_multiple_of": 7, "qk_dim_factor": 0.5, "v_dim_factor": 1.0, "ffn_proj_factor": 2.667}

VARIANTS = [
    ("mamba", BASE | SSM),
    ("mamba", BASE | SSM | {"time_step_rank": 11, "use_bias": True, "use_conv_bias": False, "tie_word_embeddings": False}),
    ("falcon_mamba", BASE | SSM | {"time_step_rank": 11, "use_bias": True}),
    ("mamba2", BASE | SSM | {"num_heads": 12, "head_dim": 12, "n_groups": 2}),
    ("mamba2", BASE | SSM | {"num_heads": 6, "head_dim": 24, "n_groups": 1, "use_bias": True, "use_conv_bias": False, "tie_word_embeddings": True}),
    ("jamba", JAMBA),
    ("jamba", JAMBA | BIASES | {"num_experts": 1, "mamba_dt_rank": 9, "tie_word_embeddings": True}),
    ("bamba", LLAMA | MAMBA2 | {"attn_layer_indices": None}),
    ("bamba", LLAMA | MAMBA2 | BIASES | {"attn_layer_indices": [0, 3], "attention_bias": True, "mlp_bias": True}),
    ("falcon_h1", LLAMA | MAMBA2 | {"mamba_d_ssm": None}),
    ("falcon_h1", LLAMA | MAMBA2 | BIASES | {"mamba_d_ssm": 60, "head_dim": 10, "mamba_rms_norm": True, "projectors_bias": True, "mlp_bias": True}),
    ("granitemoehybrid", LLAMA | MAMBA2 | {"layer_types": KINDS, "num_local_experts": 4, "num_experts_per_tok": 2, "shared_intermediate_size": 28}),
    ("granitemoehybrid", LLAMA | MAMBA2 | BIASES | {"layer_types": None, "num_local_experts": 0, "shared_intermediate_size": 28}),
    ("nemotron_h", NEMOTRON),
    ("nemotron_h", NEMOTRON | {"moe_latent_size": 12, "mlp_bias": True, "use_bias": True, "use_conv_bias": False, "tie_word_embeddings": True}),
    ("lfm2", LFM2),
    ("lfm2", LFM2 | {"block_ff_dim": 101, "block_ffn_dim_multiplier": 1.3, "conv_bias": True, "tie_embedding": False}),
    ("lfm2", LFM2 | {"layer_types": None, "full_attn_idxs": [4], "block_auto_adjust_ff_dim": False}),
    ("lfm2_moe", LFM2 | EXPERTS | {"num_dense_layers": 2, "conv_bias": True}),
    ("lfm3", LFM2 | {"head_dim": 10, "layer_types": ["conv", "sliding_attention", "conv", "conv", "full_attention"]}),
    ("lfm3", LFM2 | {"head_dim": 10, "use_sandwich_norm": False, "use_attention_gate": False, "attention_bias": True, "conv_bias": True}),
    ("qwen3_next", LLAMA | EXPERTS | LINEAR | {"head_dim": 8, "full_attention_interval": 2, "shared_expert_intermediate_size": 28}),
    (
        "qwen3_next",
        LLAMA | EXPERTS | LINEAR
        | {"head_dim": 8, "layer_types": KINDS, "decoder_sparse_step": 2, "mlp_only_layers": [3], "shared_expert_intermediate_size": 28,
           "attention_bias": True},
    ),
    ("qwen3_5_text", LLAMA | LINEAR | {"head_dim": 8, "layer_types": KINDS, "attention_bias": True}),
    ("qwen3_5_moe_text", LLAMA | EXPERTS | LINEAR | {"head_dim": 8, "layer_types": KINDS, "shared_expert_intermediate_size": 28}),
    ("olmo_hybrid", LLAMA | LINEAR | {"layer_types": KINDS, "attention_bias": True, "tie_word_embeddings": True}),
    ("recurrent_gemma", LLAMA | {"lru_width": None, "conv1d_width": 3, "attention_window_size": 8, "block_types": ["recurrent", "attention"]}),
    (
        "recurrent_gemma",
        LLAMA | {"lru_width": 30, "conv1d_width": 3, "attention_window_size": 8, "block_types": ["attention", "recurrent", "recurrent"],
                 "attention_bias": True, "tie_word_embeddings": False},
    ),
    ("minimax", LLAMA | {"layer_types": None, "num_local_experts": 4, "num_experts_per_tok": 2}),
    ("minimax", LLAMA | {"layer_types": KINDS, "num_local_experts": 4, "num_experts_per_tok": 2, "head_dim": 10}),
    ("rwkv", BASE | {"attention_hidden_size": None, "intermediate_size": None}),
    ("rwkv", BASE | {"attention_hidden_size": 20, "intermediate_size": 33, "tie_word_embeddings": True}),
    ("xlstm", XLSTM),
    ("xlstm", XLSTM | {"use_bias": True, "weight_mode": "fused", "tie_word_embeddings": True}),
    ("kimi_linear", KIMI | {"linear_attn_config": KDA}),
    ("kimi_linear", KIMI | {"linear_attn_config": KDA, "q_lora_rank": 14, "attention_bias": True, "tie_word_embeddings": True}),
    ("bailing_hybrid", KIMI | {"layer_group_size": 2, "head_dim": 7, "short_conv_kernel_size": 3}),
    ("zamba", LLAMA | ZAMBA | MAMBA | {"n_mamba_heads": 2}),
    ("zamba", LLAMA | ZAMBA | MAMBA | BIASES | {"n_mamba_heads": 3, "tie_word_embeddings": False}),
    ("zamba2", ZAMBA2),
    ("zamba2", ZAMBA2 | {"add_bias_linear": True, "use_conv_bias": False, "use_shared_attention_adapter": True}),
    ("zamba2", ZAMBA2 | {"tie_word_embeddings": False, "use_shared_attention_adapter": True}),
    ("minicpm3", KIMI | {"q_lora_rank": 14, "attention_bias": True, "mlp_bias": True, "head_dim": None}),
    ("internlm3", LLAMA | {"head_dim": 10, "qkv_bias": True, "bias": True}),
]  # fmt: skip


@pytest.mark.parametrize(("model_type", "sizes"), VARIANTS, ids=[f"{at}-{row[0]}" for at, row in enumerate(VARIANTS)])
def test_parameters_and_buffers_of_odd_configurations(model_type, sizes):
    if model_type == "minicpm3":
        sizes = {key: value for key, value in sizes.items() if "expert" not in key and not key.startswith(("first", "moe"))}
    config = transformers.AutoConfig.for_model(model_type, **sizes)
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(config)
    result = count({"model_type": model_type, **sizes})
    assert result.total == sum(parameter.numel() for parameter in model.parameters())
    balance = sum(buffer.numel() for name, buffer in model.named_buffers() if name.endswith(("correction_bias", "expert_bias")))
    assert result.parameters.get("total_with_buffers", result.total) - result.total == balance
