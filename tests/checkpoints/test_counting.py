"""Checkpoints beside their configuration: what fits, and every kind of what does not."""

import json

import pytest
from checkpoint_files import llama_gguf, llama_tensors, write_gguf, write_index, write_safetensors

from derive.checkpoints.counting import count_checkpoint
from derive.checkpoints.locating import find_checkpoint
from derive.counting import count
from derive.errors import ConfigError

TOTAL = 3 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 160 + 2 * 64) + 64 + 2 * 100 * 64


@pytest.fixture
def stored(tmp_path, config):
    """Counts tensors beside a configuration."""

    def stored(tensors, **changes):
        (tmp_path / "config.json").write_text(json.dumps(config | changes))
        write_safetensors(tmp_path / "model.safetensors", tensors)
        counted = count_checkpoint(find_checkpoint(str(tmp_path)))
        assert counted.difference is None or counted.undecided or counted.difference == counted.explained
        return counted

    return stored


def kinds(counted):
    return [(misfit.kind, misfit.parameters) for misfit in counted.misfits]


def test_what_fits(stored):
    counted = stored(llama_tensors())
    assert counted.parameters == TOTAL == counted.count.total and counted.difference == 0 and not counted.misfits and not counted.notes
    assert all(part.parameters == part.closed_form for part in counted.parts)
    assert counted.formats == {"BF16": (TOTAL, 2 * TOTAL)}


def test_the_parts_by_hand(stored):
    parts = {part.name: (part.parameters, part.tensors) for part in stored(llama_tensors()).parts}
    assert parts == {
        "token embedding": (6400, 1), "attention": (3 * 12_288, 12), "feed-forward": (3 * 30_720, 9), "norms": (384, 6), "final norm": (64, 1),
        "output head": (6400, 1),
    }  # fmt: skip


def test_buffers(stored):
    extra = {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": ("F32", (8,)) for i in range(3)}
    counted = stored(llama_tensors() | extra)
    assert kinds(counted) == [("buffers", 0)] and counted.difference == 0
    (group,) = counted.misfits[0].groups
    assert (group.pattern, group.count, group.numbers, group.shape) == ("model.layers.*.self_attn.rotary_emb.inv_freq", 3, "0-2", (8,))


def test_a_tied_head_stored_twice(stored):
    assert kinds(stored(llama_tensors(), tie_word_embeddings=True)) == [("tied head stored twice", 6400)]
    assert kinds(stored(llama_tensors(tied=True), tie_word_embeddings=True)) == []


def test_a_head_that_is_missing(stored):
    counted = stored(llama_tensors(tied=True))
    assert kinds(counted) == [("in the closed form, not stored", -6400)]
    assert counted.misfits[0].groups[0].pattern == "output head: W_U"


def test_a_padded_vocabulary(stored):
    counted = stored(llama_tensors(V=128))
    assert kinds(counted) == [("padded vocabulary", 28 * 64)] * 2
    assert counted.misfits[0].reason == "128 rows, the vocabulary has 100 entries: 28 × 64 elements more"
    assert kinds(stored(llama_tensors(V=128), tie_word_embeddings=True)) == [
        ("padded vocabulary", 28 * 64),
        ("tied head stored twice", 128 * 64),
    ]


def test_layers_that_predict(stored):
    extra = {"model.layers.3.eh_proj.weight": ("BF16", (64, 128)), "model.layers.3.self_attn.q_proj.weight": ("BF16", (64, 64))}
    assert kinds(stored(llama_tensors() | extra)) == [("multi-token prediction", 3 * 64 * 64)]


def test_another_modality(stored):
    counted = stored(llama_tensors() | {"vision_tower.blocks.0.mlp.fc1.weight": ("BF16", (10, 10))})
    assert kinds(counted) == [("other modality", 100)]


def test_a_tensor_that_nobody_expects(stored):
    extra = {f"model.layers.{i}.self_attn.q_norm.weight": ("BF16", (16,)) for i in range(3)} | {"what.ever": ("BF16", (7, 7))}
    counted = stored(llama_tensors() | extra)
    assert kinds(counted) == [("stored, not in the closed form", 3 * 16 + 49)]
    assert [(group.pattern, group.count) for group in counted.misfits[0].groups] == [
        ("model.layers.*.self_attn.q_norm.weight", 3),
        ("what.ever", 1),
    ]


def test_a_tensor_of_another_shape(stored):
    counted = stored(llama_tensors() | {"model.layers.1.mlp.up_proj.weight": ("BF16", (161, 64))})
    assert kinds(counted) == [("stored, not in the closed form", 161 * 64), ("in the closed form, not stored", -160 * 64)]
    assert counted.difference == 64


def test_a_missing_layer(stored):
    counted = stored(llama_tensors(L=2))
    assert counted.difference == -(2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 160 + 2 * 64)


def test_names_that_place_a_tensor_elsewhere(stored):
    tensors = {name.replace("input_layernorm", "self_attn.scale"): each for name, each in llama_tensors().items()}
    counted = stored(tensors)
    assert counted.difference == 0 and kinds(counted) == []
    assert counted.notes == ("Differ one by one, but agree together: attention (+192), norms (-192).",)


def quantised(pack):
    """The tensors of the model with every linear layer packed."""
    found = {}
    for name, (dtype, shape) in llama_tensors().items():
        found |= pack(name.removesuffix(".weight"), *shape) if "proj" in name else {name: (dtype, shape)}
    return found


PACKINGS = {
    "GPTQ 4-bit": lambda name, o, i: {
        f"{name}.qweight": ("I32", (i // 8, o)), f"{name}.qzeros": ("I32", (1, o // 8)), f"{name}.scales": ("F16", (1, o)), f"{name}.g_idx": ("I32", (i,)),
    },
    "AWQ 4-bit": lambda name, o, i: {
        f"{name}.qweight": ("I32", (i, o // 8)), f"{name}.qzeros": ("I32", (1, o // 8)), f"{name}.scales": ("F16", (1, o)),
    },
    "bitsandbytes 4-bit": lambda name, o, i: {f"{name}.weight": ("U8", (o * i // 2, 1)), f"{name}.weight.absmax": ("F32", (o * i // 64,))},
    "F8_E4M3": lambda name, o, i: {f"{name}.weight": ("F8_E4M3", (o, i)), f"{name}.weight_scale_inv": ("F32", (1, 1))},
}  # fmt: skip


@pytest.mark.parametrize("packing", PACKINGS)
def test_packed_weights_fit(stored, packing):
    counted = stored(quantised(PACKINGS[packing]))
    assert counted.difference == 0 and counted.parameters == TOTAL
    packed = [] if packing == "F8_E4M3" else [("packed weights", 0)]
    assert kinds(counted) == [("quantisation data", 0), *packed]
    if packed:
        groups = counted.misfits[1].groups
        assert sum(group.elements for group in groups) == 3 * (12_288 + 30_720)
        assert groups[0].elements == 3 * 64 * 64 and groups[0].count == 3 and groups[0].format == packing
    assert counted.formats[packing][0] == TOTAL - 2 * 6400 - 64 - 384


def test_packing_that_is_not_known(stored):
    counted = stored(quantised(lambda name, o, i: {f"{name}.codes": ("I16", (o, i // 8))}))
    assert counted.undecided and kinds(counted) == [("packed, count not known", 0)]


def test_packed_as_the_configuration_says(stored):
    tensors = quantised(lambda name, o, i: {f"{name}.weight_packed": ("I32", (o, i // 8)), f"{name}.weight_scale": ("BF16", (o, 1))})
    said = {"config_groups": {"group_0": {"weights": {"num_bits": 4}}}}
    assert stored(tensors, quantization_config=said).difference == 0
    assert stored(tensors).undecided


def mixture(correction, L=3, E=4):
    """A small DeepSeek-V3 with the tensors that its release names."""
    d, h, rq, rkv, dn, dr, dv, me = 64, 4, 24, 16, 8, 8, 8, 32
    found = {"model.embed_tokens.weight": ("BF16", (100, d)), "model.norm.weight": ("BF16", (d,)), "lm_head.weight": ("BF16", (100, d))}
    for i in range(L):
        at = f"model.layers.{i}."
        shapes = {
            "self_attn.q_a_proj": (rq, d), "self_attn.q_a_layernorm": (rq,), "self_attn.q_b_proj": (h * (dn + dr), rq),
            "self_attn.kv_a_proj_with_mqa": (rkv + dr, d), "self_attn.kv_a_layernorm": (rkv,), "self_attn.kv_b_proj": (h * (dn + dv), rkv),
            "self_attn.o_proj": (d, h * dv), "input_layernorm": (d,), "post_attention_layernorm": (d,),
        }  # fmt: skip
        experts = ["mlp.shared_experts", *(f"mlp.experts.{e}" for e in range(E))] if i else []
        shapes |= {f"{each}.{part}_proj": (me, d) if part != "down" else (d, me) for each in experts for part in ("gate", "up", "down")}
        shapes |= (
            {"mlp.gate": (E, d)} if i else {f"mlp.{part}_proj": (160, d) if part != "down" else (d, 160) for part in ("gate", "up", "down")}
        )
        found |= {f"{at}{name}.weight": ("BF16", shape) for name, shape in shapes.items()}
        found |= {f"{at}mlp.gate.e_score_correction_bias": ("F32", (E,))} if i and correction else {}
    return found


MIXTURE = {
    "model_type": "deepseek_v3", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 100,
    "intermediate_size": 160, "moe_intermediate_size": 32, "n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2,
    "first_k_dense_replace": 1, "q_lora_rank": 24, "kv_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "v_head_dim": 8,
}  # fmt: skip


def test_experts_and_the_routing_correction(stored):
    counted = stored(mixture(correction=True), **MIXTURE)
    assert counted.difference == 0
    assert kinds(counted) == [("routing correction", 0)]
    assert counted.misfits[0].groups[0].pattern == "model.layers.*.mlp.gate.e_score_correction_bias"
    parts = {part.name: part.parameters for part in counted.parts}
    assert parts["routed experts"] == 2 * 4 * 3 * 64 * 32 and parts["shared experts"] == 2 * 3 * 64 * 32 and parts["router"] == 2 * 4 * 64
    assert kinds(stored(mixture(correction=False), **MIXTURE)) == []


class TestConfiguration:
    def test_none(self, tmp_path):
        counted = count_checkpoint(str(write_safetensors(tmp_path / "a.safetensors", llama_tensors())))
        assert counted.parameters == TOTAL and counted.count is None and counted.difference is None
        assert counted.notes == ("No closed form to compare with: no config.json beside the checkpoint.",)

    def test_of_an_unknown_architecture(self, stored):
        counted = stored(llama_tensors(), model_type="unheard_of")
        assert counted.parameters == TOTAL and "unknown model_type 'unheard_of'" in counted.notes[0]

    def test_malformed(self, tmp_path):
        write_safetensors(tmp_path / "a.safetensors", llama_tensors())
        (tmp_path / "config.json").write_text("{")
        with pytest.raises(ConfigError, match="not JSON"):
            count_checkpoint(str(tmp_path / "a.safetensors"))

    def test_of_meta(self, tmp_path):
        write_safetensors(tmp_path / "a.safetensors", llama_tensors())
        keys = {"dim": 64, "n_layers": 3, "n_heads": 4, "n_kv_heads": 2, "hidden_dim": 160, "vocab_size": 100}
        (tmp_path / "params.json").write_text(json.dumps(keys))
        assert count_checkpoint(str(tmp_path / "a.safetensors")).difference == 0


class TestGguf:
    def test_by_its_own_metadata(self, tmp_path):
        counted = count_checkpoint(str(write_gguf(tmp_path / "a.gguf", *llama_gguf())))
        assert counted.difference == 0 and counted.read.family == "llama" and not counted.misfits
        assert counted.parameters == 2 * (2 * 256**2 + 2 * 256 * 128 + 3 * 256 * 512 + 2 * 256) + 256 + 2 * 320 * 256
        assert set(counted.formats) == {"Q4_K", "Q6_K", "F32"}

    def test_tied_and_with_factors(self, tmp_path):
        metadata, tensors = llama_gguf(tied=True)
        counted = count_checkpoint(str(write_gguf(tmp_path / "a.gguf", metadata, tensors | {"rope_freqs.weight": ("F32", (32,))})))
        assert counted.difference == 0 and [misfit.kind for misfit in counted.misfits] == ["buffers"]

    def test_a_mixture(self, tmp_path):
        metadata, tensors = llama_gguf(L=1)
        tensors = {name: each for name, each in tensors.items() if "ffn_" not in name or "norm" in name}
        tensors |= {
            f"blk.0.ffn_{part}_exps.weight": ("Q4_K", (4, 512, 256) if part != "down" else (4, 256, 512)) for part in ("gate", "up", "down")
        }
        tensors["blk.0.ffn_gate_inp.weight"] = ("F32", (4, 256))
        counted = count_checkpoint(
            str(write_gguf(tmp_path / "a.gguf", metadata | {"llama.expert_count": 4, "llama.expert_used_count": 2}, tensors))
        )
        assert counted.read.family == "mixtral" and counted.difference == 0
        assert {part.name: part.parameters for part in counted.parts}["routed experts"] == 4 * 3 * 256 * 512

    def test_gpt2(self, tmp_path):
        d, V, n = 256, 64, 128
        metadata = {
            "general.architecture": "gpt2", "gpt2.block_count": 1, "gpt2.embedding_length": d, "gpt2.feed_forward_length": 4 * d,
            "gpt2.attention.head_count": 4, "gpt2.context_length": n, "tokenizer.ggml.tokens": ["x"] * V,
        }  # fmt: skip
        vectors = {"attn_norm": d, "ffn_norm": d, "attn_qkv": 3 * d, "attn_output": d, "ffn_up": 4 * d, "ffn_down": d}
        tensors = {"token_embd.weight": ("F16", (V, d)), "position_embd.weight": ("F16", (n, d)), "output_norm.weight": ("F32", (d,))}
        tensors |= {"output_norm.bias": ("F32", (d,))} | {f"blk.0.{name}.bias": ("F32", (size,)) for name, size in vectors.items()}
        tensors |= {f"blk.0.{name}.weight": ("F32", (d,)) for name in ("attn_norm", "ffn_norm")}
        shapes = {"attn_qkv": (3 * d, d), "attn_output": (d, d), "ffn_up": (4 * d, d), "ffn_down": (d, 4 * d)}
        tensors |= {f"blk.0.{name}.weight": ("F16", shape) for name, shape in shapes.items()}
        counted = count_checkpoint(str(write_gguf(tmp_path / "a.gguf", metadata, tensors)))
        assert counted.difference == 0 and counted.parameters == 12 * d * d + 13 * d + 2 * d + (V + n) * d

    def test_another_architecture(self, tmp_path):
        metadata, tensors = llama_gguf()
        counted = count_checkpoint(str(write_gguf(tmp_path / "a.gguf", metadata | {"general.architecture": "new"}, tensors)))
        assert counted.count is None and "of the architecture new" in counted.notes[0]


class TestIndexAlone:
    def test_names_and_bytes(self, tmp_path, config):
        tensors = llama_tensors() | {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": ("BF16", (8,)) for i in range(3)}
        path = write_index(tmp_path, {"model-00001-of-00001.safetensors": tensors}, total_size=2 * (TOTAL + 24))
        (tmp_path / "model-00001-of-00001.safetensors").unlink()
        (tmp_path / "config.json").write_text(json.dumps(config | {"torch_dtype": "bfloat16"}))
        counted = count_checkpoint(str(path))
        assert counted.difference is None and counted.count.total == TOTAL
        assert counted.notes[0] == "Only the index is here, none of its 1 files: names and bytes are known, shapes are not."
        assert counted.notes[1] == f"284,592 bytes are {TOTAL + 24:,} elements of bfloat16 (2 bytes each), +24 over the closed form."
        assert {part.name: part.tensors for part in counted.parts}["buffers"] == 3

    def test_without_bytes(self, tmp_path):
        path = write_index(tmp_path, {"a.safetensors": llama_tensors()})
        (tmp_path / "a.safetensors").unlink()
        assert "The index gives no metadata.total_size." in count_checkpoint(str(path)).notes


def test_the_dictionary_for_json(stored):
    answer = stored(llama_tensors(V=128)).as_dict()
    assert json.loads(json.dumps(answer)) == answer
    assert answer["parameters"] == {
        "stored": TOTAL + 3584,
        "stored_elements": TOTAL + 3584,
        "closed_form": TOTAL,
        "difference": 3584,
        "undecided": False,
    }
    assert sum(part["parameters"] for part in answer["components"]) == TOTAL + 3584
    assert sum(misfit["parameters"] for misfit in answer["misfits"]) == 3584
    assert answer["closed_form"]["parameters"]["total"] == TOTAL


def test_real_implementations(tmp_path, implementation):
    """The tensors of the real implementation, written as a checkpoint, add up to the closed form."""
    tensors = {}
    for name, shape, copies in implementation["tensors"]:
        for i in range(copies):
            tensors[name.replace("*", str(i)) if copies > 1 else name.replace("*", "0")] = ("BF16", tuple(shape))
    (tmp_path / "config.json").write_text(json.dumps(implementation["config"]))
    counted = count_checkpoint(str(write_safetensors(tmp_path / "model.safetensors", tensors)))
    assert counted.difference == 0 and counted.parameters == implementation["parameters"] == count(implementation["config"]).total
    assert not [misfit for misfit in counted.misfits if misfit.parameters]


@pytest.mark.parametrize(
    ("architecture", "biases", "norms"),
    [("granite", ("attn_q", "attn_k", "attn_v", "attn_output"), True), ("stablelm", ("attn_q", "attn_k", "attn_v"), False)],
)
def test_flags_that_only_the_tensors_of_a_gguf_tell(tmp_path, architecture, biases, norms):
    metadata, tensors = llama_gguf()
    metadata = {key.replace("llama.", f"{architecture}."): value for key, value in metadata.items()} | {
        "general.architecture": architecture
    }
    widths = {name: tensors[f"blk.0.{name}.weight"][1][0] for name in biases}
    tensors |= {f"blk.{i}.{name}.bias": ("F32", (width,)) for i in range(2) for name, width in widths.items()}
    if architecture == "stablelm":  # LayerNorms; parallel blocks have one
        tensors |= {name.replace(".weight", ".bias"): each for name, each in tensors.items() if name.endswith("_norm.weight")}
        tensors = {name: each for name, each in tensors.items() if norms or ".ffn_norm." not in name}
    result = count_checkpoint(write_gguf(tmp_path / "model.gguf", metadata, tensors))
    assert result.count.family == architecture and result.difference == 0
    assert {misfit.kind for misfit in result.misfits} == set()
