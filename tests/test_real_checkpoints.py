"""Checkpoints of the real implementations: every part fits the closed form of the configuration beside it.

The tensors' names and shapes are those of a model on the meta device; the data is a hole in the file. Runs where torch and
transformers are installed (extra `trace`).
"""

import json

import pytest
from checkpoint_files import write_safetensors
from test_real_keys import BASES

from derive.architecture.tensor_names import BUFFER, CORRECTION
from derive.checkpoints.counting import count_checkpoint

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def stored(model_type, sizes):
    """Name -> (dtype, shape), a tied matrix once."""
    config = transformers.AutoConfig.for_model(model_type, **{key: value for key, value in sizes.items() if key != "model_type"})
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(config)
    kept = {name for name, _ in model.named_parameters()} | {name for name, _ in model.named_buffers()}
    return {name: ("F32", tuple(tensor.shape)) for name, tensor in model.state_dict().items() if name in kept}


@pytest.mark.parametrize("model_type", BASES)
def test_every_part_fits(model_type, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": model_type, **BASES[model_type]}))
    write_safetensors(tmp_path / "model.safetensors", stored(model_type, BASES[model_type]))
    result = count_checkpoint(tmp_path)
    assert {part.name: part.parameters for part in result.parts} == {part.name: part.closed_form for part in result.parts}
    assert {misfit.kind for misfit in result.misfits} <= {BUFFER, CORRECTION}
