"""Uses of pieces: which of them distinguish pieces of a kind, and which depend only on kinds.

`slot[c] is empty`, `count hand[me] of red` and `the colour of the piece at c` are the same for any of several equal
pieces: they depend on kinds. A note that remembers a piece, a row that keeps its pieces in order, `for each x in
hand[me]` or a move of one chosen piece tell equal pieces apart, at least as far as this module can see.

The safe side is to refuse: every expression about pieces that is not one of the forms in `read_by_kind` counts as a use
of individual pieces, with its place in the rules as the reason. Types of pieces that can lie in the same zone are
refused together, since a zone keeps either pieces or kinds.
"""

from __future__ import annotations

from dataclasses import field

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Const, Expr, Fold, Lookup, Op, Slot, Zone, children
from interpreter.compiler.ir.module import Module
from interpreter.compiler.passes.facts.effects import HasEffect, effect_test
from interpreter.compiler.passes.kinds.layout import is_kind_set, kinds_of, playing, zone_types
from interpreter.runtime.layout import Layout


@dataclass
class Individuals:
    """The types of pieces that rules refer to individually, each with the first place where they do, and how."""

    module: Module
    layout: Layout
    masks: dict[int, int]
    has_effect: HasEffect
    reasons: dict[str, tuple[ast.Node | None, str]] = field(default_factory=dict)
    zone_of_cells: dict[str, Zone] = field(default_factory=dict)

    def note(self, types: frozenset[str], source: ast.Node | None, reason: str) -> None:
        """Note that types of pieces are referred to individually."""
        for type_ in types:
            self.reasons.setdefault(type_, (source, reason))


def individuals(module: Module, layout: Layout) -> Individuals:
    """Find the types of pieces whose kinds are not enough."""
    facts = Individuals(module, layout, kinds_of(layout), effect_test(module))
    facts.zone_of_cells = {zone.contents.name: zone for zone in module.zones.values()}
    _declared(facts)
    for function in playing(module, layout):
        for node in st.walk(function.body):
            _statement(facts, node)
    count = -1
    while count != len(facts.reasons):  # types that share a zone are distinguished together
        count = len(facts.reasons)
        for name in layout.model.zones:
            types = zone_types(layout, name)
            among = sorted(types & facts.reasons.keys())
            if among:
                source, reason = facts.reasons[among[0]]
                facts.note(types, source, reason)
    return facts


def _declared(facts: Individuals) -> None:
    """Notes and zones about individual pieces, and zones that keep an order."""
    model = facts.layout.model
    for note in model.notes.values():
        for type_ in (note.type, *note.index):
            if type_ is not None:
                facts.note(_piece_types(type_), note.declaration, f"the note `{note.name}` is about individual pieces")
    for zone in model.zones.values():
        for type_ in zone.index:
            facts.note(_piece_types(type_), zone.declaration, f"`{zone.name}` has a place for every piece")
            if _piece_types(type_):
                facts.note(zone_types(facts.layout, zone.name), zone.declaration, f"`{zone.name}` distinguishes pieces")
        # Even if nobody reads the order now: what comes to the top of a stack next depends on it.
        if zone.declaration.shape in ("row", "stack"):
            types = zone_types(facts.layout, zone.name)
            facts.note(types, zone.declaration, f"`{zone.name}` keeps its pieces in order")


def _piece_types(type_: Type) -> frozenset[str]:
    core = bare(type_)
    while isinstance(core, Several):
        core = bare(core.element)
    return core.piece_types if isinstance(core, PieceType) else frozenset()


def _statement(facts: Individuals, node: st.Statement) -> None:
    match node:
        case st.MoveSet(pieces, Slot() as target):
            _moved(facts, pieces, target, node)
            _expression(facts, target.index)
        case st.MoveSome(count, kind, Slot() as origin, Slot() as target):
            for part in (count, origin.index, target.index):
                _expression(facts, part)
            if kind is not None and not _kinds(facts, kind):
                _apart(facts, origin.zone, node.source, "pieces are moved by more than their kind")
            if target.zone.shape == "one" and not (isinstance(count, Const) and count.value == 1):
                _apart(facts, target.zone, node.source, "several pieces may be moved to a place for one")
        case _:
            for part in st.expressions(node):
                _expression(facts, part)


def _apart(facts: Individuals, zone: Zone, source: ast.Node | None, reason: str) -> None:
    facts.note(zone_types(facts.layout, zone.name), source, reason)


def _moved(facts: Individuals, pieces: Expr, target: Slot, node: st.MoveSet) -> None:
    """A move of a set of pieces: allowed are all pieces of a place, or those of some kinds."""
    cell = counted_set(facts.zone_of_cells, pieces)
    if cell is None or not _kinds_in(facts, pieces):
        _expression(facts, pieces)
        _apart(facts, target.zone, node.source, "individual pieces are moved")
        return
    zone = facts.zone_of_cells[cell.group.name]
    if target.zone.shape == "one" and zone.shape != "one":
        _apart(facts, zone, node.source, "several pieces may be moved to a place for one")


def counted_set(zones: dict[str, Zone], node: Expr) -> Cell | None:
    """The cell of a place, for an expression that gives all its pieces or those of some kinds; None for others."""
    match node:
        case Cell() if node.group.name in zones:
            return node
        case Op(name="both", args=(left, right)) if is_kind_set(right):
            return counted_set(zones, left)
        case Op(name="both", args=(left, right)) if is_kind_set(left):
            return counted_set(zones, right)
        case Op(name="minus", args=(left, right)) if is_kind_set(right):
            return counted_set(zones, left)
        case _:
            return None


def _kinds_in(facts: Individuals, node: Expr) -> bool:
    """Whether a set of pieces of a place is restricted by whole kinds only; notes uses of pieces in its parts."""
    match node:
        case Cell():
            _expression(facts, node.index)
            return True
        case Op(args=(left, right)):
            parts = [_kinds(facts, part) if is_kind_set(part) else _kinds_in(facts, part) for part in (left, right)]
            return all(parts) and not _index_has_effect(facts, node)
        case _:
            return False


def _index_has_effect(facts: Individuals, pieces: Expr) -> bool:
    """Whether computing the place has an effect, and its kinds are compared with a computed kind."""
    cell = counted_set(facts.zone_of_cells, pieces)
    return cell is not None and facts.has_effect(cell.index) and any(_found_kinds(part) for part in children(pieces))


def _found_kinds(node: Expr) -> bool:
    return isinstance(node, Lookup) or (isinstance(node, Op) and any(map(_found_kinds, node.args)))


def _kinds(facts: Individuals, node: Expr) -> bool:
    """Whether a set of pieces consists of whole kinds; notes uses of pieces in its parts."""
    match node:
        case Const(value=int() as pieces):
            return _whole(facts, pieces)
        case Lookup(table=table, keys=(key,)):
            _expression(facts, key)
            # `hand[me] of colour[c]` with kinds red and blue becomes `c = red and …` for each kind that is in the hand.
            if facts.has_effect(key):  # in terms of kinds the key may never be evaluated
                return False
            content = table.content.values() if isinstance(table.content, dict) else table.content
            return all(_whole(facts, pieces) for pieces in content)
        case Op(name="both" | "union" | "minus", args=(left, right)):
            return _kinds(facts, left) and _kinds(facts, right)
        case _:
            return False


def _whole(facts: Individuals, pieces: int) -> bool:
    return all(pieces & mask in (0, mask) for mask in facts.masks.values())


def _expression(facts: Individuals, node: Expr) -> None:
    """Record the uses of pieces in an expression that distinguish pieces of a kind."""
    read = read_by_kind(facts.zone_of_cells, node)
    if read is not None and (_kinds(facts, read) if is_kind_set(read) else _kinds_in(facts, read)):
        return
    match node:
        case Cell() if node.group.name in facts.zone_of_cells:
            _apart(facts, facts.zone_of_cells[node.group.name], node.source, "individual pieces are examined")
        case Slot():
            _apart(facts, node.zone, node.source, "pieces are examined in order or as seen")
        case Const(type=ir.Set(domain=ir.PIECE_DOMAIN), value=int() as pieces):
            types = frozenset(facts.layout.pieces[kind].type for kind, mask in facts.masks.items() if mask & pieces)
            facts.note(types, node.source, "individual pieces are looped over")
        case Lookup(type=ir.Set(domain=ir.PIECE_DOMAIN), table=table):
            every = frozenset(piece.type for piece in facts.layout.pieces)
            facts.note(every, node.source, f"the set {table.name} of individual pieces is examined")
        case _:
            pass
    for child in children(node):
        _expression(facts, child)


def read_by_kind(zones: dict[str, Zone], node: Expr) -> Expr | None:
    """The pieces, or kinds, in an expression that depends on kinds only; None for other expressions."""
    match node:
        case Op(name="is_empty" | "size", args=(pieces,)) if counted_set(zones, pieces) is not None:
            return pieces
        case Op(name="is_none", args=(Op(name="first", args=(pieces,)),)) if counted_set(zones, pieces) is not None:
            return pieces
        case Lookup(keys=(Op(name="first", args=(pieces,)),)) if counted_set(zones, pieces) is not None:
            return pieces
        case Fold():
            held = holding(zones, node)
            return None if held is None else held[1]
        case _:
            return None


def holding(zones: dict[str, Zone], node: Fold) -> tuple[Zone, Expr] | None:
    """The zone and the kinds, for an expression that gives the indices where a piece of some kinds lies."""
    if node.word != "set" or len(node.loops) != 1 or node.value != node.loops[0].local:
        return None
    loop = node.loops[0]
    match loop.over, loop.where:
        case (
            Cell(group=filled),
            Op(name="not", args=(Op(name="is_empty", args=(Op(name="both", args=(Cell(group=cells), kind)),)),)),
        ) if cells.name in zones and zones[cells.name].filled == filled and is_kind_set(kind):
            return zones[cells.name], kind
        case _:
            return None
