"""What a seat can see happen during a move: each piece on its way, and the notes it can read in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ast
from dsl.types import PieceType, Several, Type, bare
from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, look, note_seen, place_standing
from interpreter.opponents.knowledge.arrangement import appearance_of
from interpreter.play.game import State
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import LOOP, REASON, Cells, changes
from interpreter.runtime.layout import DRAWN, Layout


@dataclass(frozen=True)
class Ways:
    """What a seat saw of each piece during a move, in no telling order, and of notes that name pieces.

    `passing` are the notes that were changed more than once.
    """

    pieces: tuple[str, ...]
    notes: tuple[str, ...]
    passing: tuple[str, ...]


def ways_of(before: State, after: State, seat: str) -> Ways:
    """The seat's view of everything before, during and after the last move of `after`.

    The seat may learn from that, say, that the card from the hand now lies open, and not the one from the pile.
    """
    walk = _Walk(before, after, seat)
    for index, change in enumerate(walk.found):
        walk.follow(index, *change)
    ways = [(*way, seen_of(walk.program, after.cells, walk.seat, piece)) for piece, way in enumerate(walk.ways)]
    named = walk.program.layout.notes_of_cell
    passing = [named[cell][0] for cell, times in walk.times.items() if times > 1]
    return Ways(tuple(sorted(map(str, ways))), tuple(sorted(walk.notes)), tuple(sorted(passing)))


def seen_on_the_way(before: State, after: State, seat: str) -> set[int]:
    """The pieces that the seat saw whole at some time during a move."""
    walk = _Walk(before, after, seat)
    seen: set[int] = set()
    for index, change in enumerate(walk.found):
        if walk.is_settled(index):
            seen |= walk.seen_whole()
        walk.follow(index, *change)
    return seen | walk.seen_whole()


def seen_of(program: Program, cells: Cells, seat: int, piece: int) -> str:
    """The seat's view of a piece and of the place where it lies."""
    place = cells[program.layout.place_cells + piece]
    return f"{appearance_of(program, cells, seat, piece)} {place_standing(program, cells, seat, place)}"


def names_pieces(type_: Type) -> bool:
    """True of the type of a piece or of a set of pieces."""
    core = bare(type_)
    return isinstance(core.element if isinstance(core, Several) else core, PieceType)


def pieces_in_note(program: Program, cells: Cells, cell: int) -> list[int]:
    """The pieces that a note names."""
    name, value = program.layout.notes_of_cell.get(cell, ("", ()))[0], cells[cell]
    note = program.model.notes.get(name)
    if note is None or note.type is None or value is None or not names_pieces(note.type):
        return []
    return bits(value) if isinstance(bare(note.type), Several) else [value]


def piece_cells(layout: Layout) -> range:
    """The cells that say where each piece lies."""
    return range(layout.place_cells, layout.place_cells + len(layout.pieces))


class _Walk:
    """The changes of a move one by one, as a seat sees them.

    A loop counts as one step, for its rounds follow the order of the pieces.
    """

    def __init__(self, before: State, after: State, seat: str) -> None:
        number = before.seat_number(seat)
        assert number is not None
        self.program, self.layout, self.seat = before.program, before.program.layout, number
        self.cells, self.found = changes(after.cells, after.journal, after.history[-1].start)
        self.where = piece_cells(self.layout)
        self.pieces = range(len(self.layout.pieces))
        self.ways = [[seen_of(self.program, self.cells, number, piece)] for piece in self.pieces]
        self.notes: list[str] = []
        self.times = Counter[int]()
        self.changed: dict[int, None] = {}
        self.step = self.inside = self.laid = 0
        self.looks = self._looks()

    def seen_whole(self) -> set[int]:
        """The pieces of which everything is seen now."""
        return {piece for piece in self.pieces if len(self._known(piece)) == len(self.layout.pieces[piece].attributes)}

    def is_settled(self, place: int) -> bool:
        """True if no piece is on its way just before a change."""
        found, layout = self.found, self.layout
        cell = found[place][0]
        shuffled = place + 1 < len(found) and found[place + 1][0] == DRAWN
        return cell not in layout.content_cells or shuffled or (cell in self.where and not self._moving(place))

    def follow(self, place: int, cell: int, payload: Any, new: Any) -> None:
        """Go over the next change."""
        if self.is_settled(place):
            self._look_around()
        if cell == LOOP:
            self.inside = 0 if payload == () else self.inside + (1 if payload is not None else -1)
            self.step += not self.inside
        elif cell == REASON:
            self._read(*payload)
        elif cell in self.where:
            self._move(place, cell - self.where.start, new)
        if cell >= 0:
            self.cells[cell] = new
        if cell in self.layout.notes_of_cell:
            self.times[cell] += 1
            self.changed[cell] = None
        if self.changed and not self.inside:
            self._look_around()
            for note in self.changed:
                self._note(note)
            self.changed.clear()

    def _moving(self, place: int) -> bool:
        return place > 0 and self.found[place - 1][0] in self.where

    def _known(self, piece: int) -> frozenset[str]:
        return known_attributes(self.program, self.cells, self.seat, piece)

    def _looks(self) -> list[str]:
        return [str(look(self.program, piece, self._known(piece))) for piece in self.pieces]

    def _look_around(self) -> None:
        """Something may have come into sight or gone out of it."""
        then, self.looks = self.looks, self._looks()
        if then != self.looks:
            for piece in self.pieces:
                if self.looks[piece] != then[piece]:
                    self.ways[piece].append(f"{self.step} {self.looks[piece]}")
            for cell in self.layout.notes_of_cell:
                self._note(cell, only_names=True)

    def _move(self, place: int, piece: int, new: int) -> None:
        moving = self._moving(place)
        self.step += not moving and not self.inside
        self.laid = self.laid + 1 if moving and not self.inside else 0
        at = self.laid if self.layout.places[new].order else 0  # what lies in a row for a while shows its order
        self.ways[piece].append(f"{self.step} {at} {look(self.program, piece, self._known(piece))}")

    def _read(self, number: int, _cell: int, _amount: int, values: Sequence[Any]) -> None:
        """A reason names pieces."""
        node = self.program.nodes[number]
        assert isinstance(node, ast.Add) and node.because is not None
        parts = [part for part in node.because.parts if not isinstance(part, str)]
        for part, value in zip(parts, values, strict=True):
            if isinstance(bare(self.program.model.types[part.number]), PieceType) and value is not None:
                self.ways[value].append(f"{self.step} because")

    def _note(self, cell: int, only_names: bool = False) -> None:
        """The seat reads a note: of the pieces it is about, or which pieces it names."""
        name, slot = self.layout.notes_of_cell[cell]
        note = self.program.model.notes.get(name)
        if note is None or note.type is None or not note_seen(self.program, self.cells, self.seat, name, slot):
            return
        if names_pieces(note.type):
            named = sorted(self.looks[piece] for piece in pieces_in_note(self.program, self.cells, cell))
            self.notes.append(f"{self.step} {name} {named}")
        elif not only_names:
            for type_, value in zip(note.index, slot, strict=True):
                if isinstance(bare(type_), PieceType):
                    self.ways[value].append(f"{self.step} {name} {self.cells[cell]}")
