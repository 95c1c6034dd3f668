"""Time for decisions: sampling that ends when it is too late, work ahead of a decision, picks that share the time."""

from __future__ import annotations

import random
from itertools import count

import pytest

from interpreter.opponents.alphabeta import best_move
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.driver import Driver
from interpreter.opponents.evaluation import scoring_of
from interpreter.opponents.knowledge.histories import always, never
from interpreter.opponents.knowledge.recording import observation_of
from interpreter.opponents.knowledge.sampling import IMAGES_OF_A_HISTORY, Sampler
from interpreter.opponents.mcts import analyse
from interpreter.opponents.search import MIN_ITERATIONS
from interpreter.opponents.seat_observer import SeatObserver
from interpreter.opponents.specs import BotSpec, spec_of
from interpreter.play.game import State, load

LATER = 30

LATER_STATES = IMAGES_OF_A_HISTORY + 1
"""So many that they are drawn from the images of more than one history."""


def _late() -> State:
    state = load("hearts").start(4)
    while state.ply < LATER or len(state.legal_moves) < 2:
        state.push(state.legal_moves[0])
    return state


def _sampler(state: State) -> Sampler[State]:
    seat = str(state.player)
    found = Sampler(state.game, type(state), seat, 7, size=2)
    found.observe(observation_of(state, seat))
    return found


def test_what_ends_too_late_goes_on_the_next_time_and_finds_the_same() -> None:
    """Until then there are states which agree with what the seat sees, and are said not to agree with everything."""
    state = _late()
    seat = str(state.player)
    one, other = _sampler(state), _sampler(state)
    asked = count()
    hasty = one.states(3, too_late=lambda: next(asked) > 60)
    assert not one.agrees
    for each in hasty:
        assert each.view(seat) == state.view(seat)
        assert [move.label for move in each.legal_moves] == [move.label for move in state.legal_moves]
    assert [each.cells for each in one.states(3)] == [each.cells for each in other.states(3)]
    assert one.agrees


def test_work_ahead_changes_nothing_about_the_states() -> None:
    state = _late()
    one, other = _sampler(state), _sampler(state)
    one.catch_up(lambda: False)
    tries = one.tries
    assert tries > 0
    assert [each.cells for each in one.states(3)] == [each.cells for each in other.states(3)]


def test_all_states_of_a_long_game_come_from_one_history() -> None:
    state = _late()
    one, other = _sampler(state), _sampler(state)
    one.states(1)
    other.states(LATER_STATES)
    assert 0 < one.tries == other.tries


@pytest.mark.parametrize("players", [3, 5])
def test_with_no_time_at_all_there_is_a_state_for_every_decision(players: int) -> None:
    """In Go Fish, a question tells what is in two hands, and an answer can complete four cards of a rank."""
    game = load("go_fish", players=players)
    state, rng, seat = game.start(0), random.Random(0), game.seats[-1]
    observer = SeatObserver(seat)
    while not state.over:
        if state.player == seat:
            [drawn] = observer.situation(state, 1, 2).sampler.states(1, always, always, timed=True)
            assert drawn.view(seat) == state.view(seat)
        state.push(rng.choice(state.legal_moves))


def test_after_a_decision_without_time_states_agree_again() -> None:
    """What was made loosely is made again by the rules, and repaired where these do not allow it."""
    game = load("go_fish", players=2)
    state, rng, seat, mended = game.start(0), random.Random(0), game.seats[-1], 0
    observer = SeatObserver(seat)
    while not state.over:
        if state.player == seat and len(state.legal_moves) > 1:
            was_loose = not observer.agrees
            late = never if was_loose else always
            observer.situation(state, 1, 2).sampler.states(1, late, late, timed=True)
            assert observer.agrees or not was_loose
            mended += was_loose
        state.push(rng.choice(state.legal_moves))
    assert mended > 4


def test_a_bot_that_prepared_chooses_the_same() -> None:
    state = _late()
    spec = spec_of("mcts:20")
    assert isinstance(spec, BotSpec)
    one, other = (Driver(spec, str(state.player)) for _ in range(2))
    one.prepare(state.copy(), lambda: False)
    assert one.play(state).notation == other.play(state).notation


def test_several_picks_share_the_time_but_not_the_iterations() -> None:
    state = load("mauerbauer", players=2).start(0)
    while (decision := state.program.decision(state.cells)) is not None and decision.chosen is None:
        state.push(state.legal_moves[-1])
    situation = SeatObserver(str(state.player)).situation(state, 1, 2)
    assert 0 < situation.share <= 0.5
    assert Budget(seconds=1.0).part(situation.share).seconds == situation.share
    assert Budget(iterations=10).part(situation.share).iterations == 10
    first = load("chess").start(0)
    assert SeatObserver(str(first.player)).situation(first, 1, 2).share == 1.0


def test_payments_are_worth_what_they_are() -> None:
    poker = scoring_of(load("kuhn_poker", players=2).start(0))
    assert poker.payments
    assert [poker.values(0b10, (-paid, paid)) for paid in (1, 2)] == [(0.25, 0.75), (0.0, 1.0)]
    discs = scoring_of(load("othello").start(0))
    assert not discs.payments


@pytest.mark.parametrize("name", ["leduc_poker", "connect_four"])
def test_a_search_whose_time_is_up_before_it_begins_searches_a_little(name: str) -> None:
    """In a process that has not searched before, what precedes a search can take longer than its time."""
    state = load(name, players=2).start(1)
    situation = SeatObserver(str(state.player)).situation(state, 1, 2)
    found = analyse(situation, Budget(seconds=0.001))
    assert found.iterations >= MIN_ITERATIONS
    assert all(move.visits for move in found.moves[:2])


def test_alpha_beta_without_time_sees_a_win_at_once() -> None:
    state = load("connect_four").start(1)
    for column in (0, 1, 0, 1, 0, 1):
        state.push(state.legal_moves[column])
    for seed in range(3):
        found = best_move(state, clock=Clock(Budget(seconds=1e-9), lambda: False), seed=seed)
        assert (found.move, found.result) == (0, 1)
