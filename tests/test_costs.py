"""Costs of running and training, each against a second source: measured FLOPs, published values, forms by hand."""

from fractions import Fraction

import pytest
from reference import MEASURED, released_config

from derive.architecture.context import linear_attention_state, softmax_attention, state_space_state
from derive.architecture.feed_forward import gated
from derive.architecture.model import decoder, layers
from derive.costs import activations, flops, over
from derive.costs.activations import LayerShape, kept_tensors, layer_activations, split_activations
from derive.costs.cache import cache_elements, cache_per_token, reserved_elements
from derive.costs.lora import lora_parameters
from derive.costs.memory import SCHEMES, Sharing, training_scheme, training_state
from derive.costs.routing import assignments, expected_experts, loads, mixed, top_k
from derive.counting import count
from derive.dtypes import DTYPES, dtype
from derive.errors import ConfigError
from derive.figures import usage
from derive.formula.parse import parse
from derive.formula.tree import Name
from derive.quantities import quantity
from derive.reading import read_model

n, d, w = Name("n"), Name("d"), Name("w")
GIB = 2**30


class TestFlops:
    @pytest.mark.parametrize("name", MEASURED["flops"])
    def test_as_torch_counted_them(self, name):
        assert usage(released_config(name), context=MEASURED["tokens"])["flops"]["prefill"] == MEASURED["flops"][name]

    def test_by_hand_llama(self):
        answer = usage("Llama-3-8B", context=1000)["flops"]
        linear = 2 * 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336)
        assert answer["linear_per_token"] == linear == 2 * count("Llama-3-8B").parameters["linear"]
        assert answer["attention_per_token"] == 4 * 32 * 1000 * 4096
        assert answer["logits_per_token"] == 2 * 4096 * 128256
        assert answer["forward_per_token"] == linear + 4 * 32 * 1000 * 4096 + 2 * 4096 * 128256
        assert answer["prefill"] == 1000 * answer["forward_per_token"]
        assert answer["prefill_causal"] == 1000 * (linear + 2 * 4096 * 128256) + 32 * 4 * 4096 * sum(range(1, 1001))
        assert answer["prefill_causal_last_logits"] == answer["prefill_causal"] - 999 * 2 * 4096 * 128256
        assert answer["decode"] == answer["forward_per_token"]
        assert answer["train_per_token"] == 3 * answer["forward_per_token"]
        assert answer["train_per_token_recomputed"] == 4 * answer["forward_per_token"]
        assert answer["rule_6N_total"] == 6 * 8_030_261_248

    def test_absorbed_latent_attention_by_hand(self):
        answer = usage("DeepSeek-V3", context=4096)["flops"]
        linear = 2 * 35_697_917_952
        assert answer["decode"] == linear + 61 * 4096 * 2 * 128 * (512 + 64 + 512) + 2 * 7168 * 129280
        assert answer["prefill"] == 4096 * (linear + 61 * 4096 * 2 * 128 * (128 + 64 + 128) + 2 * 7168 * 129280)
        expanded = flops.decode_flops(read_model("DeepSeek-V3").numbers, 4096, absorbed=False)
        assert expanded == answer["prefill"] // 4096

    @pytest.mark.parametrize(("tokens", "window"), [(10, 4), (10, 10), (10, 30), (1, 1), (7, 1)])
    def test_pairs_under_a_window_are_counted_one_by_one(self, tokens, window):
        assert flops.seen_pairs(tokens, window) == sum(min(place, window) for place in range(1, tokens + 1))
        assert flops.seen_pairs(tokens) == sum(range(1, tokens + 1))

    def test_pairs_in_closed_form(self):
        assert flops.seen_pairs(n).evaluate({"n": 9}) == 45
        assert flops.seen_pairs(n, w).evaluate({"n": 9, "w": 4}) == flops.seen_pairs(9, 4)

    def test_pairs_of_arrays(self):
        numpy = pytest.importorskip("numpy")
        assert flops.seen_pairs(numpy.array([3, 10]), numpy.array([5, 4])).tolist() == [6, 34]

    def test_sliding_layers_decode_within_their_window(self):
        config = released_config("gpt-oss-20b")
        short, long = usage(config, context=1000)["flops"]["decode"], usage(config, context=2000)["flops"]["decode"]
        assert long - short == 12 * 1000 * 4 * 64 * 64  # only the 12 full layers see more

    def test_a_lookup_is_free_and_a_tied_head_is_not(self):
        config = released_config("Llama-3.2-1B")
        for tied in (True, False):
            assert usage(config | {"tie_word_embeddings": tied}, context=1)["flops"]["logits_per_token"] == 2 * 2048 * 128256

    def test_scores_use_query_heads(self):
        component = softmax_attention(64 * 128, 8 * 128)
        assert flops.pair_flops(component) == 32768

    def test_published_training_tables(self):
        """Per-step TFLOPs that a public framework prints: 6 × (weights and head) × tokens + 12 L d_q n² B."""
        batch, tokens = 12, 2048
        rows = {  # L, d, heads, kv heads, head size, m, V, published
            "llama2-7b": (32, 4096, 32, 32, 128, 11008, 32000, "1053.4"), "llama2-13b": (40, 5120, 40, 40, 128, 13824, 32000, "2018.7"),
            "mistral-7b": (32, 4096, 32, 8, 128, 14336, 32000, "1127.6"), "llama2-70b": (80, 8192, 64, 8, 128, 28672, 32000, "10528.0"),
            "gemma-7b": (28, 3072, 16, 16, 256, 24576, 256128, "1328.2"), "gemma-2b": (18, 2048, 8, 1, 256, 16384, 256128, "391.8"),
        }  # fmt: skip
        for L, hidden, heads, kv, head, m, V, published in rows.values():
            config = {
                "model_type": "llama", "num_hidden_layers": L, "hidden_size": hidden, "num_attention_heads": heads,
                "num_key_value_heads": kv, "head_dim": head, "intermediate_size": m, "vocab_size": V,
            }  # fmt: skip
            step = batch * tokens * usage(config, context=tokens)["flops"]["train_per_token"]
            assert f"{step / 1e12:.1f}" == published

    def test_vocabulary_once_in_72nd2(self):
        """6 N with logits and without the lookup is 72 L d² + 6 V d."""
        config = {"model_type": "gpt2", "n_layer": 40, "n_embd": 5120, "n_head": 40, "vocab_size": 102400, "n_positions": 2048}
        answer = usage(config, context=1)["flops"]
        assert 3 * (answer["linear_per_token"] + answer["logits_per_token"]) == 72 * 40 * 5120**2 + 6 * 102400 * 5120 == 78_643_200_000


class TestCache:
    @pytest.mark.parametrize(
        ("name", "kept", "reserved"),
        [
            ("Llama-3.1-8B", "1.000", "1.000"), ("Qwen3-30B-A3B", "0.750", "0.750"), ("gemma2_9b", "1.969", "2.625"),
            ("gpt-oss-20b", "0.190", "0.375"), ("DeepSeek-V3", "0.536", "0.536"),
        ],
    )  # fmt: skip
    def test_at_8192_tokens_in_bf16(self, name, kept, reserved):
        cache = usage(released_config(name), context=8192)["kv_cache"]
        assert f"{cache['bytes'] / GIB:.3f}" == kept
        assert f"{cache['reserved_bytes'] / GIB:.3f}" == reserved

    def test_latent_attention_expanded(self):
        assert f"{usage('DeepSeek-V3', context=8192)['kv_cache']['expanded_bytes'] / GIB:.1f}" == "38.1"

    def test_elements_per_token_of_released_models(self, released):
        assert usage(released["config"], context=1)["kv_cache"]["elements_per_token"] == released["kv_elements_per_token"]

    def test_batch_and_format(self):
        cache = usage("Llama-3-8B", context=100, batch=3, cache_dtype="q8_0")["kv_cache"]
        assert cache["bytes"] == 3 * 100 * 65536 * 34 // 32
        assert cache["bytes_per_token"] == 65536 * 34 // 32

    def test_a_latent_cache_in_q8_0(self):
        cache = usage("DeepSeek-V3", context=32768, cache_dtype="q8_0")["kv_cache"]
        assert cache["bytes"] == 1_223_294_976 == Fraction("1166.625") * 2**20

    def test_windows_and_head_sizes_that_differ(self):
        """25 sliding layers of 8 heads × 256 and 5 full layers of 2 heads × 512, window 1024, 131,072 tokens."""
        model = decoder("", layers(25, softmax_attention(1, 8 * 256, window=1024)), layers(5, softmax_attention(1, 2 * 512)))
        assert 2 * over(model, lambda each: cache_elements(each, 131072)) == 2_894_069_760

    def test_one_page_size_for_all_layers(self):
        model = decoder("", layers(50, softmax_attention(1, 16 * 256)), layers(10, softmax_attention(1, 4 * 512)))
        assert 2 * over(model, cache_per_token) == 901_120
        assert 2 * reserved_elements(model, 1) == 983_040

    def test_head_size_is_never_derived_where_it_is_given(self):
        def cached(heads, kv, head, L, hidden):
            config = {
                "model_type": "llama", "num_hidden_layers": L, "hidden_size": hidden, "num_attention_heads": heads,
                "num_key_value_heads": kv, "head_dim": head, "intermediate_size": 8, "vocab_size": 8,
            }  # fmt: skip
            return usage(config, context=1)["kv_cache"]

        assert cached(32, 8, 128, 36, 2560)["bytes_per_token"] == 147_456
        assert cached(32, 8, 128, 40, 5120)["elements_per_token"] == 81_920
        assert cached(32, 32, 128, 32, 4096)["bytes_per_token"] == 524_288

    def test_states_do_not_grow(self):
        model = decoder(
            "", layers(4, state_space_state(64, 16, 4)), layers(2, linear_attention_state(8, 32, 48)), layers(1, softmax_attention(8, 8))
        )
        short, long = (over(model, lambda each, size=size: cache_elements(each, size)) for size in (10, 1000))
        assert short == 4 * (64 * 16 + 64 * 4) + 2 * 8 * 32 * 48 + 16 * 10
        assert long - short == 16 * 990
        assert reserved_elements(model, 10) == short

    def test_closed_forms(self):
        assert quantity("N_kv").formula == parse("2L*h_kv*d_h")
        assert quantity("N_kv_mla").formula == parse("L(r_kv + d_r)")
        assert quantity("M_kv").formula == parse("2L*h_kv*d_h*n*B*b")


class TestMemory:
    def test_bytes_per_element(self):
        expected = {"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1, "int8": 1, "mxfp4": Fraction(17, 32), "q8_0": Fraction(34, 32)}
        assert {name: DTYPES[name].bytes for name in expected} == expected
        assert DTYPES["int4"].bytes == Fraction(1, 2) + Fraction(2, 128)
        assert dtype("BFloat16") is DTYPES["bf16"]
        assert dtype("q8_0").size(33) == 36  # 35.0625 bytes, the last one begun

    @pytest.mark.parametrize(
        ("scheme", "each"),
        [
            ("fp32", 16), ("mixed", 16), ("mixed-fp32-gradients", 18), ("mixed-both-gradients", 20), ("adam-8bit", 10), ("sgd", 8),
            ("sgd-momentum", 12),
        ],
    )  # fmt: skip
    def test_bytes_per_parameter(self, scheme, each):
        assert training_scheme(scheme).bytes_per_parameter == each
        assert training_state(7_000_000_000, training_scheme(scheme)).total == each * 7_000_000_000
        numbers = [int(word) for word in SCHEMES[scheme].spelled.split() if word.isdecimal()]
        assert sum(numbers) == each

    @pytest.mark.parametrize(
        ("zero", "total"),
        [(0, 16 * 64), (1, (2 + 2) * 64 + 12), (2, 2 * 64 + 2 + 12), (3, 2 + 2 + 12)],
    )
    def test_zero_stages(self, zero, total):
        """Of 64 Ψ on 64 replicas, in bytes of Ψ: ZeRO's 16, 4 + 12/N, 2 + 14/N and 16/N."""
        assert training_state(64 * 10**6, training_scheme("mixed"), Sharing(zero=zero, data=64)).total == total * 10**6

    def test_tensor_and_pipeline_share_gradients_like_weights(self):
        state = training_state(8 * 10**6, training_scheme("mixed"), Sharing(tensor=4, pipeline=2))
        assert (state.weights, state.gradients, state.optimizer) == (2 * 10**6, 2 * 10**6, 12 * 10**6)

    def test_weights_are_all_of_them(self):
        assert usage("Mixtral-8x7B", dtype="bf16")["memory"]["weights"] == 2 * 46_702_792_704

    def test_units_are_named(self):
        (section,) = (each for each in usage("LLaMA-7B", train="mixed").sections if each.name == "memory")
        figure = next(each for each in section.figures if each.name == "training_state")
        assert figure.in_units == {"GB": "107.815", "GiB": "100.410"}
        assert section.as_dict()["rounded"]["training_state"] == figure.in_units


class TestActivations:
    def test_korthikanti(self):
        assert quantity("A_layer").formula == parse("34nBd + 5hn^2 B")
        assert quantity("A_layer_selective").formula == parse("34nBd")

    def test_gpt3(self):
        shape = LayerShape(2048, 1, 12288, 12288, 12288, 96, 4 * 12288)
        assert layer_activations(shape) == 2_868_903_936
        assert 96 * layer_activations(shape) == 275_414_777_856
        assert 96 * layer_activations(shape, recompute="selective") == 82_141_249_536
        assert layer_activations(shape, recompute="full") == 2 * 2048 * 12288
        assert 96 * split_activations(kept_tensors(shape), 8, sequence=True).value == 34_426_847_232

    def test_gpt2_xl(self):
        shape = LayerShape(1024, 32, 1600, 1600, 1600, 25, 6400)
        assert 48 * layer_activations(shape) == 286_890_393_600

    def test_tensor_parallelism_alone_is_10_plus_24_over_t(self):
        s, B, hidden, heads, t = Name("n"), Name("B"), Name("d"), Name("h"), Name("t_")
        kept = kept_tensors(LayerShape(s, B, hidden, hidden, hidden, heads, 4 * hidden))
        values = {"n": 7, "B": 3, "d": 40, "h": 5, "t_": 4}
        expected = 7 * 3 * 40 * (10 + Fraction(24, 4) + Fraction(5 * 5 * 7, 40 * 4))
        assert split_activations(kept, t, sequence=False).evaluate(values) == expected

    def test_gated_and_fused_by_hand(self):
        shape = LayerShape(10, 2, 16, 24, 8, 3, 40)
        tokens = 20
        plain = tokens * (2 * 16 + 2 * 24 + 4 * 8 + 2 * 24 + 2 * 16 + 8 * 40 + 4 * 16)
        assert layer_activations(shape, gated=True, dropout=False) == plain + 2 * 3 * 10 * 10 * 2
        assert layer_activations(shape, gated=True, dropout=False, fused=True) == plain + 4 * 3 * tokens
        masks = tokens * (16 + 16) + 3 * 3 * 10 * 10 * 2  # two masks, and mask and copy of the attention dropout
        assert layer_activations(shape, gated=True, dropout=True) == plain + 2 * 3 * 10 * 10 * 2 + masks

    def test_every_tensor_is_named_once(self):
        names = [each.name.en for each in kept_tensors(LayerShape(*[2] * 7), gated=True)]
        assert len(names) == len(set(names))
        assert activations.LayerShape is LayerShape


class TestLora:
    def test_llama_2_70b(self):
        answer = usage("Llama-2-70B", lora="16:q,k,v,o")["lora"]
        assert answer["trainable"] == 65_536_000 == usage("Llama-2-70B", lora="16")["lora"]["trainable"]
        assert answer["all"] == 69_042_184_192
        assert answer["trainable_percent"] == 0.094922

    def test_groups_by_hand(self):
        model, r = read_model("Mixtral-8x7B").numbers, 8
        attention = 32 * r * (4096 + 4096 + 2 * (4096 + 1024) + 4096 + 4096)
        expert = 3 * r * (4096 + 14336)
        assert lora_parameters(model, r, ["attention"]) == attention
        assert lora_parameters(model, r, ["all-linear"]) == attention + 32 * 8 * expert
        dense = read_model("LLaMA-7B").numbers
        assert lora_parameters(dense, r, ["feed-forward"]) == 32 * 3 * r * (4096 + 11008)
        assert lora_parameters(dense, r, ["linear"]) == 32 * r * (8 * 4096 + 3 * (4096 + 11008))
        assert lora_parameters(dense, r, ["q_proj", "v"]) == 32 * r * 4 * 4096
        assert (
            lora_parameters(model, r, ["all-linear"]) == attention + 32 * 8 * expert == lora_parameters(model, r, ["attention", "experts"])
        )
        assert lora_parameters(model, r, ["linear"]) == attention
        gpt2 = read_model("GPT-2 small").numbers
        assert lora_parameters(gpt2, r, ["c_attn"]) == 12 * r * (768 + 3 * 768)
        assert lora_parameters(gpt2, r, ["c_attn", "c_proj"]) == 12 * r * (768 + 3 * 768 + 2 * 768)
        latent = read_model("DeepSeek-V3").numbers
        assert lora_parameters(latent, r, ["kv_a_proj_with_mqa"]) == lora_parameters(latent, r, ["w_dkv"])
        assert lora_parameters(latent, 1, ["W_DKV"]) == 61 * (7168 + 576)

    def test_encoder_decoder_by_component(self):
        """r = 8 on q and v of 72 attention modules of width 1024."""
        from derive.architecture.attention import multi_head_attention

        assert lora_parameters(decoder("", layers(72, multi_head_attention(1024))), 8, ["q", "v"]) == 2_359_296

    @pytest.mark.parametrize("text", ["0", "-3", "x", "16:nothing", "16:gate2", "", "9" * 400, "16:router"])
    def test_bad_adapters(self, text):
        if text:
            with pytest.raises(ConfigError):
                usage("LLaMA-7B", lora=text)
        with pytest.raises(ConfigError, match="no projection"):
            usage("LLaMA-7B", lora="4:W_R")


class TestRouting:
    def test_expected_experts(self):
        assert expected_experts(8, 2, 1) == 2
        assert expected_experts(8, 2, 2) == Fraction(7, 2)
        assert expected_experts(8, 8, 5) == 8 and expected_experts(8, 2, 0) == 0
        assert 8 - expected_experts(8, 2, 200) < Fraction(1, 10**20)
        assert quantity("E_used").formula.evaluate({"E": 8, "k": 2, "B": 3}) == expected_experts(8, 2, 3) == Fraction(37, 8)

    def test_expectation_by_enumeration(self):
        """Two tokens, each choosing 2 of 4 experts: every pair of choices, counted."""
        from itertools import combinations, product

        choices = list(combinations(range(4), 2))
        used = [len({*one, *other}) for one, other in product(choices, repeat=2)]
        assert expected_experts(4, 2, 2) == Fraction(sum(used), len(used))

    def test_top_2_renormalised(self):
        chosen = top_k(["0.50", "0.30", "0.15", "0.05"], 2)
        assert chosen == ((0, Fraction(5, 8)), (1, Fraction(3, 8)))
        assert mixed([weight for _, weight in chosen], [[2, 0], [0, 4]]) == (Fraction(5, 4), Fraction(3, 2))

    def test_loads(self):
        assert loads([(0, 1), (1, 2), (2, 3), (3, 0)], 4) == (2, 2, 2, 2)
        assert loads([(0, 1)] * 4, 4) == (4, 4, 0, 0)
        assert assignments(2, 4) == sum(loads([(0, 1)] * 4, 4)) == 8

    @pytest.mark.parametrize(
        "call",
        [
            lambda: top_k([1, 2], 3), lambda: top_k([0, 0], 1), lambda: loads([(0, 0)], 2), lambda: loads([(2, 1)], 2),
            lambda: expected_experts(2, 3, 1), lambda: expected_experts(2, 1, -1),
        ],
    )  # fmt: skip
    def test_what_cannot_be(self, call):
        with pytest.raises(ConfigError):
            call()

    def test_large_batches(self):
        assert usage("DeepSeek-V3", context=1, batch=4096)["experts"]["expected_distinct"] == 256.0
        assert usage("Qwen3-30B-A3B", context=1, batch=1001)["experts"]["expected_distinct"] == 128.0
        from derive.figures.experts import _expected

        assert abs(_expected(4096, 1, 10_000) - 4096 * (1 - (4095 / 4096) ** 10_000)) < 1e-6

    def test_in_the_answer(self):
        answer = usage("Mixtral-8x7B", context=10, batch=3)["experts"]
        assert answer == {"assignments": 6, "expected_distinct": 4.625}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"context": 0}, "at least 1 token"),
        ({"context": -5}, "at least 1 token"),
        ({"context": 5, "batch": -1}, "at least 1 sequence"),
        ({"context": 2000}, "a context of 2000 tokens is beyond the 1024 learned positions"),
        ({"dtype": "fp7"}, "unknown dtype 'fp7'; known: fp32, bf16"),
        ({"context": 5, "cache_dtype": "x"}, "unknown dtype"),
        ({"train": "magic"}, "unknown training scheme 'magic'; known: fp32, mixed"),
        ({"context": 5, "cache_dtype": ""}, "unknown dtype ''"),
        ({"cache_dtype": "x"}, "unknown dtype 'x'"),
        ({"dtype": ""}, "unknown dtype ''"),
        ({"train": ""}, "unknown training scheme ''"),
        ({"lora": ""}, "needs a rank"),
        ({"lora": "٣"}, "needs a rank"),
        ({"context": 10**4000}, "at most 1,000,000,000,000"),
        ({"batch": 10**13}, "at most 1,000,000,000,000"),
        ({"context": 8.5}, "must be a whole number, not 8.5"),
        ({"context": "8"}, "must be a whole number, not '8'"),
        ({"context": True}, "must be a whole number"),
        ({"dtype": 8}, "dtype must be text"),
        ({"sharing": Sharing(tensor=2)}, "name a scheme with --train"),
        ({"train": "mixed", "sharing": Sharing(tensor=7)}, "12 query heads do not divide among 7"),
        ({"train": "mixed", "sharing": Sharing(pipeline=1000)}, "1000 pipeline stages, but GPT-2 small has 12 layers"),
        ({"lora": "8:nothing"}, "no projection 'nothing' in this model; there are W_Q"),
    ],
)
def test_bad_requests(asked, words):
    with pytest.raises(ConfigError) as error:
        usage("GPT-2 small", **asked)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "settings", [{"zero": 4}, {"zero": -1}, {"data": 0}, {"tensor": -3}, {"pipeline": 10**9}, {"zero": 1}, {"data": 1.5}]
)
def test_sharing_that_cannot_be(settings):
    with pytest.raises(ConfigError):
        Sharing(**settings)


class TestPublicCases:
    """Right values of public bug reports that no released configuration gives."""

    def test_all_experts_of_mixtral_as_an_early_table_had_it(self):
        model = read_model("Mixtral-8x7B")
        every = 2 * 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 8 * 3 * 4096 * 14336 + 4096 * 8)
        step = 3 * 12 * 2048 * (every + over(model.numbers, flops.logits_flops) + 2048 * over(model.numbers, flops.pair_flops))
        assert f"{step / 1e12:.1f}" == "6946.4"

    def test_vocabulary_counted_twice_as_one_hot(self):
        assert 78_643_200_000 + 6 * 102400 * 5120 == 81_788_928_000

    def test_a_documented_rule_against_the_tensors(self):
        tokens, heads, hidden = 2048, 32, 4096
        assert (2 * tokens * heads + 16 * hidden) * tokens == 402_653_184
        shape = LayerShape(tokens, 1, hidden, hidden, hidden, heads, 4 * hidden)
        assert layer_activations(shape) == 956_301_312
        assert 32 * layer_activations(shape, recompute="full") == 536_870_912

    def test_zeros_rule_of_12_values(self):
        assert 2 * 12 * 1600 * 32 * 1024 * 48 == 60_397_977_600

    def test_gigabytes_and_gibibytes(self):
        from derive.figures.figure import Figure

        size = training_state(2_350_000_000, training_scheme("mixed")).total
        assert Figure("", size, "bytes", "").in_units == {"GB": "37.600", "GiB": "35.018"}

    def test_window_and_a_batch_beyond_it(self):
        def cached(window):
            model = decoder("", layers(25, softmax_attention(1, 2048, window=window)), layers(5, softmax_attention(1, 1024)))
            return 2 * over(model, lambda each: cache_elements(each, 131072))

        assert cached(1024 + 512) == 2_998_927_360

    def test_deepseek_with_the_routing_correction(self):
        assert count("DeepSeek-V3").parameters["active_with_buffers"] == 37_552_297_472

    def test_qwen_15_moe_by_its_components(self):
        """24 layers, 60 experts of 1408 and 4 chosen, a shared expert of 5632 with a gate, q, k and v biases."""
        from derive.architecture.attention import AttentionBias, grouped_query_attention
        from derive.architecture.embeddings import head, token_embedding
        from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
        from derive.architecture.norms import rms_norm
        from derive.costs.parameters import active_parameters, parameters

        attention = grouped_query_attention(2048, 2048, 2048, bias=AttentionBias(q=True, k=True, v=True))
        experts = routed_experts(gated(2048, 1408), 60, 4), router(2048, 60), shared_experts(gated(2048, 5632), 1), shared_expert_gate(2048)
        ends = rms_norm(2048), token_embedding(151936, 2048), head(151936, 2048, 2)
        model = decoder("", layers(24, attention, *experts, rms_norm(2048, copies=2)), *ends)
        assert over(model, parameters) == 14_315_784_192 and 2 * over(model, parameters) == 28_631_568_384
        assert over(model, active_parameters) == 2_689_173_504


def test_an_array_of_models_at_once():
    numpy = pytest.importorskip("numpy")
    widths = numpy.array([64, 128, 256])
    model = decoder("", layers(4, gated(widths, 4 * widths), softmax_attention(widths, widths)))
    assert flops.token_flops(model, 10).tolist() == [2 * 4 * 12 * size * size + 4 * 4 * 10 * size for size in (64, 128, 256)]
