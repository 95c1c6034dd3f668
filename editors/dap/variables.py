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
class Shown:
    """A value as it is shown, and what it consists of; `place` is its name if it is a zone or note."""

    name: str
    value: str
    parts: Callable[[], Sequence[Shown]] | None = field(default=None, repr=False)
    place: str = ""


class References:
    """Numbers by which the client asks for parts of values; they hold until the debugger goes on."""

    def __init__(self) -> None:
        self._parts: dict[int, Callable[[], Sequence[Shown]]] = {}
        self._listed: dict[int, Sequence[Shown]] = {}

    def clear(self) -> None:
        """Forget all numbers."""
        self._parts.clear()
        self._listed.clear()

    def of(self, shown: Shown) -> int:
        """The number for the parts of a value; 0 if it has none."""
        if shown.parts is None:
            return 0
        number = len(self._parts) + 1
        self._parts[number] = shown.parts
        return number

    def listed(self, number: int, start: int = 0, count: int = 0) -> Sequence[Shown] | None:
        """The parts from one on, 0: all of them; None for an unknown number."""
        if number not in self._parts:
            return None
        if number not in self._listed:
            self._listed[number] = self._parts[number]()
        shown = self._listed[number]
        return shown[start : start + count] if count else shown[start:]


def scopes(recording: Recording, position: Position, as_seat: str | None) -> list[Shown]:
    """Everything to be seen at an event, in groups; `as_seat` is the seat that looks, None for one who sees all."""
    snapshot = recording.snapshot(position)
    groups = [
        Shown("Names", "", lambda: [Shown(name, value) for name, value in snapshot.names]),
        *_groups(snapshot.view()),
        Shown("Chance", "", lambda: _chance(recording, position)),
    ]
    if as_seat is None:
        groups.append(Shown("As a seat", "", lambda: _seats(snapshot)))
    return groups


def _groups(view: View) -> list[Shown]:
    return [
        Shown("Tables", "", lambda: [_table(table) for table in view.tables]),
        Shown("Notes", "", lambda: [Shown(name, value_text(value), None, name) for name, value in view.notes.items()]),
        Shown("Zones", "", lambda: [_zone(name, zone) for name, zone in view.zones.items()]),
    ]


def _seats(snapshot: Snapshot) -> list[Shown]:
    """The moment as each seat sees it."""

    def of(number: int) -> Callable[[], Sequence[Shown]]:
        return lambda: _groups(replace(snapshot, seat=number).view())

    return [Shown(seat, "", of(number)) for number, seat in enumerate(snapshot.program.layout.seats)]


def _chance(recording: Recording, position: Position) -> list[Shown]:
    """The results of chance since the last decision."""
    events = recording.events(position.ply)[: position.event + 1]
    results = [event for event in events if event.kind == "chance"]
    return [Shown(str(number), event.text) for number, event in enumerate(results, start=1)]


# ---------------------------------------------------------------- parts of a view


def _zone(name: str, zone: ZoneView) -> Shown:
    if not zone.count:
        return Shown(name, "empty", None, name)
    content = _names(zone.pieces[:MAX_PIECES_IN_LINE]) + ", …" * (zone.count > MAX_PIECES_IN_LINE)
    return Shown(name, f"{zone.count}: {content}", lambda: _pieces(zone.pieces), name)


def _pieces(pieces: Sequence[PieceView]) -> list[Shown]:
    return [_piece(str(number), piece) for number, piece in enumerate(pieces, start=1)]


def _piece(name: str, piece: PieceView) -> Shown:
    def parts() -> list[Shown]:
        attributes = [Shown(attribute, value_text(value)) for attribute, value in piece.attributes.items()]
        notes = [Shown(note, value_text(value)) for note, value in piece.notes.items()]
        return [*attributes, *notes, *_attached(piece.attached)]

    return Shown(name, piece.name, parts if piece.attributes or piece.notes or piece.attached else None)


def _attached(attached: Mapping[str, Sequence[PieceView]]) -> list[Shown]:
    return [Shown(zone, f"{len(pieces)}", partial(_pieces, pieces)) for zone, pieces in attached.items()]


def _table(table: TableView) -> Shown:
    def rows() -> list[Shown]:
        return [_row(table.headings, row, number) for number, row in enumerate(table.rows, start=1)]

    return Shown(table.title, f"{len(table.rows)} rows", rows if table.rows else None)


def _row(headings: Sequence[str], row: Sequence[Cell], number: int) -> Shown:
    cells = [cell_text(cell) for cell in row]
    columns = [Shown(heading, cell) for heading, cell in zip(headings, cells, strict=True)]
    return Shown(cells[0] or str(number), " | ".join(cells[1:]), lambda: columns)


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


def explained(explanation: Explanation) -> Shown:
    """A value with the parts it was computed from."""
    children = explanation.children
    case = f" ({explanation.case})" if explanation.case else ""
    parts = (lambda: [explained(child) for child in children]) if children else None
    return Shown(explanation.text, f"{explanation.value}{case}", parts)
