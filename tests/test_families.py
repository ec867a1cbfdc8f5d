"""Every family against the tensors of the real implementation, component by component, and against released models.

`data/families.jsonl` was recorded from transformers 5.24, each model built on the meta device: the default configuration of the
type, a small one with odd sizes, and four with random sizes and flags; `parts` are the sums over the named tensors, `flops` what torch
counts in a forward pass over 16 tokens. `data/released.jsonl` holds configurations of released models and their published totals.
"""

from importlib import import_module

import pytest
from reference import records

from derive.counting import count
from derive.families import model_types
from derive.figures import usage

ROWS = records("families.jsonl")
RELEASED = records("released.jsonl")


def configured(row):
    return {"model_type": row["model_type"], **row["config"]}


def by_row(rows):
    return pytest.mark.parametrize("row", rows, ids=[f"{row['model_type']}-{row['which'].replace(' ', '')}" for row in rows])


@by_row(ROWS)
def test_every_component_of_the_real_implementation(row):
    result = count(configured(row))
    parts: dict[str, int] = {}
    for part in result.components:
        name = "attention" if part.name == "latent attention" else part.name
        parts[name] = parts.get(name, 0) + part.parameters
    assert {name: size for name, size in parts.items() if size} == row["parts"]
    assert result.total == row["total"] == sum(row["parts"].values())
    assert result.closed_form.evaluate(result.symbols) == result.total


@by_row([row for row in ROWS if "flops" in row])
def test_a_forward_pass_as_torch_counts_it(row):
    assert usage(configured(row), context=16)["flops"]["prefill"] == row["flops"]


@pytest.mark.parametrize("row", RELEASED, ids=[row["name"] for row in RELEASED])
def test_released_models(row):
    result = count(row["config"])
    buffers = result.parameters.get("total_with_buffers", result.total) - result.total
    assert result.total + buffers == row["total"]
    assert result.active + buffers == row["active"]
    if row["active_without_input_embedding"]:
        assert result.parameters["active_without_input_embedding"] + buffers == row["active_without_input_embedding"]
    assert usage(row["config"], context=1)["kv_cache"]["elements_per_token"] == row["kv_elements_per_token"]
    assert result.closed_form.evaluate(result.symbols) == result.total


def test_the_recorded_types_all_have_a_family():
    types = {row["model_type"] for row in ROWS} - {"gemma3", "llama4"}  # counted by their text models
    assert len(types) >= 80
    assert {name.replace("-", "_") for name in types} <= set(model_types())
    assert {row["which"] for row in ROWS} == {"default", "perturbed", *(f"odd {number}" for number in range(1, 5))}


def test_private_modules_are_no_types():
    assert not [name for name in model_types() if name.startswith("_")]
    for name in model_types():
        assert import_module(f"derive.families.{name}").__doc__


@pytest.mark.parametrize(
    ("model_type", "closed_form"),
    [
        ("olmo", "L(2d² + 2d·d_kv + 3dm) + cVd"),
        ("cohere2", "L(2d² + 2d·d_kv + 3dm + d) + d + cVd"),
        ("qwen3", "L(2d² + 2d·d_kv + 2d_h + 3dm + 2d) + d + cVd"),
        ("gptj", "L(4d² + 2dm + m + 3d) + 2d + cVd + V"),
        ("bloom", "L(4d² + 9d + 2dm + m) + 4d + cVd"),
        ("opt", "L(4d² + 9d + 2dm + m) + 2d + cVd + (n_ctx + 2)d"),
        ("minimax_m2", "L(2d·d_q + 2d·d_kv + d_q + d_kv + 3Ed·m_e + dE + 2d) + d + cVd"),
        ("dots1", "L(2d² + 2d·d_kv + 2d_h + 2d) + 3L_D·dm + L_M·(3Ed·m_e + 3E_s·d·m_e + dE) + d + cVd"),
    ],
)
def test_closed_forms_read_like_a_book(model_type, closed_form):
    row = next(row for row in ROWS if (row["model_type"], row["which"]) == (model_type, "default"))
    assert count(configured(row)).closed_form.text == closed_form
