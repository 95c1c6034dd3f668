"""Random games of the machine engine are the same as in Python, game by game: results, lengths, numbers of legal moves.

A difference in one legal move changes which moves are made from there on, and so the results.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from interpreter import Game, PlayError, RulesError, load
from interpreter.analysis.backends import playouts_of
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import attempts
from interpreter.machine.forms import UnprintableError
from interpreter.machine.games import NO_HORIZON, MachineGame
from tests.recorded.tables import SITTINGS, Table, game_at, shipped, tables_of
from tests.support import at_once_games, bound_games, round_games, secret_games, typed_games

NAMES = shipped()
GAMES, FEWER_GAMES = 20, {"chess": 4, "go": 2, "fells_and_becks": 8, "tallow_lane": 8, "backgammon": 8}
IN_THE_LONG_RUN, CHUNKS = 10_000, 8


class Difference(AssertionError):
    """A game is not the same."""


def compared(game: Game, seed: int, games: int) -> Counter[str]:
    """Play games in both ways; how many ended and how many failed. Raises Difference."""
    figures: Counter[str] = Counter()
    machine = MachineGame(game.program).machine()
    expected, first = list(attempts(game, games, seed)), 0
    while first < games:
        batch = machine.play(True, seed + first, games - first, NO_HORIZON)
        for result, mine in zip(expected[first:], playouts_of(game, batch, seed + first), strict=False):
            if result != mine:
                raise Difference(f"{game.name}: in the machine {mine}, in Python {result}")
            figures += Counter(games=1, decisions=mine.decisions)
        first += batch.played
        if batch.failed:
            if not isinstance(expected[first], Failed):
                raise Difference(f"{game.name}: a fault in the machine, in Python {expected[first]}")
            figures["faults"] += 1
            first += 1
    return figures


def table_of(name: str, number: int) -> Table:
    return next(islice(tables_of(name), number % SITTINGS, None))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_each_game(name: str) -> None:
    """No shipped game is left to Python."""
    number = NAMES.index(name)
    compared(game_at(table_of(name, number)), number * GAMES, FEWER_GAMES.get(name, GAMES))


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", NAMES)
def test_many_games(name: str, chunk: int) -> None:
    for number in range(chunk, SITTINGS, CHUNKS):
        games = IN_THE_LONG_RUN * FEWER_GAMES.get(name, GAMES) // GAMES // SITTINGS
        compared(game_at(table_of(name, number)), number * games, games)


KINDS = {
    "in rounds": round_games.rules,
    "with loops at once": at_once_games.rules,
    "with bound values": bound_games.rules,
    "with secrets": secret_games.rules,
    "with types": typed_games.rules,
    "with hypotheses": lambda number: typed_games.rules(number, hypotheses=True),
    "with numbers": lambda number: typed_games.rules(number, numbers=True),
    "with relations": lambda number: typed_games.rules(number, relations=True),
    "with repetition": lambda number: typed_games.rules(number, repetition=True),
    "with reactions": lambda number: typed_games.rules(number, reactions=True),
}
OF_A_KIND, OF_A_KIND_IN_THE_LONG_RUN = 4, 1000


@pytest.mark.parametrize("kind", KINDS)
def test_generated_games(kind: str, long_run: bool, tmp_path: Path) -> None:
    figures: Counter[str] = Counter()
    for number in range(OF_A_KIND_IN_THE_LONG_RUN if long_run else OF_A_KIND):
        path = tmp_path / f"game_{number}.rules"
        path.write_text(KINDS[kind](number), encoding="utf-8")
        try:
            game = load(path, players=None)
            figures += Counter(accepted=1, **compared(game, 0, 3))
        except RulesError:
            figures["refused"] += 1
        except PlayError:
            figures["unplayable"] += 1
        except UnprintableError:
            figures["left to Python"] += 1
        except Difference as difference:
            raise Difference(f"game {number}: {difference}") from None
    assert figures["accepted"] > figures["left to Python"], figures
