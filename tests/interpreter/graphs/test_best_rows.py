"""The best rows that share no place: against all choices, against other ways to find them, and in known cases."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from interpreter.errors import PlayError
from interpreter.runtime.graphs import Adjacency, Objective, TooManyPaths, best_packing, best_rows
from tests.interpreter.graphs.by_hand import (
    DATA,
    SIDES,
    Case,
    as_set,
    best_by_hand,
    best_in_tree,
    cases,
    everything,
    grid,
    hexagons,
    in_order,
    side,
    tree,
)  # fmt: skip

Sums, Flags = tuple[int, ...], tuple[bool, ...]
Value = Callable[[Sums, Flags], int]


def count(links: Adjacency) -> Sums:
    return (1,) * links.count


def doubled(links: Adjacency, special: int) -> Objective:
    """One for each place, two if the row has a special one."""
    return Objective((count(links),), (special,), lambda sums, flags: sums[0] * (2 if flags[0] else 1))


@contextmanager
def nothing_listed() -> Iterator[None]:
    """Small graphs are looked through edge by edge as large ones are."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(best_packing, "MAX_LISTED_FIRST", 1)
        yield


def in_all_ways(case: Case, least: int, worth: Objective) -> tuple[int, tuple[int, ...]]:
    """The best rows, and that all ways to find them agree."""
    listed = best_rows(*case, least, worth)
    assert best_rows(*case, least, lambda row: worth(row)) == listed
    with nothing_listed():
        assert best_rows(*case, least, worth) == listed
        assert best_rows(*case, least, worth) == listed, "remembered"
    return listed


def straight(constants: list[int], slopes: list[int]) -> Value:
    def value(sums: Sums, flags: Flags) -> int:
        number = sum(flag << index for index, flag in enumerate(flags))
        return constants[number] + sum(slopes[number] * each for each in sums)

    return value


def stepped(table: list[int]) -> Value:
    return lambda sums, flags: table[min(max(sum(sums), 0), len(table) - 1)] + sum(flags)


def squared(sums: Sums, flags: Flags) -> int:
    return sum(each * each for each in sums) - 2 * sum(flags) - 1


@st.composite
def worths(draw: st.DrawFn, links: Adjacency) -> Objective:
    each = st.lists(st.integers(-1, 3), min_size=links.count, max_size=links.count).map(tuple)
    sums = draw(st.lists(st.one_of(st.just(count(links)), each), max_size=2))
    masks = draw(st.lists(st.integers(0, 2**links.count - 1), max_size=2))
    several = st.lists(st.integers(-2, 4), min_size=4, max_size=4)
    line = st.builds(straight, several, several)
    table = st.builds(stepped, st.lists(st.integers(-2, 9), min_size=2, max_size=6))
    value, affine = draw(
        st.one_of(st.tuples(line, st.booleans()), st.tuples(st.one_of(table, st.just(squared)), st.just(False)))
    )
    return Objective(tuple(sums), tuple(masks), value, affine)


@given(st.data(), cases(7), st.integers(0, 4))
def test_described_worth_against_all_choices(data: st.DataObject, case: Case, least: int) -> None:
    worth = data.draw(worths(case[0]))
    assert in_all_ways(case, least, worth) == best_by_hand(case, least, worth)


@given(cases(7), st.integers(1, 4), st.randoms(use_true_random=False))
def test_any_worth_against_all_choices(case: Case, least: int, rng: Random) -> None:
    values: dict[int, int] = {}

    def worth(row: int) -> int:
        return values.setdefault(row, rng.randint(-2, 6))

    assert best_rows(*case, least, worth) == best_by_hand(case, least, worth)


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: f"{case['case']}, {case['side']}")
def test_given_cases(case: dict[str, Any]) -> None:
    links = side(case["side"])
    own, special = (as_set([DATA["spaces"].index(space) for space in case[each]]) for each in ("houses", "fortified"))
    worth = doubled(links, special)
    total, found = in_all_ways((links, own, everything(links)[1]), 4, worth)
    assert total == case["points"] == sum(map(worth, found))


def test_of_several_best_choices_the_first() -> None:
    links = grid(1, 9)
    assert in_all_ways((links, *everything(links)), 4, doubled(links, 0)) == (9, (0b1111, 0b111110000))
    ring = Adjacency(8, [(place, (place + 3) % 8) for place in range(8)])
    assert in_all_ways((ring, *everything(ring)), 4, doubled(ring, 0)) == (8, (0b11111111,))
    fork = Adjacency(6, [(0, 3), (1, 3), (2, 3), (3, 4), (4, 5)])
    assert in_all_ways((fork, *everything(fork)), 4, doubled(fork, 0)) == (4, (as_set([0, 3, 4, 5]),))


def test_rows_that_are_worth_nothing_are_not_chosen() -> None:
    links = grid(1, 6)
    middle = Objective(((0, 0, 0, 1, 0, 0),), (), lambda sums, flags: sums[0])
    assert in_all_ways((links, *everything(links)), 1, middle) == (1, (as_set([0, 1, 2, 3]),))
    less = Objective((count(links),), (), lambda sums, flags: -sums[0])
    assert in_all_ways((links, *everything(links)), 1, less) == (0, ())


def compared(links: Adjacency, seed: int, kept: int, least: int = 4) -> None:
    """All paths listed and packed, against the search edge by edge."""
    rng = Random(seed)
    places = as_set(rng.sample(range(links.count), kept))
    worth = doubled(links, as_set(rng.sample(range(links.count), 4)))
    with nothing_listed():
        found = best_rows(links, places, everything(links)[1], least, worth)
    assert found == best_rows(links, places, everything(links)[1], least, lambda row: worth(row))


@pytest.mark.parametrize("name", SIDES)
@pytest.mark.parametrize("seed", range(6))
def test_twenty_to_forty_places_of_a_board(name: str, seed: int) -> None:
    compared(side(name), seed, 20 + 4 * seed)


@pytest.mark.long
def test_a_whole_board_against_all_its_paths() -> None:
    compared(side("3-4"), 1, 55)


@pytest.mark.parametrize("seed", range(4))
def test_trees_of_sixty_places(seed: int) -> None:
    links = tree(60, seed)
    rng = Random(seed)
    each = tuple(rng.randint(1, 5) for _ in range(60))
    worth = Objective((each,), (), lambda sums, flags: sums[0])
    for least in (2, 4, 7):
        total, found = best_rows(links, *everything(links), least, worth)
        assert total == best_in_tree(links, least, each) == sum(map(worth, found))


LARGE = {
    "3-4": side("3-4"), "4-5": side("4-5"), "hexagons": hexagons(6, 10), "ladder": grid(2, 30), "grid": grid(4, 15),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("specials", [0, pytest.param(1, marks=pytest.mark.long), 5])
def test_numbers_of_places_make_no_difference(name: str, specials: int) -> None:
    links = LARGE[name]
    rng = Random(specials)
    turned = rng.sample(range(links.count), links.count)
    other = Adjacency(links.count, [(turned[pair[0]], turned[pair[1]]) for pair in links.ends if pair])
    special = rng.sample(range(links.count), specials)
    worth, same = doubled(links, as_set(special)), doubled(other, as_set([turned[place] for place in special]))
    total, found = best_rows(links, *everything(links), 4, worth)
    again, rows_again = best_rows(other, *everything(other), 4, same)
    assert total == again == sum(map(worth, found)) == sum(map(same, rows_again))
    for chosen in (found, rows_again):
        assert sum(chosen).bit_count() == sum(row.bit_count() for row in chosen), "no common place"
        assert sorted(map(in_order, chosen)) == list(map(in_order, chosen))
    first = as_set([turned.index(place) for place in in_order(rows_again[0])])
    rest = everything(links)[0] & ~first
    assert worth(first) + best_rows(links, rest, everything(links)[1], 4, worth)[0] == total
    left = everything(links)[0] & ~found[0]
    assert best_rows(links, left, everything(links)[1], 4, worth) == (total - worth(found[0]), found[1:])


VALUES: dict[str, Value] = {
    "a constant": lambda sums, flags: sums[0] + 2 + 5 * sum(flags),
    "less a constant": lambda sums, flags: sums[0] * (1 + sum(flags)) - 3,
    "a table": lambda sums, flags: (0, 0, 1, 2, 3, 5, 8, 12, 15)[min(sums[0], 8)] + sum(flags),
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("least", [1, 4])
def test_any_form_of_worth_against_all_paths(value: str, least: int) -> None:
    rng = Random(least)
    for links in (hexagons(4, 5), grid(3, 5)):
        specials = tuple(as_set(rng.sample(range(links.count), many)) for many in (2, 6))
        worth = Objective((count(links),), specials, VALUES[value])
        in_all_ways((links, *everything(links)), least, worth)


def test_a_path_through_all_places_is_found() -> None:
    for links in (hexagons(6, 10), grid(5, 12)):
        longest = Objective((count(links),), (), lambda sums, flags: sums[0] * 2 - 1)
        total, (row,) = best_rows(links, *everything(links), 4, longest)
        assert (total, row) == (119, everything(links)[0])


def test_worth_that_is_undefined_for_sums_no_row_has() -> None:
    star = Adjacency(7, [(0, place) for place in range(1, 7)])

    def value(sums: Sums, flags: Flags) -> int:
        if sums[0] > 3:
            raise PlayError("no row is that long", "")
        return sums[0]

    with nothing_listed():
        assert best_rows(star, *everything(star), 2, Objective((count(star),), (), value)) == (3, (0b111,))


def test_too_many_paths_for_a_worth_that_is_not_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_packing, "MAX_LISTED", 10_000)
    links = grid(5, 6)
    with pytest.raises(TooManyPaths) as raised:
        best_rows(links, *everything(links), 4, int.bit_count)
    assert raised.value.cap == 10_000
    assert best_rows(links, *everything(links), 4, doubled(links, 0))[0] == 30


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_packing, "REMEMBERED", 3)
    links = side("4-5")
    places, edges = everything(links)
    found = [best_rows(links, places & ~(1 << place), edges, 4, doubled(links, 0)) for place in range(6)]
    assert len(links.best_rows) <= 3
    assert found == [best_rows(links, places & ~(1 << place), edges, 4, doubled(links, 0)) for place in range(6)]
