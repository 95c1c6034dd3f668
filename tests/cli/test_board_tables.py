"""Tables `on board`: what a view says of them, what one sees of them, and the names of places at the prompt."""

import json
import re
from pathlib import Path

import pytest

from cli.render.palette import palette
from cli.render.tables import draw_tables
from interpreter.play.game import load
from interpreter.seat.views.model import (
    EachColumn,
    PieceKinds,
    PiecesColumn,
    PlaceView,
    TableOnBoard,
    TruthColumn,
    View,
    WordColumn,
)
from tests.cli.test_render import drawn

BOARD = {
    "format": 1,
    "name": "Four Isles",
    "drawing": {"columns": 6, "lines": 2},
    "alternatives": ["seas"],
    "isles": [
        {"id": "north", "mark": "N", "at": [0, 0], "soil": "sand"},
        {"id": "east", "mark": "E", "at": [1, 0], "soil": "clay"},
        {"id": "south", "mark": "S", "at": [1, 1], "soil": "clay"},
        {"id": "west", "mark": "W", "at": [0, 1], "soil": "sand"},
    ],
    "reefs": [{"number": 7, "at": [0.5, 0.5]}],
    "seas": [
        {"id": "calm", "ferries": [{"id": "f1", "ends": ["north", "east"]}, {"id": "f2", "ends": ["west", "south"]}]},
        {"id": "rough", "ferries": [{"id": "f3", "ends": ["north", "south"]}]},
    ],
}
RULES = """\
game "Isles" for 2 players red, blue

option sea: calm or rough = calm

== components ==

board "isles.json"
type Soil is sand, clay
type Isle from board.isles with soil: Soil
type Ferry from board.seas[sea].ferries with ends: several Isle
piece Hut: 4 for each owner: Player in stock[owner]
piece Spy: 1 for each look: Soil, owner: Player in tent[owner]
zone stock[p: Player] holds Hut
zone tent[p: Player] holds Spy
zone huts[i: Isle] holds Hut
zone spies[i: Isle] holds stack of Spy, look seen by {}
note line[f: Ferry]: Truth = false

table "Isles" for each i in Isle, on board:
    "Huts": huts[i]
    "Spies": spies[i]
    "Soil": i.soil
    "Ends": p in Player where some h in huts[i] where h.owner is p as p
table "Ferries" for each f in Ferry where line[f], on board:
    "Line": line[f]
table "Players" for each p in Player:
    "Player": p
    "Stock": count stock[p]

== phases ==

phase main, turns from red, over when count stock[red] is 0:
    must settle or spy

action settle(i: Isle):
    "settle on {i}"
    require stock[me] is not empty because "you have no hut"
    move 1 of Hut from stock[me] to huts[i]
    for each f in Ferry where i is in f.ends: set line[f] to true

action spy(i: Isle, s: Soil):
    "spy on {i}"
    require some y in tent[me] where y is s because "that spy is gone"
    move (the y in tent[me] where y is s) to spies[i]

== scoring ==

winner highest count stock[me]
"""


@pytest.fixture
def isles(own_folder: Path) -> Path:
    (own_folder / "isles.json").write_text(json.dumps(BOARD), encoding="utf-8")
    (own_folder / "isles.rules").write_text(RULES, encoding="utf-8")
    return own_folder / "isles.rules"


def settled(path: Path, *moves: str, **options: str) -> View:
    state = load(path, 2, options=options).start(seed=1)
    for move in moves:
        state.push(move)
    return state.view("red")


def test_a_view_holds_the_board_of_this_game(isles: Path) -> None:
    view = settled(isles)
    board = view.board
    assert (board.name, board.drawing) == ("Four Isles", (6, 2))
    assert [place.id for place in board.places] == ["north", "east", "south", "west", "7", "calm", "f1", "f2"]
    assert board.places[6] == PlaceView("seas.ferries", "f1", None, None, None, ("north", "east"), (), ("calm",))
    rough = settled(isles, sea="rough").board
    assert [place.id for place in rough.places][5:] == ["rough", "f3"]
    assert json.loads(json.dumps(view.as_data())) == view.as_data()


def test_a_table_on_the_board_says_where_its_rows_are_and_what_can_lie_there(isles: Path) -> None:
    view = settled(isles, "settle(east)")
    places, ferries, players = view.tables
    seats = ("red", "blue")
    assert places.board == TableOnBoard(
        "isles",
        ("north", "east", "south", "west"),
        (
            PiecesColumn("heap", (PieceKinds("Hut", {"owner": seats}),)),
            PiecesColumn("stack", (PieceKinds("Spy", {"look": ("sand", "clay"), "owner": seats}),)),
            WordColumn(("sand", "clay")),
            EachColumn(WordColumn(seats)),
        ),
    )
    assert ferries.board == TableOnBoard("seas.ferries", ("f1",), (TruthColumn(),))
    assert players.board is None


def test_the_tables_on_the_board_make_one_picture(isles: Path) -> None:
    view = settled(isles, "settle(east)", "spy(south, sand)", "spy(south, clay)", "settle(east)")
    shown = drawn(draw_tables(view, palette(view.seats), 80)).split(" Players")[0]
    assert [line.rstrip() for line in shown.splitlines()] == [
        " Four Isles",
        "                N:s━━E:rb c rDbD",
        "                    7",
        "                W:s┄┄S:rP?bP? c",
        "  Isles: Huts r red, b blue;",
        "         Spies P Spy, A sand, C clay, ? hidden, from the top, 3x: three with x",
        "         on top; Soil s sand, c clay; Ends D",
        "  Ferries: Line ━━, ┄┄ none",
        "",
    ]


def test_a_game_without_tables_on_the_board_has_none_in_its_views(isles: Path) -> None:
    isles.write_text(RULES.replace(", on board", ""), encoding="utf-8")
    view = settled(isles)
    assert view.board is None
    assert all(table.board is None for table in view.tables)


def test_a_piece_belongs_to_the_seat_it_says_and_not_to_one_called_like_its_colour(isles: Path) -> None:
    dyed = RULES.replace("type Soil", "type Dye is red, green\ntype Soil").replace(
        "Hut: 4 for each", "Hut: 4 for each dye: Dye,"
    )
    isles.write_text(dyed, encoding="utf-8")
    view = settled(isles)
    owners = {piece.owner for piece in view.zones["stock[blue]"].pieces}
    assert owners == {"blue"}


def test_the_names_of_places_at_the_prompt(run, isles: Path) -> None:
    shown = run("play", isles, "--seed", "1", typed=["names", "quit"]).output
    names = shown[shown.index("red> ") :].splitlines()
    assert "north" in names[0] + names[1]
    assert any("west" in line and "south" in line for line in names)


def test_there_are_no_names_without_a_board(run) -> None:
    from tests.cli.conftest import PEBBLES, QUIET

    shown = run("play", PEBBLES, "--seed", QUIET, typed=["names", "quit"]).output
    assert "this game has no board to draw" in shown


def test_lines_between_places_are_not_written_over_what_lies_there() -> None:
    game = load("twixt").in_words()
    state = game.start(seed=1)
    for move in ("place(c3)", "place(f8)", "place(e4)"):
        state.push(move)
    view = state.view("red")
    kinds = [column.kind for table in view.tables if table.board for column in table.board.columns]
    assert kinds == ["pieces", "links"]
    text = drawn(draw_tables(view, palette(game.seats, game.words), 80))
    assert " 4 · · · · ● · ·" in text and re.search(r"Linked pegs *\n +Peg +Linked to +\n +c3 +e4 +\n", text)
