"""Rules with searches for paths and packings: games in C are those in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from tests.interpreter.native.comparing import compared, library_of

HERE = Path(__file__).parent
LANGUAGE = HERE.parents[1] / "language" / "rules"


@pytest.mark.parametrize("path", [HERE / "searches.rules", LANGUAGE / "roads.rules", LANGUAGE / "relations.rules"])
def test_every_search(path: Path) -> None:
    game = load(path)
    assert compared(game, library_of(game), 0, 40)["games"] == 40


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rows", ["disjoint", "longest_per_network"])
def test_rows_of_houses(players: int, rows: str) -> None:
    game = load("china", players, {"advanced": True, "rows": rows})
    assert compared(game, library_of(game), 0, 20)["games"] == 20
