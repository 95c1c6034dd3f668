"""Intervals cover what is true as often as they say: random games whose exact values are computed here.

Nim and tic-tac-toe are enumerated; of pig the turns are, and what they lead to is solved. In nim exactly one seat wins,
in tic-tac-toe a third of the wins that nobody has alone are shared, and pig is long, with much chance.
"""

from __future__ import annotations

import importlib.util
import os
import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from math import comb, inf

import pytest

from interpreter.analysis.figures import Figure, amount, figure, share, within
from interpreter.analysis.playouts import playouts
from interpreter.analysis.results import Playout
from interpreter.laboratory.comparing import ERROR, compare, holm, mean_difference
from interpreter.laboratory.courses import GameRecord
from interpreter.laboratory.report import Report, report_of
from interpreter.laboratory.running import BLOCK, KnownDifferences
from interpreter.laboratory.setting import Setting
from interpreter.opponents.specs import BotSpec, spec_of
from interpreter.play.game import Game, load

INSTALLED = importlib.util.find_spec("scipy") is not None
if not INSTALLED and "CI" in os.environ:
    raise AssertionError("scipy is not installed: pip install 'regelwerk[lab]'")
needs_scipy = pytest.mark.skipif(not INSTALLED, reason="scipy is not installed: pip install 'regelwerk[lab]'")

GAMES = 200
"""The number of games behind each interval."""


# ---- exact values


@dataclass(frozen=True)
class Known:
    """A game of two at random, with the share of the wins that the first seat expects, and the decisions."""

    game: str
    wins: float
    decisions: float
    options: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> Game:
        return opened(self.game, self.options)


@cache
def opened(name: str, options: tuple[tuple[str, str], ...]) -> Game:
    return load(name, 2, dict(options))


def nim() -> Known:
    @cache
    def value(piles: tuple[int, ...]) -> tuple[float, float]:
        """What the seat to move expects: who takes the last match loses, so without one left it has won."""
        moves = [(pile, taken) for pile, left in enumerate(piles) for taken in range(1, left + 1)]
        if not moves:
            return 1.0, 0.0
        found = [
            value(tuple(left - taken if number == pile else left for number, left in enumerate(piles)))
            for pile, taken in moves
        ]
        return 1 - sum(wins for wins, _ in found) / len(found), 1 + sum(rest for _, rest in found) / len(found)

    return Known("nim", *value((1, 3, 5, 7)))


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def tic_tac_toe() -> Known:
    @cache
    def value(board: str) -> tuple[float, float]:
        """What cross expects."""
        for one, two, three in LINES:
            if board[one] == board[two] == board[three] != " ":
                return float(board[one] == "x"), 0.0
        empty = [cell for cell, mark in enumerate(board) if mark == " "]
        if not empty:
            return 0.5, 0.0
        mark = "x" if len(empty) % 2 else "o"
        found = [value(f"{board[:cell]}{mark}{board[cell + 1 :]}") for cell in empty]
        return sum(wins for wins, _ in found) / len(found), 1 + sum(rest for _, rest in found) / len(found)

    return Known("tic_tac_toe", *value(" " * 9))


def pig(goal: int) -> Known:
    @cache
    def turn(need: int) -> tuple[dict[int, float], float]:
        """What a turn brings, with probabilities, and its decisions, for a seat that needs this number of points."""
        reached = [0.0] * (need + 6)
        reached[0] = 1.0
        ends, decisions = dict.fromkeys(range(need + 6), 0.0), 0.0
        for gained in range(need + 6):
            here = reached[gained]
            decisions += here
            if gained >= need:
                ends[gained] += here
                continue
            ends[gained] += here / 2
            ends[0] += here / 12
            for face in range(2, 7):
                reached[gained + face] += here / 12
        return ends, decisions

    @cache
    def value(own: int, other: int) -> tuple[float, float]:
        """What the seat whose turn begins expects.

        A turn that brings nothing leaves the same scores to the other seat, so the values of both depend on each other.
        """
        (wins, decisions, nothing), (their_wins, their_decisions, their_nothing) = part(own, other), part(other, own)
        both = nothing * their_nothing
        return (
            (wins + nothing * (1 - their_wins - their_nothing)) / (1 - both),
            (decisions + nothing * their_decisions) / (1 - both),
        )

    @cache
    def part(own: int, other: int) -> tuple[float, float, float]:
        """The same from turns that bring something, and how likely a turn brings nothing."""
        ends, decisions = turn(goal - own)
        wins = 0.0
        for gained, probability in ends.items():
            if own + gained >= goal:
                wins += probability
            elif gained and probability:
                their_wins, their_decisions = value(other, own + gained)
                wins += probability * (1 - their_wins)
                decisions += probability * their_decisions
        return wins, decisions, ends[0]

    return Known("pig", *value(0, 0), (("goal", str(goal)),))


KNOWN = {"nim": nim, "tic-tac-toe": tic_tac_toe, "pig": lambda: pig(20)}


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_the_exact_values_are_those_of_the_games(known: Callable[[], Known]) -> None:
    """Within five standard errors."""
    exact, (wins, decisions) = known(), values(known(), 20_000)
    for values_of, truth in ((wins, exact.wins), (decisions, exact.decisions)):
        found = figure(values_of)
        assert found.low is not None
        assert abs(found.mean - truth) < 5 * (found.mean - found.low) / 1.96


# ---- games


def games_of(game: Game, number: int, seed: int = 0) -> Iterator[Playout]:
    return playouts(game, number, seed, "machine")


@cache
def values(known: Known, number: int) -> tuple[array[float], array[float]]:
    """The part of the win of the first seat and the decisions, in many games."""
    game = known.rules
    first = game.seats[0]
    wins, decisions = array("d"), array("d")
    for one in games_of(game, number):
        wins.append(1 / len(one.winners) if first in one.winners else 0.0)
        decisions.append(one.decisions)
    return wins, decisions


def blocks(numbers: Iterable[float]) -> Iterator[list[float]]:
    each = iter(numbers)
    while block := list(islice(each, GAMES)):
        yield block


@dataclass(frozen=True)
class Repetitions:
    """How often something is repeated, and how often intervals have to cover the truth, in per cent."""

    number: int
    fewest: float
    most: float

    def check(self, covered: list[bool]) -> None:
        assert len(covered) == self.number
        assert self.fewest <= 100 * sum(covered) / self.number <= self.most


@pytest.fixture(scope="session")
def repetitions(long_run: bool) -> Repetitions:
    """With few repetitions, chance alone takes the rate away from 95 by up to three standard deviations of 1."""
    return Repetitions(10_000, 94, 96) if long_run else Repetitions(500, 92, 98)


def covers(found: Figure, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


# ---- intervals of one set of rules


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_intervals_of_wins_and_lengths_cover_the_truth(known: Callable[[], Known], repetitions: Repetitions) -> None:
    exact = known()
    wins, decisions = values(exact, repetitions.number * GAMES)
    repetitions.check([covers(share(block), exact.wins) for block in blocks(wins)])
    repetitions.check([covers(amount(block), exact.decisions) for block in blocks(decisions)])
    repetitions.check([covers(figure(block), exact.decisions) for block in blocks(decisions)])


@pytest.mark.parametrize("number", [50, 100, 200, 500, 1000])
def test_intervals_of_shares_cover_the_truth_on_average(number: int) -> None:
    """Exactly, by summing over all possible numbers of wins.

    No interval for a share covers every truth equally often, as there are only so many numbers of wins: with 100 games
    it is 92 to 98 % for shares from 2 to 98 %. On average it is 95 %, and in nine of ten cases 94 to 96 % from 200 on.
    """
    figures = [share([1.0] * won + [0.0] * (number - won)) for won in range(number + 1)]
    rates = []
    for per_mille in range(100, 501, 3):
        truth = per_mille / 1000
        rates.append(
            sum(
                comb(number, won) * truth**won * (1 - truth) ** (number - won)
                for won, found in enumerate(figures)
                if covers(found, truth)
            )
        )
    assert 0.945 <= sum(rates) / len(rates) <= 0.956
    assert all(0.92 <= rate <= 0.98 for rate in rates)
    if number >= 200:
        assert sum(0.94 <= rate <= 0.96 for rate in rates) >= 0.9 * len(rates)


@pytest.mark.parametrize("tied", [[0.5], [0.5, 0.5, 1 / 3], [1.0], [0.0]])
def test_values_that_are_all_alike_leave_some_doubt(tied: list[float]) -> None:
    found = share(tied * 100)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.005
    assert found.low <= found.mean <= found.high


Draws = Callable[[random.Random], float]

AMOUNTS: dict[str, tuple[Draws, float, int, float, float]] = {
    "rarely any": (lambda rng: float(rng.random() < 0.05), 0.05, 200, 93, 97),
    "a few": (lambda rng: float(sum(rng.random() < 0.3 for _ in range(4))), 1.2, 10, 93, 97.5),
    "many, skewed": (lambda rng: rng.expovariate(1 / 20), 20.0, 50, 93, 96.5),
    "many, about alike": (lambda rng: rng.gammavariate(16, 1), 16.0, 10, 93.5, 96.5),
}
"""Values without an upper bound: how one is drawn, their mean, how many there are, and how often it is covered."""

PARTS_OF_ONE: dict[str, tuple[Draws, float, int, float, float]] = {
    "any": (lambda rng: rng.random(), 0.5, 10, 93.5, 96.5),
    "mostly nothing": (lambda rng: rng.random() if rng.random() < 0.2 else 0.0, 0.1, 50, 93, 96.5),
    "near all": (lambda rng: rng.betavariate(60, 2), 60 / 62, 20, 92, 96),
}
"""The same of values from 0 to 1."""


@pytest.mark.parametrize(
    ("interval", "case"),
    [(amount, case) for case in AMOUNTS.values()] + [(within, case) for case in PARTS_OF_ONE.values()],
    ids=[*AMOUNTS, *PARTS_OF_ONE],
)
def test_intervals_of_few_values_cover_the_truth_within_their_bounds(
    interval: Callable[[Iterable[float]], Figure], case: tuple[Draws, float, int, float, float], long_run: bool
) -> None:
    """Where Student's interval covers it much less often, and reaches beyond what is possible."""
    draw, truth, number, fewest, most = case
    rng, found = random.Random(7), []
    for _ in range(10_000 if long_run else 2_000):
        found.append(interval([draw(rng) for _ in range(number)]))
    for each in found:
        assert each.low is not None and each.high is not None
        assert 0 <= each.low <= each.mean <= each.high <= (1 if interval is within else inf)
    assert fewest <= 100 * sum(covers(each, truth) for each in found) / len(found) <= most


@pytest.mark.parametrize("number", [2, 5, 100])
def test_what_was_never_seen_may_still_happen(number: int) -> None:
    """What is 0 in all games may be more in others, by the less the more of them there are; the same for all of 1."""
    for found, most in ((amount([0.0] * number), inf), (within([0.0] * number), 1.0)):
        assert (found.mean, found.low) == (0, 0)
        assert found.high is not None and 0.5 / number < found.high < min(most, 4 / number)
    everything = within([1.0] * number)
    assert everything.high == 1 and everything.low == pytest.approx(1 - (within([0.0] * number).high or 0))
    assert amount([6.0] * number).high == amount([6.0] * number).low == 6
    assert amount([0.0]).high is None and within([0.5]).low is None


def test_far_from_the_bounds_intervals_are_those_of_student() -> None:
    values = [100 + (number * 37) % 11 for number in range(200)]
    expected, found = figure(values), amount(values)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.01)
    parts = [value / 200 for value in values]
    expected, found = figure(parts), within(parts)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-4)


# ---- intervals of differences


PAIRS = {
    "pig to 20 and to 25": lambda: (pig(20), pig(25)),
    "pig to 20 and to 50": lambda: (pig(20), pig(50)),
    "nim and tic-tac-toe": lambda: (nim(), tic_tac_toe()),
}


@needs_scipy
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_intervals_of_differences_cover_the_truth(
    pair: Callable[[], tuple[Known, Known]], repetitions: Repetitions
) -> None:
    """Games with the same seed are pairs, whether they have much in common or nothing."""
    exact = pair()
    number = repetitions.number * GAMES
    (one_wins, one_decisions), (other_wins, other_decisions) = (values(known, number) for known in exact)
    for first, second, truth, bounded in (
        (one_wins, other_wins, exact[1].wins - exact[0].wins, True),
        (one_decisions, other_decisions, exact[1].decisions - exact[0].decisions, False),
    ):
        differences = (other - one for one, other in zip(first, second, strict=True))
        found = [mean_difference(block, bounded=bounded) for block in blocks(differences)]
        assert all((each.p_value or 0) <= ERROR or each.low <= 0 <= each.high for each in found)  # type: ignore[operator]
        repetitions.check([each.low <= truth <= each.high for each in found])  # type: ignore[operator]


@needs_scipy
def test_few_pairs_that_differ_are_enough_for_a_share_but_for_nothing_without_bounds() -> None:
    differences = [0.0] * 197 + [1.0] * 3
    found = mean_difference(differences, bounded=True)
    assert found.low is not None
    assert found.low < 0 < 0.015 < found.high  # type: ignore[operator]
    assert mean_difference(differences, bounded=False).low is None
    nothing = mean_difference([0.0] * 200, bounded=True)
    assert (nothing.differing, nothing.mean, nothing.p_value) == (0, 0, 1)
    assert nothing.high == -nothing.low == pytest.approx(2 * 2**0.5 / 202, rel=0.02)  # type: ignore[operator]
    everything = mean_difference([1.0] * 50, bounded=True)
    assert everything.high == 1


@needs_scipy
def test_an_interval_of_a_difference_is_that_of_scipy() -> None:
    stats = importlib.import_module("scipy.stats")
    one, other = [3.0, 4, 8, 9, 1, 4, 5, 6, 2, 2, 1, 7], [4.0, 4.5, 8, 11, 3, 5, 7, 7, 2, 5, 2, 6.5]
    found = mean_difference([y - x for x, y in zip(one, other, strict=True)], bounded=False)
    expected = stats.ttest_rel(other, one)
    bounds = expected.confidence_interval(0.95)
    assert (found.low, found.high, found.p_value) == pytest.approx((bounds.low, bounds.high, expected.pvalue))


def test_corrected_p_values() -> None:
    """The example of Holm's procedure: 0.01 · 4, 0.02 · 3, then none is less than the one before."""
    assert holm([0.02, None, 0.01, 0.04, 0.035]) == pytest.approx([0.06, None, 0.04, 0.07, 0.07])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([None]) == [None]


# ---- a game compared with itself


def setting_of(known: Known, seed: int) -> Setting:
    spec = spec_of("random")
    assert isinstance(spec, BotSpec)
    return Setting(known.rules, dict(known.options), (spec,) * len(known.rules.seats), seed)


def records_of(known: Known, number: int, seed: int) -> Iterator[GameRecord]:
    game = known.rules
    for place, one in enumerate(games_of(game, number, seed)):
        winners = tuple(game.seats.index(seat) for seat in one.winners)
        scores = tuple(one.scores[seat] for seat in game.seats)
        yield GameRecord(place, winners, scores, one.teams, one.decisions, one.choices, one.widest)


def report(known: Known, seed: int) -> Report:
    return report_of(setting_of(known, seed), [*records_of(known, GAMES, seed)], [], GAMES)


@needs_scipy
@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_a_game_does_not_differ_from_itself(known: Callable[[], Known], long_run: bool) -> None:
    """With other seeds at most 5 comparisons of 100 find a difference, or 2 of 40; with the same seeds, none."""
    exact = known()
    alarms = 0
    for repetition in range(100 if long_run else 40):
        seed = 2 * repetition * GAMES
        found = compare(report(exact, seed), report(exact, seed + GAMES))
        assert found.pairs == GAMES
        alarms += any(each.verdict in ("more", "less") for each in found.differences)
    assert alarms <= (5 if long_run else 2)
    same = compare(report(exact, 0), report(exact, 0))
    assert {each.verdict for each in same.differences} == {"same"}


@needs_scipy
def test_pairs_that_end_when_differences_are_known_cover_the_truth(repetitions: Repetitions) -> None:
    """Looking again and again does no harm, as only the width of the interval decides when it is enough."""
    exact, half = (pig(20), pig(25)), 0.045
    truth = exact[1].wins - exact[0].wins
    games = (zip(*(records_of(known, BLOCK, seed) for known in exact), strict=True) for seed in count(0, BLOCK))
    covered, lengths = list[bool](), Counter[int]()
    while len(covered) < repetitions.number:
        known, differences = KnownDifferences(*(setting_of(each, 0) for each in exact)), Counter[float]()
        while known.half > half:
            for one, other in next(games):
                known.add(one, other)
                differences[float(0 in other.winners) - float(0 in one.winners)] += 1
        found = mean_difference(differences, bounded=True)
        covered.append(found.low <= truth <= found.high)  # type: ignore[operator]
        lengths[known.pairs] += 1
    assert len(lengths) > 1, "how many pairs it takes depends on the games"
    repetitions.check(covered)


@needs_scipy
def test_a_difference_is_found() -> None:
    found = {each.measure.key: each for each in compare(report(pig(20), 0), report(pig(25), 0)).differences}
    assert found["decisions"].verdict == "more"
    assert found["win:ann"].verdict == "not shown"
    assert found["nobody"].verdict == "same"
