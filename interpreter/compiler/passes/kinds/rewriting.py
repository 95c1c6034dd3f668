"""Expressions about pieces in terms of their kinds.

    is_empty(slot[c])                     not (c in slot filled)
    size(hand[p] & M·colour[red])         hand by kind[…] + hand by kind[…]        the kinds that are red
    cells where slot[c] has a piece of me     slot by kind[me]                     where kinds follow the seats in order
    A·rank[first(slot[c])]                king if c in slot by kind[0] else queen if …, none if there is none

A test of a constant kind disappears: for each kind of a zone it is known whether it is red. Only what is computed, such
as `colour[x]`, remains as a comparison (`in_kind_set`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Choice, Const, Expr, Fold, Lookup, Op, Zone, number, rebuilt
from interpreter.compiler.passes.kinds.layout import Kinds, KindZone, all_of, any_of, in_kind_set, is_kind_set
from interpreter.compiler.passes.kinds.reads import counted_set, holding
from interpreter.runtime.cells import StoredValue


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
            restricted, kind = (left, right) if is_kind_set(right) else (right, left)
            cell, filters = parts_of(zones, restricted)
            return cell, [*filters, (kind, True)]
        case Op(name="minus", args=(left, right)):
            cell, filters = parts_of(zones, left)
            return cell, [*filters, (right, False)]
        case _:
            raise AssertionError(node)


def passes_filters(kinds: Kinds, zones: dict[str, Zone], kind: int, filters: list[tuple[Expr, bool]]) -> Expr:
    """Whether a kind passes all filters."""
    tests = []
    for kind_set, included in filters:
        test = in_kind_set(rewritten(kinds, zones, kind_set), kinds.masks[kind])
        tests.append(test if included else Const(ir.BOOL, not test.value) if isinstance(test, Const) else _not(test))
    return all_of(tests)


def place_key(kind_zone: KindZone, index: Expr) -> Expr:
    """The key of a place in its zone: its index where sets of indices are kept, otherwise its position."""
    zone = kind_zone.zone
    if kind_zone.places is None or zone.positions is None:
        return index
    if isinstance(index, Const):
        value = next(value for value, position in zone.positions.content.items() if position == index.value)
        return number(value)
    if isinstance(index, Lookup) and index.table is zone.positions:
        return index.keys[0]
    first = min(zone.positions.content)  # consecutive values that do not begin at 0
    return Op(ir.COUNT, "add", (index, number(first)))


def present(kind_zone: KindZone, where: Expr, place: int) -> Expr:
    """Whether a piece of a kind lies at a place; `place` is the position of the kind among those of the zone."""
    if kind_zone.places is not None:
        return Op(ir.BOOL, "has", (sets_cell(kind_zone, number(place)), where))
    return Op(ir.BOOL, "gt", (count_cell(kind_zone, where, place), number(0)))


def sets_cell(kind_zone: KindZone, place: Expr) -> Cell:
    """The cell with the indices where pieces of a kind lie."""
    assert kind_zone.places is not None
    return Cell(kind_zone.places.type, kind_zone.places, place)


def count_cell(kind_zone: KindZone, index: Expr, place: int) -> Cell:
    """The cell with the number of pieces of a kind at a place."""
    assert kind_zone.counts is not None
    width = len(kind_zone.kinds)
    if isinstance(index, Const):
        return Cell(kind_zone.counts.type, kind_zone.counts, number(index.value * width + place))
    position = index if width == 1 else Op(ir.COUNT, "mul", (index, number(width)))
    return Cell(
        kind_zone.counts.type,
        kind_zone.counts,
        position if place == 0 else Op(ir.COUNT, "add", (position, number(place))),
    )


def _some(kinds: Kinds, zones: dict[str, Zone], pieces: Expr) -> Expr:
    """Whether a set of pieces is not empty."""
    cell, filters = parts_of(zones, pieces)
    kind_zone = kinds.zones[zones[cell.group.name].name]
    index = place_key(kind_zone, rewritten(kinds, zones, cell.index))
    if not filters and kind_zone.zone.filled is not None:
        filled = Cell(kind_zone.zone.filled.type, kind_zone.zone.filled, number(0))
        return Op(ir.BOOL, "has", (filled, index))
    kind_value = _same_position(kind_zone, kinds, filters)
    if kind_value is not None and kind_zone.places is not None:
        return Op(ir.BOOL, "has", (sets_cell(kind_zone, rewritten(kinds, zones, kind_value)), index))
    if kind_zone.places is not None:
        return Op(ir.BOOL, "has", (_indices(kinds, zones, kind_zone, filters), index))
    tests = [
        all_of([passes_filters(kinds, zones, kind, filters), present(kind_zone, index, place)])
        for place, kind in enumerate(kind_zone.kinds)
    ]
    return any_of(tests)


def _size(kinds: Kinds, zones: dict[str, Zone], pieces: Expr) -> Expr:
    cell, filters = parts_of(zones, pieces)
    kind_zone = kinds.zones[zones[cell.group.name].name]
    index = place_key(kind_zone, rewritten(kinds, zones, cell.index))
    if kind_zone.places is not None:  # of single pieces
        return to_int(_some(kinds, zones, pieces))
    total: Expr | None = None
    for place, kind in enumerate(kind_zone.kinds):
        included = passes_filters(kinds, zones, kind, filters)
        if isinstance(included, Const) and not included.value:
            continue
        count: Expr = count_cell(kind_zone, index, place)
        count = count if isinstance(included, Const) else Choice(ir.COUNT, included, count, number(0))
        total = count if total is None else Op(ir.COUNT, "add", (total, count))
    return number(0) if total is None else total


def to_int(condition: Expr) -> Expr:
    """1 if a condition holds, else 0."""
    return Op(ir.COUNT, "to_int", (condition,))


def _attribute(kinds: Kinds, zones: dict[str, Zone], node: Lookup, pieces: Expr) -> Expr:
    """An attribute of the first of some pieces, none if there are none."""
    cell, filters = parts_of(zones, pieces)
    kind_zone = kinds.zones[zones[cell.group.name].name]
    index = place_key(kind_zone, rewritten(kinds, zones, cell.index))
    attribute: Expr = Const(ir.optional(node.type), None)
    if kind_zone.places is not None:
        groups = _alike(kinds, zones, kind_zone, filters, lambda kind: node.table.content[kind])
        for (included, value), places in reversed(groups.items()):
            condition = all_of([included, Op(ir.BOOL, "has", (places, index))])
            attribute = Choice(node.type, condition, Const(ir.optional(node.type), value), attribute)
        return attribute
    for place, kind in reversed(list(enumerate(kind_zone.kinds))):
        condition = all_of([passes_filters(kinds, zones, kind, filters), present(kind_zone, index, place)])
        attribute = Choice(node.type, condition, Const(ir.optional(node.type), node.table.content[kind]), attribute)
    return attribute


def _holding(kinds: Kinds, zones: dict[str, Zone], kind_zone: KindZone, kind_set: Expr) -> Expr:
    """The indices of a zone where a piece of some kinds lies."""
    assert kind_zone.places is not None
    kind_value = _same_position(kind_zone, kinds, [(kind_set, True)])
    if kind_value is not None:
        return sets_cell(kind_zone, rewritten(kinds, zones, kind_value))
    return _indices(kinds, zones, kind_zone, [(kind_set, True)])


def _indices(kinds: Kinds, zones: dict[str, Zone], kind_zone: KindZone, filters: list[tuple[Expr, bool]]) -> Expr:
    """The indices where a piece lies that passes filters."""
    assert kind_zone.places is not None
    alike = _alike(kinds, zones, kind_zone, filters)
    groups = [(included, places) for (included, _), places in alike.items()]
    nowhere = Const(kind_zone.places.type, 0)
    subject = _compared([included for included, _ in groups])
    if subject is not None:
        indices: Expr = nowhere
        if isinstance(subject.type, ir.Ref) and subject.type.width == len(groups):
            _, indices = groups.pop()  # no other value is left
        for included, places in reversed(groups):
            indices = Choice(places.type, included, places, indices)
        return indices
    parts = [
        places if isinstance(included, Const) else Choice(places.type, included, places, nowhere)
        for included, places in groups
    ]
    return reduce(_united, parts) if parts else nowhere


def _alike(
    kinds: Kinds, zones: dict[str, Zone], kind_zone: KindZone, filters: list[tuple[Expr, bool]],
    value_of: Callable[[int], StoredValue] = lambda kind: None,
) -> dict[tuple[Expr, StoredValue], Expr]:  # fmt: skip
    """The indices where kinds lie that pass filters under the same condition and have the same value.

    For example, white and black kings under no condition: `c in king` is then one test, not one for each colour.
    """
    groups: dict[tuple[Expr, StoredValue], Expr] = {}
    for place, kind in enumerate(kind_zone.kinds):
        included = passes_filters(kinds, zones, kind, filters)
        if included != Const(ir.BOOL, False):
            cell, key = sets_cell(kind_zone, number(place)), (included, value_of(kind))
            groups[key] = _united(groups[key], cell) if key in groups else cell
    return groups


def _united(left: Expr, right: Expr) -> Expr:
    return Op(left.type, "union", (left, right))


def _compared(conditions: Sequence[Expr]) -> Expr | None:
    """What conditions compare with a different constant each, as `me = 0` and `me = 1` do; None for others."""
    compared = {
        condition.args[1].value: condition.args[0]
        for condition in conditions
        if isinstance(condition, Op) and condition.name == "eq" and isinstance(condition.args[1], Const)
    }
    subjects = set(compared.values())
    return subjects.pop() if len(compared) == len(conditions) and len(subjects) == 1 else None


# `slot by kind[me]` instead of `slot by kind[0] if me = red else slot by kind[1]`: one read at a computed place. It
# needs the pieces of the n-th value to be exactly those of the n-th kind of the zone.
def _same_position(kind_zone: KindZone, kinds: Kinds, filters: list[tuple[Expr, bool]]) -> Expr | None:
    """The value of an attribute, if its values correspond one to one, in order, to the kinds of a zone."""
    if len(filters) != 1 or not filters[0][1] or not isinstance(filters[0][0], Lookup):
        return None
    table, key = filters[0][0].table, filters[0][0].keys[0]
    if not isinstance(table.content, tuple) or isinstance(key.type, ir.Opt) or isinstance(key, Const):
        return None
    every = [kinds.masks[kind] for kind in kind_zone.kinds]
    zone_pieces = sum(every)
    return key if [pieces & zone_pieces for pieces in table.content] == every else None
