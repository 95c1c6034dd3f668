"""The server as an attacker and an accident meet it: who gets in, what is kept, what is refused."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from interpreter.errors import SaveError
from interpreter.play.game import load
from interpreter.play.saves.files import PERSON
from interpreter.play.saves.tables import tables_in
from regelwerk import command  # noqa: F401 - adds the verb `serve`
from tests.support.project import ROOT
from tests.web.conftest import PATIENCE, Server
from web.server.store import Store
from web.table import Table

websockets = pytest.importorskip("websockets.asyncio.client", reason="the server of tables is the extra `web`")

NIM = {"ann": "human", "ben": "human"}


class Page:
    """A page without a browser: it sends messages, and keeps the last position it was sent."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.position = socket, dict[str, Any]()
        self.asked = 0

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        if message["kind"] == "position":
            self.position = message
        return message

    async def until(self, kind: str) -> dict[str, Any]:
        while (message := await self.hear())["kind"] != kind:
            pass
        return message

    async def ask(self, **request: object) -> dict[str, Any]:
        self.asked += 1
        await self.socket.send(json.dumps({**request, "id": str(self.asked)}))
        while (message := await self.hear()).get("id") != str(self.asked):
            pass
        return message


def seats_of_nim(server: Server) -> dict[str, str]:
    _, game, _ = server.ask("/api/games/nim")
    return dict.fromkeys(game["seats"][: game["counts"][0]], "human")


async def opened(server: Server, link: str, **more: Any) -> Any:
    table, _, token = link.removeprefix("/table/").partition("#")
    address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
    socket = await websockets.connect(address, **{"origin": server.address, "max_size": None} | more)
    await socket.send(json.dumps({"kind": "join", "token": token}))
    return socket


async def joined(server: Server, link: str) -> Page:
    page = Page(await opened(server, link))
    assert (await page.hear())["kind"] == "welcome"
    assert (await page.hear())["kind"] == "position"
    return page


def stored_table(store: Store, game: str) -> tuple[Table, str]:
    """A new table and its name."""
    state = load(game).start(1)
    kinds = dict.fromkeys(state.game.seats, PERSON)
    name, _ = store.add(state, kinds, {}, None, 0.0)
    return Table(state, kinds, keeper=store.keeper(name)), name


def run(of: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(of(), 2 * PATIENCE))


async def step(page: Page) -> str:
    """Make the first move that the page is offered; how it is written."""
    number, path = page.position["number"], list[dict[str, int]]()
    while True:
        reply = await page.ask(kind="ask", number=number, path=path)
        if move := reply["step"]["move"]:
            assert (await page.ask(kind="play", number=number, notation=move["notation"]))["kind"] == "done"
            return str(move["notation"])
        path.append({"take": 0})


# ---- what is kept


def test_what_was_acknowledged_survives_the_server_being_killed(server: Server) -> None:
    links = server.table("nim", seats_of_nim(server))
    seats = [seat for seat in links if seat != "spectator"]

    async def first() -> None:
        pages = [await joined(server, links[seat]) for seat in seats]
        await step(pages[0])
        await pages[1].until("position")
        await step(pages[1])
        while pages[0].position["number"] < 2:
            await pages[0].hear()
        log.extend(entry["text"] for entry in pages[0].position["log"]["entries"])

    async def second() -> None:
        page = await joined(server, links[seats[0]])
        assert page.position["number"] == 2
        assert [entry["text"] for entry in page.position["log"]["entries"]][-len(log) :] == log
        assert page.position["question"] is not None
        await step(page)

    log = list[str]()
    run(first)
    server.end(signal.SIGKILL)
    server.start()
    run(second)


def test_an_undo_survives_as_well(server: Server) -> None:
    links = server.table("nim", seats_of_nim(server))
    first, second = (seat for seat in links if seat != "spectator")

    async def play() -> None:
        pages = {seat: await joined(server, links[seat]) for seat in (first, second)}
        await step(pages[first])
        await pages[second].until("position")
        await step(pages[second])
        await pages[first].ask(kind="undo")
        while not pages[second].position["asks"]:
            await pages[second].until("position")
        await pages[second].ask(kind="consent", agree=True)

    async def look() -> None:
        page = await joined(server, links[first])
        assert page.position["number"] == 0 and page.position["question"] is not None
        assert "took back" in page.position["log"]["entries"][-1]["text"]

    run(play)
    server.end(signal.SIGKILL)
    server.start()
    run(look)


def test_ctrl_c_ends_the_server_without_a_traceback(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    server.table("nim", seats_of_nim(server))
    said = server.end(signal.SIGINT)
    assert "Traceback" not in said


def processes_of_group(group: int) -> list[str]:
    """What the processes of a group run, without those that have ended."""
    listed = subprocess.run(["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    words = [line.split(None, 2) for line in listed.splitlines()]
    return [args for number, state, args in words if int(number) == group and not state.startswith("Z")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_the_server_ends_its_bots_silently(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C reaches all processes of a terminal; a server that is killed cannot end its bots itself."""
    server = Server(tmp_path)
    server.start()
    assert server.process is not None
    group = server.process.pid
    first, second = seats_of_nim(server)
    links = server.table("nim", {first: "human", second: "hard"})

    async def play() -> None:
        page = await joined(server, links[first])
        assert (await page.ask(kind="hint"))["kind"] == "told"
        assert len(processes_of_group(group)) > 1
        if number == signal.SIGINT:
            os.killpg(group, number)

    run(play)
    assert "Traceback" not in server.end(number)
    deadline = monotonic() + PATIENCE
    while processes_of_group(group):
        assert monotonic() < deadline, processes_of_group(group)
        sleep(0.1)


def test_a_search_that_is_killed_is_begun_again(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    assert server.process is not None
    link = server.table("nim", seats_of_nim(server))[next(iter(seats_of_nim(server)))]

    async def play() -> None:
        page = await joined(server, link)
        assert (await page.ask(kind="hint"))["kind"] == "told"
        children = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(server.process.pid)], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for child in children:
            if "spawn_main" in child:
                os.kill(int(child.split()[0]), signal.SIGKILL)
        sleep(0.5)
        replies = [(await page.ask(kind="hint"))["kind"] for _ in range(2)]
        assert replies[-1] == "told"

    run(play)
    assert "Traceback" not in server.end(signal.SIGINT)


def test_only_its_owner_can_read_what_is_kept(tmp_path: Path) -> None:
    """The log of SQLite holds the last decisions as well."""
    (tmp_path / "t.sqlite").touch(0o644)
    store = Store(tmp_path / "t.sqlite")
    files = list(tmp_path.glob("t.sqlite*"))
    assert len(files) > 1 and not any(path.stat().st_mode & 0o077 for path in files)
    store.close()


def test_two_servers_do_not_share_their_tables(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    with pytest.raises(SaveError, match="another server"):
        Store(tmp_path / "t.sqlite")
    store.close()
    Store(tmp_path / "t.sqlite").close()


@pytest.mark.parametrize("statement", ["CREATE TABLE poems (line TEXT)", "PRAGMA user_version = 7"])
def test_the_file_of_another_program_is_left_as_it_is(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as file:
        file.execute(statement)
    before = path.read_bytes()
    for _ in range(2):  # the first attempt claims nothing
        with pytest.raises(SaveError, match="another"):
            Store(path)
    assert path.read_bytes() == before


def test_a_disk_that_was_full_is_written_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    table, name = stored_table(store, "chess")
    with store.transaction() as file:
        file.execute("PRAGMA max_page_count = 1")
    rng, made = random.Random(1), 0
    with pytest.raises(SaveError, match="full"):
        while True:
            table.play(table.state.player or "", table.state.ply, rng.choice(table.state.legal_moves).notation)
            made = table.state.ply
    assert table.state.ply == made == len(store.table(name).save.moves)
    with store.reading() as file:
        file.execute("PRAGMA max_page_count = 10000")
    table.play(table.state.player or "", made, table.state.legal_moves[0].notation)
    assert len(store.table(name).save.moves) == made + 1
    store.close()


def test_a_file_that_fails_later_is_said_so(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    with sqlite3.connect(tmp_path / "t.sqlite") as file:
        file.execute("DROP TABLE seats")
    for use in (lambda: store.seat_of("x", "y"), lambda: stored_table(store, "nim")):
        with pytest.raises(SaveError):
            use()
    store.close()


def test_tables_that_are_over_or_were_never_begun_are_deleted_later(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    (over, ended), (begun, running), (_, unused), (_, watched) = (stored_table(store, "nim") for _ in range(4))
    while not over.state.over:
        over.play(over.state.player or "", over.state.ply, over.state.legal_moves[-1].notation)
    begun.play(begun.state.player or "", 0, begun.state.legal_moves[0].notation)
    assert store.forget(-1.0, []) == []
    assert store.forget(time() - 1000, [watched]) == [unused], "the one that is over was played just now"
    assert store.forget(time() + 1, [watched]) == [ended]
    store.close()
    server = Server(tmp_path)
    server.start("--keep", "1")
    deadline = monotonic() + PATIENCE
    while (left := [summary.id for summary in tables_in(tmp_path / "tables.sqlite")]) != [running]:
        assert monotonic() < deadline, left
        sleep(0.1)
    assert "error" not in server.end(signal.SIGINT)


def test_secrets_are_kept_as_hashes(server: Server) -> None:
    links = server.table("nim", seats_of_nim(server))
    tokens = [link.partition("#")[2].encode() for link in links.values()]
    kept = b"".join(path.read_bytes() for path in server.folder.glob("tables.sqlite*"))
    assert not any(token in kept for token in tokens)
    file = server.folder / "tables.sqlite"
    assert file.stat().st_mode & 0o077 == 0
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_bot_answers_and_a_finished_game_can_be_saved(server: Server) -> None:
    _, game, _ = server.ask("/api/games/nim")
    first, second = game["seats"][: game["counts"][0]]
    links = server.table("nim", {first: "human", second: "random"})
    table, _, token = links[first].removeprefix("/table/").partition("#")

    async def play() -> None:
        page = await joined(server, links[first])
        while page.position["scene"]["result"] is None:
            if page.position["question"] is None:
                await page.until("position")
            else:
                before = page.position
                await step(page)
                if page.position is before:
                    await page.until("position")

    status, answer, _ = server.ask(f"/api/tables/{table}/save", headers={"Authorization": f"Bearer {token}"})
    assert status == 403 and "seed" not in answer  # with the seed everything that chance will bring
    run(play)
    status, answer, _ = server.ask(f"/api/tables/{table}/save", headers={"Authorization": f"Bearer {token}"})
    assert (status, answer["game"], answer["progress"]["over"]) == (200, "nim", True)


NO_STATES = """\
from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.sampling import Sampler

def none(self, *_, **__):
    raise SamplingError("no state was found")

Sampler.states = none
"""
"""What each process of Python imports when it starts, so that bots in processes of their own find no state."""


def test_a_table_is_told_of_a_bot_that_moves_at_random(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_STATES)
    server = Server(tmp_path, tmp_path)
    server.start()
    try:
        links = server.table("kuhn_poker", {"ann": "human", "ben": "greedy"})

        async def play() -> None:
            person, spectator = await joined(server, links["ann"]), await joined(server, links["spectator"])
            await step(person)
            for page in (person, spectator):
                told = "ben moves at random: no state was found in time that agrees with what this seat has observed"
                assert (await page.until("note"))["text"] == told

        run(play)
    finally:
        server.end()


def test_the_trace_has_a_page_for_those_who_may_know_it(server: Server) -> None:
    """Its address holds no secret, and its policy allows nothing but what is in it."""
    links = server.table("kuhn_poker", dict.fromkeys(("ann", "ben"), "human"))
    table, _, token = links["ann"].removeprefix("/table/").partition("#")
    path, own = f"/api/tables/{table}/trace", {"Origin": server.address}

    def allowed(token: str) -> tuple[str, str]:
        """The address of the page, and the cookie for it."""
        status, answer, headers = server.ask(path, {}, own | {"Authorization": f"Bearer {token}"})
        assert status == 200
        assert "HttpOnly" in headers["set-cookie"] and f"Path={answer['address']}" in headers["set-cookie"]
        assert token not in answer["address"]
        return answer["address"], headers["set-cookie"].partition(";")[0]

    assert server.ask(path, {}, {"Authorization": f"Bearer {token}"})[0] == 403  # not from our page
    assert server.ask(path, {}, own | {"Authorization": "Bearer guessed"})[0] == 403
    address, cookie = allowed(token)
    assert server.ask(address)[0] == 403
    status, page, headers = server.ask(address, headers={"Cookie": cookie})
    assert (status, page[:15]) == (200, "<!doctype html>")
    assert "'self'" not in headers["content-security-policy"] and "sha256-" in page
    address, cookie = allowed(links["ben"].partition("#")[2])
    assert server.ask(address, headers={"Cookie": cookie})[1] != page  # each sees only their own card
    address, cookie = allowed(links["spectator"].partition("#")[2])
    assert server.ask(address, headers={"Cookie": cookie})[0] == 403  # as long as the game goes on


def test_spectators_alone_let_no_clock_run(server: Server) -> None:
    first, second = seats_of_nim(server)
    clock = {"per": "game", "seconds": 60}
    links = server.table("nim", {first: "human", second: "human"}, clock=clock)

    async def look() -> None:
        spectator = await joined(server, links["spectator"])
        assert [clock["runs"] for clock in spectator.position["clocks"]] == [False, False]
        player = await joined(server, links[second])
        assert [clock["runs"] for clock in player.position["clocks"]] == [True, False]
        await player.socket.close()
        for runs in (True, False):
            await spectator.until("position")
            assert [clock["runs"] for clock in spectator.position["clocks"]] == [runs, False]

    run(look)


def test_a_clock_that_was_running_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    first, second = seats_of_nim(server)
    clock = {"per": "move", "seconds": 9, "stand_in": "random"}
    links = server.table("nim", {first: "human", second: "human"}, clock=clock)

    async def begin() -> None:
        page = await joined(server, links[first])
        (shown,) = page.position["clocks"]
        assert (shown["seat"], shown["runs"]) == (first, True) and 0 < shown["seconds"] <= 9
        while kept() < 1:  # every 5 seconds
            await asyncio.sleep(0.1)

    def kept() -> float:
        """The seconds that the decision has taken, as the server keeps them."""
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as file:
            return float(file.execute("SELECT pending FROM tables").fetchone()[0])

    async def go_on() -> None:
        page = await joined(server, links[first])
        (shown,) = page.position["clocks"]
        counted = 9 - taken - shown["seconds"]  # what is shown is in tenths of a second
        assert -0.1 < counted < monotonic() - killed, "the time without a server does not count"
        while page.position["number"] == 0:
            await page.hear()
        assert page.position["clocks"][0]["seat"] == second and page.position["question"] is None

    run(begin)
    server.end(signal.SIGKILL)
    killed, taken = monotonic(), kept()
    server.start()
    run(go_on)
    server.end()


# ---- who gets in


@pytest.mark.parametrize("token", ["", "x", "' OR 1=1 --", "\u0000", "é" * 64])
def test_a_wrong_secret_opens_nothing(server: Server, token: str) -> None:
    link = next(iter(server.table("nim", seats_of_nim(server)).values()))

    async def attack() -> None:
        socket = await opened(server, f"{link.partition('#')[0]}#{token}")
        message = json.loads(await socket.recv())
        assert message["kind"] == "refused"
        with pytest.raises(Exception, match=r"4403|1005|no close"):
            await asyncio.wait_for(socket.recv(), PATIENCE)

    run(attack)


@pytest.mark.parametrize(
    "origin", [None, "http://evil.example", "http://127.0.0.1:1", "null", "http://localhost.evil", "http://["]
)
def test_a_page_of_somebody_else_is_refused(server: Server, origin: str | None) -> None:
    links = server.table("nim", seats_of_nim(server))

    async def attack() -> None:
        with pytest.raises(Exception, match="403"):
            await opened(server, next(iter(links.values())), origin=origin)

    run(attack)
    headers = {} if origin is None else {"Origin": origin}
    status, _, _ = server.ask("/api/tables", {"game": "nim", "seats": seats_of_nim(server)}, headers)
    assert status == 403


def test_a_name_that_points_here_is_not_enough(server: Server) -> None:
    status, _, _ = server.ask("/", headers={"Host": "evil.example"})
    assert status == 400


@pytest.mark.parametrize(
    "path",
    ["/page/../serve.py", "/page/%2e%2e%2fserve.py", "/page/__init__.py", "/page/..%5cserve.py", "/page/%00",
     "/etc/passwd", "/api/games/..%2f..%2fetc%2fpasswd", "/api/games/nim.rules", "/api/tables/x/save"],
)  # fmt: skip
def test_no_file_outside_can_be_had(server: Server, path: str) -> None:
    status, content, _ = server.ask(path)
    assert status in (400, 403, 404) and "import" not in str(content) and "root:" not in str(content)


@pytest.mark.parametrize(
    "wanted",
    [{}, [], {"game": "nim"}, {"game": "/etc/passwd", "seats": {"a": "human"}},
     {"game": "nope", "seats": {"a": "human"}}, {"game": "nim", "seats": {}},
     {"game": "nim", "seats": {"nobody": "human", "red": "human"}},
     {"game": "nim", "seats": "NIM", "variants": ["../../evil"]}, {"game": "nim", "seats": "BOT"},
     {"game": "nim", "seats": "NIM", "options": {"x": "y"}},
     {"game": "nim", "seats": "NIM", "names": {"ann": "x" * 31}},
     {"game": "nim", "seats": "NIM", "names": {"nobody": "Ann"}}, {"game": "nim", "seats": "NIM", "more": 1},
     {"game": "nim", "seats": "NIM", "clock": {}},
     *({"game": "nim", "seats": "NIM", "clock": {"per": "move", "seconds": 30} | clock} for clock in (
         {"seconds": 0}, {"seconds": 1e9}, {"seconds": "x"}, {"increment": -1}, {"per": "turn"}, {"more": 1},
         {"stand_in": "human"}, {"stand_in": "./evil.py:Bot"}, {"hands_over": "perhaps"},
     ))],
)  # fmt: skip
def test_a_table_that_cannot_be_is_refused_with_a_reason(server: Server, wanted: Any) -> None:
    if isinstance(wanted, dict) and wanted.get("seats") == "NIM":
        wanted = wanted | {"seats": seats_of_nim(server)}
    if isinstance(wanted, dict) and wanted.get("seats") == "BOT":
        wanted = wanted | {"seats": dict.fromkeys(seats_of_nim(server), "./evil.py:Bot")}
    status, answer, _ = server.ask("/api/tables", wanted, {"Origin": server.address})
    assert status == 400 and answer["reason"] and "Traceback" not in answer["reason"]


def test_rules_with_errors_show_nobody_their_text(server: Server) -> None:
    (server.folder / "mistaken.rules").write_text('game "Mistaken" for 2 players ann, ben:\n    "secret words"\n')
    assert server.ask("/api/games/mistaken")[:2] == (400, {"reason": "the rules of mistaken have errors"})
    wanted = {"game": "mistaken", "seats": {"ann": "human", "ben": "human"}}
    status, answer, _ = server.ask("/api/tables", wanted, {"Origin": server.address})
    assert (status, answer) == (400, {"reason": "the rules of mistaken have errors"})


def test_every_response_protects_the_page(server: Server) -> None:
    for path in ("/", "/table/x", "/page/table.js", "/api/games", "/nothing"):
        _, _, headers = server.ask(path)
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_what_is_too_long_too_fast_or_no_message_ends_only_that_page(server: Server) -> None:
    links = server.table("nim", seats_of_nim(server))
    first, second = (links[seat] for seat in links if seat != "spectator")

    async def attack() -> None:
        other = await joined(server, second)
        for text in ("x" * 20_000, "{", "null", json.dumps({"kind": "join", "token": ""})):
            page = await joined(server, first)
            await page.socket.send(text)
            assert (await page.hear())["kind"] == "refused"
        with pytest.raises(Exception, match=r"1009|1005|no close"):
            page = await joined(server, first)
            await page.socket.send("x" * 100_000)
            await asyncio.wait_for(page.socket.recv(), PATIENCE)
        with pytest.raises(Exception, match=r"4429|1005|no close|sent"):
            page = await joined(server, first)
            for _ in range(1000):
                await page.socket.send('{"kind":"rules","id":"1"}')
            while True:
                await asyncio.wait_for(page.socket.recv(), PATIENCE)
        assert (await other.ask(kind="rules"))["kind"] == "told"

    run(attack)


def test_a_question_without_an_end_keeps_nobody_waiting(server: Server) -> None:
    _, game, _ = server.ask("/api/games/chess")
    links = server.table("chess", dict.fromkeys(game["seats"], "human"))
    first, second = (links[seat] for seat in game["seats"])
    endless = (
        "sum (sum (sum (count a in Square where man[a] is empty) for b in Square) for c in Square) for d in Square"
    )

    async def attack() -> None:
        pages = [await joined(server, second) for _ in range(8)]
        for page in pages:
            await page.socket.send(json.dumps({"kind": "why", "id": "x", "text": endless}))
        other = await joined(server, first)
        began = monotonic()
        await step(other)
        assert monotonic() - began < 10
        while (reply := await pages[0].hear()).get("id") != "x":
            pass
        assert reply["kind"] == "refused" and "took longer than" in reply["reason"]

    run(attack)


def test_who_connects_and_asks_for_nothing_is_cut_off(tmp_path: Path) -> None:
    """Every connection costs an open file."""
    server = Server(tmp_path)
    server.start()
    half = "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 9\r\n\r\n{"
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(3)]
    lines[1].sendall(half.encode())
    lines[2].sendall(half.encode())
    sleep(0.5)
    lines[2].close()
    assert lines[0].recv(1000) == b""
    assert b" 408 " in lines[1].recv(1000)
    assert server.ask("/")[0] == 200
    assert "error" not in server.end(signal.SIGINT)
    for line in lines:
        line.close()


@pytest.mark.parametrize("words", [("--host", ""), ("--host", "a..b"), ("--name", "a*"), ("--name", "a.example:80")])
def test_an_address_that_cannot_be_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--data", "t.sqlite", *words])
    assert done.exit_code == 2 and done.stderr.startswith("error: ") and "Traceback" not in done.stderr


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this system has no IPv6")
def test_every_address_that_is_printed_answers(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start("--host", "::")
    assert server.ask("/")[0] == 200
    server.end(signal.SIGINT)


def test_a_port_that_is_taken_is_said_so(server: Server, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "regelwerk.command", "serve", "--port", str(server.port), "--data", "t.sqlite"]
    around = {"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path)}
    done = subprocess.run(
        words, cwd=tmp_path, env=around, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode != 0 and "cannot listen on 127.0.0.1" in done.stderr and "Traceback" not in done.stderr
