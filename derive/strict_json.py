"""JSON from a stranger: what the standard parser lets pass (keys that stand twice) is an error too, and every error is one line."""

from __future__ import annotations

import json
from typing import Any

from derive.errors import DeriveError


class NotJsonError(DeriveError):
    """The text is not JSON as it should be; the message completes '<source>: '."""


def strict_json(content: bytes | str, wanted: str) -> Any:
    """The value of a JSON text; `wanted` says what it should have been, as in 'a config.json'."""
    try:
        return json.loads(content, object_pairs_hook=_without_duplicates)
    except RecursionError:
        raise NotJsonError(f"nested too deep to be {wanted}") from None
    except json.JSONDecodeError as error:
        raise NotJsonError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except UnicodeDecodeError:
        raise NotJsonError("not JSON: the bytes are not Unicode text") from None
    except ValueError:
        raise NotJsonError("a number has too many digits") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotJsonError(f"the key '{key[:80]}' stands twice")
            seen.add(key)
    return values
