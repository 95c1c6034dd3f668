"""Kinds of pieces instead of pieces: what prevents it, and the same numbers of each kind everywhere after moves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dsl.types import PieceType
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    Cell,
    Check,
    Const,
    Expr,
    Fold,
    Group,
    Local,
    Lookup,
    Loop,
    Op,
    Slot,
    Table,
    Zone,
    number,
)
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.types import BOOL, COUNT, PIECE_DOMAIN, PLACE_DOMAIN, Int, Opt, Ref, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.kinds.kinds import NAME, pieces_by_kind
from interpreter.compiler.passes.record import PassRecords
from interpreter.engine.machine.games import rules_of
from interpreter.play.game import load
from interpreter.runtime.bitset import bits
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.tiny_module import line, op

PIECE, PIECES, PLACE = Ref(PIECE_DOMAIN, 6), Set(PIECE_DOMAIN, 6), Ref(PLACE_DOMAIN, 7)
KINDS = (0b000011, 0b001100, 0b110000)
"""Two pieces of each of three kinds; those of the last one are of another type."""

BOX, HANDS, BOARD = Group("box", 0, 1, PIECES), Group("hands", 1, 2, PIECES), Group("board", 3, 3, PIECES)
FILLED, WHICH = Group("filled", 6, 1, Set("number", 8)), Group("which", 7, 2, Opt(Int(0, 2)))
POSITIONS = Table("positions", {2: 0, 3: 1, 4: 2}, Int(0, 2))
ZONES = (
    Zone("box", 0, 1, "heap", BOX, None, None, None), Zone("hands", 1, 2, "heap", HANDS, None, None, None),
    Zone("board", 3, 3, "one", BOARD, None, FILLED, POSITIONS),
)  # fmt: skip
IN_BOX, IN_HANDS, ON_BOARD = ZONES
GROUPS = (BOX, HANDS, BOARD, FILLED, WHICH)
FIRST, SIZE = 9, 15
"""The cell with the place of the first piece, and the number of cells."""

OF_KIND = Table("of_kind", KINDS, PIECES)
LISTED = Table("listed", (0, 1, 2), Ref("Colour", 3))
COLOUR = Table("colour", (0, 0, 1, 1, 2, 2), Int(0, 2))


def slot(zone: Zone, index: Expr | int = 0) -> Slot:
    return Slot(PLACE, zone, number(index) if isinstance(index, int) else index)


def cell(group: Group, index: Expr | int = 0) -> Cell:
    return Cell(group.type, group, number(index) if isinstance(index, int) else index)


def nth(kind: int) -> Const:
    """The number of a kind, by which its pieces are looked up."""
    return Const(Int(0, 2), kind)


def of_kind(key: Expr, group: Group = BOX, index: Expr | int = 0) -> Op:
    return Op(PIECES, "both", (cell(group, index), Lookup(PIECES, OF_KIND, (key,))))


def some(pieces: Expr) -> Expr:
    return op(BOOL, "not", op(BOOL, "is_empty", pieces))


def layout(**zones: Any) -> Any:
    """A layout for six pieces; what is declared of zones may be given."""
    types = ["Man", "Man", "Man", "Man", "King", "King"]
    pieces = [SimpleNamespace(number=n, type=types[n], kind=n - n % 2) for n in range(6)]
    declared = {
        zone.name: zones.get(zone.name) or _zone(zone.name, zone.shape) for zone in ZONES
    }  # fmt: skip
    model = SimpleNamespace(
        notes={}, unsure_choices={}, zones=declared, pieces={name: SimpleNamespace(declaration=line(n)) for n, name in
                                          enumerate(("Man", "King"), 1)},
    )  # fmt: skip
    places = [
        SimpleNamespace(mask=zone.contents.first + i, bit=1 << (i + 2)) for zone in ZONES for i in range(zone.count)
    ]
    return SimpleNamespace(pieces=pieces, model=model, places=places, size=SIZE)


def _zone(name: str, shape: str, holds: tuple[str, ...] = ("Man", "King"), index: Any = ()) -> Any:
    declaration = SimpleNamespace(
        shape="heap" if shape == "one" else shape, holds=[SimpleNamespace(name=each) for each in holds],
        span=line(9).span,
    )  # fmt: skip
    return SimpleNamespace(name=name, index=index, declaration=declaration)


def state(hand: int = 0, board: tuple[int, ...] = (), which: tuple[int | None, int | None] = (0, 1)) -> list[Any]:
    """Pieces in the first hand, one at places of the board; the others in the box."""
    S: list[Any] = [0] * SIZE
    S[HANDS.first] = hand
    S[WHICH.first : WHICH.first + 2] = which
    for place, piece in enumerate(board):
        S[BOARD.first + place], S[FIRST + piece] = 1 << piece, ON_BOARD.first + place
        S[FILLED.first] |= 1 << place + 2
    for piece in bits(hand):
        S[FIRST + piece] = IN_HANDS.first
    S[BOX.first] = 63 & ~(hand | sum(1 << piece for piece in board))
    return S


def kinds_at(S: list[Any]) -> list[list[int]]:
    """The number of pieces of each kind at each place, counted from the pieces."""
    places = [zone.contents.first + i for zone in ZONES for i in range(zone.count)]
    return [[(S[place] & mask).bit_count() for mask in KINDS] for place in places]


def kept_at(module: Module, S: list[Any]) -> list[list[int]]:
    """The same numbers, from the cells of the kinds."""
    found = []
    for zone in ZONES:
        group = module.cells[f"{zone.name} by kind"]
        for i in range(zone.count):
            if zone.filled is not None:
                found.append([S[group.first + kind] >> i + 2 & 1 for kind in range(3)])
            else:
                found.append([S[group.first + 3 * i + kind] for kind in range(3)])
    return found


STARTS = [
    state(),
    state(0b010101),
    state(0b000010, (0, 2, 4)),
    state(0b001100, (4,)),
    state(0b000011, (2, 3), (0, None)),
]


def module(*body: st.Statement) -> Module:
    found = module_of(GROUPS, (*body, st.Stop(-1)), zones=ZONES)
    found.tables = {table.name: table for table in (OF_KIND, LISTED, COLOUR, POSITIONS)}
    return found


def same(*body: st.Statement) -> None:
    """Statements in terms of kinds end in the same fault, or leave as many pieces of each kind everywhere."""
    after, before, records = module(*body), module(*body), PassRecords()
    kinds = pieces_by_kind(after, layout(), records)
    assert [each.reason for each in records.entries if not each.applied] == []
    assert verify(after) == []
    for S in STARTS:
        opening = kinds.opening(S)
        assert kept_at(after, opening) == kinds_at(S)
        (end, cells, _), (meant_end, meant, _) = run(after, opening), run(before, S, places=FIRST)
        assert end == meant_end
        if end == -1:
            assert kept_at(after, cells) == kinds_at(meant)
            assert cells[FILLED.first : FIRST] == meant[FILLED.first : FIRST]


def move(count: int, origin: Slot, target: Slot, kind: Expr | None = None) -> st.MoveSome:
    return st.MoveSome(number(count), kind, origin, target, False, line(1))


def move_set(pieces: Expr, target: Slot) -> st.MoveSet:
    return st.MoveSet(pieces, target, False, line(1))


# ---- moves


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_a_number_of_pieces_from_one_place_to_another(count: int) -> None:
    same(move(count, slot(IN_BOX), slot(IN_HANDS)))
    same(move(count, slot(IN_HANDS), slot(IN_HANDS, 1)), move(count, slot(IN_BOX), slot(IN_HANDS)))
    same(move(count, slot(IN_HANDS), slot(IN_HANDS)), move(count, slot(ON_BOARD, 1), slot(IN_HANDS, 1)))


def test_one_piece_to_a_place_for_one() -> None:
    for place in range(3):
        same(move(1, slot(IN_BOX), slot(ON_BOARD, place)))  # a fault where one lies there
        same(move(1, slot(ON_BOARD, place), slot(IN_HANDS, 1)))
        same(move(1, slot(ON_BOARD, place), slot(ON_BOARD, (place + 1) % 3)))


def test_pieces_of_a_kind() -> None:
    for kind in range(3):
        same(move(1, slot(IN_BOX), slot(IN_HANDS), Lookup(PIECES, OF_KIND, (nth(kind),))))
        same(move(4, slot(IN_BOX), slot(IN_HANDS), Const(PIECES, KINDS[kind] | KINDS[0])))


def test_all_pieces_of_a_place() -> None:
    same(move_set(cell(HANDS), slot(IN_BOX)), move_set(cell(BOARD, 1), slot(IN_BOX)))
    same(move_set(cell(BOX), slot(IN_HANDS, 1)), move_set(of_kind(nth(1), HANDS), slot(IN_BOX)))
    same(move_set(cell(BOARD), slot(ON_BOARD, 1)))
    same(move_set(op(PIECES, "minus", cell(BOX), Const(PIECES, KINDS[1])), slot(IN_HANDS)))
    same(move_set(cell(HANDS), slot(IN_HANDS)), move_set(cell(BOARD), slot(ON_BOARD)))


def test_which_kind_it_is_depends_on_what_is_there_before_the_first_move() -> None:
    """As many pieces as lie in a hand say which kind is moved, there or elsewhere."""
    several = op(Int(0, 2), "least", op(COUNT, "size", cell(HANDS)), number(2))
    same(move(3, slot(IN_BOX), slot(IN_HANDS), Lookup(PIECES, OF_KIND, (several,))))
    same(move_set(of_kind(several), slot(IN_HANDS)))
    same(move_set(of_kind(several, HANDS), slot(IN_BOX)))


def test_the_place_is_the_one_before_the_move() -> None:
    there = op(Int(0, 2), "least", op(COUNT, "size", cell(HANDS)), number(1))
    same(move(2, slot(IN_HANDS, there), slot(IN_HANDS, op(Int(0, 1), "sub", number(1), there))))


# ---- reading


def test_what_is_asked_of_kinds() -> None:
    x = Local(Int(2, 4), "x")
    white = Lookup(PIECES, OF_KIND, (nth(0),))
    here = op(PIECES, "both", Cell(PIECES, BOARD, Lookup(POSITIONS.type, POSITIONS, (x,))), white)
    where = Fold(FILLED.type, "set", (Loop(x, cell(FILLED), some(here)),), x)
    conditions = [
        some(cell(HANDS)), some(of_kind(nth(2), HANDS)), op(BOOL, "gt", op(COUNT, "size", cell(BOX)), number(3)),
        op(BOOL, "gt", op(COUNT, "size", of_kind(nth(1))), number(1)), some(cell(BOARD, 1)),
        op(BOOL, "is_none", op(Opt(PIECE), "first", of_kind(nth(0), BOARD, 0))),
        op(BOOL, "eq", Lookup(Opt(COLOUR.type), COLOUR, (op(Opt(PIECE), "first", cell(BOARD, 1)),)), number(1)),
        op(BOOL, "eq", where, Const(FILLED.type, 0b100)),
    ]  # fmt: skip
    for condition in conditions:
        same(st.If(condition, (st.Stop(-2),)), move(1, slot(IN_BOX), slot(IN_HANDS)))


@pytest.mark.parametrize("values", [(0, 0, 1, 1, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0, 1, 1, 2, 2)])
def test_kinds_with_the_same_value_are_asked_for_together(values: tuple[int, ...]) -> None:
    """Whose piece it is, whether somebody has one there, and where: for each value, in whatever kinds it occurs."""
    attribute = Table("attribute", values, Int(0, 2))
    pieces = Table("pieces", tuple(sum(1 << n for n in range(6) if values[n] == v) for v in range(3)), PIECES)
    several = op(Int(0, 2), "least", op(COUNT, "size", cell(HANDS)), number(2))
    listed = Lookup(Ref("Colour", 3), LISTED, (several,))
    asked = Lookup(PIECES, pieces, (listed,))
    found = Lookup(Opt(attribute.type), attribute, (op(Opt(PIECE), "first", cell(BOARD, 1)),))
    x = Local(Int(2, 4), "x")
    here = op(PIECES, "both", Cell(PIECES, BOARD, Lookup(POSITIONS.type, POSITIONS, (x,))), asked)
    conditions = [op(BOOL, "eq", found, number(value)) for value in range(3)] + [
        some(op(PIECES, "both", cell(BOARD, 1), asked)),
        op(BOOL, "gt", op(COUNT, "size", op(PIECES, "both", cell(BOARD, 1), asked)), number(0)),
        some(op(PIECES, "minus", cell(BOARD, 2), asked)),
        op(BOOL, "gt", op(COUNT, "size", Fold(FILLED.type, "set", (Loop(x, cell(FILLED), some(here)),), x)), number(0)),
    ]
    for condition in conditions:
        same(st.If(condition, (st.Stop(-2),)), move(1, slot(IN_BOX), slot(IN_HANDS)))


# ---- what prevents it


def refused(*body: st.Statement, **zones: Any) -> dict[str, str]:
    """The types of pieces of which the pieces themselves are kept, each with the reason."""
    given, records = module(*body), PassRecords()
    before = given.blocks[0].body
    kinds = pieces_by_kind(given, layout(**zones), records)
    reasons = {each.subject: each.reason for each in records.entries if not each.applied}
    if len(reasons) == 2:
        assert given.blocks[0].body == before and kinds.zones == {}
    return reasons


BOTH = ("Man", "King")


def test_single_pieces_in_rules() -> None:
    piece = Local(PIECE, "piece")
    loop = st.For((Loop(piece, cell(HANDS)),), (move_set(op(PIECES, "single", piece), slot(IN_BOX)),))
    assert refused(loop) == dict.fromkeys(BOTH, "individual pieces are examined")
    assert refused(move_set(Const(PIECES, 1), slot(IN_BOX))) == {
        "Man": "individual pieces are looped over", "King": "individual pieces are moved",
    }  # fmt: skip


def test_part_of_a_kind() -> None:
    two = op(PIECES, "both", cell(BOX), Const(PIECES, 0b0101))
    assert refused(move_set(two, slot(IN_HANDS))).keys() == {*BOTH}
    assert refused(move(1, slot(IN_BOX), slot(IN_HANDS), Const(PIECES, 0b0101))) == dict.fromkeys(
        BOTH, "pieces are moved by more than their kind"
    )


def test_several_pieces_to_a_place_for_one() -> None:
    reason = "several pieces may be moved to a place for one"
    assert refused(move(2, slot(IN_BOX), slot(ON_BOARD))) == dict.fromkeys(BOTH, reason)
    assert refused(move_set(cell(BOX), slot(ON_BOARD))) == dict.fromkeys(BOTH, reason)


@pytest.mark.parametrize("shape", ["row", "stack"])
def test_pieces_in_order(shape: str) -> None:
    assert refused(hands=_zone("hands", shape)) == dict.fromkeys(BOTH, "`hands` keeps its pieces in order")


def test_kinds_that_may_never_be_computed() -> None:
    """A key that may fail is an effect, and in terms of kinds it is only evaluated where a piece lies."""
    key = Check(Int(0, 2), "need", cell(WHICH, 1), ())
    assert refused(move(1, slot(IN_BOX), slot(IN_HANDS), Lookup(PIECES, OF_KIND, (key,)))).keys() == {*BOTH}
    assert refused(st.If(some(of_kind(key)), (st.Stop(-2),))).keys() == {*BOTH}
    by_place = of_kind(cell(WHICH, 0), HANDS, Check(Int(0, 1), "need", cell(WHICH, 1), ()))
    assert refused(st.If(some(by_place), (st.Stop(-2),))).keys() == {*BOTH}


def test_a_place_for_each_piece_tells_those_and_what_lies_on_them_apart() -> None:
    men = {zone.name: _zone(zone.name, "heap", holds=("Man",)) for zone in (IN_BOX, ON_BOARD)}
    on_kings = _zone("hands", "heap", holds=("Man",), index=(PieceType(frozenset({"King"})),))
    assert refused(hands=on_kings, **men) == {
        "King": "`hands` has a place for every piece", "Man": "`hands` distinguishes pieces",
    }  # fmt: skip


def test_what_lies_with_single_pieces_is_told_apart_too() -> None:
    """Pieces of both types may move between the zones."""
    assert refused(hands=_zone("hands", "row", holds=("King",))).keys() == {*BOTH}
    apart = {name: _zone(name, "heap", holds=("Man",)) for name in ("box", "board")}
    assert refused(hands=_zone("hands", "row", holds=("King",)), **apart).keys() == {"King"}


def test_records_and_switching_it_off() -> None:
    records = PassRecords()
    pieces_by_kind(module(), layout(), records)
    assert [(each.name, each.subject, each.applied) for each in records.entries] == [
        (NAME, "Man", True), (NAME, "King", True),
    ]  # fmt: skip
    given, off = module(move(1, slot(IN_BOX), slot(IN_HANDS))), PassRecords(off=frozenset({NAME}))
    kinds = pieces_by_kind(given, layout(), off)
    assert kinds.zones == {} and off.entries == [] and isinstance(given.blocks[0].body[0], st.MoveSome)
    rules_of(load("connect_four").program, without := PassRecords(off=frozenset({NAME})))
    assert not [each for each in without.entries if each.name == NAME]
