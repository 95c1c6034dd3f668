"""What the tests over random games share: loaded games, options in turn, seeds spread over test cases."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from interpreter import Game, State, load

NAME = "chinesische_mauer"
COUNTS = (2, 3, 4, 5)
CHUNKS = 4
Options = tuple[tuple[str, str], ...]


@cache
def settings(players: int) -> tuple[Options, ...]:
    """The defaults, then every other value of every option at least once, then all unusual ones together."""
    game = load(NAME, players)
    others = [
        (info.name, value)
        for info in game.option_info
        for value in info.values
        if value != info.default and (value in game.seats or value not in game.all_seats)
    ]
    return ((), *((other,) for other in others), tuple(dict(others).items()))


@cache
def game_of(players: int, options: Options = ()) -> Game:
    """A game, loaded once."""
    return load(NAME, players, dict(options))


def games(players: int, chunk: int, many: int) -> Iterator[tuple[Game, int]]:
    """The games and seeds of one test case; over all of them every setting comes up again and again."""
    for seed in range(chunk, many, CHUNKS):
        ways = settings(players)
        yield game_of(players, ways[(seed // CHUNKS + chunk) % len(ways)]), seed


def at_random(state: State, rng: random.Random) -> str:
    """Push a random legal move; gives its notation."""
    move = rng.choice(state.legal_moves)
    state.push(move)
    return move.notation


def finished(state: State, seed: int) -> State:
    """The state, played at random to the end."""
    rng = random.Random(seed)
    while state.player is not None:
        at_random(state, rng)
    return state


def pieces(data: Any) -> Iterator[dict[str, Any]]:
    """Every piece in a zone, attached ones too."""
    for piece in data:
        yield piece
        for attached in piece["attached"].values():
            yield from pieces(attached)
