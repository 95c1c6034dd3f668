"""The log of a seat: every decision and change, in the words it may know.

The journal holds all changes with the value before. Going back through it gives the value after as well; going forward
again, each change is rendered as the seat sees it at that moment.

One statement may leave dozens of entries: `move all from hand to discard` has one for each piece, and for each place
its content and its order. They become one line, `2 kings, 1 rook: hand of red → discard`. Two things must hold of each
line. It contains only what the seat saw of the pieces before, on the way or afterwards. And its words come in an order
that follows from what the seat sees (`sight.look`, `place_standing`), never from the numbers of pieces, which would
tell equal backs apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import ClassVar

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import DieSymbol, LocalSymbol, NoteSymbol
from dsl.types import Several, Type, bare
from interpreter.compiler.decisions import ASKED, DECLINED, FIRST_ACT, OVER_POINT, acts_of
from interpreter.engine.program import Program
from interpreter.engine.sight import SPECTATOR, Standing, look, note_seen, place_standing, sees, value_standing
from interpreter.runtime.cells import (
    LOOP,
    Cells,
    Change,
    Journal,
    LoopPayload,
    NoteCell,
    ReasonPayload,
    StoredValue,
    TellPayload,
    changes,
    number_in,
)
from interpreter.runtime.layout import DRAWN, ME, OUT, acting_as
from interpreter.seat.explain.breakdown import score_reason
from interpreter.seat.explain.outcome import in_brief, winners_of
from interpreter.seat.hidden_loops import end_of_loop, is_blind, pieces_of_loop
from interpreter.seat.notation.moves import DECLINES, label_of
from interpreter.seat.notation.words import (
    filled_text,
    kept_values,
    member_words,
    name_by_attributes,
    place_words,
    slot_words,
    value_words,
)
from interpreter.seat.views.history import DecisionRecord
from interpreter.wording.words import PLAIN, Words


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One log entry; `ply` counts the decisions this seat knows of, `details` are the changes it can see.

    `told` are the announcements among them.
    """

    ply: int
    player: str | None
    text: str
    details: tuple[str, ...]
    kind: str
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line about changes that belong together.

    `end` is the number of changes up to then, `what` the places and notes that changed. `chance` is true for the result
    of a shuffle, roll or pick, `announced` for an announcement. `rolled` is the cell that a roll or pick has set, with
    what it then holds.
    """

    text: str
    end: int
    what: tuple[str, ...]
    chance: bool = False
    announced: bool = False
    rolled: tuple[int, StoredValue] | None = None


PLURAL_NUMBER = 2
"""A number for which the name of a piece is put into the plural."""


@dataclass(frozen=True, slots=True)
class MovedPiece:
    """A piece that was moved: its cell, the sequence of places it lay at, and what was seen of it there."""

    cell: int
    path: tuple[int, ...]
    known: frozenset[str]


def entries(
    program: Program, state: Cells, journal: Journal, history: Sequence[DecisionRecord], seat: int | None, since: int
) -> list[LogEntry]:
    """The log of a seat from decision number `since` on; setup comes before the first decision."""
    starts = [record.start for record in history]
    first = 0 if since <= 0 else (starts[since] if since < len(starts) else len(journal))
    cells, run = changes(state, journal, first)
    log: list[LogEntry] = []
    renderer = LogRenderer(program, cells, seat)
    ply = sum(1 for record in history[:since] if renderer.knows(record))
    if since <= 0:
        end = starts[0] if starts else len(journal)
        details, told = renderer.details(run[: end - first])
        if details:
            log.append(LogEntry(0, None, program.words.phrase("the game is set up"), details, "chance", told))
    for number in range(max(0, since), len(history)):
        record = history[number]
        end = starts[number + 1] if number + 1 < len(starts) else len(journal)
        details, told = renderer.details(run[record.start - first : end - first])
        if renderer.knows(record):
            ply += 1
            # INVARIANT: SPECTATOR is the index of their label, the last one.
            text = record.label if seat is None or renderer.is_own(record) else record.labels[seat]
            log.append(LogEntry(ply, record.player, text, details, "move", told))
        elif details and log:  # as if nothing had been asked: the changes followed from what was logged before
            log[-1] = replace(log[-1], details=log[-1].details + details, told=log[-1].told + told)
        elif details:
            log.append(LogEntry(ply, None, program.words.phrase("play goes on"), details, "move", told))
    if state[0] == OVER_POINT and (since < len(history) or not history):
        result = in_brief(program, state, winners_of(program, state))
        log.append(LogEntry(ply, None, program.words.phrase("the game is over: {result}", result=result), (), "end"))
    return log


class LogRenderer:
    """Renders changes in order for one seat; `cells` follow the changes.

    A roll of what a die shows already is passed over, unless `tells_repeated_rolls`.
    """

    tells_repeated_rolls: ClassVar[bool] = False

    def __init__(self, program: Program, cells: Cells, seat: int | None) -> None:
        self.program, self.cells, self.seat = program, cells, seat
        layout = program.layout
        self.pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))
        self.orders, self.content_cells = layout.orders_of_cell, layout.content_cells

    def knows(self, record: DecisionRecord) -> bool:
        """True if the seat knows that a decision was made."""
        return self.is_own(record) or not record.unnoticed

    def is_own(self, record: DecisionRecord) -> bool:
        """True if the seat made a decision, or sees everything."""
        if self.seat is None:
            return True
        return self.seat != SPECTATOR and self.program.layout.seats[self.seat] == record.player

    def details(self, run: Sequence[Change]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Render a run of changes as lines; and the announcements among them."""
        lines = list(self.lines(run))
        return tuple(line.text for line in lines), tuple(line.text for line in lines if line.announced)

    def lines(self, run: Sequence[Change]) -> Iterator[LogLine]:
        """Render a run of changes, with the subjects of each line."""
        start = place = 0
        while place < len(run):
            _, payload, _ = run[place]
            if isinstance(payload, LoopPayload) and self._blind(run[start:place], payload):
                yield from self._in_turn(run[start:place], start)
                start = end_of_loop(run, place) + 1
                yield from self._at_once(run[place:start], start)
                place = start
            else:
                place += 1
        yield from self._in_turn(run[start:], start)

    def _blind(self, passed: Sequence[Change], payload: LoopPayload) -> bool:
        """True if the seat may not know the order of the rounds of a loop that begins after these changes."""
        if self.seat is None:
            return False
        cells = Cells(self.cells)
        for cell, _, value in passed:
            if cell >= 0:
                cells[cell] = value
        return is_blind(self.program, cells, self.seat, payload)

    def _in_turn(self, run: Sequence[Change], start: int) -> Iterator[LogLine]:
        """Render changes one by one; `start` is the number of changes before them."""
        layout = self.program.layout
        moved: list[MovedPiece] = []
        reason: ReasonPayload | None = None
        place = 0
        while place < len(run):
            cell, payload, value = run[place]
            # INVARIANT: the pieces moved by one statement come without anything in between, and before the cells of the
            # places (`content_cells`), which say nothing more and are passed over.
            if cell in self.pieces:
                together = self._step(run, place)
                if moved and {piece.path for piece in moved} != {piece.path for piece in together}:
                    yield from self._moved(moved, start + place)
                moved += together
                place += len(together)
                continue
            drawn = bool(run[place + 1 : place + 2]) and run[place + 1][0] == DRAWN
            shuffled = cell in self.orders and drawn
            if moved and (shuffled or (cell not in self.content_cells and cell != LOOP)):
                yield from self._moved(moved, start + place)
            if isinstance(payload, TellPayload):
                yield from self._told(payload, start + place + 1)
            if shuffled:
                self.cells[cell] = value
                yield self._shuffled(cell, start + place + 2)
            elif isinstance(payload, ReasonPayload):
                reason = payload
            elif cell >= 0:
                seen, old = self._noticed(cell, self.cells), self.cells[NoteCell(cell)]
                self.cells[cell] = value
                line = self._line(cell, old, drawn) if seen else ""
                if line and reason is not None and reason.cell == cell:
                    line += f" ({score_reason(self.program, self.cells, reason, self.seat).text})"
                reason = None
                if line:
                    what = (self._cell_words(cell),) if cell in layout.notes_of_cell else ("phase",)
                    rolled = (cell, self.cells[NoteCell(cell)]) if drawn else None
                    yield LogLine(line, start + place + 1 + drawn, what, chance=drawn, rolled=rolled)
            place += 1
        yield from self._moved(moved, start + len(run))

    def _told(self, payload: TellPayload, end: int) -> Iterator[LogLine]:
        """The texts of an announcement that the seat hears."""
        for text in announcements(self.program, self.cells, payload, self.seat):
            yield LogLine(text, end, (), announced=True)

    def _step(self, run: Sequence[Change], place: int) -> list[MovedPiece]:
        """Collect the pieces that are moved together from an index in the changes on; the cells are updated."""
        together = list(takewhile(lambda change: change[0] in self.pieces, run[place:]))
        moved: list[MovedPiece] = []
        for cell, _, target in together:
            path = number_in(self.cells[cell]), number_in(target)
            moved.append(MovedPiece(cell, path, self._seen_at(cell, path[0], self.cells)))
        for cell, _, target in together:
            self.cells[cell] = target
        return moved

    def _at_once(self, run: Sequence[Change], end: int) -> Iterator[LogLine]:
        """The overall effect of a loop, computed from what is seen before and after, so independent of its order."""
        # INVARIANT: nothing below depends on the order of the entries of one loop, which is that of the numbers of
        # pieces: entries are collected in sets or by cell, and rendered in an order of what the seat sees.
        cells_before = Cells(self.cells)
        loop_pieces: set[int] = set()
        paths: dict[int, tuple[int, ...]] = {}
        shuffled: list[int] = []
        rolled: list[tuple[int, StoredValue, str]] = []
        changed: set[int] = set()
        reasons: dict[int, set[str]] = {}
        told: list[LogLine] = []
        for place, (cell, payload, value) in enumerate(run):
            drawn = run[place + 1 : place + 2] and run[place + 1][0] == DRAWN
            if isinstance(payload, LoopPayload):
                loop_pieces |= {self.pieces.start + piece for piece in pieces_of_loop(self.program, payload)}
            elif isinstance(payload, TellPayload):
                told += self._told(payload, end)
            elif isinstance(payload, ReasonPayload):
                reasons.setdefault(payload.cell, set()).add(
                    score_reason(self.program, cells_before, payload, self.seat).text
                )
            elif cell in self.orders and drawn:
                shuffled.append(cell)
            elif cell in self.pieces:
                paths[cell] = (*paths.get(cell, (number_in(cells_before[cell]),)), number_in(value))
            elif cell >= 0 and not drawn:
                changed.add(cell)
            old = self.cells[NoteCell(cell)]
            if cell >= 0:
                self.cells[cell] = value
            if cell in self.program.layout.notes_of_cell and drawn:
                rolled.append((cell, self.cells[NoteCell(cell)], self._line(cell, old, is_drawn=True)))
        for cell, path in paths.items():
            if cell not in loop_pieces:  # it may have been moved in several rounds
                stops = set(path) - {path[0], path[-1]}
                paths[cell] = (path[0], *sorted(stops, key=self._standing), path[-1])
        moved = [
            MovedPiece(cell, path, frozenset().union(self._seen_at(cell, path[0], cells_before), *(
                self._seen_at(cell, place, self.cells) for place in path[1:-1]
            )))
            for cell, path in paths.items()
            if len(path) > 2 or path[0] != path[-1]
        ]  # fmt: skip
        yield from self._moved(moved, end)
        for cell in sorted(shuffled):
            yield self._shuffled(cell, end)
        for cell, value, line in sorted(rolled, key=lambda roll: roll[0]):
            if line:
                yield LogLine(line, end, (self._cell_words(cell),), chance=True, rolled=(cell, value))
        yield from self._changed(changed, cells_before, reasons, end)
        yield from sorted(told, key=lambda line: line.text)

    def _changed(
        self, cells: set[int], cells_before: Cells, reasons: Mapping[int, set[str]], end: int
    ) -> Iterator[LogLine]:
        """The notes that are different after a loop, those with one name by what the seat sees of their index."""
        first = self.program.layout.first_note
        rendered: list[tuple[tuple[int, tuple[Standing, ...], str], LogLine]] = []
        for cell in sorted(cells):
            line = self._line(cell, cells_before[NoteCell(cell)]) if self._noticed(cell, cells_before) else ""
            if line and len(reasons.get(cell, ())) == 1:
                line += f" ({next(iter(reasons[cell]))})"
            if line and cell in self.program.layout.notes_of_cell:
                name, slot = self.program.layout.notes_of_cell[cell]
                types = self._declared(name).index
                key = tuple(
                    value_standing(self.program, self.cells, self.seat, type_, value)
                    for type_, value in zip(types, slot, strict=True)
                )
                rendered.append(((first[name], key, line), LogLine(line, end, (self._cell_words(cell),))))
            elif line:
                rendered.append(((0, (), line), LogLine(line, end, ("phase",))))
        yield from (line for _, line in sorted(rendered, key=lambda entry: entry[0]))

    def _shuffled(self, cell: int, end: int) -> LogLine:
        place = self.orders[cell]
        words = place_words(self.program, self.cells, place, self.seat, self.program.words)
        name = place_words(self.program, self.cells, place, self.seat)
        return LogLine(self.program.words.phrase("{place} is shuffled", place=words), end, (name,), chance=True)

    def _attributes(self, cell: int) -> dict[str, int]:
        return self.program.layout.pieces[cell - self.pieces.start].attributes

    def _seen_at(self, cell: int, place: int, cells: Cells) -> frozenset[str]:
        """The attributes of the piece with this cell that the seat sees at a place."""
        return frozenset(name for name in self._attributes(cell) if self._sees(place, name, cell, cells))

    def _sees(self, place: int, attribute: str, cell: int, cells: Cells) -> bool:
        """True if the seat sees an attribute of the piece with this cell at a place."""
        return place != OUT and sees(self.program, cells, self.seat, place, attribute, cell - self.pieces.start)

    def _moved(self, moved: list[MovedPiece], end: int) -> Iterator[LogLine]:
        """Yield a line for the pieces of each path, the paths in an order that does not depend on the pieces."""
        groups: dict[tuple[int, ...], list[MovedPiece]] = {}
        for piece in moved:
            groups.setdefault(piece.path, []).append(piece)
        moved.clear()
        rendered = []
        for path, pieces in groups.items():
            ends = tuple(place_words(self.program, self.cells, place, self.seat, self.program.words) for place in path)
            line = LogLine(
                f"{self._pieces_words(pieces, path, len(groups) == 1)}: {' → '.join(ends)}",
                end,
                tuple(dict.fromkeys(place_words(self.program, self.cells, place, self.seat) for place in path)),
            )
            way = tuple(self._standing(place) for place in path)
            rendered.append((way, line.text, line))
        yield from (line for *_, line in sorted(rendered, key=lambda entry: entry[:2]))

    def _standing(self, place: int) -> Standing:
        return place_standing(self.program, self.cells, self.seat, place)

    def _pieces_words(self, moved: Sequence[MovedPiece], path: tuple[int, ...], alone: bool) -> str:
        """Render pieces that took the same path, by all that was seen of them before and is seen of them now.

        `alone`: no others were moved with them, so that those of a row or stack were moved in its order.
        """
        program = self.program
        rendered: list[tuple[Standing, str, str]] = []
        for moved_piece in moved:
            piece, attributes = self._seen_on_the_way(moved_piece, path)
            one_name, several = (
                name_by_attributes(program, piece, attributes, program.words, n) for n in (1, PLURAL_NUMBER)
            )
            rendered.append((look(program, piece, attributes), one_name, several))
        if not self._in_order(moved, path, alone):
            rendered.sort()
        names = [name for _, name, _ in rendered]
        plural = {name: several for _, name, several in rendered}
        counted = {name: names.count(name) for name in plural}
        counted_name = program.words.several
        return ", ".join(name if count == 1 else counted_name(count, plural[name]) for name, count in counted.items())

    def _seen_on_the_way(self, moved: MovedPiece, path: tuple[int, ...]) -> tuple[int, frozenset[str]]:
        """A piece, and its attributes that were seen before it moved, meanwhile or afterwards."""
        return moved.cell - self.pieces.start, moved.known | self._seen_at(moved.cell, path[-1], self.cells)

    def _in_order(self, moved: Sequence[MovedPiece], path: tuple[int, ...], alone: bool) -> bool:
        """True if pieces that took the same path are shown in the order in which they lie."""
        places = self.program.layout.places
        if not places[path[-1]].order:
            return False
        seen = (self._seen_on_the_way(moved_piece, path) for moved_piece in moved)
        hidden = any(len(names) < len(self.program.layout.pieces[piece].attributes) for piece, names in seen)
        return not hidden or (alone and len(path) == 2 and bool(places[path[0]].order))

    def _noticed(self, cell: int, cells: Cells) -> bool:
        """True if the seat sees the content of a cell, which must be that of a note or the phase."""
        if cell not in self.program.layout.notes_of_cell:
            return cell == self.program.phase_cell and cell != 0
        return note_seen(self.program, cells, self.seat, *self.program.layout.notes_of_cell[cell])

    def _line(self, cell: int, old: StoredValue, is_drawn: bool = False) -> str:
        """The line for a cell after a change; empty if the seat sees no difference."""
        program, new = self.program, self.cells[NoteCell(cell)]
        if cell == program.phase_cell:
            return program.words.phrase(
                "phase {name}", name=program.words.heading(list(program.model.phases)[number_in(new)])
            )
        if cell in program.phase_of_round:  # which is 0 again when the phase begins again
            name = program.words.heading(program.phase_of_round[cell])
            number = number_in(new)
            return (
                program.words.phrase("{name}, round {number}", name=name, number=number)
                if number > number_in(old)
                else ""
            )
        is_repeated = is_drawn and self.tells_repeated_rolls
        if (old == new and not is_repeated) or not self._noticed(cell, self.cells):
            return ""
        type_ = self._declared(program.layout.notes_of_cell[cell][0]).type
        assert type_ is not None
        name_in_words = self._cell_words(cell, program.words)
        core = bare(type_)
        if isinstance(core, Several) and not program.words.is_plain:
            difference = self._difference(core, number_in(old), number_in(new))
            return f"{name_in_words}: {difference}"
        words = self._words(type_, old), self._words(type_, new)
        if words[0] == words[1]:
            return f"{name_in_words}: {words[1]}" if is_repeated else ""
        return f"{name_in_words}: {words[0]} → {words[1]}"

    def _declared(self, name: str) -> NoteSymbol | DieSymbol:
        return self.program.model.notes.get(name) or self.program.model.dice[name]

    def _cell_words(self, cell: int, words: Words = PLAIN) -> str:
        """Render a note or die with its index, pieces as far as they may be known."""
        name, slot = self.program.layout.notes_of_cell[cell]
        return slot_words(self.program, self.cells, name, self._declared(name).index, slot, self.seat, words)

    def _difference(self, type_: Several, old: int, new: int) -> str:
        """How a set has changed: `+ f49, f50 - f12`."""
        changes = ("+", new & ~old), ("-", old & ~new)
        return " ".join(f"{sign} {self._members(type_, members)}" for sign, members in changes if members)

    def _members(self, type_: Several, members: int) -> str:
        return ", ".join(member_words(self.program, self.cells, type_.element, members, self.seat, self.program.words))

    def _words(self, type_: Type, value: StoredValue) -> str:
        core = bare(type_)
        if isinstance(core, Several):
            return f"{{{self._members(core, number_in(value))}}}"
        return value_words(self.program, self.cells, type_, value, self.seat, self.program.words)


# ---- Announcements, kept in the journal at the moment they were made: of `tell`, and of what all chose at once


def announcements(program: Program, state: Cells, payload: TellPayload, seat: int | None) -> Iterator[str]:
    """The texts that a seat hears of an entry of the journal; none if it is for another seat."""
    number, values = payload
    match node := program.nodes[number]:
        case ast.Tell():
            text = _told(program, state, node, values, seat)
            if text:
                yield text
        case ast.Pick():
            symbol, value = program.model.refers[node.number], values[0]
            assert isinstance(symbol, LocalSymbol)
            if value is not None and (value or node.amount is None):
                words = value_words(program, state, symbol.type, value, seat, program.words)
                yield program.words.phrase("chance chooses {value}", value=words)
        case ast.Decide() | ast.Choose():
            yield from _chosen(program, state, node, values, seat)
        case _:
            raise AssertionError(node)


def _told(program: Program, state: Cells, node: ast.Tell, values: Sequence[StoredValue], seat: int | None) -> str:
    remaining = iter(values)
    if node.seat is not None:
        hearer = next(remaining)
        if hearer is None or seat not in (None, hearer):
            return ""
    return filled_text(program, state, node.text, kept_values(node.text, remaining), seat)


def _chosen(
    program: Program, state: Cells, node: ast.Question, values: Sequence[StoredValue], seat: int | None
) -> Iterator[str]:
    """The choice of each seat, in the order in which they were asked; the position is still the one they chose in."""
    first, *rest = values
    first_player = number_in(first)
    seats = program.layout.seats
    width = len(rest) // len(seats)
    for turn in range(len(seats)):
        player = (first_player + turn) % len(seats)
        choice, parts = number_in(rest[player * width]), rest[player * width + 1 : (player + 1) * width]
        declined = choice == DECLINED or (isinstance(node, ast.Choose) and node.amount is not None and not parts[0])
        if choice > ASKED and not (declined and node.secretly and seat not in (None, player)):
            acting = acting_as(state, player)
            words = (
                program.words.phrase(DECLINES)
                if declined
                else _choice_words(program, acting, node, choice, parts, seat)
            )
            yield f"{program.words.name(seats[player])}: {words}"


def _choice_words(
    program: Program, state: Cells, node: ast.Question, choice: int, parts: Sequence[StoredValue],
    seat: int | None,
) -> str:  # fmt: skip
    """The acting seat's choice as announced to `seat`; None sees everything."""
    if isinstance(node, ast.Choose):
        symbol = program.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        value = value_words(program, state, symbol.type, parts[0], seat, program.words)
        return program.words.choice(node.name, value)
    rules = [program.model.rules[act.name] for act in acts_of(node)]
    chosen = choice - FIRST_ACT
    begin = sum(len(rule.parameters) for rule in rules[:chosen])
    arguments = parts[begin : begin + len(rules[chosen].parameters)]
    return label_of(program, state, rules[chosen], arguments, seat, others=seat not in (None, state[ME]))
