"""Moves of pieces between known places, expanded to stores to the cells of these places.

A state says several times where a piece is: in the set of the pieces at a place, in the order of a row or stack, in the
set of the filled places of a zone, and in the cell with the place of the piece. The run-time function for a move finds
out for each of these whether this place has it; where both places are known, the rules can say so once and for all.
`move 1 from deck to prize`, of a stack to a place for one piece, becomes

    if not is_empty(deck in order):
      piece = from_end(deck in order, 0)
      store places of pieces[piece] := @prize
      store deck := deck - {piece}
      store deck in order := without_last(deck in order, 1)
      if not is_empty(prize): fault: a second piece in @prize
      store prize := prize | {piece}
    else if not is_empty(prize):
      fault: a second piece in @prize

Other passes then see which cells a move reads and writes, and the machine engine updates cells at fixed addresses.
Without it games of cards and tiles take 1.02 to 1.4 times the instructions in the machine engine.
"""

from __future__ import annotations

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.module import Module, named
from interpreter.compiler.passes.facts.accesses import PLACES
from interpreter.compiler.passes.facts.traversal import functions
from interpreter.compiler.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.runtime.layout import Layout

NAME = "moves as stores"


# INVARIANT: the stores leave the same state as the run-time function, and fail at the same point of the rules. In
# particular a piece leaves its old place before the new one is tested for being full (`removed`, then `added`), so that
# a move from a place to itself is no fault; and `order` is read before it is stored.
def moves_as_stores(module: Module, layout: Layout, records: PassRecords) -> None:
    """Expand moves between known places, and read the order of pieces there from cells."""
    place = ir.Ref(ir.PLACE_DOMAIN, len(layout.places))
    places = ex.Group(PLACES, layout.place_cells, len(layout.pieces), place)
    module.cells[PLACES] = places
    expansion = MoveExpansion({zone.contents.name: zone for zone in module.zones.values()}, places)
    for function in functions(module):
        function.body = expansion.block(function.body)
    if expansion.expanded:
        records.applied(NAME, COURSE_OF_PLAY, None, counted(expansion.expanded, "move"))


@dataclass
class MoveExpansion:
    """Expands moves: the zones by the names of their cells, the places of pieces, and how many locals are new.

    `expanded` counts the moves.
    """

    zones: dict[str, ex.Zone]
    places: ex.Group
    fresh: int = 0
    expanded: int = 0

    def block(self, block: st.Block) -> st.Block:
        """Statements with the moves in them expanded."""
        return tuple([new for node in block for new in self._statement(node)])

    def _statement(self, node: st.Statement) -> st.Block:
        match node:
            case st.MoveSome(count=ex.Const(value=1), origin=ex.Slot() as origin, target=ex.Slot() as target):
                expanded = self._one(node, origin, target)
            case st.MoveSet(target=ex.Slot() as target, crowded=False):
                expanded = self._all(node, target)
            case st.Shuffle(place=ex.Slot() as place, source=source):
                order = ordered(place)
                expanded = None if order is None else (st.Mix(order, source),)
            case _:
                expanded = None
        if expanded is None:
            return (st.rebuilt(node, in_order, self.block),)
        self.expanded += 1
        return expanded

    def _local(self, type_: ir.Type, name: str) -> ex.Local:
        self.fresh += 1
        return ex.Local(type_, named(name, f"moved{self.fresh}"))

    # `move 1 from hand[me] to taken[winner of trick]` looks at the trick to find the place: after the first store it
    # would find another one.
    def _place_before(self, preparation: list[st.Statement], place: ex.Slot, source: ast.Node) -> ex.Slot:
        """The place with its index in a local: it is computed once, before the move, and even if nothing is moved."""
        match place.index:
            case ex.Lookup(table=table, keys=(key,)) if table is place.zone.positions:
                index: ex.Expr = ex.Lookup(
                    place.index.type, table, (self._in_local(preparation, key, source),), place.index.source
                )
            case _:
                index = self._in_local(preparation, place.index, source)
        return ex.Slot(place.type, place.zone, index, place.source)

    def _in_local(self, preparation: list[st.Statement], index: ex.Expr, source: ast.Node) -> ex.Expr:
        if isinstance(index, ex.Const | ex.Local):
            return index
        local = self._local(index.type, "index")
        preparation.append(st.Assign(local, in_order(index), source))
        return local

    def _one(self, node: st.MoveSome, origin: ex.Slot, target: ex.Slot) -> st.Block | None:
        """The move of the first piece, if there is one; None if it cannot be expanded."""
        order = ordered(origin)
        # The first card of a colour in a row is somewhere in the middle: its place in the order would have to be
        # searched for.
        if indexed(origin) is None or indexed(target) is None or (node.kind is not None and order is not None):
            return None
        preparation: list[st.Statement] = []
        origin = self._place_before(preparation, origin, node.source)
        target = self._place_before(preparation, target, node.source)
        cell, order = contents(origin), ordered(origin)
        piece = self._local(ir.element(cell.type), "piece")
        single = ex.Op(cell.type, "single", (piece,))
        if order is not None:
            some, first = ex.not_empty(order), at_front(origin, order, piece.type)
        elif node.kind is not None:
            members = self._local(cell.type, "those")
            preparation.append(st.Assign(members, ex.Op(cell.type, "both", (cell, in_order(node.kind))), node.source))
            some, first = ex.not_empty(members), ex.Op(piece.type, "lowest", (members,))
        else:
            some, first = ex.not_empty(cell), ex.Op(piece.type, "lowest", (cell,))
        moved = (
            st.Assign(piece, first, node.source),
            self._lies(piece, target, node.source),
            *removed(origin, single, node.source),
            *_fronted(origin, order, node.source),
            *added(target, single, ex.Op(ir.Seq(piece.type), "list", (piece,)), node.bottom, False, node.source),
        )
        return (*preparation, st.If(some, moved, overfull(target, node.source), node.source))

    def _all(self, node: st.MoveSet, target: ex.Slot) -> st.Block | None:
        """The move of all pieces of a place, or of those of some kinds; None if it cannot be expanded."""
        cell = _whose(node.pieces)
        if cell is None or cell.group.name not in self.zones:
            return None
        zone = self.zones[cell.group.name]
        origin = ex.Slot(self.places.type, zone, cell.index)
        if indexed(origin) is None or indexed(target) is None:
            return None
        preparation: list[st.Statement] = []
        origin = self._place_before(preparation, origin, node.source)
        target = self._place_before(preparation, target, node.source)
        members = self._local(cell.type, "those")
        piece = self._local(ir.element(cell.type), "piece")
        order = ordered(origin)
        some: ex.Expr = ex.Fold(ir.Seq(piece.type), "list", (ex.Loop(piece, members),), piece)
        rest: st.Block = ()
        if order is not None:
            facing = order if zone.shape == "row" else ex.Op(order.type, "reversed", (order,))
            all_moved = isinstance(node.pieces, ex.Cell)
            # Some pieces of a row to another row: `left_out` gives the order of those that stay, nothing that of those
            # that go.
            if not all_moved and target.zone.order is not None:
                return None
            some = facing if all_moved else some
            remaining = ex.Const(order.type, ()) if all_moved else ex.Op(order.type, "left_out", (order, members))
            rest = (st.Store(order, remaining, node.source),)
        pieces = self._local(ir.Seq(piece.type), "pieces")
        # `some` reads the order at the origin, which is stored before the target is.
        in_order_first: st.Block = () if target.zone.order is None else (st.Assign(pieces, some, node.source),)
        member = self._local(piece.type, "each")
        lies = st.For((ex.Loop(member, members),), (self._lies(member, target, node.source),), False, node.source)
        moved = (
            *in_order_first, lies, *removed(origin, members, node.source), *rest,
            *added(target, members, pieces, node.bottom, True, node.source),
        )  # fmt: skip
        preparation.append(st.Assign(members, in_order(node.pieces), node.source))
        return (*preparation, st.If(ex.not_empty(members), moved, (), node.source))

    def _lies(self, piece: ex.Local, target: ex.Slot, source: ast.Node) -> st.Store:
        return st.Store(ex.Cell(self.places.type, self.places, piece), target, source)


def _whose(pieces: ex.Expr) -> ex.Cell | None:
    """The cell with all pieces of the place that a set of pieces is taken from."""
    match pieces:
        case ex.Cell():
            return pieces
        case ex.Op(name="both", args=(ex.Cell() as cell, _)) | ex.Op(name="both", args=(_, ex.Cell() as cell)):
            return cell
        case ex.Op(name="minus", args=(ex.Cell() as cell, _)):
            return cell
        case _:
            return None


# ---------------------------------------------------------------- the cells of a place


def contents(place: ex.Slot) -> ex.Cell:
    """The cell with the set of the pieces at a place."""
    return ex.Cell(place.zone.contents.type, place.zone.contents, place.index)


def ordered(place: ex.Slot) -> ex.Cell | None:
    """The cell with the order of a row or stack; a stack from its bottom."""
    order = place.zone.order
    return None if order is None else ex.Cell(order.type, order, place.index)


def indexed(place: ex.Slot) -> ex.Expr | None:
    """The index of a place in the set of filled places; its position where the zone keeps no such set."""
    zone = place.zone
    if zone.filled is None or zone.positions is None:
        return place.index
    match place.index:
        case ex.Const(value=position):
            return ex.number(
                next(value for value, value_position in zone.positions.content.items() if value_position == position)
            )
        case ex.Lookup(table=table, keys=(key,)) if table is zone.positions:
            return key
        case _:
            return None


def at_front(place: ex.Slot, order: ex.Cell, type_: ir.Type) -> ex.Expr:
    """The left piece of a row that has pieces, or the top one of a stack."""
    return ex.Op(type_, "item" if place.zone.shape == "row" else "from_end", (order, ex.number(0)))


def _fronted(place: ex.Slot, order: ex.Cell | None, source: ast.Node) -> st.Block:
    """A row without its left piece, a stack without its top one."""
    if order is None:
        return ()
    operation = "behind" if place.zone.shape == "row" else "without_last"
    return (st.Store(order, ex.Op(order.type, operation, (order, ex.number(1))), source),)


def removed(place: ex.Slot, members: ex.Expr, source: ast.Node) -> st.Block:
    """Stores that take pieces out of the set at a place."""
    cell = contents(place)
    stores: st.Block = (st.Store(cell, ex.Op(cell.type, "minus", (cell, members)), source),)
    return (*stores, *_marked(place, "minus", source))


def _marked(place: ex.Slot, operation: str, source: ast.Node) -> st.Block:
    group, index = place.zone.filled, indexed(place)
    if group is None or index is None:
        return ()
    cell = ex.Cell(group.type, group, ex.number(0))
    return (st.Store(cell, ex.Op(group.type, operation, (cell, ex.Op(group.type, "single", (index,)))), source),)


def overfull(place: ex.Slot, source: ast.Node) -> st.Block:
    """The fault of a place for one piece that is not free, even if nothing is moved to it."""
    if place.zone.shape != "one":
        return ()
    return (st.If(ex.not_empty(contents(place)), (st.Overfull(place, source),), (), source),)


def added(place: ex.Slot, members: ex.Expr, pieces: ex.Expr, bottom: bool, several: bool, source: ast.Node) -> st.Block:
    """Stores that put pieces at a place, given as a set and in order."""
    cell, order, zone = contents(place), ordered(place), place.zone
    stores: list[st.Statement] = [*overfull(place, source)]
    if several and zone.shape == "one":
        more = ex.Op(ir.BOOL, "gt", (ex.Op(ir.COUNT, "size", (members,)), ex.number(1)))
        stores.append(st.If(more, (st.Overfull(place, source),), (), source))
    stores.append(st.Store(cell, ex.Op(cell.type, "union", (cell, members)), source))
    stores += _marked(place, "union", source)
    if order is not None:
        if bottom:
            first = ex.Op(order.type, "reversed", (pieces,)) if zone.shape == "stack" and several else pieces
            new = ex.Op(order.type, "appended", (first, order))
        else:
            new = ex.Op(order.type, "appended", (order, pieces))
        stores.append(st.Store(order, new, source))
    return tuple(stores)


# ---------------------------------------------------------------- reading orders


def in_order(node: ex.Expr) -> ex.Expr:
    """An expression that reads the order of pieces at known places from their cells."""
    match node:
        case ex.Op(name="contents", args=(ex.Slot(zone=ex.Zone(order=ex.Group())) as place,)):
            order = ordered(ex.Slot(place.type, place.zone, in_order(place.index)))
            assert order is not None
            return order if place.zone.shape == "row" else ex.Op(node.type, "reversed", (order,), node.source)
        case ex.Op(name="nth", args=(ex.Const(value=1), ex.Slot(zone=ex.Zone(order=ex.Group())) as place)):
            order = ordered(place)
            assert order is not None
            front = at_front(place, order, ir.bare(node.type))
            return ex.Choice(node.type, ex.not_empty(order), front, ex.NOTHING, node.source)
        case _:
            return ex.rebuilt(node, in_order)
