"""Two sets of rules played side by side with the same chance and the same decisions, up to where they part."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.game import Game
from interpreter.playouts import MOST_DECISIONS, never_ends
from interpreter.state import State
from interpreter.wording import Move


@dataclass(frozen=True)
class Parting:
    """The first position of a pair of games in which something is otherwise.

    `differs` says what: player (somebody else decides), moves (other moves are legal), score (the numbers that decide
    who wins), end (one game is over), result. `here` and `there` are the two games in that position, `only_here` and
    `only_there` the moves that are legal in one only.
    """

    seed: int
    differs: str
    here: State
    there: State
    only_here: tuple[Move, ...] = ()
    only_there: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Pair:
    """One pair of games: how many decisions were the same, and where they parted, if they did."""

    seed: int
    decisions: int
    parting: Parting | None


def side_by_side(here: Game, there: Game, games: int, seed: int = 0) -> Iterator[Pair]:
    """Play pairs of random games with the seeds `seed`, `seed + 1`, …, each until the two part or both are over.

    Raises `RuntimeFault` if a rule fails.
    """
    for number in range(seed, seed + games):
        yield _pair(here.start(number), there.start(number), number)


def _pair(here: State, there: State, seed: int) -> Pair:
    rng = random.Random(seed)
    while True:
        parting = _parted(here, there, seed)
        if parting is not None or here.player is None:
            return Pair(seed, here.ply, parting)
        if here.ply >= MOST_DECISIONS:
            raise never_ends(here.game)
        move = rng.choice(here.legal_moves)
        here.push(move)
        there.push(move.notation)


def _parted(here: State, there: State, seed: int) -> Parting | None:
    if here.over != there.over:
        return Parting(seed, "end", here, there)
    if here.over:
        outcomes = here.outcome, there.outcome
        same = outcomes[0] is not None and outcomes[1] is not None and outcomes[0].winners == outcomes[1].winners
        if not same or _scores(here) != _scores(there):
            return Parting(seed, "result", here, there)
        return None
    if here.player != there.player:
        return Parting(seed, "player", here, there)
    ours, theirs = here.legal_moves, there.legal_moves
    known, others = {move.notation for move in ours}, {move.notation for move in theirs}
    if known != others:
        only = tuple(move for move in ours if move.notation not in others)
        return Parting(seed, "moves", here, there, only, tuple(move for move in theirs if move.notation not in known))
    return Parting(seed, "score", here, there) if _scores(here) != _scores(there) else None


def _scores(state: State) -> tuple[tuple[int, ...], ...]:
    """The numbers that decide who wins, for each seat."""
    return tuple(state.program.criteria(state.cells, place) for place in range(len(state.game.seats)))
