"""Games that others have solved: who wins with perfect play."""

from __future__ import annotations

from interpreter.play.game import State, load


def wins(state: State, seat: str, known: dict[object, bool]) -> bool:
    """Whether a seat wins against every defence; every game must come to an end."""
    if state.outcome is not None:
        return seat in state.outcome.winners
    key = state.key()
    if key not in known:
        chooses, found = state.player == seat, False
        for move in state.legal_moves:
            state.push(move)
            found = wins(state, seat, known)
            state.pop()
            if found == chooses:
                break
        known[key] = found
    return known[key]


def test_the_hounds_corner_the_hare() -> None:
    """Berlekamp, Conway and Guy, *Winning Ways*, chapter 21: from here the hounds win, who move first."""
    assert wins(load("hare_and_hounds").start(1), "hounds", {})
