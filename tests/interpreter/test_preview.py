"""The preview of a move: what the log shows afterwards, and nothing that is hidden or left to chance."""

import random
from pathlib import Path

import pytest

from interpreter.play.game import load
from tests.support.library import representative
from tests.support.long_run import one_in
from tests.support.resampling import resampled

FOLDER = Path(__file__).parents[2] / "games"
GAMES = representative()


def decisions(name, seed=1, most=60):
    """The states of a random game at which there is a choice."""
    state, chosen = load(name).start(seed=seed), random.Random(seed)
    while not state.over and state.ply < most:
        if len(state.legal_moves) > 1:
            yield state
        state.push(chosen.choice(state.legal_moves))


def effects(state, notation):
    """The effects of a move by its notation."""
    return state.effects(next(move for move in state.legal_moves if move.notation == notation))


@pytest.mark.parametrize("name", one_in(2, GAMES, 1))
def test_effects_do_not_depend_on_what_is_hidden_or_on_chance(name):
    """They are the same in every state that the seat cannot tell apart; the state stays as it is."""
    for state in decisions(name, most=30):
        before, other = state.key(), resampled(state, state.player, state.ply)
        for here, there in zip(state.legal_moves[::7], other.legal_moves[::7], strict=True):
            assert state.effects(here) == other.effects(there), f"{name}, decision {state.ply}: {here}"
        assert state.key() == before


@pytest.mark.parametrize("name", ["tic_tac_toe", "othello", "nim", "breakthrough", "go"])
def test_in_open_games_without_chance_they_are_what_happens(name):
    for state in decisions(name, most=20):
        for move in state.legal_moves[::5]:
            seat = state.player
            told, before = state.effects(move), state.view(seat).notes
            state.push(move)
            after = state.view(seat).notes
            for note in before.keys() & after.keys():
                line = next((line for line in told if line.startswith(f"{note}: ")), None)
                assert (line is not None) == (before[note] != after[note]), f"{name}: {move}, {note}"
            state.pop()


def test_a_capture():
    state = load("chess").start()
    for move in ("go(e2, e4)", "go(d7, d5)"):
        state.push(move)
    told = effects(state, "go(e4, d5)")
    assert "black pawn: man[d5] → box[black]" in told
    assert "white pawn: man[e4] → man[d5]" in told


def test_points():
    state = load("pig").start(seed=3)
    while not (state.legal_moves[1].label.startswith("keep") and "keep 0" not in state.legal_moves[1].label):
        state.push(state.legal_moves[0])
    assert effects(state, "hold")[0].startswith(f"saved[{state.player}]: 0 → ")
    assert effects(state, "throw") == ()


def test_a_card_from_the_deck_is_not_named():
    state = load("china").start(seed=3)
    state.push("exchange(red)")
    assert effects(state, "take_hidden") == ()
    assert effects(state, "take_open(green)") == ("green: display → hand[green]",)
