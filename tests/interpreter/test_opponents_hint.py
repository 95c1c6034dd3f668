"""Hints: limits, and that they follow from what the seat knows that is asked."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from interpreter.analysis.figures import wilson_interval
from interpreter.errors import SamplingError, UsageError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.hints import Adviser, hint_budget
from interpreter.opponents.knowledge.sampling import Sampler, sampler_of
from interpreter.opponents.mcts import Analysis, MoveAnalysis, analyse
from interpreter.opponents.review import Review, Reviewed, costliest, decisions_of, difference
from interpreter.play.game import State, load
from tests.interpreter.positions import played as random_position

FEW = Budget(iterations=40)


played = partial(random_position, with_choice=True)


def hint_in(state: State, budget: Budget = FEW) -> Analysis:
    """The hint that a seat is given, without what differs each time."""
    assert state.player is not None
    return replace(analyse(Adviser(state.player).situation(state), budget), seconds=0.0)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("", Budget(seconds=1.0)),
        ("1000", Budget(iterations=1000)),
        ("2s", Budget(seconds=2.0)),
        ("250ms", Budget(seconds=0.25)),
    ],
)
def test_limits(text: str, budget: Budget) -> None:
    assert hint_budget(text) == budget


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("soon", "`soon` is no limit of a hint"),
        ("0", "`0` is no limit of a hint"),
        ("-3", "`-3` is no limit of a hint"),
        ("2 s", "`2 s` is no limit of a hint"),
        ("999999999", "the iterations of a hint are 1 to 100000000"),
        ("3601s", "the time for a hint is at most 3600s"),
    ],
)
def test_what_is_no_limit(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        hint_budget(text)


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("leduc_poker", 2),
        ("go_fish", 5),
        pytest.param("go_fish", 12, marks=pytest.mark.long),
        pytest.param("hearts", 9, marks=pytest.mark.long),
        pytest.param("china", 12, marks=pytest.mark.long),
        pytest.param("chinesische_mauer", 12, marks=pytest.mark.long),
        pytest.param("dschingis_khan", 12, marks=pytest.mark.long),
    ],
)
def test_states_that_a_seat_cannot_tell_apart_give_it_equal_hints(name: str, decisions: int) -> None:
    state = played(name, decisions)
    assert state.player is not None
    hint = hint_in(state)
    others = sampler_of(state, state.player, 77).states(3)
    assert {other.seed for other in others}.isdisjoint({state.seed})
    assert any(other.key() != state.key() for other in others)
    for other in others:
        assert hint_in(other) == hint


def test_hints_differ_where_the_seat_can_tell_states_apart() -> None:
    assert hint_in(played("hearts", 9, seed=5)) != hint_in(played("hearts", 9, seed=6))


def test_an_adviser_that_is_asked_again_gives_the_same_hint() -> None:
    state = played("go_fish", 5)
    assert state.player is not None
    adviser = Adviser(state.player)
    first, second = (replace(analyse(adviser.situation(state), FEW), seconds=0.0) for _ in range(2))
    assert first == second == hint_in(state)


def test_an_adviser_follows_the_game() -> None:
    """What it gives later is what one gives that is asked only then; an undo makes no difference."""
    state = load("go_fish").start(seed=5)
    rng = random.Random(5)
    advisers = {seat: Adviser(seat) for seat in state.game.seats}
    while state.ply < 6:
        assert state.player is not None
        advisers[state.player].situation(state).sampler.states(1)
        state.push(rng.choice(state.legal_moves))
    state.pop()
    assert state.player is not None
    found = replace(analyse(advisers[state.player].situation(state), FEW), seconds=0.0)
    assert found == hint_in(state)


def test_thinking_is_stopped() -> None:
    state = played("hearts", 9)
    assert state.player is not None
    thinking = Adviser(state.player).think(state, Budget(seconds=300))
    thinking.stop()
    assert thinking.wait(60)
    assert len(thinking.result().moves) == len(state.legal_moves)


def test_what_is_not_found_is_raised_where_the_result_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: object, count: int, **_: object) -> list[State]:
        raise SamplingError("no state was found")

    monkeypatch.setattr(Sampler, "states", none)
    state = played("leduc_poker", 2)
    assert state.player is not None
    thinking = Adviser(state.player).think(state, FEW)
    with pytest.raises(SamplingError, match="no state was found"):
        thinking.result()


# ---- reviews


def blunder() -> State:
    """Cross wins with a3, and plays elsewhere."""
    state = load("tic_tac_toe").start(seed=1)
    for move in ("put(a1)", "put(b1)", "put(a2)", "put(b2)", "put(c2)"):
        state.push(move)
    return state


def review(state: State, seat: str, budget: Budget) -> list[Reviewed]:
    """The decisions of a seat, once all are judged."""
    whole = Review(state, (seat,), budget)
    for _ in whole.run():
        pass
    reviewed = [judged.reviewed for _, judged in sorted(whole.judged.items())]
    return [decision for decision in reviewed if decision is not None]


def test_the_costliest_decision_of_a_seat() -> None:
    found = list(review(blunder(), "cross", Budget(iterations=200)))
    assert [one.number for one in found] == [1, 3, 5]
    worst = costliest(found)[0]
    assert (worst.number, worst.made, worst.best) == (5, "put(c2)", "put(a3)")
    assert worst.cost is not None and worst.cost >= 0.5
    assert worst.low <= worst.cost <= worst.high


def test_a_review_is_the_same_every_time_and_changes_nothing() -> None:
    state = blunder()
    key = state.key()
    assert list(review(state, "nought", FEW)) == list(review(state, "nought", FEW))
    assert (state.key(), state.ply) == (key, 5)


def test_only_one_move_is_searched() -> None:
    state = played("hearts", 9)
    assert state.player is not None
    for move in range(2):
        found = analyse(Adviser(state.player).situation(state), FEW, lines=False, only=move)
        assert [(one.move, one.visits) for one in found.moves] == [(move, 40)]


def test_decisions_without_a_choice_are_not_reviewed() -> None:
    state = load("go_fish").start(seed=5)
    rng = random.Random(5)
    choices: dict[str, list[int]] = {seat: [] for seat in state.game.seats}
    while state.ply < 30 and not state.over:
        assert state.player is not None
        if len(state.legal_moves) > 1:
            choices[state.player].append(state.ply)
        state.push(rng.choice(state.legal_moves))
    assert {seat: decisions_of(state, (seat,)) for seat in choices} == choices


def test_a_review_follows_from_what_the_seat_knew() -> None:
    state = played("leduc_poker", 4)
    assert state.player is not None
    other = sampler_of(state, state.player, 77).states(3)[-1]
    assert list(review(other, state.player, FEW)) == list(review(state, state.player, FEW))


def test_where_no_state_is_found_a_decision_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: object, count: int, **_: object) -> list[State]:
        raise SamplingError("no state was found")

    monkeypatch.setattr(Sampler, "states", none)
    found = list(review(blunder(), "cross", FEW))
    assert [one.cost for one in found] == [None] * 3
    assert costliest(found) == []


def test_the_interval_of_a_difference() -> None:
    """Newcombe's example: 56 of 70 against 48 of 80 gives 0.2 with 0.0524 to 0.3339."""
    one, other = (
        MoveAnalysis(0, count, share, share, *wilson_interval(share, count), None, False, ())
        for share, count in ((56 / 70, 70), (48 / 80, 80))
    )
    assert difference(one, other) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)
