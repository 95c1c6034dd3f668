"""Rules with searches for paths and packings: games in the machine engine are those in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.analysis.backends import why_no_machine
from tests.interpreter.machine.comparing import compared
from tests.interpreter.machine.walking import Walk

SEARCHES = Path(__file__).parent / "searches.rules"
ROADS = Path(__file__).parents[2] / "language" / "rules" / "roads.rules"

LEFT_TO_PYTHON = (
    "    for each s in paths(stone of me, downhill", "    for each s in groups", "    for each s in lines",
    "    take_down(way(me))",
)  # fmt: skip
"""How the calls begin that the machine engine cannot print: searches by a relation, and lists of lines."""

ABOUT_HILLS = "    for each s in hills(me)", "    for each t in first(40", "        for each s in t"


def test_searches_over_graphs(tmp_path: Path) -> None:
    path = tmp_path / "searches.rules"
    lines = SEARCHES.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith((*LEFT_TO_PYTHON, *ABOUT_HILLS))), "utf-8")
    game = load(path)
    assert compared(game, 0, 40)["games"] == 40
    assert Walk(game, 1).go(60)["moves"]


def test_searches_by_relations_are_left_to_python() -> None:
    assert why_no_machine(load(SEARCHES)) == "the machine engine cannot play the operation paths_by"


def test_searches_for_roads() -> None:
    assert compared(load(ROADS), 0, 40)["games"] == 40


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rows", ["disjoint", "longest_per_network"])
def test_rows_of_houses(players: int, rows: str) -> None:
    game = load("china", players, {"advanced": True, "rows": rows})
    assert compared(game, 0, 20)["games"] == 20
