"""Dataclasses for values of which very many are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_class(class_: type[T]) -> type[T]:
    """A dataclass that nothing changes: mypy sees to that.

    `frozen=True` does so at run time, where making an object takes seven times as long.
    """
    return dataclass(slots=True, unsafe_hash=True)(class_)


@dataclass_transform(eq_default=False, frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def node_class(class_: type[T]) -> type[T]:
    """A dataclass like a value class, whose fields are given by name and whose `==` and `repr` are inherited."""
    return dataclass(slots=True, kw_only=True, eq=False, repr=False)(class_)
