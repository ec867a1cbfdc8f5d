"""The traced forms against the real implementations: fresh odd configurations of a few types, of all with `--every-type`."""

import contextlib
import json
import os
import random

import pytest
from reference import DATA

from derive.atlas import form_of, traced_types
from derive.atlas.completing import nested
from derive.atlas.model import TracedModel
from derive.config import Config
from derive.errors import ConfigError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from derive.tracing.building import build  # noqa: E402
from derive.tracing.configurations import config_class, model_types  # noqa: E402
from derive.tracing.proving import difference, disagreement  # noqa: E402
from derive.tracing.sampling import REFUSED, Sample, Sampler  # noqa: E402
from derive.tracing.traced import TracedFloat, TracedInt, TracedText, TracingInt, source_of  # noqa: E402
from derive.tracing.tracing import trace  # noqa: E402

RECORDED_WITH = "5.24.0"
A_FEW = 8


def chosen(config):
    """The types that are compared: a sample that changes with the day, or all."""
    types = traced_types()
    if config.getoption("--every-type"):
        return types
    return random.Random(os.environ.get("DERIVE_SEED", "1")).sample(types, A_FEW)


def pytest_generate_tests(metafunc):
    if "model_type" in metafunc.fixturenames:
        metafunc.parametrize("model_type", chosen(metafunc.config))


@pytest.mark.skipif(transformers.__version__ != RECORDED_WITH, reason="implementations change with the version")
def test_a_form_on_fresh_configurations(model_type):
    assert disagreement(form_of(model_type), seed=77) == ""


@pytest.mark.parametrize("small", ["llama", "gpt_bigcode"])
def test_tracing_again(small):
    form = trace(small, seed=5)
    assert {tensor.name for tensor in form.tensors} == {tensor.name for tensor in form_of(small).tensors}
    default = build(small, {}, set())
    assert difference(form, Sample({}, default)) is None


def test_every_type_is_accounted_for():
    from derive.atlas import not_traced

    if transformers.__version__ == RECORDED_WITH:
        assert set(model_types()) == set(traced_types()) | set(not_traced())


def test_the_recorded_totals_are_those_of_the_real_models(request):
    """With `--update`, recorded anew."""
    path = DATA / "atlas.jsonl"
    if request.config.getoption("--update"):
        path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in recorded()), encoding="utf-8")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {row["model_type"] for row in rows} == set(traced_types())
    if transformers.__version__ == RECORDED_WITH:
        for row in random.Random(3).sample(rows, 25):
            assert build(row["model_type"], row["given"], set()).total == row["total"]


def recorded():
    """For every type the default configuration where it can be built, and two odd ones: as given, as completed, and the real total."""
    for model_type in traced_types():
        form = form_of(model_type)
        with contextlib.suppress(REFUSED):
            default = Sample({}, build(model_type, {}, set()))
            if not refused(form, default):
                yield row(model_type, "default", default)
        kept = [sample for sample in Sampler(model_type, 11).samples(8) if not refused(form, sample)]
        for number, sample in enumerate(kept[-2:], 1):
            yield row(model_type, f"odd {number}", sample)


def refused(form, sample):
    """Whether the form does not speak of a configuration; where it differs, that is for the tests to find."""
    try:
        TracedModel(form, Config({**nested(sample.given), "model_type": form.model_type}, form.model_type))
    except ConfigError:
        return True
    return False


def row(model_type, which, sample):
    config = nested({path: value for path, value in sample.built.fields.items() if not isinstance(value, float) and value is not None})
    return {"model_type": model_type, "which": which, "given": nested(sample.given), "config": config, "total": sample.built.total}


def test_numbers_remember_their_source():
    d, h, ratio = TracedInt(12, "d"), TracedInt(4, "h"), TracedFloat(2.5, "ratio")
    assert (d // h * 2).source == "((d // h) * 2)"
    assert (2 * d + 1).source == "((2 * d) + 1)"
    assert TracingInt(d * ratio).source == "int((d * ratio))"
    assert TracingInt(d * ratio) == 30
    assert source_of(3) == "3"
    assert source_of(True) is None
    assert isinstance(3, TracingInt)
    assert [0] * h == [0, 0, 0, 0]


def test_words_remember_what_they_were_compared_with():
    seen = set()
    assert TracedText("rms", seen) != "layer"
    assert TracedText("rms", seen) in ("none", "rms")
    assert {"layer", "rms"} <= seen


def test_configuration_classes_are_those_that_the_model_is_built_from():
    assert config_class("llama").model_type == "llama"
    assert config_class("musicgen").model_type == "musicgen_decoder"
