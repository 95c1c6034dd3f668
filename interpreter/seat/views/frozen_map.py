"""A dictionary that never changes, so that views can be shared, compared and hashed."""

from __future__ import annotations

from typing import NoReturn, Self, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenMap(dict[K, V]):
    """A dictionary whose content is fixed when it is made; every change raises TypeError.

    It equals a dictionary with the same content, and is written as JSON like one.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            # Views share most of their parts, and are hashed and compared repeatedly.
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a view cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self),)
