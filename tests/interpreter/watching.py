"""Looking at a game with the eyes of one seat, to find out whether it could tell what it may not know."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl.types import PieceType, Several, bare
from interpreter import Game, LogEntry, State
from interpreter.compile.layout import DRAWN, Layout
from interpreter.compile.program import Program
from interpreter.log import Change, changes
from interpreter.masks import bits
from interpreter.resampling import appearance_of, resampled
from interpreter.runtime import LOOP, Cells
from interpreter.sight import known_attributes, look, note_seen, place_standing, wholly_seen


def news(state: State, seat: str, since: int) -> list[LogEntry]:
    """What the seat is told from a decision on; the set-up is past."""
    return [entry for entry in state.log(seat, since) if entry.kind != "chance"]


@dataclass
class Known:
    """What a seat sees and is asked at a decision, and what it is told of the move made there."""

    state: State
    seat: str
    notation: str

    def __post_init__(self) -> None:
        self.view = self.state.view(self.seat)
        self.question, self.player, self.ply = self.state.question, self.state.player, self.state.ply
        self.own = self.player == self.seat
        self.moves = self.state.legal_moves if self.own else ()
        self.after = self.state.copy()
        self.after.push(self.notation)
        self.told = news(self.after, self.seat, self.ply)

    def compare(self, other: State) -> None:
        """The seat cannot tell the other state from this one, now and after the same move of anybody."""
        assert other.view(self.seat) == self.view
        assert other.player == self.player
        if self.own:
            assert other.question == self.question
            assert other.legal_moves == self.moves
        if other.question == self.question:
            self.compare_after(other)
        elif self.notation == "done":  # where nothing was asked in secret, play is already there
            assert self.question is not None and self.question.secretly and not self.own
            assert self.after.view(self.seat) == other.view(self.seat)
            assert all(entry.player is None for entry in self.told)

    def compare_after(self, other: State) -> None:
        """What is told of the move, and if that differs, it differs by what the move let the seat see."""
        if self.notation not in [move.notation for move in other.legal_moves]:
            assert not self.own
            return
        before = other.copy()
        other.push(self.notation)
        told = news(other, self.seat, self.ply)
        assert heads(told) == heads(self.told)
        if told != self.told and not (other.over or self.after.over):
            shown = other.view(self.seat) != self.after.view(self.seat)
            assert shown or way_of_each(before, other, self.seat) != way_of_each(self.state, self.after, self.seat)


def heads(told: list[LogEntry]) -> list[tuple[str | None, str]]:
    """Who did what, of the first entry."""
    return [(entry.player, entry.text) for entry in told[:1]]


def way_of_each(before: State, after: State, seat: str) -> list[str]:
    """The seat's view of each piece before, during and after a move, and of any note it saw for a while.

    The seat may learn from that, say, that the card from the hand now lies open, and not the one from the pile.
    """
    program, number = before.program, before.seat_number(seat)
    assert number is not None
    layout = program.layout
    pieces = piece_cells(layout)
    cells, found = changes(after.cells, after.journal, after.history[-1].start)

    def looks() -> list[object]:
        return [look(program, piece, known_attributes(program, cells, number, piece)) for piece in range(len(pieces))]

    ways = [[seen_of(program, cells, number, piece)] for piece in range(len(layout.pieces))]
    noted = Counter[int]()
    passing: list[str] = []
    step = inside = laid = 0  # steps are counted outside of loops, whose rounds follow the order of the pieces
    moving = False
    shown = looks()
    for place, (cell, payload, new) in enumerate(found):
        if settled(layout, found, place):
            then, shown = shown, looks()
            for piece in range(len(pieces)):
                if shown[piece] != then[piece]:
                    ways[piece].append(f"{step} {shown[piece]}")
            if shown != then:
                passing += [
                    f"{name} {sorted(map(str, map(shown.__getitem__, named)))}"
                    for name, named in references(program, cells, number)
                ]
        if cell == LOOP:
            inside = 0 if payload == () else inside + (1 if payload is not None else -1)
        if cell in pieces:
            step += not moving and not inside
            laid = 0 if inside or not moving else laid + 1
            piece = cell - pieces.start
            at = laid if layout.places[new].order else 0  # what lies in a row for a while shows its order
            ways[piece].append(f"{step} {at} {look(program, piece, known_attributes(program, cells, number, piece))}")
        moving = cell in pieces
        if cell >= 0:
            cells[cell] = new
            noted[cell] += cell in layout.notes_of_cell
    for piece, way in enumerate(ways):
        way.append(seen_of(program, after.cells, number, piece))
    passing += [layout.notes_of_cell[cell][0] for cell, times in noted.items() if times > 1]
    return sorted(str(way) for way in ways) + sorted(passing)


def piece_cells(layout: Layout) -> range:
    """The cells that say where each piece lies."""
    return range(layout.place_cells, layout.place_cells + len(layout.pieces))


def settled(layout: Layout, found: Sequence[Change], place: int) -> bool:
    """True if no piece is on its way just before a change."""
    moving = place > 0 and found[place - 1][0] in piece_cells(layout)
    shuffled = place + 1 < len(found) and found[place + 1][0] == DRAWN
    cell = found[place][0]
    return cell not in layout.lying or shuffled or (cell in piece_cells(layout) and not moving)


def seen_on_the_way(before: State, after: State, seat: str) -> set[int]:
    """The pieces that the seat saw whole at some time during a move."""
    program, number = before.program, before.seat_number(seat)
    cells, found = changes(after.cells, after.journal, after.history[-1].start)
    seen: set[int] = set()

    def look_around() -> None:
        seen.update(piece for piece in range(len(program.layout.pieces)) if wholly_seen(program, cells, number, piece))

    for place, (cell, _, new) in enumerate(found):
        if settled(program.layout, found, place):
            look_around()
        if cell >= 0:
            cells[cell] = new
    look_around()
    return seen


def references(program: Program, cells: Cells, seat: int) -> Iterator[tuple[str, list[int]]]:
    """The notes that name pieces and that a seat sees, each with these pieces."""
    for cell, (name, slot) in program.layout.notes_of_cell.items():
        note, value = program.model.notes.get(name), cells[cell]
        core = bare(note.type) if note is not None and note.type is not None else None
        if isinstance(core, Several):
            core, value = core.element, tuple(bits(value or 0))
        if isinstance(core, PieceType) and value is not None and note_seen(program, cells, seat, name, slot):
            yield name, list(value) if isinstance(value, tuple) else [value]


def seen_of(program: Program, cells: Cells, seat: int, piece: int) -> str:
    """The seat's view of a piece and of the place where it lies."""
    place = cells[program.layout.place_cells + piece]
    return f"{appearance_of(program, cells, seat, piece)} {place_standing(program, cells, seat, place)}"


def leaks(game: Game, seeds: range, samples: int = 3) -> list[str]:
    """Where in random games some seat could tell a state from another that differs only in what it may not know."""
    found = []
    for seed in seeds:
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None:
            before, notation = state.copy(), rng.choice(state.legal_moves).notation
            state.push(notation)
            for seat in game.seats:
                known = Known(before, seat, notation)
                for sample in range(samples):
                    try:
                        known.compare(resampled(before, seat, seed * 1000 + before.ply * samples + sample))
                    except AssertionError as fault:
                        found.append(f"seed {seed}, ply {before.ply}, {seat}: {fault}")
    return found
