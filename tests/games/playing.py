"""What the tests over random games share: the games, each with its numbers of players, options in turn, and seeds.

Every game with a file of items is tried. What the tests know of one game stands in modules named after it:
`comparing_NAME` (the game beside its independent model `reference_NAME`) and `NAME_properties`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter.loading.rules import Rules
from interpreter.play.game import Game, State, load, seat_game
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import IDLE, MOVES
from interpreter.seat.notation.moves import Move
from interpreter.seat.views.model import PieceView
from tests.support.headers import players_of
from tests.support.long_run import one_in

FOLDER = Path(__file__).parent.parent.parent / "games"
NAMES = tuple(path.stem for path in sorted(FOLDER.glob("*.items")))


@cache
def rules_of(name: str) -> Rules:
    """The rules of a game, read and checked once."""
    return load(name).rules


COUNTS = {name: players_of(FOLDER / f"{name}.rules") for name in NAMES}
TABLES = tuple((name, players) for name in NAMES for players in COUNTS[name])
CHUNKS = 4
FEWER = {"china": 10, "dschingis_khan": 10, "mauerbauer": 10, "chinesische_mauer": 4}
"""Games that take long: one in so many of the random games must do."""
Options = tuple[tuple[str, str], ...]

every_game = pytest.mark.parametrize("name", NAMES)
every_table = pytest.mark.parametrize(("name", "players"), TABLES)
every_chunk = pytest.mark.parametrize("chunk", range(CHUNKS))
even_tables = pytest.mark.parametrize(("name", "players"), one_in(2, TABLES))
odd_tables = pytest.mark.parametrize(("name", "players"), one_in(2, TABLES, 1))
even_chunks = pytest.mark.parametrize("chunk", one_in(2, range(CHUNKS)))
odd_chunks = pytest.mark.parametrize("chunk", one_in(2, range(CHUNKS), 1))
"""All in the long run, half of them in the normal one: other properties have the other half."""


@cache
def settings(name: str, players: int) -> tuple[Options, ...]:
    """The defaults, then every other value of every option at least once, then all unusual ones together."""
    game = game_of(name, players)
    others = [
        (info.name, value)
        for info in game.option_info
        for value in info.values
        if value != info.default and (value in game.seats or value not in game.all_seats)
    ]
    return ((), *((other,) for other in others), tuple(dict(others).items()))


@cache
def game_of(name: str, players: int, options: Options = ()) -> Game:
    """A game, set up for seats and options once."""
    return seat_game(rules_of(name), players, dict(options))


@cache
def dealt(name: str, players: int) -> tuple[Options, ...]:
    """Those settings that this number of players tries if each is tried with one number of players only.

    The defaults and all unusual values together are tried with every number.
    """
    every = list(dict.fromkeys(way for count in COUNTS[name] for way in settings(name, count)[1:-1]))
    mine = []
    for number, way in enumerate(every):
        counts = [count for count in COUNTS[name] if way in settings(name, count)]
        if counts[number % len(counts)] == players:
            mine.append(way)
    usual, *_, unusual = settings(name, players)
    return (usual, *mine, unusual)


def games(name: str, players: int, chunk: int, many: int) -> Iterator[tuple[Game, int]]:
    """The games and seeds of one test case; over all chunks every setting comes up.

    Where so many games are too few for that, every setting comes up over all numbers of players.
    """
    number, ways = many // FEWER.get(name, 1), settings(name, players)
    if number < len(ways):
        ways = dealt(name, players)
    for seed in range(chunk, max(number, len(ways), CHUNKS), CHUNKS):
        yield game_of(name, players, ways[seed % len(ways)]), seed


class Shuffles:
    """Chance for the interpreter that remembers what came out, for the other game."""

    def __init__(self, seed: int) -> None:
        self.rng, self.orders, self.picked = random.Random(seed), dict[str, list[str]](), dict[str, str]()

    def __call__(self, event: ChanceEvent) -> Any:
        if event.kind in ("pick", "roll"):
            place = self.rng.randrange(event.size)
            self.picked[event.what] = event.faces[place]
            return place
        order = list(range(event.size))
        self.rng.shuffle(order)
        self.orders[event.what] = [event.faces[place] for place in order]
        return order


def cells(state: State) -> list[Any]:
    """All of a state but what is kept only to be quick, and the count of idle turns."""
    return [cell for number, cell in enumerate(state.cells) if number not in (MOVES, IDLE)]


def at_random(state: State, rng: random.Random) -> Move:
    """Push a random legal move and return it; to read its words takes longer than to make it."""
    move = rng.choice(state.legal_moves)
    state.push(move)
    return move


def finished(state: State, seed: int) -> State:
    """The state, played at random to the end."""
    rng = random.Random(seed)
    while state.player is not None:
        at_random(state, rng)
    return state


def pieces(data: Iterable[PieceView]) -> Iterator[PieceView]:
    """Every piece in a zone, attached ones too."""
    for piece in data:
        yield piece
        for attached in piece.attached.values():
            yield from pieces(attached)
