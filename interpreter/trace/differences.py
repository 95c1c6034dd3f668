"""Differences between two views, place by place."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.trace.events import Difference
from interpreter.views.model import PieceView, View, value_text


def differences(before: View, after: View) -> tuple[Difference, ...]:
    """The places and notes whose content differs in the later view, including the phase and whose turn it is."""
    found = [
        Difference(name, old or "-", new or "-")
        for name, old, new in (("phase", before.phase, after.phase), ("turn", before.turn, after.turn))
        if old != new
    ]
    for name, zone in after.zones.items():
        if before.zones[name] != zone:
            found.append(Difference(name, _pieces(before.zones[name].pieces), _pieces(zone.pieces)))
    for name, content in after.notes.items():
        if before.notes[name] != content:
            found.append(Difference(name, value_text(before.notes[name]), value_text(content)))
    return tuple(found)


def _pieces(pieces: Sequence[PieceView]) -> str:
    """Render pieces, with a count for equal neighbours."""
    runs: list[tuple[str, int]] = []
    for piece in pieces:
        words = _piece(piece)
        if runs and runs[-1][0] == words:
            runs[-1] = (words, runs[-1][1] + 1)
        else:
            runs.append((words, 1))
    return ", ".join(words if count == 1 else f"{count} {words}" for words, count in runs) or "empty"


def _piece(piece: PieceView) -> str:
    notes = [f"{name} {value_text(content)}" for name, content in piece.notes.items()]
    on = [f"{zone}: {_pieces(pieces)}" for zone, pieces in piece.attached.items()]
    more = ", ".join([*notes, *on])
    return f"{piece.name} ({more})" if more else piece.name
