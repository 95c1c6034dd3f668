"""`python -m benchmarks.worlds [GAME [PLAYERS [GAMES]]]`: the time for worlds of a decision, and how many differ.

A seat watches a random game and draws a world at each of its decisions, as a bot that plays it does. Measured is
processor time from the decision on, with what was observed since the seat's last one; then, with nobody in a hurry, how
many worlds follow in a second, and how many different ones. A share of the game is reached after that share of its
decisions.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from time import process_time

from benchmarks.figures import Figure, seconds, table
from benchmarks.large import GAMES as LARGE
from interpreter.errors import SamplingError
from interpreter.opponents.seat_observer import SeatObserver
from interpreter.play.game import Game, State, load
from interpreter.runtime.layout import DRAWN, MOVES, RANDOM

HIDDEN = (*LARGE, "go_fish", "hearts", "spades", "leduc_poker", "weir_keepers", "tallow_lane")
"""The games measured: the large ones, and others in which seats know different things."""

SHARES = (0.1, 0.25, 0.5, 0.75, 0.95)

LATEST = 0.35
"""After this many seconds of processor time, worlds that agree less are accepted, as in a search of one second."""

SPAN = 0.5
"""The seconds of processor time in which different worlds are counted."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The first world of a decision, and how many follow in a second, at several points of random games."""
    return [figure for name in HIDDEN for figure in worlds(load(name), range(max(1, rounds // 2)))]


def worlds(game: Game, seeds: Iterable[int]) -> Iterator[Figure]:
    """The worlds of one game, with its smallest number of seats or as it was loaded."""
    first: dict[float, list[float]] = {share: [] for share in SHARES}
    drawn_a_second: dict[float, list[float]] = {share: [] for share in SHARES}
    different: dict[float, list[float]] = {share: [] for share in SHARES}
    agree: dict[float, list[bool]] = {share: [] for share in SHARES}
    for seed in seeds:
        for share, spent, (all_worlds, different_ones), agrees in of_one_game(game, seed):
            first[share].append(spent)
            drawn_a_second[share].append(all_worlds)
            different[share].append(different_ones)
            agree[share].append(agrees)
    for share in SHARES:
        if first[share]:
            agreeing = f"{sum(agree[share])} of {len(agree[share])} agree with everything observed"
            name = f"{game.name}, {len(game.seats)} seats, after {share:.0%}"
            yield Figure(f"{name}: first world", "s", tuple(first[share]), agreeing)
            yield Figure(f"{name}: worlds", "1/s", tuple(drawn_a_second[share]))
            yield Figure(f"{name}: different worlds", "1/s", tuple(different[share]))


def of_one_game(game: Game, seed: int) -> Iterator[tuple[float, float, tuple[float, float], bool]]:
    """The share of the game, the seconds to the first world, all and different ones a second, whether they agree."""
    moves = played(game, seed)
    state, observers = game.start(seed), {seat: SeatObserver(seat) for seat in game.seats}
    shares = list(SHARES)
    for number, move in enumerate(moves):
        if len(state.legal_moves) > 1:
            assert state.player is not None
            observer = observers[state.player]
            spent = seconds(partial(drawn, observer, state))
            if shares and number >= shares[0] * len(moves):
                agrees = observer.agrees
                yield shares.pop(0), spent, worlds_in_a_second(observer, state), agrees
        state.push(move)


def played(game: Game, seed: int) -> Sequence[str]:
    """The moves of a random game."""
    state, rng = game.start(seed), random.Random(seed)
    moves = []
    while not state.over:
        move = rng.choice(state.legal_moves)
        moves.append(move.notation)
        state.push(move)
    return moves


def drawn(observer: SeatObserver, state: State) -> None:
    """Draw a world as a search with a time limit does. Raises SystemExit if there is none."""
    begun = process_time()

    def late() -> bool:
        return process_time() - begun > LATEST

    try:
        observer.situation(state, 1, 2).sampler.states(1, late, late, timed=True)
    except SamplingError as error:
        raise SystemExit(f"{state.game.name}: {error}") from None


def worlds_in_a_second(observer: SeatObserver, state: State) -> tuple[float, float]:
    """Worlds in a second, and different ones, as far as somebody who sees everything can tell them apart."""
    sampler, begun, found = observer.situation(state, 1, 2).sampler, process_time(), set[str]()
    spent, counting, count = 0.0, 0.0, 0
    while spent < SPAN:
        (world,) = sampler.states(1, timed=True)
        drawn_at = process_time()
        spent, count = drawn_at - begun - counting, count + 1
        found.add(repr([value for cell, value in enumerate(world.cells) if cell not in (RANDOM, MOVES, DRAWN)]))
        counting += process_time() - drawn_at
    return count / spent, len(found) / spent


if __name__ == "__main__":
    players = int(sys.argv[2]) if len(sys.argv) > 2 else None
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    named = sys.argv[1:2] or HIDDEN
    print(table([figure for name in named for figure in worlds(load(name, players), range(games))]))
