"""Collections keyed by the identity of objects: equal nodes can occur in different places.

The objects are kept alive, so that no identity is reused; nothing depends on the order of identities.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class IdentityMap(Generic[Key, Value]):
    """A mapping from objects, by identity."""

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[int, tuple[Key, Value]] = {}

    def get(self, key: Key) -> Value | None:
        """The value for an object, if there is one."""
        entry = self._values.get(id(key))
        return None if entry is None else entry[1]

    def keep(self, key: Key, value: Value) -> Value:
        """Set the value for an object, and return it."""
        self._values[id(key)] = key, value
        return value


class IdentitySet(Generic[Key]):
    """A set of objects, by identity."""

    __slots__ = ("_keys",)

    def __init__(self, keys: Iterable[Key]) -> None:
        self._keys = {id(key): key for key in keys}

    def __contains__(self, key: Key) -> bool:
        return id(key) in self._keys
