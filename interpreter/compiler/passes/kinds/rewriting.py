"""Expressions about pieces in terms of their kinds."""

from __future__ import annotations

from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Choice, Const, Expr, Fold, Lookup, Op, Zone, number, rebuilt
from interpreter.compiler.passes.kinds.kinds import Kinds, KindZone, all_of, any_of, in_kind_set, is_kind_set
from interpreter.compiler.passes.kinds.reads import counted_set, holding


def rewritten(kinds: Kinds, zones: dict[str, Zone], node: Expr) -> Expr:
    """An expression in terms of kinds; `zones` are those that keep kinds, by their cells."""
    match node:
        case Op(name="is_empty", args=(pieces,)) if counted_set(zones, pieces) is not None:
            return _not(_some(kinds, zones, pieces))
        case Op(name="is_none", args=(Op(name="first", args=(pieces,)),)) if counted_set(zones, pieces) is not None:
            return _not(_some(kinds, zones, pieces))
        case Op(name="size", args=(pieces,)) if counted_set(zones, pieces) is not None:
            return _size(kinds, zones, pieces)
        case Lookup(keys=(Op(name="first", args=(pieces,)),)) if counted_set(zones, pieces) is not None:
            return _attribute(kinds, zones, node, pieces)
        case Fold():
            held = holding(zones, node)
            if held is not None:
                return _holding(kinds, zones, kinds.zones[held[0].name], held[1])
        case _:
            pass
    return rebuilt(node, lambda child: rewritten(kinds, zones, child))


def _not(node: Expr) -> Expr:
    return Op(ir.BOOL, "not", (node,))


def parts_of(zones: dict[str, Zone], node: Expr) -> tuple[Cell, list[tuple[Expr, bool]]]:
    """The cell of a set of pieces, and the filters on their kinds: to some kinds, or to all but those."""
    match node:
        case Cell():
            return node, []
        case Op(name="both", args=(left, right)):
            inner, kind = (left, right) if is_kind_set(right) else (right, left)
            cell, filters = parts_of(zones, inner)
            return cell, [*filters, (kind, True)]
        case Op(name="minus", args=(left, right)):
            cell, filters = parts_of(zones, left)
            return cell, [*filters, (right, False)]
        case _:
            raise AssertionError(node)


def passes_filters(kinds: Kinds, zones: dict[str, Zone], kind: int, filters: list[tuple[Expr, bool]]) -> Expr:
    """Whether a kind passes all filters."""
    tests = []
    for those, wanted in filters:
        test = in_kind_set(rewritten(kinds, zones, those), kinds.masks[kind])
        tests.append(test if wanted else Const(ir.BOOL, not test.value) if isinstance(test, Const) else _not(test))
    return all_of(tests)


def place_key(kept: KindZone, index: Expr) -> Expr:
    """The key of a place in its zone: its index where sets of indices are kept, otherwise its position."""
    zone = kept.zone
    if kept.places is None or zone.positions is None:
        return index
    if isinstance(index, Const):
        value = next(value for value, position in zone.positions.content.items() if position == index.value)
        return number(value)
    if isinstance(index, Lookup) and index.table is zone.positions:
        return index.keys[0]
    first = min(zone.positions.content)  # consecutive values that do not begin at 0
    return Op(ir.COUNT, "add", (index, number(first)))


def present(kept: KindZone, where: Expr, place: int) -> Expr:
    """Whether a piece of a kind lies at a place; `place` is the position of the kind among those of the zone."""
    if kept.places is not None:
        return Op(ir.BOOL, "has", (sets_cell(kept, number(place)), where))
    return Op(ir.BOOL, "gt", (count_cell(kept, where, place), number(0)))


def sets_cell(kept: KindZone, place: Expr) -> Cell:
    """The cell with the indices where pieces of a kind lie."""
    assert kept.places is not None
    return Cell(kept.places.type, kept.places, place)


def count_cell(kept: KindZone, index: Expr, place: int) -> Cell:
    """The cell with the number of pieces of a kind at a place."""
    assert kept.counts is not None
    width = len(kept.kinds)
    if isinstance(index, Const):
        return Cell(kept.counts.type, kept.counts, number(index.value * width + place))
    found = index if width == 1 else Op(ir.COUNT, "mul", (index, number(width)))
    return Cell(kept.counts.type, kept.counts, found if place == 0 else Op(ir.COUNT, "add", (found, number(place))))


def _some(kinds: Kinds, zones: dict[str, Zone], pieces: Expr) -> Expr:
    """Whether a set of pieces is not empty."""
    cell, filters = parts_of(zones, pieces)
    kept = kinds.zones[zones[cell.group.name].name]
    index = place_key(kept, rewritten(kinds, zones, cell.index))
    if not filters and kept.zone.filled is not None:
        filled = Cell(kept.zone.filled.type, kept.zone.filled, number(0))
        return Op(ir.BOOL, "has", (filled, index))
    known = _same_position(kept, kinds, filters)
    if known is not None and kept.places is not None:
        return Op(ir.BOOL, "has", (sets_cell(kept, rewritten(kinds, zones, known)), index))
    tests = [
        all_of([passes_filters(kinds, zones, kind, filters), present(kept, index, place)])
        for place, kind in enumerate(kept.kinds)
    ]
    return any_of(tests)


def _size(kinds: Kinds, zones: dict[str, Zone], pieces: Expr) -> Expr:
    cell, filters = parts_of(zones, pieces)
    kept = kinds.zones[zones[cell.group.name].name]
    index = place_key(kept, rewritten(kinds, zones, cell.index))
    total: Expr | None = None
    for place, kind in enumerate(kept.kinds):
        wanted = passes_filters(kinds, zones, kind, filters)
        if isinstance(wanted, Const) and not wanted.value:
            continue
        one: Expr = count_cell(kept, index, place) if kept.counts is not None else to_int(present(kept, index, place))
        one = one if isinstance(wanted, Const) else Choice(ir.COUNT, wanted, one, number(0))
        total = one if total is None else Op(ir.COUNT, "add", (total, one))
    return number(0) if total is None else total


def to_int(condition: Expr) -> Expr:
    """1 if a condition holds, else 0."""
    return Op(ir.COUNT, "to_int", (condition,))


def _attribute(kinds: Kinds, zones: dict[str, Zone], node: Lookup, pieces: Expr) -> Expr:
    """An attribute of the first of some pieces, none if there are none."""
    cell, filters = parts_of(zones, pieces)
    kept = kinds.zones[zones[cell.group.name].name]
    index = place_key(kept, rewritten(kinds, zones, cell.index))
    found: Expr = Const(ir.optional(node.type), None)
    for place, kind in reversed(list(enumerate(kept.kinds))):
        condition = all_of([passes_filters(kinds, zones, kind, filters), present(kept, index, place)])
        found = Choice(node.type, condition, Const(ir.optional(node.type), node.table.content[kind]), found)
    return found


def _holding(kinds: Kinds, zones: dict[str, Zone], kept: KindZone, those: Expr) -> Expr:
    """The indices of a zone where a piece of some kinds lies."""
    assert kept.places is not None
    known = _same_position(kept, kinds, [(those, True)])
    if known is not None:
        return sets_cell(kept, rewritten(kinds, zones, known))
    found: Expr = Const(kept.places.type, 0)
    for place, kind in enumerate(kept.kinds):
        wanted = passes_filters(kinds, zones, kind, [(those, True)])
        if isinstance(wanted, Const) and not wanted.value:
            continue
        one: Expr = sets_cell(kept, number(place))
        if not isinstance(wanted, Const):
            one = Choice(one.type, wanted, one, Const(one.type, 0))
        found = one if isinstance(found, Const) else Op(one.type, "union", (found, one))
    return found


def _same_position(kept: KindZone, kinds: Kinds, filters: list[tuple[Expr, bool]]) -> Expr | None:
    """The value of an attribute, if its values correspond one to one, in order, to the kinds of a zone."""
    if len(filters) != 1 or not filters[0][1] or not isinstance(filters[0][0], Lookup):
        return None
    table, key = filters[0][0].table, filters[0][0].keys[0]
    if not isinstance(table.content, tuple) or isinstance(key.type, ir.Opt) or isinstance(key, Const):
        return None
    every = [kinds.masks[kind] for kind in kept.kinds]
    own = sum(every)
    return key if [pieces & own for pieces in table.content] == every else None
