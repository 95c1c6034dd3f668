"""Chess is the chess of others: perft counts that are published, and python-chess driven in step.

python-chess comes with the extra `classic`; without it the games in step are skipped, the counts are not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations, product
from typing import Any

import pytest

from interpreter.analysis.perft import perft_from
from interpreter.play.game import Game, State, load
from tests.classic.chess_positions import RANKS, fen_of, positions

try:
    import chess
    import chess.variant
except ImportError:
    chess: Any = None

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

needs_python_chess = pytest.mark.skipif(
    chess is None, reason="python-chess is not installed: pip install 'regelwerk[classic]'"
)

# Chess Programming Wiki, "Perft Results": the initial position and positions 2 (Kiwipete) to 6.
COUNTS = {
    "initial": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (20, 400, 8_902, 197_281)),
    "Kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2_039, 97_862, 4_085_603)
    ),
    "position 3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2_812, 43_238)),
    "position 4": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9_467, 422_333)),
    "position 5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1_486, 62_379, 2_103_487)),
    "position 6": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2_079, 89_890, 3_894_594)
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, State]:
    return positions(tmp_path_factory.mktemp("chess"), {title: fen for title, (fen, _) in COUNTS.items()})


def sequences(state: State, depth: int) -> int:
    """The sequences of so many moves; those of the last move are counted where they are listed, not made."""
    moves = state.legal_moves
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        state.push(move)
        total += sequences(state, depth - 1)
        state.pop()
    return total


MANY_MOVES = ("position 5", "position 6")

by_title = pytest.mark.parametrize("title", COUNTS)


@by_title
def test_sequences_of_three_moves_are_as_many_as_published(begun: dict[str, State], title: str, long_run: bool) -> None:
    """Of two positions with many moves only sequences of two in the normal run."""
    published = COUNTS[title][1]
    most = 2 if title in MANY_MOVES and not long_run else 3
    assert [sequences(begun[title], depth) for depth in range(1, most + 1)] == [*published[:most]]


@pytest.mark.long
@by_title
def test_sequences_of_four_moves_are_as_many_as_published(begun: dict[str, State], title: str) -> None:
    assert sequences(begun[title], 4) == COUNTS[title][1][3]


@pytest.mark.long
def test_perft_of_position_4_counts_the_checkmates(begun: dict[str, State]) -> None:
    """Published: 22 of 9,467 sequences of three moves give checkmate; none ends the game otherwise."""
    found = perft_from(begun["position 4"], 3)
    assert [(level.nodes, level.over, level.faults) for level in found.levels] == [
        (6, 0, 0), (264, 0, 0), (9_467, 22, 0),
    ]  # fmt: skip
    assert not found.chance


# ---------------------------------------------------------------- in step with python-chess

GAMES = ("chess", "king_of_the_hill", "three_check", "chess960", "antichess")


def board_of(variant: str, state: State) -> Any:
    if variant == "antichess":
        return chess.variant.AntichessBoard(fen_of(state, castles=False))
    fen = fen_of(state)
    if variant == "king_of_the_hill":
        return chess.variant.KingOfTheHillBoard(fen)
    if variant == "three_check":
        return chess.variant.ThreeCheckBoard(fen)
    return chess.Board(fen, chess960=variant == "chess960")


def notation_of(board: Any, move: Any) -> str:
    """Our notation of a move."""
    if board.is_castling(move):
        return f"castle({'kingside' if board.is_kingside_castling(move) else 'queenside'})"
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    if move.promotion:
        return f"promote({start}, {end}, {RANKS[chess.piece_symbol(move.promotion)]})"
    return f"go({start}, {end})"


def ending_of(board: Any) -> str | None:
    """Why the game is over there, by our names and in our order."""
    loses_to_win = isinstance(board, chess.variant.AntichessBoard)
    if loses_to_win and (board.is_variant_end() or board.is_stalemate()):
        return "no_men_left" if board.is_variant_end() else "no_move_left"
    if board.is_variant_end():
        return "third_check" if isinstance(board, chess.variant.ThreeCheckBoard) else "king_on_the_hill"
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material() and not loses_to_win:
        return "insufficient_material"
    if board.is_repetition(3):
        return "threefold_repetition"
    return "fifty_moves" if board.halfmove_clock >= 100 else None


Style = Callable[[Any, list[Any], random.Random], list[Any]]
"""The moves among which a player draws lots, of all legal ones: random games alone hardly repeat a position."""


def at_random(board: Any, moves: list[Any], rng: random.Random) -> list[Any]:
    return moves


def greedy(board: Any, moves: list[Any], rng: random.Random) -> list[Any]:
    """Captures, if there are any."""
    return [move for move in moves if board.is_capture(move)] or moves


def aggressive(board: Any, moves: list[Any], rng: random.Random) -> list[Any]:
    """Moves that give check, or leave few replies."""

    def replies(move: Any) -> tuple[bool, int]:
        board.push(move)
        count = board.legal_moves.count()
        found = (not board.is_check(), count)
        board.pop()
        return found

    return [min(moves, key=replies)] if rng.random() < 0.7 else moves


def patient(board: Any, moves: list[Any], rng: random.Random) -> list[Any]:
    """Neither captures nor moves of pawns, mostly."""
    return [move for move in moves if not board.is_zeroing(move)] or moves if rng.random() < 0.995 else moves


def undecided(board: Any, moves: list[Any], rng: random.Random) -> list[Any]:
    """Often back to where the man came from."""
    back = [
        move for move in moves
        if len(board.move_stack) > 1 and not board.is_zeroing(move)
        and (move.to_square, move.from_square) == (board.move_stack[-2].from_square, board.move_stack[-2].to_square)
    ]  # fmt: skip
    return back if back and rng.random() < 0.6 else moves


STYLES = {style.__name__: style for style in (at_random, greedy, aggressive, patient, undecided)}


@cache
def game_of(variant: str) -> Game:
    """Chess or a variant of it, loaded once."""
    return load("chess", variants=[variant] if variant != "chess" else [])


def in_step(variant: str, style: Style, seed: int) -> Iterator[tuple[State, Any]]:
    """A game on both sides, at every decision and at the end; an assertion fails where they differ."""
    state = game_of(variant).start(seed)
    board, rng = board_of(variant, state), random.Random(seed)
    while True:
        chessmen = fen_of(state, castles=variant != "antichess").split()[:2]
        assert chessmen == board.fen().split()[:2] and state.evaluate("quiet") == board.halfmove_clock
        assert variant == "antichess" or state.evaluate("in_check(me)") == board.is_check() or state.over
        yield state, board
        ending = ending_of(board)
        assert state.evaluate("ending") == ending, f"{state.evaluate('ending')} here, {ending} there:\n{board.fen()}"
        if ending is not None:
            assert state.over and state.outcome is not None
            winner = {
                **dict.fromkeys(("checkmate", "third_check", "king_on_the_hill"), not board.turn),
                **dict.fromkeys(("no_men_left", "no_move_left"), board.turn),
            }.get(ending)
            assert state.outcome.winners == (() if winner is None else (("black", "white")[winner],))
            return
        moves = {notation_of(board, move): move for move in board.legal_moves}
        ours = {move.notation for move in state.legal_moves}
        assert ours == set(moves), f"{sorted(ours ^ set(moves))} on one side only:\n{board.fen()}"
        chosen = rng.choice(style(board, list(moves.values()), rng))
        state.push(notation_of(board, chosen))
        board.push(chosen)


by_variant = pytest.mark.parametrize("variant", GAMES)
by_style = pytest.mark.parametrize("style", STYLES)


def in_turn() -> Iterator[Any]:
    """Each variant in every style; in the normal run in every second one, in turn."""
    for number, variant in enumerate(GAMES):
        for place, style in enumerate(STYLES):
            yield pytest.param(variant, style, marks=pytest.mark.long if (number + place) % 2 else ())


@needs_python_chess
@pytest.mark.parametrize(("variant", "style"), list(in_turn()))
def test_a_random_game_in_step(variant: str, style: str) -> None:
    for _ in in_step(variant, STYLES[style], 0):
        pass


@needs_python_chess
@pytest.mark.long
@by_style
@by_variant
def test_many_random_games_in_step(variant: str, style: str) -> None:
    for seed in range(1, 41):
        for _ in in_step(variant, STYLES[style], seed):
            pass


@needs_python_chess
@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")
def test_antichess_in_step_with_open_spiel(long_run: bool) -> None:
    """There nobody has to take en passant, so a game is compared until somebody can."""
    to_the_end = 0
    for seed in range(100 if long_run else 3):
        spiel, theirs = pyspiel.load_game("antichess").new_initial_state(), dict[Any, int]()
        for state, board in in_step("antichess", at_random, seed):
            if board.move_stack:
                spiel.apply_action(theirs[board.peek()])
            moves = set() if state.over else set(board.legal_moves)
            if any(board.is_en_passant(move) for move in moves):
                break
            theirs = {board.parse_san(spiel.action_to_string(action)): action for action in spiel.legal_actions()}
            assert moves == theirs.keys(), board.fen()
        else:
            assert state.outcome is not None and spiel.is_terminal()
            winners, pairs = state.outcome.winners, permutations(("black", "white"))
            assert spiel.returns() == [winners.count(one) - winners.count(other) for one, other in pairs]
            to_the_end += 1
    assert to_the_end


@needs_python_chess
def test_chess960_draws_the_960_starts(long_run: bool) -> None:
    """Each of them comes up with two of the results of the dice: the knights may be drawn in either order."""
    game = game_of("chess960")
    faces = list(product(range(4), range(4), range(6), range(5), range(4)))
    wanted = {chess.Board.from_chess960_pos(number).board_fen() for number in range(960)}
    if not long_run:
        faces = random.Random(960).sample(faces, 100)
    found = Counter[str]()
    for results in faces:
        coming = iter(results)
        found[fen_of(game.start(chance=lambda event, coming=coming: next(coming))).split()[0]] += 1
    assert found.keys() <= wanted and max(found.values()) <= 2
    if long_run:
        assert found.keys() == wanted and set(found.values()) == {2}


# ---------------------------------------------------------------- why not

WHY = {
    "pinned": "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
    "attacked": "4k3/8/b7/8/8/8/8/4K2R w K - 0 1",
    "in the way": "4k3/8/8/8/8/8/8/4KB1R w K - 0 1",
    "in check": "4k3/8/8/8/8/2n5/8/R3K3 w Q - 0 1",
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, State]:
    return positions(tmp_path_factory.mktemp("why"), WHY)


@pytest.mark.parametrize(
    ("title", "move", "reason"),
    [
        ("pinned", "go(e2, c3)", "the black rook on e7 would give check"),
        ("pinned", "go(e2, e4)", "a knight on e2 does not go to e4"),
        ("attacked", "castle(kingside)", "the black bishop on a6 attacks f1"),
        ("attacked", "castle(queenside)", "your king or this rook has moved"),
        ("in the way", "castle(kingside)", "the white bishop on f1 is in the way"),
        ("in check", "castle(queenside)", "the black knight on c3 attacks d1"),
    ],
)
def test_why_a_move_is_illegal(asked: dict[str, State], title: str, move: str, reason: str) -> None:
    why = asked[title].why(move)
    assert why.headline == f"`{move}` is not legal: {reason}"
    assert next(each.text for each in why.reasons if not each.holds) == reason


def test_why_names_the_square_that_would_be_attacked_from(asked: dict[str, State]) -> None:
    (failed,) = [each for each in asked["pinned"].why("go(e2, c3)").reasons if not each.holds]
    assert failed.values == (("in_check(me) given carry(c, d)", "true"), ("after carry(e2, c3): c", "e7"))
