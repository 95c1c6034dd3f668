"""Playing the games of a run on a Dask cluster, with the same results as on this machine.

With its first task a worker gets the files of the game, which it unpacks into a temporary folder to open the game. Each
task is one chunk of games, and its result depends on nothing else; so when a worker is lost, only its unfinished chunks
are played again, by others.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.arguments import Backend
from interpreter.errors import BotError, PlayError, RulesError, RunError, UsageError
from interpreter.laboratory.courses import Courses, GameRecord, Record
from interpreter.laboratory.playing import Crew, Parameters, PlayedChunk, play_chunk
from interpreter.laboratory.setting import Setting
from interpreter.loading.game_files import files_of_game
from interpreter.loading.rules import shown
from interpreter.play.game import load
from interpreter.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

EXTRA = "pip install 'regelwerk[cluster]'"

PATIENCE = 10
"""Seconds to wait for the scheduler."""

AHEAD = 4
"""Chunks submitted ahead for each thread of the workers, so that none has to wait."""


@dataclass(frozen=True)
class Parcel:
    """A game packed for a worker: its files, and the arguments with which it is opened there.

    Each file has a relative path, the path under which it is shown on this machine, and its content.
    """

    version: str
    files: tuple[tuple[str, str, bytes], ...]
    rules: str
    seats: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    board: str | None
    variants: tuple[str, ...]


def parcel_of(setting: Setting) -> Parcel:
    """Pack everything a worker needs to open the game. Raises OSError."""
    game, folder = setting.game, setting.game.path.parent
    names = {path: path.relative_to(folder).as_posix() for path in files_of_game(game.path)}
    others = [path for path in (game.rules.board, *game.rules.variants) if path is not None and path not in names]
    names |= {path: f"{number}/{path.name}" for number, path in enumerate(others)}
    return Parcel(
        __version__,
        tuple((name, shown(path), path.read_bytes()) for path, name in names.items()),
        names[game.path],
        game.seats,
        tuple(game.options.items()),
        None if game.rules.board is None else names[game.rules.board],
        tuple(names[path] for path in game.rules.variants),
    )


@dataclass(frozen=True)
class _Opened:
    """A game opened from a parcel; `shown` maps the paths of its files to those shown on the sender's machine."""

    courses: Courses
    shown: Mapping[str, str]

    def with_senders_paths(self, record: Record) -> Record:
        """A record as on the sender's machine: a failure names the file as it is shown there."""
        if isinstance(record, GameRecord):
            return record
        path, line, column = record.failed.location.rsplit(":", 2)
        location = f"{self.shown.get(path, path)}:{line}:{column}"
        return replace(record, failed=replace(record.failed, location=location))


@cache
def _opened(parcel: Parcel, rollouts: int, backend: Backend) -> _Opened:
    """Open the game of a parcel, once in each process of a worker."""
    with tempfile.TemporaryDirectory(prefix="regelwerk-") as name:
        folder = Path(name)
        names = {}
        for relative, shown_there, content in parcel.files:
            path = folder / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            names[shown(path)] = shown_there
        board = None if parcel.board is None else folder / parcel.board
        variants = [str(folder / variant) for variant in parcel.variants]
        game = load(folder / parcel.rules, parcel.seats, dict(parcel.options), board, variants)
        return _Opened(Courses(game, rollouts, backend), names)


def play_parcel(parcel: Parcel, parameters: Parameters, numbers: range) -> PlayedChunk | str:
    """Play the games of a chunk on a worker; if that is impossible, return the reason."""
    if parcel.version != __version__:
        return f"a worker has Regelwerk {__version__}, here it is {parcel.version}"
    try:
        opened = _opened(parcel, parameters.rollouts, parameters.backend)
        chunk = play_chunk(opened.courses, parameters, numbers)
        return replace(chunk, records=list(map(opened.with_senders_paths, chunk.records)))
    except (BotError, PlayError, UsageError, RulesError) as fault:
        return str(fault)


def played_on_cluster(
    address: str, setting: Setting, parameters: Parameters, chunks: Sequence[range], crew: Crew
) -> Generator[PlayedChunk, None, None]:
    """Play chunks on the workers of the scheduler at this address, in their order. Raises RunError."""
    with ExitStack() as stack:
        client = stack.enter_context(_client(address))
        parcel = client.scatter(parcel_of(setting), broadcast=False, hash=True)
        waiting: deque[Future[PlayedChunk | str]] = deque()
        stack.callback(lambda: client.cancel(list(waiting), force=True))
        remaining = deque(chunks)
        while remaining or waiting:
            ahead = AHEAD * _threads(client, crew)
            while remaining and len(waiting) < ahead:
                waiting.append(client.submit(play_parcel, parcel, parameters, remaining.popleft(), pure=False))
            chunk = _result(waiting[0], address)
            waiting.popleft()
            yield chunk


def _client(address: str) -> Client:
    """Open a client of the scheduler at this address. Raises RunError."""
    try:
        from distributed import Client
    except ImportError:
        raise RunError(f"playing on a cluster needs the library dask.distributed: {EXTRA}") from None
    try:
        client: Client = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
        return client
    except (OSError, ValueError) as fault:
        raise RunError(f"no scheduler answers at {address}: {_words(fault)}") from None


def _threads(client: Client, crew: Crew) -> int:
    """The number of threads of all workers, at least one; `crew` gets their number."""
    workers: Mapping[str, object] = client.scheduler_info(n_workers=-1)["workers"]
    crew.place = counted(len(workers), "worker")
    threads: Mapping[str, int] = client.nthreads()  # type: ignore[no-untyped-call]
    crew.processes = max(1, sum(threads.values()))
    return crew.processes


def _result(future: Future[PlayedChunk | str], address: str) -> PlayedChunk:
    """Wait for the games of a chunk. Raises RunError."""
    try:
        answer = future.result()
    except Exception as fault:  # whatever the library or a worker of another version raises
        raise RunError(f"the cluster at {address} failed: {_words(fault)}") from None
    if isinstance(answer, str):
        raise RunError(answer)
    played: PlayedChunk = answer
    return played


def _words(fault: Exception) -> str:
    return " ".join(str(fault).split()) or type(fault).__name__
