"""Random play: the only place that decides which legal move is made when a game is played at random.

The choice is a function of three whole numbers: the seed of the game, the number d of decisions made before, whoever
made them, and the number of legal moves. A seed therefore means the same game in every program and on every machine,
and the choice is the same after an undo or a resume. All arithmetic is modulo 2^64, so a seed may be negative:

    state = seed * 0xD1B54A32D192ED03 + 0x243F6A8885A308D3 + (d + 1) * 0x9E3779B97F4A7C15
    z = state
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9
    z = (z ^ z >> 27) * 0x94D049BB133111EB
    z = z ^ z >> 31
    choice = high half of the 128-bit product of z and the number of legal moves

This is SplitMix64, the generator of `interpreter/runtime/chance.py`, from another first state: a game in progress adds
0x9E3779B97F4A7C15 to its state once a decision. Nothing is drawn again, as that would make a decision depend on earlier
ones; some of n moves are therefore likelier than others, by less than n in 2^64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.runtime.chance import GOLDEN, MASK, first_choice_state

if TYPE_CHECKING:
    from interpreter.play.game import State
    from interpreter.seat.notation.moves import Move


def random_choice(seed: int, decision: int, count: int) -> int:
    """Choose one of `count` legal moves, all equally likely, after `decision` decisions of the game with a seed.

    The choice depends on nothing else, so a game is the same wherever it is played, and after an undo or a resume.
    Every decision counts, whoever made it, including those with a single legal move.
    """
    z = (first_choice_state(seed) + (decision + 1) * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return (z ^ (z >> 31)) * count >> 64


def random_move(state: State) -> Move:
    """Choose the move that random play makes; the game must not be over."""
    moves = state.legal_moves
    return moves[random_choice(state.seed, state.ply, len(moves))]
