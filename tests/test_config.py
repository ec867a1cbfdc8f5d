"""Configurations that cannot be counted: one clear line that names the source and the key."""

import json

import pytest

from derive.config import LARGEST_FILE, parse_config, read_config
from derive.counting import count
from derive.errors import ConfigError


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hidden_size": None}, "missing d (hidden size); tried hidden_size"),
        ({"vocab_size": -5}, "vocab_size (V) must be at least 1, not -5"),
        ({"vocab_size": 0}, "vocab_size (V) must be at least 1, not 0"),
        ({"hidden_size": 64.0}, "hidden_size (d) must be a whole number, not 64.0"),
        ({"hidden_size": "64"}, 'hidden_size (d) must be a whole number, not "64"'),
        ({"hidden_size": True}, "must be a whole number, not true"),
        ({"hidden_size": [64]}, "must be a whole number, not a list"),
        ({"hidden_size": 10**30}, "larger than any model"),
        ({"hidden_size": 66}, "does not divide into 4 heads"),
        ({"num_key_value_heads": 3}, "4 query heads do not divide among 3"),
        ({"num_key_value_heads": 8}, "4 query heads do not divide among 8"),
        ({"model_type": None}, "has no 'model_type' key"),
        ({"model_type": 7}, "model_type must be a string"),
        ({"model_type": "nothing_known"}, "unknown model_type 'nothing_known'; known: "),
        ({"model_type": "_sizes"}, "unknown model_type"),
        ({"model_type": "../llama"}, "unknown model_type"),
        ({"num_local_experts": 8}, "num_local_experts=8 is not known to this family, and would change the count"),
        ({"n_shared_experts": 2}, "n_shared_experts=2 is not known to this family"),
        ({"use_qk_norm": True}, "use_qk_norm=true is not known to this family"),
        ({"architectures": ["LlamaForSequenceClassification"]}, "is not a causal language model"),
        ({"architectures": ["MistralModel"]}, '"MistralModel", which is not a causal language model'),
        ({"model_type": "mistral", "attention_bias": True}, "attention_bias=true is not known to this family"),
        ({"model_type": "mistral", "num_key_value_heads": ...}, "missing h_kv (key/value heads); tried num_key_value_heads"),
        ({"hidden_size": ..., "n_embd": 64}, "missing d (hidden size); tried hidden_size"),
        ({"attention_bias": "yes"}, "attention_bias must be true or false"),
        ({"tie_word_embeddings": 1}, "tie_word_embeddings must be true or false"),
        ({"bias": True}, "bias=true is not supported"),
        ({"model_type": "mixtral", "num_local_experts": 2, "num_experts_per_tok": 3}, "3 experts chosen for a token, but there are only 2"),
        ({"model_type": "mixtral"}, "missing E (routed experts in a layer); tried num_local_experts, num_experts"),
        ({"model_type": "gpt2", "add_cross_attention": True}, "add_cross_attention=true is not supported"),
    ],
)
def test_a_spoiled_configuration(config, change, words):
    with pytest.raises(ConfigError) as error:
        count({key: value for key, value in (config | change).items() if value is not ...})
    assert words in str(error.value)
    assert str(error.value).startswith("config: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"first_k_dense_replace": 62}, "62 dense layers, but there are only 61 layers"),
        ({"first_k_dense_replace": -1}, "must be at least 0"),
        ({"moe_layer_freq": 2}, "moe_layer_freq=2 is not supported"),
        ({"kv_lora_rank": None}, "missing r_kv"),
        ({"q_lora_rank": ...}, "missing r_q"),
        ({"n_shared_experts": ...}, "missing E_s"),
        ({"num_experts_per_tok": 257}, "257 experts chosen for a token, but there are only 256"),
    ],
)
def test_a_spoiled_deepseek(change, words):
    from derive.models import bundled_model

    with pytest.raises(ConfigError) as error:
        config = dict(bundled_model("DeepSeek-V3").config.values) | change
        count({key: value for key, value in config.items() if value is not ...})
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON: "),
        (b"[1, 2]", "expected a JSON object with model sizes, not a list"),
        (b"3", "expected a JSON object with model sizes, not 3"),
        (b'"llama"', "expected a JSON object"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"vocab_size": 1, "vocab_size": 2}', "the key 'vocab_size' stands twice"),
        (b" " * (LARGEST_FILE + 1), "larger than 4 MiB"),
    ],
)
def test_content_that_is_not_a_configuration(content, words):
    with pytest.raises(ConfigError, match=r"^here: ") as error:
        parse_config(content, "here")
    assert words in str(error.value)


def test_files(tmp_path, config):
    with pytest.raises(ConfigError, match="no such file"):
        read_config(tmp_path / "missing.json")
    with pytest.raises(ConfigError, match="no such file"):
        count(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8-sig")
    assert count(tmp_path).total == count(tmp_path / "config.json").total == count(config).total


@pytest.mark.parametrize("name", ["", "no-such-model", "a\0b", "x" * 5000])
def test_names_that_mean_nothing(name):
    with pytest.raises(ConfigError, match="neither a file nor a bundled model"):
        count(name)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"n_ctx": 64, "n_positions": ...},
            "missing n_ctx (rows of the learned position table); tried n_positions, max_position_embeddings",
        ),
        ({"hidden_size": 96}, "n_embd=48 disagree about d"),
        ({"multi_query": True}, "multi_query=true is not known to this family"),
    ],
)
def test_a_spoiled_gpt2(changes, words):
    config = {"model_type": "gpt2", "vocab_size": 97, "n_positions": 32, "n_embd": 48, "n_layer": 3, "n_head": 4} | changes
    with pytest.raises(ConfigError) as error:
        count({key: value for key, value in config.items() if value is not ...})
    assert words in str(error.value)


def test_gpt2_does_not_read_what_its_implementation_does_not():
    config = {"model_type": "gpt2", "vocab_size": 97, "n_positions": 32, "n_embd": 48, "n_layer": 3, "n_head": 4}
    assert count(config).total == count(config | {"intermediate_size": 100, "n_ctx": 64}).total


def test_a_mistyped_folder_is_not_a_bundled_model():
    with pytest.raises(ConfigError, match="no such file"):
        count("./llama-7b")


def test_what_is_not_a_file_is_refused(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match="not a regular file"):
        count(tmp_path / "pipe")


def test_a_huge_file_is_not_read(tmp_path):
    huge = tmp_path / "config.json"
    with huge.open("wb") as file:
        file.truncate(100 * 2**20)
    with pytest.raises(ConfigError, match="larger than 4 MiB"):
        count(huge)
