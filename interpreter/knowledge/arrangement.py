"""The arrangement of pieces as a seat sees it: what the table shows of a move but the log does not.

Examples are which of two equal cards in a row was taken, or which of them has a token on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.types import PieceType, Several, bare
from interpreter.knowledge.appearance import appearance_of
from interpreter.layout.cells import ME, OUT
from interpreter.program import Program
from interpreter.runtime.primitives import Cells
from interpreter.visibility.hidden_loops import Change
from interpreter.visibility.sight import known_attributes, look

Arrangement = tuple[tuple[int, object], ...]
"""Places, each with what a seat sees of its pieces: in order, or sorted if they are unordered."""


def sight_can_change(program: Program) -> bool:
    """True if the visibility of a piece or note can change without a move."""
    model = program.model
    zones = [sight for zone in model.zones.values() for sight in zone.declaration.sights]
    notes = [sight for note in model.notes.values() for sight in note.declaration.sights]
    return any(program.reads(sight.viewers) for sight in (*zones, *notes))


def rearranged(program: Program, S: Cells, found: Iterable[Change]) -> set[int]:
    """The places in which changes may have rearranged pieces, or all places if visibility can change without a move.

    A piece on another piece counts as lying in the place of that piece.
    """
    layout = program.layout
    if sight_can_change(program):
        return {place.number for place in layout.places[1:] if _carrier(program, place.number) is None}
    of_mask = {place.mask: place.number for place in layout.places[1:]}
    places: set[int] = set()
    for cell, _, _ in found:
        if cell in layout.orders_of_cell:
            places.add(_lowest(program, S, layout.orders_of_cell[cell]))
        elif cell in of_mask and _carrier(program, of_mask[cell]) is not None:
            places.add(_lowest(program, S, of_mask[cell]))
        elif cell in layout.notes_of_cell:
            name, slot = layout.notes_of_cell[cell]
            note = program.model.notes.get(name)
            for type_, value in zip(note.index if note is not None else (), slot, strict=False):
                if isinstance(type_, PieceType):
                    places.add(_lowest(program, S, S[layout.place_cells + value]))
    return places - {OUT}


def _carrier(program: Program, number: int) -> int | None:
    """The piece on which the pieces of a place lie."""
    place = program.layout.places[number]
    index = program.model.zones[place.zone].index
    return next((value for type_, value in zip(index, place.index, strict=True) if isinstance(type_, PieceType)), None)


def _lowest(program: Program, S: Cells, number: int) -> int:
    """The outermost place that contains a place."""
    for _ in program.layout.pieces:
        carrier = None if number == OUT else _carrier(program, number)
        if carrier is None:
            return number
        number = S[program.layout.place_cells + carrier]
    return OUT  # pieces that lie on one another in a cycle


def arrangement(program: Program, S: Cells, seat: int, places: Sequence[int]) -> Arrangement:
    """What a seat sees of the pieces at some places."""
    return tuple([(number, _looks(program, S, seat, number)) for number in places])


def _looks(program: Program, S: Cells, seat: int, number: int) -> tuple[object, ...]:
    known: dict[str, frozenset[str]] = {}
    by_piece = program.visibility_depends_on_piece(program.layout.places[number].zone)
    found: list[object] = []
    for piece in program.contents(S, number):
        if _is_marked(program, S, piece):
            found.append(appearance_of(program, S, seat, piece))
            continue
        type_ = program.layout.pieces[piece].type
        if by_piece or type_ not in known:
            known[type_] = known_attributes(program, S, seat, piece)
        found.append(look(program, piece, known[type_]))
    return tuple(found if program.layout.places[number].order else sorted(found, key=repr))


def _is_marked(program: Program, S: Cells, piece: int) -> bool:
    """True if pieces lie on a piece or there are notes about it."""
    if program.notes_about[piece]:
        return True
    attached = program.runtime.attached[piece]
    return bool(attached) and any(S[mask] != plain for mask, _, plain in attached)


class Comparison:
    """Compares arrangements of pieces in states of a program, only at places where they can differ."""

    def __init__(self, program: Program, seat: int) -> None:
        self._program, self._seat = program, seat
        layout = program.layout
        self._place_of = {place.mask: place.number for place in layout.places[1:]} | layout.orders_of_cell
        self._sight = _cells_of_sight(program)
        self._pieces_of = {
            cell: pieces for cell, (name, slot) in layout.notes_of_cell.items()
            if (pieces := _pieces_in(program, name, slot))
        }  # fmt: skip
        self._of_changing_sight = [place.number for place in layout.places[1:] if _changes(program, place.zone)]
        self._local = all(_is_about_one_piece(program, name) for name in program.notes_about_pieces)

    def agrees(self, S: Cells, expected: Arrangement, like: Cells | None) -> bool:
        """True if the arrangement is as expected, which it was in `like`."""
        program, seat = self._program, self._seat
        places = None if like is None else self._differing(S, like)
        return all(
            _looks(program, S, seat, number) == looks
            for number, looks in expected
            if places is None or number in places
        )

    def _differing(self, S: Cells, other: Cells) -> set[int] | None:
        """The places at which pieces may look different in two states; None for all places."""
        if self._sight is None or not self._local:
            return None
        program = self._program
        places: set[int] = set()
        changed_sight = False
        for cell in [cell for cell, (one, two) in enumerate(zip(S, other, strict=True)) if one != two]:
            if cell in self._sight:
                changed_sight = True
            if cell in self._place_of:
                places |= {_lowest(program, cells, self._place_of[cell]) for cells in (S, other)}
            for piece in self._pieces_of.get(cell, ()):
                places |= {_lowest(program, cells, cells[program.layout.place_cells + piece]) for cells in (S, other)}
        if changed_sight:
            used = [number for number in self._of_changing_sight if program.contents(S, number)]
            places |= {_lowest(program, S, number) for number in used}
        return places


def _pieces_in(program: Program, name: str, slot: tuple[int, ...]) -> list[int]:
    """The pieces that a note is about."""
    note = program.model.notes.get(name)
    index = () if note is None else note.index
    return [value for type_, value in zip(index, slot, strict=False) if isinstance(type_, PieceType)]


def _changes(program: Program, zone: str) -> bool:
    """True if who sees pieces of a zone can change."""
    return any(program.reads(sight.viewers) for sight in program.model.zones[zone].declaration.sights)


def _is_about_one_piece(program: Program, name: str) -> bool:
    """True if how the note affects the appearance of a piece depends only on its value."""
    note = program.model.notes[name]
    cores = [bare(type_) for type_ in (*note.index, note.type) if type_ is not None]
    elements = [bare(core.element) if isinstance(core, Several) else core for core in cores]
    fixed = not any(program.reads(sight.viewers) for sight in note.declaration.sights)
    return fixed and sum(isinstance(element, PieceType) for element in elements) == 1


def _cells_of_sight(program: Program) -> frozenset[int] | None:
    """The cells that visibility depends on; None if not just on zones, notes, dice and the acting seat."""
    model, layout = program.model, program.layout
    zones = [sight for zone in model.zones.values() for sight in zone.declaration.sights]
    notes = [sight for note in model.notes.values() for sight in note.declaration.sights]
    names = {name for sight in (*zones, *notes) for name in program.reads(sight.viewers)}
    cells = {ME for name in names if name == "me"}
    cells |= {cell for cell, (name, _) in layout.notes_of_cell.items() if name in names}
    cells |= {cell for place in layout.places[1:] if place.zone in names for cell in (place.mask, place.order) if cell}
    known = {"me", *model.zones, *(name for name, _ in layout.notes_of_cell.values())}
    return frozenset(cells) if names <= known else None
