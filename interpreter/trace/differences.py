"""Differences between two views, place by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.trace.events import Difference


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    """The places and notes whose content differs in the later view, including the phase and whose turn it is."""
    found = [
        Difference(name, str(before[name] or "-"), str(after[name] or "-"))
        for name in ("phase", "turn")
        if before[name] != after[name]
    ]
    for name, zone in after["zones"].items():
        if before["zones"][name] != zone:
            found.append(Difference(name, _pieces(before["zones"][name]["pieces"]), _pieces(zone["pieces"])))
    for name, content in after["notes"].items():
        if before["notes"][name] != content:
            found.append(Difference(name, _note(before["notes"][name]), _note(content)))
    return tuple(found)


def _pieces(pieces: Sequence[Mapping[str, Any]]) -> str:
    """Render pieces, with a count for equal neighbours."""
    runs: list[tuple[str, int]] = []
    for piece in pieces:
        words = _piece(piece)
        if runs and runs[-1][0] == words:
            runs[-1] = (words, runs[-1][1] + 1)
        else:
            runs.append((words, 1))
    return ", ".join(words if count == 1 else f"{count} {words}" for words, count in runs) or "empty"


def _piece(piece: Mapping[str, Any]) -> str:
    notes = [f"{name} {_note(content)}" for name, content in piece["notes"].items()]
    on = [f"{zone}: {_pieces(pieces)}" for zone, pieces in piece["attached"].items()]
    more = ", ".join([*notes, *on])
    return f"{piece['name']} ({more})" if more else str(piece["name"])


def _note(content: object) -> str:
    if isinstance(content, list):
        return "{" + ", ".join(map(str, content)) + "}"
    return "none" if content is None else str(content)
