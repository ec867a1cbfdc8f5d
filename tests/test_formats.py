"""Configurations of Meta, litgpt and Megatron-LM: totals against published integers and formulas written by hand."""

import json
from typing import ClassVar

import pytest
from click.testing import CliRunner

from derive.cli import main
from derive.counting import count
from derive.errors import ConfigError


def total(values):
    result = count(values)
    assert result.closed_form.evaluate(result.symbols) == result.total == sum(part.parameters for part in result.components)
    return result.total


class TestMeta:
    LLAMA_2_7B: ClassVar = {"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-05, "vocab_size": 32000}
    LLAMA_3_8B: ClassVar = {
        "dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "multiple_of": 1024, "ffn_dim_multiplier": 1.3,
        "norm_eps": 1e-05, "rope_theta": 500000.0,
    }  # fmt: skip

    @pytest.mark.parametrize(
        ("changes", "published"),
        [
            ({}, 6_738_415_616),
            ({"dim": 5120, "n_heads": 40, "n_layers": 40}, 13_015_864_320),
            ({"dim": 6656, "n_heads": 52, "n_layers": 60}, 32_528_943_616),
            ({"dim": 8192, "n_heads": 64, "n_layers": 80}, 65_285_660_672),
            ({"dim": 8192, "multiple_of": 4096, "ffn_dim_multiplier": 1.3, "n_heads": 64, "n_kv_heads": 8, "n_layers": 80}, 68_976_648_192),
        ],
    )  # fmt: skip
    def test_llama_1_and_2(self, changes, published):
        assert total(self.LLAMA_2_7B | changes) == published

    def test_llama_3(self):
        big = {"dim": 8192, "n_heads": 64, "n_layers": 80, "multiple_of": 4096}
        assert total(self.LLAMA_3_8B) == 8_030_261_248
        assert total(self.LLAMA_3_8B | big) == 70_553_706_496
        biggest = {"dim": 16384, "n_heads": 128, "n_layers": 126, "multiple_of": 4096, "ffn_dim_multiplier": 1.2}
        assert total(self.LLAMA_3_8B | biggest) == 405_853_388_800

    def test_mistral_and_mixtral(self):
        values = {"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 32000}
        assert total(values) == 7_241_732_096
        windowed = count(values | {"sliding_window": 4096})
        assert (windowed.total, windowed.family, windowed.symbols["w"]) == (7_241_732_096, "mistral", 4096)
        mixtral = count(values | {"moe": {"num_experts": 8, "num_experts_per_tok": 2}})
        assert (mixtral.total, mixtral.family) == (46_702_792_704, "mixtral")

    def test_the_note(self):
        plain, tied = count(self.LLAMA_2_7B), count(self.LLAMA_2_7B | {"tied_embeddings": True})
        assert "m=11,008 follows from multiple_of; it does not say whether the head is tied" in plain.notes[0]
        assert "tied" not in tied.notes[0] and plain.total - tied.total == 32000 * 4096
        seeing = count(self.LLAMA_2_7B | {"vision_encoder": {"hidden_size": 1024}})
        assert seeing.total == plain.total and "without its vision encoder" in seeing.notes[0]

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"vocab_size": -1}, "vocab_size=-1 is filled in from the tokenizer when the model is loaded; set it"),
            ({"vocab_size": None}, "missing vocab_size"), ({"multiple_of": None}, "missing multiple_of"), ({"dim": "4096"}, "dim must be a whole number"),
            ({"moe_args": {"num_experts": 16}}, "moe_args=an object is not known in this format"), ({"ffn_dim_multiplier": "1.3"}, "must be a positive"),
            ({"ffn_dim_multiplier": float("nan")}, "must be a positive number"), ({"ffn_dim_multiplier": -1}, "must be a positive number"),
            ({"moe": {"num_experts": 8}}, "moe must be an object of num_experts and num_experts_per_tok"), ({"n_heads": 0}, "from 1 on"),
            ({"n_kv_heads": 5}, "32 query heads do not divide among 5"), ({"vocab_size": True}, "must be a whole number"), ({"n_heads": None}, "missing n_heads"),
        ],
    )  # fmt: skip
    def test_refused(self, changes, words):
        with pytest.raises(ConfigError) as error:
            count(self.LLAMA_2_7B | changes)
        assert words in str(error.value) and str(error.value).startswith("config: ")


class TestLitgpt:
    PYTHIA: ClassVar = {
        "name": "pythia-70m", "block_size": 2048, "n_layer": 6, "n_embd": 512, "n_head": 8, "vocab_size": 50254, "padding_multiple": 128,
        "mlp_class_name": "GptNeoxMLP", "norm_class_name": "LayerNorm", "bias": True, "hf_config": {"org": "EleutherAI", "name": "pythia-70m"},
    }  # fmt: skip
    LLAMA: ClassVar = {
        "name": "Llama-2-7b-hf", "n_layer": 32, "n_embd": 4096, "n_head": 32, "padded_vocab_size": 32000, "bias": False, "parallel_residual": False,
        "norm_class_name": "RMSNorm", "mlp_class_name": "LLaMAMLP", "intermediate_size": 11008, "rotary_percentage": 1.0,
    }  # fmt: skip

    @pytest.mark.parametrize(
        ("changes", "published"),
        [
            ({}, 70_426_624), ({"n_layer": 12, "n_embd": 768, "n_head": 12}, 162_322_944), ({"n_layer": 24, "n_embd": 1024, "n_head": 16}, 405_334_016),
            ({"n_layer": 16, "n_embd": 2048, "n_head": 8}, 1_011_781_632), ({"n_layer": 36, "n_embd": 5120, "n_head": 40, "padding_multiple": 512}, 11_846_072_320),
        ],
    )  # fmt: skip
    def test_pythia(self, changes, published):
        assert total(self.PYTHIA | changes) == published

    def test_llama(self):
        assert total(self.LLAMA) == 6_738_415_616
        assert (
            total(self.LLAMA | {"n_layer": 80, "n_embd": 8192, "n_head": 64, "n_query_groups": 8, "intermediate_size": 28672})
            == 68_976_648_192
        )

    def test_mixtral_and_qwen(self):
        mixtral = {"mlp_class_name": "LLaMAMoE", "n_expert": 8, "n_expert_per_token": 2, "n_query_groups": 8, "intermediate_size": 14336}
        assert total(self.LLAMA | mixtral) == 46_702_792_704
        qwen = {"n_layer": 28, "n_embd": 3584, "n_head": 28, "n_query_groups": 4, "intermediate_size": 18944, "padded_vocab_size": 152064}
        assert total(self.LLAMA | qwen | {"attn_bias": True}) == 7_615_616_512

    def test_each_fact(self):
        base, d, d_h, V, L = total(self.LLAMA), 4096, 128, 32000, 32
        for changes, more in (
            ({"lm_head_bias": True}, V), ({"norm_qk": True}, 2 * d_h * L), ({"norm_qk": True, "norm_qk_type": "olmo2"}, 2 * d * L),
            ({"post_attention_norm": True, "post_mlp_norm": True}, 2 * d * L), ({"parallel_residual": True, "shared_attention_norm": True}, -d * L),
            ({"norm_1": False, "norm_2": False}, -2 * d * L), ({"bias": True}, (3 * d + d + 2 * 11008 + d) * L), ({"head_size": 64}, -4 * d * d // 2 * L),
            ({"padded_vocab_size": None, "vocab_size": 32000, "padding_multiple": 64}, 0), ({"norm_class_name": "LayerNorm"}, (2 * L + 1) * d),
            ({"sliding_window_size": 1024}, 0),
        ):  # fmt: skip
            assert total(self.LLAMA | changes) - base == more

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"mlp_class_name": None}, "missing mlp_class_name"), ({"bias": None}, "missing bias"), ({"mlp_class_name": "Other"}, "known: GptNeoxMLP"),
            ({"norm_class_name": "Norm"}, "known: LayerNorm, RMSNorm"), ({"intermediate_size": None}, "missing intermediate_size"),
            ({"padded_vocab_size": None}, "missing vocab_size, padding_multiple"), ({"latent_attention": {"a": 1}}, "latent_attention=an object is not known"),
            ({"n_expert": 8}, "only LLaMAMoE has experts"), ({"shared_attention_norm": True}, "needs parallel_residual"), ({"bias": 1}, "must be true or false"),
            ({"mlp_class_name": "LLaMAMoE"}, "n_expert must be a whole number"), ({"name": "OLMo-1B", "norm_class_name": "LayerNorm"}, "no parameters"),
            ({"first_k_dense_replace": 3}, "first_k_dense_replace=3 is not known in this format"), ({"n_query_groups": 5}, "do not divide"),
            ({"sliding_window_size": 8, "sliding_window_indices": [1]}, "a list of 32 numbers"), ({"n_shared_expert": 1}, "n_shared_expert=1 is not known"),
        ],
    )  # fmt: skip
    def test_refused(self, changes, words):
        with pytest.raises(ConfigError) as error:
            count(self.LLAMA | changes)
        assert words in str(error.value)

    def test_yaml_is_refused_with_the_reason(self, tmp_path):
        (tmp_path / "model_config.yaml").write_text("n_embd: 4096\n")
        for source in (tmp_path, tmp_path / "model_config.yaml"):
            with pytest.raises(ConfigError, match="YAML is not read"):
                count(source)


class TestMegatron:
    LLAMA = (
        "--num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008 --num-attention-heads 32 --swiglu --normalization RMSNorm --disable-bias-linear "
        "--untie-embeddings-and-output-weights --position-embedding-type rope --vocab-size 32000 --make-vocab-size-divisible-by 1 --bf16 --lr 3e-4"
    )

    @pytest.mark.parametrize(
        ("layers", "hidden", "heads", "tensor", "rows"),
        [(12, 768, 12, 1, 50_304), (24, 2048, 32, 2, 50_432), (96, 12_288, 96, 8, 51_200), (105, 20_480, 128, 8, 51_200)],
    )
    def test_gpt_by_the_papers_formula(self, layers, hidden, heads, tensor, rows):
        """12 l h² (1 + 13/12h + (V+s)/12lh), Narayanan et al. 2021, arXiv:2104.04473, section 5.1, and the final norm, which it leaves out."""
        values = {
            "num_layers": layers, "hidden_size": hidden, "num_attention_heads": heads, "max_position_embeddings": 2048, "vocab_size": 50257,
            "make_vocab_size_divisible_by": 128, "tensor_model_parallel_size": tensor,
        }  # fmt: skip
        assert total(values) == 12 * layers * hidden**2 + 13 * layers * hidden + (rows + 2048) * hidden + 2 * hidden
        assert f"the vocabulary has {rows:,} rows, 50,257 rounded up to a multiple of 128 × {tensor}" in count(values).notes[0]

    def test_gpt_3_unpadded(self):
        values = {
            "num_layers": 96,
            "hidden_size": 12288,
            "num_attention_heads": 96,
            "max_position_embeddings": 2048,
            "padded_vocab_size": 50257,
        }
        assert total(values) == 174_604_259_328

    def test_a_command_line(self):
        assert total(self.LLAMA) == 6_738_415_616
        assert total(self.LLAMA.replace("11008", "28672").replace("32 --hidden-size 4096", "80 --hidden-size 8192").replace(
            "heads 32", "heads 64 --group-query-attention --num-query-groups 8")) == 68_976_648_192  # fmt: skip

    def test_a_script(self, tmp_path):
        words = self.LLAMA.split(" --")
        script = (
            "#!/bin/bash\n# --num-layers 7 is a comment\nARGS=(\n    --"
            + "\n    --".join(word.removeprefix("--") for word in words)
            + "\n)\ntorchrun x.py\n"
        )
        (tmp_path / "run.sh").write_text(script)
        assert total(tmp_path / "run.sh") == 6_738_415_616
        (tmp_path / "line.sh").write_text(
            "python x.py " + self.LLAMA.replace(" --", " \\\n  --").replace("--vocab-size 32000", "--vocab-size=32000")
        )
        assert total(tmp_path / "line.sh") == 6_738_415_616

    def test_from_the_shell(self):
        run = CliRunner()
        answer = run.invoke(main, ["count", "--json", "--", self.LLAMA])
        assert json.loads(answer.output)["parameters"]["total"] == 6_738_415_616
        assert json.loads(run.invoke(main, ["count", "--json", "-"], input=self.LLAMA).output)["family"] == "megatron"

    def test_json_under_the_names_that_checkpoints_keep(self):
        values = {
            "num_layers": 32, "hidden_size": 4096, "ffn_hidden_size": 14336, "num_attention_heads": 32, "group_query_attention": True, "num_query_groups": 8,
            "swiglu": True, "normalization": "RMSNorm", "add_bias_linear": False, "untie_embeddings_and_output_weights": True,
            "position_embedding_type": "rope", "padded_vocab_size": 128256, "num_experts": None, "kv_channels": 128,
            # what a saved set of arguments holds besides: defaults that change nothing
            "encoder_num_layers": 32, "decoder_num_layers": None, "moe_layer_freq": 1, "multi_latent_attention": False, "kv_lora_rank": 32, "q_lora_rank": None,
            "hybrid_attention_ratio": 0.0, "hybrid_mlp_ratio": 0.0, "is_hybrid_model": False, "mtp_num_layers": None, "spec": None, "bert_binary_head": True,
            "moe_ffn_hidden_size": None, "moe_router_topk": 2, "qk_layernorm": False, "add_qkv_bias": False, "add_position_embedding": True, "lr": 3e-4,
            "vocab_size": None, "make_vocab_size_divisible_by": 128, "tensor_model_parallel_size": 4, "use_rotary_position_embeddings": False,
        }  # fmt: skip
        assert total(values) == 8_030_261_248
        experts = {"num_experts": 8, "moe_router_topk": 2, "padded_vocab_size": 32000}
        assert (total(values | experts), count(values | experts).active) == (46_702_792_704, 12_879_925_248)

    def test_each_fact(self):
        base, d, d_h, m, L = total(self.LLAMA), 4096, 128, 11008, 32
        for option, more in (
            ("--add-qkv-bias", 3 * d * L), ("--qk-layernorm", 2 * d_h * L), ("--kv-channels 64", -2 * d * d * L), ("--lr-decay-style cosine", 0),
        ):  # fmt: skip
            assert total(f"{self.LLAMA} {option}") - base == more
        assert total(self.LLAMA.replace("--disable-bias-linear ", "")) - base == (4 * d + 2 * m + d) * L
        assert total(self.LLAMA.replace("--untie-embeddings-and-output-weights ", "")) - base == -32000 * d
        assert total(self.LLAMA.replace("RMSNorm", "LayerNorm")) - base == (2 * L + 1) * d
        assert total(self.LLAMA.replace("rope", "learned_absolute") + " --max-position-embeddings 2048") - base == 2048 * d
        assert total(self.LLAMA.replace("--ffn-hidden-size 11008 ", "")) - base == 3 * d * (10880 - m) * L  # 8d/3 down to a multiple of 64
        assert total(self.LLAMA.replace("--swiglu ", "")) - base == -d * m * L
        assert total(self.LLAMA.replace("divisible-by 1", "divisible-by 128") + " --tensor-model-parallel-size 8") - base == 2 * 768 * d

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (LLAMA.replace("--hidden-size 4096", ""), "missing hidden_size"), (LLAMA.replace("--vocab-size 32000", ""), "the tokenizer decides it"),
            (LLAMA.replace("4096", "$HIDDEN"), "--hidden-size must be a number, not '$HIDDEN'; put the number in for a variable"),
            (LLAMA + " --num-layers 33", "--num-layers stands twice"), (LLAMA + " --num-experts 8", "missing moe_router_topk"),
            (LLAMA + " --multi-latent-attention", "multi_latent_attention=true is not supported"), (LLAMA + " --num-query-groups 8", "only with group_query"),
            (LLAMA + " --moe-layer-freq 2", "moe_layer_freq=2 is not supported"), (LLAMA + " --encoder-num-layers 2", "an encoder is not translated"),
            (LLAMA + " --mtp-num-layers 1", "mtp_num_layers=1 is not supported"), (LLAMA.replace("RMSNorm", "Other"), "known: LayerNorm, RMSNorm"),
            (LLAMA.replace("rope", "sinusoid"), "position_embedding_type=\"sinusoid\" is not known"), (LLAMA + " 'open", "not a command line"),
            (LLAMA.replace("rope", "learned_absolute"), "missing max_position_embeddings"), (LLAMA + " --hybrid-override-pattern M-M*", "is not supported"),
            (LLAMA.replace("RMSNorm", "LayerNorm") + " --qk-layernorm", "qk_layernorm with LayerNorm"), (LLAMA + " x" * 10**5, "longer than"),
            (LLAMA.replace("--disable-bias-linear", "--num-experts 8 --moe-router-topk 2"), "num_experts with biases is not translated"),
        ],
    )  # fmt: skip
    def test_refused(self, arguments, words):
        with pytest.raises(ConfigError) as error:
            count(arguments)
        assert words in str(error.value) and str(error.value).startswith("arguments: ") and "\n" not in str(error.value)

    def test_contradictions(self):
        with pytest.raises(ConfigError, match="disagree; keep one of them"):
            count({"num_layers": 1, "hidden_size": 64, "num_attention_heads": 4, "add_bias_linear": True, "disable_bias_linear": True})


def test_a_params_json_in_a_folder(tmp_path):
    (tmp_path / "params.json").write_text(json.dumps(TestMeta.LLAMA_2_7B))
    (tmp_path / "consolidated.00.pth").write_bytes(b"\x80\x02")
    answer = CliRunner().invoke(main, ["count", str(tmp_path)])
    assert answer.exit_code == 0 and "6,738,415,616" in answer.output


@pytest.mark.parametrize("values", [{}, {"n_embd": 64, "n_layer": 2, "n_head": 2}, {"num_layers": 2}, {"dim": 64}])
def test_keys_that_no_format_has(values):
    with pytest.raises(ConfigError, match="has no 'model_type' key"):
        count(values)


def test_a_model_type_decides_before_any_format():
    with pytest.raises(ConfigError, match="unknown model_type 'distilbert'"):
        count({"model_type": "distilbert", "dim": 768, "n_layers": 6, "n_heads": 12, "vocab_size": 30522, "multiple_of": 1})
