"""`derive trace`: the closed form of a model type, read out of the real implementation."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command()
@click.argument("model_types", nargs=-1, metavar="MODEL_TYPE...")
@click.option("--all", "every", is_flag=True, help="Every causal language model that transformers knows.")
@click.option("--write", "folder", metavar="FOLDER", help="Write each form to FOLDER/MODEL_TYPE.txt instead of printing it.")
@click.option("--seed", type=int, default=1, show_default=True, help="Where the random configurations start.")
@click.option("--check", is_flag=True, help="Only compare the form in the atlas with fresh random configurations of the real model.")
def trace(model_types: tuple[str, ...], every: bool, folder: str | None, seed: int, check: bool) -> None:
    """The closed form of a model type, read out of the real implementation and proved on fresh odd configurations.

    Needs PyTorch and transformers (extra `trace`). The model is built without memory, its sizes replaced by numbers that remember
    where they came from. What cannot be explained is named, and no form is given.
    """
    if not model_types and not every:
        raise click.UsageError("name a model type, or say --all")
    types = _checked(model_types) if not every else _every()
    failed = [name for name in types if not (_check(name, seed) if check else _trace(name, seed, folder))]
    if failed:
        from derive.errors import DeriveError

        raise DeriveError(f"{len(failed)} of {len(types)} types have no form: {', '.join(failed)}")


def _every() -> Sequence[str]:
    _require()
    from derive.tracing.configurations import model_types

    return model_types()


def _checked(names: tuple[str, ...]) -> Sequence[str]:
    """The types, where transformers knows them all."""
    known = _every()
    for name in names:
        if name not in known:
            from difflib import get_close_matches

            from derive.errors import ConfigError

            close = get_close_matches(name, known, n=3)
            raise ConfigError(f"{name[:60]}: no causal language model of transformers{'; close: ' + ', '.join(close) if close else ''}")
    return names


def _require() -> None:
    """One clear line where the extra is missing."""
    from importlib.util import find_spec

    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        from derive.errors import DeriveError

        raise DeriveError(f"tracing needs {' and '.join(missing)}: pip install 'derive[trace]'")


def _trace(name: str, seed: int, folder: str | None) -> bool:
    """Trace one type and print or write its form; whether there is one."""
    from derive.atlas.text import form_text
    from derive.tracing.explaining import NotRecognisedError
    from derive.tracing.tracing import trace

    try:
        text = form_text(trace(name, seed))
    except NotRecognisedError as error:
        click.echo(f"{name}: {error}", err=True)
        return False
    if folder is None:
        click.echo(text, nl=False)
    else:
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"{name}.txt")
        with open(f"{path}.part", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(f"{path}.part", path)
        click.echo(f"{name}: {len(text.splitlines())} lines", file=sys.stderr)
    return True


def _check(name: str, seed: int) -> bool:
    """Compare the form in the atlas with fresh real models; whether they agree."""
    from derive.atlas import form_of
    from derive.tracing.proving import disagreement

    form = form_of(name)
    said = "not in the atlas" if form is None else disagreement(form, seed)
    click.echo(f"{name}: {said or 'agrees'}")
    return not said
