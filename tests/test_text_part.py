"""The text model inside a multimodal configuration."""

import pytest

from derive.counting import count
from derive.errors import ConfigError

TEXT = {
    "model_type": "gemma3_text", "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 3, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 100, "sliding_window": 8,
}  # fmt: skip
WHOLE = {
    "model_type": "gemma3",
    "architectures": ["Gemma3ForConditionalGeneration"],
    "text_config": TEXT,
    "vision_config": {"hidden_size": 9},
}


def test_the_text_model_is_counted_and_said_to_be():
    result, alone = count(WHOLE), count(TEXT)
    assert result.total == alone.total and result.family == "gemma3_text"
    assert result.notes[0] == "Counted is the text model of gemma3; its other parts (vision) are not."
    assert result.notes[1:] == alone.notes


def test_a_text_part_may_leave_its_type_to_the_whole():
    unnamed = {key: value for key, value in TEXT.items() if key != "model_type"}
    assert count(WHOLE | {"text_config": unnamed}).total == count(TEXT).total
    assert count(unnamed | {"model_type": "gemma3"}).total == count(TEXT).total


def test_flags_of_the_whole_hold_for_the_text():
    assert count(WHOLE | {"tie_word_embeddings": False}).total == count(TEXT).total + 100 * 64


def test_the_head_is_the_whole_s_where_whole_and_text_disagree():
    """As transformers builds it: recorded of gemma4, fuyu and moss_transcribe_diarize."""
    result = count(WHOLE | {"tie_word_embeddings": False, "text_config": TEXT | {"tie_word_embeddings": True}})
    assert result.total == count(TEXT).total + 100 * 64
    assert "tie_word_embeddings is false for the whole and true in text_config" in " ".join(result.notes)


def test_a_draft_model_is_not_the_text_model_of_its_configuration():
    with pytest.raises(ConfigError, match="unknown model_type 'gemma4_assistant'"):
        count({"model_type": "gemma4_assistant", "text_config": TEXT})


def test_gemma_3_4b_leaves_out_what_is_its_class_s_own():
    """The released configuration names four sizes; KerasHub, which drops the 64 last rows of the vocabulary, has 3,880,099,328."""
    short = {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34, "sliding_window": 1024}
    result = count(WHOLE | {"text_config": short})
    assert result.total == 3_880_099_328 + 64 * 2560
    assert result.notes[1] == (
        "text_config leaves out num_attention_heads=8, num_key_value_heads=4, head_dim=256, vocab_size=262208: the defaults of its class."
    )
    with pytest.raises(ConfigError, match="missing h_kv"):
        count(short | {"num_attention_heads": 8})


@pytest.mark.parametrize(
    ("outer", "key", "text", "total", "left_out"),
    [
        ("llava LlavaForConditionalGeneration", "text_config", {"model_type": "llama", "vocab_size": 32064}, 6_738_415_616 + 64 * 8192, 4),
        (
            "llava LlavaForConditionalGeneration", "text_config",  # Pixtral-12B: Mistral-Nemo
            {"model_type": "mistral", "hidden_size": 5120, "head_dim": 128, "num_hidden_layers": 40, "num_key_value_heads": 8,
             "sliding_window": None, "vocab_size": 131_072, "intermediate_size": 14336}, 12_247_782_400, 1,
        ),
        (
            "paligemma PaliGemmaForConditionalGeneration", "text_config",
            {"model_type": "gemma", "hidden_size": 2048, "intermediate_size": 16384, "num_attention_heads": 8, "num_hidden_layers": 18,
             "num_key_value_heads": 1, "vocab_size": 257_216}, 2_506_172_416 + 1216 * 2048, 1,
        ),
        (
            "qwen2_audio Qwen2AudioForConditionalGeneration", "text_config",  # Qwen-7B with more rows
            {"model_type": "qwen2", "intermediate_size": 11008, "vocab_size": 156_032}, 7_721_324_544 + 4096 * 8192, 4,
        ),
        (
            "multi_modality MultiModalityCausalLM", "language_config",  # DeepSeek-VL-7B: DeepSeek-LLM-7B
            {"model_type": "llama", "num_hidden_layers": 30, "vocab_size": 102_400}, 6_910_365_696, 3,
        ),
        (
            "internvl_chat InternVLChatModel", "llm_config",
            {"architectures": ["InternLM2ForCausalLM"], "model_type": "internlm2", "bias": False, "hidden_size": 4096,
             "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
             "tie_word_embeddings": False, "vocab_size": 92544}, 7_737_708_544, 0,
        ),
    ],
)  # fmt: skip
def test_released_text_parts_state_only_what_differs_from_their_class(outer, key, text, total, left_out):
    model_type, architecture = outer.split()
    result = count({"model_type": model_type, "architectures": [architecture], key: text, "vision_config": {}})
    assert result.total == total
    said = [note for note in result.notes if "leaves out" in note]
    assert [note.count("=") for note in said] == ([left_out] if left_out else [])


def test_glm_4v_has_heads_as_wide_as_its_hidden_size_says():
    text = {
        "attention_bias": True, "hidden_size": 4096, "intermediate_size": 13696, "num_attention_heads": 32, "num_hidden_layers": 40,
        "num_key_value_heads": 2, "vocab_size": 151_552,
    }  # fmt: skip
    whole = {"model_type": "glm4v", "architectures": ["Glm4vForConditionalGeneration"]}
    alone = count({"model_type": "glm4", "head_dim": 128, **text}).total
    assert count({**whole, "text_config": {"model_type": "glm4v_text", **text}}).total == alone
    assert count({**whole, **text}).total == alone


def test_a_model_that_speaks_has_its_text_model_in_its_thinker():
    thinker = {"model_type": "qwen2_5_omni_thinker", "text_config": QWEN | {"model_type": "qwen2_5_omni_text"}, "audio_config": {"d": 1}}
    whole = {"model_type": "qwen2_5_omni", "architectures": ["Qwen2_5OmniModel"], "thinker_config": thinker, "talker_config": {"d": 1}}
    result = count(whole)
    assert result.total == count(QWEN | {"model_type": "qwen2"}).total
    assert result.notes[0] == "Counted is the text model of qwen2_5_omni; its other parts (talker, audio) are not."


QWEN = {key: value for key, value in TEXT.items() if key not in ("sliding_window", "model_type")}


@pytest.mark.parametrize(
    ("outer", "inner", "family"),
    [
        ("qwen2_vl", "qwen2_vl_text", "qwen2"), ("qwen2_5_vl", "qwen2_5_vl_text", "qwen2"), ("qwen3_vl", "qwen3_vl_text", "qwen3"),
        ("glm4v", "glm4v_text", "glm4"), ("mistral3", "mistral", "mistral"), ("gemma3", "gemma3_text", "gemma3_text"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["text_config", "llm_config", "language_config"])
def test_text_models_by_other_names(outer, inner, family, key):
    result = count({"model_type": outer, key: QWEN | {"model_type": inner, "sliding_window": 8}, "vision_config": {"depth": 1}})
    assert result.family == family
    assert result.total == count(QWEN | {"model_type": family, "sliding_window": 8}).total
    assert result.notes[0] == f"Counted is the text model of {outer}; its other parts (vision) are not."


def test_an_old_configuration_has_the_sizes_at_the_top():
    """Qwen2-VL 2B as it was released: 1,543,714,304 parameters of Qwen2 1.5B."""
    config = {
        "architectures": ["Qwen2VLForConditionalGeneration"], "model_type": "qwen2_vl", "hidden_size": 1536, "intermediate_size": 8960,
        "max_window_layers": 28, "num_attention_heads": 12, "num_hidden_layers": 28, "num_key_value_heads": 2, "sliding_window": 32768,
        "tie_word_embeddings": True, "use_sliding_window": False, "vision_config": {"depth": 32}, "vocab_size": 151936,
    }  # fmt: skip
    assert count(config).total == 1_543_714_304
    assert count(config).notes[0].startswith("Counted is the text model of qwen2_vl;")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"architectures": ["Gemma3ForSequenceClassification"]}, "is not a causal language model"),
        ({"text_config": TEXT | {"model_type": "t5"}}, "unknown model_type 't5'"),
        ({"text_config": TEXT | {"hidden_size": 0}}, "config (text_config): hidden_size (d) must be at least 1"),
        ({"text_config": TEXT | {"num_experts": 4}}, "num_experts=4 is not known to this family"),
        ({"architectures": ["Gemma3Model"]}, "is not a causal language model"),
        ({"text_config": TEXT | {"model_type": ["llama"]}}, "model_type must be a string"),
        ({"text_config": []}, "missing L (layers); tried num_hidden_layers"),
        ({"model_type": None}, "has no 'model_type' key"),
    ],
)
def test_bad_input(changes, words):
    with pytest.raises(ConfigError) as error:
        count(WHOLE | changes)
    assert words in str(error.value) and "\n" not in str(error.value)
