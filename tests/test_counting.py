"""Exact counts: the integer, the formula with numbers put in, the tensors of the real implementation, and a form by hand."""

import json

import pytest
from reference import records

import derive
from derive.counting import count
from derive.families import model_types
from derive.report import count_report


def by_hand(config: dict) -> int:
    """The total as a person would write it for each family; independent of the engine."""
    c = dict(config)
    if c["model_type"] == "gpt2":
        d, L = c["n_embd"], c["n_layer"]
        m = c.get("n_inner") or 4 * d
        copies = 1 if c.get("tie_word_embeddings", True) else 2
        return L * (4 * d * d + 4 * d + 2 * d * m + m + d + 4 * d) + 2 * d + copies * c["vocab_size"] * d + c["n_positions"] * d
    d, L, V = c["hidden_size"], c["num_hidden_layers"], c["vocab_size"]
    copies = 2 if not c.get("tie_word_embeddings") else 1
    around = d + copies * V * d
    if c["model_type"] == "deepseek_v3":
        h, rq, rkv = c["num_attention_heads"], c["q_lora_rank"], c["kv_lora_rank"]
        nope, rope, v = c["qk_nope_head_dim"], c["qk_rope_head_dim"], c["v_head_dim"]
        attention = d * rq + rq + rq * h * (nope + rope) + d * (rkv + rope) + rkv + rkv * h * (nope + v) + h * v * d
        dense, me = c["first_k_dense_replace"], c["moe_intermediate_size"]
        experts = (c["n_routed_experts"] + c["n_shared_experts"]) * 3 * d * me + d * c["n_routed_experts"]
        return L * (attention + 2 * d) + dense * 3 * d * c["intermediate_size"] + (L - dense) * experts + around
    h, m = c["num_attention_heads"], c["intermediate_size"]
    head = c.get("head_dim") or d // h
    q, kv = h * head, (c.get("num_key_value_heads") or h) * head
    attention = 2 * d * q + 2 * d * kv
    norms, ffn = 2 * d, 3 * d * m
    E = c.get("num_experts") or c.get("num_local_experts")
    match c["model_type"]:
        case "mixtral":
            ffn = E * 3 * d * m + d * E
        case "qwen2":
            attention += q + 2 * kv
        case "qwen3_moe":
            attention += 2 * head
            ffn = E * 3 * d * c["moe_intermediate_size"] + d * E
        case "gemma2":
            norms = 4 * d
            around = d + (2 if c.get("tie_word_embeddings") is False else 1) * V * d
        case "gpt_oss":
            attention += q + 2 * kv + d + h
            ffn = E * (3 * d * m + 2 * m + d) + d * E + E
        case _:
            ffn += 2 * m + d if c.get("mlp_bias") else 0
    return L * (attention + ffn + norms) + around


class TestReleasedModels:
    def test_total_and_active_to_the_integer(self, released):
        result = count(released["config"])
        with_buffers = result.parameters.get("total_with_buffers", result.total)
        buffers = with_buffers - result.total
        assert with_buffers == released["total"]
        assert result.active == released["active"] - buffers
        assert result.parameters["active_without_input_embedding"] == released["active_without_input_embedding"] - buffers

    def test_by_hand(self, released):
        assert count(released["config"]).total == by_hand(released["config"])

    def test_the_formula_with_the_numbers_put_in(self, released):
        result = count(released["config"])
        assert result.closed_form.evaluate(result.symbols) == result.total
        assert sum(part.parameters for part in result.components) == result.total
        assert sum(part.active for part in result.components) == result.active
        for part in result.components:
            assert part.formula.evaluate(result.symbols) == part.numbers.evaluate({}) == part.parameters
            assert derive.parse(part.formula.text).evaluate(result.symbols) == part.parameters

    def test_component_sums(self, released):
        mine = {part.name: part.parameters for part in count(released["config"]).components}
        ours = {
            "embed": "token embedding", "pos_embed": "learned positions", "attn": "attention", "mlp_dense": "feed-forward",
            "experts": "routed experts", "shared_experts": "shared experts", "norms": "norms", "final_norm": "final norm",
            "lm_head": "output head",
        }  # fmt: skip
        for name, expected in released["components"].items():
            if name == "router":  # the reference counts the correction with it
                continue
            name = "latent attention" if name == "attn" and "latent attention" in mine else ours[name]
            assert mine[name] == expected


class TestRealImplementations:
    def test_the_sum_over_the_tensors(self, implementation):
        total = 0
        for _, shape, copies in implementation["tensors"]:
            size = copies
            for length in shape:
                size *= length
            total += size
        assert count(implementation["config"]).total == total == implementation["parameters"] == by_hand(implementation["config"])


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("GPT-2 small", 124_439_808), ("GPT-3 175B", 174_604_259_328), ("LLaMA-7B", 6_738_415_616), ("Llama-2-70B", 68_976_648_192),
        ("Llama-3-8B", 8_030_261_248), ("Mixtral-8x7B", 46_702_792_704), ("DeepSeek-V3", 671_026_404_352),
        ("Qwen2-7B", 7_615_616_512), ("Qwen3-30B-A3B", 30_532_122_624), ("Gemma-2-9B", 9_241_705_984), ("gpt-oss-20b", 20_914_757_184),
    ],
)  # fmt: skip
def test_bundled_models(name, total):
    result = count(name)
    assert result.total == total == by_hand(dict(derive.models.bundled_model(name).config.values))
    assert result.closed_form.evaluate(result.symbols) == total
    assert count(name.lower().replace(" ", "-")).total == total


def test_deepseek_under_every_convention():
    parameters = count("DeepSeek-V3").parameters
    assert parameters["total_with_buffers"] == 671_026_419_200 == parameters["total"] + 14_848
    assert parameters["active"] == 37_552_282_624
    assert parameters["active_without_input_embedding"] == 36_625_603_584
    assert parameters["active_non_embedding"] == 35_698_924_544


def test_mixtral_active_and_linear():
    parameters = count("Mixtral-8x7B").parameters
    assert parameters["active"] == 12_879_925_248
    assert parameters["linear"] == 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 2 * 3 * 4096 * 14336 + 4096 * 8)


def test_the_prediction_layer_is_named_in_a_note():
    assert count("DeepSeek-V3").notes[0].startswith("num_nextn_predict_layers=1: layers for multi-token prediction are not part of")


def test_weights_that_only_run_again_are_no_component():
    zamba = next(row["config"] for row in records("recurrent_models.jsonl") if row["name"] == "zamba2 default")
    assert not [part.name for part in count(zamba).components if "again" in part.name]
    assert sum(part.parameters for part in count(zamba).components) == count(zamba).total


def test_shares_give_way_in_a_narrow_window():
    minimax = count(next(row["config"] for row in records("recurrent_models.jsonl") if row["name"] == "minimax default"))
    assert "100.00 %" in count_report(minimax, 64) and "100.00 %" not in count_report(minimax, 60)
    assert max(map(len, count_report(minimax, 60).split("\n"))) <= 60


def test_variants_that_change_the_answer(config):
    base = count(config).total
    d, m, d_kv = 64, 160, 32
    assert count(config | {"attention_bias": True}).total - base == 3 * (2 * d + 2 * d_kv)
    assert count(config | {"mlp_bias": True}).total - base == 3 * (2 * m + d)
    assert base - count(config | {"tie_word_embeddings": True}).total == 100 * d
    assert count(config | {"head_dim": 32}).total - base == 3 * (2 * d * d + 2 * d * d_kv)
    assert count(config | {"num_key_value_heads": None}).total - base == 3 * 2 * d * d_kv


def test_deepseek_variants():
    config = dict(derive.models.bundled_model("DeepSeek-V3").config.values)
    base = count(config).total
    direct = count(config | {"q_lora_rank": None})
    assert direct.total - base == 61 * (7168 * 128 * 192 - 7168 * 1536 - 1536 - 1536 * 128 * 192)
    assert direct.closed_form.evaluate(direct.symbols) == direct.total
    assert base - count(config | {"n_shared_experts": None}).total == 58 * 3 * 7168 * 2048
    assert count(config | {"attention_bias": True}).total - base == 61 * (1536 + 512 + 64 + 7168)
    assert count(config | {"first_k_dense_replace": 0}).symbols["L_M"] == 61
    assert "total_with_buffers" not in count(config | {"topk_method": "greedy"}).parameters


def test_the_dictionary_for_json():
    result = count("Llama-3-8B").as_dict()
    assert list(result) == ["model", "family", "symbols", "parameters", "components", "closed_form", "conventions", "notes"]
    assert {"total", "active", "active_without_input_embedding", "non_embedding", "linear"} <= set(result["parameters"])
    assert set(result["conventions"]) == set(result["parameters"])
    assert list(result["components"][0]) == ["name", "formula", "latex", "parameters", "active"]
    assert result["closed_form"]["latex"] == r"L\,(2d^2 + 2d\,d_{kv} + 3dm + 2d) + d + cVd"
    assert json.loads(json.dumps(result)) == result


def test_every_family_says_where_it_comes_from():
    from importlib import import_module

    assert set(model_types()) >= {"gpt2", "llama", "mistral", "mixtral", "deepseek_v3"}
    for name in model_types():
        family = import_module(f"derive.families.{name}")
        assert "Source" in family.model.__doc__
