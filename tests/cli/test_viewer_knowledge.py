"""The viewer's pane of what a seat knows: worked out in the background, for the position and the seat shown."""

import threading
import time

import pytest

from cli.render.knowledge import knowledge_lines
from cli.render.palette import palette
from cli.widgets.scroll_pane import strips
from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.summary import Knowledge, knowledge_of
from interpreter.play.game import load
from interpreter.play.state import back_to
from tests.cli.conftest import PEBBLES
from tests.cli.viewing import at_once, played, viewing

WAITING = "working out what is known"


@pytest.fixture(scope="module")
def game():
    return played(PEBBLES, 3, seed=1059, turns="many")


def poker(seed=4):
    state = load("kuhn_poker").start(seed=seed)
    state.push(state.legal_moves[-1])
    return state


def lines_of(state, seat):
    """What `know` would show."""
    parts = list(knowledge_lines(knowledge_of(state, seat), palette(state.game.seats, state.game.words)))
    return [line.text.rstrip() for line in strips(parts, 80)]


class Slow:
    """Stands for what a seat knows, and takes until somebody is in a hurry, or lets it go."""

    def __init__(self, monkeypatch):
        self.asked, self.let_go = [], threading.Event()
        self.at_once, self.most = 0, 0
        monkeypatch.setattr("interpreter.opponents.knowledge.summary.knowledge_of", self)

    def __call__(self, state, seat, hurry, words, report):
        self.asked.append(state.ply)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        while not hurry() and not self.let_go.is_set():
            time.sleep(0.005)
        self.at_once -= 1
        return Knowledge(seat)


@pytest.mark.parametrize("seat", ["ann", "ben"])
@at_once
async def test_the_same_as_know_for_the_seat_the_game_is_viewed_as(seat):
    state = poker()
    async with viewing(state, seat, (seat,)) as viewer:
        for keys, ply in ((["6"], 0), (["end"], 1)):
            await viewer.press(*keys)
            await viewer.settle()
            expected = lines_of(back_to(state, ply), seat)
            assert any(f"hand[{'ben' if seat == 'ann' else 'ann'}] (1)" in line for line in expected)
            for line in expected:
                assert line in viewer.text
            assert f"after decision {ply}" in viewer.text
            assert "another seat" not in viewer.text


@at_once
async def test_who_sees_everything_is_shown_the_seat_that_is_to_decide_and_how_to_pick_another():
    async with viewing(poker()) as viewer:
        await viewer.press("6")
        await viewer.settle()
        assert "after decision 0, ann is to decide (v: another seat)" in viewer.text
        assert "hand[ben] (1)" in viewer.text
        await viewer.press("full_stop")
        await viewer.settle()
        assert "after decision 1, ben is to decide" in viewer.text
        assert "hand[ann] (1)" in viewer.text
        await viewer.press("v", "2")
        await viewer.settle()
        assert "hand[ben] (1)" in viewer.text


@at_once
async def test_after_the_game_everything_is_open(game):
    async with viewing(game, at=len(game.made)) as viewer:
        await viewer.press("6")
        await viewer.settle()
        assert "the game is over, and everything is revealed" in viewer.text


@at_once
async def test_keys_are_handled_meanwhile_and_another_position_takes_its_place(game, monkeypatch):
    slow = Slow(monkeypatch)
    async with viewing(game) as viewer:
        await viewer.press("6")
        assert WAITING in viewer.text
        await viewer.press("full_stop", "full_stop")
        assert viewer.at == (2, 0)
        assert WAITING in viewer.text
        while slow.asked[-1] != 2:
            await viewer.pilot.pause(0.05)
        slow.let_go.set()
        await viewer.settle()
        assert slow.asked[0] == 0
        assert slow.most == 1
        assert WAITING not in viewer.text
        slow.asked.clear()
        await viewer.press("home")
        await viewer.settle()
        assert slow.asked == [0], "what was given up may be incomplete"
        for keys in (["g", "=2"], ["i"], ["home"]):
            for key in keys:
                await (viewer.answer(key[1:]) if key[0] == "=" else viewer.press(key))
            await viewer.settle()
        assert slow.asked == [0], "what was found is kept"


@at_once
async def test_nothing_is_worked_out_while_the_pane_is_hidden(game, monkeypatch):
    slow = Slow(monkeypatch)
    slow.let_go.set()
    async with viewing(game) as viewer:
        await viewer.press("full_stop", "5", "full_stop")
        await viewer.settle()
        assert slow.asked == []
        await viewer.press("6")
        await viewer.settle()
        await viewer.press("5", "full_stop")
        await viewer.settle()
        assert len(slow.asked) == 1


@at_once
async def test_leaving_does_not_wait_for_it(game, monkeypatch):
    slow = Slow(monkeypatch)  # who waits for it waits for ever
    async with viewing(game) as viewer:
        await viewer.press("6")
        assert WAITING in viewer.text
        await viewer.pilot.press("q")
        assert viewer.app.return_value == 0
    assert len(slow.asked) == 1


@at_once
async def test_where_no_state_is_found(game, monkeypatch):
    def none(state, seat, hurry, words, report):
        raise SamplingError("no state was found that agrees with what the seat has observed")

    monkeypatch.setattr("interpreter.opponents.knowledge.summary.knowledge_of", none)
    async with viewing(game) as viewer:
        await viewer.press("6")
        await viewer.settle()
        assert "no state was found that agrees" in viewer.text
        assert viewer.app.is_running
