"""A cache for the values of definitions that depend on nothing but their arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

MOST_KEPT = 4096
"""Maximum number of cached values of a definition; beyond it the cache is emptied."""


def kept(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a definition so that its value is computed once for the same arguments; it must not depend on the state."""
    values: dict[tuple[Any, ...], Any] = {}

    @wraps(function)
    def value(S: Any, *args: Any) -> Any:
        try:
            return values[args]
        except KeyError:
            if len(values) >= MOST_KEPT:
                values.clear()
            result = values[args] = function(S, *args)
            return result

    return value
