"""Actions that seem never worth doing, judged by random games.

At decisions of random games with several actions, a few moves of each are followed by random games to their end. The
move that does best in the first half of these stands for its action, and the second half says how often the deciding
seat wins after it: judged by the same games that chose it, an action with many moves would look better than it is.

    decision 12, red may: `sell`  after 4 moves tried: best wins 9 of 16, then 8 of 16 → 0.50
                          `wait`  one move:                               then 5 of 16 → 0.31, a loss of 0.19

After 25 such decisions with a mean loss well above its error, `wait` is a finding.

Random games are poor judges: what prepares something that players follow up looks worthless. So an action is named only
if it was behind another one nearly every time, and the finding says what it rests on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import field
from functools import cached_property, partial
from itertools import count
from math import sqrt
from statistics import fmean, stdev
from time import monotonic

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import SearchState, search_state
from interpreter.analysis.workers import spread_as_planned
from interpreter.authoring.coverage.random_games import Setting, settings
from interpreter.errors import PlayError
from interpreter.exploration.findings import Course, Finding
from interpreter.loading.rules import Rules
from interpreter.play.game import Game, GamesOfRules, State

MAX_MOVES = 3
"""Number of moves of an action that are tried at one decision."""

ROLLOUTS = 16
"""Number of random games after each move, and again after the best one."""

SAMPLED = 0.1
"""Share of the decisions with several actions that are looked at."""

MIN_TIMES = 25
"""Number of decisions at which an action must have been compared before anything is said about it."""

MAX_BEST_SHARE = 0.08
"""An action that was best at a larger share of these decisions is not named."""

MIN_LOSS = 0.05
"""Nor is one that costs less than this share of a win on average, or less than four standard errors."""

STANDARD_ERRORS = 4.0

LONGEST_GAME = 1_000
"""Number of decisions after which a game is left; of a random game from a decision, who is ahead then counts."""

MAX_GAMES_AHEAD = 16
"""Number of games that are planned before the results of those before them are known."""


@dataclass
class Compared:
    """An action at one decision of the rules, compared with the others there.

    `losses` has for each sampled decision how much more often the seat wins after the best other action, below zero if
    it wins less often. `course` is the shortest that leads to such a decision.
    """

    location: str
    name: str
    course: Course
    losses: list[float] = field(default_factory=list)

    @property
    def is_dominated(self) -> bool:
        """True if the action was behind another one nearly every time, by more than chance explains."""
        losses = self.losses
        if len(losses) < MIN_TIMES or self.times_best > MAX_BEST_SHARE * len(losses):
            return False
        return fmean(losses) > max(MIN_LOSS, STANDARD_ERRORS * stdev(losses) / sqrt(len(losses)))

    @property
    def times_best(self) -> int:
        """At how many of the decisions no other action did better."""
        return sum(loss <= 0 for loss in self.losses)

    @property
    def finding(self) -> Finding:
        """The action as a finding."""
        times = len(self.losses)
        words = (
            f"`{self.name}` was behind another action at {times - self.times_best} of {times} sampled decisions, by "
            f"{fmean(self.losses):.0%} of the random games from there"
        )
        return Finding("dominated", self.location, words, self.course)


@dataclass(frozen=True)
class _GamePlan:
    """A random game in which actions are compared, at no more than `most` decisions, until the clock reads `end`."""

    setting: Setting
    seed: int
    choices: str
    most: int
    end: float


@dataclass
class _ComparedInGame:
    """At how many decisions of a game actions were compared, and with what results."""

    looked_at: int = 0
    compared: dict[tuple[int, str], Compared] = field(default_factory=dict)


@dataclass
class Comparison:
    """The actions compared so far, at `looked_at` decisions; it ends after `most` decisions, or when the time is over.

    `end` is a time of the monotonic clock.
    """

    rules: Rules
    seed: int
    end: float
    most: int
    looked_at: int = 0
    compared: dict[tuple[int, str], Compared] = field(default_factory=dict)

    def run(self, jobs: int = 1) -> Iterator[None]:
        """Compare actions in one game after the other."""
        plans = map(self._plan, count())
        idle = 0
        with closing(spread_as_planned(partial(_played, self.rules), plans, jobs, _games_ahead)) as results:
            while self.looked_at < self.most and monotonic() < self.end and idle < MIN_TIMES:
                in_game = next(results)
                idle = 0 if in_game.looked_at else idle + 1
                self._add(in_game)
                yield

    def dominated(self) -> list[Finding]:
        """What was found."""
        return [action.finding for action in self.compared.values() if action.is_dominated]

    @cached_property
    def _settings(self) -> list[Setting]:
        return settings(self.rules)[0]

    def _plan(self, number: int) -> _GamePlan:
        setting = self._settings[number % len(self._settings)]
        choices = f"{self.seed}:{number}:actions"
        return _GamePlan(setting, self.seed + number + 1, choices, self.most - self.looked_at, self.end)

    def _add(self, in_game: _ComparedInGame) -> None:
        self.looked_at += in_game.looked_at
        for key, action in in_game.compared.items():
            if key not in self.compared:
                self.compared[key] = action
                continue
            earlier = self.compared[key]
            earlier.losses += action.losses
            earlier.course = min(earlier.course, action.course, key=lambda course: len(course.moves))


def _games_ahead(number: int) -> int:
    """How many games may be without a result when one is planned, that one included."""
    return min(MAX_GAMES_AHEAD, 1 + number)


def _played(rules: Rules, plans: Iterator[_GamePlan]) -> Iterator[_ComparedInGame]:
    """Compare actions in planned games; one in which a rule fails counts up to there."""
    games = GamesOfRules(rules)
    for plan in plans:
        in_game = _ComparedInGame()
        with suppress(PlayError):
            _compare_in_game(games.seated(plan.setting.players, plan.setting.options), plan, in_game)
        yield in_game


def _compare_in_game(game: Game, plan: _GamePlan, in_game: _ComparedInGame) -> None:
    """Play a game and compare actions at some of its decisions. Raises PlayError."""
    rng, state = random.Random(plan.choices), game.start(plan.seed)
    while not state.over and state.ply < LONGEST_GAME and in_game.looked_at < plan.most and monotonic() < plan.end:
        acts = _acts(state)
        if len(acts) > 1 and rng.random() < SAMPLED:
            in_game.looked_at += 1
            course = Course(plan.setting, state.seed, tuple(move.code for move in state.made))
            _compare(state, acts, rng, course, in_game.compared)
        state.push_number(rng.randrange(len(state.program.legal(state.cells))))


def _acts(state: State) -> dict[int, list[int]]:
    """The numbers of the legal moves by their acts; nothing at decisions that choose from a set."""
    decision = state.program.decision(state.cells)
    acts: dict[int, list[int]] = {}
    if decision is not None and isinstance(decision.node, ast.Decide):
        for number, code in enumerate(state.program.legal(state.cells)):
            acts.setdefault(code[0], []).append(number)
    return acts


def _compare(
    state: State, acts: dict[int, list[int]], rng: random.Random, course: Course,
    compared: dict[tuple[int, str], Compared],
) -> None:  # fmt: skip
    """Add the losses of all actions at a decision. Raises PlayError."""
    decision = state.program.decision(state.cells)
    assert decision is not None
    search, moves = search_state(state), state.legal_moves
    seat = state.seat_number(state.player)
    assert seat is not None
    shares: dict[str, float] = {}
    for numbers in acts.values():
        tried = rng.sample(numbers, min(MAX_MOVES, len(numbers)))
        first, second = rng.randrange(1 << 30), rng.randrange(1 << 30)
        best = max(tried, key=lambda number: _share(search, number, seat, first)) if len(tried) > 1 else tried[0]
        shares[moves[best].notation.partition("(")[0]] = _share(search, best, seat, second)
    for name, share in shares.items():
        best_other = max(other_share for other_name, other_share in shares.items() if other_name != name)
        key = (decision.node.number, name)
        if key not in compared:
            compared[key] = Compared(decision.node.span.location, name, course)
        compared[key].losses.append(best_other - share)
        if len(course.moves) < len(compared[key].course.moves):
            compared[key].course = course


def _share(search: SearchState[State], number: int, seat: int, seed: int) -> float:
    """The share of the wins of a seat in random games after a move. Raises PlayError."""
    search.push(number)
    try:
        return _won(search.rollouts(ROLLOUTS, seed, LONGEST_GAME).winners, seat)
    finally:
        search.pop()


def _won(winners: Sequence[int], seat: int) -> float:
    return fmean((won >> seat & 1) / max(1, won.bit_count()) for won in winners)
