"""Alpha-beta: known values, the same values as OpenSpiel's minimax, limits, and games that it refuses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from dsl.text.folders import shipped_folder
from interpreter.errors import PlayError
from interpreter.opponents.alphabeta import AlphaBeta, best_move
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.information import can_be_proven, chance_in_play, why_uncertain
from interpreter.play.game import State, load
from tests.support.library import representative
from tests.support.situations import choice_in, play_out, situation_of

CERTAIN = {
    "breakthrough", "checkers", "chess", "connect_four", "go", "hex", "mancala", "nim", "nine_mens_morris", "othello",
    "tic_tac_toe",
}  # fmt: skip
"""The shipped games of two opponents who know everything, without chance."""


def begun(name: str | Path, **options: object) -> State:
    return load(name, options=options).start(seed=1)


def small_breakthrough(folder: Path, columns: int, rows: int) -> Path:
    """Breakthrough on a small board with one row of men each, as OpenSpiel plays it there."""
    text = (shipped_folder() / "breakthrough.rules").read_text(encoding="utf-8").split("== examples ==")[0]
    for old, new in (
        ("grid(8, 8)", f"grid({columns}, {rows})"), ("Man: 16", f"Man: {columns}"),
        ("c.row > 6", f"c.row is {rows}"), ("c.row < 3", "c.row is 1"), ("c.row is 8", f"c.row is {rows}"),
    ):  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    path = folder / "small.rules"
    path.write_text(text, encoding="utf-8")
    return path


def test_known_values() -> None:
    tic_tac_toe = best_move(begun("tic_tac_toe"))
    assert (tic_tac_toe.result, tic_tac_toe.exact) == (0, True)
    assert best_move(begun("nim")).result == -1, "1, 3, 5, 7 is lost for whoever begins, also where the last one loses"
    assert best_move(begun("nim", last_loses="false")).result == -1
    assert best_move(begun("hex", size=3)).result == 1


@pytest.mark.long
@pytest.mark.parametrize("backend", ["python", "machine"])
def test_hex_on_four_by_four_is_won_by_the_first(backend: Any) -> None:
    found = best_move(begun("hex", size=4), backend=backend)
    assert (found.result, found.exact) == (1, True)


@pytest.mark.parametrize("backend", ["python", "machine"])
def test_the_same_values_with_every_backend(backend: Any) -> None:
    found = best_move(begun("hex", size=3), backend=backend)
    assert (found.move, found.result) == (4, 1), "only the middle wins at once"


def test_nim_is_won_after_any_mistake() -> None:
    """In normal play a position is lost if the binary digits of the piles add up to even numbers."""
    state = begun("nim", last_loses="false")
    for move in state.legal_moves[::4]:
        state.push(move)
        assert best_move(state).result == 1
        reply = state.legal_moves[best_move(state).move]
        state.push(reply)
        assert best_move(state).result == -1
        state.pop()
        state.pop()


def values_here(state: State) -> list[int]:
    """The results of all moves for the seat that makes them, in order of size."""
    found = []
    for move in state.legal_moves:
        mover = state.player
        state.push(move)
        if state.outcome is not None:
            winners = state.outcome.winners
            found.append(0 if len(winners) != 1 else 1 if winners == (mover,) else -1)
        else:
            found.append(best_move(state).result * (1 if state.player == mover else -1))
        state.pop()
    return sorted(found)


def values_there(search: Callable[..., tuple[float, int]], game: Any) -> list[int]:
    found = []
    state = game.new_initial_state()
    for action in state.legal_actions():
        after = state.child(action)
        value = after.returns()[0] if after.is_terminal() else search(game, after, maximizing_player_id=0)[0]
        found.append(int(value))
    return sorted(found)


@pytest.mark.parametrize(
    ("spiel", "make"),
    [
        ("tic_tac_toe", lambda folder: begun("tic_tac_toe")),
        ("nim(pile_sizes=1;2;4)", lambda folder: after_taking(begun("nim"), "take(2, 1)", "take(3, 1)", "take(4, 7)")),
        ("hex(board_size=3)", lambda folder: begun("hex", size=3)),
        ("breakthrough(rows=4,columns=3)", lambda folder: begun(small_breakthrough(folder, 3, 4))),
        pytest.param(
            "breakthrough(rows=5,columns=3)",
            lambda folder: begun(small_breakthrough(folder, 3, 5)),
            marks=pytest.mark.long,
        ),
    ],
)
def test_every_move_has_the_value_that_openspiel_finds(
    tmp_path: Path, spiel: str, make: Callable[[Path], State]
) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    search = pytest.importorskip("open_spiel.python.algorithms.minimax").alpha_beta_search
    assert values_here(make(tmp_path)) == values_there(search, pyspiel.load_game(spiel))


def after_taking(state: State, *moves: str) -> State:
    for move in moves:
        state.push(move)
    return state


def test_it_never_loses_a_game_that_is_drawn() -> None:
    bots = {"cross": AlphaBeta(), "nought": AlphaBeta(depth=3)}
    for seed in range(3):
        state = play_out(begun("tic_tac_toe"), bots, seed)
        assert state.outcome is not None
        assert "cross" in state.outcome.winners


def test_the_nearest_win_is_made() -> None:
    state = after_taking(begun("connect_four"), *("drop(1)", "drop(2)") * 3)
    assert choice_in(state, AlphaBeta(depth=4)) == "drop(1)"


def test_the_seed_decides_between_equal_moves() -> None:
    state = begun("tic_tac_toe")
    first = {seed: choice_in(state, AlphaBeta(depth=2), seed) for seed in range(12)}
    assert len(set(first.values())) > 1
    assert first == {seed: choice_in(state, AlphaBeta(depth=2), seed) for seed in range(12)}


def test_limits() -> None:
    state = begun("chess")
    assert best_move(state, 2).depth == 2
    before = process_time()
    found = best_move(state, clock=Clock(Budget(seconds=0.3), lambda: False))
    assert process_time() - before < 3
    assert not found.exact
    before = process_time()
    asked = iter([False] * 3)
    bot = AlphaBeta()
    assert 0 <= bot.choose(situation_of(state, stop=lambda: next(asked, True))) < len(state.legal_moves)
    assert process_time() - before < 3


def test_the_games_it_can_play() -> None:
    found = {name: why_uncertain(load(name)) for name in representative()}
    assert {name for name, reason in found.items() if reason is None} == CERTAIN
    lines = (shipped_folder() / "pig.rules").read_text("utf-8").splitlines()
    rolled = next(number for number, line in enumerate(lines, start=1) if line.strip() == "roll cube")
    assert f"pig.rules:{rolled}:5)" in (found["pig"] or "")
    assert found["hearts"] == "it has 4 seats, not two"
    assert found["weir_keepers"] == "it has 1 seat, not two"
    assert "`deck` is not open to everybody" in (found["kuhn_poker"] or "")


RULES = """\
game "Small" for 2 players ann, ben

== components ==

piece Stone: 3 in box
zone box holds stack of Stone
zone out holds Stone
note turns_taken: 0..9 = 0{seen}
die fate: 1, 2, 3

== setup ==

{setup}

== phases ==

phase main, turns from ann, over when box is empty:
    must take

action take:
    "take one"
    move 1 from box to out
    note_it

step note_it:
    {effect}

== scoring ==

winner {winner}
"""
PLAIN = {"seen": "", "setup": "add 1 to turns_taken", "effect": "add 1 to turns_taken", "winner": "me is ann"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        ({"setup": "roll fate"}, ""),
        ({"setup": "must take\nroll fate"}, "chance plays a part ("),
        ({"effect": "roll fate"}, "chance plays a part ("),
        ({"effect": "shuffle box"}, "chance plays a part ("),
        ({"seen": ", seen by nobody"}, ""),
        ({"seen": ", seen by nobody", "setup": "roll fate"}, "`turns_taken` is not open to everybody"),
        ({"winner": "turns_taken > 2"}, "its players win or lose together"),
        ({"winner": "me is ann\nteams by 1"}, "its seats play in teams"),
    ],
)
def test_why_a_game_cannot_be_searched(tmp_path: Path, changes: dict[str, str], reason: str) -> None:
    path = tmp_path / "small.rules"
    path.write_text(RULES.format(**PLAIN | changes), encoding="utf-8")
    game = load(path)
    assert (why_uncertain(game) or "").startswith(reason)
    assert bool(why_uncertain(game)) is bool(reason)
    assert (chance_in_play(game.program) is None) is ("chance" not in reason)
    assert can_be_proven(game) is (not reason or "win" in reason or "teams" in reason)
    if not reason:
        assert partial(best_move, game.start(seed=0))().exact


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 9), ("connect_four", 5), ("nine_mens_morris", 3)])
def test_both_engines_find_the_same(name: str, depth: int) -> None:
    state = load(name).start(1)
    by_machine, by_python = (best_move(state, depth, seed=3, backend=backend) for backend in ("machine", "python"))
    assert by_machine == by_python


def test_the_rule_that_fails_is_named(tmp_path: Path) -> None:
    path = tmp_path / "failing.rules"
    path.write_text(FAILING, encoding="utf-8")
    for backend in ("machine", "python"):
        with pytest.raises(PlayError, match="nothing can be divided by it"):
            best_move(load(path).start(0), 6, backend=backend)


FAILING = """\
game "Failing" for 2 players ann, ben:
    "Raise the total."

== components ==

note total: 0..1000 = 0
note part: 0..1000 = 0

== phases ==

phase playing, turns from ann, over when total > 20:
    must raise

action raise(amount: 1..3):
    "raise {amount}"
    set part to 6 / (8 - total) rounded down
    set total to total + amount

== scoring ==

winner highest (total if me is ann else 0) "points"
"""
