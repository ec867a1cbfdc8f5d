"""Traced forms as text, one file a type: written to be read and reviewed.

model_type olmo
traced from transformers 5.24.0 and torch 2.13.0

[missing]
head_dim: hidden_size // num_attention_heads

[tensors]
model.layers.*.mlp.up_proj.weight: intermediate_size × hidden_size | i >= first_k_dense_replace
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from derive.atlas.form import Form, TensorForm

_SECTIONS = ("names", "missing", "null", "always", "replaced", "words", "kept", "ignored", "requires", "repeated", "tensors")


def form_text(form: Form) -> str:
    """A form as text; `form_of_text` reads it back."""
    lines = [f"model_type {form.model_type}", form.about]
    for title, entries in _entries(form).items():
        if entries:
            lines += ["", f"[{title}]", *(f"{name}: {entry}" for name, entry in entries)]
    return "\n".join(lines) + "\n"


def _entries(form: Form) -> dict[str, list[tuple[str, str]]]:
    entries: dict[str, Mapping[str, str]] = {
        "names": form.words,
        "missing": form.missing,
        "null": form.null,
        "always": form.always,
        "replaced": {f"{path} = {word}": rule for path, rules in form.replaced.items() for word, rule in rules.items()},
        "words": {path: ", ".join(words) for path, words in form.values.items()},
        "kept": form.kept,
        "ignored": {"fields": " ".join(form.ignored)} if form.ignored else {},
        "requires": {f"condition {number}": condition for number, condition in enumerate(form.requires, 1)},
        "repeated": form.repeated,
    }
    tensors = [(tensor.name, _tensor_text(tensor)) for tensor in form.tensors]
    return {**{title: list(of_title.items()) for title, of_title in entries.items()}, "tensors": tensors}


def _tensor_text(tensor: TensorForm) -> str:
    lengths = " × ".join(tensor.lengths) or "scalar"
    return f"{lengths} | {tensor.condition}" if tensor.condition else lengths


def form_of_text(text: str) -> Form:
    """The form that a text holds. Raises `ValueError` where a line is in no section."""
    lines = text.splitlines()
    found: dict[str, dict[str, str]] = {title: {} for title in _SECTIONS}
    tensors: list[TensorForm] = []
    for title, line in _in_sections(lines[2:]):
        name, colon, entry = line.partition(": ")
        if title not in found or not colon:
            raise ValueError(f"not a line of a form: {line}")
        if title == "tensors":
            tensors.append(_tensor(name, entry))
        else:
            found[title][name] = entry
    return Form(
        model_type=lines[0].removeprefix("model_type "),
        about=lines[1],
        words=found["names"],
        missing=found["missing"],
        null=found["null"],
        replaced=_replaced(found["replaced"]),
        always=found["always"],
        values={path: tuple(words.split(", ")) for path, words in found["words"].items()},
        kept=found["kept"],
        ignored=tuple(found["ignored"].get("fields", "").split()),
        requires=tuple(found["requires"].values()),
        repeated=found["repeated"],
        tensors=tuple(tensors),
    )


def _in_sections(lines: list[str]) -> Iterator[tuple[str, str]]:
    title = ""
    for line in lines:
        if line.startswith("[") and line.endswith("]"):
            title = line[1:-1]
        elif line:
            yield title, line


def _replaced(entries: Mapping[str, str]) -> dict[str, dict[str, str]]:
    replaced: dict[str, dict[str, str]] = {}
    for key, rule in entries.items():
        path, _, word = key.partition(" = ")
        replaced.setdefault(path, {})[word] = rule
    return replaced


def _tensor(name: str, entry: str) -> TensorForm:
    lengths, _, condition = entry.partition(" | ")
    return TensorForm(name, () if lengths == "scalar" else tuple(lengths.split(" × ")), condition)
