"""Tables keyed by an object itself, not by what it says: equal nodes may stand in different places.

The objects are kept, so that no other one can take the identity of one that is gone; nothing depends on the order of
identities.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class ByIdentity(Generic[Key, Value]):
    """Values for objects."""

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[int, tuple[Key, Value]] = {}

    def get(self, key: Key) -> Value | None:
        """The value for an object, if there is one."""
        found = self._values.get(id(key))
        return None if found is None else found[1]

    def keep(self, key: Key, value: Value) -> Value:
        """Keep a value for an object, and give it."""
        self._values[id(key)] = key, value
        return value


class Exactly(Generic[Key]):
    """Some objects; others are not among them, even if they are equal."""

    __slots__ = ("_keys",)

    def __init__(self, keys: Iterable[Key]) -> None:
        self._keys = {id(key): key for key in keys}

    def __contains__(self, key: Key) -> bool:
        return id(key) in self._keys
