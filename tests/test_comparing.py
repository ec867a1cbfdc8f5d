"""Models side by side, and their differences component by component."""

import json

import pytest
from checkpoint_files import llama_tensors, write_safetensors
from click.testing import CliRunner

from derive.cli import main
from derive.comparing import compare, compared_model, merged
from derive.counting import count
from derive.models import bundled_models
from derive.reading import read_model


@pytest.fixture
def run():
    def run(*arguments, columns=100, **options):
        return CliRunner().invoke(main, ["count", *map(str, arguments)], env={"COLUMNS": str(columns)}, **options)

    return run


def test_differences_add_up():
    """Over all pairs of bundled models: the components' differences sum to that of the totals, which the counts confirm."""
    models = [compared_model(read_model(model.config)) for model in bundled_models()]
    for first in models:
        for second in compare([first, *models], diff=True).differences:
            assert (
                sum(change.difference for change in second.changes)
                == second.total
                == count(second.second.name).total - count(first.name).total
            )


def test_the_side_by_side_numbers_are_the_counts():
    comparison = compare([compared_model(read_model(name)) for name in ("Llama-3-8B", "DeepSeek-V3")])
    for model in comparison.models:
        single = count(model.name)
        assert dict(model.totals) == dict(single.parameters)
        assert {name: row.parameters for name, row in model.rows.items()} == {part.name: part.parameters for part in single.components}
    assert comparison.models[0].under("total_with_buffers") == comparison.models[0].total


def test_text(run):
    lines = run("llama-7b", "llama-3-8b", "--diff").output.splitlines()
    for line in (
        "component             LLaMA-7B     Llama-3-8B",
        "feed-forward     4,328,521,728  5,637,144,576",
        "total                           6,738,415,616  8,030,261,248",
        "Llama-3-8B over LLaMA-7B: +1,291,845,632",
        "  h_kv=32→8 d_kv=4,096→1,024 m=11,008→14,336 V=32,000→128,256",
        "feed-forward     +1,308,622,848",
        "  - 3Ldm = 3·32·4096·11,008 = 4,328,521,728",
        "  + 3Ldm = 3·32·4096·14,336 = 5,637,144,576",
        "attention          -805,306,368",
        "sum              +1,291,845,632",
        "  the same: norms, final norm",
    ):
        assert line in lines


def test_a_component_that_only_one_has(run):
    output = run("llama-7b", "mixtral-8x7b", "--diff").output
    assert "  + 3LEd·m_e = 3·32·8·4096·14,336 = 45,097,156,608" in output.splitlines()
    assert ["feed-forward", "4,328,521,728", "–"] in [line.split() for line in output.splitlines()]
    assert ["routed", "experts", "–", "45,097,156,608"] in [line.split() for line in output.splitlines()]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_it_fits_the_window(run, columns):
    output = run("llama-7b", "deepseek-v3", "gpt-2-small", "mixtral-8x7b", "--diff", columns=columns).output
    assert max(map(len, output.splitlines())) <= columns


def test_long_names_get_letters(run, tmp_path, config):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps(config))
    lines = run(tmp_path / "a", tmp_path / "b", "--diff").output.splitlines()
    assert ["component", "A", "B"] in [line.split() for line in lines] and any(line.startswith("A = ") for line in lines)
    assert "B over A: 0" in lines


def test_json(run):
    answer = json.loads(run("llama-7b", "llama-3-8b", "--diff", "--json").output)
    assert [model["model"] for model in answer["models"]] == ["LLaMA-7B", "Llama-3-8B"]
    (difference,) = answer["differences"]
    assert difference["total"] == 1_291_845_632 == sum(each["difference"] for each in difference["components"])
    assert difference["sizes"]["V"] == [32_000, 128_256]
    assert "differences" not in json.loads(run("llama-7b", "llama-3-8b", "--json").output)


def test_a_checkpoint_beside_its_configuration(run, tmp_path, config):
    (tmp_path / "config.json").write_text(json.dumps(config))
    write_safetensors(tmp_path / "model.safetensors", llama_tensors(V=128))
    answer = json.loads(run(tmp_path / "config.json", tmp_path, "--diff", "--json").output)
    (difference,) = answer["differences"]
    assert difference["total"] == 2 * 28 * 64
    assert {each["name"]: each["difference"] for each in difference["components"] if each["difference"]} == {
        "token embedding": 1792,
        "output head": 1792,
    }


def test_a_checkpoint_without_a_closed_form(run, tmp_path):
    path = write_safetensors(tmp_path / "a.safetensors", llama_tensors())
    result = run("llama-7b", path, "--diff")
    assert result.exit_code == 0 and "no closed form, stored tensors" in result.output.replace("\n    ", " ")


def test_one_argument_is_as_before(run):
    output = run("llama-7b").output
    assert output.startswith("LLaMA-7B (family llama)\nL=32 ") and "P_total = " in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("llama-7b", "--diff"), "--diff needs at least two models"), (("llama-7b", "gpt-2-small", "--context", "8"), "one model at a time"),
        (("-", "-"), "standard input can be named once"), (("llama-7b", "nothing"), "nothing: neither a file nor a bundled model"), ((), "Missing argument"),
    ],
)  # fmt: skip
def test_bad_requests(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2 and result.stdout == "" and words in result.stderr and result.stderr.count("\n") == 1


def test_standard_input_beside_a_model(run, config):
    result = run("-", "llama-7b", input=json.dumps(config))
    assert result.exit_code == 0 and "standard input" in result.output


def test_names_of_several_models_stand_where_each_model_has_them():
    assert merged(["Labc", "Lmbc", "bz"]) == tuple("Lambcz")
    assert merged([]) == ()
