"""Our bots against each other: searching bots against simple ones, and long searches against short ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from benchmarks.large import GAMES as LARGE
from benchmarks.opponents.series import Series
from dsl.text.folders import shipped_folder
from interpreter.laboratory.matches import Broken, Sides, meetings, play, rotation_share, sides_of
from interpreter.loading.game_library import EXAMPLES_SUFFIX, SUFFIX
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import BotSpec, SpecProblem, spec_of
from interpreter.play.game import Game, load

PLAYERS = {"chinesische_mauer": 3, "china": 3, "weir_keepers": 2}
"""The numbers of players; of other games the fewest play."""

SIDES = {"chinesische_mauer": 3, "china": 3, "no_thanks": 3, "hearts": 4}
"""How many sides there are where it is not two."""

MORE = {100: ("connect_four", "othello", "chinesische_mauer", "dschingis_khan"), 1000: ("connect_four", "othello")}
"""The games in which a number of iterations is compared with ten times as many."""

TARGETS = {2: 0.7, 3: 0.55}
"""The share against greedy bots that is aimed at, by the number of sides."""


def series() -> Iterator[Series]:
    """All series of this kind."""
    for path in sorted(shipped_folder().glob(f"*{SUFFIX}")):
        name = path.name.removesuffix(SUFFIX)
        if path.name.endswith(EXAMPLES_SUFFIX):
            continue
        yield _series("random", name, "mcts:1000", "random", None)
    for name in LARGE:
        yield _series("greedy", name, "mcts:1000", "greedy", TARGETS[SIDES.get(name, 2)])
    for fewer, names in MORE.items():
        for name in names:
            yield _series("iterations", name, f"mcts:{10 * fewer}", f"mcts:{fewer}", None)


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
