"""The real implementations, built on the meta device: parameters of odd configurations, and FLOPs as torch counts them.

Runs where torch and transformers are installed (extra `trace`); elsewhere the recorded values stand in, in the other tests.
"""

import pytest
from reference import MEASURED, records, released_config

from derive.counting import count
from derive.figures import usage

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

LLAMA = {
    "vocab_size": 97, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3, "num_attention_heads": 6,
    "num_key_value_heads": 2,
}  # fmt: skip
EXPERTS = {"num_local_experts": 5, "num_experts_per_tok": 2}
DEEPSEEK = LLAMA | {
    "num_key_value_heads": 6, "moe_intermediate_size": 24, "n_routed_experts": 8, "n_shared_experts": 2, "num_experts_per_tok": 2,
    "first_k_dense_replace": 1, "kv_lora_rank": 20, "q_lora_rank": 28, "qk_nope_head_dim": 12, "qk_rope_head_dim": 4, "v_head_dim": 10,
    "n_group": 2, "topk_group": 1, "head_dim": 4,
}  # fmt: skip
GPT2 = {"vocab_size": 97, "n_positions": 32, "n_embd": 48, "n_layer": 3, "n_head": 4}
VARIANTS = [
    ("gpt2", GPT2),
    ("gpt2", GPT2 | {"n_inner": 100, "tie_word_embeddings": False}),
    ("llama", LLAMA),
    ("llama", LLAMA | {"head_dim": 10, "attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True}),
    ("llama", LLAMA | {"num_key_value_heads": None}),
    ("mistral", LLAMA | {"head_dim": 12, "sliding_window": 8}),
    ("mixtral", LLAMA | EXPERTS | {"head_dim": 6, "tie_word_embeddings": True}),
    ("qwen2", LLAMA | {"use_sliding_window": True, "sliding_window": 8, "max_window_layers": 1}),
    ("qwen3_moe", LLAMA | {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20, "head_dim": 14, "attention_bias": True}),
    (
        "qwen3_moe",
        LLAMA | {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20, "head_dim": 8, "decoder_sparse_step": 2},
    ),
    (
        "qwen3_moe",
        LLAMA | {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20, "head_dim": 8, "mlp_only_layers": [0, 2]},
    ),
    ("gemma2", LLAMA | {"head_dim": 10, "sliding_window": 8}),
    ("gemma2", LLAMA | {"head_dim": 10, "sliding_window": 8, "tie_word_embeddings": False, "attention_bias": True}),
    ("gpt_oss", LLAMA | EXPERTS | {"head_dim": 10, "sliding_window": 8}),
    ("gpt_oss", LLAMA | EXPERTS | {"head_dim": 10, "sliding_window": 8, "attention_bias": False, "tie_word_embeddings": True}),
    ("deepseek_v3", DEEPSEEK),
    ("deepseek_v3", DEEPSEEK | {"q_lora_rank": None, "attention_bias": True, "tie_word_embeddings": True}),
    ("deepseek_v3", DEEPSEEK | {"first_k_dense_replace": 3}),
    ("deepseek_v3", DEEPSEEK | {"first_k_dense_replace": 0, "n_shared_experts": 1}),
]  # fmt: skip


def build(model_type, sizes):
    """The real model, without memory."""
    sizes = {key: value for key, value in sizes.items() if key not in ("model_type", "quantization_config")}
    config = transformers.AutoConfig.for_model(model_type, **sizes)
    config._experts_implementation = "batched_mm"  # the default grouped kernels are counted as zero
    with torch.device("meta"):
        return transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()


def measured_flops(model, tokens):
    """The FLOPs of one forward pass, as torch's own counter has them."""
    from torch.utils.flop_counter import FlopCounterMode

    mask = torch.zeros(1, 1, tokens, tokens, device="meta")
    if model.config.model_type in ("gemma2", "gpt_oss", "qwen2"):
        mask = {"full_attention": mask, "sliding_attention": mask}
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(input_ids=torch.zeros(1, tokens, dtype=torch.long, device="meta"), attention_mask=mask, use_cache=False)
    return counter.get_total_flops()


@pytest.mark.parametrize(("model_type", "sizes"), VARIANTS)
def test_parameters_of_odd_configurations(model_type, sizes):
    model = build(model_type, sizes)
    assert count({"model_type": model_type, **sizes}).total == sum(parameter.numel() for parameter in model.parameters())


RECORDED = [row for row in records("families.jsonl") if row["which"].startswith("odd")]


@pytest.mark.parametrize("row", RECORDED, ids=[f"{row['model_type']}-{row['which'].replace(' ', '')}" for row in RECORDED])
def test_what_was_recorded_is_what_the_implementation_has(row):
    model = build(row["model_type"], row["config"])
    assert sum(parameter.numel() for parameter in model.parameters()) == row["total"]


@pytest.mark.parametrize(("model_type", "sizes"), VARIANTS)
def test_flops_of_odd_configurations(model_type, sizes):
    assert usage({"model_type": model_type, **sizes}, context=16)["flops"]["prefill"] == measured_flops(build(model_type, sizes), 16)


@pytest.mark.parametrize("name", MEASURED["flops"])
def test_flops_of_released_models(name):
    config, tokens = released_config(name), MEASURED["tokens"]
    measured = measured_flops(build(config["model_type"], config), tokens)
    assert measured == MEASURED["flops"][name] == usage(config, context=tokens)["flops"]["prefill"]
