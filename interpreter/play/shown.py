"""What a seat is shown of a state while another one decides secretly: the state before that began."""

from __future__ import annotations

from interpreter.play.game import State


def is_secret(state: State, seat: str | None) -> bool:
    """True if a seat, None for spectators, may not know that somebody has to decide."""
    question = state.question
    return question is not None and question.secretly and question.player != seat


def shown_state(state: State, seat: str | None) -> State:
    """The state that a seat is shown: the present one, or that before somebody began to decide secretly.

    Whoever watched a table stand still, or move on, while another decides secretly would learn that something is
    decided. So all of it is shown at once when it is over.
    """
    if is_secret(state, seat):
        state = state.copy()
        while state.ply and is_secret(state, seat):
            state.pop()
    return state
