"""Draughts with flying kings in step with pydraughts, and the published perft.

A jump that goes on is several decisions of ours and one move there, so whole moves are compared by the position after
them; ways over the same men to the same square are one. That module ends games by more rules than ours, so moves are
compared as long as ours go on.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from interpreter.play.game import Game, State, load
from interpreter.seat.notation.moves import Move

draughts = pytest.importorskip("draughts", reason="pydraughts is not installed: pip install 'regelwerk[classic]'")

COUNTS = (7, 49, 302, 1_469, 7_482, 37_986)
"""Moves from the start, by depth, as programs of draughts publish them."""

LONGEST = 100


Position = frozenset[str]


@cache
def game() -> Game:
    """The rules, loaded once."""
    return load("russian_draughts")


def whole_moves(state: State) -> dict[Position, list[Move]]:
    """The decisions of each whole move of the side to move, by the position after it."""
    mover, found = state.player, dict[Position, list[Move]]()

    def follow(made: list[Move]) -> None:
        for move in state.legal_moves:
            state.push(move)
            if state.player == mover:
                follow([*made, move])
            else:
                found.setdefault(placed(state), [*made, move])
            state.pop()

    follow([])
    return found


PLACED = {
    "W": ("{x in on of white where on[x] is Man}", "{x in on of white where on[x] is King}"),
    "B": ("{x in on of black where on[x] is Man}", "{x in on of black where on[x] is King}"),
}
"""Where the men and the kings of a side are, as ours are asked."""


def placed(state: State) -> Position:
    """Who is where: the side, `K` before kings, and the square."""
    return frozenset(
        f"{side}{crown}{square}"
        for side, questions in PLACED.items()
        for crown, question in zip(("", "K"), questions, strict=True)
        for square in state.evaluate(question)
    )


def placed_there(board: draughts.Board) -> Position:
    """The same of a position there, `W:Wa1,Kc3:Bf6`."""
    return frozenset(side[0] + piece for side in board.fen.split(":")[1:] for piece in side[1:].split(",") if piece)


def count(state: State, depth: int) -> int:
    """Sequences of so many whole moves."""
    moves = whole_moves(state)
    if depth == 1:
        return len(moves)
    total = 0
    for decisions in moves.values():
        for move in decisions:
            state.push(move)
        total += count(state, depth - 1)
        for _ in decisions:
            state.pop()
    return total


def test_perft_of_the_start(long_run: bool) -> None:
    for depth, moves in enumerate(COUNTS[: 6 if long_run else 3], start=1):
        assert count(game().start(), depth) == moves


def test_random_games_in_step(long_run: bool) -> None:
    for seed in range(100 if long_run else 1):
        rng, state, board = random.Random(seed), game().start(seed), draughts.Board(variant="russian")
        for _ in range(LONGEST):
            theirs = {}
            for move in board.legal_moves():
                after = board.copy()
                after.push(move)
                theirs[placed_there(after)] = move
            moves = {} if state.player is None else whole_moves(state)
            if state.outcome is not None and len(state.outcome.winners) > 1:
                break
            assert moves.keys() == theirs.keys(), board.fen
            if not moves:
                break
            chosen = rng.choice(sorted(moves, key=sorted))
            for decision in moves[chosen]:
                state.push(decision)
            board.push(theirs[chosen])
