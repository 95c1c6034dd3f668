"""Rules in the operator's folders that never end close their own table, and nothing else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from time import process_time

import pytest

from interpreter.errors import PlayError, StoppedError
from interpreter.play.game import Game, load
from interpreter.watchdog import ThreadWatchdog, _raise_in
from web.messages import Play
from web.server.hall import Connection, Hall, NewTable
from web.server.store import Store

ENDLESS = """
game "Abyss" for 2 players ann, ben:
    "Look down."

== components ==

note seen: 0..9 = 0

== phases ==

phase looking, turns from ann, over when seen is 9:
    must look or fall

action look:
    "look"
    add 1 to seen

action fall:
    "fall"
    for each a in 0..4095:
        for each b in 0..4095:
            for each c in 0..4095:
                set seen to 1

== scoring ==

winner highest seen
"""


@pytest.fixture
def abyss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "abyss.rules"
    path.write_text(ENDLESS, encoding="utf-8")
    return path


def test_rules_in_a_thread_are_stopped(abyss: Path) -> None:
    state, dog = load(str(abyss)).start(1), ThreadWatchdog(0.5)

    def fall() -> str:
        before = state.key()
        with pytest.raises(PlayError, match=r"abyss.rules:\d+:\d+: this took longer than 0.5 seconds"):
            state.push("fall")
        assert state.key() == before
        return "caught"

    began = process_time()
    with pytest.raises(StoppedError, match="took longer than"):  # although the function has caught it
        asyncio.run(asyncio.to_thread(dog.call, fall))
    assert process_time() - began < 10
    assert dog.call(lambda: state.push("look")) is None
    with pytest.raises(ZeroDivisionError):
        dog.call(lambda: 1 / 0)


def test_a_fault_that_python_ignores_is_raised_again(abyss: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it may do in a callback of a weak reference. Memory that was taken once is not taken again."""
    state, dog, raised = load(str(abyss)).start(1), ThreadWatchdog(5, 1024**3), list[Exception]()
    taken = iter((0, 0))
    monkeypatch.setattr("interpreter.watchdog.memory", lambda: next(taken, 2 * 1024**3))

    def raise_or_lose(thread: int, fault: Exception) -> None:
        raised.append(fault)
        if len(raised) > 1:
            _raise_in(thread, fault)

    monkeypatch.setattr("interpreter.watchdog._raise_in", raise_or_lose)
    with pytest.raises(StoppedError, match="took more than 1 GB"):
        asyncio.run(asyncio.to_thread(dog.call, state.push, "fall"))
    assert len(raised) > 1


def heard(page: Connection) -> list[dict[str, object]]:
    """What a page is due."""
    return [json.loads(page.due.get_nowait() or '{"kind": "closed"}') for _ in range(page.due.qsize())]


def test_endless_rules_close_their_table_and_no_other(abyss: Path) -> None:
    async def attack() -> None:
        hall = Hall(Store(abyss.with_name("t.sqlite")), patience=0.5)
        pages = []
        for game in ("abyss", "nim"):
            table, _ = await hall.add(NewTable(game, {"ann": "human", "ben": "human"}, {}, {}, ()))
            opened = await hall.opened(table)
            pages.append((opened, [await hall.join(opened, seat, "") for seat in ("ann", "ben")]))
        (bad, (falling, watching)), (good, (playing, _)) = pages
        for page in (falling, watching, playing):
            heard(page)
        move = good.table.state.legal_moves[0].notation
        await asyncio.gather(
            hall.answer(bad, falling, Play(kind="play", id="1", number=0, notation="fall")),
            hall.answer(good, playing, Play(kind="play", id="1", number=0, notation=move)),
        )
        for page in (falling, watching):
            told, closed = heard(page)
            assert told["kind"] == "refused" and "took too long" in str(told["reason"]) and closed["kind"] == "closed"
        assert [message["kind"] for message in heard(playing)] == ["done", "position"]
        with pytest.raises(Exception, match="closed until the server is started again"):
            await hall.opened(bad.id)
        await hall.close()
        again = Hall(Store(abyss.with_name("t.sqlite")))
        assert (await again.opened(bad.id)).table.state.ply == 0
        await again.close()

    asyncio.run(attack())


def test_tables_share_their_game_until_its_rules_change(abyss: Path) -> None:
    async def open_tables() -> None:
        hall = Hall(Store(abyss.with_name("t.sqlite")))

        async def opened() -> Game:
            table, _ = await hall.add(NewTable("abyss", {"ann": "human", "ben": "human"}, {}, {}, ()))
            return (await hall.opened(table)).table.game

        first, second = await opened(), await opened()
        assert first is second
        abyss.write_text(ENDLESS.replace("when seen is 9", "when seen is 8"), encoding="utf-8")
        third = await opened()
        assert third is not first and third.rules.hash != first.rules.hash
        await hall.close()

    asyncio.run(open_tables())


def test_a_table_goes_on_under_the_rules_it_began_with(abyss: Path) -> None:
    async def open_again() -> None:
        hall = Hall(Store(abyss.with_name("t.sqlite")))
        table, _ = await hall.add(NewTable("abyss", {"ann": "human", "ben": "human"}, {}, {}, ()))
        began = (await hall.opened(table)).table.game.rules.hash
        await hall.close()
        abyss.write_text(ENDLESS.replace("when seen is 9", "when seen is 8"), encoding="utf-8")
        again = Hall(Store(abyss.with_name("t.sqlite")))
        assert (await again.opened(table)).table.game.rules.hash == began
        await again.close()
        abyss.unlink()
        gone = Hall(Store(abyss.with_name("t.sqlite")))
        assert (await gone.opened(table)).table.game.rules.hash == began
        await gone.close()

    asyncio.run(open_again())
