"""The traced forms, without PyTorch: as text, against recorded real models, and against the families by hand.

`data/atlas.jsonl` was recorded from transformers 5.24 (`pytest tests/test_real_atlas.py --update`): for every type the default
configuration and odd ones, as they were given, with the parameters of the real model.
"""

import pytest
from reference import records

from derive.atlas import form_of, not_traced, traced_types
from derive.atlas.completing import as_config
from derive.atlas.expression import ExpressionError, evaluator, holds, value
from derive.atlas.model import TracedModel
from derive.atlas.text import form_of_text, form_text
from derive.config import Config
from derive.costs import over, whole
from derive.costs.parameters import parameters
from derive.counting import count
from derive.errors import ConfigError
from derive.families import has_family, model_types
from derive.families._sizes import Sizes

ROWS = records("atlas.jsonl")
MAIN = """
    gpt2 gpt_neo gptj gpt_neox opt bloom falcon mpt phi phi3 llama mistral mixtral qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next gemma gemma2
    gemma3_text cohere olmo olmo2 olmo3 olmoe stablelm starcoder2 granite granitemoe granitemoehybrid deepseek_v2 deepseek_v3
    deepseek_v32 glm4_moe gpt_oss minimax_m2 llama4_text ernie4_5_moe hunyuan_v1_dense hunyuan_v1_moe mamba mamba2 jamba bamba falcon_h1
    nemotron_h lfm2 exaone4 smollm3 arcee
""".split()
SAY_TOO_LITTLE = {"bamba", "deepseek_v2"}
"""Types whose default configuration leaves out what a family by hand wants to be told: kinds of layers, chosen experts."""


def traced_total(model_type, given):
    config = Config({**given, "model_type": model_type}, model_type)
    model = TracedModel(form_of(model_type), config)
    return whole(over(model.model(Sizes(model.sizes(config)), config), parameters))


@pytest.mark.parametrize("model_type", traced_types())
def test_a_form_is_what_its_text_says(model_type):
    form = form_of(model_type)
    assert form.model_type == model_type
    assert form_of_text(form_text(form)) == form


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['model_type']}-{row['which']}" for row in ROWS])
def test_parameters_of_the_real_model(row):
    assert traced_total(row["model_type"], row["given"]) == row["total"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if has_family(row["model_type"])], ids=lambda row: f"{row['model_type']}-{row['which']}"
)
def test_two_sources_agree(row):
    """The family by hand and the traced form; a family may refuse an odd flag, but no default."""
    try:
        result = count({**row["config"], "model_type": row["model_type"]})
    except ConfigError:
        assert row["which"] != "default" or row["model_type"] not in set(MAIN) - SAY_TOO_LITTLE
        return
    assert result.total == row["total"]
    assert result.closed_form.evaluate(result.symbols) == row["total"]


def test_main_families_have_both_sources():
    assert not [name for name in MAIN if not has_family(name)]
    assert not [name for name in MAIN if form_of(name) is None]


def test_closed_forms_of_types_without_a_family():
    for row in ROWS:
        if not has_family(row["model_type"]) and row["which"] != "default" and row["model_type"] != "llama4":  # llama4_text is by hand
            result = count({**row["given"], "model_type": row["model_type"]})
            assert result.total == row["total"] == result.closed_form.evaluate(result.symbols)
            assert sum(part.parameters for part in result.components) == row["total"]
            assert "traced from transformers" in " ".join(result.notes)


def test_what_is_not_traced_says_why():
    for model_type, reason in not_traced().items():
        assert form_of(model_type) is None
        assert len(reason.split()) > 3
    counted = {name for name, reason in not_traced().items() if has_family(name) or "text model is counted" in reason}
    assert len(counted | set(traced_types())) >= 0.95 * len(not_traced().keys() | set(traced_types()))


@pytest.mark.parametrize(
    ("model_type", "closed_form"),
    [
        ("bert", "L(4d² + 9d + 2dm + m) + 5d + Vd + type_vocab_size·d + n_ctx·d + V + d²"),
        ("cohere2_moe", None),
    ],
)
def test_closed_forms_in_the_symbols_of_the_field(model_type, closed_form):
    result = count(as_config(form_of(model_type), {}))
    assert result.closed_form.evaluate(result.symbols) == result.total
    if closed_form:
        assert result.closed_form.text == closed_form


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "no 'hidden_size'|gives none of the sizes|missing"),
        ({"hidden_size": "64"}, "must be a whole number"),
        ({"hidden_size": -4}, "must be a whole number"),
        ({"hidden_size": 6.5}, "must be a whole number"),
        ({"num_hidden_layers": 10**9}, "more layers than any model has"),
        ({"num_hidden_layers": [3]}, "whole number|not a number"),
        ({"hidden_size": 10**60}, "larger than any model"),
    ],
)
def test_bad_configurations(given, said):
    with pytest.raises(ConfigError, match=said):
        count(
            {"model_type": "diffllama", "vocab_size": 97, "q_lora_rank": None if given else 3}
            | given
            | ({} if given else {"vocab_size": None})
        )


def test_words_that_were_not_seen_are_refused():
    form = next(form_of(name) for name in traced_types() if form_of(name).values)
    path = next(iter(form.values))
    outer, _, name = path.rpartition(".")
    given = as_config(form, {})
    inside = given[outer] if outer else given
    inside[name] = ["mystery"] * 3 if isinstance(inside[name], list) else "mystery"
    with pytest.raises(ConfigError, match="mystery"):
        TracedModel(form, Config(given, "config"))


def test_the_language_of_forms():
    fields = {"d": 6, "h": 4, "list": [1, 0, 2], "none": None, "word": "MEM*"}
    assert value("ceil(d / h) * 2 - d // h", fields) == 3
    assert value("list[i] + 1", fields, (2,)) == 3
    assert value("[j for j in range(2)]" if False else "[list[i] for i in range(h - 1) if list[i] > 0]", fields) == [1, 2]
    assert holds("word[i] == 'M' and not none", fields, (0,))
    assert not holds("none < 3", fields)
    assert not holds("d % 0 == 0", fields)
    assert value("d if none is None else none", fields) == 6
    for text in ("missing", "none + 1", "list[7]", "d / 0", "[i for i in range(10 ** 4 * 10 ** 4)]"):
        with pytest.raises(ExpressionError):
            value(text, fields)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "d.__class__",
        "(lambda: 1)()",
        "open('x')",
        "[x for x in y]",
        "2 ** d",
        "f'{d}'",
        "d if",
        "{1: 2}",
        "max(d, key=h)",
    ],
)
def test_what_the_language_does_not_have(text):
    with pytest.raises(ExpressionError):
        value(text, {"d": 6, "h": 4})
    assert not holds("1 == 2", {})
    assert evaluator("1")({}, ()) == 1


def test_types_are_found_by_their_own_name_only():
    assert form_of("../forms/llama") is None
    assert form_of("") is None
    assert form_of("LLAMA") is None
    assert set(model_types()) & set(traced_types())
