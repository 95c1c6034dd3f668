"""Pieces and places as constant data of a C source."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.native.context import Program
from interpreter.native.rules import Rules, header


def pieces(program: Program, rules: Rules) -> Iterator[str]:
    """Where each piece can be, which pieces are equal, and the functions that move pieces."""
    layout, cells, form = rules.layout, program.cells, program.pieces
    yield f"enum {{ PIECES = {max(1, len(layout.pieces))}, PLACES = {len(layout.places)} }};"
    yield f"enum {{ PIECE_CELLS = {cells.positions.get(layout.place_cells, 0)} }};"
    yield f"typedef set_{form} set_p;"
    yield f"#define P(name) name##_{form}"
    yield header("places")
    rows = []
    for place in layout.places:
        order = cells.positions[place.order] if place.order else -1
        filled = "-1"
        if place.filled in cells.positions:
            field = cells.field_of(cells.forms[place.filled])
            filled = f"offsetof(G, {field}[{cells.positions[place.filled]}])"
        flags = f"{int(place.shape == 'one')}, {int(place.shape == 'stack')}"
        bit = max(0, place.bit.bit_length() - 1)
        rows.append(f"{{{cells.positions[place.mask]}, {order}, {filled}, {bit}, {flags}}}")
    yield f"static const Place places[PLACES] = {{{', '.join(rows)}}};"
    kinds = ", ".join(str(piece.kind) for piece in layout.pieces)
    yield f"static const int32_t kinds[PIECES] = {{{kinds or 0}}};"
    starts, attached = [0], []
    for entries in rules.attached:
        attached += [f"{{{cells.positions[cell]}}}" for cell in entries]
        starts.append(len(attached))
    yield f"static const Attached attached[{max(1, len(attached))}] = {{{', '.join(attached) or '{0}'}}};"
    yield f"static const int32_t attached_from[PIECES + 1] = {{{', '.join(map(str, starts))}}};"
    yield header("pieces")


def in_turn(rules: Rules) -> Iterator[str]:
    """The order in which pieces of each zone are chosen."""
    zones = list(dict.fromkeys(place.zone for place in rules.layout.places))
    numbers = ", ".join(str(zones.index(place.zone)) for place in rules.layout.places)
    yield f"static const int32_t zones[PLACES] = {{{numbers}}};"
    rows = []
    for zone in zones:
        keys = [rules.choice_key(zone, piece.number) for piece in rules.layout.pieces] if zone else []
        order = {key: number for number, key in enumerate(sorted(set(keys)))}
        rows.append(f"{{{', '.join(str(order[key]) for key in keys) or 0}}}")
    yield f"static const int32_t choice_ranks[{len(zones)}][PIECES] = {{{', '.join(rows)}}};"
    yield header("in_turn")
