"""A table on the board with a row for each player and place: a board for each player, in all pictures."""

from __future__ import annotations

import io
import json
from pathlib import Path
from textwrap import dedent

import pytest
from rich.console import Console

from cli.render.board import draw_board
from cli.render.palette import palette
from dsl.diagnostics import RulesError
from interpreter.authoring.rulebook.drawing import picture_of
from interpreter.seat.views.board_drawing import drawing_of, tiles_of
from interpreter.seat.views.board_shape import shape_of
from regelwerk import State, load
from web.scene import board_shown, scene_of

RULES = """
game "Mats" for 2 to 4 players ann, ben, cleo, dora

== components ==

FORM
piece Tile: 18 for each owner: Player in bag[owner]
piece Pawn: 1 in box
zone box holds Pawn
zone bag[p: Player] holds Tile
zone mat[p: Player, s: Spot] holds one Tile
zone pawn[c: Cell] holds one Pawn

table "Mats" for each p in Player with s in Spot, on board:
    "Tile": mat[p, s]
table "Track" for each c in Cell, on board:
    "Pawn": pawn[c]

== phases ==

phase laying, turns from ann, over when count bag[me] < 10:
    must lay or enter

action lay(s: Spot):
    require mat[me, s] is empty     because "taken"
    move 1 from bag[me] to mat[me, s]
action enter(c: Cell):
    require box is not empty        because "gone"
    move 1 from box to pawn[c]

== scoring ==

winner count bag[me] < 18
"""
GRIDS = "type Spot from grid(2, 2)\ntype Cell from grid(4, 1)"
FILE = 'board "mat.json"\ntype Spot from board.spots\ntype Cell from grid(4, 1)'
MAT = {
    "format": 1, "name": "Mat",
    "paths": [{"id": "a1_b1", "ends": ["a1", "b1"]}, {"id": "a2_b2", "ends": ["a2", "b2"]}],
    "spots": [{"id": f"{column}{row}", "at": [x, 2 - row]} for x, column in enumerate("ab") for row in (1, 2)],
}  # fmt: skip


def state_of(folder: Path, form: str, players: int, *moves: str) -> State:
    path = folder / "mats.rules"
    (folder / "mat.json").write_text(json.dumps(MAT), encoding="utf-8")
    path.write_text(RULES.replace("FORM", form), encoding="utf-8")
    state = load(path, players=players).start(seed=1)
    for move in moves:
        state.push(move)
    return state


def drawn(state: State) -> str:
    view = state.view("ann")
    assert view.board is not None
    file = io.StringIO()
    board = draw_board(view.board, [table for table in view.tables if table.board], palette(view.seats), 80)
    Console(file=file, width=80, highlight=False, no_color=True).print(board)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


PICTURE = """
  ann       ben      cleo
2 a ·     2 · ·     2 · ·
1 · ·     1 · b     1 · ·
  a b       a b       a b


1 · P · ·
  a b c d
 Mats: Tile a ann, b ben, c cleo
 Track: Pawn P
"""


def test_a_board_for_each_player_and_a_common_one(tmp_path: Path) -> None:
    picture = drawn(state_of(tmp_path, GRIDS, 3, "lay(a2)", "lay(b1)", "enter(b1)"))
    assert dedent(picture).strip("\n") == PICTURE.strip("\n")


def test_copies_of_a_board_file(tmp_path: Path) -> None:
    state = state_of(tmp_path, FILE, 2, "lay(a2)", "lay(b1)")
    board = state.view("ann").board
    assert board is not None
    shape = shape_of(board)
    assert {place.key[0] for place in shape.nodes} == {"Cell", "spots[ann]", "spots[ben]"}
    assert {place.ends for place in shape.strokes} == {
        ((f"spots[{seat}]", f"a{row}"), (f"spots[{seat}]", f"b{row}")) for seat in ("ann", "ben") for row in (1, 2)
    }
    assert "ann" in drawn(state)


def test_places_of_the_same_name_are_told_apart_on_pages(tmp_path: Path) -> None:
    """Those of several copies, and those of two grids."""
    state = state_of(tmp_path, GRIDS, 2, "lay(b1)", "lay(a2)", "enter(b1)")
    view, words = state.view("ann"), state.game.words
    board, scene = board_shown(view, words), scene_of(view, (), words)
    assert board is not None
    assert len({place.key for place in board.places}) == len(board.places)
    assert {key: contents[0].cell.kind for key, contents in scene.contents.items()} == dict.fromkeys(
        ("Spot[ann] b1", "Spot[ben] a2", "Cell b1"), "pieces"
    )
    assert {place.id for place in board.places if place.key in scene.contents} == {"a2", "b1"}
    shape = shape_of(view.board) if view.board is not None else None
    assert shape is not None
    assert len(tiles_of(drawing_of(shape, frozenset(("Cell", "Spot[ann]", "Spot[ben]"))))) == 12
    picture = picture_of(view, words, "Mats")
    assert picture is not None and all(f">{seat}</text>" in picture.svg for seat in ("ann", "ben"))


def test_a_board_is_there_before_anything_lies_on_it(tmp_path: Path) -> None:
    rules = RULES.replace("with s in Spot, on board", "with s in {x in Spot where mat[p, x] is not empty}, on board")
    path = tmp_path / "mats.rules"
    path.write_text(rules.replace("FORM", GRIDS), encoding="utf-8")
    view = load(path).start(seed=1).view("ann")
    assert [table.board.list for table in view.tables if table.board] == ["Spot[ann]", "Spot[ben]", "Cell"]
    assert view.board is not None and len(view.board.places) == 12


@pytest.mark.parametrize(
    "rows", ["s in Spot with c in Cell", "p in Player with q in Player with s in Spot", "s in Spot with p in Player"]
)
def test_other_rows_are_refused(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "mats.rules"
    path.write_text(
        RULES.replace("FORM", GRIDS).replace("p in Player with s in Spot, on", f"{rows}, on"), encoding="utf-8"
    )
    with pytest.raises(RulesError) as raised:
        load(path)
    assert "E0757" in {diagnostic.code for diagnostic in raised.value.diagnostics}
