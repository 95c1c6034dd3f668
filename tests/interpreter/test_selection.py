"""Members found by their number, without going through those before: the same as in a list of all."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.bitset import bits
from interpreter.runtime.selection import MOST_WAYS, lane, select, select16, select64, selecting_way

WIDTHS = [1, 5, 8, 9, 16, 33, 64, 121, 361]


@pytest.mark.parametrize("width", WIDTHS)
def test_one_set(width: int) -> None:
    random = Random(width)
    functions = [select, *([select64] if width <= 64 else []), *([select16] if width <= 16 else [])]
    for _ in range(30):
        those = random.getrandbits(width) & random.getrandbits(width)
        for function in functions:
            assert [function(those, number) for number in range(those.bit_count())] == bits(those)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [2, 3, 4, 7, MOST_WAYS])
def test_several_sets_side_by_side(width: int, count: int) -> None:
    random, find = Random(width), selecting_way(width, count)
    for density in (0.0, 0.1, 0.5, 1.0):
        sets = [sum(1 << place for place in range(width) if random.random() < density) for _ in range(count)]
        beside = sum(those << way * lane(width) for way, those in enumerate(sets))
        listed = [(place, way) for place in range(width) for way in range(count) if sets[way] >> place & 1]
        assert [find(beside, number) for number in range(beside.bit_count())] == listed
