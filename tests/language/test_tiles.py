"""A game of tiles on a map without a frame: features merge by a relation, compared with a union-find in Python."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import State, load
from interpreter.seat.explain.query import evaluate_query
from interpreter.seat.views.model import PiecesCell, ValueCell
from tests.interpreter.lockstep import play, programs, same_playout
from tests.interpreter.machine.comparing import compared
from tests.interpreter.machine.walking import Walk

TILES = Path(__file__).parent / "rules" / "tiles.rules"
PRINTED = {
    "gate": "crfr", "corner": "ccff", "bend": "ffrr", "bridge": "cfcf", "fork": "frrr", "square": "cccc",
}  # fmt: skip
PARTED = {"bridge", "fork"}
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

Cell = tuple[int, int]
Edge = frozenset[Cell]


def test_the_examples_hold() -> None:
    results = run_examples(TILES)
    assert len(results) == 3
    assert [failure for result in results for failure in result.failures] == []


def test_random_games_are_the_same_however_they_are_played() -> None:
    game = load(TILES)
    same_playout(game, 2, play(programs(game), 2, 2, journal=True))
    assert compared(game, 0, 3)["games"] == 3
    assert Walk(game, 1).go(15)["moves"]


def cell_of(name: str) -> Cell:
    """The coordinates of a place by its name: `w3n1` is (-3, 1)."""
    split = max(name.find("n"), name.find("s"))
    across, up = int(name[1:split]), int(name[split + 1 :])
    return (across if name[0] == "e" else -across), (up if name[split] == "n" else -up)


def map_of(state: State) -> dict[Cell, tuple[str, int]]:
    """The design and the turn of the tile in each cell, as everybody sees them."""
    table = next(table for table in state.view(None).tables if table.title == "Map")
    assert table.board is not None
    found = {}
    for place, (design, turned) in zip(table.board.places, table.rows, strict=True):
        assert isinstance(design, ValueCell) and isinstance(turned, ValueCell) and not isinstance(design, PiecesCell)
        found[cell_of(place)] = (str(design.value), int(str(turned.value)))
    return found


def features(tiles: dict[Cell, tuple[str, int]], kind: str) -> set[frozenset[Edge]]:
    """The connected features of a kind, each as the set of the edges of cells that it crosses."""
    groups: list[set[Edge]] = []
    for (x, y), (design, turned) in tiles.items():
        own = [
            frozenset({(x, y), (x + across, y + up)})
            for number, (across, up) in enumerate(STEPS)
            if PRINTED[design][(number - turned) % 4] == kind
        ]
        parts = [{edge} for edge in own] if design in PARTED else [set(own)] if own else []
        for part in parts:
            joined = [group for group in groups if group & part]
            groups = [group for group in groups if not group & part] + [part.union(*joined)]
    return {frozenset(group) for group in groups}


def edges_of(words: str) -> frozenset[Edge]:
    return frozenset(frozenset(map(cell_of, name.split("_"))) for name in words.strip("{}").split(", "))


@pytest.mark.parametrize("seed", range(4))
def test_features_are_those_of_the_tiles(seed: int) -> None:
    state, rng = load(TILES).start(seed=seed), Random(seed)

    def value(text: str) -> str:
        return evaluate_query(state.program, state.cells, text, None).value

    while not state.over:
        state.push(rng.choice(state.legal_moves))
        tiles = map_of(state)
        for name, kind in (("cities", "c"), ("roads", "r")):
            wanted = features(tiles, kind)
            count = int(value(f"count {name}"))
            assert {edges_of(value(f"nth({number}, {name})")) for number in range(1, count + 1)} == wanted
            assert count == len(wanted)
        for (x, y), (design, turned) in tiles.items():
            for number, (across, up) in enumerate(STEPS):
                other = tiles.get((x + across, y + up))
                if other is not None:
                    facing = PRINTED[other[0]][(number + 2 - other[1]) % 4]
                    assert PRINTED[design][(number - turned) % 4] == facing


def test_the_picture_shows_the_tiles_and_a_rim() -> None:
    state, rng = load(TILES).start(seed=5), Random(5)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
    board = state.view("ann").board
    assert board is not None
    cells, tiles = [cell_of(place.id) for place in board.places if place.list == "Cell"], map_of(state)
    for axis in (0, 1):
        used, shown = [cell[axis] for cell in tiles], [cell[axis] for cell in cells]
        assert (min(shown), max(shown)) == (min(used) - 1, max(used) + 1)
