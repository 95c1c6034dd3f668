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
    bounded = [min(FAR, max(-FAR, end)) for end in ends]
    return Number(min(bounded), max(bounded))


def quotients(dividend: Number, divisor: Number, rounded_up: bool) -> Number:
    """The range of `dividend / divisor`, where `divisor` is not 0."""
    ends = {divisor.low, divisor.high, *(near for near in (-1, 1) if divisor.low <= near <= divisor.high)} - {0}
    return spanning(_quotient(a, b, rounded_up) for a in (dividend.low, dividend.high) for b in ends or {1})


def _quotient(dividend: int, divisor: int, rounded_up: bool) -> int:
    if abs(dividend) >= FAR:  # however large
        return dividend if divisor > 0 else -dividend
    return -(-dividend // divisor) if rounded_up else dividend // divisor


def remainders(dividend: Number, divisor: Number) -> Number:
    """The range of `remainder(dividend, divisor)`, where `divisor` is not 0."""
    if dividend.low >= 0 and dividend.high < divisor.low:
        return dividend
    return spanning((min(0, divisor.low + 1), max(0, divisor.high - 1)))


def larger_ones(first: Number, second: Number) -> Number:
    """The range of the larger of two numbers."""
    return Number(max(first.low, second.low), max(first.high, second.high))


def smaller_ones(first: Number, second: Number) -> Number:
    """The range of the smaller of two numbers."""
    return Number(min(first.low, second.low), min(first.high, second.high))
