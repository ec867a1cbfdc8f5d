"""What single keys do to the tensors, worked out by hand from the implementations; and configurations that cannot be."""

import pytest
from reference import records

from derive.counting import count
from derive.errors import ConfigError
from derive.models import bundled_models

DEFAULTS = {
    row["model_type"]: {"model_type": row["model_type"], **row["config"]} for row in records("families.jsonl") if row["which"] == "default"
}
d, h, kv, d_h, m, L, V = 64, 8, 2, 8, 96, 3, 120
q, k = h * d_h, kv * d_h
DENSE = {
    "hidden_size": d, "num_attention_heads": h, "num_key_value_heads": kv, "head_dim": d_h, "intermediate_size": m, "num_hidden_layers": L,
    "vocab_size": V,
}  # fmt: skip
OLD = {"n_embd": d, "n_head": h, "n_layer": L, "vocab_size": V, "n_positions": 40}
ATTENTION, GATED, PLAIN = 2 * d * q + 2 * d * k, 3 * d * m, 2 * d * m
E, E_s, m_e = 6, 2, 20
EXPERTS = {
    "n_routed_experts": E, "n_shared_experts": E_s, "num_experts_per_tok": 2, "moe_intermediate_size": m_e, "first_k_dense_replace": 1,
}  # fmt: skip
LATENT = {
    "hidden_size": d, "num_attention_heads": h, "num_hidden_layers": L, "intermediate_size": m, "vocab_size": V, "q_lora_rank": 24,
    "kv_lora_rank": 16, "qk_nope_head_dim": 12, "qk_rope_head_dim": 4, "v_head_dim": 10, **EXPERTS,
}  # fmt: skip


def total(model_type, base=DENSE, /, **changes):
    """The total with changes; `...` takes a key away."""
    config = {"model_type": model_type, **base, **changes}
    return count({key: value for key, value in config.items() if value is not ...}).total


@pytest.mark.parametrize(
    ("model_type", "block", "around"),
    [
        ("granite", ATTENTION + GATED + 2 * d, d + 2 * V * d),
        ("phi3", ATTENTION + GATED + 2 * d, d + 2 * V * d),
        ("smollm3", ATTENTION + GATED + 2 * d, d + V * d),
        ("arcee", ATTENTION + PLAIN + 2 * d, d + 2 * V * d),
        ("seed_oss", ATTENTION + q + 2 * k + GATED + 2 * d, d + 2 * V * d),
        ("qwen3", ATTENTION + 2 * d_h + GATED + 2 * d, d + 2 * V * d),
        ("hunyuan_v1_dense", ATTENTION + 2 * d_h + GATED + 2 * d, d + 2 * V * d),
        ("gemma", ATTENTION + GATED + 2 * d, d + V * d),
        ("ernie4_5", ATTENTION + GATED + 2 * d, d + V * d),
        ("cohere", ATTENTION + GATED + d, d + V * d),
        ("olmo", ATTENTION + GATED, 2 * V * d),
        ("olmo2", ATTENTION + q + k + GATED + 2 * d, d + 2 * V * d),
        ("glm", ATTENTION + q + 2 * k + GATED + 2 * d, d + 2 * V * d),
        ("glm4", ATTENTION + q + 2 * k + GATED + 4 * d, d + 2 * V * d),
        ("nemotron", ATTENTION + PLAIN + 4 * d, 2 * d + 2 * V * d),
        ("apertus", ATTENTION + 2 * d_h + PLAIN + 2 + 2 * d, d + 2 * V * d),
        ("phi", ATTENTION + q + 2 * k + d + PLAIN + m + d + 2 * d, 2 * d + 2 * V * d + V),
        ("stablelm", ATTENTION + GATED + 4 * d, 2 * d + 2 * V * d),
        ("starcoder2", ATTENTION + q + 2 * k + d + PLAIN + m + d + 4 * d, 2 * d + V * d),
        ("helium", ATTENTION + GATED + 2 * d, d + 2 * V * d),
    ],
)
def test_dense_families_by_hand(model_type, block, around):
    assert total(model_type) == L * block + around


@pytest.mark.parametrize(
    ("model_type", "flag", "value", "difference"),
    [
        ("granite", "attention_bias", True, L * (q + 2 * k + d)),
        ("granite", "mlp_bias", True, L * (2 * m + d)),
        ("granite", "tie_word_embeddings", True, -V * d),
        ("arcee", "mlp_bias", True, L * (m + d)),
        ("seed_oss", "attention_bias", False, -L * (q + 2 * k)),
        ("seed_oss", "attention_out_bias", True, L * d),
        ("gemma", "tie_word_embeddings", False, V * d),
        ("cohere", "use_qk_norm", True, L * (q + k)),
        ("glm", "attention_bias", False, -L * (q + 2 * k)),
        ("helium", "attention_bias", True, L * (q + 2 * k)),
        ("phi", "qk_layernorm", True, L * 4 * d_h),
        ("phi", "tie_word_embeddings", True, -V * d),
        ("stablelm", "use_qkv_bias", True, L * (q + 2 * k)),
        ("stablelm", "qk_layernorm", True, L * (q + k)),
        ("stablelm", "use_parallel_residual", True, -L * 2 * d),
        ("starcoder2", "use_bias", False, -L * (q + 2 * k + d + m + d)),
        ("ernie4_5", "use_bias", True, L * (q + 2 * k + d + 2 * m + d)),
        ("apertus", "hidden_act", "silu", -L * 2),
        ("qwen3", "head_dim", 16, L * (ATTENTION + 2 * d_h)),
        ("olmo2", "num_key_value_heads", None, L * (2 * d * (q - k) + q - k)),
    ],
)
def test_one_key_of_a_dense_family(model_type, flag, value, difference):
    assert total(model_type, **{flag: value}) - total(model_type) == difference


@pytest.mark.parametrize(
    ("model_type", "by_hand"),
    [
        ("gpt2", L * (4 * d * d + 4 * d + 8 * d * d + 5 * d + 4 * d) + 2 * d + V * d + 40 * d),
        ("gptj", L * (4 * d * d + 8 * d * d + 5 * d + 2 * d) + 2 * d + 2 * V * d + V),
        ("codegen", L * (4 * d * d + 8 * d * d + 5 * d + 2 * d) + 2 * d + 2 * V * d + V),
        ("gpt_bigcode", L * (2 * d * d + 2 * d * d_h + 2 * d + 2 * d_h + 8 * d * d + 5 * d + 4 * d) + 2 * d + V * d + 40 * d),
    ],
)
def test_families_named_as_gpt2(model_type, by_hand):
    assert total(model_type, OLD) == by_hand
    assert total(model_type, OLD, n_inner=m) - by_hand == L * (2 * d * m + m - 8 * d * d - 4 * d)


def test_multi_query():
    many = total("gpt_bigcode", OLD, multi_query=False)
    assert many == total("gpt2", OLD)
    assert many - total("gpt_bigcode", OLD) == L * 2 * (d + 1) * (d - d_h)


class TestFalcon:
    BASE = {"hidden_size": d, "num_attention_heads": h, "num_hidden_layers": L, "vocab_size": V, "tie_word_embeddings": True}  # noqa: RUF012
    ENDS = 2 * d + V * d

    def falcon(self, **changes):
        return total("falcon", self.BASE, **changes)

    def test_multi_query_in_parallel(self):
        assert self.falcon() == L * (2 * d * d + 2 * d * d_h + 8 * d * d + 2 * d) + self.ENDS

    def test_new_architecture(self):
        assert self.falcon(new_decoder_architecture=True, num_kv_heads=kv) == L * (2 * d * d + 2 * d * k + 8 * d * d + 4 * d) + self.ENDS
        one_norm = self.falcon(new_decoder_architecture=True, num_kv_heads=kv, num_ln_in_parallel_attn=1)
        assert one_norm == L * (2 * d * d + 2 * d * k + 8 * d * d + 2 * d) + self.ENDS

    def test_one_after_the_other_with_biases(self):
        rw = self.falcon(multi_query=False, parallel_attn=False, bias=True, alibi=True, ffn_hidden_size=m)
        assert rw == L * (4 * d * d + 4 * d + 2 * d * m + m + d + 4 * d) + self.ENDS

    def test_a_missing_flag_is_explained(self):
        untold = {"model_type": "falcon"} | {key: value for key, value in self.BASE.items() if key != "tie_word_embeddings"}
        assert count(untold).total == self.falcon()
        assert f"hold {V * d:,} elements more" in count(untold).notes[1]
        new = {"new_decoder_architecture": True, "num_kv_heads": kv}
        assert count(untold | new).total == self.falcon(**new) + V * d
        assert f"{V * d:,} parameters less" in count(untold | new).notes[1]

    def test_falcon_7b(self):
        """Its page says 7,217,189,760: the tied head is stored as well."""
        config = {
            "model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71, "num_hidden_layers": 32, "vocab_size": 65024,
            "multi_query": True, "new_decoder_architecture": False, "parallel_attn": True, "bias": False, "alibi": False,
        }  # fmt: skip
        assert count(config).total == 6_921_720_704


class TestOpt:
    BASE = {  # noqa: RUF012
        "hidden_size": d, "num_attention_heads": h, "num_hidden_layers": L, "vocab_size": V, "ffn_dim": m, "max_position_embeddings": 40,
    }  # fmt: skip
    BLOCK = 4 * d * d + 4 * d + 2 * d * m + m + d + 4 * d

    def test_two_more_rows_of_positions(self):
        assert total("opt", self.BASE) == L * self.BLOCK + 2 * d + V * d + 42 * d

    def test_a_narrow_embedding(self):
        narrow = total("opt", self.BASE, word_embed_proj_dim=24, do_layer_norm_before=False)
        assert narrow == L * self.BLOCK + V * 24 + 2 * 24 * d + 42 * d

    def test_without_biases_and_norm_parameters(self):
        bare = total("opt", self.BASE, enable_bias=False, layer_norm_elementwise_affine=False)
        assert bare == L * (4 * d * d + 2 * d * m) + V * d + 42 * d


class TestExperts:
    SHARED = 3 * d * m_e

    def test_dense_first_layers(self):
        block = ATTENTION + 2 * d
        experts = E * self.SHARED + E_s * self.SHARED + d * E
        assert total("glm4_moe", DENSE | EXPERTS) == L * block + GATED + 2 * experts + d + 2 * V * d
        assert total("glm4_moe", DENSE | EXPERTS, use_qk_norm=True) - total("glm4_moe", DENSE | EXPERTS) == L * 2 * d_h
        assert total("glm4_moe", DENSE | EXPERTS, attention_bias=True) - total("glm4_moe", DENSE | EXPERTS) == L * (q + 2 * k)
        assert total("deepseek", DENSE | EXPERTS) == total("glm4_moe", DENSE | EXPERTS)
        assert total("deepseek", DENSE | EXPERTS, n_routed_experts=None, n_shared_experts=None, moe_intermediate_size=None) == total(
            "granite"
        )

    def test_every_other_layer_of_deepseek(self):
        every = total("deepseek", DENSE | EXPERTS, first_k_dense_replace=0)
        other = total("deepseek", DENSE | EXPERTS, first_k_dense_replace=0, moe_layer_freq=2)  # layers 0 and 2
        assert every - other == (E + E_s) * self.SHARED + d * E - GATED

    def test_a_gated_shared_expert(self):
        moe = {"num_experts": E, "num_experts_per_tok": 2, "moe_intermediate_size": m_e, "shared_expert_intermediate_size": 28}
        experts = E * self.SHARED + d * E + 3 * d * 28 + d
        base = total("qwen2_moe", DENSE | moe)
        assert base == L * (ATTENTION + q + 2 * k + experts + 2 * d) + d + 2 * V * d
        assert base - total("qwen2_moe", DENSE | moe, qkv_bias=False) == L * (q + 2 * k)
        assert total("qwen2_moe", DENSE | moe, mlp_only_layers=[0, 2, 9]) - base == 2 * (GATED - experts)
        assert total("qwen2_moe", DENSE | moe, decoder_sparse_step=2) - base == 2 * (GATED - experts)

    def test_a_shared_expert_that_is_not_there(self):
        moe = {"num_local_experts": E, "num_experts_per_tok": 2}
        without = total("granitemoeshared", DENSE | moe, shared_intermediate_size=0)
        assert without == total("granitemoe", DENSE | moe) == L * (ATTENTION + E * GATED + d * E + 2 * d) + d + 2 * V * d
        assert total("granitemoeshared", DENSE | moe, shared_intermediate_size=28) - without == L * 3 * d * 28

    def test_llama4(self):
        moe = {"num_local_experts": E, "num_experts_per_tok": 1, "intermediate_size_mlp": 50, "attention_chunk_size": 16}
        experts, dense = E * GATED + GATED + d * E, 3 * d * 50
        assert total("llama4_text", DENSE | moe) == L * (ATTENTION + experts + 2 * d) + d + 2 * V * d
        one = total("llama4_text", DENSE | moe, interleave_moe_layer_step=2)
        assert total("llama4_text", DENSE | moe) - one == 2 * (experts - dense)
        assert one == total("llama4_text", DENSE | moe, moe_layers=[1, 1, 7])

    def test_ernie(self):
        moe = {
            "moe_num_experts": E, "moe_k": 2, "moe_num_shared_experts": E_s, "moe_intermediate_size": m_e, "moe_layer_start_index": 1,
            "moe_layer_end_index": -1,
        }  # fmt: skip
        experts = (E + E_s) * self.SHARED + d * E + E
        base = total("ernie4_5_moe", DENSE | moe)
        assert base == L * (ATTENTION + 2 * d) + GATED + 2 * experts + d + V * d
        with_bias = L * (q + 2 * k + d) + 2 * m + d + 2 * (2 * E_s * m_e + d) + V
        assert total("ernie4_5_moe", DENSE | moe, use_bias=True) - base == with_bias
        assert total("ernie4_5_moe", DENSE | moe, moe_layer_interval=2) - base == GATED - experts

    def test_hunyuan_lists(self):
        moe = {"num_experts": [E] * L, "moe_topk": [2] * L, "moe_intermediate_size": [m] * L, "num_shared_expert": [1] * L}
        assert total("hunyuan_v1_moe", DENSE | moe) == L * (ATTENTION + 2 * d_h + (E + 1) * GATED + d * E + 2 * d) + d + 2 * V * d
        assert count({"model_type": "hunyuan_v1_moe", **DENSE, **moe}).symbols["k"] == 2


class TestLatentAttention:
    ATTENTION = d * 24 + 24 + 24 * h * 16 + d * 20 + 16 + 16 * h * 22 + h * 10 * d
    INDEXER = 24 * 4 * 6 + d * 6 + 2 * 6 + d * 4
    INDEX = LATENT | {"index_n_heads": 4, "index_head_dim": 6, "index_topk": 8}

    def by_hand(self):
        experts = (E + E_s) * 3 * d * m_e + d * E
        return L * (self.ATTENTION + 2 * d) + GATED + 2 * experts + d + 2 * V * d

    def test_all_versions(self):
        assert {total(name, LATENT) for name in ("deepseek_v2", "deepseek_v3", "kimi_k2")} == {self.by_hand()}
        assert {total(name, self.INDEX) for name in ("deepseek_v32", "glm_moe_dsa")} == {self.by_hand() + L * self.INDEXER}

    def test_uncompressed_queries(self):
        direct = self.by_hand() + L * (d * h * 16 - d * 24 - 24 - 24 * h * 16)
        assert total("deepseek_v3", LATENT, q_lora_rank=None) == total("deepseek_v2", LATENT, q_lora_rank=...) == direct
        silent = {key: value for key, value in LATENT.items() if key != "q_lora_rank"}
        assert "transformers would read it as 1536" in count({"model_type": "deepseek_v2", **silent}).notes[1]

    def test_biases_of_v2(self):
        biases = L * (24 + 20 + d)
        assert total("deepseek_v2", LATENT, attention_bias=True) == self.by_hand() + biases
        assert total("deepseek_v2", LATENT, mlp_bias=True) == self.by_hand() + 2 * m + d + 2 * (2 * E_s * m_e + d)

    def test_listed_dense_layers(self):
        dense = total("deepseek_v32", self.INDEX, mlp_layer_types=["dense", "sparse", "dense"])
        assert dense == total("deepseek_v32", self.INDEX, first_k_dense_replace=2)

    def test_indexers_that_are_shared(self):
        every = total("glm_moe_dsa", self.INDEX)
        for saying in (
            {"indexer_types": ["full", "shared", "shared"]},
            {"index_topk_pattern": "FSS"},
            {"index_topk_freq": 4, "index_skip_topk_offset": 1},
        ):
            assert every - total("glm_moe_dsa", self.INDEX, **saying) == 2 * self.INDEXER
        assert count({"model_type": "glm_moe_dsa", **self.INDEX, "index_topk_pattern": "FSS"}).symbols["L_I"] == 1

    def test_selected_tokens_bound_the_work_and_not_the_cache(self):
        from derive.figures import usage

        config = {"model_type": "deepseek_v32", **self.INDEX}
        near, far = (usage(config, context=context) for context in (1000, 2000))
        assert far["flops"]["decode"] - near["flops"]["decode"] == L * 1000 * 2 * (4 * 6 + 4)
        assert far["kv_cache"]["bytes"] == 2 * near["kv_cache"]["bytes"] == 2 * L * 2000 * 20


class TestWhatACheckpointStores:
    def test_deepseek_v3(self):
        """671B and the 684,531,386,000 of the model's page, line by line."""
        assert dict(count("DeepSeek-V3").stored) == {
            "parameters": 671_026_404_352, "routing correction": 59 * 256, "prediction layers": 11_610_067_968,
            "copies of embedding and head": 2 * 129_280 * 7168, "quantisation scales": 41_540_496, "total": 684_531_386_000,
        }  # fmt: skip
        assert count("DeepSeek-V3").as_dict()["stored"]["total"] == 684_531_386_000

    @pytest.mark.parametrize(
        ("name", "item", "size"),
        [
            ("Kimi-K2", "quantisation scales", 62_495_192), ("MiniMax-M2.5", "quantisation scales", 13_880_064),
            ("GLM-5", "prediction layers", 9_952_920_320), ("GLM-5", "total", 753_864_139_008), ("MiniMax-M2.5", "total", 228_703_644_928),
        ],
    )  # fmt: skip
    def test_published_differences(self, name, item, size):
        config = next(row["config"] for row in records("released.jsonl") if row["name"] == name)
        assert count(config).stored[item] == size

    def test_deepseek_v32(self):
        """The 685,396,921,376 of the page of V3.2-Exp: the weights of the indexer's heads have no scales."""
        indexer = {"index_head_dim": 128, "index_n_heads": 64, "index_topk": 2048}
        base = next(model.config.values for model in bundled_models() if model.name == "DeepSeek-V3")
        assert count({**base, "model_type": "deepseek_v32", **indexer}).stored["total"] == 685_396_921_376

    @pytest.mark.parametrize(("depth", "experts", "published"), [(24, 32, 21_511_953_984), (36, 128, 120_412_337_472)])
    def test_mxfp4_has_a_scale_for_32_weights_of_an_expert(self, depth, experts, published):
        config = {
            "model_type": "gpt_oss", "hidden_size": 2880, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
            "intermediate_size": 2880, "num_hidden_layers": depth, "num_local_experts": experts, "num_experts_per_tok": 4,
            "sliding_window": 128, "vocab_size": 201_088, "quantization_config": {"quant_method": "mxfp4"},
        }  # fmt: skip
        assert count(config).stored["total"] == published

    def test_a_tied_head_that_is_stored_twice(self):
        """The 1,498,482,688 of Llama-3.2-1B's page."""
        config = {
            "model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32,
            "num_key_value_heads": 8, "head_dim": 64, "tie_word_embeddings": True, "vocab_size": 128_256,
        }  # fmt: skip
        stored = {"parameters": 1_235_814_400, "tied head, stored twice": 128_256 * 2048, "total": 1_498_482_688}
        assert dict(count(config).stored) == stored

    def test_nothing_is_stored_beside_a_dense_model(self):
        assert not count("Llama-3-8B").stored and "stored" not in count("Llama-3-8B").as_dict()

    def test_glm_4_5_air(self):
        """The published 110,468,824,832 are the model, its routing correction, one prediction layer, and copies of both ends."""
        config = DENSE | {
            "model_type": "glm4_moe", "vocab_size": 151552, "hidden_size": 4096, "num_hidden_layers": 46, "num_attention_heads": 96,
            "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 128,
            "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1, "attention_bias": True, "num_nextn_predict_layers": 1,
        }  # fmt: skip
        stored = count(config).stored
        assert (stored["total"], stored["parameters"], stored["routing correction"]) == (110_468_824_832, 106_852_245_504, 5_888)


class TestWindows:
    @pytest.mark.parametrize(
        ("model_type", "changes", "sliding"),
        [
            ("gemma3_text", {"sliding_window": 8}, 10),
            ("gemma3_text", {"sliding_window": 8, "sliding_window_pattern": 4}, 9),
            ("cohere2", {"sliding_window": 8}, 9),
            ("olmo3", {"sliding_window": 8}, 9),
            ("exaone4", {"sliding_window": 8, "sliding_window_pattern": "LLLG"}, 9),
            ("exaone4", {"sliding_window": 8, "sliding_window_pattern": "L"}, 11),
            ("exaone4", {"sliding_window": None}, 0),
            ("phi3", {"sliding_window": 8}, 12),
            ("phi3", {"sliding_window": None}, 0),
            ("starcoder2", {"sliding_window": 8}, 12),
            ("qwen3", {"sliding_window": 8, "use_sliding_window": True, "max_window_layers": 5}, 7),
            ("qwen3", {"sliding_window": 8, "max_window_layers": 5}, 0),
            ("smollm3", {"sliding_window": 8, "use_sliding_window": True}, 3),
            ("smollm3", {"sliding_window": 8, "use_sliding_window": True, "no_rope_layers": [0, 1] * 6}, 6),
            ("gemma", {}, 0),
        ],
    )
    def test_which_layers_slide(self, model_type, changes, sliding):
        symbols = count({"model_type": model_type, **DENSE, "num_hidden_layers": 12, **changes}).symbols
        found = symbols.get("L_S", 12 if "w" in symbols else 0)
        assert found == sliding

    def test_gpt_neo(self):
        config = {
            "model_type": "gpt_neo",
            "hidden_size": d,
            "num_heads": h,
            "num_layers": 4,
            "vocab_size": V,
            "max_position_embeddings": 40,
        }
        config |= {"window_size": 8, "attention_types": [[["global", "local"], 2]]}
        assert count(config).symbols["L_S"] == 2
        assert count(config | {"attention_layers": ["global", "local", "local", "local"]}).symbols["L_S"] == 3

    def test_a_window_changes_no_parameter(self):
        assert total("phi3", sliding_window=8) == total("phi3", sliding_window=None) == total("phi3", sliding_window=0)


@pytest.mark.parametrize("model_type", sorted(DEFAULTS))
def test_every_family_refuses_impossible_sizes(model_type):
    config = DEFAULTS[model_type]
    whole = config.get("text_config", config)
    for key in ("hidden_size", "n_embd", "d_model"):
        if key in whole:
            for size in (0, -4, 2.5, "64", True, None, 2**70):
                spoiled = whole | {key: size}
                with pytest.raises(ConfigError, match=key) as error:
                    count(config | {"text_config": spoiled} if "text_config" in config else spoiled)
                assert "\n" not in str(error.value)


@pytest.mark.parametrize("model_type", sorted(DEFAULTS))
def test_every_family_refuses_a_key_that_it_does_not_know(model_type):
    config = DEFAULTS[model_type] | {"num_kv_shared_layers": 2}
    if "text_config" in config:
        config["text_config"] = config["text_config"] | {"num_kv_shared_layers": 2}
    with pytest.raises(ConfigError, match="num_kv_shared_layers=2 is not known to this family"):
        count(config)


@pytest.mark.parametrize(
    ("model_type", "base", "changes", "words"),
    [
        ("gemma", DENSE, {"head_dim": ...}, "head_dim, which Gemma does not derive"),
        ("qwen3", DENSE, {"head_dim": None}, "head_dim, which Qwen3 does not derive"),
        ("stablelm", DENSE, {"head_dim": 12}, "head_dim=12 is not supported"),
        ("granite", DENSE, {"num_key_value_heads": 3}, "8 query heads do not divide among 3"),
        ("granite", DENSE, {"head_dim": ..., "hidden_size": 66}, "does not divide into 8 heads"),
        ("glm4_moe", DENSE | EXPERTS, {"head_dim": ..., "hidden_size": 4}, "does not divide into 8 heads"),
        ("glm4_moe", DENSE | EXPERTS, {"first_k_dense_replace": 4}, "4 dense layers, but there are only 3"),
        ("glm4_moe", DENSE | EXPERTS, {"num_experts_per_tok": 7}, "7 experts chosen for a token, but there are only 6"),
        ("falcon", {"hidden_size": 64, "num_attention_heads": 7, "num_hidden_layers": 1, "vocab_size": 9}, {}, "does not divide into 7 heads"),
        ("falcon", TestFalcon.BASE, {"new_decoder_architecture": True, "num_kv_heads": 3}, "do not divide among 3"),
        ("opt", TestOpt.BASE, {"ffn_dim": ...}, "missing m (intermediate size of the feed-forward network); tried ffn_dim"),
        ("gptj", OLD, {"n_head": 7}, "does not divide into 7 heads"),
        ("xglm", DENSE, {"ffn_dim": 8, "add_cross_attention": True}, "add_cross_attention=true is not supported"),
        ("gpt_neo", DENSE, {"max_position_embeddings": 8}, "attention_types gives 24 layers, but there are 3"),
        ("gpt_neo", DENSE, {"max_position_embeddings": 8, "attention_types": [[["cross"], 3]]}, "attention_types must be pairs"),
        ("gpt_neo", DENSE, {"max_position_embeddings": 8, "attention_types": [[["local"], 10**12]]}, "attention_types must be pairs"),
        ("gpt_neo", DENSE, {"max_position_embeddings": 8, "attention_layers": ["global"]}, "must be a list of 3 kinds of layer"),
        ("gemma3_text", DENSE, {"layer_types": ["full_attention"] * 2}, "must be a list of 3 kinds of layer"),
        ("gemma3_text", DENSE, {"layer_types": ["full_attention", "linear", 3]}, 'an unknown kind of layer, "linear"'),
        ("gemma3_text", DENSE, {"num_hidden_layers": 2**40, "sliding_window": 8}, "layers are more than any model has"),
        ("exaone4", DENSE, {"sliding_window": 8, "sliding_window_pattern": "LXG"}, "letters L (local) and G (global)"),
        ("smollm3", DENSE, {"use_sliding_window": True, "sliding_window": 8, "no_rope_layers": [1, "x"]}, "list of layer numbers"),
        ("glm", DENSE, {"layer_types": ["full_attention"] * 4}, "must be a list of 3 kinds of layer"),
        ("granite", DENSE, {"layer_types": ["full_attention"] * 2 + ["mamba"]}, "unknown kind of layer"),
        ("llama4_text", DENSE, {"num_local_experts": 2, "num_experts_per_tok": 1, "moe_layers": "all"}, "moe_layers must be a list"),
        ("deepseek_v32", LATENT, {"q_lora_rank": None}, "missing r_q"),
        ("deepseek_v32", LATENT, {"index_head_dim": 8}, "missing h_I"),
        ("deepseek_v32", LATENT, {"mlp_layer_types": ["sparse", "moe", "dense"]}, "unknown kind of layer, \"moe\"; known: dense, sparse"),
        ("glm_moe_dsa", LATENT, {"index_head_dim": 8, "indexer_types": ["shared"] * 3}, "no layer has an indexer"),
        ("glm_moe_dsa", LATENT, {"index_head_dim": 8, "index_topk_pattern": "FS"}, "a word of 3 letters F (full) or S (shared)"),
        ("minimax_m2", DENSE, {"num_local_experts": 2, "num_experts_per_tok": 1, "qk_norm_type": "per_head"}, "qk_norm_type"),
        ("hunyuan_v1_moe", DENSE, {"num_experts": [2, 3, 2], "moe_topk": 1}, "one number, or 3 equal numbers"),
        ("hunyuan_v1_moe", DENSE, {"num_experts": 2, "moe_topk": 1, "moe_intermediate_size": 5}, "moe_intermediate_size=5 is not supported"),
        ("ernie4_5_moe", DENSE, {"moe_num_shared_experts": 1}, "missing"),
        ("smollm3", DENSE, {"num_key_value_heads": ...}, "missing h_kv"),
        ("dbrx", OLD, {"hidden_size": d}, "missing d (hidden size); tried d_model"),
        ("apertus", DENSE, {"qk_norm": False}, "qk_norm=false is not supported"),
        ("deepseek_v2", LATENT, {"mlp_bias": True, "n_shared_experts": 0}, "n_shared_experts=0 with mlp_bias=true"),
        ("qwen2_moe", DENSE, {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 8}, "missing m_s"),
    ],
)  # fmt: skip
def test_configurations_that_cannot_be(model_type, base, changes, words):
    with pytest.raises(ConfigError) as error:
        total(model_type, base, **changes)
    assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("model_type", "key"),
    [("falcon", "multi_query"), ("falcon", "parallel_attn"), ("gpt_neox", "attention_bias")],
)
def test_a_flag_that_is_null_is_false(model_type, key):
    config = DEFAULTS[model_type]
    assert count(config | {key: None}).total == count(config | {key: False}).total != count(config | {key: True}).total


def test_prediction_layers_are_named_and_not_counted():
    config = DEFAULTS["exaone_moe"] | {"num_nextn_predict_layers": 1}
    assert count(config).total == count(DEFAULTS["exaone_moe"]).total
    assert "num_nextn_predict_layers=1: layers for multi-token prediction are not part of the model" in count(config).notes[1]
