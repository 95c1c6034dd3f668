"""Rules with searches for paths and packings: games in the machine engine are those in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play.game import load
from tests.interpreter.machine.comparing import compared
from tests.interpreter.machine.walking import Walk

SEARCHES = Path(__file__).parent / "searches.rules"
ROADS = Path(__file__).parents[2] / "language" / "rules" / "roads.rules"


def test_searches_over_graphs() -> None:
    game = load(SEARCHES)
    assert compared(game, 0, 40)["games"] == 40
    assert Walk(game, 1).go(60)["moves"]


def test_searches_for_roads() -> None:
    assert compared(load(ROADS), 0, 40)["games"] == 40


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rows", ["disjoint", "longest_per_network"])
def test_rows_of_houses(players: int, rows: str) -> None:
    game = load("china", players, {"advanced": True, "rows": rows})
    assert compared(game, 0, 20)["games"] == 20
