"""Rules with searches for paths and packings: games in C are those in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.native.games import native_source
from tests.interpreter.native.comparing import compared, library_of
from tests.interpreter.native.compiled import SANITIZED, library

HERE = Path(__file__).parent
LANGUAGE = HERE.parents[1] / "language" / "rules"


def test_every_search() -> None:
    """The checks of the compiler find nothing in any of them, either."""
    game = load(HERE / "searches.rules")
    assert compared(game, library_of(game), 0, 60)["games"] == 60
    library(native_source(game.program), *SANITIZED)


@pytest.mark.parametrize("name", ["roads", "relations"])
def test_rules_of_the_language(name: str) -> None:
    game = load(LANGUAGE / f"{name}.rules")
    assert compared(game, library_of(game), 0, 60)["games"] == 60


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rows", ["disjoint", "longest_per_network"])
def test_rows_of_houses(players: int, rows: str) -> None:
    game = load("china", players, {"advanced": True, "rows": rows})
    assert compared(game, library_of(game), 0, 20)["games"] == 20
