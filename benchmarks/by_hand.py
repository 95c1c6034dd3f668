"""`python -m benchmarks.by_hand`: the machine engine against careful Python written by hand.

First a sample of both sides shows that they play the same game: the mean length and the share that the first player
wins differ by no more than chance explains. Then short slices of both are measured alternately.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt
from statistics import mean, stdev

from benchmarks import hand_written
from benchmarks.figures import Figure, shown, table
from benchmarks.machine import PART, ours
from benchmarks.paired import compared, timed
from interpreter.analysis.playouts import playouts
from interpreter.play.game import Game, load

GAMES = {
    "tic_tac_toe": ("tictactoe", 20_000),
    "connect_four": ("connect4", 8_000),
    "breakthrough": ("breakthrough", 1_500),
    "hex": ("hex11", 800),
    "othello": ("othello", 500),
    "kuhn_poker": ("kuhn", 40_000),
    "leduc_poker": ("leduc", 20_000),
}
"""Our name, the name in `hand_written`, and the games of the sample."""

FURTHEST = 4.0
"""From this many standard errors on, the games differ: chance alone exceeds it in one table out of a thousand."""

ByHand = Callable[[int], tuple[int, int]]  # games -> decisions, wins of the first player


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Random games in the machine engine against hand-written Python."""
    figures = []
    for name, (other, sample) in GAMES.items():
        game, by_hand = load(name, 2), hand_written.GAMES[other][0]
        note = agreement(game, by_hand, max(100, round(sample * min(1.0, span))))
        found = compared(timed(ours(game, "machine")), timed(theirs(by_hand)), rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
        figures.append(
            Figure(
                f"{name} in the machine engine against hand-written Python", "times", found.ratios, f"{speeds}; {note}"
            )
        )
    return figures


def theirs(by_hand: ByHand) -> Callable[[int, int], float]:
    """The hand-written ones."""

    def play(_: int, games: int) -> float:
        by_hand(games)
        return games

    return play


def agreement(game: Game, by_hand: ByHand, games: int) -> str:
    """Whether both sides play the same game, judging by a sample of each."""
    played = list(playouts(game, games))
    random.seed(0)
    decisions, wins = by_hand(games)
    lengths = [each.decisions for each in played]
    won = mean(each.winners == game.seats[:1] for each in played)
    share = (won + wins / games) / 2
    error_of_length = stdev(lengths) * sqrt(2 / games)
    error_of_share = sqrt(share * (1 - share) * 2 / games)
    furthest = max(
        abs(mean(lengths) - decisions / games) / error_of_length if error_of_length else 0.0,
        abs(won - wins / games) / error_of_share if error_of_share else 0.0,
    )
    verdict = "the same game" if furthest < FURTHEST else "NOT THE SAME GAME"
    seen = f"{mean(lengths):.2f} and {decisions / games:.2f} decisions, first wins {won:.1%} and {wins / games:.1%}"
    return f"{verdict}: {seen} ({furthest:.1f} standard errors)"


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
