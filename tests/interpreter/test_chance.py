"""Chance: the specified generator, fair shuffles, and chance supplied from outside."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.errors import PlayError
from interpreter.play.game import State, load
from interpreter.runtime.chance import (
    CHANCE_OFFSET,
    CHOICE_OFFSET,
    GOLDEN,
    MASK,
    SEED_MULTIPLIER,
    ChanceEvent,
    below,
    first_chance_state,
    first_choice_state,
    seeded,
    shuffled,
)

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


def dice(state: int, throws: int) -> list[int]:
    found = []
    for _ in range(throws):
        state, number = below(state, 6)
        found.append(number)
    return found


@pytest.mark.parametrize("between", [1, 2, 3, 10])
def test_no_die_of_a_game_foretells_one_of_the_games_after_it(between: int) -> None:
    """Also not the second, third or fourth throw of one game the first of another: no stream is another one shifted."""
    games = [dice(seeded(seed), 4) for seed in range(6000 + between)]
    for one, other in itertools.product(range(4), repeat=2):
        pairs = Counter((games[seed][one], games[seed + between][other]) for seed in range(6000))
        assert chi_square(pairs, 36) < limit(36), (one, other)


def test_no_die_of_a_game_foretells_a_random_move_of_its_neighbours() -> None:
    games = range(1, 6001)
    chance = {seed: dice(first_chance_state(seed), 3) for seed in games}
    moves = {seed: dice(first_choice_state(seed), 3) for seed in range(6002)}
    for nearby, one, other in itertools.product((-1, 0, 1), range(3), range(3)):
        pairs = Counter((chance[seed][one], moves[seed + nearby][other]) for seed in games)
        assert chi_square(pairs, 36) < limit(36), (nearby, one, other)


@pytest.mark.parametrize("first", [0, 471187, -50, (1 << 64) - 60])
def test_the_streams_of_neighbouring_seeds_share_no_state(first: int) -> None:
    """The states of both streams of fifty games, a thousand draws each, are all different."""
    starts = [start(seed) for seed in range(first, first + 50) for start in (first_chance_state, first_choice_state)]
    states = {(start + draw * GOLDEN) & MASK for start in starts for draw in range(1000)}
    assert len(states) == 100 * 1000


def test_streams_of_seeds_near_each_other_are_far_apart() -> None:
    """They share no state within 2^30 seeds and draws: what the constants of `chance.py` are chosen for.

    The states of two streams, s seeds apart, of which one is d draws ahead, differ by s * SEED_MULTIPLIER + d * GOLDEN,
    and by the difference of the offsets if only one is that of chance; they are equal where that is 0 modulo 2^64.
    """
    assert nearest(0) >= 1 << 30
    assert nearest(CHANCE_OFFSET - CHOICE_OFFSET) >= 1 << 30
    assert nearest(0x632BE59BD9B4E019 - CHOICE_OFFSET) < 1 << 30, "the search finds pairs that are nearer"


def nearest(offset: int) -> int:
    """The least max(|s|, |d|), except for both 0, with s * SEED_MULTIPLIER + d * GOLDEN + offset = 0 modulo 2^64.

    The pairs for the offset 0 are a lattice, those for another one the lattice moved. Its reduced basis has an angle of
    60 to 120 degrees, so the pairs nearest to 0 are those whose coordinates are nearest to it.
    """
    modulus, inverse = 1 << 64, pow(GOLDEN, -1, 1 << 64)
    (a, b), (c, d) = reduced((1, -SEED_MULTIPLIER * inverse % modulus), (0, modulus))
    moved, area = -offset * inverse % modulus, a * d - b * c
    middle = round(Fraction(moved * c, area)), round(Fraction(-moved * a, area))
    pairs = [
        (one * a + other * c, one * b + other * d + moved)
        for one in range(middle[0] - 4, middle[0] + 5)
        for other in range(middle[1] - 4, middle[1] + 5)
    ]
    assert all((s * SEED_MULTIPLIER + d * GOLDEN + offset) % modulus == 0 for s, d in pairs)
    return min(max(abs(s), abs(d)) for s, d in pairs if (s, d) != (0, 0))


def reduced(one: tuple[int, int], other: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """A basis of the lattice of two vectors whose vectors are as short as possible (Gauss)."""
    while True:
        one, other = sorted((one, other), key=lambda v: v[0] ** 2 + v[1] ** 2)
        times = round(Fraction(one[0] * other[0] + one[1] * other[1], one[0] ** 2 + one[1] ** 2))
        if not times:
            return one, other
        other = (other[0] - times * one[0], other[1] - times * one[1])


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


def kind_of(value: object) -> str:
    """The name of a test with a value that may have no text."""
    return type(value).__name__


class Numberless:
    def __index__(self) -> int:
        raise TypeError("no number")

    def __repr__(self) -> str:
        raise ValueError("no text")


ODD: list[Any] = [
    None,
    1.0,
    2.5,
    float("nan"),
    True,
    "1",
    b"1",
    10**5000,
    -(10**5000),
    [10**5000],
    {1: 2},
    Numberless(),
]
"""What no roll or shuffle can give."""


@pytest.mark.parametrize(
    "wrong", [[0] * 12, list(range(11)), list(range(1, 13)), [], [True, *range(1, 12)], *ODD], ids=kind_of
)
def test_an_order_that_is_no_permutation_is_refused(wrong: Any) -> None:
    with pytest.raises(PlayError, match="not a permutation of the pieces"):
        load(RULES / "riders.rules").start(chance=lambda event: wrong)


class Three:
    """A number of another library."""

    def __index__(self) -> int:
        return 3


def test_numbers_of_other_libraries_can_be_supplied() -> None:
    state = load(SMALL / "pig.rules").start(chance=lambda event: Three())
    state.push("throw")
    assert [type(result) for result in state.chance_results] == [int]


@pytest.mark.parametrize("wrong", [6, -1, 99, [1], *ODD], ids=kind_of)
def test_an_impossible_result_is_refused_and_changes_nothing(wrong: Any) -> None:
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
