"""Values that are kept: those of definitions that depend on nothing but their arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

MOST_KEPT = 4096
"""How many values of a definition are kept; then they are computed again."""


def kept(function: Callable[..., Any]) -> Callable[..., Any]:
    """A definition that computes its value once for the same arguments, whatever the state."""
    values: dict[tuple[Any, ...], Any] = {}

    @wraps(function)
    def value(S: Any, *args: Any) -> Any:
        try:
            return values[args]
        except KeyError:
            if len(values) >= MOST_KEPT:
                values.clear()
            found = values[args] = function(S, *args)
            return found

    return value
