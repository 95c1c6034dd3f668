"""The server of tables under load: how soon a move reaches all pages, memory of a table, and starting again.

Every table has four pages, which are WebSockets in this process, so that both share the machine. At each table a move
is made every few seconds, as people do.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure

TABLES, PAGES = 200, 4
GAMES = ("mauerbauer", "china", "chinesische_mauer", "texas_holdem")
SECONDS_BETWEEN_MOVES = 20.0
STORED_TABLES = 10_000
MOVES_OF_A_GAME = 60
SECONDS_OF_PATIENCE = 5.0
"""After this time a page is taken to be shown nothing."""


@dataclass
class Server:
    """A server in a process of its own."""

    folder: Path
    process: subprocess.Popen[str]
    address: str
    seconds: float
    """How long it took from its start until it answered."""

    def memory(self) -> float:
        """Resident memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024

    def processor_time(self) -> float:
        """The processor time that it has taken so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, path: str, data: object = None) -> Any:
        """What the server answers."""
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body, {"Origin": self.address})
        return json.load(urllib.request.urlopen(request, timeout=120))


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """A server that is killed at the end."""
    words = [sys.executable, "-m", "regelwerk.command", "serve", "--port", "0", "--data", str(folder / "tables.sqlite")]
    started = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip().rstrip("/")
    try:
        urllib.request.urlopen(f"{address}/api/games", timeout=120).read()
        yield Server(folder, process, address, time.perf_counter() - started)
    finally:
        process.kill()
        process.wait()


@dataclass
class PlayedTable:
    """A table with its pages; `moves` are how long each move took to reach all of them, in milliseconds."""

    links: dict[str, str]
    sockets: list[Any] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The server under load, for about `rounds` moves at each table."""
    try:
        import websockets  # noqa: F401 - the extra `web`
    except ImportError:
        print("nothing is measured of the server: pip install 'regelwerk[web]'", file=sys.stderr)
        return []
    costs = sorted(cost for game in GAMES for cost in _costs_of_moves(game, MOVES_OF_A_GAME))
    with tempfile.TemporaryDirectory() as temporary, server(Path(temporary)) as tables:
        before = tables.memory()
        played = [_new_table(tables, GAMES[number % len(GAMES)]) for number in range(TABLES)]
        begun = tables.processor_time()
        asyncio.run(_play(tables, played, rounds))
        taken, after = tables.processor_time() - begun, tables.memory()
        delays = sorted(delay for each in played for delay in each.moves)
    note = f"{TABLES} tables, {PAGES} pages each, a move every {SECONDS_BETWEEN_MOVES:.0f} s; elapsed time"
    at = [delays[len(delays) * part // 100] for part in (50, 95, 99)] if delays else [0.0] * 3
    of_moves = f"{PAGES} pages; without the network and the disk; processor time"
    figures = [
        Figure("what a move changes for all pages of its table, median", "ms", (costs[len(costs) // 2],), of_moves),
        Figure("95th percentile", "ms", (costs[len(costs) * 95 // 100],), f"{len(costs)} moves of {len(GAMES)} games"),
        Figure("processor time of the server", "ms", (taken * 1000 / max(1, len(delays)),), "for each move"),
        Figure("a move has reached all pages of its table, median", "ms", (at[0],), note),
        Figure("95th percentile", "ms", (at[1],), f"{len(delays):,} moves"),
        Figure("99th percentile", "ms", (at[2],)),
        Figure("memory of a table that is open", "MB", ((after - before) / TABLES,), "with its pages"),
    ]
    with tempfile.TemporaryDirectory() as temporary:
        _store(Path(temporary))
        with server(Path(temporary)) as tables:
            note = f"with {STORED_TABLES:,} tables stored; elapsed time"
            figures.append(Figure("from the start to the first answer", "s", (tables.seconds,), note))
    return figures


def _costs_of_moves(name: str, moves: int) -> list[float]:
    """The processor time in milliseconds that each of some moves and what it changes on all pages takes the server."""
    from interpreter.play.game import load
    from interpreter.play.saves.files import PERSON
    from web.server.hall import encoded
    from web.session import Session
    from web.table import Table

    game = load(name, every_language=True)
    game = load(
        name, max(count for count in game.counts if count <= max(PAGES, game.fewest)), every_language=True
    ).in_words("own")
    table, costs = Table(game.start(3), dict.fromkeys(game.seats, PERSON)), list[float]()
    table.begin()
    sessions = [Session(table, seat) for seat in game.seats]
    for session in sessions:
        session.position()
    while table.state.player is not None and len(costs) < moves:
        seat, move = table.state.player, table.state.legal_moves[0].notation
        begun = time.process_time()
        table.play(seat, table.known(seat), move)
        for session in sessions:
            position = session.position()
            if position is not None:
                encoded(position)
        costs.append((time.process_time() - begun) * 1000)
    return costs


def _new_table(tables: Server, game: str) -> PlayedTable:
    seats = tables.ask(f"/api/games/{game}")["seats"][:PAGES]
    answer = tables.ask("/api/tables", {"game": game, "seats": dict.fromkeys(seats, "human")})
    return PlayedTable({seat: answer["links"][seat] for seat in seats})


async def _play(tables: Server, played: list[PlayedTable], moves: int) -> None:
    async with asyncio.TaskGroup() as group:
        for number, table in enumerate(played):
            group.create_task(_play_table(tables, table, moves, random.Random(number)))


async def _play_table(tables: Server, table: PlayedTable, moves: int, rng: random.Random) -> None:
    """Open the pages of a table, and let whoever is asked make the first move that is offered, now and then."""
    from websockets.asyncio.client import connect

    await asyncio.sleep(rng.random() * SECONDS_BETWEEN_MOVES)
    positions: list[dict[str, Any]] = []
    for link in table.links.values():
        path, _, token = link.partition("#")
        address = tables.address.replace("http", "ws", 1) + f"/api{path.replace('/table/', '/tables/')}/socket"
        socket = await connect(address, origin=tables.address, max_size=None)  # type: ignore[arg-type]
        await socket.send(json.dumps({"kind": "join", "token": token}))
        table.sockets.append(socket)
        positions.append(await _until(socket, "position"))
    for _ in range(moves):
        await asyncio.sleep(SECONDS_BETWEEN_MOVES * rng.uniform(0.5, 1.5))
        asked = next((number for number, position in enumerate(positions) if position["question"]), None)
        if asked is None:
            break
        socket, number, answers = table.sockets[asked], positions[asked]["number"], list[dict[str, int]]()
        while True:
            await socket.send(json.dumps({"kind": "ask", "id": "1", "number": number, "path": answers}))
            move = (await _until(socket, "asked"))["step"]["move"]
            if move is not None:
                break
            answers.append({"take": 0})
        begun = time.perf_counter()
        await socket.send(json.dumps({"kind": "play", "id": "1", "number": number, "notation": move["notation"]}))
        heard = await asyncio.gather(*(_position_after(each) for each in table.sockets))
        table.moves.append((max(at for at, _ in heard) - begun) * 1000)
        positions = [new or old for (_, new), old in zip(heard, positions, strict=True)]
    for socket in table.sockets:
        await socket.close()


async def _until(socket: Any, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while (message := json.loads(await socket.recv()))["kind"] != kind:
        pass
    heard: dict[str, Any] = message
    return heard


async def _position_after(socket: Any) -> tuple[float, dict[str, Any] | None]:
    """The next position and when it came; nothing for a page that is shown nothing, as others decide secretly."""
    try:
        position = await asyncio.wait_for(_until(socket, "position"), SECONDS_OF_PATIENCE)
    except TimeoutError:
        return 0.0, None
    return time.perf_counter(), position


def _store(folder: Path) -> None:
    """Store tables as if they had been played."""
    from web.server.store import Store

    store = Store(folder / "tables.sqlite")
    with store.transaction() as file:
        file.executemany(
            "INSERT INTO tables VALUES (?, 0.0, 0.0, '{}', '{}', 0, NULL, 0.0)",
            [(str(number),) for number in range(STORED_TABLES)],
        )
    store.close()
