"""Checkpoints as they were released, with their real sizes: what the pages of the models say, to the integer."""

import json
from math import prod

import pytest
from checkpoint_files import write_gguf, write_safetensors
from reference import released_config

from derive.checkpoints.counting import count_checkpoint


def deepseek_v3():
    """The 91,991 tensors of DeepSeek-V3: FP8 matrices with a scale for every block of 128 × 128, and a layer that predicts one more token."""
    d, h, V, E, me = 7168, 128, 129_280, 256, 2048
    attention = {
        "q_a_proj": (1536, d),
        "q_b_proj": (h * 192, 1536),
        "kv_a_proj_with_mqa": (576, d),
        "kv_b_proj": (h * 256, 512),
        "o_proj": (d, h * 128),
    }
    found = {"model.embed_tokens.weight": ("BF16", (V, d)), "model.norm.weight": ("BF16", (d,)), "lm_head.weight": ("BF16", (V, d))}
    for i in range(62):
        at = f"model.layers.{i}."
        matrices = {f"self_attn.{name}": shape for name, shape in attention.items()}
        networks = {"mlp": 18_432} if i < 3 else {"mlp.shared_experts": me} | {f"mlp.experts.{e}": me for e in range(E)}
        for name, m in networks.items():
            matrices |= {f"{name}.gate_proj": (m, d), f"{name}.up_proj": (m, d), f"{name}.down_proj": (d, m)}
        for name, (rows, columns) in matrices.items():
            found[f"{at}{name}.weight"] = ("F8_E4M3", (rows, columns))
            found[f"{at}{name}.weight_scale_inv"] = ("F32", (-(-rows // 128), -(-columns // 128)))
        vectors = {"input_layernorm": d, "post_attention_layernorm": d, "self_attn.q_a_layernorm": 1536, "self_attn.kv_a_layernorm": 512}
        vectors |= {"enorm": d, "hnorm": d, "shared_head.norm": d} if i == 61 else {}
        found |= {f"{at}{name}.weight": ("BF16", (size,)) for name, size in vectors.items()}
        if i >= 3:
            found |= {f"{at}mlp.gate.weight": ("BF16", (E, d)), f"{at}mlp.gate.e_score_correction_bias": ("F32", (E,))}
        if i == 61:
            found |= {
                f"{at}{name}.weight": ("BF16", shape)
                for name, shape in (("embed_tokens", (V, d)), ("shared_head.head", (V, d)), ("eh_proj", (d, 2 * d)))
            }
    return found


def test_deepseek_v3_671_and_685_billion(tmp_path):
    """671B and the 684,531,386,000 elements of the model's page are the same files."""
    path = write_safetensors(tmp_path / "model.safetensors", deepseek_v3())
    (tmp_path / "config.json").write_text(json.dumps(released_config("DeepSeek-V3")))
    counted = count_checkpoint(str(path))
    assert counted.checkpoint.elements == 684_531_386_000
    assert counted.count.total == 671_026_404_352
    scales = sum(prod(shape) for name, (_, shape) in deepseek_v3().items() if name.endswith("scale_inv"))
    prediction = 11_610_067_968 + 2 * 129_280 * 7168
    assert {misfit.kind: misfit.parameters for misfit in counted.misfits} == {
        "routing correction": 0, "quantisation data": 0, "multi-token prediction": prediction,
    }  # fmt: skip
    assert counted.difference == prediction
    assert counted.checkpoint.elements == counted.count.total + prediction + scales + 59 * 256
    alone = count_checkpoint(str(write_safetensors(tmp_path / "x.safetensors", deepseek_v3())))
    assert {part.name: part.parameters for part in alone.parts}["multi-token prediction"] == prediction


def gguf(tmp_path, architecture, metadata, tensors):
    values = {f"{architecture}.{key}": value for key, value in metadata.items()} | {"general.architecture": architecture}
    return count_checkpoint(str(write_gguf(tmp_path / "m.gguf", values, tensors)))


def common(V, d, L, attention, *, q8=True):
    """Ends and attention under GGUF's names; `attention` is name -> shape."""
    kind = "Q8_0" if q8 else "F16"
    found = {"token_embd.weight": (kind, (V, d)), "output_norm.weight": ("F32", (d,)), "output.weight": (kind, (V, d))}
    for i in range(L):
        found |= {f"blk.{i}.{name}": ("F32" if len(shape) == 1 else kind, shape) for name, shape in attention.items()}
    return found


def test_gpt_oss_20b(tmp_path):
    d, V, L, E, m = 2880, 201_088, 24, 32, 2880
    block = {
        "attn_norm.weight": (d,), "post_attention_norm.weight": (d,), "attn_q.weight": (4096, d), "attn_k.weight": (512, d), "attn_v.weight": (512, d),
        "attn_output.weight": (d, 4096), "attn_q.bias": (4096,), "attn_k.bias": (512,), "attn_v.bias": (512,), "attn_output.bias": (d,),
        "attn_sinks.weight": (64,), "ffn_gate_inp.weight": (E, d), "ffn_gate_inp.bias": (E,), "ffn_gate_exps.weight": (E, m, d),
        "ffn_up_exps.weight": (E, m, d), "ffn_down_exps.weight": (E, d, m), "ffn_gate_exps.bias": (E, m), "ffn_up_exps.bias": (E, m),
        "ffn_down_exps.bias": (E, d),
    }  # fmt: skip
    metadata = {
        "block_count": L, "embedding_length": d, "feed_forward_length": m, "attention.head_count": 64, "attention.head_count_kv": 8,
        "attention.key_length": 64, "attention.value_length": 64, "expert_count": E, "expert_used_count": 4, "expert_feed_forward_length": m,
        "attention.sliding_window": 128, "vocab_size": V,
    }  # fmt: skip
    counted = gguf(tmp_path, "gpt-oss", metadata, common(V, d, L, block))
    assert counted.parameters == 20_914_757_184 and counted.difference == 0 and not counted.misfits and not counted.notes


def test_qwen3_30b_a3b(tmp_path):
    d, V, L, E, m = 2048, 151_936, 48, 128, 768
    block = {
        "attn_norm.weight": (d,), "ffn_norm.weight": (d,), "attn_q.weight": (4096, d), "attn_k.weight": (512, d), "attn_v.weight": (512, d),
        "attn_output.weight": (d, 4096), "attn_q_norm.weight": (128,), "attn_k_norm.weight": (128,), "ffn_gate_inp.weight": (E, d),
        "ffn_gate_exps.weight": (E, m, d), "ffn_up_exps.weight": (E, m, d), "ffn_down_exps.weight": (E, d, m),
    }  # fmt: skip
    metadata = {
        "block_count": L, "embedding_length": d, "feed_forward_length": 6144, "attention.head_count": 32, "attention.head_count_kv": 4,
        "attention.key_length": 128, "expert_count": E, "expert_used_count": 8, "expert_feed_forward_length": m, "vocab_size": V,
    }  # fmt: skip
    counted = gguf(tmp_path, "qwen3moe", metadata, common(V, d, L, block))
    assert counted.parameters == 30_532_122_624 and counted.difference == 0 and not counted.notes


def test_gemma_2_9b(tmp_path):
    d, V, L, m = 3584, 256_000, 42, 14_336
    block = {
        "attn_norm.weight": (d,), "post_attention_norm.weight": (d,), "ffn_norm.weight": (d,), "post_ffw_norm.weight": (d,), "attn_q.weight": (4096, d),
        "attn_k.weight": (2048, d), "attn_v.weight": (2048, d), "attn_output.weight": (d, 4096), "ffn_gate.weight": (m, d), "ffn_up.weight": (m, d),
        "ffn_down.weight": (d, m),
    }  # fmt: skip
    metadata = {
        "block_count": L, "embedding_length": d, "feed_forward_length": m, "attention.head_count": 16, "attention.head_count_kv": 8,
        "attention.key_length": 256, "attention.sliding_window": 4096, "tokenizer.ggml.tokens": ["x"],
    }  # fmt: skip
    tensors = common(V, d, L, block)
    tensors.pop("output.weight")
    counted = gguf(tmp_path, "gemma2", metadata | {"vocab_size": V}, tensors)
    assert counted.parameters == 9_241_705_984 and counted.difference == 0 and not counted.notes


@pytest.mark.parametrize("split", [False, True])
def test_deepseek_v3_gguf(tmp_path, split):
    """With the up-projection of keys and values in one matrix, or in two as the attention on compressed keys wants it."""
    d, h, V, L, E, me = 7168, 128, 129_280, 61, 256, 2048
    attention = {
        "attn_norm.weight": (d,), "ffn_norm.weight": (d,), "attn_q_a.weight": (1536, d), "attn_q_a_norm.weight": (1536,), "attn_q_b.weight": (h * 192, 1536),
        "attn_kv_a_mqa.weight": (576, d), "attn_kv_a_norm.weight": (512,), "attn_output.weight": (d, h * 128),
    }  # fmt: skip
    attention |= {"attn_k_b.weight": (h, 512, 128), "attn_v_b.weight": (h, 128, 512)} if split else {"attn_kv_b.weight": (h * 256, 512)}
    tensors = common(V, d, L, attention)
    for i in range(L):
        if i < 3:
            tensors |= {
                f"blk.{i}.ffn_{part}.weight": ("Q8_0", (18_432, d) if part != "down" else (d, 18_432)) for part in ("gate", "up", "down")
            }
            continue
        for kind, lead in (("exps", (E,)), ("shexp", ())):
            shapes = {"gate": (*lead, me, d), "up": (*lead, me, d), "down": (*lead, d, me)}
            tensors |= {f"blk.{i}.ffn_{part}_{kind}.weight": ("Q8_0", shape) for part, shape in shapes.items()}
        tensors |= {f"blk.{i}.ffn_gate_inp.weight": ("F32", (E, d)), f"blk.{i}.exp_probs_b.bias": ("F32", (E,))}
    metadata = {
        "block_count": L, "embedding_length": d, "feed_forward_length": 18_432, "attention.head_count": h, "attention.head_count_kv": 1 if split else h,
        "attention.q_lora_rank": 1536, "attention.kv_lora_rank": 512, "attention.key_length": 576 if split else 192, "rope.dimension_count": 64,
        "attention.value_length": 512 if split else 128, "expert_count": E, "expert_used_count": 8, "expert_feed_forward_length": me, "expert_shared_count": 1,
        "leading_dense_block_count": 3, "vocab_size": V,
    }  # fmt: skip
    metadata |= {"attention.key_length_mla": 192, "attention.value_length_mla": 128} if split else {}
    counted = gguf(tmp_path, "deepseek2", metadata, tensors)
    assert not counted.notes
    assert counted.count.total == 671_026_404_352 and counted.difference == 0
    assert [misfit.kind for misfit in counted.misfits] == ["routing correction"]
