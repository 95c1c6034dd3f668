"""The current phase in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.seat.views.model import View


def phase_words(view: View, words: Words) -> str:
    """The current phase with the rounds in progress, such as `hand, round 3, bidding`; empty when the game is over."""
    parts = [
        words.phrase("{name}, round {number}", name=words.heading(phase), number=number)
        for phase, number in view.rounds.items()
    ]
    if view.phase is not None and view.phase not in view.rounds:
        parts.append(words.heading(view.phase))
    return ", ".join(parts)


def turn_words(view: View, words: Words) -> str:
    """Whose turn it is; empty if it is nobody's."""
    return words.phrase("turn of {seat}", seat=words.name(view.turn)) if view.turn else ""


def head_words(view: View, words: Words) -> str:
    """The current phase, whose turn it is, and whether the game is over."""
    over = words.phrase("the game is over") if view.over else ""
    return ", ".join(part for part in (phase_words(view, words), turn_words(view, words), over) if part)
