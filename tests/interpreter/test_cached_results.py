"""Cached results are those of the function itself, whatever it reads in which state."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.opponents.knowledge.cached_results import CachedResults
from interpreter.runtime.layout import FIRST_FREE, MOVES

CELLS = FIRST_FREE + 6


def looked_up(cells: list[int], number: int) -> int:
    """Each value says which cell is read next, for some steps; then single functions read several cells, or all."""
    at, total = FIRST_FREE + number, 0
    for _ in range(4):
        total = total * 7 + cells[at]
        at = FIRST_FREE + cells[at]
    if total % 5 == 0:
        total += sum(cells[FIRST_FREE:])
    if total % 7 == 0:
        total += sum(value for cell, value in enumerate(cells) if cell != MOVES)
    return total


STATES = st.lists(
    st.lists(st.integers(0, 5), min_size=6, max_size=6).map(lambda values: [0, 0, 0, 0, [], 0, *values]),
    min_size=1, max_size=30,
)  # fmt: skip


@given(STATES)
def test_the_result_is_that_of_the_function(states: list[list[int]]) -> None:
    cached = CachedResults(looked_up, range(FIRST_FREE, CELLS))
    for state in [*states, *states]:
        for number in range(6):
            assert cached.result(number, state) == looked_up(state, number)


def test_a_function_is_evaluated_again_only_if_what_it_read_has_changed() -> None:
    evaluated = []

    def function(cells: list[int], number: int) -> int:
        evaluated.append(number)
        return cells[FIRST_FREE] + (cells[FIRST_FREE + 1] if cells[FIRST_FREE] else 0)

    cached = CachedResults(function, [FIRST_FREE])
    state = [0] * CELLS
    assert cached.result(0, state) == 0
    state[FIRST_FREE + 1] = 5
    assert cached.result(0, state) == 0
    assert len(evaluated) == 1
    state[FIRST_FREE] = 1
    assert cached.result(0, state) == 6
    state[FIRST_FREE + 1] = 0
    assert cached.result(0, state) == 1
    assert len(evaluated) == 3


def test_a_full_cache_is_cleared() -> None:
    evaluated = []

    def function(cells: list[int], _: int) -> int:
        evaluated.append(cells[FIRST_FREE])
        return -evaluated[-1]

    cached = CachedResults(function, [FIRST_FREE], most=3)
    for value in (0, 1, 2, 3, 4, 4, 0):
        assert cached.result(0, [value] * CELLS) == -value
    assert evaluated == [0, 1, 2, 3, 4, 0]
