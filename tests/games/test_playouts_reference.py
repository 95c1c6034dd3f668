"""Random games played side by side with an independent model in plain Python: every decision agrees."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from typing import Any

import pytest

from interpreter.errors import IllegalMoveError
from interpreter.play.game import State, load
from interpreter.seat.views.successive_views import SuccessiveViews
from tests.games.playing import COUNTS, NAMES, Shuffles, every_chunk, every_table, games


def beside(name: str) -> Any:
    """The module that puts a game beside its model: `begun`, `meant`, `same_table`, `same_end`."""
    return importlib.import_module(f"tests.games.comparing_{name}")


VARIANTS = (("china", "even_cards"), ("chinesische_mauer", "equal_cards"))
"""The variants that the models can play as well."""


def test_every_game_has_a_model() -> None:
    for name in NAMES:
        assert beside(name).begun


def ended(state: State) -> None:
    outcome = state.outcome
    assert outcome is not None and state.over
    assert state.legal_moves == () and state.question is None and state.player is None
    assert outcome.winners and set(outcome.winners) <= set(state.game.seats)
    best = max(outcome.scores.values())
    assert {seat for seat, score in outcome.scores.items() if score == best} == set(outcome.winners)
    with pytest.raises(IllegalMoveError, match="over"):
        state.push("done")


@every_chunk
@every_table
def test_every_decision_is_the_one_of_the_rulebook(
    name: str, players: int, chunk: int, many_games: int, long_run: bool
) -> None:
    """The legal moves at every decision; in the normal run the table at every fifth one, and at the end."""
    both = beside(name)
    for game, seed in games(name, players, chunk, many_games):
        chance = Shuffles(seed)
        state = game.start(chance=chance)
        other = both.begun(state, chance)
        rng, phases, phase = random.Random(seed), list(game.program.model.phases), 0
        views = SuccessiveViews(state.program, None)  # most of a view is as it was at the decision before
        while state.player is not None:
            if long_run or state.ply % 5 == seed % 5:
                view = views.view(state.cells)
                both.same_table(state, view, other)
                assert phases.index(view.phase) >= phase
                phase = phases.index(view.phase)
            moves = state.legal_moves
            legal = [both.meant(move, other) for move in moves]
            assert Counter(legal) == Counter(other.legal), (game.options, seed, state.ply)
            chosen = rng.randrange(len(moves))
            state.push(moves[chosen])
            other.do(legal[chosen])
        both.same_table(state, state.view(None), other)
        ended(state)
        both.same_end(state, other)


@pytest.mark.parametrize(
    ("name", "variant", "players"), [(*variant, players) for variant in VARIANTS for players in COUNTS[variant[0]]]
)
def test_variants_go_as_in_the_model(name: str, variant: str, players: int, long_run: bool) -> None:
    both = beside(name)
    game = load(name, players, variants=[variant])
    for seed in range(20 if long_run else 1):
        chance, draw = Shuffles(seed), random.Random(seed)
        state = game.start(chance=chance)
        other = both.begun(state, chance)
        while state.player is not None:
            both.same_table(state, state.view(None), other)
            legal = [both.meant(move, other) for move in state.legal_moves]
            assert Counter(legal) == Counter(other.legal), (seed, state.ply)
            chosen = draw.randrange(len(legal))
            state.push(state.legal_moves[chosen])
            other.do(legal[chosen])
        both.same_end(state, other)
