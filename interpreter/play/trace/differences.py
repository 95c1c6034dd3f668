"""Differences between two views, place by place."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.text.arguments import split_arguments
from interpreter.play.trace.events import Difference
from interpreter.seat.views.model import Hidden, PieceView, View, value_text
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN, Words

PHASE, TURN = Phrase("phase"), Phrase("turn")


def differences(before: View, after: View, words: Words = PLAIN) -> tuple[Difference, ...]:
    """The places and notes whose content differs in the later view, including the phase and whose turn it is."""
    changes = [
        Difference(words.phrase(what), words.heading(old) if old else "-", words.heading(new) if new else "-")
        for what, old, new in ((PHASE, before.phase, after.phase), (TURN, before.turn, after.turn))
        if old != new
    ]
    for name, zone in after.zones.items():
        if before.zones[name] != zone:
            contents = (_pieces(before.zones[name].pieces, words), _pieces(zone.pieces, words))
            changes.append(Difference(_place(name, words), *contents))
    for name, content in after.notes.items():
        if before.notes[name] != content:
            values = (words.name(value_text(before.notes[name])), words.name(value_text(content)))
            changes.append(Difference(_place(name, words), *values))
    return tuple(changes)


def _place(name: str, words: Words) -> str:
    """The name of a zone or note, such as `hand[ann]`."""
    head, _, index = name.partition("[")
    return words.place(head, [words.name(value) for value in split_arguments(index.removesuffix("]"))] if index else ())


def _pieces(pieces: Sequence[PieceView], words: Words) -> str:
    """Render pieces, with a count for equal neighbours."""
    runs: list[tuple[str, list[PieceView]]] = []
    for piece in pieces:
        text = _piece(piece, words)
        if runs and runs[-1][0] == text:
            runs[-1][1].append(piece)
        else:
            runs.append((text, [piece]))
    texts = [text if len(run) == 1 else f"{len(run)} {_piece(run[0], words, len(run))}" for text, run in runs]
    return ", ".join(texts) or words.phrase("empty")


def _piece(piece: PieceView, words: Words, number: int = 1) -> str:
    notes = [f"{words.name(name)} {words.name(value_text(content))}" for name, content in piece.notes.items()]
    on = [f"{words.name(zone)}: {_pieces(pieces, words)}" for zone, pieces in piece.attached.items()]
    more, name = ", ".join([*notes, *on]), piece.name
    if not words.is_plain:
        visible = {name: str(value) for name, value in piece.attributes.items() if not isinstance(value, Hidden)}
        owners = [name for name, value in visible.items() if value == piece.owner]
        name = words.piece(piece.type, visible, owners, not piece.hidden, number)
    return f"{name} ({more})" if more else name
