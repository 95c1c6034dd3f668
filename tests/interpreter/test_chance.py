"""Chance: the specified generator, fair shuffles, and chance supplied from outside."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter import ChanceEvent, PlayError, State, load
from interpreter.runtime.chance import below, seeded, shuffled

RULES = Path(__file__).parent / "rules"
SMALL = Path(__file__).parent.parent / "games" / "small"


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + (cells - len(counts)) * expected


def limit(cells: int) -> float:
    """What chi-square stays below in all but about one of a million runs (Wilson and Hilferty)."""
    freedom = cells - 1
    return float(freedom * (1 - 2 / (9 * freedom) + 4.75 * (2 / (9 * freedom)) ** 0.5) ** 3)


def test_the_generator_is_splitmix64() -> None:
    """The first outputs for the state 1234567, as published with the generator's reference code."""
    state, found = 1234567, []
    for _ in range(5):
        state, number = below(state, 1 << 64)
        found.append(number)
    assert found == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 36, 100])
def test_below_is_fair(n: int) -> None:
    state, counts = seeded(n), Counter[int]()
    for _ in range(400 * n):
        state, number = below(state, n)
        assert 0 <= number < n
        counts[number] += 1
    assert n == 1 or chi_square(counts, n) < limit(n)


def test_below_is_fair_where_the_range_does_not_divide() -> None:
    """Of 3/4 of the range a plain product would give the numbers of one third twice as often."""
    n, state, counts = 3 << 62, seeded(1), Counter[int]()
    for _ in range(6000):
        state, number = below(state, n)
        counts[number // (1 << 62)] += 1
    assert chi_square(counts, 3) < limit(3)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_shuffles_are_fair(size: int) -> None:
    state, counts = seeded(size), Counter[tuple[int, ...]]()
    orders = list(itertools.permutations(range(size)))
    for _ in range(100 * len(orders)):
        state, order = shuffled(state, range(size))
        counts[tuple(order)] += 1
    assert set(counts) <= set(orders)
    assert chi_square(counts, len(orders)) < limit(len(orders))


def test_every_place_of_a_large_stack_is_equally_likely() -> None:
    state, counts = seeded(9), Counter[tuple[int, int]]()
    for _ in range(4000):
        state, order = shuffled(state, range(20))
        counts.update(enumerate(order))
    assert chi_square(counts, 400) < limit(400)


def test_seeds_one_after_the_other_have_nothing_in_common() -> None:
    counts = Counter(below(seeded(seed), 6)[1] for seed in range(6000))
    pairs = Counter((below(seeded(seed), 6)[1], below(seeded(seed + 1), 6)[1]) for seed in range(6000))
    assert chi_square(counts, 6) < limit(6)
    assert chi_square(pairs, 36) < limit(36)


def test_the_deal_from_seeds_is_fair() -> None:
    """Through the door: which card lies on top after the set-up."""
    game = load(RULES / "riders.rules")
    tops = Counter(game.start(seed).view(None).zones["deck"].pieces[0].name for seed in range(900))
    assert chi_square(tops, 3) < limit(3)


# ---------------------------------------------------------------- supplied from outside


def deck(state: State) -> list[str]:
    return [piece.name for piece in state.view(None).zones["deck"].pieces]


def test_the_fields_of_chance_events() -> None:
    events: list[ChanceEvent] = []

    def first(event: ChanceEvent) -> Any:
        events.append(event)
        return list(range(event.size)) if event.kind == "shuffle" else 0

    state = load(RULES / "riders.rules", options={"begins": "random"}).start(chance=first)
    assert state.player == "ann"
    cards = tuple(["rider"] * 4 + ["gate"] * 4 + ["wall"] * 4)
    assert [event.kind for event in events] == ["pick", "shuffle"]
    assert events[0] == ChanceEvent("pick", "begins", 2, ("ann", "ben"))
    assert (events[1].what, events[1].size, Counter(events[1].faces)) == ("deck", 12, Counter(cards))
    assert list(events[1].faces[8:]) == deck(state), "faces are named top first, and eight cards were dealt"
    assert state.chance_results == [0, list(range(12))]


def test_dice_from_outside() -> None:
    events: list[ChanceEvent] = []

    def five(event: ChanceEvent) -> Any:
        events.append(event)
        return event.faces.index("5")

    state = load(SMALL / "pig.rules").start(chance=five)
    state.push("throw")
    assert events == [ChanceEvent("roll", "cube", 6, ("1", "2", "3", "4", "5", "6"))]
    assert state.view(None).notes["turn_total"] == 5
    state.push("throw")
    assert state.chance_results == [4, 4]
    state.pop()
    assert state.chance_results == [4]
    state.push("throw")
    assert len(events) == 3
    assert state.chance_results == [4, 4]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_every_order_can_be_supplied(order: tuple[int, ...]) -> None:
    """The order given becomes the order of the stack, top first."""
    faces: list[str] = []

    def given(event: ChanceEvent) -> Any:
        faces.extend(event.faces)
        return [8 + place for place in order] + list(range(8))

    state = load(RULES / "riders.rules").start(chance=given)
    dealt = Counter(piece.name for piece in state.view(None).zones["hand[ann]"].pieces)
    assert dealt == Counter(faces[8 + place] for place in order)
    assert deck(state) == faces[4:8]


@pytest.mark.parametrize("wrong", [[0] * 12, list(range(11)), list(range(1, 13)), []])
def test_an_order_that_is_no_permutation_is_refused(wrong: list[int]) -> None:
    with pytest.raises(PlayError, match="not a permutation of the pieces"):
        load(RULES / "riders.rules").start(chance=lambda event: wrong)


@pytest.mark.parametrize("wrong", [6, -1, 99])
def test_an_impossible_result_is_refused_and_changes_nothing(wrong: int) -> None:
    results = iter([3, wrong, 2])
    state = load(SMALL / "pig.rules").start(chance=lambda event: next(results))
    state.push("throw")
    before = state.key(), state.chance_results, state.log(None)
    with pytest.raises(PlayError, match="not one of the possible results"):
        state.push("throw")
    assert (state.key(), state.chance_results, state.log(None)) == before
    state.push("throw")
    assert state.chance_results == [3, 2]


def test_supplied_chance_gives_the_game_of_a_seed() -> None:
    """The recorded results of a seeded game, supplied again, give the same game."""
    game = load(SMALL / "pig.rules")
    for seed in range(10):
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None:
            state.push(rng.choice(state.legal_moves))
        results = iter(state.chance_results)
        again = game.start(chance=lambda event, results=results: next(results))  # type: ignore[misc]
        for made in state.history:
            again.push(made.notation)
        assert again.view(None) == state.view(None)
        assert again.chance_results == state.chance_results
