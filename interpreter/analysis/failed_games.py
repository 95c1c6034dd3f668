"""Random games that ended in an error: the location of the failure, and the game up to it."""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.random_choices import random_choice, random_move
from interpreter.engine.program import Program
from interpreter.errors import LimitError, PlayError
from interpreter.play.game import Game, State
from interpreter.play.state import push_in_words
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, POINT, RANDOM
from interpreter.seat.notation.moves import moves_in_words

MAX_SAVED_DECISIONS = 1_000
"""Maximum number of decisions of a failed game that are saved; random play repeats the rest from there."""


@dataclass(frozen=True)
class Failed:
    """A random game that ended in an error.

    `decisions` is the number of decisions made before. `player` was about to decide, or had chosen `move`; `move` is
    None if the error occurred before one was chosen, and `player` is None if nobody was to decide: during setup, or at
    the end. `cut_off`: the game or a rule did not terminate, so other games with the same rules may take as long.
    """

    seed: int
    decisions: int
    player: str | None
    move: str | None
    message: str
    location: str
    cut_off: bool = False

    @property
    def decision(self) -> int | None:
        """The number of the decision that failed, from 1; None during setup and at the end."""
        return None if self.player is None else self.decisions + 1


def failed_at(
    game: Game, program: Program, seed: int, decisions: int, move: MoveCode | None, fault: PlayError
) -> Failed:
    """Describe the failure of a random game after this many decisions; `move` is the one being made, if any."""
    state = Cells(program.initial)
    player = notation = None
    if _replay(program, state, seed, decisions) and state[POINT] >= 0:
        player = game.seats[state[ME]]
        notation = _notation(program, state, move)
    cut_off = isinstance(fault, LimitError)
    return Failed(seed, decisions, player, notation, fault.message, fault.location, cut_off)


def _replay(program: Program, state: Cells, seed: int, decisions: int) -> bool:
    """Replay the first decisions of a random game; False if it fails before the first one."""
    state[RANDOM] = seeded(seed)
    try:
        program.run(state, None, 0)
    except PlayError:
        return False
    for number in range(decisions):
        legal = program.legal(state)
        program.do(state, None, legal[random_choice(seed, number, len(legal))])
    return True


def _notation(program: Program, state: Cells, move: MoveCode | None) -> str | None:
    """The notation of a move; None if there is no move, or if rendering it is what fails."""
    if move is None:
        return None
    try:
        return next(
            candidate.notation
            for candidate in moves_in_words(program, state, program.legal(state))
            if candidate.code == move
        )
    except PlayError:
        return None


def before_failure(game: Game, failed: Failed) -> State | None:
    """Rebuild the game as it was before the decision that failed, or after its first `MAX_SAVED_DECISIONS` decisions.

    None if it failed during setup.
    """
    try:
        state = game.start(failed.seed)
    except PlayError:
        return None
    for _ in range(min(failed.decisions, MAX_SAVED_DECISIONS)):
        try:
            push_in_words(state, random_move(state))
        except PlayError:  # rendering a move fails; playouts never render moves, so they do not notice
            break
    return state
