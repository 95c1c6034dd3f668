"""Trails in rules: examples, play in every way, the limit, and edges that trails may pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.play.game import load
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.lockstep import play, programs, same_playout
from tests.interpreter.machine.comparing import compared

ROADS = Path(__file__).parent / "rules" / "roads.rules"


def test_the_examples_hold() -> None:
    results = run_examples(ROADS)
    assert len(results) == 5
    assert [failure for result in results for failure in result.failures] == []


def test_random_games_are_the_same_however_they_are_played() -> None:
    game = load(ROADS)
    assert compared(game, 0, 12)["games"] == 12
    same_playout(game, 2, play(programs(game), 2, 2, journal=True))


def test_too_many_trails_are_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "roads.rules"
    text = ROADS.read_text("utf-8").split("== examples ==")[0]
    path.write_text(text.replace("grid(3, 3)", "grid(5, 5)"), "utf-8")
    state = load(path).start()
    with pytest.raises(PlayError, match="there are more than 100000 partial trails"):
        evaluate_query(state.program, state.cells, "count trails(Spot, Link, 1)", None)
