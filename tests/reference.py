"""The reference data of the tests: released models, tensors of real implementations, FLOPs measured by torch."""

import json
from pathlib import Path

DATA = Path(__file__).parent / "data"


def records(name: str) -> list[dict]:
    """The records of a file, one JSON object a line."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


MEASURED = json.loads((DATA / "flops.json").read_text(encoding="utf-8"))


def released_config(name: str) -> dict:
    """The configuration of a released model."""
    return next(row["config"] for row in records("models.jsonl") if row["name"] == name)
