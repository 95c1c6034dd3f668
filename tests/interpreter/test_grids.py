"""Boards that need no file, at the door: functions of straight lines, sizes from options, and what a view draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import load
from interpreter.seat.views.model import Caption, PlaceView
from tests.interpreter.engines import same_in_every_engine

STEPS = Path(__file__).parent / "rules" / "steps.rules"


def test_functions_of_straight_lines() -> None:
    results = run_examples(STEPS)
    assert len(results) == 6
    assert [failure for result in results for failure in result.failures] == []


def test_a_view_has_the_places_of_this_size_with_captions() -> None:
    for breadth in (2, 6):
        board = load(STEPS, options={"breadth": breadth}).start().view("red").board
        cells = [place for place in board.places if place.list == "Cell"]
        assert len(cells) == 3 * breadth
        assert replace(cells[0], name="a1") == PlaceView("Cell", "a1", "a1", None, (0, 2), (), ())
        assert Caption("b", (1.0, 3.0)) in board.captions
        walls = [place for place in board.places if place.list == "Side"]
        assert len(walls) == 3 * (breadth - 1) + 2 * breadth
        assert all(len(wall.ends) == 2 for wall in walls)


@pytest.mark.parametrize("pits", [2, 9])
def test_a_size_is_a_sum(pits: int) -> None:
    game = load("mancala", options={"houses": pits})
    board = game.start().view(None).board
    assert len(board.places) == 2 * pits + 2
    same_in_every_engine(game, seeds=2, random_games=5, steps=30)


def test_hexagons_of_any_size() -> None:
    for size in (2, 3, 19):
        state = load("hex", options={"size": size}).start()
        assert len(state.legal_moves) == size * size
        assert state.legal_moves[-1].label == f"{'abcdefghijklmnopqrs'[size - 1]}{size}"
