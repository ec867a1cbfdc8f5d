"""A configuration as its implementation completes it: what is missing, null or given in another way gets its value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from derive.atlas.expression import ExpressionError, value
from derive.atlas.form import Form
from derive.atlas.layered import KEY, is_own, lists_of

GIVEN = "given."
"""What stands before a field in a rule that reads it as it was given, or as the class has it, before it is completed."""

NUMBER = "number"
"""How `Form.replaced` names any single number, which takes the place of a list."""


class IncompleteError(Exception):
    """A field without a value, or one that the form was not proved for."""


class Completed(Mapping[str, Any]):
    """The fields of a configuration by path, completed when they are asked for.

    Reading one raises `IncompleteError` where it has no value, or a value that the form was not proved for.
    """

    def __init__(self, form: Form, given: Mapping[str, Any]) -> None:
        self.form = form
        self.given = {form.words.get(path, path): given[path] for path in sorted(given, key=lambda path: path not in form.words)}
        self._check_kept()
        self._found: dict[str, Any] = {}
        self._asked: list[str] = []

    def __getitem__(self, path: str) -> Any:
        if path.startswith(GIVEN):
            raw = self.given.get(path.removeprefix(GIVEN))
            return self._worked_out(path, self.form.missing[path]) if raw is None and path in self.form.missing else raw
        if path not in self._found:
            if path in self._asked:
                raise IncompleteError(f"{path} is needed, directly or by {', '.join(self._asked[-3:])}, and is not given")
            self._asked.append(path)
            try:
                self._found[path] = self._checked(path, self._resolved(path))
            finally:
                self._asked.pop()
        return self._found[path]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*(path for path in self.form.missing if not path.startswith(GIVEN)), *self.given)))

    def __len__(self) -> int:
        return len(tuple(iter(self)))

    def _check_kept(self) -> None:
        """Raise where something is given that the form was not proved for."""
        unknown = next((path for path in self.given if is_own(path) and path not in self.form.missing), None)
        if unknown is not None:
            raise IncompleteError(f"{unknown} is not known to the form of {self.form.model_type}")
        for path, kept in self.form.kept.items():
            if self.given.get(path) is not None and self.given[path] != json.loads(kept):
                raise IncompleteError(f"{path}={json.dumps(self.given[path])[:40]} is not what the form was proved for, {kept[:40]}")

    def _resolved(self, path: str) -> Any:
        form, given = self.form, self.given.get(path)
        if given is None:
            known = form.null if path in self.given else form.missing
            rule = known.get(path, form.always.get(path))
            if rule is None and path in self.given:
                return None
            if rule is None:
                raise IncompleteError(f"missing {path}")
            return self._worked_out(path, rule)
        if path in form.always:
            return self._worked_out(path, form.always[path])
        for kind, rule in form.replaced.get(path, {}).items():
            if given == kind or (kind == NUMBER and isinstance(given, int) and not isinstance(given, bool)):
                return self._worked_out(path, rule)
        return given

    def _worked_out(self, path: str, rule: str) -> Any:
        try:
            return value(rule, _Others(self, path))
        except ExpressionError as error:
            raise IncompleteError(f"{path} cannot be worked out: {error}") from None

    def _checked(self, path: str, found: Any) -> Any:
        known = self.form.values.get(path)
        words = [found] if isinstance(found, str) else found if isinstance(found, list) else []
        for word in words:
            if known is not None and isinstance(word, str) and word not in known:
                raise IncompleteError(f"{path} has {word[:40]!r}, which is not among what the form was proved for: {', '.join(known)}")
        return found


class _Others(Mapping[str, Any]):
    """The fields as the rule of one of them sees them: that one as it was given."""

    def __init__(self, fields: Completed, path: str) -> None:
        self.fields, self.path = fields, path

    def __getitem__(self, path: str) -> Any:
        return self.fields.given.get(path) if path == self.path else self.fields[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)


def as_config(form: Form, given: Mapping[str, Any]) -> dict[str, Any]:
    """A config.json with every field that the form knows: those that are given, by path, and what the implementation makes of the rest."""
    return {"model_type": form.model_type, **nested(Completed(form, given))}


def nested(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields by path as the object of a config.json: the contrary of `flat`."""
    result: dict[str, Any] = {}
    for path, found in fields.items():
        *outer, name = path.split(".")
        inside = result
        for word in outer:
            inside = inside.setdefault(word, {})
        if is_own(path):
            for layer, own in enumerate(found or ()):
                if own is not None:
                    inside.setdefault(str(layer), {})[name] = own
        else:
            inside[name] = found
    return result


def flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The fields of a config.json by path: `ffn_config.moe_num_experts`."""
    found: dict[str, Any] = {}
    for name, inner in values.items():
        if name == KEY and isinstance(inner, Mapping):
            layers = values.get("num_hidden_layers")
            lists = lists_of(inner, layers if isinstance(layers, int) else 0)
            found |= {f"{prefix}{KEY}.{field}": listed for field, listed in lists.items()}
        elif isinstance(inner, Mapping) and all(isinstance(key, str) for key in inner):
            found |= flat(inner, f"{prefix}{name}.")
        found[f"{prefix}{name}"] = inner
    return found
