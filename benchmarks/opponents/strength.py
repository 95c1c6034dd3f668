"""Our bots against each other: searching bots against simple ones, and long searches against short ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

from benchmarks.large import GAMES as LARGE
from benchmarks.opponents.series import Series
from interpreter.laboratory.matches import Broken, Sides, meetings, play, rotation_share, sides_of
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import BEST, EASY, HARD, KINDS, NORMAL, BotSpec, SpecProblem, spec_of
from interpreter.play.game import Game, load
from tests.support.library import representative

PLAYERS = {"chinesische_mauer": 3, "china": 3, "weir_keepers": 2}
"""The numbers of players; of other games the fewest play."""

SIDES = {"chinesische_mauer": 3, "china": 3, "no_thanks": 3, "hearts": 4}
"""How many sides there are where it is not two."""

MORE = {100: ("connect_four", "othello", "chinesische_mauer", "dschingis_khan"), 1000: ("connect_four", "othello")}
"""The games in which a number of iterations is compared with ten times as many."""

ITERATIONS_PER_SECOND = {
    "backgammon": 4_000, "breakthrough": 160_000, "checkers": 180_000, "chess": 2_500, "china": 4_000,
    "chinesische_mauer": 3_500, "connect_four": 400_000, "dschingis_khan": 600, "fells_and_becks": 1_500, "go": 7_000,
    "go_fish": 6_000, "goofspiel": 15_000, "hearts": 6_000, "hex": 100_000, "kuhn_poker": 90_000, "leduc_poker": 45_000,
    "liars_dice": 13_000, "mancala": 150_000, "mauerbauer": 3_000, "nim": 300_000, "nine_mens_morris": 40_000,
    "no_thanks": 12_000, "othello": 180_000, "pig": 55_000, "spades": 12_000, "tallow_lane": 3_000,
    "texas_holdem": 12_000, "tic_tac_toe": 400_000, "weir_keepers": 4_000,
}  # fmt: skip
"""Iterations of `mcts` in a second of processor time, with the worlds it needs: in searches of 2,000 iterations after a
tenth, half and four fifths of a random game. Bots with a limit of time play their series with the iterations of that
time, so that other work on the machine changes nothing.
"""

LEVELS = (EASY, NORMAL, HARD, BEST)

CURVE = (0.05, 0.2, 1.0, 5.0)
"""The thinking times of the learning curve, in seconds."""

MAX_GAMES_OF_STEPS = 40

TARGETS = {2: 0.7, 3: 0.55}
"""The share against greedy bots that is aimed at, by the number of sides."""


def series() -> Iterator[Series]:
    """All series of this kind; the representative games are played against random choices."""
    for name in representative():
        yield _series("random", name, "mcts:1000", "random", None)
    for name in LARGE:
        yield _series("greedy", name, "mcts:1000", "greedy", TARGETS[SIDES.get(name, 2)])
    for fewer, names in MORE.items():
        for name in names:
            yield _series("iterations", name, f"mcts:{10 * fewer}", f"mcts:{fewer}", None)
    for name in ITERATIONS_PER_SECOND:
        levels = [(level, level_iterations(name, level)) for level in LEVELS]
        times = [(f"{seconds:g} s", timed_iterations(name, seconds)) for seconds in CURVE]
        for part, steps in (("levels", levels), ("curve", times)):
            yield from (_step(part, name, less, more) for less, more in pairwise(steps))


def level_iterations(name: str, level: str) -> int:
    """The iterations of a level in a game: its own, or as many as its time allows."""
    budget = KINDS[level].budget
    assert budget is not None and budget.seconds is not None
    in_time = timed_iterations(name, budget.seconds)
    return in_time if budget.iterations is None else min(budget.iterations, in_time)


def timed_iterations(name: str, seconds: float) -> int:
    """The iterations of a thinking time in a game."""
    return round(ITERATIONS_PER_SECOND[name] * seconds)


def _step(part: str, name: str, less: tuple[str, int], more: tuple[str, int]) -> Series:
    """More thinking against less, both with a name."""
    series = _series(part, name, f"mcts:{more[1]}", f"mcts:{less[1]}", None)
    claim = f"{more[0]} (`mcts:{more[1]}`) against {less[0]} (`mcts:{less[1]}`)"
    step = f"{more[0]}:{more[1]} against {less[0]}:{less[1]}"
    return replace(series, name=f"{part}/{name}/{step}", claim=claim, most=MAX_GAMES_OF_STEPS)


def _series(part: str, name: str, one: str, other: str, target: float | None) -> Series:
    """One bot against another one; with more than two sides it sits alone at each in turn."""
    sides = SIDES.get(name, 2)

    def play_rotation(number: int) -> float:
        return _share(name, _bot(one), _bot(other), number)

    return Series(
        f"{part}/{name}/{one}", part, name, f"`{one}` against `{other}`", (_bot(one).name, _bot(other).name), sides,
        play_rotation, lambda: seated(name)[0].rules.hash, even=1 / sides, target=target,
    )  # fmt: skip


def _bot(text: str) -> BotSpec:
    spec = spec_of(text)
    assert not isinstance(spec, SpecProblem), spec.message
    return spec


@cache
def seated(name: str) -> tuple[Game, Sides]:
    """A game with its players, played by the machine engine, and who plays together in it."""
    game = load(name, PLAYERS.get(name))
    game.backend = "machine"
    return game, sides_of(game, 0)


def _share(name: str, one: BotSpec, other: BotSpec, number: int) -> float:
    """The share of the first bot in the rotation with a number."""
    game, sides = seated(name)
    assert len(sides) in (1, SIDES.get(name, 2)), sides
    found = {}
    for meeting in meetings(sides, 0, 1, number, alone=True):
        bots = [Driver((one, other)[bot], seat) for bot, seat in zip(meeting.seating, game.seats, strict=True)]
        result = play(game, number, bots)
        assert not isinstance(result, Broken), result.failed
        found[meeting.seating] = result
    return float(rotation_share(found, sides, 0, 1))
