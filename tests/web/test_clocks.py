"""Clocks: who is charged for which time, what happens when it has run out, and that neither tells a secret."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.errors import UsageError
from interpreter.play.game import load
from interpreter.play.saves.files import PERSON
from tests.support.hush import HUSH
from web.clock import Clock, TimeLimit
from web.messages import ShownClock
from web.server.store import Store
from web.session import Session
from web.table import CONSENT_SECONDS, Table

MOVE = TimeLimit("move", 30, 0, "random", hands_over=False)
GAME = TimeLimit("game", 100, 5, "random", hands_over=False)
REST = TimeLimit("move", 30, 0, "random", hands_over=True)


class Time:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


def timed(game: str, limit: TimeLimit, **kinds: str) -> tuple[Table, Time]:
    """A table with clocks at which somebody is."""
    time, state = Time(), load(game).start(3)
    table = Table(state, dict.fromkeys(state.game.seats, PERSON) | kinds, clock=Clock(limit, now=time))
    table.begin()
    table.attend(True)
    return table, time


@pytest.fixture
def hush(tmp_path: Path) -> str:
    path = tmp_path / "hush.rules"
    path.write_text(HUSH, encoding="utf-8")
    return str(path)


def played(table: Table, notation: str = "") -> str:
    seat = table.state.player or ""
    table.play(seat, table.known(seat), notation or table.state.legal_moves[0].notation)
    return seat


def clocks(table: Table, seat: str | None = None) -> dict[str, float]:
    position = Session(table, seat).position()
    assert position is not None
    return {clock.seat: clock.seconds for clock in position.clocks}


# ---- time


def test_each_move_has_its_time() -> None:
    table, time = timed("nim", MOVE)
    first = table.state.player
    time.passes(20)
    assert clocks(table) == {first: 10}
    played(table)
    time.passes(1)
    assert clocks(table) == {table.state.player: 29}


def test_a_game_has_its_time_and_every_move_adds_to_it() -> None:
    table, time = timed("nim", GAME)
    time.passes(20)
    first = played(table)
    time.passes(7)
    second = played(table)
    assert clocks(table) == {first: 85, second: 98}
    time.passes(80)
    assert clocks(table)[first] == 5


def test_time_stands_still_while_nobody_is_there_or_an_undo_is_asked_for() -> None:
    table, time = timed("nim", MOVE)
    first = played(table)
    played(table)
    time.passes(10)
    table.attend(False)
    time.passes(1000)
    table.attend(True)
    table.ask_undo(first)
    time.passes(CONSENT_SECONDS / 2)
    assert clocks(table) == {first: 20} and not table.is_late
    second = next(iter(table.asking.missing)) if table.asking else ""
    table.consent(second, False)
    time.passes(1)
    assert clocks(table) == {first: 19}


def test_a_request_to_undo_lapses_where_there_are_clocks() -> None:
    table, time = timed("nim", MOVE)
    first = played(table)
    played(table)
    table.ask_undo(first)
    assert table.next_alarm == CONSENT_SECONDS and not table.ring()
    time.passes(CONSENT_SECONDS)
    assert table.ring() and table.asking is None
    time.passes(3)
    assert clocks(table) == {first: 27}


def test_a_decision_without_an_alternative_adds_no_time() -> None:
    table, time = timed("chinesische_mauer", GAME)
    for _ in range(60):
        if table.state.over:
            break
        time.passes(1)
        played(table)
    assert table.forced, "the game has none"
    assert table.clock is not None
    decided = sum(1 for ply in range(table.state.ply) if ply not in table.forced)
    assert len(table.clock.charges) <= decided


# ---- when it has run out


def test_a_bot_decides_when_time_has_run_out() -> None:
    table, time = timed("nim", MOVE)
    seat = table.state.player or ""
    assert (table.next_alarm, table.deciding_bot) == (30, None)
    time.passes(30)
    assert not table.ring() and table.next_alarm is None
    with pytest.raises(UsageError, match="the time is up; random decides"):
        played(table)
    assert (table.deciding_bot, table.bot_for(seat)) == (seat, "random")
    table.play_bot(table.version, table.state.legal_moves[0].notation)
    assert (table.kinds[seat], table.deciding_bot, table.state.ply) == (PERSON, None, 1)
    assert clocks(table) == {table.state.player: 30}


def test_the_seat_is_handed_over_if_that_was_chosen() -> None:
    table, time = timed("nim", REST)
    seat = table.state.player or ""
    time.passes(31)
    assert table.ring() and table.kinds[seat] == "random"
    assert not table.ring()
    position = Session(table, None).position()
    assert position is not None and position.log.entries[-1].text == "is played by random from here on"
    table.play_bot(table.version, table.state.legal_moves[0].notation)
    assert list(clocks(table)) == [table.state.player]


def test_bots_have_no_clock() -> None:
    table, time = timed("nim", MOVE, **{load("nim").seats[0]: "random"})
    time.passes(1000)
    assert clocks(table) == {} and table.deciding_bot == table.state.player and not table.ring()


# ---- undo


def test_who_undoes_alone_goes_on_with_the_time_that_is_left() -> None:
    table, time = timed("nim", GAME)
    time.passes(20)
    first = played(table)
    second = table.state.player or ""
    time.passes(7)
    table.ask_undo(first)
    assert clocks(table) == {first: 80, second: 100}
    time.passes(1)
    played(table)
    assert clocks(table) == {first: 84, second: 100}


def test_an_undo_that_all_agree_to_gives_the_time_back() -> None:
    table, time = timed("nim", GAME)
    time.passes(20)
    first = played(table)
    time.passes(7)
    second = played(table)
    table.ask_undo(first)
    table.consent(second, True)
    assert clocks(table) == {first: 100, second: 100}


def test_nobody_undoes_without_any_time_to_decide_anew(hush: str) -> None:
    table, time = timed(hush, MOVE)
    time.passes(20)
    played(table, "say(1)")
    for _ in range(3):
        played(table, "hide")
    time.passes(29)
    played(table, "say(1)")
    for _ in range(3):
        played(table, "hide")
    table.kinds["ben"] = "random"  # bots are not asked to agree
    time.passes(10)
    with pytest.raises(UsageError, match="no time left"):
        table.ask_undo("ann")
    assert table.state.ply == 8


# ---- secrets


def test_nothing_of_a_clock_tells_of_a_secret_decision(hush: str) -> None:
    """Two tables at which the others see the same: at one of them somebody has decided, and decides secretly now."""
    tables = [timed(hush, limit) for limit in (GAME, GAME)]
    for number, (table, time) in enumerate(tables):
        time.passes(20)
        if number:
            played(table, "say(1)")
            time.passes(3)
            played(table, "hide")
            table.ask_undo("ann")
        else:
            time.passes(3)
        for seat in ("ben", None):
            assert clocks(table, seat) == {"ann": 77, "ben": 100}
        assert table.next_alarm == 77
        time.passes(77)
        assert table.is_late and table.deciding_bot == "ann"


@pytest.mark.parametrize("name", ["china", "chinesische_mauer"])
def test_clocks_follow_from_what_spectators_see(name: str) -> None:
    """A model that knows no more: the seat that they see deciding is charged until they see something else."""
    table, time = timed(name, GAME)
    rng, spent, secret = random.Random(name), dict.fromkeys(table.game.seats, 0.0), 0
    decided = dict.fromkeys(table.game.seats, 0)
    for _ in range(120):
        shown = table.shown(None, "")
        ply, seat = shown.ply, shown.player or ""
        if table.state.over:
            break
        secret += ply < table.state.ply
        time.passes(seconds := rng.random())
        spent[seat] += seconds
        expected = {each: 100 - spent[each] + 5 * decided[each] for each in table.game.seats}
        for reader in (*table.game.seats, None):
            assert clocks(table, reader) == pytest.approx(expected, abs=0.051)
        assert table.next_alarm == pytest.approx(expected[seat])
        played(table, rng.choice(table.state.legal_moves).notation)
        decided[seat] += table.shown(None, "").ply > ply
    assert secret, "nobody has decided secretly"


def test_all_is_charged_when_it_is_known(hush: str) -> None:
    table, time = timed(hush, GAME)
    time.passes(20)
    for move in ("say(1)", "hide", "hide", "hide"):
        played(table, move)
        time.passes(2)
    assert table.state.player == "ben"
    assert clocks(table) == {"ann": 79, "ben": 98}


def test_a_page_is_sent_nothing_because_time_passes() -> None:
    table, time = timed("nim", MOVE)
    session = Session(table, None)
    assert session.position() is not None
    time.passes(10)
    assert session.position() is None
    table.attend(False)
    position = session.position()
    assert position is not None and position.clocks == (ShownClock(table.state.player or "", 20, runs=False),)


# ---- what is kept


@pytest.mark.parametrize("limit", [MOVE, GAME, REST])
def test_clocks_go_on_where_the_server_was_left(tmp_path: Path, limit: TimeLimit) -> None:
    store = Store(tmp_path / "t.sqlite")
    table, time = timed("nim", limit)
    name, _ = store.add(table.state, table.kinds, {}, limit, 0.0)
    table.keeper = store.keeper(name)
    time.passes(20)
    first = played(table)
    time.passes(8)
    assert table.clock is not None
    table.keeper.ticked(table.clock.elapsed)
    time.passes(1)  # of which nothing was kept
    stored = store.table(name)
    assert (stored.limit, stored.pending, list(stored.charges)) == (limit, 8, table.clock.charges)
    second = played(table)
    table.ask_undo(first)
    table.consent(second, True)
    stored = store.table(name)
    assert (stored.pending, stored.charges) == (0, ())
    if limit.hands_over:
        time.passes(100)
        table.ring()
        stored = store.table(name)
        assert (stored.save.seats, stored.save.notes[-1].kind) == (table.kinds, "seat")
    store.close()
