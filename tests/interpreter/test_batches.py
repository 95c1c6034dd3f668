"""Batches of random games: as many as take a short time, and never more than there is room for the results of."""

from __future__ import annotations

from itertools import count

import pytest

from interpreter.analysis import backends, bulk
from interpreter.analysis.search_states import search_state
from interpreter.play.game import load


@pytest.mark.parametrize("seconds", [0.001, 0.0249, 0.025, 0.03, 0.09, 0.2])
def test_however_long_a_batch_takes(monkeypatch, seconds):
    """A batch that other work slows down is followed by one of another size, and by the same games."""
    game, games = load("tic_tac_toe"), 20_000
    expected = bulk.playout_columns(game, games, 1, "machine")
    clock = count()
    for module in (backends, bulk):
        monkeypatch.setattr(module, "perf_counter", lambda: next(clock) * seconds)
    assert bulk.playout_columns(game, games, 1, "machine") == expected
    assert search_state(game.start(), "machine").rollouts(games, 1).wins() == expected.wins()
