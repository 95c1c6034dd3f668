"""Two sets of rules played in step, with the same chance and the same decisions, until something differs.

    original: score 2 for each pair       decision 1 … 6: the same moves, table and player
    changed:  score 3 for each pair       decision 7: `points[red]` is 2 and 3 → differs by its table

The same move has the same number in both only while the legal moves are equal; where only their codes differ, it is
found by its notation (`_same_move`). Rules are compared by what the original ones do: a game in which these fail says
nothing about the change.

This is about rules that differ in one small change, so that nearly all games stay the same for long: everything is
compared by numbers, and words are rendered only where these differ. `analysis/divergence.py` compares any two games.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.random_choices import random_choice
from interpreter.authoring.coverage.random_games import Setting
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.play.game import Game
from interpreter.runtime.cells import Cells, MoveCode, NoteCell
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, NO_CELL, POINT, RANDOM, Layout
from interpreter.runtime.ranking import leaders
from interpreter.seat.notation.moves import moves_in_words
from interpreter.seat.views.model import View
from interpreter.seat.views.seat_view import view_of

LONGEST_GAME = 1_000
"""Number of decisions after which a pair of games is left, with no difference found."""

VIEWED_AT = frozenset({0, 8, 64, 512})
"""The decisions, by number, at which views are compared, in games in which they are."""

Differs = Literal["moves", "player", "table", "view", "end", "result", "fault"]
"""What differs first: legal moves, who decides, pieces or notes, what a seat sees of them, whether the game is over,
the numbers that decide who wins at its end, or that a rule fails."""

Result = tuple[list[tuple[int, ...]], tuple[int, ...]]
"""The criteria of all seats, and the numbers of those that have won."""


@dataclass(frozen=True)
class Witness:
    """A game in which two sets of rules differ, and what differs after its decisions.

    `choices` are the numbers of the moves made, among the legal ones. `fault` is the error of the changed rules.
    """

    setting: Setting
    seed: int
    choices: tuple[int, ...]
    differs: Differs
    fault: str = ""


class Pair:
    """The same game by two sets of rules; `changed` is played along with `original`."""

    def __init__(self, original: Game, changed: Game, setting: Setting) -> None:
        self.setting = setting
        self.a, self.b = original.program, changed.program

    @cached_property
    def has_same_layout(self) -> bool:
        """True if pieces, places, notes and dice have the same numbers in both."""
        return same_layout(self.a, self.b)

    @cached_property
    def _table_cells(self) -> tuple[int, ...]:
        return tuple((self.a.layout.content_cells | self.a.layout.notes_of_cell.keys()) - {NO_CELL})

    def tables_differ(self, a: Cells, b: Cells) -> bool:
        """True if pieces, notes or dice differ."""
        if self.has_same_layout:
            return any(a[cell] != b[cell] for cell in self._table_cells)
        return _table(self.a, a) != _table(self.b, b)

    def played(self, seed: int, *, with_views: bool = False, longest: int = LONGEST_GAME) -> Witness | None:
        """Play one game in step; None if nothing differs, or if the original rules fail themselves.

        Comparing what each seat sees, `with_views`, takes longer than playing.
        """
        choices: list[int] = []
        a, b = Cells(self.a.initial), Cells(self.b.initial)
        a[RANDOM] = b[RANDOM] = seeded(seed)
        moves: tuple[MoveCode | None, MoveCode | None] = None, None
        while True:
            try:
                _advance(self.a, a, moves[0])
                legal = self.a.legal(a)
                result = _result(self.a, a) if a[POINT] < 0 else None
            except PlayError:
                return None
            try:
                _advance(self.b, b, moves[1])
                differs = self._difference(a, b, len(choices), result, with_views)
            except PlayError as fault:
                return Witness(self.setting, seed, tuple(choices), "fault", str(fault))
            if differs is not None:
                return Witness(self.setting, seed, tuple(choices), differs)
            if not legal or len(choices) >= longest:
                return None
            number = random_choice(seed, len(choices), len(legal))
            choices.append(number)
            moves = legal[number], self._same_move(a, b, number)

    def _difference(
        self, a: Cells, b: Cells, decisions: int, result: Result | None, with_views: bool
    ) -> Differs | None:  # fmt: skip
        """What differs at a decision, or at the end with this result. Raises PlayError if a changed rule fails."""
        if (a[POINT] < 0) != (b[POINT] < 0):
            return "end"
        if self.tables_differ(a, b):
            return "table"
        if result is not None:
            return "result" if result != _result(self.b, b) else None
        if a[ME] != b[ME]:
            return "player"
        if self.a.legal(a) != self.b.legal(b) and _notations(self.a, a) != _notations(self.b, b):
            return "moves"
        if with_views and decisions in VIEWED_AT and _views(self.a, a) != _views(self.b, b):
            return "view"
        return None

    def _same_move(self, a: Cells, b: Cells, number: int) -> MoveCode:
        """The move of the changed rules that is legal move `number` of the original ones."""
        legal_a, legal_b = self.a.legal(a), self.b.legal(b)
        if legal_a == legal_b:
            return legal_b[number]
        (move,) = moves_in_words(self.a, a, [legal_a[number]])
        return next(same.code for same in moves_in_words(self.b, b, legal_b) if same.notation == move.notation)


def same_layout(first: Program, second: Program) -> bool:
    """True if pieces, places, notes and dice have the same numbers in two programs."""
    return _shape(first.layout) == _shape(second.layout)


def _advance(program: Program, cells: Cells, move: MoveCode | None) -> None:
    """Make a move, or for None run the setup. Raises PlayError."""
    if move is None:
        program.run(cells, None, 0)
    else:
        program.do(cells, None, move)


def _shape(layout: Layout) -> tuple[object, ...]:
    places = [(place.zone, place.index, place.mask, place.order) for place in layout.places]
    pieces = [(piece.type, piece.attributes, piece.kind) for piece in layout.pieces]
    return places, pieces, layout.notes_of_cell


def _table(program: Program, cells: Cells) -> dict[str, object]:
    """What lies at each place, and the value of each note and die, by name."""
    layout, table = program.layout, dict[str, object]()
    for place in layout.places[1:]:
        names = [layout.piece_name(piece) for piece in program.contents(cells, place.number)]
        table[layout.place_name(place.number)] = names if place.order else sorted(names)
    for cell in layout.notes_of_cell:
        table[layout.cell_name(cell)] = cells[NoteCell(cell)]
    return table


def _views(program: Program, cells: Cells) -> list[View]:
    """What each seat sees. Raises PlayError."""
    return [view_of(program, cells, seat) for seat in range(len(program.layout.seats))]


def _notations(program: Program, cells: Cells) -> list[str]:
    return sorted(move.notation for move in moves_in_words(program, cells, program.legal(cells)))


def _result(program: Program, cells: Cells) -> Result:
    """The criteria of all seats, and the winners. Raises PlayError."""
    criteria = program.criteria_of_all(cells)
    return criteria, tuple(leaders(program.ranks(cells, criteria)))
