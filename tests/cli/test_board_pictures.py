"""Pictures of boards: golden files with and without colour, and what holds for every board."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rich.console import Console

from cli.render.board import draw_board
from cli.render.board.ink import DOUBLE, GLYPHS, HEAVY, LIGHT, RISING, Sheet, ink, joint, letters, plain, trace, width
from cli.render.board.letters import Alphabet
from cli.render.palette import palette
from interpreter.seat.views.board_shape import Shape
from interpreter.seat.views.model import BoardView, Cell, Column, EachColumn, PiecesCell
from interpreter.wording.words import OWN
from regelwerk import load
from tests.support.pictures import (
    COLOURS,
    NUMBER,
    PICTURES,
    TRUTH,
    Picture,
    china,
    each,
    grid,
    harbour,
    holds,
    men,
    piece,
    pieces,
    place,
    says,
    table,
    words,
)  # fmt: skip

GOLDEN = Path(__file__).parent / "golden" / "boards"
UPDATE = os.environ.get("REGELWERK_UPDATE") == "1"
LOOK = palette(["red", "green", "blue"])


def drawn(picture: Picture, columns: int = 80, *, names: bool = False, colour: bool = False) -> str:
    board, tables, seats = picture
    file = io.StringIO()
    console = Console(
        file=file, width=columns, highlight=False, markup=False, emoji=False,
        force_terminal=colour, no_color=not colour, color_system="truecolor" if colour else None,
    )  # fmt: skip
    console.print(draw_board(board, tables, palette(seats), columns, names=names))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def compared(name: str, text: str) -> None:
    path = GOLDEN / name
    if UPDATE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "REGELWERK_UPDATE=1 writes the file anew"


# ---------------------------------------------------------------- grids

GRIDS = """
game "Grids" for 2 players red, blue

== components ==

type Cell from grid(28, 2)
type Side from beside(Cell)
type Spare from grid(3, 3)
piece Man: 9 in box
piece Wall: 9 in box
zone box holds Man or Wall
zone man[c: Cell] holds one Man
zone wall[s: Side] holds one Wall
zone spare[s: Spare] holds one Man
{table}

== setup ==

move 1 of Man from box to man[ab2]

== phases ==

phase play, turns from red, over when box is empty:
    must put or fill
action put(c: Cell): move 1 of Man from box to man[c]
action fill(c: Spare): move 1 of Man from box to spare[c]

== scoring ==

winner 1 > 0
""".replace("): move", "):\n    move")


def grids(tmp_path: Path, table: str, named: Sequence[str] = ()) -> list[str]:
    """The lines of the board of a game with two grids that have a place `a1` each."""
    path = tmp_path / "grids.rules"
    path.write_text(GRIDS.replace("{table}", table), encoding="utf-8")
    view = load(path).start(1).view("red")
    assert view.board is not None
    console = Console(file=io.StringIO(), width=120)
    upon = [table for table in view.tables if table.board]
    with console.capture() as capture:
        console.print(draw_board(view.board, upon, palette(["red", "blue"]), 120, named_places=named))
    return [line.rstrip() for line in capture.get().splitlines()]


ON_CELLS = 'table "Board" for each c in Cell, on board:\n    "Man": man[c]'
ON_SPARE = 'table "Spare" for each s in Spare, on board:\n    "Man": spare[s]'


def test_columns_beyond_z_have_two_letters_and_room(tmp_path: Path):
    second, first, letters, legend = grids(tmp_path, ON_CELLS)
    assert letters.split() == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab"]
    assert second.rindex("M") == letters.rindex("b") and "M" not in first and "Man M" in legend


def test_only_the_grids_that_a_table_is_about_are_drawn(tmp_path: Path):
    assert len(grids(tmp_path, ON_SPARE)) == 5
    assert len(grids(tmp_path, ON_CELLS)) == 4
    walls = 'table "Walls" for each s in Side, on board:\n    "Wall": wall[s]'
    assert any("aa" in line for line in grids(tmp_path, walls))


def test_edges_belong_to_their_own_grid_where_two_have_places_of_the_same_names(tmp_path: Path):
    walls = 'table "Walls" for each s in Edge, on board:\n    "Wall": edge[s]'
    lines = grids(tmp_path, f"type Edge from beside(Spare)\nzone edge[s: Edge] holds one Wall\n{ON_CELLS}\n{walls}")
    assert not any("┄" in line or "┆" in line for line in lines[:4])
    assert sum("┄┄┄" in line for line in lines) == 3


LANES = """{"format": 1, "name": "Lanes", %s
 "posts": [{"id": "p1", "at": [0, 0]}, {"id": "p2", "at": [2, 0]}],
 "lanes": [{"id": "lane", "ends": ["p1", "p2"]}]}"""

ON_LANES = """
game "Lanes" for 2 players red, blue

== components ==

board "lanes.json"
type Post from board.posts
type Lane from board.lanes
piece Man: 2 in box
zone box holds Man
zone man[p: Post] holds Man
note toll[l: Lane]: 0..9 = 0
table "Men" for each p in Post, on board:
    "Man": man[p]
{table}

== phases ==

phase play, turns from red to red:
    may pay
action pay(l: Lane):
    add 1 to toll[l]

== scoring ==

winner 1 > 0
"""


@pytest.mark.parametrize(
    ("header", "table", "is_drawn"),
    [
        ("", "", True),
        ('"undrawn": ["lanes"],', "", False),
        ('"undrawn": ["lanes"],', 'table "Tolls" for each l in Lane, on board:\n    "Toll": toll[l]', True),
    ],
)
def test_lists_of_edges_can_be_left_undrawn(tmp_path: Path, header: str, table: str, is_drawn: bool):
    (tmp_path / "lanes.json").write_text(LANES % header, encoding="utf-8")
    path = tmp_path / "lanes.rules"
    path.write_text(ON_LANES.replace("{table}", table), encoding="utf-8")
    view = load(path).start(1).view("red")
    assert view.board is not None
    assert ("lane" in [place.id for place in view.board.places]) == is_drawn


def test_names_of_places_are_shown_all_or_not_at_all(tmp_path: Path):
    some = "\n".join(grids(tmp_path, ON_CELLS, ["a1"]))
    assert "a1" in some
    every = "\n".join(grids(tmp_path, ON_CELLS, ["z1", "aa1", "ab1", "z2", "aa2", "ab2"]))
    assert not re.search(r"[a-z]\d", every)


# ---------------------------------------------------------------- glyphs

GLYPHED = """
game "Glyphs" for 2 to 3 players red, blue, grey

== components ==

type Rank is king, scout
type Cell from grid(3, 2)
piece Man: 1 for each rank: Rank, owner: Player in man[the c in Cell where c.column is 1 and c.row is 1]
piece Flag: 2 in flags
zone flags holds Flag
zone man[c: Cell] holds Man or Flag
table "Board" for each c in Cell, on board:
    "Men": man[c]
names:
    {names}

== phases ==

phase play, turns from red to red:
    may raise
action raise(c: Cell): move 1 from flags to man[c]

== scoring ==

winner 1 > 0
""".replace("action raise(c: Cell): move", "action raise(c: Cell):\n    move")


def glyphed(tmp_path: Path, names: str, encoding: str = "utf-8") -> list[str]:
    """The lines of a small board with a man of each kind in the corner, and its legend."""
    path = tmp_path / "glyphs.rules"
    path.write_text(GLYPHED.replace("{names}", names), encoding="utf-8")
    view = load(path, players=3).start(3).view("red")
    assert view.board is not None
    console = Console(file=io.StringIO(), width=80)
    look = palette(["red", "blue", "grey"], load(path, language=OWN).words, encoding)
    with console.capture() as capture:
        console.print(draw_board(view.board, [each for each in view.tables if each.board], look, 80))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_glyphs_replace_the_letters_of_values(tmp_path: Path):
    picture = "\n".join(glyphed(tmp_path, 'king as "♚"'))
    assert "r♚b♚g♚rSbSgS" in picture
    assert "♚ king, S scout, F" in picture


def test_a_glyph_for_each_seat_replaces_the_letter_of_the_owner(tmp_path: Path):
    picture = "\n".join(glyphed(tmp_path, 'king "the king" as "♔", "♚", "♛"\n    scout as "♙", "♟", "♞"'))
    assert "♔♚♛♙♟♞" in picture
    assert "♔ red, ♚ blue, ♛ grey, ♔♚♛ the king, ♙♟♞ scout" in picture


def test_a_terminal_without_the_glyph_shows_letters(tmp_path: Path):
    picture = "\n".join(glyphed(tmp_path, 'king as "♔", "♚", "♛"\n    Flag as "⚑"', "latin-1"))
    assert "rKbKgKrSbSgS" in picture
    assert "⚑" not in picture


# ---------------------------------------------------------------- pictures to look at


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name: str) -> None:
    compared(f"{name}.txt", drawn(PICTURES[name]))


@pytest.mark.parametrize("name", ["china", "mauerbauer", "dschingis_khan", "squares"])
def test_colours_add_nothing_but_colour(name: str) -> None:
    coloured = drawn(PICTURES[name], colour=True)
    compared(f"{name}.ansi", coloured)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == drawn(PICTURES[name]).splitlines()


@pytest.mark.parametrize("name", ["china", "mauerbauer", "dschingis_khan", "hexes"])
def test_pictures_of_the_names_of_places(name: str) -> None:
    compared(f"{name}_names.txt", drawn(PICTURES[name], names=True))


@pytest.mark.parametrize(("name", "columns"), [("dschingis_khan", 40), ("nineteen", 24), ("china", 60)])
def test_pictures_on_a_narrow_screen(name: str, columns: int) -> None:
    compared(f"{name}_{columns}.txt", drawn(PICTURES[name], columns))


def test_the_picture_of_the_page_on_play_is_what_one_sees() -> None:
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    assert f"```\n{drawn(PICTURES['china'])}```" in page


# ---------------------------------------------------------------- what holds for all of them


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("columns", [40, 61, 80, 120])
@pytest.mark.parametrize("names", [False, True])
def test_no_picture_is_broader_than_the_screen(name: str, columns: int, names: bool) -> None:
    assert max(map(len, drawn(PICTURES[name], columns, names=names).splitlines())) <= columns


def test_parts_together_are_the_whole() -> None:
    whole = drawn(PICTURES["nineteen"]).splitlines()[:20]
    parts: list[list[str]] = []
    for line in drawn(PICTURES["nineteen"], 24).splitlines():
        if line.startswith(" part"):
            parts.append([])
        elif parts and len(parts[-1]) < 20:
            parts[-1].append(line[1:])
    assert len(parts) > 1
    for line, *pieces_ in zip(whole, *parts, strict=True):
        at = 0
        for piece_ in pieces_:
            assert piece_.strip() in line
            at = max(at, line.index(piece_.strip()) + len(piece_.strip()))
        assert at == len(line)


def test_a_picture_keeps_its_scale_all_through_a_game() -> None:
    board, tables, seats = china()

    def emptied(cell: Cell) -> Cell:
        return replace(cell, pieces=()) if isinstance(cell, PiecesCell) else words(False)

    empty = [replace(one, rows=tuple(tuple(map(emptied, row)) for row in one.rows)) for one in tables]

    def places(text: str) -> list[tuple[int, int]]:
        return [(number, line.index("│")) for number, line in enumerate(text.splitlines()) if "│" in line]

    assert places(drawn((board, tables, seats))) == places(drawn((board, empty, seats)))


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=12, unique=True),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=12),
    st.lists(st.integers(0, 12), min_size=12, max_size=12),
    st.sampled_from([30, 50, 80]),
)
def test_whatever_lies_somewhere_is_told(
    points: list[tuple[int, int]], links: list[tuple[int, int]], heaps: list[int], columns: int
) -> None:
    """On any graph: nothing raises, nothing is too broad, every heap is at its place or written out below."""
    names = [f"n{number}" for number in range(len(points))]
    ends = [[names[a % len(names)], names[b % len(names)]] for a, b in links]
    places = (
        *(place("nodes", name, at) for name, at in zip(names, points, strict=True)),
        *(place("links", f"l{number}", ends=two) for number, two in enumerate(ends) if two[0] != two[1]),
    )
    board = BoardView("any", (4, 2), places)
    kinds = ["ox", "elk", "pig"]
    rows = {
        name: [pieces("heap", [piece("Beast", kind=kinds[at % 3], owner=LOOKED[at % 2]) for at in range(many)])]
        for name, many in zip(names, heaps, strict=False)
    }
    shown = {"Herd": holds("heap", Beast={"kind": kinds, "owner": LOOKED})}
    text = drawn((board, [table("Beasts", "nodes", shown, rows)], LOOKED), columns)
    assert max(map(len, text.splitlines())) <= columns
    assert text.count("…") <= len([one for one in heaps if one > 1])
    if "…" in text:
        assert "in full" in text


LOOKED = ["ann", "ben"]


@given(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_a_stroke_goes_from_end_to_end(first: tuple[int, int], second: tuple[int, int]) -> None:
    assume(first != second)
    cells = [stroke.cell for stroke in trace(first, second)]
    assert cells == [stroke.cell for stroke in trace(second, first)]
    assert len(set(cells)) == len(cells)
    assert {line for line, _ in cells} == (
        set(range(min(first[0], second[0]) + 1, max(first[0], second[0])))
        if first[0] != second[0]
        else ({first[0]} if abs(first[1] - second[1]) > 1 else set())
    )


# ---------------------------------------------------------------- letters


@given(st.lists(st.text("abcd", min_size=1, max_size=5), min_size=1, max_size=12, unique=True))
def test_no_letter_means_two_things(said: list[str]) -> None:
    columns = [
        ("Man", holds("one", Man={"owner": ["red", "green"], "rank": said})),
        ("State", says(*said)),
        ("Done", TRUTH),
    ]
    alphabet = Alphabet(columns, LOOK, {}, ["c"])
    given_ = [sign for signs in alphabet.signs.values() for sign in signs]
    by_letter: dict[str, set[str]] = {}
    for sign in given_:
        by_letter.setdefault(sign.letter, set()).add(sign.meaning)
    assert all(len(meanings) == 1 for meanings in by_letter.values())
    assert "c" not in by_letter


def test_an_alphabet_does_not_depend_on_what_lies_there() -> None:
    board, tables, seats = harbour()
    bare = [replace(one, rows=(), board=replace(one.board, places=())) for one in tables if one.board]
    legends = [
        drawn((board, found, seats)).split("Lands:")[1].split("Lands in full")[0].split() for found in (tables, bare)
    ]
    assert legends[0] == legends[1]


def test_a_legend_of_many_signs_explains_those_on_the_board() -> None:
    names = [f"tile{number}" for number in range(108)]
    board = BoardView("", (4, 2), tuple(place("a", f"x{number}", (number, 0)) for number in range(60)))
    kinds = {"Tile": holds("one", Tile={"design": names})}

    def legend_of(lying: int) -> str:
        rows = {
            f"x{number}": [pieces("one", [piece("Tile", design=names[3 * number % 108])] if number < lying else [])]
            for number in range(60)
        }
        return " ".join(drawn((board, [table("Tiles", "a", kinds, rows)], ["red"])).partition("Tiles:")[2].split())

    assert "tile" not in legend_of(0) and "… 108 more" in legend_of(0)
    assert re.findall(r"\btile\d+", legend_of(2)) == ["tile0", "tile3"] and "… 106 more" in legend_of(2)
    assert len(re.findall(r"\btile\d+", legend_of(60))) == 24 and "… 84 more" in legend_of(60)


def one_node(columns: dict[str, Column], *cells: Cell, mark: str | None = None, name: str | None = None) -> str:
    """The first line of a picture of one place."""
    board = BoardView("", (4, 2), (place("a", "x", (0, 0), mark=mark, name=name),))
    return drawn((board, [table("T", "a", columns, {"x": cells})], ["red", "green"])).splitlines()[0].strip()


def test_what_is_written_of_a_place() -> None:
    men_ = holds("heap", Man={"owner": ["red", "green"]})
    assert one_node({"Men": men_}, pieces("heap", [])) == "·"
    assert one_node({"Men": men_}, pieces("heap", []), mark="M") == "M"
    assert one_node({"Men": men_}, pieces("heap", [piece("Man", owner="red")]), mark="M") == "M:r"
    assert one_node({"Men": men_}, pieces("heap", [piece("Man", owner="red")]), mark="M", name="Main") == "M:r"
    heap = [piece("Man", owner=seat) for seat in ("red", "green", "red")]
    assert one_node({"Men": men_}, pieces("heap", heap)) == "r2g"
    assert one_node({"Men": men_}, pieces("row", heap)) == "rgr"


def test_types_kinds_and_backs_are_distinguished() -> None:
    column = {"Men": holds("stack", Man={"owner": ["red"], "rank": ["king", "knave"]}, Fort={}, Hut={"owner": ["red"]})}
    found = [
        piece("Man", owner="red", rank="king"),
        piece("Man", owner="red", rank="knave"),
        piece("Man", "rank", owner="red", rank="king"),
        piece("Hut", owner="red"),
        piece("Fort"),
    ]
    assert one_node(column, pieces("stack", found)) == "rKrNr?rHF"


def test_a_high_stack_is_its_height_and_its_top() -> None:
    names = [f"{column}{row}" for row in range(3) for column in "xyz"]
    at = {name: ("xyz".index(name[0]), int(name[1])) for name in names}
    board = BoardView("", (4, 1), tuple(place("a", name, at[name]) for name in names))
    high = pieces("stack", [piece("Man", owner=seat) for seat in ["green", *["red"] * 8]])
    shown = {"Men": holds("stack", Man={"owner": ["red", "green"]})}
    text = drawn((board, [table("T", "a", shown, {name: [high] for name in names})], ["red", "green"]))
    assert text.splitlines()[1].split() == ["grrrrrrrr", "9g", "grrrrrrrr"]
    assert "T in full: y0 grrrrrrrr; y1 grrrrrrrr; y2 grrrrrrrr" in text


def test_words_truths_numbers_and_entries() -> None:
    assert one_node({"State": says("open", "shut")}, words("shut")) == "s"
    assert one_node({"State": says("open", "shut")}, words("none")) == "·"
    assert one_node({"State": says("open", "shut")}, words("open, shut")) == "os"
    assert one_node({"Full": TRUTH}, words(True)) == "✓"
    assert one_node({"Full": TRUTH, "Dry": TRUTH}, words(True), words(True)) == "✓ D"
    assert one_node({"Depth": NUMBER}, words(12)) == "12"
    assert one_node({"Depth": NUMBER, "Wide": NUMBER}, words(1), words(2)) == "D1 W2"
    seats = says("red", "green")
    assert one_node({"Lord": seats, "Heir": seats}, words("red"), words("red")) == "r Hr"
    assert one_node({"Scout": EachColumn(seats)}, each(("red", "red"))) == "rS"
    assert one_node({"Votes": EachColumn(seats)}, each(("red", "3"), ("green", "-1"))) == "rV3gV-1"


def test_a_word_of_very_many_is_written_out() -> None:
    many = says(*(f"place{number}" for number in range(30)))
    assert one_node({"Goal": many}, words("place17")) == "place17"


# ---------------------------------------------------------------- shape and strokes


def test_places_are_what_their_fields_say() -> None:
    shape = Shape(harbour()[0])
    assert [place_.key[1] for place_ in shape.areas] == ["west", "east"]
    assert [place_.key[1] for place_ in shape.homeless] == ["sea"]
    assert shape.crossings == {("bridges", "west_east"): ("sides", "qt")}
    assert shape.centres["lands", "west"] == (1.5, 1.0)


def test_an_area_without_a_closed_outline_is_drawn_nowhere() -> None:
    board = BoardView(
        "", (4, 2),
        (
            place("c", "p", (0, 0)), place("c", "q", (1, 0)), place("c", "r", (1, 1)),
            place("s", "pq", ends=["p", "q"]), place("s", "qr", ends=["q", "r"]),
            place("f", "hole", edges=["pq", "qr"], name="Hole"), place("f", "gone", edges=["pq", "nothing"]),
        ),
    )  # fmt: skip
    assert [one.key[1] for one in Shape(board).areas] == ["hole"]
    assert [one.key[1] for one in Shape(board).homeless] == ["gone"]


def test_joints_join_what_meets() -> None:
    up, right, down, left = (-1, 0), (0, 1), (1, 0), (0, -1)
    assert joint([(*up, LIGHT), (*down, LIGHT), (*right, LIGHT), (*left, LIGHT)]) == "┼"
    assert joint([(*right, HEAVY), (*left, HEAVY), (*down, LIGHT)]) == "┯"
    assert joint([(*right, DOUBLE), (*left, DOUBLE), (*down, LIGHT)]) == "═"
    assert joint([(1, 1, LIGHT)]) == "·"
    assert joint([]) == "·"


def test_strokes_differ_by_weight_without_colour() -> None:
    ends = {"p": (0, 0), "q": (2, 0), "r": (2, 2), "s": (0, 2)}
    sides = [("a", "pq"), ("b", "rs"), ("c", "qr"), ("d", "ps"), ("e", "pr")]
    board = BoardView(
        "", (4, 2),
        (
            *(place("c", name, at) for name, at in ends.items()),
            *(place("s", name, ends=list(two)) for name, two in sides),
            place("t", "f", ends=["q", "s"]),
        ),
    )  # fmt: skip
    rail = [piece("Rail")]
    rows = {
        "a": [pieces("one", rail), words(True)],
        "b": [pieces("one", rail), words(False)],
        "c": [pieces("one", []), words(True)],
    }
    text = drawn((board, [table("Rails", "s", {"Rail": holds("one", Rail={}), "Fast": TRUTH}, rows)], ["red"]))
    first, second, *_, last = text.splitlines()[:5]
    assert "═" in first
    assert "━" in last
    assert "┆" in second
    assert "│" in second
    assert "." in second
    assert GLYPHS[LIGHT][RISING] in text


def test_what_does_not_fit_upon_a_vertical_stroke_is_beside_it() -> None:
    ends = {"p": (0, 0), "q": (1, 0), "r": (0, 1), "s": (1, 1)}
    sides = [("top", "pq"), ("left", "pr"), ("right", "qs")]
    places = (
        *(place("c", name, at) for name, at in ends.items()),
        *(place("s", name, ends=list(two)) for name, two in sides),
    )
    rows = {name: [pieces("one", [piece("Rail", owner="red")])] for name, _ in sides}
    tables = [table("Rails", "s", {"Rail": holds("one", Rail={"owner": ["red", "blue"]})}, rows)]
    text = drawn((BoardView("", (4, 2), places), tables, ["red", "blue"]))
    first, second, *rest = text.splitlines()
    assert (first.count("r"), second.split()) == (1, ["┃r", "┃"])
    assert "right r" in " ".join(rest)
    assert "left r" not in " ".join(rest)


# ---------------------------------------------------------------- sheets


@given(st.lists(st.tuples(st.text(max_size=4), st.sampled_from(["", "bold"])), max_size=4))
def test_inks_keep_their_letters(parts: list[tuple[str, str]]) -> None:
    found = tuple(part for text, style in parts for part in ink(text, style))
    assert plain(found) == "".join(text for text, _ in parts)
    assert "".join(letter for letter, _ in letters(found)) == plain(found)


def test_a_broad_letter_takes_two_columns() -> None:
    sheet = Sheet()
    sheet.write(0, 0, ink("城a"))
    assert width(ink("城a")) == 3
    assert sheet.texts(0, 2)[0].plain == "城a"


def test_an_empty_board_is_an_empty_picture() -> None:
    assert drawn((BoardView("", None, ()), [], [])) == ""


def test_grids_stand_close() -> None:
    assert drawn(men(grid(3, 3), COLOURS, 0)).splitlines()[:4] == ["   a b c", " 1 · · ·", " 2 · · ·", " 3 · · ·"]
