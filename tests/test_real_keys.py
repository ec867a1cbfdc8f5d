"""One key changed at a time, against the real implementations: what is counted is exact, and what is not is refused by name.

Every flag is turned and made null, every key that the configuration states is left out, every list is made uniform or short. Runs
where torch and transformers are installed (extra `trace`).
"""

import pytest
from reference import records

from derive.counting import count
from derive.errors import ConfigError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

BASES = {row["model_type"]: row["config"] for row in records("families.jsonl") if row["which"] == "odd 1"}
BASES |= {row["config"]["model_type"]: row["config"] for row in records("recurrent_models.jsonl") if row["name"].endswith(" odd")}
READ_OTHERWISE = {("deepseek_v2", "q_lora_rank"), ("falcon", "tie_word_embeddings")}
"""Keys that, left out, are read as released models mean them and not as transformers does; a note says so."""


def built(model_type, sizes):
    """The parameters of the real model; None where it cannot be built."""
    try:
        config = transformers.AutoConfig.for_model(model_type, **{key: value for key, value in sizes.items() if key != "model_type"})
        with torch.device("meta"):
            model = transformers.AutoModelForCausalLM.from_config(config)
    except Exception:  # whatever an implementation raises where it is asked for something that cannot be
        return None
    return sum(parameter.numel() for parameter in model.parameters())


def changed(sizes, stated):
    """Key, and the configuration with that key changed."""
    for key, value in stated.items():
        if isinstance(value, bool):
            yield key, sizes | {key: not value}
            yield key, sizes | {key: None}
        if key in sizes and key != "model_type":
            yield key, {other: each for other, each in sizes.items() if other != key}
        if isinstance(value, list) and len(value) > 1:
            yield key, sizes | {key: value[:1] * len(value)}
            yield key, sizes | {key: value[:-1]}


@pytest.mark.parametrize("model_type", BASES)
def test_exact_or_refused(model_type):
    sizes = BASES[model_type]
    stated = transformers.AutoConfig.for_model(model_type, **{key: value for key, value in sizes.items() if key != "model_type"}).to_dict()
    for key, config in changed(sizes, stated):
        real = None if (model_type, key) in READ_OTHERWISE else built(model_type, config)
        if real is None:
            continue
        try:
            counted = count({"model_type": model_type, **config}).total
        except ConfigError:
            continue
        assert counted == real, f"{key}={config.get(key, 'left out')}"
