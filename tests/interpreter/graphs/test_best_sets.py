"""The best sets that have nothing in common, beside all choices gone through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.runtime.graphs import best_sets, packings

SETS = st.lists(st.tuples(st.integers(1, 255), st.integers(-3, 9)), max_size=9, unique_by=lambda pair: pair[0])


@given(SETS)
def test_no_choice_of_sets_is_worth_more(pairs: list[tuple[int, int]]) -> None:
    worth = dict(pairs)
    choices = list(packings(list(worth)))
    total, chosen = best_sets(list(worth), worth.__getitem__)
    assert total == max(sum(map(worth.__getitem__, choice)) for choice in choices)
    assert sum(map(worth.__getitem__, chosen)) == total
    assert sum(chosen) == sum(set(chosen)) and sum(one.bit_count() for one in chosen) == sum(chosen).bit_count()


@given(SETS)
def test_chosen_sets_are_disjoint_and_occur_once(pairs: list[tuple[int, int]]) -> None:
    choices = list(packings([one for one, _ in pairs]))
    assert choices[0] == () and len(set(choices)) == len(choices)
    assert all(sum(choice).bit_count() == sum(one.bit_count() for one in choice) for choice in choices)
