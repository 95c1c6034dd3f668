"""Random games that ended in a fault: where that was, and the game up to there."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.analysis.random_choices import random_choice, random_move
from interpreter.errors import LimitError, PlayError
from interpreter.game import Game, State
from interpreter.layout.cells import ME, POINT, RANDOM
from interpreter.notation.words import moves_in_words
from interpreter.program import Move, Program
from interpreter.runtime.chance import seeded
from interpreter.runtime.primitives import Cells

LONGEST = 1_000
"""The most decisions of a failed game that are saved; random play goes the same way from there."""


@dataclass(frozen=True)
class Failed:
    """A random game that ended in a fault.

    `decisions` is how many had been made. `player` was about to decide, or had chosen `move`; there is no move if the
    fault came before one was chosen, and no player either if nobody was to decide: during setup, or at the end.
    `cut_off`: the game or a rule went on without end, so others with the same rules may take as long.
    """

    seed: int
    decisions: int
    player: str | None
    move: str | None
    message: str
    place: str
    cut_off: bool = False

    @property
    def decision(self) -> int | None:
        """The number of the decision that failed, from 1; None during setup and at the end."""
        return None if self.player is None else self.decisions + 1


def failed_at(game: Game, program: Program, seed: int, decisions: int, move: Move | None, fault: PlayError) -> Failed:
    """The fault of a random game after this many decisions, when `move` was made, if any was chosen already."""
    S = list(program.initial)
    player = notation = None
    if _played_again(program, S, seed, decisions) and S[POINT] >= 0:
        player = game.seats[S[ME]]
        notation = _notation(program, S, move)
    cut_off = isinstance(fault, LimitError)
    return Failed(seed, decisions, player, notation, fault.message, fault.place, cut_off)


def _played_again(program: Program, S: Cells, seed: int, decisions: int) -> bool:
    """Play the first decisions of a random game; False if it fails before the first one."""
    S[RANDOM] = seeded(seed)
    try:
        program.run(S, None, 0)
    except PlayError:
        return False
    for number in range(decisions):
        legal = program.legal(S)
        program.do(S, None, legal[random_choice(seed, number, len(legal))])
    return True


def _notation(program: Program, S: Cells, move: Move | None) -> str | None:
    """A move as it is written; None if there is none, or its own words are what fails."""
    if move is None:
        return None
    try:
        return next(each.notation for each in moves_in_words(program, S, program.legal(S)) if each.code == move)
    except PlayError:
        return None


def before_fault(game: Game, failed: Failed) -> State | None:
    """The game as it was before the decision that failed, or after its first `LONGEST` decisions.

    None if it failed during setup.
    """
    try:
        state = game.start(failed.seed)
    except PlayError:
        return None
    for _ in range(min(failed.decisions, LONGEST)):
        try:
            state.push(random_move(state))
        except PlayError:  # the words of a move fail, which games without words do not ask for
            break
    return state
