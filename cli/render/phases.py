"""The current phase in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.seat.views.model import View


def phase_words(view: View, words: Words = PLAIN) -> str:
    """The current phase with the rounds in progress, such as `hand, round 3, bidding`; empty when the game is over."""
    parts = [
        words.phrase("{name}, round {number}", name=words.heading(phase), number=number)
        for phase, number in view.rounds.items()
    ]
    if view.phase is not None and view.phase not in view.rounds:
        parts.append(words.heading(view.phase))
    return ", ".join(parts)
