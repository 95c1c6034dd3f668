"""The value of a finished or cut-off game for every seat, in [0, 1], by the scoring rules.

Winners share 1, seats of a team have the same value, and so have all seats in a cooperative game. Where a criterion is
a number, the margin in the first such one counts as well: `0.5 + 0.5 * tanh((own - best other) / spread)`, where
`spread` is the spread of the margins in random games. This distinguishes a near miss from a disaster long before a game
is decided. Where there are conditions, too, nobody wins without meeting them, so winning counts more than any margin. A
cut-off game is evaluated as if it were over. If the scores of all seats always add up to zero, they are payments: what
counts is the mean of a seat's own score, so the value is proportional to it, up to the greatest score in random games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from math import sqrt, tanh
from statistics import fmean

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import SearchState, search_state
from interpreter.arguments import Backend
from interpreter.compiler.machine.routines import search_records as records
from interpreter.compiler.machine.routines.search_values import (
    TANH_ENTRIES,
    TANH_STEP_BITS,
    TANH_UNIT_BITS,
    margin_of,
    value_of_margin,
)  # fmt: skip
from interpreter.engine.program import Program, once_for_program
from interpreter.errors import PlayError
from interpreter.play.game import Game, State

WIN_SHARE = 0.1
"""The weight of winning relative to the margin; large enough that later criteria break ties."""

CONDITIONAL_WIN_SHARE = 0.9
"""The same where winning takes more than numbers: no margin makes up for a condition that is not met."""

DECISIVE = 1
"""If no margin in random games exceeds this, as when points are given only for winning, only winning counts."""

STARTS, GAMES_OF_A_START = 16, 4
"""The number of setups from which random games are played, and of games from each."""

ENOUGH_DECISIONS, FEWEST = 2000, 16
"""Fewer games are enough if they have made this many decisions, but no fewer than this."""

HORIZON = 200
"""Number of decisions after which random games are cut off, unless another one is named."""


NEUTRAL = 0.5
"""The value of a position that nothing is known about."""

Values = tuple[float, ...]
"""The value for each seat."""

TANH = tuple(
    round(records.HALF * tanh(place * (1 << TANH_STEP_BITS) / (1 << TANH_UNIT_BITS))) for place in range(TANH_ENTRIES)
)
"""The hyperbolic tangent in units of half a win, rounded so that every machine has the same."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Statistics of random games: mean, spread and greatest size of the margin.

    In a cooperative game the margin is the score itself. `stake` is the greatest score if the scores of all seats
    always add up to zero, and so are payments; otherwise 0.
    """

    mean: float
    deviation: float
    greatest: int
    stake: int


class RandomMargins:
    """The margins in random games of a program; more of them are played until there are enough."""

    def __init__(self) -> None:
        self._margins: list[int] = []
        self._stake, self._balanced = 0, True
        self._decisions = self._played = 0
        self.complete = False

    def play(self, game: Game, backend: Backend | None, scoring: Scoring, enough: Callable[[], bool]) -> None:
        """Play the games that are missing; fewer if there is no time for more."""
        begun, search = -1, None
        while not self.complete and not enough():
            start = self._played // GAMES_OF_A_START
            try:
                if search is None or start != begun:
                    begun, search = start, search_state(game.start(start), backend)
                games = search.rollouts(1, self._played, HORIZON)
                self._decisions += games.decisions[0]
                if games.scored[0]:
                    self._margins += scoring.margins(games.scores)
                    self._weigh(scoring.points(games.scores))
            except PlayError:
                search = None
            self._played += 1
            self.complete = self._played == STARTS * GAMES_OF_A_START or (
                self._played >= FEWEST and self._decisions > ENOUGH_DECISIONS
            )

    def _weigh(self, scores: Sequence[int]) -> None:
        """Record the scores of all seats in a game."""
        self._stake = max(self._stake, *map(abs, scores))
        self._balanced = self._balanced and sum(scores) == 0

    def spread(self) -> Spread:
        """The statistics."""
        margins = self._margins
        if not margins:
            return Spread(0.0, 1.0, 0, 0)
        mean = fmean(margins)
        deviation = sqrt(fmean((margin - mean) ** 2 for margin in margins))
        stake = self._stake if self._balanced else 0
        return Spread(mean, deviation or 1.0, max(map(abs, margins)), stake)


@once_for_program
def random_margins(program: Program) -> RandomMargins:
    """The margins that were measured so far for a program."""
    return RandomMargins()


@dataclass(frozen=True)
class Scoring:
    """The scoring rules of a game, as needed for values.

    `sides` are the seats that win together with each seat, itself among them, and `rivals` all others. `win_share`: the
    weight of winning. `place` is the number of the criterion that counts as the score, and `sign` is -1 if the lowest
    score wins. `conditional`: winning takes more than the best score. `payments`: scores are what seats pay each other.
    """

    seats: int
    criteria: int
    cooperative: bool
    win_share: float
    spread: Spread
    sides: tuple[tuple[int, ...], ...]
    rivals: tuple[tuple[int, ...], ...]
    place: int
    sign: int
    conditional: bool
    payments: bool = False

    def values(self, winners: int, scores: Sequence[int] | None) -> Values:
        """The value for each seat; winners are bits, scores the criteria of all seats in a row if they have values."""
        if scores is None:
            return (0.5,) * self.seats
        shares, weight = self.shares(winners), self.win_share
        if weight == 1.0:
            return shares
        worth = map(self.of_margin, self.margins(scores))
        return tuple([weight * share + (1.0 - weight) * value for share, value in zip(shares, worth, strict=True)])

    def of_margin(self, margin: int) -> float:
        """The value of a margin."""
        return value_of_margin(self.record, margin) / records.ONE

    def shares(self, winners: int) -> Values:
        """Each seat's share of the win."""
        return win_shares(winners, self.sides, self.cooperative)

    def margins(self, scores: Sequence[int]) -> list[int]:
        """The lead of each seat over its best rival by their scores.

        In a cooperative game, or if scores are payments, it is the score itself.
        """
        points = self.points(scores)
        return [margin_of(points, self.record, seat) for seat in range(self.seats)]

    def points(self, scores: Sequence[int]) -> list[int]:
        """The score of each seat."""
        return list(scores[self.place :: self.criteria])

    @cached_property
    def record(self) -> records.Scoring:
        """The scoring rules as the search has them."""
        return records.Scoring(**self.arrays())

    def arrays(self) -> dict[str, list[int]]:
        """The contents of the arrays of that record."""
        unit = 1 << records.MEAN_BITS
        mean = round(self.spread.mean * unit) if self.cooperative else 0
        facts = [
            self.seats, self.criteria, self.cooperative, round(self.win_share * records.ONE), self.payments,
            mean, max(1, round(self.spread.deviation * unit)), max(1, self.spread.stake), self.place,
        ]  # fmt: skip
        return {
            "facts": [int(fact) for fact in facts],
            "sides": [sum(1 << seat for seat in side) for side in self.sides],
            "rivals": [sum(1 << seat for seat in side) for side in self.rivals],
            "tanh": list(TANH),
        }

    @property
    def each_alone(self) -> bool:
        """True if every seat plays for itself."""
        return all(len(side) == 1 for side in self.sides)


def win_shares(winners: int, sides: Sequence[tuple[int, ...]], together: bool) -> Values:
    """Each seat's share of the win: winning sides get equal parts, and all seats of a side get its part.

    `winners` are bits, `sides` as in `Scoring`. `together`: all win or lose together, so each gets the whole win or
    nothing.
    """
    if together:
        return (1.0 if winners else 0.0,) * len(sides)
    won = [seat for seat in range(len(sides)) if winners >> seat & 1]
    share = 1.0 / max(1, len({sides[seat] for seat in won}))
    return tuple([share if winners >> seat & 1 else 0.0 for seat in range(len(sides))])


def scoring_of(state: State, backend: Backend | None = None, enough: Callable[[], bool] | None = None) -> Scoring:
    """The scoring rules for a position of a game.

    Random games are played on the first call; if `enough` stops them, the rest is played on the next one.
    """
    program = state.program
    winner = program.model.winner
    assert winner is not None
    sides = sides_of(program, state)
    seats = range(len(sides))
    together, conditional = win_together(program, sides), bool(program.conditions)
    place = place_of_score(program, together)
    lowest = place is not None and winner.criteria[place].direction == "lowest"
    scoring = Scoring(
        len(sides), len(winner.criteria), together, CONDITIONAL_WIN_SHARE if conditional else WIN_SHARE,
        Spread(0.0, 1.0, 0, 0), sides, tuple(tuple(seat for seat in seats if seat not in side) for side in sides),
        place or 0, -1 if lowest else 1, conditional,
    )  # fmt: skip
    if place is None:
        return replace(scoring, win_share=1.0)
    margins = random_margins(program)
    margins.play(state.game, backend, scoring, enough or (lambda: False))
    spread = margins.spread()
    if scoring.cooperative:
        return replace(scoring, spread=spread)
    if spread.greatest <= DECISIVE:
        return replace(scoring, spread=spread, win_share=1.0)
    if spread.stake and scoring.each_alone and not conditional:
        return replace(scoring, spread=spread, win_share=0.0, payments=True)
    return replace(scoring, spread=spread)


def place_of_score(program: Program, together: bool) -> int | None:
    """The number of the criterion that counts as the score: the first number; None if all criteria are conditions.

    Unless all win or lose `together`, a number that is the same for all seats tells nothing about who is ahead.
    """
    winner = program.model.winner
    assert winner is not None
    for place, criterion in enumerate(winner.criteria):
        if not criterion.is_condition and (together or not program.is_same_for_all(criterion)):
            return place
    return None


def win_together(program: Program, sides: Sequence[tuple[int, ...]]) -> bool:
    """True if all seats win or lose together: no criterion tells them apart, or they are one team."""
    winner = program.model.winner
    assert winner is not None
    return len(sides[0]) == len(sides) or all(map(program.is_same_for_all, winner.criteria))


def sides_of(program: Program, state: State) -> tuple[tuple[int, ...], ...]:
    """For each seat, the seats that win together with it, including itself, by the teams in this position."""
    seats = range(len(program.layout.seats))
    try:
        teams = program.teams(state.cells)
    except PlayError:
        teams = ()
    if not teams:
        return tuple((seat,) for seat in seats)
    return tuple(
        (seat,) if teams[seat] is None else tuple(mate for mate in seats if teams[mate] == teams[seat])
        for seat in seats
    )


# ---------------------------------------------------------------- a search of depth one


def values_after_one_move(
    worlds: Sequence[SearchState[State]], seat: int, scoring: Scoring, enough: Callable[[], bool]
) -> list[float]:
    """For each legal move the mean value of the position after it for a seat, over some worlds.

    Worlds that come after `enough` are ignored; in the first one, the remaining moves count as neutral.
    """
    values_by_world: list[list[float]] = []
    for number, world in enumerate(worlds):
        if number and enough():
            break
        values_by_world.append([
            NEUTRAL if not number and enough() else _value_after(world, move, seat, scoring)
            for move in range(world.move_count)
        ])  # fmt: skip
    return [fmean(values) for values in zip(*values_by_world, strict=True)]


def _value_after(world: SearchState[State], move: int, seat: int, scoring: Scoring) -> float:
    try:
        world.push(move)
    except PlayError:
        return NEUTRAL
    try:
        return value_now(world, seat, scoring)
    finally:
        world.pop()


def value_now(world: SearchState[State], seat: int, scoring: Scoring) -> float:
    """The value of a position for a seat, as if the game were over."""
    if world.over or scoring.conditional or scoring.win_share == 1.0:
        return scoring.values(*world.rollout(0, horizon=0))[seat]
    scores = world.scores()
    if scores is None:
        return NEUTRAL
    return scoring.of_margin(scoring.margins([number for row in scores for number in row])[seat])
