"""Boards with something on them, as in a view: made up here, no game is played."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dsl.boards import Board, read_board
from interpreter.seat.views.frozen_map import FrozenMap
from interpreter.seat.views.model import (
    HIDDEN,
    BoardView,
    Caption,
    Cell,
    Column,
    EachCell,
    EachColumn,
    EachEntry,
    NumberColumn,
    Order,
    PieceKinds,
    PiecesCell,
    PiecesColumn,
    PieceView,
    PlaceView,
    TableOnBoard,
    TableView,
    TruthColumn,
    Value,
    ValueCell,
    WordColumn,
)

BOARDS = Path(__file__).resolve().parent.parent.parent / "games" / "boards"
Picture = tuple[BoardView, list[TableView], list[str]]


# ---------------------------------------------------------------- plain data


def place(
    where: str, id_: object, at: Sequence[float] | None = None, *, name: str | None = None, mark: str | None = None,
    ends: Sequence[str] = (), edges: Sequence[str] = (), within: Sequence[str] = (),
    traits: Mapping[str, str] | None = None,
) -> PlaceView:  # fmt: skip
    point = None if at is None else (float(at[0]), float(at[1]))
    return PlaceView(
        where, str(id_), name, mark, point, tuple(ends), tuple(edges), tuple(within), FrozenMap(traits or {})
    )


def board_of(name: str, chosen: str = "") -> BoardView:
    """A board of the project; of a list of alternatives only the chosen entry."""
    board = read_board(BOARDS / f"{name}.json")
    assert isinstance(board, Board)
    places = [
        place(
            ".".join(entry.path), entry.id, entry.at,
            name=entry.name, mark=entry.mark, ends=entry.ends, edges=entry.edges, within=entry.parents,
            traits={name: str(entry.fields[name]) for name in ("colour", "region") if name in entry.fields},
        )
        for entry in board.walk()
        if not (set(entry.path[:1]) & set(board.alternatives)) or chosen in (entry.id, *entry.parents)
    ]  # fmt: skip
    return BoardView(board.name, (board.drawing[0], board.drawing[1]), tuple(places))


def grid(columns: int, rows: int, *, slanted: bool = False) -> BoardView:
    """Squares `a1` to …, or a rhombus of hexagons, with the names of columns and rows beside them."""
    lean = 0.5 if slanted else 0.0
    letters = [chr(ord("a") + column) for column in range(columns)]
    places = [
        place("Cell", f"{letter}{row + 1}", [column + lean * row, row])
        for row in range(rows)
        for column, letter in enumerate(letters)
    ]
    captions = [
        *(Caption(letter, (column - lean, -1)) for column, letter in enumerate(letters)),
        *(Caption(str(row + 1), (-1 + lean * row, row)) for row in range(rows)),
    ]
    return BoardView("Grid", None, tuple(places), tuple(captions))


def piece(type_: str, *hidden: str, **attributes: str) -> PieceView:
    known = {name: HIDDEN if name in hidden else word for name, word in attributes.items()}
    owner = None if "owner" in hidden else attributes.get("owner")
    return PieceView(type_, type_.lower(), FrozenMap(known), owner, bool(hidden), FrozenMap(), FrozenMap())


def pieces(order: Order, lying: Iterable[PieceView]) -> PiecesCell:
    return PiecesCell(tuple(lying), order)


def words(value: Value) -> ValueCell:
    return ValueCell(value, str(value).lower() if isinstance(value, bool) else str(value))


def each(*entries: tuple[str, str]) -> EachCell:
    return EachCell(tuple(EachEntry(words(item), words(note)) for item, note in entries))


def holds(order: Order, **types: Mapping[str, Sequence[str]]) -> PiecesColumn:
    found = (
        PieceKinds(name, FrozenMap({key: tuple(values) for key, values in attributes.items()}))
        for name, attributes in types.items()
    )
    return PiecesColumn(order, tuple(found))


def says(*said: str) -> WordColumn:
    return WordColumn(said)


TRUTH, NUMBER = TruthColumn(), NumberColumn()


def table(title: str, where: str, columns: Mapping[str, Column], rows: Mapping[str, Sequence[Cell]]) -> TableView:
    board = TableOnBoard(where, tuple(rows), tuple(columns.values()))
    return TableView(title, tuple(columns), tuple(tuple(row) for row in rows.values()), board)


def ids(board: BoardView, where: str) -> list[str]:
    return [one.id for one in board.places if one.list == where]


# ---------------------------------------------------------------- positions


def china(side: str = "side_3_4") -> Picture:
    rng, seats = random.Random(1), ["red", "green", "blue", "violet", "yellow"]
    board = board_of("china", side)
    spaces, provinces = "provinces.spaces", "provinces"
    houses = {
        space: [
            pieces("one", [piece("House", owner=rng.choice(seats))] if rng.random() < 0.55 else []),
            pieces("one", [piece("Fort")] if rng.random() < 0.1 else []),
        ]
        for space in ids(board, spaces)
    }
    courts = {
        province: [
            pieces("heap", [piece("Emissary", owner=rng.choice(seats)) for _ in range(rng.randrange(7))]),
            words(rng.random() < 0.3),
        ]
        for province in ids(board, provinces)
    }
    tables = [
        table("Houses", spaces, {"House": holds("one", House={"owner": seats}), "Fort": holds("one", Fort={})}, houses),
        table("Provinces", provinces, {"Court": holds("heap", Emissary={"owner": seats}), "Scored": TRUTH}, courts),
    ]
    return board, tables, seats


def mauerbauer() -> Picture:
    rng, seats = random.Random(2), ["red", "blue", "green", "yellow"]
    colours, shades = ["yellow", "green", "blue", "pink", "red"], ["white", "grey", "black"]
    board = board_of("mauerbauer")
    walls = {name: rng.random() < 0.33 for name in ids(board, "edges")}
    closed = {"f24", "f25", "f26"}
    fields = {
        name: [
            pieces("heap", [piece("House", colour=rng.choice(colours)) for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))]),
            pieces("heap", [piece("Palace", colour=rng.choice(colours))] if rng.random() < 0.12 else []),
            words(name in closed),
        ]
        for name in ids(board, "faces")
    }
    edges = {name: [pieces("one", [piece("Wall")] if there else [])] for name, there in walls.items()}
    towers = {
        name: [pieces("one", [piece("Tower", shade=rng.choice(shades))] if rng.random() < 0.4 else [])]
        for name in ids(board, "vertices")
    }
    heaps = {"House": holds("heap", House={"colour": colours}), "Palace": holds("heap", Palace={"colour": colours})}
    tables = [
        table("Fields", "faces", {**heaps, "In a city": TRUTH}, fields),
        table("Towers", "vertices", {"Tower": holds("one", Tower={"shade": shades})}, towers),
        table("Walls", "edges", {"Wall": holds("one", Wall={})}, edges),
    ]
    return board, tables, seats


def dschingis_khan() -> Picture:
    rng, seats = random.Random(3), ["red", "green", "blue", "yellow"]
    kinds = ["chinese", "mongol", "peasant", "plague", "herb"]
    board = board_of("dschingis_khan")
    main = ["h0_3", "h2_3", "h4_3", "v6_2", "h6_2", "v8_2", "v8_3", "h8_4", "v10_3", "h10_3", "h12_3", "h14_3"]
    branch = ["v4_2", "h4_2", "v8_1", "h6_1"]
    walls = {
        name: [pieces("one", [piece("Wall")]), words(name in main), words(rng.choice(["open", "closed"]))]
        for name in ids(board, "lines")
        if name in main + branch
    }
    southern = {"C3", "C2"}
    scouts = dict(zip(["A2", "C4", "D6", "F1"], seats, strict=True))

    def stack() -> PiecesCell:
        hidden = () if rng.random() < 0.4 else ("kind",)
        many = rng.choice([0, 0, 1, 2, 3, 4, 7])
        return pieces(
            "stack", [piece("Token", *hidden, kind=rng.choice(kinds), owner=rng.choice(seats)) for _ in range(many)]
        )

    villages = {
        name: [
            words("china" if name[0] in "DEF" or name in southern else "mongolia"),
            stack(),
            each(*([(scouts[name], scouts[name])] if name in scouts else [])),
        ]
        for name in ids(board, "villages")
    }
    shown = {
        "Realm": says("mongolia", "china"),
        "Stack": holds("stack", Token={"kind": kinds, "owner": seats}),
        "Scout": EachColumn(says(*seats)),
    }
    roadless = {name: [words(True)] for name in ["h8_1", "h10_1", "v6_2", "v10_3", "h5_5", "h7_5"]}
    tables = [
        table(
            "Walls", "lines", {"Wall": holds("one", Wall={}), "Main": TRUTH, "Gate": says("open", "closed")}, walls
        ),
        table("Lines", "lines", {"No road": TRUTH}, roadless),
        table("Villages", "villages", shown, villages),
    ]  # fmt: skip
    return board, tables, seats


def men(board: BoardView, attributes: Mapping[str, Sequence[str]], full: float = 0.3) -> Picture:
    """Any board of cells with men on some of them."""
    rng = random.Random(1)
    rows = {
        name: [
            pieces(
                "one",
                [piece("Man", **{key: rng.choice(values) for key, values in attributes.items()})]
                if rng.random() < full
                else [],
            )
        ]
        for name in ids(board, "Cell")
    }
    return board, [table("Board", "Cell", {"Man": holds("one", Man=attributes)}, rows)], ["black", "white"]


COLOURS = {"owner": ["black", "white"]}
RANKS = {**COLOURS, "rank": ["king", "queen", "rook", "bishop", "knight", "pawn"]}


def harbour() -> Picture:
    """A small map with everything else: bridges between areas, owned roads, numbers, words of a set, an outer place."""
    seats = ["ann", "ben"]
    corners = {"p": (0, 0), "q": (3, 0), "r": (6, 0), "s": (0, 2), "t": (3, 2), "u": (6, 2)}
    sides = {"pq": "pq", "qr": "qr", "ps": "ps", "qt": "qt", "ru": "ru", "st": "st", "tu": "tu"}
    places = (
        *(place("corners", name, at) for name, at in corners.items()),
        *(place("sides", name, ends=list(ends)) for name, ends in sides.items()),
        place("lands", "west", edges=["pq", "qt", "st", "ps"], name="Westland", mark="W"),
        place("lands", "east", edges=["qr", "ru", "tu", "qt"], at=[4.5, 1]),
        place("bridges", "west_east", ends=["west", "east"]),
        place("lands", "sea", name="Sea"),
    )
    board = BoardView("Harbour", (6, 3), places)
    goods = ["wood", "wool", "wine"]
    lands = {
        "west": [words(7), words(12), words("wood, wool"), words("ben")],
        "east": [words(3), words(0), words("nothing"), words("nobody")],
        "sea": [words(1), words(2), words("wine"), words("ann")],
    }
    columns = {"Ships": NUMBER, "Gold": NUMBER, "Goods": says(*goods), "Lord": says(*seats)}
    roads = {"qt": [pieces("one", [piece("Road", owner="ann")])], "pq": [pieces("one", [piece("Road", owner="ben")])]}
    tables = [
        table("Lands", "lands", columns, lands),
        table("Roads", "sides", {"Road": holds("one", Road={"owner": seats})}, roads),
    ]
    return board, tables, seats


PICTURES = {
    "china": china(),
    "china_other_side": china("side_4_5"),
    "mauerbauer": mauerbauer(),
    "dschingis_khan": dschingis_khan(),
    "squares": men(grid(8, 8), RANKS),
    "three": men(grid(3, 3), COLOURS, 0.5),
    "nineteen": men(grid(19, 19), COLOURS),
    "hexes": men(grid(11, 11, slanted=True), COLOURS),
    "harbour": harbour(),
}
