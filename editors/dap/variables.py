"""What a client shows of a moment: names in scope, tables, notes, zones, chance, and what each seat sees of them.

A client asks for values level by level, and of long ones page by page, so each is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from dsl.lazy_dataclasses import dataclass
from interpreter.play.trace import Position, Snapshot
from interpreter.play.trace.recording import Recording
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.views.model import Cell, EachCell, PiecesCell, PieceView, TableView, View, ZoneView, value_text

MAX_PIECES_IN_LINE = 6
"""How many pieces of a zone are named beside it."""


@dataclass(frozen=True)
class Variable:
    """A value as it is shown, and what it consists of; `place` is its name if it is a zone or note."""

    name: str
    value: str
    parts: Callable[[], Sequence[Variable]] | None = field(default=None, repr=False)
    place: str = ""


class References:
    """Numbers by which the client asks for parts of values; they hold until the debugger goes on."""

    def __init__(self) -> None:
        self._parts: dict[int, Callable[[], Sequence[Variable]]] = {}
        self._listed: dict[int, Sequence[Variable]] = {}

    def clear(self) -> None:
        """Forget all numbers."""
        self._parts.clear()
        self._listed.clear()

    def of(self, variable: Variable) -> int:
        """The number for the parts of a value; 0 if it has none."""
        if variable.parts is None:
            return 0
        number = len(self._parts) + 1
        self._parts[number] = variable.parts
        return number

    def listed(self, number: int, start: int = 0, count: int = 0) -> Sequence[Variable] | None:
        """The parts from one on, 0: all of them; None for an unknown number."""
        if number not in self._parts:
            return None
        if number not in self._listed:
            self._listed[number] = self._parts[number]()
        variables = self._listed[number]
        return variables[start : start + count] if count else variables[start:]


def scopes(recording: Recording, position: Position, as_seat: str | None) -> list[Variable]:
    """Everything to be seen at an event, in groups; `as_seat` is the seat that looks, None for one who sees all."""
    snapshot = recording.snapshot(position)
    groups = [
        Variable("Names", "", lambda: [Variable(name, value) for name, value in snapshot.names]),
        *_groups(snapshot.view()),
        Variable("Chance", "", lambda: _chance(recording, position)),
    ]
    if as_seat is None:
        groups.append(Variable("As a seat", "", lambda: _seats(snapshot)))
    return groups


def _groups(view: View) -> list[Variable]:
    return [
        Variable("Tables", "", lambda: [_table(table) for table in view.tables]),
        Variable(
            "Notes", "", lambda: [Variable(name, value_text(value), None, name) for name, value in view.notes.items()]
        ),
        Variable("Zones", "", lambda: [_zone(name, zone) for name, zone in view.zones.items()]),
    ]


def _seats(snapshot: Snapshot) -> list[Variable]:
    """The moment as each seat sees it."""

    def of(number: int) -> Callable[[], Sequence[Variable]]:
        return lambda: _groups(replace(snapshot, seat=number).view())

    return [Variable(seat, "", of(number)) for number, seat in enumerate(snapshot.program.layout.seats)]


def _chance(recording: Recording, position: Position) -> list[Variable]:
    """The results of chance since the last decision."""
    events = recording.events(position.ply)[: position.event + 1]
    results = [event for event in events if event.kind == "chance"]
    return [Variable(str(number), event.text) for number, event in enumerate(results, start=1)]


# ---------------------------------------------------------------- parts of a view


def _zone(name: str, zone: ZoneView) -> Variable:
    if not zone.count:
        return Variable(name, "empty", None, name)
    content = _names(zone.pieces[:MAX_PIECES_IN_LINE]) + ", …" * (zone.count > MAX_PIECES_IN_LINE)
    return Variable(name, f"{zone.count}: {content}", lambda: _pieces(zone.pieces), name)


def _pieces(pieces: Sequence[PieceView]) -> list[Variable]:
    return [_piece(str(number), piece) for number, piece in enumerate(pieces, start=1)]


def _piece(name: str, piece: PieceView) -> Variable:
    def parts() -> list[Variable]:
        attributes = [Variable(attribute, value_text(value)) for attribute, value in piece.attributes.items()]
        notes = [Variable(note, value_text(value)) for note, value in piece.notes.items()]
        return [*attributes, *notes, *_attached(piece.attached)]

    return Variable(name, piece.name, parts if piece.attributes or piece.notes or piece.attached else None)


def _attached(attached: Mapping[str, Sequence[PieceView]]) -> list[Variable]:
    return [Variable(zone, f"{len(pieces)}", partial(_pieces, pieces)) for zone, pieces in attached.items()]


def _table(table: TableView) -> Variable:
    def rows() -> list[Variable]:
        return [_row(table.headings, row, number) for number, row in enumerate(table.rows, start=1)]

    return Variable(table.title, f"{len(table.rows)} rows", rows if table.rows else None)


def _row(headings: Sequence[str], row: Sequence[Cell], number: int) -> Variable:
    cells = [cell_text(cell) for cell in row]
    columns = [Variable(heading, cell) for heading, cell in zip(headings, cells, strict=True)]
    return Variable(cells[0] or str(number), " | ".join(cells[1:]), lambda: columns)


def cell_text(cell: Cell) -> str:
    """A cell of a table in words."""
    if isinstance(cell, PiecesCell):
        return _names(cell.pieces)
    if isinstance(cell, EachCell):
        return ", ".join(f"{cell_text(entry.item)} {entry.note.text}" for entry in cell.entries)
    return cell.text


def _names(pieces: Iterable[PieceView]) -> str:
    return ", ".join(piece.name for piece in pieces) or "-"


# ---------------------------------------------------------------- explanations


def explained(explanation: Explanation) -> Variable:
    """A value with the parts it was computed from."""
    children = explanation.children
    case = f" ({explanation.case})" if explanation.case else ""
    parts = (lambda: [explained(child) for child in children]) if children else None
    return Variable(explanation.text, f"{explanation.value}{case}", parts)
