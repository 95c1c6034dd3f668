"""The position of a game as a text: lines of an example that lead to it.

A rule that waits in the middle of a turn is not described but reached. The text lays out the position in which the turn
began, begins it, and makes the decisions since. Where chance made something else of them than it would in an example,
which keeps the order of shuffled pieces, further lines of `given` put that right.

    given hand[red] is [king, 2 ace]
    when phase main from red
    when red: play(king)
    given hand[red] is [2 ace, jack]

Every text is tried out before it is given away: on a copy of the game in which only what the text says has happened. If
a turn cannot be begun like that, because something of the time before still matters, an earlier one is tried, and at
last the setup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dsl import ast
from dsl.checker.names.declarations import CHANCE_NAME
from dsl.diagnostics import RulesError
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source
from dsl.types import Contents, PieceType, Several, Type, bare
from interpreter.compiler.decisions import FREE_POINT, acts_of, chosen_type
from interpreter.errors import PlayError, PositionError, UsageError
from interpreter.play.game import Game, State
from interpreter.play.scenes.facts import Describer, UnsayableError
from interpreter.play.scenes.setup import StateBuilder
from interpreter.play.scenes.starting import game_at, run_lines, table_facts
from interpreter.runtime.cells import MARK, Cells, Journal, MoveCode, mark_in
from interpreter.runtime.chance import ChanceEvent, RecordedChance
from interpreter.runtime.layout import DRAWN, IDLE, ME, MOVES, POINT, RANDOM
from interpreter.runtime.recorded import Recorded
from interpreter.seat.notation.moves import moves_in_words
from interpreter.wording.phrases import Phrase

SETUP = "setup"
"""The name under which an example begins with the setup."""

GIVEN = ""
"""Stands for the phase of a game that began in a given position, whose text comes first."""


def position_text(state: State) -> str:
    """The pending position as lines of an example, as one sees it who sees everything.

    Raises PositionError if it cannot be said.
    """
    game = resolved_game(state)
    course = Course(game, state)
    reason = ""
    for beginning in course.beginnings():
        try:
            text = "\n".join(Telling(course, beginning, table_facts(game)).lines()) + "\n"
            _check(game, text, state)
        except (UnsayableError, PlayError, UsageError, RulesError) as fault:
            reason = reason or str(fault).strip()
        else:
            return text
    raise PositionError(Phrase("this position cannot be said in the language: {reason}", reason=reason))


def resolved_game(state: State) -> Game:
    """The game with the results of options that were left to chance, and without its own beginning."""
    layout = state.program.layout
    options = dict(state.game.options)
    for name in _random_options(state.game):
        symbol = state.game.rules.model.options[name]
        options[name] = layout.name_of(symbol.type, state.cells[layout.first_note[f"option {name}"]])
    return replace(state.game, options=options, programs={}, given=None)


def _random_options(game: Game) -> list[str]:
    """The options whose values are drawn when the game is set up, in the order of drawing."""
    options = game.rules.model.options.items()
    return [name for name, symbol in options if symbol.by_chance and game.options[name] == "random"]


def _check(game: Game, text: str, state: State) -> None:
    """Raise UnsayableError unless the text leads to the position of a state."""
    reached = game_at(game, Source("position", text)).start()
    if reached.view(None) != state.view(None):
        raise UnsayableError("another position would be read")
    if sorted(move.notation for move in reached.legal_moves) != sorted(move.notation for move in state.legal_moves):
        raise UnsayableError("other moves would be legal")


# ---- What has happened: the game once more, in the form in which examples run


@dataclass(frozen=True)
class Shuffled:
    """A shuffle: where it is in the journal, the place, and its pieces in their new order."""

    index: int
    place: int
    pieces: tuple[int, ...]


@dataclass(frozen=True)
class Rolled:
    """A roll: where it is in the journal, the die, the face, and whether it is the first one, as in any example."""

    index: int
    die: str
    face: str
    is_first: bool


@dataclass(frozen=True)
class Beginning:
    """A point from which a text can lead to the present: a turn, a phase without turns, or the setup.

    `ply` is the number of decisions made before, `index` where it is in the journal.
    """

    phase: str
    seat: str | None
    cells: Cells
    ply: int
    index: int


class Course:
    """The game of a state, made once more by the program of examples.

    `positions` are the cells before each decision and at the end; `chance` is what came up between them, `after_setup`
    the cells before the first phase, which began at `setup_index` of the journal.
    """

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.program = game, game.compiled(traced=True, solo=True)
        self.codes: list[MoveCode] = [made.code for made in state.made]
        self.notations = [record.notation for record in state.history]
        given = state.game.given
        self.given = given
        self.cells = Cells(self.program.initial if given is None else given.cells)
        self.cells[RANDOM] = Cells(state.program.initial)[RANDOM]
        drawn = len(_random_options(state.game)) if given is None else 0
        self._results = RecordedChance(state.chance_results[drawn:], None)
        self.journal = Journal(self._chance)
        self.chance: list[list[Shuffled | Rolled]] = [[]]
        self.positions: list[Cells] = []
        self.starts: list[int] = []
        self.after_setup, self.setup_index = Cells(self.cells), -1
        self._places = {self.program.layout.place_name(place.number): place.number
                        for place in self.program.layout.places}  # fmt: skip
        self._play()

    def _play(self) -> None:
        program, cells, journal = self.program, self.cells, self.journal
        if self.given is None:
            program.run(cells, journal, 0)
            self._begin_course()
        for code in self.codes:
            self.positions.append(Cells(cells))
            self.starts.append(len(journal))
            self.chance.append([])
            program.do(cells, journal, code)
            self._begin_course()
        self.positions.append(Cells(cells))

    def _begin_course(self) -> None:
        """Begin the first phase if setup, which may ask something as well, is done."""
        if self.cells[POINT] == FREE_POINT:
            self.after_setup, self.setup_index = Cells(self.cells), len(self.journal)
            self.program.begin_course(self.cells, self.journal)

    def _chance(self, event: ChanceEvent) -> object:
        result = self._results(event)
        if event.kind == "shuffle" and isinstance(result, list):
            place = self._places[event.what]
            listed = self.program.contents(self.cells, place)
            self.chance[-1].append(Shuffled(len(self.journal), place, tuple(listed[position] for position in result)))
        elif event.kind in ("roll", "choose") and isinstance(result, int):
            name = event.what if event.kind == "roll" else CHANCE_NAME
            self.chance[-1].append(Rolled(len(self.journal), name, event.faces[result], result == 0))
        return result

    def beginnings(self) -> Iterator[Beginning]:
        """The points to begin at, the last one first."""
        cells, ply = Cells(self.cells), len(self.codes)
        for index in range(len(self.journal) - 1, -1, -1):
            while ply and index < self.starts[ply - 1]:
                ply -= 1
            number, content = self.journal[index]
            if number >= 0:
                cells[number] = content  # type: ignore[assignment]  # as in `Journal.undo`
            elif number == MARK:
                what, node, _, _ = mark_in(content)
                phase = self.program.nodes[node]
                if isinstance(phase, ast.Phase) and what == _mark_of_beginning(phase):
                    seat = self.game.seats[cells[ME]] if phase.first is not None else None
                    if self._has_forgotten(cells):
                        yield Beginning(phase.name, seat, Cells(cells), ply, index)
        first = SETUP if self.given is None else GIVEN
        yield Beginning(first, None, self.after_setup, 0, 0)

    def _has_forgotten(self, cells: Cells) -> bool:
        """True if no position had been recorded, which no line could say."""
        return not any(self._recorded(cells))

    def _recorded(self, cells: Cells) -> list[object]:
        recorded = (cells[cell] for cell in self.program.layout.first_record.values())
        return [record for record in recorded if isinstance(record, Recorded) and record != Recorded()]


def _mark_of_beginning(phase: ast.Phase) -> str:
    """The mark at which an example can begin a phase; empty if only phases inside it can be begun."""
    if phase.phases:
        return ""
    return "turn" if phase.first is not None else "enter" if phase.repeated_until is None else "round"


# ---- The text, and the reader who tries it out


def in_example(notation: str) -> str:
    """A move as an example writes it: a kind of piece with a number on it, `ann 10`, is named by the number alone.

    If that is not enough to tell it from others, the text does not lead to the position, which `_check` finds out.
    """
    return re.sub(r"\b[A-Za-z_]\w* (?=\d+\b)", "", notation)


class Telling:
    """The lines that lead from a beginning to the end of a course, and the state of who reads them.

    `facts` are what the next lines of `given` have to say first.
    """

    def __init__(self, course: Course, beginning: Beginning, facts: list[str]) -> None:
        self.facts = facts
        self.course, self.beginning, self.program = course, beginning, course.program
        self.cells = Cells(self.program.initial)
        self.builder = StateBuilder(self.program, self.cells)
        self.describer = Describer(self.program, self.builder)
        self.journal = Journal(self.builder.chance)

    def lines(self) -> Iterator[str]:
        """The lines. Raises UnsayableError if they lead elsewhere, PlayError if a rule fails on the way."""
        program, course, beginning = self.program, self.course, self.beginning
        if beginning.phase == SETUP:
            yield from run_lines(self.facts)
            self.facts = []
            yield f"when phase {SETUP}"
            program.run(self.cells, self.journal, 0)
            yield from self._course_begun(0)
        elif beginning.phase == GIVEN:
            assert course.given is not None
            yield from course.given.text.splitlines()
            self.facts = []  # which this text has
            self.cells[:] = course.given.cells
        else:
            later = [event for event in course.chance[beginning.ply] if event.index >= beginning.index]
            yield from self._facts(beginning.cells, later)
            yield f"when phase {beginning.phase}" + (f" from {beginning.seat}" if beginning.seat is not None else "")
            seat = None if beginning.seat is None else course.game.seats.index(beginning.seat)
            program.begin_phase(self.cells, self.journal, beginning.phase, seat)
        for ply in range(beginning.ply, len(course.codes)):
            target = course.positions[ply]
            self._same_decision(target)
            yield from self._facts(target, course.chance[ply + 1])
            notation = course.notations[ply]
            yield f"when {course.game.seats[target[ME]]}: {in_example(notation)}"
            program.do(self.cells, self.journal, self._code(notation, course.codes[ply]))
            yield from self._course_begun(ply + 1)
        target = course.positions[-1]
        self._same_decision(target)
        yield from self._facts(target, [])
        self._same_course(target)

    def _course_begun(self, ply: int) -> Iterator[str]:
        """Begin the first phase if setup is done; before this the reader sees what setup left."""
        if self.cells[POINT] == FREE_POINT:
            course = self.course
            later = [event for event in course.chance[ply] if event.index >= course.setup_index]
            yield from self._facts(course.after_setup, later)
            self.program.begin_course(self.cells, self.journal)

    def _facts(self, target: Cells, chance: Sequence[Shuffled | Rolled]) -> Iterator[str]:
        """A run of `given` after which the reader sees the target, and chance will come up as it did."""
        facts = [*self.describer.lines(target, self._orders(target, chance)), *self._rolls(chance)]
        if facts and self.cells[POINT] >= 0:
            self.cells[MOVES] = None
        yield from run_lines([*self.facts, *facts])
        self.facts = []

    def _orders(self, target: Cells, chance: Sequence[Shuffled | Rolled]) -> Mapping[int, Sequence[int]]:
        """The orders of places that are shuffled next, as a shuffle in an example keeps the order."""
        orders: dict[int, Sequence[int]] = {}
        for event in chance:
            if isinstance(event, Shuffled) and event.place not in orders:
                lying = self.program.contents(target, event.place)
                if sorted(map(self.program.layout.kind_of, lying)) == sorted(
                    map(self.program.layout.kind_of, event.pieces)
                ):
                    orders[event.place] = event.pieces
        return orders

    def _rolls(self, chance: Sequence[Shuffled | Rolled]) -> Iterator[str]:
        rolls = [event for event in chance if isinstance(event, Rolled)]
        needed = {roll.die for roll in rolls if not roll.is_first}
        for roll in rolls:
            if roll.die in needed:
                self.builder.faces.setdefault(roll.die, []).append(roll.face)
                yield f"{roll.die} is {roll.face}"

    def _same_decision(self, target: Cells) -> None:
        if (self.cells[POINT], self.cells[ME]) != (target[POINT], target[ME]):
            raise UnsayableError("chance decided what was asked next")

    def _code(self, notation: str, code: MoveCode) -> MoveCode:
        """The legal move of the reader with this notation, which is that with this code unless it is about pieces."""
        if code in self.program.legal(self.cells) and not self._is_about_pieces(code):
            return code
        moves = moves_in_words(self.program, self.cells, self.program.legal(self.cells))
        matching = [move.code for move in moves if move.notation == notation]
        if len(matching) != 1:
            raise UnsayableError(f"the move `{notation}`")
        return matching[0]

    def _is_about_pieces(self, code: MoveCode) -> bool:
        decision = self.program.decision(self.cells)
        if decision is None or code[0] < 0:
            return False
        if isinstance(decision.node, ast.Choose):
            return _holds_pieces(chosen_type(self.program.model, decision.node))
        rule = self.program.model.rules[acts_of(decision.node)[code[0]].name]
        return any(_holds_pieces(parameter.type) for parameter in rule.parameters)

    def _same_course(self, target: Cells) -> None:
        """Raise UnsayableError if a rule that waits knows something else than in the target."""
        layout = self.program.layout
        for record in layout.first_record.values():
            if self.cells[record] != target[record]:
                raise UnsayableError("the positions that have been recorded")
        tables = layout.content_cells | layout.notes_of_cell.keys() | set(layout.first_record.values())
        pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))
        aside = {RANDOM, MOVES, IDLE, DRAWN}
        for cell in {cell for cell, _ in self.journal if cell >= 0} - tables - aside:
            if cell in pieces or _holds_pieces(layout.local_types.get(cell)):
                continue
            if self.cells[cell] != target[cell]:
                name = layout.locals_of_cell.get(cell)
                raise UnsayableError(f"the value of `{name}`" if name else "how far a rule has come")


def _holds_pieces(type_: Type | None) -> bool:
    core = None if type_ is None else bare(type_)
    if isinstance(core, Several | Contents):
        return isinstance(core, Contents) or _holds_pieces(core.element)
    return isinstance(core, PieceType)
