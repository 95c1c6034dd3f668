"""Rules with searches for paths and packings: games in C are those in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.analysis.playouts import Playout
from interpreter.random_games import random_games
from interpreter.seated_game import SeatedGame
from tests.interpreter.native.compiled import SANITIZED, played

HERE = Path(__file__).parent
QUICK = ("-O0", "-std=gnu11")
LANGUAGE = HERE.parents[1] / "language" / "rules"


def failed(seed: int) -> None:
    """A game that ends in a fault."""


def compared(game: SeatedGame, count: int, *flags: str) -> int:
    """Compare games in C with those in Python; how many were played to their end in C."""
    of_python = list(random_games(game.program).play(range(count), Playout, failed))
    of_c = played(game, 0, count, *flags)
    for mine, theirs in zip(of_c, of_python, strict=True):
        assert mine is None or mine == theirs
    return count - of_c.count(None)


def test_every_search() -> None:
    assert compared(load(HERE / "searches.rules"), 60, *SANITIZED) == 60


@pytest.mark.parametrize("name", ["roads", "relations"])
def test_rules_of_the_language(name: str) -> None:
    assert compared(load(LANGUAGE / f"{name}.rules"), 60, *QUICK) == 60


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rows", ["disjoint", "longest_per_network"])
def test_rows_of_houses(players: int, rows: str) -> None:
    assert compared(load("china", players, {"advanced": True, "rows": rows}), 20, *QUICK) == 20
