"""Draughts in step with pydraughts, and the published perft.

A jump that goes on is several decisions of ours and one move there, so whole moves are compared by the position after
them; ways over the same men to the same square are one. That module ends games by more rules than ours, so moves are
compared as long as ours go on.

In Turkish draughts it lets kings go over pieces without taking them (version 0.6.7), which no rules allow: these moves
are left out.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

import regelwerk
from interpreter.play.game import Game, State, load
from interpreter.seat.notation.moves import Move

draughts = pytest.importorskip("draughts", reason="pydraughts is not installed: pip install 'regelwerk[classic]'")

COUNTS = (7, 49, 302, 1_469, 7_482, 37_986)
"""Moves from the start, by depth, as programs of draughts publish them."""

LONGEST, SHORT = 100, 24


Position = frozenset[str]

DRAUGHTS = {
    "english": ("checkers", ()),
    "russian": ("draughts", ("russian_draughts",)),
    "standard": ("draughts", ()),
    "antidraughts": ("draughts", ("antidraughts",)),
    "brazilian": ("draughts", ("brazilian_draughts",)),
    "frisian": ("draughts", ("frisian_draughts",)),
    "italian": ("draughts", ("italian_draughts",)),
    "turkish": ("draughts", ("turkish_draughts",)),
}
"""Our games and variants, by the name of the variant there."""


@cache
def game(variant: str) -> Game:
    """The rules, loaded once."""
    name, variants = DRAUGHTS[variant]
    return load(name, variants=variants)


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


def placed(state: State) -> Position:
    """Who is where: the side, `K` before kings, and the square."""
    zone = "on" if "on" in state.program.model.zones else "checker"
    return frozenset(
        f"{side[0].upper()}{crown}{square}"
        for side in ("white", "black")
        for kind, crown in (("Man", ""), ("King", "K"))
        for square in state.evaluate(f"{{x in {zone} of {side} where {zone}[x] is {kind}}}")
    )


@cache
def squares(variant: str) -> list[str]:
    """The squares of a board whose numbers are used there, in their order: row by row from the top.

    In English draughts black begins there, and is below with us.
    """
    size = 8 if variant in ("english", "italian") else 10
    first = 1 if variant == "italian" else 0
    names = [
        f"{'abcdefghij'[column - 1]}{row}"
        for row in range(size, 0, -1)
        for column in range(1, size + 1)
        if (column + row) % 2 == first
    ]
    return names[::-1] if variant == "english" else names


def placed_there(board: draughts.Board) -> Position:
    """The same of a position there, `W:Wa1,Kc3:Bf6` or `W:W46,K36:B10`."""
    pieces = set()
    for side in board.fen.split(":")[1:]:
        colour = side[0] if board.variant != "english" else "WB"[side[0] == "W"]
        for piece in filter(None, side[1:].split(",")):
            square = piece.removeprefix("K")
            name = squares(board.variant)[int(square) - 1] if square.isdigit() else square
            pieces.add(f"{colour}{piece[: -len(square)]}{name}")
    return frozenset(pieces)


def goes_over_pieces(board: draughts.Board, move: draughts.Move) -> bool:
    """Whether a move on all squares goes over pieces that it does not take."""
    if board.variant != "turkish" or move.captures:
        return False
    (first, last), (low, high) = (sorted((int(square) - 1) % 8 for square in move.steps_move),
                                  sorted((int(square) - 1) // 8 for square in move.steps_move))  # fmt: skip
    passed = {f"{'abcdefgh'[column]}{row + 1}" for column in range(first, last + 1) for row in range(low, high + 1)}
    return len(passed & {piece[-2:] for piece in placed_there(board)}) > 1


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
        assert count(game("russian").start(), depth) == moves


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_random_games_in_step(variant: str, long_run: bool) -> None:
    for seed in range(20 if long_run else 1):
        rng, state, board = random.Random(seed), game(variant).start(seed), draughts.Board(variant=variant)
        for _ in range(LONGEST if long_run else SHORT):
            theirs = {}
            for move in board.legal_moves():
                if not goes_over_pieces(board, move):
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


@pytest.mark.parametrize("variant", [variant for variant in DRAUGHTS if variant != "english"])
def test_positions_of_kings_and_men(variant: str, long_run: bool) -> None:
    """Kings are rare in random games, and so is a choice of several ways that take."""
    name, variants = DRAUGHTS[variant]
    rules = regelwerk.load(name, variants=list(variants))
    small = variant in ("russian", "brazilian", "italian", "turkish")
    of_board = squares("italian" if variant == "italian" else "standard")
    inner = [square for square in of_board if square[0] < "i" and 1 < int(square[1:]) < 8] if small else of_board[5:-5]
    for seed in range(150 if long_run else 6):
        rng = random.Random(seed)
        pieces = [("K" if rng.random() < 0.5 else "", square) for square in rng.sample(inner, 12)]
        number = {square: str(of_board.index(square) + 1) for square in of_board}
        if small:
            number = number if variant == "italian" else {square: square for square in of_board}
        white, black = (",".join(crown + number[square] for crown, square in side) for side in (pieces[:4], pieces[4:]))
        board = draughts.Board(variant=variant, fen=f"W:W{white}:B{black}")
        given = [
            f"on[{square}] is {'King' if crown else 'Man'} {'white' if place < 4 else 'black'}"
            for place, (crown, square) in enumerate(pieces)
        ]
        state = rules.start(given="given " + "\nand ".join(given) + "\nwhen phase playing")
        theirs = set()
        for move in board.legal_moves():
            if not goes_over_pieces(board, move):
                after = board.copy()
                after.push(move)
                theirs.add(placed_there(after))
        ours = whole_moves(state).keys()
        if variant != "frisian":
            assert ours == theirs, board.fen
            continue
        # There the values of what is taken are added as fractions, in the order of taking, and equal ones may differ.
        assert theirs <= ours, board.fen
        left = {tuple(sorted(piece[:2] == "BK" for piece in position if piece[0] == "B")) for position in ours}
        assert len(left) == 1, board.fen
