"""`must … else:` with a block: what a seat does that has no possible move."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.play.trace import Timeline
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.machine.comparing import compared
from tests.support.resampling import resampled

RULES = Path(__file__).parent / "rules" / "nothing_possible.rules"


@pytest.fixture(scope="module", params=[2, 3])
def game(request: pytest.FixtureRequest) -> Game:
    return load(RULES, request.param)


def test_the_examples_hold() -> None:
    results = run_examples(RULES)
    assert len(results) == 5
    assert [failure for result in results for failure in result.failures] == []


def test_games_are_the_same_with_passes_and_without(game: Game) -> None:
    same_with_passes_and_without(game, range(3))


def test_random_games_are_the_same_however_they_are_played(game: Game) -> None:
    compared(game, 0, 15)


def test_all_can_be_taken_back_and_resumed(game: Game, tmp_path: Path) -> None:
    state, before, rng = game.start(3), list[tuple[str, object]](), random.Random(3)
    while not state.over:
        before.append((state.key(), state.view("ann")))
        state.push(rng.choice(state.legal_moves))
        path = tmp_path / "game.save"
        write_save(path, state, SaveMeta(dict.fromkeys(game.seats, "human"), []))
        assert resume(read_save(path)).key() == state.key()
    while before:
        state.pop()
        assert (state.key(), state.view("ann")) == before.pop()


def test_other_states_of_the_information_set_look_the_same(game: Game) -> None:
    """That nothing was possible is public like a skipped `must`, but no more: neither in the log nor in the trace."""
    for seed in range(6):
        state, rng = game.start(seed), random.Random(seed)
        while not state.over:
            seat = rng.choice(game.seats)
            other = resampled(state, seat, seed)
            assert other.view(seat) == state.view(seat)
            state.push(rng.choice(state.legal_moves))


def events(state: State, seat: str | None) -> list[str]:
    return [event.text for _, event in Timeline(state, seat, then=True).all_events()]


def test_the_trace_says_that_nothing_was_possible() -> None:
    state = load(RULES, 2).start(0)
    while state.view(None).phase != "hidden":
        state.push(state.legal_moves[-1])
    open_, secret = "must lay(red): nothing is possible", "must secretly look: nothing is possible"
    while not state.over:
        state.push(state.legal_moves[-1])
    assert open_ in events(state, "ann")
    assert secret in events(state, None)
    seen = {seat: events(state, seat).count(secret) for seat in ("ann", "ben")}
    assert seen["ann"] + seen["ben"] == events(state, None).count(secret)
