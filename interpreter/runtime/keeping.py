"""A cache for the values of definitions that depend on nothing but their arguments."""

from __future__ import annotations

from functools import wraps

from interpreter.runtime.cells import Cells, Generated, StoredValue

MOST_KEPT = 4096
"""Maximum number of cached values of a definition; beyond it the cache is emptied."""


def kept(function: Generated) -> Generated:
    """Wrap a definition so that its value is computed once for the same arguments; it must not depend on the state."""
    values: dict[tuple[StoredValue, ...], StoredValue] = {}

    @wraps(function)
    def value(state: Cells, *args: StoredValue) -> StoredValue:
        try:
            return values[args]
        except KeyError:
            if len(values) >= MOST_KEPT:
                values.clear()
            result: StoredValue = function(state, *args)
            values[args] = result
            return result

    return value
