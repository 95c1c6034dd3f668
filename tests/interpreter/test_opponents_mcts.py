"""The bot `mcts`: what it finds, and that its choice follows from what it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import process_time

import pytest

from interpreter.arguments import Backend
from interpreter.opponents.budgets import Budget
from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.opponents.mcts import Analysis, Mcts, analyse
from interpreter.opponents.situation import States
from interpreter.play.game import State, load
from tests.support.situations import after, choice_in, situation_of

BACKENDS: tuple[Backend, ...] = ("python", "machine")


def without_time(analysis: Analysis) -> Analysis:
    return replace(analysis, seconds=0.0)


def searcher(iterations: int, backend: Backend = "python") -> Mcts:
    return Mcts(Budget(iterations=iterations), backend)


@pytest.mark.parametrize(
    ("game", "players"), [("tic_tac_toe", 2), ("goofspiel", 2), ("hearts", 4), ("go_fish", 3), ("kuhn_poker", 2),
                          ("chinesische_mauer", 3), ("china", 3),
                          *(pytest.param(name, 2, marks=pytest.mark.long) for name in ("mauerbauer", "dschingis_khan"))]
)  # fmt: skip
def test_both_backends_find_the_same(game: str, players: int) -> None:
    state = load(game, players=players).start(5)
    while len(state.legal_moves) == 1:
        state.push(state.legal_moves[0])
    found = [without_time(analyse(situation_of(state, 3), Budget(iterations=60), backend)) for backend in BACKENDS]
    assert found[0] == found[1]
    assert found[0] == without_time(analyse(situation_of(state, 3), Budget(iterations=60), "python"))
    assert sum(move.visits for move in found[0].moves) == found[0].iterations == 60


def test_tic_tac_toe_is_won_in_one_and_not_lost_in_one() -> None:
    game = load("tic_tac_toe")
    winning = after(game.start(0), ["put(a1)", "put(a2)", "put(b1)", "put(b2)"])
    assert choice_in(winning, searcher(100)) == "put(c1)"
    losing = after(game.start(0), ["put(a1)", "put(b2)", "put(c2)", "put(a3)"])
    assert choice_in(losing, searcher(300)) == "put(c1)"


@pytest.mark.parametrize("backend", BACKENDS)
def test_connect_four_is_won_in_one_and_not_lost_in_one(backend: Backend) -> None:
    start = load("connect_four").start(0)
    threatened = after(start, ["drop(1)", "drop(7)", "drop(1)", "drop(7)", "drop(1)", "drop(7)"])
    assert choice_in(threatened, searcher(200, backend)) == "drop(1)"
    threatened.push("drop(2)")
    assert choice_in(threatened, searcher(200, backend)) == "drop(7)"
    threatened.pop()
    after(threatened, ["drop(2)", "drop(4)"])
    assert choice_in(threatened, searcher(200, backend)) == "drop(1)"


def test_nim_is_played_perfectly_with_enough_iterations() -> None:
    for taken, best in (
        (["take(4, 7)", "take(3, 4)"], "take(2, 2)"),  # 1, 3, 1: whoever takes the last match loses
        (["take(4, 7)", "take(2, 1)"], "take(3, 2)"),  # 1, 2, 5
        (["take(3, 5)", "take(4, 1)"], "take(4, 4)"),  # 1, 3, 6
    ):
        found = analyse(situation_of(after(load("nim").start(0), taken)), Budget(iterations=6000), "machine")
        first = found.moves[0]
        assert situation_of(after(load("nim").start(0), taken)).legal_moves[first.move].notation == best
        assert first.proven and first.win_share == 1.0 and found.iterations < 6000


def test_a_forced_move_is_made_without_a_world() -> None:
    class Refusing:
        def states(self, count: int, hurry: Callable[[], bool] = lambda: False, **_: object) -> list[object]:
            raise AssertionError("no world is needed")

    state = load("hearts").start(0)
    assert len(state.legal_moves) == 1
    assert searcher(50).choose(situation_of(state, sampler=Refusing())) == 0


def test_somebody_who_wants_the_move_now_gets_it() -> None:
    state = load("mauerbauer", players=2).start(1)
    found = analyse(situation_of(state, stop=lambda: True), Budget(iterations=10**6), "python")
    assert found.iterations <= 5
    assert len(found.moves) == len(state.legal_moves)
    begun = process_time()
    analyse(situation_of(state), Budget.of("150ms"), "python")
    assert process_time() - begun < 0.6


def test_of_many_moves_the_most_promising_are_tried() -> None:
    """More than a hundred moves, and fewer iterations: those that look best are tried several times."""
    state = load("dschingis_khan", players=2).start(3)
    found = analyse(situation_of(state, 1), Budget(iterations=40), "machine")
    assert len(found.moves) == len(state.legal_moves) > 100
    tried = [move for move in found.moves if move.visits]
    assert len(tried) < 20 and tried[0].visits > 2
    assert all(move.line for move in tried[:5]) and not any(move.proven for move in tried)
    assert all(
        (move.low, move.high, move.score, move.line) == (0, 1, None, ()) for move in found.moves if not move.visits
    )


def test_the_figures_fit_together() -> None:
    found = analyse(situation_of(load("othello").start(0)), Budget(iterations=120), "machine")
    assert sum(found.win_shares.values()) == pytest.approx(1.0)
    share = sum(move.visits * move.win_share for move in found.moves) / found.iterations
    assert found.win_shares["black"] == pytest.approx(share)
    for move in found.moves:
        assert 0 <= move.low <= move.win_share <= move.high <= 1


def test_a_world_is_drawn_for_several_iterations_and_only_once_where_all_is_known() -> None:
    asked: list[int] = []

    @dataclass
    class Counting:
        sampler: States

        def states(self, count: int, hurry: Callable[[], bool] = lambda: False, **_: object) -> Sequence[State]:
            asked.append(count)
            return self.sampler.states(count, hurry)

    for name, most in (("othello", 2), ("go_fish", 40)):
        state = load(name, players=2).start(1)
        asked.clear()
        sampler = Counting(sampler_of(state, str(state.player), 3))
        analyse(situation_of(state, sampler=sampler), Budget(iterations=160), "python")
        assert max(asked) <= most and len(asked) <= 2
