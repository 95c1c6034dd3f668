"""What one seat knows of a position, as lines of an example: what it does not see is left out, in comments.

    given hand[red] is [king, 2 ace]
    # deck: 31 card
    when phase main from red

Everything here follows from what the seat sees: two positions that it cannot tell apart have the same text. The moves
since the beginning of the turn are not repeated, as what others decided may be a secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dsl.symbols import DieSymbol, NoteSymbol
from dsl.text.nouns import counted
from dsl.types import Contents, PieceType, Several, Type, bare
from interpreter.engine.sight import fully_seen, note_seen
from interpreter.errors import PositionError
from interpreter.play.game import State
from interpreter.play.scenes.facts import Describer, UnsayableError
from interpreter.play.scenes.setup import StateBuilder
from interpreter.play.scenes.starting import run_lines, table_facts
from interpreter.play.scenes.writing import Course, position_text, resolved_game
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import Place
from interpreter.seat.views.model import View


def known_position_text(state: State, seat: str) -> str:
    """What a seat knows of the pending position, as lines of an example. Raises PositionError, UnknownSeatError."""
    view = state.view(seat)
    known = _Known(Course(resolved_game(state), state), state.game.seats.index(seat))
    try:
        facts = [*table_facts(state.game), *known.facts()]
        lines = [*run_lines(facts), *known.unseen(view), *_course(state, view)]
    except UnsayableError as fault:
        raise PositionError(str(fault)) from None
    return "\n".join(lines) + "\n"


def text_for(state: State, seat: str | None) -> str:
    """The pending position as lines of an example: all of it for None, or what a seat knows. Raises PositionError."""
    return position_text(state) if seat is None else known_position_text(state, seat)


def example_for(state: State, seat: str | None) -> str:
    """The same as an example that can be pasted into the rules."""
    lines = "".join(f"    {line}\n" for line in text_for(state, seat).splitlines())
    return f'example "after {counted(state.ply, "decision")}":\n{lines}'


class _Known:
    """What a seat sees of the end of a course."""

    def __init__(self, course: Course, seat: int) -> None:
        self.course, self.seat = course, seat
        self.program, self.target = course.program, course.cells

    def facts(self) -> Iterator[str]:
        """What the lines of `given` say."""
        builder = StateBuilder(self.program, Cells(self.program.initial))
        describer = Describer(self.program, builder, self._sees_place, self._sees_note)
        return describer.lines(self.target, {})

    def _sees_place(self, place: Place) -> bool:
        pieces = self.program.contents(self.target, place.number)
        index = self.program.model.zones[place.zone].index
        return not any(map(_is_about_pieces, index)) and all(
            fully_seen(self.program, self.target, self.seat, piece) for piece in pieces
        )

    def _sees_note(self, cell: int) -> bool:
        name, slot = self.program.layout.notes_of_cell[cell]
        model = self.program.model
        symbol: NoteSymbol | DieSymbol = model.notes.get(name) or model.dice[name]
        about_pieces = any(map(_is_about_pieces, symbol.index)) or _is_about_pieces(symbol.type)
        return not about_pieces and note_seen(self.program, self.target, self.seat, name, slot)

    def unseen(self, view: View) -> Iterator[str]:
        """A comment for each place and note of which the seat does not see everything."""
        layout = self.program.layout
        for place in layout.places[1:]:
            shown = view.zones.get(layout.place_name(place.number))
            if shown is not None and not self._sees_place(place):
                counts = Counter(piece.name for piece in shown.pieces)
                yield f"# {layout.place_name(place.number)}: " + ", ".join(
                    name if count == 1 else f"{count} {name}" for name, count in counts.items()
                )
        for cell in layout.notes_of_cell:
            if layout.cell_name(cell) in view.notes and not self._sees_note(cell):
                yield f"# {layout.cell_name(cell)}: {view.notes[layout.cell_name(cell)]}"


def _course(state: State, view: View) -> Iterator[str]:
    """Where the game is, as far as the seat may know."""
    if view.over or view.phase is None:
        yield "# the game is over"
        return
    phase = state.game.rules.model.phases[view.phase].declaration
    begun = f"when phase {view.phase}"
    yield f"{begun} from {view.turn}" if phase.first is not None and view.turn is not None else begun
    if view.question is not None:
        yield f"# {view.question.player} {view.question.duty} {' or '.join(view.question.names)}"


def _is_about_pieces(type_: Type | None) -> bool:
    core = None if type_ is None else bare(type_)
    if isinstance(core, Several):
        return _is_about_pieces(core.element)
    return isinstance(core, PieceType | Contents)
