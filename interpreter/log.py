"""What a seat was told: every decision and change, in the words it may know.

The journal holds all changes with the value before. Going back through it gives the value after as well; going forward
again, each change is told as the seat sees it at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dsl.types import Several, bare
from interpreter.compile.layout import DRAWN, ME, OUT, RANDOM
from interpreter.compile.points import OVER_POINT
from interpreter.compile.program import Program
from interpreter.gains import gain_of
from interpreter.history import Made
from interpreter.masks import bits
from interpreter.outcome import winners_of
from interpreter.runtime import REASON, Cells, Journal
from interpreter.wording import named, note_seen, sees, value_words


@dataclass(frozen=True)
class LogEntry:
    """One thing told. `ply` counts the decisions this seat knows of; `details` are the changes it can see."""

    ply: int
    player: str | None
    text: str
    details: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Told:
    """One line about changes that belong together.

    `end` is how many of the changes had happened then, `what` the places and notes that are otherwise now, `chance`
    whether a shuffle, roll or pick came out.
    """

    text: str
    end: int
    what: tuple[str, ...]
    chance: bool = False


Change = tuple[int, Any, Any]
Moved = tuple[int, set[str]]  # the cell of a piece, and the attributes seen where it lay


def changes(S: Cells, journal: Journal, start: int) -> tuple[Cells, list[Change]]:
    """The cells as they were at `start` of the journal, and (cell, before, after) of every change since.

    Marks of a traced game come as (MARK, mark, None), reasons as (REASON, reason, None).
    """
    cells = list(S)
    found: list[Change] = []
    for cell, old in reversed(journal[start:]):
        if cell >= 0:
            found.append((cell, old, cells[cell]))
            cells[cell] = old
        else:
            found.append((cell, old, None))
    found.reverse()
    return cells, found


def entries(
    program: Program, S: Cells, journal: Journal, history: Sequence[Made], seat: int | None, since: int
) -> list[LogEntry]:
    """The log of a seat from decision number `since` on; the set-up belongs to the time before the first."""
    starts = [made.start for made in history]
    first = 0 if since <= 0 else (starts[since] if since < len(starts) else len(journal))
    cells, found = changes(S, journal, first)
    told: list[LogEntry] = []
    teller = Teller(program, cells, seat)
    known = sum(1 for made in history[:since] if teller.knows(made))
    if since <= 0:
        end = starts[0] if starts else len(journal)
        details = teller.tell(found[: end - first])
        if details:
            told.append(LogEntry(0, None, "the game is set up", details, "chance"))
    for number in range(max(0, since), len(history)):
        made = history[number]
        end = starts[number + 1] if number + 1 < len(starts) else len(journal)
        details = teller.tell(found[made.start - first : end - first])
        own = seat is None or program.layout.seats[seat] == made.player
        if teller.knows(made):
            known += 1
            text = made.label if own or seat is None else made.told[seat]
            told.append(LogEntry(known, made.player, text, details, "move"))
        elif details and told:  # as if nothing had been asked: it followed from what was told before
            told[-1] = replace(told[-1], details=told[-1].details + details)
        elif details:
            told.append(LogEntry(known, None, "play goes on", details, "move"))
    if S[0] == OVER_POINT and (since < len(history) or not history):
        names = " and ".join(program.layout.seats[place] for place in winners_of(program, S))
        told.append(LogEntry(known, None, f"the game is over: {names}", (), "end"))
    return told


class Teller:
    """Tells changes in order to one seat; `cells` goes along with them."""

    def __init__(self, program: Program, cells: Cells, seat: int | None) -> None:
        self.program, self.cells, self.seat = program, cells, seat
        layout = program.layout
        self.pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))
        self.orders, self.lying = layout.orders_of_cell, layout.lying

    def knows(self, made: Made) -> bool:
        """Whether the seat knows that a decision was made: not of others' declined secret questions."""
        own = self.seat is None or self.program.layout.seats[self.seat] == made.player
        return own or not (made.secret and made.declined)

    def tell(self, found: Sequence[Change]) -> tuple[str, ...]:
        """Lines for a run of changes."""
        return tuple(line.text for line in self.told(found))

    def told(self, found: Sequence[Change]) -> Iterator[Told]:
        """The same with what each line is about."""
        layout = self.program.layout
        moved: list[Moved] = []
        way: tuple[int, int] | None = None
        reason: tuple[int, int, int, Sequence[Any]] | None = None
        for place, (cell, _, after) in enumerate(found):
            if cell in self.pieces:
                here = (self.cells[cell], after)
                before = {
                    name for name in self._attributes(cell) if self._sees(here[0], name, cell - self.pieces.start)
                }
                if way is not None and way != here:
                    yield self._moved(moved, way, place)
                self.cells[cell] = after
                moved.append((cell, before))
                way = here
                continue
            drawn = found[place + 1 : place + 2] and found[place + 1][0] == DRAWN
            shuffled = cell in self.orders and drawn
            if way is not None and (shuffled or cell not in self.lying):
                yield self._moved(moved, way, place)
                way = None
            if shuffled:
                name = layout.place_name(self.orders[cell])
                self.cells[cell] = after
                yield Told(f"{name} is shuffled", place + 2, (name,), chance=True)
            elif cell == REASON:
                reason = found[place][1]
            elif cell >= 0:
                line = self._line(cell, after)
                self.cells[cell] = after
                if line and reason is not None and reason[1] == cell:
                    line += f" ({gain_of(self.program, self.cells, reason, self.seat).text})"
                reason = None
                if line:
                    what = (layout.cell_name(cell),) if cell in layout.notes_of_cell else ("phase",)
                    yield Told(line, place + 1 + bool(drawn), what, chance=bool(drawn))
        if way is not None:
            yield self._moved(moved, way, len(found))

    def _told(self, cell: int, before: set[str], place: int) -> tuple[tuple[int, ...], str]:
        """What is known of a piece that came to a place, as values and as a name; asked when it lies there."""
        attributes = self._attributes(cell)
        known = before | {name for name in attributes if self._sees(place, name, cell)}
        values = tuple(value if name in known else -1 for name, value in attributes.items())
        return values, named(self.program, cell - self.pieces.start, known)

    def _attributes(self, cell: int) -> dict[str, int]:
        return self.program.layout.pieces[cell - self.pieces.start].attributes

    def _sees(self, place: int, attribute: str, cell: int) -> bool:
        """Whether the seat sees an attribute of the piece with this cell at a place."""
        return place != OUT and sees(self.program, self.cells, self.seat, place, attribute, cell - self.pieces.start)

    def _moved(self, moved: list[Moved], way: tuple[int, int], end: int) -> Told:
        """The line for pieces that went the same way."""
        layout = self.program.layout
        told = [self._told(cell, before, way[1]) for cell, before in moved]
        if not layout.places[way[1]].order:  # a heap has no order that could be told
            told.sort()
        names = [name for _, name in told]
        counted = {name: names.count(name) for name in dict.fromkeys(names)}
        what = ", ".join(name if count == 1 else f"{count} {name}" for name, count in counted.items())
        ends = layout.place_name(way[0]), layout.place_name(way[1])
        moved.clear()
        return Told(f"{what}: {ends[0]} → {ends[1]}", end, ends)

    def _line(self, cell: int, after: Any) -> str:
        program = self.program
        if cell == program.points.phase_cell and cell != 0:
            return f"phase {list(program.model.phases)[after].replace('_', ' ')}"
        if cell in (ME, RANDOM, DRAWN) or cell not in program.layout.notes_of_cell:
            return ""
        name, slot = program.layout.notes_of_cell[cell]
        if not note_seen(program, self.cells, self.seat, name, slot):
            return ""
        symbol = program.model.notes.get(name)
        type_ = symbol.type if symbol is not None else program.model.dice[name].type
        assert type_ is not None
        if self.cells[cell] == after:
            return ""
        return f"{self._named(name, slot)}: {self._words(type_, self.cells[cell])} → {self._words(type_, after)}"

    def _named(self, name: str, slot: tuple[int, ...]) -> str:
        """A note or die with its index, pieces as far as they may be known."""
        program = self.program
        symbol = program.model.notes.get(name) or program.model.dice[name]
        words = [
            value_words(program, self.cells, type_, value, self.seat)
            for type_, value in zip(symbol.index, slot, strict=True)
        ]
        return f"{name}[{', '.join(words)}]" if words else name

    def _words(self, type_: Any, value: Any) -> str:
        core = bare(type_)
        if isinstance(core, Several):
            return "{" + ", ".join(self.program.layout.name_of(core.element, m) for m in bits(value)) + "}"
        return self.program.layout.name_of(type_, value)
