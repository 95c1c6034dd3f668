"""Reviews of a game: what every seat could expect before a decision, from what the seat knew that decided."""

from __future__ import annotations

from time import process_time

import pytest

from interpreter.errors import SamplingError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.knowledge.sampling import Sampler, sampler_of
from interpreter.opponents.review import (
    Accuracy,
    Judged,
    Review,
    Reviewed,
    Reviewer,
    accuracies,
    decisions_of,
    final_shares,
    has_choice,
)
from interpreter.play.game import State, load
from tests.interpreter.positions import played

FEW = Budget(iterations=40)


def judgements(state: State, seat: str) -> list[Judged]:
    """All that a seat finds out about its decisions, the pending one too; counted as the seat knows of them."""
    reviewer = Reviewer(state, FEW)
    plies = decisions_of(state, (seat,))
    if has_choice(state, (seat,)):
        plies.append(state.ply)
    return [reviewer.judge(ply) for ply in plies]


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("kuhn_poker", 2),
        ("leduc_poker", 4),
        ("liars_dice", 3),
        ("go_fish", 3),
        ("goofspiel", 5),
        pytest.param("hearts", 14, marks=pytest.mark.long),
        pytest.param("chinesische_mauer", 12, marks=pytest.mark.long),
        pytest.param("dschingis_khan", 12, marks=pytest.mark.long),
    ],
)
def test_games_that_a_seat_cannot_tell_apart_give_it_the_same_figures(name: str, decisions: int) -> None:
    state = played(name, decisions)
    different = 0
    for seat in state.game.seats:
        found = judgements(state, seat)
        other = sampler_of(state, seat, 77).states(3)[-1]
        different += other.key() != state.key()
        assert judgements(other, seat) == found
    assert different


def test_what_is_doubtful_is_judged_again_and_the_rest_is_not() -> None:
    state = load("tic_tac_toe").start(seed=1)
    for move in ("put(a1)", "put(b1)", "put(a2)", "put(b2)", "put(c2)", "put(a3)"):  # cross forgoes a3
        state.push(move)
    review = Review(state, state.game.seats, Budget(iterations=200))
    plies = [judged.ply for judged in review.run()]
    assert plies[:6] == [0, 1, 2, 3, 4, 5] and review.total == 6
    assert not review.is_coarse and review.seconds_left == 0
    again = plies[6:]
    assert again == sorted(again, reverse=True) and 4 in again
    refined = {ply: judged.reviewed.refined for ply, judged in review.judged.items() if judged.reviewed}
    assert refined == {ply: ply in again for ply in range(6)}
    blunder = review.judged[4].reviewed
    assert blunder is not None and (blunder.best, blunder.cost) == ("put(a3)", 1.0)
    # The last decision wins at once, which the first pass proves: nothing is in doubt about it.
    assert 5 not in again and review.judged[5].doubt == 0


def test_a_review_keeps_to_its_time_and_judges_every_decision() -> None:
    state = played("connect_four", 30)
    review = Review(state, state.game.seats, Budget(iterations=20_000, seconds=1.5))
    begun, estimates = process_time(), []
    for _ in review.run():
        estimates.append(review.seconds_left)
    assert len(review.judged) == review.total and not review.is_coarse
    assert process_time() - begun < 4
    assert all(estimate is not None for estimate in estimates)


def test_a_review_that_nobody_waits_for_keeps_what_it_has() -> None:
    state, judged = played("connect_four", 20), list[Judged]()
    review = Review(state, state.game.seats, FEW, lambda: len(judged) == 4)
    for each in review.run():
        judged.append(each)
    assert len(judged) == 4 and [each.ply for each in judged] == list(review.judged)


def test_the_accuracy_of_a_seat() -> None:
    def judged(seat: str, cost: float | None) -> Judged:
        return Judged(0, seat, None, Reviewed(1, "a", "a", "b", "b", cost, 0.0, 0.0))

    found = [
        judged("ann", 0.3),
        judged("ben", None),
        judged("ann", 0.0),
        judged("ann", -0.1),
        Judged(9, "eve", None, None),
    ]
    assert accuracies(found) == [Accuracy("ann", 3, 2, pytest.approx(0.9))]


def test_figures_differ_where_seats_know_different_things() -> None:
    """Of the same position, each from its own cards."""
    found = [judgements(played("kuhn_poker", 0, seed=seed), "ann")[0].win_shares for seed in range(8)]
    assert any(shares != found[0] for shares in found)


def test_what_seats_can_expect_is_certain_where_it_is_proven() -> None:
    state = load("tic_tac_toe").start(seed=1)
    for move in ("put(a1)", "put(b1)", "put(a2)", "put(b2)"):  # cross wins with a3
        state.push(move)
    reviewer = Reviewer(state, Budget(iterations=800))
    judged = reviewer.judge(4)
    assert (judged.seat, judged.win_shares, judged.reviewed) == ("cross", {"cross": 1.0, "nought": 0.0}, None)
    earlier = reviewer.judge(3)
    assert earlier.seat == "nought" and earlier.reviewed is not None
    assert earlier.reviewed.made == "put(b2)" and earlier.reviewed.best == "put(a3)"


def test_shares_of_a_decision_are_those_after_its_best_move() -> None:
    state = played("connect_four", 6)
    judged = Reviewer(state, Budget(iterations=300)).judge(state.ply)
    assert judged.win_shares is not None
    assert sum(judged.win_shares.values()) == pytest.approx(1.0)


def test_where_no_state_is_found_nothing_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: object, count: int, **_: object) -> list[State]:
        raise SamplingError("no state was found")

    monkeypatch.setattr(Sampler, "states", none)
    state = played("leduc_poker", 2)
    judged = Reviewer(state, FEW).judge(0)
    assert judged.win_shares is None
    assert judged.reviewed is not None and judged.reviewed.cost is None


def test_shares_of_the_win_at_the_end() -> None:
    state = played("tic_tac_toe", 99)
    outcome = state.outcome
    assert outcome is not None
    shares = final_shares(state)
    assert {seat for seat, share in shares.items() if share} == set(outcome.winners)
    drawn = load("tic_tac_toe").start(seed=1)
    for move in ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"):
        drawn.push(f"put({move})")
    assert drawn.over
    assert sum(final_shares(drawn).values()) in (0.0, 1.0)
    partners = played("spades", 9999, seed=2)
    found = final_shares(partners)
    assert sorted(found.values()) == [0.0, 0.0, 1.0, 1.0], "partners win together"
