"""Two sets of rules played side by side with the same chance and decisions, up to their first divergence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, TypeVar

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import MAX_DECISIONS, never_ends
from interpreter.analysis.random_choices import random_choice
from interpreter.errors import LimitError, PlayError
from interpreter.play.game import Game, State
from interpreter.play.state import push_in_words
from interpreter.seat.notation.moves import Move, rendered

Side = Literal["a", "b"]
Subject = TypeVar("Subject")
T = TypeVar("T")


@dataclass(frozen=True)
class FirstDifference:
    """The first position in which the two games of a pair differ.

    `differs` names the difference: player (another seat decides), moves (other moves are legal), score (the numbers
    that decide who wins), end (one game is over), result. `state_a` and `state_b` are the two games in that position;
    `only_a` and `only_b` are the moves legal in one game only.
    """

    seed: int
    differs: str
    state_a: State
    state_b: State
    only_a: tuple[Move, ...] = ()
    only_b: tuple[Move, ...] = ()


@dataclass(frozen=True)
class FailedSide:
    """One side of a pair that ended in an error; `state` is the game before the failed decision, if it had begun."""

    side: Side
    failed: Failed
    state: State | None


@dataclass(frozen=True)
class Pair:
    """One pair of games: the number of equal decisions, the divergence, if any, and the sides that failed."""

    seed: int
    decisions: int
    divergence: FirstDifference | None
    failures: tuple[FailedSide, ...] = ()


@dataclass(frozen=True)
class PlayedPairs:
    """The pairs of games with one number of players."""

    players: int
    pairs: list[Pair]

    @property
    def divergences(self) -> list[tuple[Pair, FirstDifference]]:
        """The pairs that diverged, in the order of their seeds."""
        return [(pair, pair.divergence) for pair in self.pairs if pair.divergence is not None]

    @property
    def failures(self) -> int:
        """The number of pairs that ended in an error on either side."""
        return sum(1 for pair in self.pairs if pair.failures)


def compare_playouts(game_a: Game, game_b: Game, games: int, seed: int = 0) -> Iterator[Pair]:
    """Play pairs of random games with the seeds `seed`, `seed + 1`, …, each until the two diverge or both are over.

    Both sides make the choices of random play. A pair also ends where a rule fails on either side.
    """
    for number in range(seed, seed + games):
        yield _pair(game_a, game_b, number)


def _pair(first: Game, second: Game, seed: int) -> Pair:
    states = _both(partial(Game.start, seed=seed), (first, second), seed)
    if isinstance(states, Pair):
        return states
    state_a, state_b = states
    while True:
        seen = _both(_position, states, seed, states)
        if isinstance(seen, Pair):
            return seen
        divergence = _compared(state_a, state_b, *seen, seed)
        if divergence is not None or state_a.player is None:
            return Pair(seed, state_a.ply, divergence)
        move = seen[0].moves[random_choice(seed, state_a.ply, len(seen[0].moves))].notation
        notations = _both(partial(_push, move=move), states, seed, states, move)
        if isinstance(notations, Pair):
            return notations


def _push(state: State, move: str) -> None:
    if state.ply >= MAX_DECISIONS:
        raise never_ends(state.game)
    push_in_words(state, move)


def _both(
    do: Callable[[Subject], T], subjects: tuple[Subject, Subject], seed: int, states: tuple[State, State] | None = None,
    move: str | None = None,
) -> tuple[T, T] | Pair:  # fmt: skip
    """Do something on both sides; return both results, or the pair as it ends if a rule fails."""
    results: list[T] = []
    failures: list[FailedSide] = []
    sides: tuple[Side, Side] = ("a", "b")
    decisions = states[0].ply if states else 0
    for number, side in enumerate(sides):
        state = states[number] if states else None
        try:
            results.append(do(subjects[number]))
        except PlayError as fault:
            player = state.player if state else None
            failed = Failed(seed, decisions, player, move, fault.message, fault.location, isinstance(fault, LimitError))
            failures.append(FailedSide(side, failed, state))
    return Pair(seed, decisions, None, tuple(failures)) if failures else (results[0], results[1])


@dataclass(frozen=True)
class _Position:
    """The facts compared: whose decision it is, the legal moves, the numbers that decide who wins, and the winners."""

    player: str | None
    moves: tuple[Move, ...]
    scores: tuple[tuple[int, ...], ...]
    winners: tuple[str, ...] | None


def _position(state: State) -> _Position:
    """Collect the facts to compare. Raises PlayError."""
    scores = tuple(state.program.criteria(state.cells, seat) for seat in range(len(state.game.seats)))
    outcome = state.outcome
    return _Position(state.player, rendered(state.legal_moves), scores, None if outcome is None else outcome.winners)


def _compared(state_a: State, state_b: State, first: _Position, second: _Position, seed: int) -> FirstDifference | None:
    if state_a.over != state_b.over:
        return FirstDifference(seed, "end", state_a, state_b)
    if state_a.over:
        same = (first.winners, first.scores) == (second.winners, second.scores)
        return None if same else FirstDifference(seed, "result", state_a, state_b)
    if first.player != second.player:
        return FirstDifference(seed, "player", state_a, state_b)
    notations_a, notations_b = {move.notation for move in first.moves}, {move.notation for move in second.moves}
    if notations_a != notations_b:
        only = tuple(move for move in first.moves if move.notation not in notations_b)
        return FirstDifference(
            seed,
            "moves",
            state_a,
            state_b,
            only,
            tuple(move for move in second.moves if move.notation not in notations_a),
        )
    return None if first.scores == second.scores else FirstDifference(seed, "score", state_a, state_b)
