"""Ranges of numbers that are computed: from the extremes of what they are computed from."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.types import ANY_NUMBER, FAR, Number, Type, bare


def range_of(type_: Type) -> Number:
    """The range of a type of numbers; of those listed in a table it is unknown."""
    core = bare(type_)
    return core if isinstance(core, Number) else ANY_NUMBER


def spanning(ends: Iterable[int]) -> Number:
    """The smallest range with these numbers; beyond the largest numbers it is unknown."""
    known = [min(FAR, max(-FAR, end)) for end in ends]
    return Number(min(known), max(known))


def quotients(one: Number, other: Number, rounded_up: bool) -> Number:
    """The range of `one / other`, where `other` is not 0."""
    ends = {other.low, other.high, *(near for near in (-1, 1) if other.low <= near <= other.high)} - {0}
    return spanning(_quotient(a, b, rounded_up) for a in (one.low, one.high) for b in ends or {1})


def _quotient(one: int, other: int, rounded_up: bool) -> int:
    if abs(one) >= FAR:  # however large
        return one if other > 0 else -one
    return -(-one // other) if rounded_up else one // other


def remainders(one: Number, other: Number) -> Number:
    """The range of `remainder(one, other)`, where `other` is not 0."""
    if one.low >= 0 and one.high < other.low:
        return one
    return spanning((min(0, other.low + 1), max(0, other.high - 1)))


def larger_ones(one: Number, other: Number) -> Number:
    """The range of the larger of two numbers."""
    return Number(max(one.low, other.low), max(one.high, other.high))


def smaller_ones(one: Number, other: Number) -> Number:
    """The range of the smaller of two numbers."""
    return Number(min(one.low, other.low), min(one.high, other.high))
