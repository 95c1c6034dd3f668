"""The layout of kinds of pieces, where no rule refers to individual pieces.

Pieces of a kind (of equal type, with equal attributes) are interchangeable then. A zone for single pieces keeps the set
of indices where pieces of each kind lie; other zones keep the number of pieces of each kind at each place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Const, Expr, Group, Logic, Lookup, Op, Zone
from interpreter.compiler.ir.module import Function, Module
from interpreter.runtime.cells import Cells, NumberCell
from interpreter.runtime.layout import Layout


@dataclass(frozen=True)
class KindZone:
    """A zone that keeps kinds: `kinds` are those that may lie there, in the order of their pieces.

    `places` are the cells with the sets of indices by kind, or `counts` those with the number of pieces by place and
    kind.
    """

    zone: Zone
    kinds: tuple[int, ...]
    places: Group | None
    counts: Group | None


@dataclass
class Kinds:
    """The kinds of a game, by the number of their first piece; `masks` are their pieces as sets.

    `zones` are those that keep kinds, by name; `size` is the number of cells of the state including theirs.
    """

    layout: Layout
    masks: dict[int, int]
    size: int
    zones: dict[str, KindZone] = field(default_factory=dict)

    def opening(self, S: Cells) -> Cells:
        """The cells of a state, followed by those of the kinds."""
        cells = Cells([*S, *[0] * (self.size - len(S))])
        for kind_zone in self.zones.values():
            for position, place in enumerate(
                self.layout.places[kind_zone.zone.first : kind_zone.zone.first + kind_zone.zone.count]
            ):
                for number, kind in enumerate(kind_zone.kinds):
                    count = (S[place.mask] & self.masks[kind]).bit_count()
                    if kind_zone.places is not None and count:
                        cells[NumberCell(kind_zone.places.first + number)] |= place.bit
                    elif kind_zone.counts is not None:
                        cells[kind_zone.counts.first + position * len(kind_zone.kinds) + number] = count
        return cells

    def replaced_cells(self) -> Iterator[int]:
        """The cells that nothing changes any more: the pieces in places that keep kinds, and their places."""
        types: set[str] = set()
        for kind_zone in self.zones.values():
            types |= zone_types(self.layout, kind_zone.zone.name)
            yield from range(
                kind_zone.zone.contents.first, kind_zone.zone.contents.first + kind_zone.zone.contents.count
            )
        for piece in self.layout.pieces:
            if piece.type in types:
                yield self.layout.place_cells + piece.number


def kinds_of(layout: Layout) -> dict[int, int]:
    """The set of the pieces of each kind, by the number of the first of them."""
    masks: dict[int, int] = {}
    for piece in layout.pieces:
        masks[piece.kind] = masks.get(piece.kind, 0) | 1 << piece.number
    return masks


def zone_types(layout: Layout, name: str) -> frozenset[str]:
    """The types of the pieces that may lie in a zone."""
    return frozenset(held.name for held in layout.model.zones[name].declaration.holds)


def keep_kinds(module: Module, layout: Layout, names: Sequence[str]) -> Kinds:
    """Reserve cells for the kinds of pieces in some zones."""
    kinds = Kinds(layout, kinds_of(layout), layout.size)
    for name in names:
        zone, types = module.zones[name], zone_types(layout, name)
        zone_kinds = tuple(kind for kind in kinds.masks if layout.pieces[kind].type in types)
        places = counts = None
        if zone.filled is not None:
            places = Group(f"{name} by kind", kinds.size, len(zone_kinds), zone.filled.type)
        else:
            counts = Group(f"{name} by kind", kinds.size, zone.count * len(zone_kinds), ir.Int(0, len(layout.pieces)))
        group = places or counts
        assert group is not None
        module.cells[group.name] = group
        kinds.size += group.count
        module.by_kind.add(name)
        kinds.zones[name] = KindZone(zone, zone_kinds, places, counts)
    return kinds


def playing(module: Module, layout: Layout) -> Iterator[Function]:
    """The functions that matter for play: unless choices depend on it, all but those that say who sees what."""
    unsure = bool(layout.model.unsure_choices)
    yield from (function for function in module.functions.values() if unsure or function.kind != "sight")
    yield from module.blocks.values()


# ---------------------------------------------------------------- sets of pieces that are sets of kinds


def is_kind_set(node: Expr) -> bool:
    """Whether an expression is a set of pieces by kind: a constant, looked up by attribute, or combined from such."""
    match node:
        case Const(type=ir.Set(domain=ir.PIECE_DOMAIN)):
            return True
        case Lookup(type=ir.Set(domain=ir.PIECE_DOMAIN), keys=(_,)):
            return True
        case Op(name="both" | "union" | "minus", args=(left, right)):
            return is_kind_set(left) and is_kind_set(right)
        case _:
            return False


def in_kind_set(node: Expr, mask: int) -> Expr:
    """Whether the pieces of one kind are in a set of kinds."""
    match node:
        case Const(value=pieces):
            return Const(ir.BOOL, pieces & mask != 0)
        case Lookup(table=table, keys=(key,)):
            content = table.content.items() if isinstance(table.content, dict) else enumerate(table.content)
            values = [value for value, pieces in content if pieces & mask]
            tests = [Op(ir.BOOL, "eq", (key, Const(ir.bare(key.type), value))) for value in values]
            return tests[0] if len(tests) == 1 else any_of(tests)
        case Op(name="minus", args=(left, right)):
            return all_of([in_kind_set(left, mask), Op(ir.BOOL, "not", (in_kind_set(right, mask),))])
        case Op(name="both", args=(left, right)):
            return all_of([in_kind_set(left, mask), in_kind_set(right, mask)])
        case Op(name="union", args=(left, right)):
            return any_of([in_kind_set(left, mask), in_kind_set(right, mask)])
        case _:
            raise AssertionError(node)


def all_of(parts: Sequence[Expr]) -> Expr:
    """The conjunction of conditions, with constants folded."""
    return _joined("and", parts, False)


def any_of(parts: Sequence[Expr]) -> Expr:
    """The disjunction of conditions, with constants folded."""
    return _joined("or", parts, True)


def _joined(word: Literal["and", "or"], parts: Sequence[Expr], decided: bool) -> Expr:
    if any(isinstance(part, Const) and part.value is decided for part in parts):
        return Const(ir.BOOL, decided)
    open_parts = [part for part in parts if not isinstance(part, Const)]
    if len(open_parts) < 2:
        return open_parts[0] if open_parts else Const(ir.BOOL, not decided)
    return Logic(ir.BOOL, word, tuple(open_parts))
