"""What the tests share: cases from the reference data, and the flag that updates the golden copy of the book."""

import pytest
from reference import records


def pytest_addoption(parser):
    parser.addoption(
        "--update", action="store_true", help="write golden copies (out/, docs/architectures.md, recorded totals) instead of comparing"
    )
    parser.addoption("--every-type", action="store_true", help="compare every traced form with real models, not a few")


def pytest_generate_tests(metafunc):
    for fixture, file, label in (("released", "models.jsonl", "name"), ("implementation", "implementations.jsonl", None)):
        if fixture in metafunc.fixturenames:
            rows = records(file)
            ids = [row[label] if label else f"{row['model_type']}-{row['which']}" for row in rows]
            metafunc.parametrize(fixture, rows, ids=ids)


@pytest.fixture
def config():
    """A small LLaMA configuration, to be spoiled."""
    return {
        "model_type": "llama", "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100,
    }  # fmt: skip


@pytest.fixture(scope="session")
def rendered_once(tmp_path_factory):
    """What keeps the chapters and figures that one test has rendered for the others."""
    from derive.book.output.store import Store

    return Store(tmp_path_factory.mktemp("rendered") / "store")
