"""Blocks of a grid: a grid themselves, which knows its places, and set off in every picture."""

from __future__ import annotations

import io
from pathlib import Path
from textwrap import dedent

import pytest
from rich.console import Console

from cli.render.board import draw_board
from cli.render.palette import palette
from interpreter.authoring.rulebook.drawing import picture_of
from interpreter.seat.views.board_drawing import drawing_of, tiles_of
from interpreter.seat.views.board_shape import shape_of
from regelwerk import Game, load
from web.scene import board_shown

RULES = """
game "Numbers" for 2 players ann, ben

option size: 2..3 = 2

== components ==

type Cell from grid(size * size, size * size) without {a1}
type Block from blocks(Cell, size, size)
type Way from directions(Block)
piece Mark: 99 for each owner: Player in box
zone box holds Mark
note number[c: Cell]: 0..9 = 0
note newest: Block or none = none

table "Numbers" for each c in Cell, on board:
    "Number": number[c]

== phases ==

phase play, turns from ann, over when newest is not none and next(newest, east) is none:
    must write

action write(c: Cell, n: 1..9):
    require n <= size * size and number[c] is 0             because "it cannot be written there"
    require no x in block(c).places where number[x] is n    because "{block(c)} has it already"
    require no x in Cell where number[x] is n and (x.row is c.row or x.column is c.column)  because "in line"
    set number[c] to n
    set newest to block(c)

define block(c: Cell): the b in Block where c is in b.places

== scoring ==

winner highest (1 if me is ann else 0)
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "numbers.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def drawn(game: Game, *moves: str) -> str:
    state = game.start(seed=1)
    for move in moves:
        state.push(move)
    view = state.view("ann")
    assert view.board is not None
    file = io.StringIO()
    board = draw_board(view.board, [table for table in view.tables if table.board], palette(view.seats), 80)
    Console(file=file, width=80, highlight=False, no_color=True).print(board)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines() if ":" not in line)


def test_blocks_are_places_of_a_grid_with_places_of_their_own(rules: Path) -> None:
    state = load(rules).start(seed=1)
    state.push("write(b1,1)")
    assert "a1_b2 has it already" in str(state.why("write(a2,1)"))
    state.push("write(b4,2)")
    assert not state.over
    state.push("write(d4,1)")  # in a block that has none to the east
    assert state.over


def test_blocks_are_set_off_in_the_terminal(rules: Path) -> None:
    expected = """
        4  0  0     0  0
        3  0  0     0  0

        2  0  0     0  0
        1     1     0  0
           a  b     c  d
    """
    assert dedent(drawn(load(rules), "write(b1,1)")).strip("\n") == dedent(expected).strip("\n")


@pytest.mark.parametrize("size", [2, 3])
def test_pages_have_lines_between_tiles(rules: Path, size: int) -> None:
    game = load(rules, options={"size": size})
    view = game.start(seed=1).view("ann")
    assert view.board is not None
    shown = board_shown(view, game.words)
    assert shown is not None and len(shown.seams) == 2 * (size - 1)
    drawing = drawing_of(shape_of(view.board), frozenset(("Cell",)))
    corners = {corner for tile in tiles_of(drawing).values() for corner in tile}
    assert {point for seam in shown.seams for point in seam} <= corners | {(-21, y) for _, y in corners}
    picture = picture_of(view, game.words, "Numbers")
    assert picture is not None and picture.svg.count("<line ") == len(shown.seams)


def test_what_is_said_about_blocks_is_beside_the_board_or_upon_it() -> None:
    game = load("ultimate_tic_tac_toe")
    state = game.start(seed=1)
    for move in ("enter(a7_c9)", "put(a7)", "put(a1)", "put(a4)", "put(a3)", "put(a9)", "put(a8)"):
        if move in map(str, state.legal_moves):
            state.push(move)
    view = state.view(None)
    assert view.board is not None
    last = {place.at for place in view.board.places if place.list == "Small"}
    assert last == {(x, y) for x in range(12, 15) for y in range(3)}, "three places beside the last column"
    shown = board_shown(view, game.words)
    assert shown is not None and len(shown.blocks) == 9 and len(shown.places) == 81
    corner = next(block for block in shown.blocks if block.id == "a7_c9")
    tiles = [place for place in shown.places if place.id in corner.places]
    points = [point for tile in tiles for point in tile.points]
    assert (corner.start, corner.end) == (min(points), max(points))


@pytest.mark.parametrize(("down", "first"), [(2, 0), (1, 7)])
def test_no_seam_runs_through_blocks_beside_their_board(down: int, first: int, rules: Path) -> None:
    table = 'table "Blocks" for each b in Block, on board:\n    "Newest": newest is b\n\n== phases =='
    text = RULES.replace("blocks(Cell, size, size)", f"blocks(Cell, 2, {down})").replace("== phases ==", table)
    rules.write_text(text.replace("size * size, size * size", "4, 4"), encoding="utf-8")
    view = load(rules).start(seed=1).view(None)
    assert view.board is not None
    rows = [place.at[1] for place in view.board.places if place.list == "Block" and place.at]
    assert min(rows) == first, "beside the board of four rows, or below it"


def test_a_grid_that_cannot_be_divided_is_refused(rules: Path) -> None:
    rules.write_text(RULES.replace("blocks(Cell, size, size)", "blocks(Cell, 2, 3)"), encoding="utf-8")
    with pytest.raises(Exception, match="has 4 columns and 4 rows, which cannot be divided into blocks"):
        load(rules)
