"""The viewer's analysis: expected shares of the win over the game, and the costliest decisions."""

import threading
import time
from types import SimpleNamespace

import pytest

from cli.render.palette import palette
from cli.viewer.analysis_pane import GameAnalysis, chart, costly, expectations, judges
from interpreter.errors import PlayError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.opponents.review import Judged, Reviewed, Reviewer
from interpreter.play.game import load
from tests.cli.viewing import at_once, played, viewing

LOOK = palette(("red", "green"))


@pytest.fixture(autouse=True)
def few_iterations(monkeypatch):
    monkeypatch.setattr("cli.viewer.analysis_pane.REVIEW", Budget(iterations=60))


def blunder():
    """Cross wins with a3, and plays elsewhere."""
    state = load("tic_tac_toe").start(seed=1)
    for move in ("put(a1)", "put(b1)", "put(a2)", "put(b2)", "put(c2)"):
        state.push(move)
    return state


def poker(decisions=2, seed=5):
    return played("leduc_poker", 2, seed=seed, most=decisions)


class Slow:
    """Stands for judging a decision, and takes until it is let go, or nobody waits any more."""

    def __init__(self, monkeypatch, let_go=False):
        self.judged, self.let_go = [], threading.Event()
        self.given_up = 0
        if let_go:
            self.let_go.set()
        slow = self

        def judge(self, ply, seconds=None):
            while not slow.let_go.is_set() and not self._stop():
                time.sleep(0.005)
            slow.given_up += self._stop()
            slow.judged.append(ply)
            seats = self._state.game.seats
            return Judged(ply, seats[0], dict.fromkeys(seats, 0.5), None)

        monkeypatch.setattr(Reviewer, "judge", judge)


# ---- the chart


def rows(shares, now=0, width=60, lines=10):
    return [line.plain for line in chart(shares, now, LOOK, width, lines)]


def test_a_row_for_each_seat_and_a_mark_at_the_position():
    found = rows({"red": [0.0, 0.5, 1.0], "green": [1.0, None, 0.0]}, now=1, lines=3)
    assert found == [" red   ▁▁▁▄▄▄▇▇▇  50 %", " green ▇▇▇   ▁▁▁      ", "          ▲"]


def test_rows_are_as_high_as_there_is_room():
    shares = {"red": [1.0, 0.2], "green": [0.0, 0.75]}
    assert [len(rows(shares, lines=lines)) for lines in (1, 3, 5, 9, 99)] == [3, 3, 5, 9, 13]
    assert [line[7:].rstrip() for line in rows(shares, lines=9)[:4]] == ["▇▇▇", "███", "███", "███▇▇▇ 100 %"]


@pytest.mark.parametrize("count", [1, 2, 7, 43, 44, 45, 100, 2101])
@pytest.mark.parametrize("width", [20, 50, 80, 200])
def test_however_long_the_game_it_fits_and_every_position_has_its_place(count, width):
    shares = {"red": [place / count for place in range(count)], "green": [None] * count}
    marks = []
    for now in {0, count // 2, count - 1}:
        found = rows(shares, now, width)
        assert all(len(line) <= width for line in found)
        marks.append((now, found[-1].index("▲")))
    assert sorted(marks) == sorted(marks, key=lambda pair: pair[1])


# ---- what is expected


def judged(ply, seat, cost=None, **shares):
    reviewed = None if cost is None else Reviewed(ply + 1, "x", "x", "y", "y", cost, 0.0, 1.0)
    return Judged(ply, seat, shares or None, reviewed)


def found_by(judgements, seats=("red", "green"), complete=True, final=None):
    return SimpleNamespace(judges=seats, judged=judgements, is_complete=complete, final=final or {})


OPEN = SimpleNamespace(seats=("red", "green"), is_open=True)
HIDING = SimpleNamespace(seats=("red", "green"), is_open=False)
JUDGEMENTS = [judged(0, "red", red=0.7, green=0.3), judged(2, "green", red=0.4, green=0.6)]


def test_an_expectation_holds_until_the_next_one():
    found = expectations(found_by(JUDGEMENTS), OPEN, [0, 1, 2, 3])
    assert found == {"red": [0.7, 0.7, 0.4, 0.4, 0.4], "green": [0.3, 0.3, 0.6, 0.6, 0.6]}


def test_each_seat_expects_what_it_knows_where_not_all_know_the_same():
    found = expectations(found_by(JUDGEMENTS), HIDING, [0, 1, 2, 3])
    assert found == {"red": [0.7] * 5, "green": [None, None, 0.6, 0.6, 0.6]}
    found = expectations(found_by(JUDGEMENTS[:1], ("red",)), HIDING, [0, 1, 2, 3])
    assert found == {"red": [0.7] * 5, "green": [0.3] * 5}


def test_nothing_is_shown_beyond_what_is_judged_but_the_end_of_the_game():
    found = expectations(found_by(JUDGEMENTS, complete=False, final={"red": 1.0, "green": 0.0}), OPEN, [0, 1, 2, 3])
    assert found == {"red": [0.7, 0.7, 0.4, None, 1.0], "green": [0.3, 0.3, 0.6, None, 0.0]}


def test_decisions_are_counted_as_they_are_known():
    """Red does not know of the first decision of green."""
    analysis = found_by([judged(1, "red", 0.2, red=0.7, green=0.3), judged(3, "red", 0.5)], ("red",))
    assert expectations(analysis, HIDING, [1, 2, 3])["red"] == [0.7] * 4
    assert [(one.ply, one.cost) for one in costly(analysis, [1, 2, 3], 9)] == [(3, 0.5), (1, 0.2)]
    assert len(costly(analysis, [1, 2, 3], 1)) == 1


def test_who_judges():
    assert judges(poker(), None) == ("ann", "ben")
    assert judges(poker(), "ben") == ("ben",)
    assert judges(blunder(), "nought") == ("cross", "nought"), "nothing is hidden"


# ---- on the screen


@at_once
async def test_the_costliest_decisions_and_the_way_to_them():
    async with viewing(blunder()) as viewer:
        await viewer.press("7", "z")
        await viewer.settle()
        assert "expected shares of the win\n" in "".join(f"{line.rstrip()}\n" for line in viewer.text.splitlines())
        assert "100 %  decision 5, cross: mark c2" in viewer.text
        assert "better: mark a3 (certain)" in viewer.text
        await viewer.press("m")
        assert "1 100 %  decision 5, cross: mark c2" in viewer.text
        await viewer.press("1")
        assert viewer.at == (5, 0)
        await viewer.press("comma")
        assert "cross" in viewer.text and "100 %" in viewer.text


@at_once
async def test_games_that_a_seat_cannot_tell_apart_look_the_same_to_it():
    for seat in ("ann", "ben"):
        state = poker(4)
        other = sampler_of(state, seat, 77).states(3)[-1]
        assert other.key() != state.key()
        shown = []
        for each in (state, other):
            async with viewing(each, seat, (seat,)) as viewer:
                await viewer.press("end")
                for pane in "67":
                    await viewer.press(pane)
                    await viewer.settle()
                    shown.append(viewer.text)
        assert "as ann knew" in shown[1] or "as ben knew" in shown[1]
        assert shown[:2] == shown[2:]


@at_once
async def test_a_seat_judges_only_its_own_decisions():
    state = poker(3)
    for seat in state.game.seats:
        async with viewing(state, seat, (seat,)) as viewer:
            await viewer.press("7")
            await viewer.settle()
            analysis = viewer.app.analysis._present
            assert {one.seat for one in analysis.judged} == {seat}
            pending = [one.ply for one in analysis.judged if one.reviewed is None]
            assert pending == ([state.ply] if state.player == seat else [])


@at_once
async def test_progress_is_shown_and_keys_are_handled_meanwhile(monkeypatch):
    slow = Slow(monkeypatch)
    async with viewing(blunder()) as viewer:
        await viewer.press("7")
        while "judged 0 of 6 decisions …" not in viewer.text:
            await viewer.pilot.pause(0.05)
        await viewer.press("full_stop", "m")
        assert viewer.at == (1, 0)
        assert "no costly decision has been found: judged 0 of 6 decisions …" in viewer.message
        slow.let_go.set()
        await viewer.settle()
        assert slow.judged == [0, 1, 2, 3, 4, 5]
        await viewer.press("home")
        assert "no decision was costly" in viewer.text
        assert "…" not in viewer.text.split("7 analysis")[1]


@at_once
async def test_it_begins_when_it_is_first_wanted_and_goes_on_behind_other_panes(monkeypatch):
    slow = Slow(monkeypatch)
    async with viewing(blunder()) as viewer:
        await viewer.press("full_stop", "5")
        assert viewer.app.analysis._present is None
        await viewer.press("7", "5")
        slow.let_go.set()
        await viewer.settle()
        assert len(slow.judged) == 6
        await viewer.press("7", "home")
        await viewer.settle()
        assert len(slow.judged) == 6


@at_once
async def test_another_seat_is_judged_separately_and_complete_results_are_kept(monkeypatch):
    slow = Slow(monkeypatch)
    state = poker(4)
    async with viewing(state) as viewer:
        await viewer.press("7")
        await viewer.press("v", "2")
        assert "as ann knew" in viewer.text
        slow.let_go.set()
        await viewer.settle()
        done = len(slow.judged)
        assert slow.given_up <= 1
        await viewer.press("v", "3")
        await viewer.settle()
        assert "as ben knew" in viewer.text
        more = len(slow.judged)
        assert more > done
        await viewer.press("v", "2")
        await viewer.settle()
        assert "as ann knew" in viewer.text
        assert len(slow.judged) == more


@at_once
async def test_leaving_does_not_wait_for_it(monkeypatch):
    Slow(monkeypatch)
    async with viewing(blunder()) as viewer:
        await viewer.press("7")
        analysis = viewer.app.analysis._present
        await viewer.pilot.press("q")
        assert viewer.app.return_value == 0
    while not analysis.is_done:
        time.sleep(0.01)
    assert not analysis.is_complete


@at_once
async def test_a_rule_that_fails_ends_it_with_its_message(monkeypatch):
    def judge(self, ply, seconds=None):
        raise PlayError("a rule has failed", "a.rules:1")

    monkeypatch.setattr(Reviewer, "judge", judge)
    async with viewing(blunder()) as viewer:
        await viewer.press("7")
        await viewer.settle()
        assert "the analysis ended: a rule has failed" in viewer.text
        await viewer.press("full_stop")
        assert viewer.at == (1, 0)


def test_the_game_goes_on_elsewhere_meanwhile(monkeypatch):
    """The analysis has a copy of its own."""
    slow = Slow(monkeypatch)
    state = blunder()
    analysis = GameAnalysis(state, state.game.seats)
    state.pop()
    slow.let_go.set()
    while not analysis.is_done:
        time.sleep(0.01)
    assert analysis.total == 6 and state.ply == 4
