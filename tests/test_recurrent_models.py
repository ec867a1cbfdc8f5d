"""State-space, linear-attention and hybrid models, and models of released code: exact counts, flags, what is refused."""

import pytest
from reference import records

from derive.calculus.answers import crossover_answer
from derive.config import config_of
from derive.counting import count
from derive.errors import ConfigError, FormulaError
from derive.families import OTHER_NAMES, family_of
from derive.figures import usage
from derive.formula.parse import parse
from derive.showing import show

ROWS = {row["name"]: row for row in records("recurrent_models.jsonl")}


def config(name, **changes):
    """A configuration of the reference data, with keys changed, or taken away where the value is `...`."""
    return {key: value for key, value in (ROWS[name]["config"] | changes).items() if value is not ...}


def more(name, **changes):
    """How many parameters a change adds."""
    return count(config(name, **changes)).total - count(config(name)).total


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
class TestCounts:
    def test_total_and_active_to_the_integer(self, row):
        result = count(row["config"])
        assert result.total == row["total"]
        assert result.active == row.get("active", result.active)
        assert "E" in result.symbols or result.active == result.total

    def test_the_formula_with_the_numbers_put_in(self, row):
        result = count(row["config"])
        assert result.closed_form.evaluate(result.symbols) == result.total == sum(part.parameters for part in result.components)
        for part in result.components:
            assert parse(part.formula.text).evaluate(result.symbols) == part.numbers.evaluate({}) == part.parameters

    def test_layers_of_each_kind_add_up(self, row):
        sizes = count(row["config"]).symbols
        if row["config"].get("model_type") not in ("nemotron_h", "zamba", "zamba2"):  # a layer of these is not one mixer and one network
            mixers = [sizes[symbol] for symbol in ("L_F", "L_S", "L_rec", "L_conv") if symbol in sizes]
            networks = [sizes[symbol] for symbol in ("L_D", "L_M") if symbol in sizes]
            assert all(sum(kinds) == sizes["L"] for kinds in (mixers, networks) if kinds)


def llama_like(c, *, attention_bias=0, head=None, kv=None, m=None, norms=2):
    """LLaMA blocks as a person would add them up; `attention_bias` elements a layer, `norms` of width d."""
    d, L, h = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"]
    q, kv = h * (head or d // h), (kv or c.get("num_key_value_heads") or h) * (head or d // h)
    layer = 2 * d * q + 2 * d * kv + attention_bias + 3 * d * (m or c["intermediate_size"]) + norms * d
    copies = 1 if c.get("tie_word_embeddings") else 2
    return L * layer + norms // 2 * d + copies * c["vocab_size"] * d


LLAMA = {
    "hidden_size": 48, "intermediate_size": 88, "num_hidden_layers": 5, "num_attention_heads": 6, "num_key_value_heads": 2,
    "vocab_size": 101,
}  # fmt: skip
MULTI = LLAMA | {"num_key_value_heads": 6}
D, M, KV, L = 48, 88, 16, 5
REMOTE = [
    ("baichuan", MULTI, 0), ("xverse", MULTI, 0), ("yi", LLAMA, 0), ("Yi", LLAMA, 0),
    ("internlm", MULTI, 4 * D), ("internlm", MULTI | {"bias": False}, 0),
    ("internlm2", LLAMA, 2 * D + 2 * KV), ("internlm2", LLAMA | {"bias": False}, 0),
    ("minicpm", LLAMA | {"tie_word_embeddings": True}, 0), ("minicpm", LLAMA | {"tie_word_embeddings": False, "attention_bias": True}, 2 * D + 2 * KV),
    ("mimo", LLAMA, D + 2 * KV),
    ("pangu", LLAMA, 2 * D + 2 * KV), ("PanguEmbedded", LLAMA | {"bias": True}, 2 * D + 2 * KV), ("openpangu_dense", LLAMA | {"bias": False}, 0),
    ("pangu", LLAMA | {"bias": False, "qkv_bias": True}, D + 2 * KV),
]  # fmt: skip


@pytest.mark.parametrize(("model_type", "sizes", "bias"), REMOTE)
def test_llama_blocks_under_other_names(model_type, sizes, bias):
    assert count({"model_type": model_type, **sizes}).total == llama_like(sizes, attention_bias=bias)


CHATGLM = {
    "model_type": "chatglm", "architectures": ["ChatGLMModel"], "num_layers": 5, "hidden_size": 48, "num_attention_heads": 6,
    "kv_channels": 10, "ffn_hidden_size": 88, "padded_vocab_size": 101, "multi_query_attention": True, "multi_query_group_num": 2,
    "add_qkv_bias": True, "add_bias_linear": False, "rmsnorm": True, "post_layer_norm": True,
}  # fmt: skip
FALCON = {"hidden_size": 48, "n_layer": 5, "n_head": 6, "vocab_size": 101, "bias": False, "parallel_attn": True}


class TestRemoteCode:
    def test_orion_has_layer_norms(self):
        assert count({"model_type": "orion", **LLAMA}).total == llama_like(LLAMA, norms=4)

    def test_qwen_states_its_width_twice_over_and_has_qkv_biases(self):
        c = MULTI | {"kv_channels": 10, "no_bias": True}
        expected = llama_like(c, head=10, attention_bias=3 * 60, m=44)
        assert count({"model_type": "qwen", **c}).total == expected
        assert count({"model_type": "qwen", **c, "no_bias": False}).total == expected + L * (D + 2 * 44 + D)
        old = {"n_embd": 48, "n_head": 6, "n_layer": 5, "ffn_hidden_size": 88, "kv_channels": 10, "padded_vocab_size": 101}
        assert count({"model_type": "qwen", **old}).total == expected
        assert "vision tower" in count({"model_type": "qwen", **c, "visual": {"layers": 48}}).notes[-1]

    @pytest.mark.parametrize(
        ("changes", "added"),
        [
            ({}, 0),
            ({"add_qkv_bias": False}, -L * 100),
            ({"add_bias_linear": True}, L * (D + 2 * M + D)),
            ({"multi_query_attention": False}, L * (2 * D * 40 + 2 * 40)),
            ({"rmsnorm": False}, L * 2 * D + D),
            ({"post_layer_norm": False}, -D),
            ({"tie_word_embeddings": True}, -101 * D),
            ({"padded_vocab_size": ..., "vocab_size": 101}, 0),
            ({"architectures": ["ChatGLMForConditionalGeneration"]}, 0),
        ],
    )
    def test_chatglm(self, changes, added):
        by_hand = L * (2 * D * 60 + 2 * D * 20 + 60 + 2 * 20 + 3 * D * M + 2 * D) + D + 2 * 101 * D
        changed = {key: value for key, value in (CHATGLM | changes).items() if value is not ...}
        assert count(changed).total == by_hand + added

    def test_the_first_chatglm(self):
        d, m, V = 4096, 16384, 130528
        by_hand = 28 * (4 * d * d + 4 * d + 2 * d * m + m + d + 4 * d) + 2 * d + V * d
        assert count(config("ChatGLM-6B")).total == by_hand
        assert more("ChatGLM-6B", tie_word_embeddings=False) == V * d

    def test_refined_web(self):
        ends = 2 * D + 101 * D
        groups = {"model_type": "RefinedWeb", **FALCON, "n_head_kv": 2}
        by_hand = L * (2 * D * D + 2 * D * KV + 8 * D * D + 4 * D) + ends
        assert count(groups).total == by_hand
        assert count(groups | {"bias": True}).total == by_hand + L * (2 * D + 2 * KV + 5 * D)
        assert count(groups | {"tie_word_embeddings": False}).total == by_hand + 101 * D
        renamed = {key: value for key, value in groups.items() if key != "hidden_size"} | {"n_embed": 48}
        assert count(renamed).total == by_hand
        one = {"model_type": "RefinedWebModel", **FALCON, "multi_query": True}
        assert count(one).total == L * (2 * D * D + 2 * D * 8 + 8 * D * D + 2 * D) + ends
        assert count(one | {"multi_query": False, "parallel_attn": False}).total == L * (12 * D * D + 4 * D) + ends

    def test_minicpm_is_known_by_its_architecture_alone(self):
        assert count({"architectures": ["MiniCPMForCausalLM"], **LLAMA}).family == "minicpm"

    def test_the_prediction_layer_of_mimo_is_named_with_its_size(self):
        stored = count(config("MiMo-7B", num_nextn_predict_layers=1)).stored
        assert (stored["prediction layers"], stored["total"]) == (210_790_400, 7_833_409_536)
        assert not any("predict" in note for note in count(config("MiMo-7B", num_nextn_predict_layers=0)).notes)

    def test_the_prediction_layer_of_qwen3_next_explains_its_checkpoints(self):
        result = count(config("Qwen3-Next"))
        assert result.stored["total"] == result.total + 1_650_471_424 == 81_324_862_720

    def test_minicpm3(self):
        d, h, V = 2560, 40, 73448
        by_hand = 62 * (d * 768 + 768 + 768 * h * 96 + d * 288 + 256 + 256 * h * 128 + h * 64 * d + 3 * d * 6400 + 2 * d) + d + V * d
        assert count(config("minicpm3 default")).total == by_hand
        assert more("minicpm3 default", q_lora_rank=None) == 62 * (d * h * 96 - d * 768 - 768 - 768 * h * 96)
        assert more("minicpm3 default", attention_bias=True) == 62 * (768 + 288 + d)
        assert more("minicpm3 default", mlp_bias=True) == 62 * (2 * 6400 + d)
        assert more("minicpm3 default", v_head_dim=None) == 0  # d/h is the same 64


class TestFlags:
    def test_mamba(self):
        assert more("Mamba-2.8B", use_bias=True) == 64 * (2 * 5120 + 2560)
        assert more("Mamba-2.8B", use_conv_bias=False) == -64 * 5120
        assert more("Mamba-2.8B", tie_word_embeddings=False) == 50280 * 2560
        assert more("Mamba-2.8B", intermediate_size=...) == more("Mamba-2.8B", intermediate_size=..., expand=2.0) == 0
        assert more("Mamba-2.8B", time_step_rank="auto") == more("Mamba-2.8B", time_step_rank=...) == 0
        assert more("Mamba-2.8B", time_step_rank=100) == -60 * 64 * 2 * 5120
        assert count(config("Mamba-2.8B", hidden_size=2568, time_step_rank="auto")).symbols["r_dt"] == 161

    def test_mamba2(self):
        mixed = 8192 + 2 * 8 * 128
        assert more("mamba2 default", use_bias=True) == 64 * (8192 + mixed + 128 + 4096)
        assert more("mamba2 default", use_conv_bias=False) == -64 * mixed
        assert more("mamba2 default", n_groups=9) == 64 * 2 * 128 * (4096 + 4 + 1)
        assert more("mamba2 default", num_heads=64, head_dim=128) == -64 * 64 * (4096 + 3)
        assert more("mamba2 default", head_dim="auto") == 0

    def test_jamba(self):
        d, m = 4096, 14336
        assert more("jamba default", expert_layer_period=4) == -8 * (15 * 3 * d * m + 16 * d)
        assert more("jamba default", num_experts=1, num_experts_per_tok=1) == -16 * (15 * 3 * d * m + 16 * d)
        ssm = 3 * d * 8192 + 8192 * (4 + 2 * 256 + 3 * 16 + 3) + 256 + 2 * 16
        assert more("jamba default", attn_layer_period=16) == 2 * (ssm - 2 * d * d - 2 * d * 1024)
        assert more("jamba default", mamba_proj_bias=True) == 28 * (2 * 8192 + d)
        assert count(config("jamba default", attn_layer_period=1, attn_layer_offset=0)).symbols.get("L_rec") is None

    def test_bamba(self):
        d, ssm = 4096, 4096 * 17024 + 8704 * 5 + 3 * 128 + 8192 + 8192 * 4096
        assert more("bamba default", attn_layer_indices=[0, 31]) == 2 * (2 * d * d + 2 * d * 1024 - ssm)
        assert more("bamba default", attn_layer_indices=[0, 31], attention_bias=True) == 2 * (2 * d * d + 2 * d * 1024 - ssm + 2 * d + 2048)
        assert more("bamba default", mlp_bias=True) == 32 * (2 * 14336 + d)
        kinds = ["attention", *["mamba"] * 30, "full_attention"]
        assert more("bamba default", attn_layer_indices=..., layers_block_type=kinds) == more("bamba default", attn_layer_indices=[0, 31])

    def test_falcon_h1(self):
        d, mixed = 4096, 1024 + 2 * 256
        assert more("falcon_h1 default", projectors_bias=True) == 32 * d
        assert more("falcon_h1 default", mamba_proj_bias=True) == 32 * (1024 + mixed + 128)
        assert more("falcon_h1 default", mamba_rms_norm=True) == 32 * 1024
        assert more("falcon_h1 default", head_dim=64) == -32 * 64 * 2 * (32 + 8) * d
        wide = more("falcon_h1 default", mamba_d_ssm=None, mamba_d_head=64)
        assert wide == 32 * (8192 - 1024) * (2 * d + 4 + 1 + d)

    def test_granite(self):
        small = "Granite-4.0-H-Small"
        assert more(small, num_local_experts=0) == -40 * (72 * 3 * 4096 * 768 + 72 * 4096)
        assert count(config(small, num_local_experts=0)).symbols["m"] == 1536
        assert more(small, attention_bias=True) == 4 * (2 * 4096 + 2 * 1024)
        every = count(config(small, layer_types=["attention"] * 40, mamba_n_heads=...))
        assert every.symbols["L_F"] == 40 and "d_state" not in every.symbols
        assert count(config(small, layer_types=None)).symbols["L_rec"] == 40

    def test_nemotron(self):
        name, d = "Nemotron-3-Nano-30B-A3B", 2688
        assert more(name, head_dim=..., attention_head_dim=128) == 0
        assert more(name, use_conv_bias=None) == more(name, use_conv_bias=False)
        assert more(name, mlp_bias=True) == 23 * (3712 + d)
        assert more(name, use_bias=True) == 23 * (2 * 4096 + 2048 + 64 + d)
        assert more(name, use_conv_bias=False) == -23 * (4096 + 2048)
        assert more(name, moe_latent_size=1024) == 23 * (2 * 128 * 1856 * (1024 - d) + 2 * 1024 * d)
        assert more(name, moe_latent_size=1024, mlp_bias=True) == more(name, moe_latent_size=1024) + 23 * (1024 + d + 3712 + d)
        assert more(name, tie_word_embeddings=True) == more(name, attention_bias=True) == more(name, n_shared_experts=2) == 0
        assert len(count(config(name, tie_word_embeddings=True, attention_bias=True, n_shared_experts=2)).notes) == 4
        assert count(config(name)).parameters["total_with_buffers"] - ROWS[name]["total"] == 23 * 128
        words = {"M": "mamba", "E": "moe", "*": "attention", "-": "mlp"}
        listed = [words[letter] for letter in ROWS[name]["config"]["hybrid_override_pattern"]]
        assert more(name, hybrid_override_pattern=..., layers_block_type=listed) == 0
        assert more(name, hybrid_override_pattern="M*", num_hidden_layers=2) == 38742208 + 23396352 + 2 * d - sum(
            part.parameters for part in count(config(name)).components if part.name not in ("final norm", "token embedding", "output head")
        )

    @pytest.mark.parametrize(
        ("changes", "m"),
        [({}, 8192), ({"block_multiple_of": 1000}, 9000), ({"block_ffn_dim_multiplier": 1.3}, 10752), ({"block_auto_adjust_ff_dim": False}, 12288),
         ({"block_ffn_dim_multiplier": None}, 8192), ({"block_ff_dim": 3000}, 2048), ({"block_ff_dim": ..., "intermediate_size": 3001}, 2048)],
    )  # fmt: skip
    def test_the_width_of_lfm2(self, changes, m):
        result = count(config("LFM2-1.2B", **changes))
        assert result.symbols["m"] == m
        assert result.total - ROWS["LFM2-1.2B"]["total"] == 16 * 3 * 2048 * (m - 8192)

    def test_lfm2(self):
        d = 2048
        convolution, attention = 4 * d * d + 3 * d, 2 * d * d + 2 * d * 512 + 2 * 64
        assert more("LFM2-1.2B", full_attn_idxs=None) == 10 * (attention - convolution)
        assert more("LFM2-1.2B", full_attn_idxs=[], conv_bias=True) == 6 * (convolution - attention) + 16 * 5 * d
        assert more("LFM2-1.2B", layer_types=["conv"] * 16) == 6 * (convolution - attention)
        assert more("LFM2-1.2B", tie_embedding=False) == 65536 * d
        assert more("LFM2-1.2B", tie_embedding=..., tie_word_embeddings=False) == 65536 * d
        moe = "lfm2_moe default"
        assert more(moe, num_dense_layers=3) == 3 * 2048 * (7168 - 32 * 1792) - 32 * 2048
        assert "total_with_buffers" not in count(config(moe, use_expert_bias=False)).parameters

    def test_qwen3_next(self):
        d, name = 2048, "Qwen3-Next"
        delta = d * (2 * 2048 + 2 * 4096) + 2 * d * 32 + (2 * 2048 + 4096) * 4 + 2 * 32 + 128 + 4096 * d
        attention = d * 8192 + 2 * d * 512 + 4096 * d + 2 * 256
        assert more(name, full_attention_interval=2) == 12 * (attention - delta)
        assert more(name, layer_types=["full_attention"] * 48) == 36 * (attention - delta)
        assert more(name, attention_bias=True) == 12 * (8192 + 2 * 512 + d)
        experts = 512 * 3 * d * 512 + 512 * d + 3 * d * 512 + d
        assert more(name, mlp_only_layers=[0, 47]) == 2 * (3 * d * 5120 - experts)
        assert more(name, num_experts=0) == 48 * (3 * d * 5120 - experts)

    def test_recurrent_gemma(self):
        name, d = "recurrent_gemma default", 2560
        assert count(config(name)).symbols["m"] == 3840
        recurrent, attention = 3 * d * d + 4 * d + 2 * 10 * 256**2 + 6 * d + d, 4 * d * d + d
        assert more(name, block_types=["recurrent"]) == 8 * (recurrent - attention)
        assert more(name, block_types=["attention"]) == 18 * (attention - recurrent)
        assert more(name, attention_bias=True) == 8 * 3 * d
        assert more(name, lru_width=None) == 0
        assert more(name, lru_width=1280) == -18 * (3 * d * 1280 + 10 * 1280 + 2 * 10 * (256**2 - 128**2))

    def test_minimax(self):
        name, d, q, kv = "MiniMax-Text-01", 6144, 8192, 1024
        lightning, softmax = 5 * d * q + q, 2 * d * q + 2 * d * kv
        assert more(name, attn_type_list=[1] * 80) == 70 * (softmax - lightning)
        assert more(name, attn_type_list=..., layer_types=None) == 30 * (softmax - lightning)
        assert more(name, model_type="minimax") == more(name, model_type="minimax_m1") == 0

    def test_rwkv(self):
        assert more("RWKV-169M", attention_hidden_size=None, intermediate_size=None) == 0
        assert more("RWKV-169M", attention_hidden_size=512) == -12 * 256 * (4 * 768 + 2)
        assert more("RWKV-169M", tie_word_embeddings=True) == -50277 * 768

    def test_zamba2(self):
        name, d, a, m = "zamba2 default", 2560, 5120, 10240
        shared = 3 * a * a + a * d + 3 * d * m + a + d
        assert more(name, num_mem_blocks=2) == shared
        assert more(name, attention_head_dim=..., head_dim=160) == 0
        assert more(name, num_mem_blocks=20) == 8 * shared
        assert more(name, adapter_rank=64) == -9 * 64 * (d + 2 * m)
        assert more(name, use_shared_attention_adapter=True) == 9 * 3 * 2 * 128 * a
        assert more(name, use_conv_bias=False) == 0
        assert more(name, add_bias_linear=True) == 54 * (10376 + d) + 2 * m + d
        assert count(config(name)).parameters["linear"] == count(config(name, num_mem_blocks=9)).parameters["linear"]
        update = 128 * (d + 2 * m)  # without sharing, each of the 9 layers of a turn stores the updates of all of that turn
        assert more(name, tie_word_embeddings=False) == 8 * shared + (9 * 9 - 9) * update + 32000 * d
        two = {"num_mem_blocks": 2}
        assert more(name, tie_word_embeddings=False, **two) == 8 * shared + (5 * 5 + 4 * 4 - 9) * update + 32000 * d
        assert "anew in every layer" in count(config(name, tie_word_embeddings=False)).notes[-1]

    def test_zamba(self):
        name, d, a, m = "zamba default", 3712, 7424, 14848
        shared = 3 * a * a + a * d + 3 * d * m + a + d
        assert more(name, tie_word_embeddings=False) == 12 * shared + 32000 * d
        assert more(name, layers_block_type=...) == 0
        assert more(name, layers_block_type=["mamba"] * 76) == -shared - 13 * d * d
        assert more(name, mamba_proj_bias=True) == 76 * (2 * 7424 + d)
        assert more(name, mamba_conv_bias=False) == -76 * 7424
        assert count(config(name)).parameters["linear"] > count(config(name)).total

    def test_qwen3_5_and_olmo_hybrid(self):
        name, d = "qwen3_5_text default", 4096
        delta = d * (2 * 2048 + 2 * 4096) + 2 * d * 32 + (2 * 2048 + 4096) * 4 + 2 * 32 + 128 + 4096 * d
        attention = d * 8192 + 2 * d * 1024 + 4096 * d + 2 * 256
        assert more(name, layer_types=..., full_attention_interval=2) == 8 * (attention - delta)
        assert more(name, attention_bias=True) == 8 * (8192 + 2 * 1024 + d)
        moe = "qwen3_5_moe_text default"
        assert more(moe, num_experts=255) == -40 * (3 * 2048 * 512 + 2048)
        assert more("olmo_hybrid default", attention_bias=True) == 8 * 4 * 3840
        assert more("olmo_hybrid default", num_key_value_heads=10) == -8 * (2 * 3840 + 1) * 20 * 128

    def test_internlm3(self):
        both = 48 * (2 * 4096 + 2 * 256 + 2 * 10240 + 4096)
        assert more("internlm3 default", attention_bias=True, mlp_bias=True) == both
        assert more("internlm3 default", attention_bias=..., mlp_bias=..., qkv_bias=True, bias=True) == both

    def test_xlstm(self):
        name, d, m = "xlstm default", 4096, 10944
        assert more(name, use_bias=True) == 32 * (2 * 2048 + 3 * d + d + 2 * m + d + 2 * d)
        assert more(name, qk_dim_factor=1.0) == 32 * 2 * d * 2048
        assert more(name, ffn_round_up_to_multiple_of=1000) == 32 * 3 * d * 56
        assert more(name, tie_word_embeddings=True) == 0

    def test_lfm3(self):
        name, d = "lfm3 default", 2048
        attending = sum(kind != "conv" for kind in ROWS[name]["config"]["layer_types"])
        assert more(name, use_attention_gate=False) == -attending * d * 16
        assert more(name, use_sandwich_norm=False) == -24 * 2 * d
        assert more(name, attention_bias=True) == attending * (2 * d + 2 * 512)
        assert "w" not in count(config(name, sliding_window=None)).symbols
        assert count(config(name, sliding_window=None)).symbols["L_F"] == attending

    def test_bailing_hybrid(self):
        name, d = "bailing_hybrid default", 2560
        full = 7
        assert more(name, attention_bias=True) == full * (576 + d)
        assert more(name, linear_head_dim=..., linear_num_heads=..., linear_conv_kernel_dim=..., head_dim=128) == 0
        assert more(name, layer_types=..., layer_group_size=6) == 0
        assert more(name, mlp_layer_types=..., first_k_dense_replace=2) == 0
        assert more(name, mlp_layer_types=..., first_k_dense_replace=3) == 3 * d * (6144 - 513 * 768) - 512 * d

    def test_kimi_linear(self):
        name = "kimi_linear default"
        assert more(name, tie_word_embeddings=True) == 0
        assert more(name, num_shared_experts=2) == 26 * 3 * 2304 * 1024
        assert more(name, attention_bias=True) == 6 * (576 + 2304)
        full = [at + 1 for at, kind in enumerate(ROWS[name]["config"]["layer_types"]) if kind == "full_attention"]
        released = {
            "full_attn_layers": full, "kda_layers": [at for at in range(1, 28) if at not in full], "head_dim": 128, "num_heads": 32,
            "short_conv_kernel_size": 4,
        }  # fmt: skip
        without = dict.fromkeys(("layer_types", "mlp_layer_types", "linear_head_dim", "linear_num_heads", "linear_conv_kernel_dim"), ...)
        assert more(name, **without, linear_attn_config=released, first_k_dense_replace=1) == 0


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("Mamba-2.8B", {"state_size": ...}, "missing d_state (state size of a state space, for each of its channels); tried state_size"),
        ("Mamba-2.8B", {"time_step_rank": "many"}, 'time_step_rank (r_dt) must be a whole number, not "many"'),
        ("Mamba-2.8B", {"intermediate_size": ..., "expand": 1.3333}, "expand=1.3333 of the hidden size 2560 is no whole width"),
        ("mamba2 default", {"num_heads": 100}, "num_heads=100 heads do not divide the inner width 8192"),
        ("mamba2 default", {"head_dim": 65}, "num_heads=128 heads of head_dim=65 are not as wide as the layer, 8192"),
        ("jamba default", {"attn_layer_offset": 8}, "attn_layer_offset=8 must be smaller than attn_layer_period=8"),
        ("jamba default", {"mamba_expand": ...}, "config: missing mamba_expand"),
        ("jamba default", {"attn_layer_offset": -1}, "attn_layer_offset must be at least 0, not -1"),
        ("jamba default", {"expert_layer_period": ...}, "missing expert_layer_period"),
        ("jamba default", {"num_experts_per_tok": 17}, "17 experts chosen for a token, but there are only 16"),
        ("bamba default", {"attn_layer_indices": [32]}, "attn_layer_indices names layer 32, but there are 32 layers, counted from 0"),
        ("bamba default", {"attn_layer_indices": [True]}, "attn_layer_indices must be a list of layer numbers"),
        ("bamba default", {"attn_layer_indices": ...}, "missing the kinds of the layers; tried attn_layer_indices, layers_block_type"),
        ("bamba default", {"layers_block_type": ["attention"] * 32}, "attn_layer_indices and the list of layer kinds disagree"),
        ("falcon_h1 default", {"mamba_d_ssm": ...}, "missing d_rec (inner width of a recurrent layer); tried mamba_d_ssm"),
        ("Granite-4.0-H-Small", {"layer_types": ["mamba"] * 3}, "layer_types must be a list of 40 kinds of layer, one for each layer"),
        ("Granite-4.0-H-Small", {"layer_types": ["rwkv"] * 40}, 'layer_types names an unknown kind of layer, "rwkv"; known: full_attention'),
        ("Granite-4.0-H-Small", {"num_local_experts": ...}, "tried num_local_experts"),
        ("Nemotron-Nano-9B-v2", {"hybrid_override_pattern": "M-X"}, 'must be made of the letters M * - E, not "M-X"'),
        ("Nemotron-Nano-9B-v2", {"num_hidden_layers": 55}, "num_hidden_layers=55, but the pattern names 56 blocks"),
        ("Nemotron-Nano-9B-v2", {"layers_block_type": ["mamba"] * 56}, "hybrid_override_pattern and the list of layer kinds disagree"),
        ("Nemotron-Nano-9B-v2", {"hybrid_override_pattern": ...}, "missing the kinds of the layers; tried hybrid_override_pattern"),
        ("LFM2-1.2B", {"block_ffn_dim_multiplier": -1}, "block_ffn_dim_multiplier must be a positive number, not -1"),
        ("LFM2-1.2B", {"full_attn_idxs": ...}, "missing the kinds of the layers; tried layer_types, full_attn_idxs"),
        ("Qwen3-Next", {"head_dim": ...}, "missing d_h (head size); tried head_dim, which Qwen3-Next does not derive"),
        ("Qwen3-Next", {"full_attention_interval": ...}, "missing the kinds of the layers; tried layer_types, full_attention_interval"),
        ("recurrent_gemma default", {"lru_width": 2561}, "lru_width=2561 does not divide into 10 diagonal blocks"),
        ("recurrent_gemma default", {"block_types": []}, "block_types must be a list of 'recurrent' and 'attention'"),
        ("MiniMax-Text-01", {"attn_type_list": [2] * 80}, "attn_type_list must be a list of 80 numbers, 0 for lightning"),
        ("MiniMax-Text-01", {"shared_intermediate_size": 5}, "shared_intermediate_size=5 is not supported"),
        ("zamba default", {"n_mamba_heads": 3}, "n_mamba_heads=3 heads do not divide the inner width 7424"),
        ("olmo_hybrid default", {"layer_types": ["full_attention"] * 32}, "layer_types must name layers of both kinds"),
        ("zamba default", {"intermediate_size": ...}, "missing m (intermediate size of the feed-forward network)"),
        ("zamba2 default", {"hybrid_layer_ids": [0, 1]}, "hybrid_layer_ids and the list of layer kinds disagree"),
        ("nemotron_h default", {"head_dim": ...}, "missing d_h (head size); tried head_dim, which Nemotron-H does not derive"),
        ("xlstm default", {"hidden_size": ..., "embedding_dim": 4096}, "missing d (hidden size)"),
        ("internlm3 default", {"head_dim": ...}, "missing d_h (head size); tried head_dim, which may be null, but not left out"),
        ("internlm3 default", {"qkv_bias": True}, "biases in attention (qkv_bias) but not in the network (bias), or the reverse"),
        ("xlstm default", {"v_dim_factor": 1.0005}, "v_dim_factor=1.0005 of the hidden size 4096 does not divide into 8 heads"),
        ("xlstm default", {"ffn_proj_factor": True}, "ffn_proj_factor must be a positive number, not true"),
        ("xlstm default", {"embedding_dim": 2048}, "hidden_size=4096 and embedding_dim=2048 disagree about d"),
        ("bailing_hybrid default", {"layer_types": ..., "layer_group_size": ...}, "missing the kinds of the layers; tried layer_types"),
        ("lfm3 default", {"layer_types": ["rwkv"] * 24}, 'layer_types names an unknown kind of layer, "rwkv"'),
        ("zamba2 default", {"use_shared_block_lora": False}, "use_shared_block_lora=false is not supported"),
        ("kimi_linear default", {"layer_types": ..., "linear_attn_config": {"full_attn_layers": [1], "kda_layers": [1]}}, "must name each of the layers 1 to 27 once"),
        ("kimi_linear default", {"linear_attn_config": [1]}, "linear_attn_config must be an object"),
        ("Qwen-7B", {"intermediate_size": 22015}, "intermediate_size=22015 must be even"),
        ("Baichuan2-7B", {"num_key_value_heads": 8}, "the family has as many key/value heads as query heads"),
        ("ChatGLM3-6B", {"multi_query_group_num": 3}, "32 query heads do not divide among multi_query_group_num=3"),
        ("ChatGLM3-6B", {"pre_seq_len": 128}, "pre_seq_len=128 is not supported: a prefix encoder has parameters of its own"),
        ("ChatGLM-6B", {"num_attention_heads": 30}, "hidden size 4096 does not divide into 30 heads"),
        ("ChatGLM3-6B", {"architectures": ["ChatGLMForSequenceClassification"]}, "which is not a causal language model"),
        ("InternLM2-7B", {"num_key_value_heads": ...}, "missing h_kv (key/value heads)"),
        ("MiniCPM-2B", {"num_experts": 8}, "num_experts=8 is not known to this family"),
        ("Falcon-40B", {"parallel_attn": False}, "parallel_attn=false is not supported"),
        ("Falcon-40B", {"n_head_kv": 7}, "128 query heads do not divide among 7 key/value heads"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(name, changes, words):
    with pytest.raises(ConfigError) as error:
        count(config(name, **changes))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "name",
    ["jamba default", "bamba default", "lfm2 default", "Qwen3-Next", "qwen3_5_text default", "recurrent_gemma default", "zamba default"],
)
def test_more_layers_than_any_model_has_are_refused_at_once(name):
    with pytest.raises(ConfigError, match="num_hidden_layers=1099511627776 layers are more than any model has"):
        count(config(name, num_hidden_layers=2**40))


def test_keys_of_layer_patterns_are_refused_where_a_family_does_not_read_them():
    for key, value in (
        ("hybrid_override_pattern", "M*"),
        ("attn_layer_indices", [1]),
        ("block_types", ["recurrent"]),
        ("moe_latent_size", 8),
    ):
        with pytest.raises(ConfigError, match=f"{key}=.* is not known to this family"):
            count({"model_type": "llama", **LLAMA, key: value})


@pytest.mark.parametrize("more", [{"param_sink_number": 128}, {"sandwich_norm": True}, {"v_channels": 128}, {"n_routed_experts": 64}])
def test_other_models_named_pangu_are_refused(more):
    assert count({"model_type": "PanguEmbedded", **LLAMA, "sandwich_norm": False}).total
    with pytest.raises(ConfigError, match=next(iter(more))):
        count({"model_type": "PanguEmbedded", **LLAMA, **more})


def test_every_other_name_leads_to_a_family():
    for name in OTHER_NAMES:
        assert "Source" in family_of(config_of({"model_type": name}, name)).model.__doc__


class TestFigures:
    def test_flops_are_not_counted_where_there_is_a_recurrence(self):
        flops = usage(config("Nemotron-Nano-9B-v2"), context=4096)["flops"]
        linear = 2 * 27 * (4480 * 22656 + 10240 * 4480) + 2 * 4 * 4480 * (5120 * 2 + 1024 * 2) + 2 * 25 * 2 * 4480 * 15680
        assert flops["linear_per_token"] == linear
        assert flops["attention_per_token"] == 4 * 4 * 5120 * 4096
        assert {flops[name] for name in ("forward_per_token", "prefill", "prefill_causal", "decode", "train_per_token")} == {"not counted"}
        assert not any(name.startswith("rule") for name in flops)

    def test_the_cache_holds_keys_and_values_and_the_states(self):
        cache = usage(config("Nemotron-Nano-9B-v2"), context=1000)["kv_cache"]
        states = 27 * (10240 * 128 + (10240 + 2 * 8 * 128) * 4)
        assert cache["elements_per_token"] == 8192 == 4 * 2 * 1024
        assert cache["elements"] == cache["bytes"] // 2 == 8192 * 1000 + states

    @pytest.mark.parametrize(
        ("name", "elements"),
        [
            ("Mamba-2.8B", 64 * 5120 * (16 + 4)),
            ("RWKV-169M", 12 * 5 * 768),
            ("LFM2-1.2B", 10 * 2048 * 3 + 6 * 2 * 512 * 100),
            ("recurrent_gemma default", 18 * 2560 * (1 + 4) + 8 * 2 * 2560 * 100),
            ("MiniMax-Text-01", 70 * 64 * 128 * 128 + 10 * 2 * 1024 * 100),
            ("Qwen3-Next", 36 * (32 * 128 * 128 + (2 * 2048 + 4096) * 4) + 12 * 2 * 512 * 100),
            ("xlstm default", 32 * 8 * (256 * 512 + 256 + 1)),
            ("kimi_linear default", 21 * (32 * 128 * 128 + 3 * 4096 * 4) + 6 * 576 * 100),
            ("zamba2 default", 54 * (5120 * 64 + 5248 * 4) + 9 * 2 * 5120 * 100),
            ("falcon_h1 default", 32 * (1024 * 256 + (1024 + 512) * 4 + 2 * 1024 * 100)),
        ],
    )  # fmt: skip
    def test_what_100_tokens_leave_in_the_cache(self, name, elements):
        assert usage(config(name), context=100)["kv_cache"]["elements"] == elements

    def test_a_window_bounds_the_attention_of_recurrent_gemma(self):
        cache = usage(config("recurrent_gemma default"), context=10_000)["kv_cache"]
        assert cache["elements"] == 18 * 2560 * 5 + 8 * 2 * 2560 * 2048

    def test_activations_of_other_mixers_are_not_counted(self):
        for name in ("bamba default", "falcon_h1 default", "Mamba-2.8B", "LFM2-1.2B", "lfm2 default", "Falcon-40B"):
            assert usage(config(name), context=100, train="mixed")["memory"]["activations"] == "not counted"

    def test_activations_of_ordinary_blocks_are_counted_under_other_names_as_well(self):
        assert usage(config("InternLM2-7B"), context=100, train="mixed")["memory"]["activations_full"] == 32 * 2 * 100 * 4096

    def test_named_quantities_are_those_of_other_models(self, tmp_path):
        import json

        path = tmp_path / "config.json"
        path.write_text(json.dumps(config("Nemotron-Nano-9B-v2")))
        for name in ("P_total_mixed", "F_token", "M_kv", "P_block"):
            with pytest.raises(FormulaError, match=f"{name} is a quantity of models that attend in every layer"):
                show(name, at=str(path))
        assert show("P_attn", at=str(path)).derivation.result.evaluate({}) == 2 * 4480 * 5120 + 2 * 4480 * 1024
        with pytest.raises(ConfigError, match="the FLOPs of a forward pass are not counted"):
            crossover_answer(str(path))
