"""Views that reuse parts of earlier ones equal views made afresh: forward, back and from any state to any other."""

from __future__ import annotations

import random

import pytest

from interpreter.play.game import load
from interpreter.play.trace import Timeline
from interpreter.runtime.cells import EVERYTHING, RecordedCells
from interpreter.runtime.layout import ME
from interpreter.seat.views.seat_view import view_of
from interpreter.seat.views.successive_views import SuccessiveViews

GAMES = [("china", 3), ("mauerbauer", 2), ("dschingis_khan", 3), ("chinesische_mauer", 3), ("go", 2), ("hearts", 4)]


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("whose", ["everything", "first seat"])
def test_they_are_equal(name, players, whose):
    game, rng = load(name, players), random.Random(7)
    state = game.start(seed=7)
    while not state.over and state.ply < 24:
        state.push(rng.choice(state.legal_moves))
    timeline = Timeline(state, game.seats[0] if whose == "first seat" else None, then=True)
    snapshots = [timeline.snapshot(position) for position, _ in timeline.all_events(1)]
    shuffled = rng.sample(snapshots, min(20, len(snapshots)))
    views = SuccessiveViews(timeline.program, timeline.observer)
    for snapshot in (*snapshots[:60], *shuffled):
        assert views.view(snapshot.cells) == view_of(timeline.program, snapshot.cells, timeline.observer)


def test_parts_that_have_not_changed_are_the_same_objects():
    state = load("china", 3).start(seed=1)
    views = SuccessiveViews(state.program, None)
    before = views.view(state.cells)
    state.push(state.legal_moves[0])
    after = views.view(state.cells)
    assert before != after
    same = sum(after.zones[name] is zone for name, zone in before.zones.items())
    assert same > len(before.zones) / 2


def test_reading_is_recorded():
    read: set[int] = set()
    cells = RecordedCells([5, 6, 7], read)
    assert (cells[0], cells[-1]) == (5, 7)
    assert read == {0, 2}
    assert list(cells) == [5, 6, 7]
    assert EVERYTHING in read
    read.clear()
    assert cells[ME:2] == [5, 6, 7][ME:2]
    assert read == {EVERYTHING}
