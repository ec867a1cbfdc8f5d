"""`derive count`: one model or checkpoint exactly, or several side by side."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from derive.commands.window import window_width

if TYPE_CHECKING:
    from derive.checkpoints.counted import CheckpointCount
    from derive.figures import Usage
    from derive.reading import ReadModel


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--diff", is_flag=True, help="Explain how the other models differ from the first, component by component.")
@click.option("--context", type=int, metavar="TOKENS", help="FLOPs, cache and memory at a context of so many tokens.")
@click.option("--batch", type=int, default=1, show_default=True, metavar="SEQUENCES", help="Sequences processed together.")
@click.option("--dtype", metavar="FORMAT", help="Format of the weights: bf16, fp8, int4, mxfp4, q8_0, …")
@click.option("--cache-dtype", metavar="FORMAT", help="Format of the cache; that of the weights by default.")
@click.option("--train", metavar="SCHEME", help="Training state: fp32, mixed, mixed-fp32-gradients, adam-8bit, sgd, …")
@click.option("--zero", type=int, default=0, metavar="STAGE", help="ZeRO stage, 0 to 3.")
@click.option("--data", type=int, default=1, metavar="N", help="Data-parallel replicas.")
@click.option("--tensor", type=int, default=1, metavar="N", help="Tensor-parallel shares.")
@click.option("--pipeline", type=int, default=1, metavar="N", help="Pipeline-parallel shares.")
@click.option("--lora", metavar="RANK[:TARGETS]", help="Adapter: 16, 16:q,v, 16:linear.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def count(sources: tuple[str, ...], diff: bool, as_json: bool, **asked: Any) -> None:
    """Exact parameters of a model, and the formula they come from; several models side by side.

    SOURCE is a config.json (or Meta's params.json, a litgpt configuration, Megatron-LM arguments), a folder that holds one, '-' for
    standard input, the name of a bundled model ('derive models'), or a checkpoint of which only the headers are read: *.safetensors,
    model.safetensors.index.json, *.gguf, or a folder that holds one.
    """
    if len(sources) > 1:
        _several(sources, diff, as_json, asked)
        return
    if diff:
        raise click.UsageError("--diff needs at least two models")
    checkpoint = _checkpoint(sources[0])
    if checkpoint is not None:
        _print_checkpoint(checkpoint, as_json, asked)
    else:
        _print_model(_read(sources[0]), as_json, asked)


def _checkpoint(source: str) -> CheckpointCount | None:
    """The checkpoint of a path that leads to one."""
    from derive.checkpoints.locating import find_checkpoint

    path = find_checkpoint(source)
    if path is None:
        return None
    from derive.checkpoints.counting import count_checkpoint

    return count_checkpoint(path)


def _read(source: str) -> ReadModel:
    from derive.config import LARGEST_FILE
    from derive.reading import read_bytes, read_model

    return read_bytes(sys.stdin.buffer.read(LARGEST_FILE + 1), "standard input") if source == "-" else read_model(source)


def _print_model(read: ReadModel, as_json: bool, asked: dict[str, Any]) -> None:
    from derive.counting import count_model

    result, used = count_model(read), _usage(read, asked)
    if as_json:
        _print_json(result.as_dict() | (used.as_dict() if used else {}))
    else:
        from derive.report import count_report, usage_report

        click.echo(count_report(result, window_width()) + (usage_report(used, window_width()) if used else ""))


def _print_checkpoint(counted: CheckpointCount, as_json: bool, asked: dict[str, Any]) -> None:
    if counted.read is None and _asks(asked):
        raise click.UsageError("FLOPs, cache and memory need the configuration beside the checkpoint")
    used = _usage(counted.read, asked) if counted.read else None
    if as_json:
        _print_json(counted.as_dict() | (used.as_dict() if used else {}))
    else:
        from derive.checkpoint_text import checkpoint_report
        from derive.report import usage_report

        click.echo(checkpoint_report(counted, window_width()) + (usage_report(used, window_width()) if used else ""))


def _several(sources: tuple[str, ...], diff: bool, as_json: bool, asked: dict[str, Any]) -> None:
    if _asks(asked):
        raise click.UsageError("FLOPs, cache and memory are shown for one model at a time")
    from derive.comparing import Compared, compare, compared_checkpoint, compared_model

    if sources.count("-") > 1:
        raise click.UsageError("standard input can be named once")
    models: list[Compared] = []
    for source in sources:
        checkpoint = _checkpoint(source)
        models.append(compared_model(_read(source)) if checkpoint is None else compared_checkpoint(checkpoint))
    comparison = compare(models, diff)
    if as_json:
        _print_json(comparison.as_dict())
    else:
        from derive.comparison_text import comparison_report

        click.echo(comparison_report(comparison, window_width()))


def _print_json(values: dict[str, Any]) -> None:
    import json

    click.echo(json.dumps(values, ensure_ascii=False, indent=2))


_NOTHING_ASKED = {
    "context": None, "batch": 1, "dtype": None, "cache_dtype": None, "train": None, "zero": 0, "data": 1, "tensor": 1, "pipeline": 1,
    "lora": None,
}  # fmt: skip
_SHARING = ("zero", "data", "tensor", "pipeline")


def _asks(asked: dict[str, Any]) -> bool:
    """Whether running or training costs are asked for; shares alone ask for nothing."""
    return any(asked[name] != value for name, value in _NOTHING_ASKED.items() if name not in _SHARING)


def _usage(read: ReadModel, asked: dict[str, Any]) -> Usage | None:
    """What running and training cost, where any of it is asked for."""
    if not _asks(asked):
        return None
    from derive.costs.memory import Sharing
    from derive.figures import Request, model_usage

    request = {name: value for name, value in asked.items() if name not in _SHARING}
    return model_usage(read, Request(**request, sharing=Sharing(*(asked[name] for name in _SHARING))))
