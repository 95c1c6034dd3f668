"""Edges that are drawn between their ends: walls between squares or hexagons, from a grid or a board file."""

from __future__ import annotations

import io
import json
from pathlib import Path
from textwrap import dedent

import pytest
from rich.console import Console

from cli.render.board import draw_board
from cli.render.palette import palette
from interpreter.authoring.rulebook.drawing import picture_of
from interpreter.seat.views.board_drawing import drawing_of, tiles_of
from interpreter.seat.views.board_shape import shape_of
from interpreter.seat.views.model import View
from regelwerk import load

RULES = """
game "Walls" for 2 players ann, ben

== components ==

FORM
piece Wall: 20 in store
piece Man: 1 for each owner: Player in box[owner]
zone store holds Wall
zone box[p: Player] holds Man
zone wall[b: Border] holds one Wall
zone man[c: Cell] holds one Man

table "Walls" for each b in Border, on board:
    "Wall": wall[b]
table "Men" for each c in Cell, on board:
    "Man": man[c]

== phases ==

phase play, turns from ann, over when man is not empty:
    must build or put

action build(b: Border):
    require wall[b] is empty    because "taken"
    move 1 from store to wall[b]
action put(c in reach(a1, Border - wall)): move 1 from box[me] to man[c]

== scoring ==

winner count box[me] is 0
"""
SQUARES = "type Cell from grid(3, 2)\ntype Border from borders(Cell)"
HEXAGONS = "type Cell from hexes(3, 2)\ntype Border from borders(Cell)"
FILE = 'board "rooms.json"\ntype Cell from board.rooms\ntype Border from board.doors'

ROOMS = {
    "format": 1, "name": "Rooms", "borders": ["doors"],
    "rooms": [{"id": f"{column}{row}", "at": [x, 2 - row]} for x, column in enumerate("abc") for row in (1, 2)],
    "doors": [
        *[{"id": f"{column}1_{column}2", "ends": [f"{column}1", f"{column}2"]} for column in "abc"],
        *[{"id": f"a{row}_b{row}", "ends": [f"a{row}", f"b{row}"]} for row in (1, 2)],
        *[{"id": f"b{row}_c{row}", "ends": [f"b{row}", f"c{row}"]} for row in (1, 2)],
    ],
}  # fmt: skip


def view_of(folder: Path, form: str, *moves: str) -> View:
    path = folder / "walls.rules"
    (folder / "rooms.json").write_text(json.dumps(ROOMS), encoding="utf-8")
    path.write_text(RULES.replace("FORM", form), encoding="utf-8")
    state = load(path).start(seed=1)
    for move in moves:
        state.push(move)
    return state.view("ann")


def drawn(view: View) -> list[str]:
    """The picture in the terminal, without the legend."""
    assert view.board is not None
    file = io.StringIO()
    board = draw_board(view.board, [table for table in view.tables if table.board], palette(view.seats), 80)
    Console(file=file, width=80, highlight=False, no_color=True).print(board)
    return [line.rstrip() for line in file.getvalue().splitlines() if ":" not in line]


DRAWN = {
    SQUARES: """
           ╻   ╷
     2   · ┃ · ┆ ·
       ╶┄┄┄╊━━━┽┄┄┄╴
     1   · ┃ · ┆ ·
           ╹   ╵
         a   b   c
    """,
    HEXAGONS: """
         a   b   c
             ╻   ╷
       1   · ┃ · ┆ ·
           ╺━┻━┭┄┴┄┬┄╴
         2   · ┆ · ┆ ·
               ╵   ╵
    """,
    FILE: """
         ╻   ╷
       · ┃ · ┆ ·
     ╶┄┄┄╊━━━┽┄┄┄╴
       · ┃ · ┆ ·
         ╹   ╵
    """,
}


@pytest.mark.parametrize("form", DRAWN, ids=["squares", "hexagons", "board file"])
def test_walls_stand_between_places(tmp_path: Path, form: str) -> None:
    walls = ("a1_b1", "b1_a2", "a1_a2") if form is HEXAGONS else ("a1_b1", "a2_b2", "b1_b2")
    picture = drawn(view_of(tmp_path, form, *[f"build({wall})" for wall in walls]))
    assert dedent("\n".join(picture)) == dedent(DRAWN[form]).strip("\n")


@pytest.mark.parametrize("form", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_borders_are_sides_of_tiles(tmp_path: Path, form: str) -> None:
    """In drawings places stay tiles, and a border ends at two of their corners, which both neighbours have."""
    view = view_of(tmp_path, form)
    assert view.board is not None
    shape = shape_of(view.board)
    drawing = drawing_of(shape, frozenset(("Cell", "Border")))
    tiles = tiles_of(drawing)
    assert tiles.keys() == {place.key for place in shape.nodes}
    borders = [place for place in drawing.places if place.kind == "stroke"]
    assert borders == list(drawing.places[-len(borders) :])  # over the tiles
    for border in borders:
        for end in shape.places[border.key].ends:
            for x, y in border.points:
                assert min(max(abs(x - corner[0]), abs(y - corner[1])) for corner in tiles[end]) < 4


def test_a_wall_is_drawn_over_empty_borders_in_a_rulebook(tmp_path: Path) -> None:
    view = view_of(tmp_path, SQUARES, "build(a1_b1)")
    game = load(tmp_path / "walls.rules")
    picture = picture_of(view, game.words, "Walls")
    assert picture is not None
    lines = picture.svg.split("<line ")[1:]
    assert len(lines) == 7 and ['stroke-width="6"' in line for line in lines] == [False] * 6 + [True]
