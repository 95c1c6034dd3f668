"""The filled places of a zone that hold one of some pieces, as C.

In play step by step, where pieces keep their cells, a few pieces are looked up by their cells. For more pieces, all
filled places are scanned; the result is then cached until pieces move: a state has a number for the arrangement of its
pieces (`lying`), which is unique.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.ir.expressions import Const, Op, Zone
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, text
from interpreter.native.forms import NotInC
from interpreter.native.sets import set_form

FEW_PIECES = 16
"""Maximum number of pieces that are looked up by their cells."""

MOST_REMEMBERED = 64
"""Maximum number of expressions whose places are cached."""


@dataclass(frozen=True)
class _Search:
    """The zone and the forms of a search, the set of filled places and that of pieces."""

    zone: Zone
    below: int
    form: str
    pieces: str
    filled: str
    kind: str


def with_kind(names: Names, node: Op) -> str:
    """The filled places of a zone, whose first cell is a constant, that hold one of some pieces."""
    first, filled, kind = node.args
    pieces = names.program.pieces
    if not isinstance(first, Const):
        raise NotInC("the places of a zone that is not known")
    beginning = [zone for zone in names.program.module.zones.values() if zone.contents.first >= first.value]
    zone = min(beginning, key=lambda zone: zone.contents.first, default=None)  # value 0 may have no place
    if zone is None or zone.contents.own or names.program.cells.forms.get(zone.contents.first) != f"set_{pieces}":
        raise NotInC("the contents of a zone in cells of another kind")
    search = _Search(
        zone, zone.contents.first - first.value, set_form(names, filled), pieces, text(names, filled),
        as_form(names, kind, f"set_{pieces}"),
    )  # fmt: skip
    if not names.program.keeping:
        return _looked_through(names, search, search.filled, search.kind)
    names.program.used.add("pieces")
    if isinstance(kind, Const) and kind.value.bit_count() <= FEW_PIECES:
        return _looked_up(names, search)
    return _remembered(names, search)


def _looked_through(names: Names, search: _Search, filled: str, kind: str) -> str:
    """Scan all filled places."""
    cells, form, pieces = names.program.cells, search.form, search.pieces
    name, left, place = names.new(), names.new(), names.new()
    count = search.zone.contents.count
    index = f"at(x, {place} - {search.below}, {count})" if search.below else f"at(x, {place}, {count})"
    found = f"g->{cells.field_of(f'set_{pieces}')}[{cells.positions[search.zone.contents.first]} + {index}]"
    return (
        f"({{ set_{form} {name} = bit_{form}(-1), {left} = {filled}; while (!is_empty_{form}({left})) "
        f"{{ I {place} = next_{form}(&{left}); if (!is_empty_{pieces}(both_{pieces}({found}, {kind}))) "
        f"{name} = union_{form}({name}, bit_{form}({place})); }} {name}; }})"
    )


def _looked_up(names: Names, search: _Search) -> str:
    """Look up each of the pieces."""
    form, pieces, below = search.form, search.pieces, search.below
    name, left, place, those = names.new(), names.new(), names.new(), names.new()
    lying = f"g->s[PIECE_CELLS + at(x, next_{pieces}(&{those}), PIECES)] - {search.zone.first}"
    there = f"(uint64_t){place} < {search.zone.count} && has_{form}({left}, {place} + {below})"
    return (
        f"({{ set_{form} {name} = bit_{form}(-1), {left} = {search.filled}; "
        f"set_{pieces} {those} = {search.kind}; while (!is_empty_{pieces}({those})) "
        f"{{ I {place} = {lying}; if ({there}) {name} = union_{form}({name}, bit_{form}({place} + {below})); }} "
        f"{name}; }})"
    )


def _remembered(names: Names, search: _Search) -> str:
    """The cached places, unless pieces have moved since or different pieces are requested."""
    program, form, pieces = names.program, search.form, search.pieces
    number = len(program.memories)
    if number == MOST_REMEMBERED:
        return _looked_through(names, search, search.filled, search.kind)
    filled, kind, memory = names.new(), names.new(), names.new()
    program.memories.append(f"struct {{ uint64_t lying; set_{pieces} kind; set_{form} filled, found; }} m{number};")
    same = f"equal_{form}({memory}->filled, {filled}) && equal_{pieces}({memory}->kind, {kind})"
    return (
        f"({{ set_{form} {filled} = {search.filled}; set_{pieces} {kind} = {search.kind}; "
        f"__typeof__(&((Memories *)0)->m{number}) {memory} = &((Memories *)x->memories)->m{number}; "
        f"if ({memory}->lying != g->lying || !({same})) {{ "
        f"{memory}->found = {_looked_through(names, search, filled, kind)}; {memory}->lying = g->lying; "
        f"{memory}->kind = {kind}; {memory}->filled = {filled}; }} {memory}->found; }})"
    )
