"""Our `mcts` against OpenSpiel's `MCTSBot`, in C++ and in Python, with equally much processor time for each move.

Neither has a limit of processor time, so both get numbers of simulations, which follow the speed of the search before:
a move takes about `SECONDS_OF_A_MOVE`. What it did take is part of the results. Only searches count, not the rules of
the two games that are kept in lockstep. All play random games to the end. OpenSpiel's bots have the settings of its
example: exploration constant 2, and a solver for decided positions.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from functools import cache, partial

from benchmarks.classic import installed
from benchmarks.opponents.beside_openspiel import (
    EXPLORATION,
    LONGEST,
    MEMORY,
    Choice,
    notation_of,
    pair_of,
    play_in_step,
    rules_of,
    share_of,
)
from benchmarks.opponents.series import Series, Timed
from interpreter.analysis.workers import never
from interpreter.opponents.budgets import Budget
from interpreter.opponents.driver import Driver
from interpreter.opponents.mcts import Mcts
from interpreter.opponents.specs import MCTS, BotSpec
from tests.classic.twin import Pair

GAMES = ("connect_four", "breakthrough", "othello", "hex")
SECONDS_OF_A_MOVE = 0.05
FIRST_SIMULATIONS = 50
"""The simulations of the very first search, which is not part of any game."""

MAX_GROWTH = 1.25
"""The most by which the number of simulations grows from one move to the next."""

MIN_GAMES, MAX_GAMES, TARGET = 40, 100, 0.75
EXPECTED_SECONDS = 4.0
"""Expected processor time of a game that was never played."""

Search = Callable[[Pair, int], Callable[[], str]]
"""Prepares a search with a number of simulations, which returns a move by its notation."""


class Paced:
    """A player whose number of simulations follows the speed of its last search.

    A search that ended early, because everything was decided, says nothing about the speed; nor does the first one of a
    game, for which our bot also prepares to observe it.
    """

    def __init__(self, search: Search) -> None:
        self._search, self._simulations = search, FIRST_SIMULATIONS
        self.moves, self.seconds = 0, 0.0
        self._pair: Pair | None = None

    def prepare(self, pair: Pair) -> None:
        """Find out the speed in a position."""
        self.choose(pair)
        while self.choose(pair)[1] < SECONDS_OF_A_MOVE / 2:
            self._simulations *= 2
        self.moves, self.seconds = 0, 0.0

    def choose(self, pair: Pair) -> tuple[str, float]:
        """A move, and the processor time it took."""
        search = self._search(pair, self._simulations)
        begun = time.process_time()
        move = search()
        seconds = time.process_time() - begun
        self.moves, self.seconds = self.moves + 1, self.seconds + seconds
        if pair is self._pair and seconds > SECONDS_OF_A_MOVE / 2:
            self._simulations = max(1, round(self._simulations * min(MAX_GROWTH, SECONDS_OF_A_MOVE / seconds)))
        self._pair = pair
        return move, seconds


def series() -> Iterator[Series]:
    """All series of this kind."""
    for language, theirs in (("C++", _in_cpp), ("Python", _in_python)):
        for name in GAMES:
            yield Series(
                f"openspiel_time/{name}/{language}", "openspiel_time", name,
                f"`{MCTS}` against OpenSpiel's `MCTSBot` in {language}", (MCTS,), 2, _rotations(name, theirs),
                rules_of(name), target=TARGET, fewest=MIN_GAMES, most=MAX_GAMES, guess=EXPECTED_SECONDS,
            )  # fmt: skip


def _rotations(name: str, theirs: Search) -> Callable[[int], Timed]:
    """Plays the rotation with a number; the processor times are those of one move of each side."""

    def play_rotation(number: int) -> Timed:
        players = _prepared(name, theirs)
        before = [(player.moves, player.seconds) for player in players]
        share = sum(_share(name, players, number, seat) for seat in (0, 1)) / 2
        ours, others = (
            (player.seconds - seconds) / (player.moves - moves)
            for player, (moves, seconds) in zip(players, before, strict=True)
        )
        return Timed(share, ours, others)

    return play_rotation


@cache
def _prepared(name: str, theirs: Search) -> tuple[Paced, Paced]:
    """Our player and the other one, with their speeds at the beginning of a game."""
    players = Paced(_Ours().search), Paced(theirs)
    for player in players:
        player.prepare(pair_of(name, 0))
    return players


def _share(name: str, players: tuple[Paced, Paced], seed: int, seat: int) -> float:
    """The part of the win that our bot has at a seat."""
    pair = pair_of(name, seed)
    choices: list[Choice] = [lambda pair: players[1].choose(pair)[0]] * 2
    choices[seat] = lambda pair: players[0].choose(pair)[0]
    play_in_step(pair, choices)
    return share_of(pair, seat)


class _Ours:
    """Our bot, which observes a game from its beginning."""

    def __init__(self) -> None:
        self._pair: Pair | None = None
        self._drivers: dict[str, Driver] = {}

    def search(self, pair: Pair, simulations: int) -> Callable[[], str]:
        """See `Search`."""
        state, seat = pair.state, pair.state.player
        assert seat is not None
        if pair is not self._pair:
            self._pair, self._drivers = pair, {}
        driver = self._drivers.setdefault(seat, Driver(BotSpec(MCTS, MCTS), seat))
        bot = Mcts(Budget(iterations=simulations), horizon=LONGEST)
        return lambda: state.legal_moves[bot.choose(driver.situation(state, never))].notation.replace(" ", "")


def _in_cpp(pair: Pair, simulations: int) -> Callable[[], str]:
    pyspiel, seed = installed(), _seed(pair)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(
        pair.spiel.get_game(), evaluator, EXPLORATION, simulations, MEMORY, True, seed, False
    )  # fmt: skip
    return lambda: notation_of(pair, bot.step(pair.spiel))


def _in_python(pair: Pair, simulations: int) -> Callable[[], str]:
    mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
    random = partial(importlib.import_module("numpy.random").RandomState, _seed(pair))
    evaluator = mcts.RandomRolloutEvaluator(1, random())
    bot = mcts.MCTSBot(pair.spiel.get_game(), EXPLORATION, simulations, evaluator, random_state=random())
    return lambda: notation_of(pair, bot.step(pair.spiel))


def _seed(pair: Pair) -> int:
    """A seed for a move."""
    return pair.state.seed * 1000 + pair.state.ply
