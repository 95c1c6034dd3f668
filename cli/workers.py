"""Many games in several processes. The games of each process are fixed, so results do not depend on timing.

Every process has its own pipe to the parent and requests no work; if the parent is killed, the pipes break and the
other processes end too.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cli.arguments import open_game
from cli.errors import CommandError
from cli.watchdog import watchdog
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import Playout, attempts
from interpreter.errors import PlayError, RulesError, UsageError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

C = TypeVar("C")
R = TypeVar("R")
Work = Callable[[Sequence[C]], Iterator[list[R]]]

Chunk = tuple[int, int]
"""The first seed and the number of games."""

Opening = tuple[str, tuple[str, ...], Mapping[str, str], Path | None, tuple[Path, ...]]
"""Arguments of `open_game`: the rules file, the seats, the options, a custom board file, files of variants."""


def in_processes(game: Opening, chunks: Sequence[Chunk], jobs: int) -> Iterator[Playout | Failed]:
    """Play the games of all chunks in several processes, yielding them in order."""
    return spread(partial(_played, game), chunks, jobs)


def _played(game: Opening, chunks: Sequence[Chunk]) -> Iterator[list[Playout | Failed]]:
    opened = open_game(*game)
    for start, number in chunks:
        yield list(attempts(opened, number, start))


def spread(work: Work[C, R], chunks: Sequence[C], jobs: int) -> Iterator[R]:
    """Yield the results of all chunks in order; chunks are dealt to the processes in turn.

    `work` yields the results of each chunk, one after the other; it must be a module-level function, or a `partial` of
    one. The processes are started at once, before this one has threads that they would inherit.
    """
    context = get_context()
    pipes = [context.Pipe(duplex=False) for _ in range(jobs)]
    readers = [reader for reader, _ in pipes]
    workers = [
        context.Process(target=_work, args=(writer, readers, work, chunks[place::jobs]), daemon=True)
        for place, (_, writer) in enumerate(pipes)
    ]
    try:
        with _interrupts_ignored():
            for worker, (_, writer) in zip(workers, pipes, strict=True):
                worker.start()
                writer.close()
    except BaseException:
        _end(workers)
        raise
    return _received(readers, workers, len(chunks))


def _received(readers: Sequence[Connection], workers: Sequence[BaseProcess], chunks: int) -> Iterator[Any]:
    """Yield the results the processes send, in the order of the chunks; stop the processes when this generator ends."""
    try:
        for place in range(chunks):
            yield from _receive(readers[place % len(readers)])
    finally:
        _end(workers)


def _end(workers: Sequence[BaseProcess]) -> None:
    for worker in workers:
        if worker.pid is not None:
            worker.terminate()
            worker.join()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Make processes started in the block ignore Ctrl-C from their first instruction on: the parent handles it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _receive(reader: Connection) -> list[Any]:
    try:
        came: list[Any] | str = reader.recv()
    except EOFError:
        raise CommandError("a worker process ended unexpectedly") from None
    if isinstance(came, str):
        raise CommandError(came)
    return came


def _work(writer: Connection, readers: Sequence[Connection], work: Work[C, R], chunks: Sequence[C]) -> None:
    """Process chunks and send their results."""
    for reader in readers:
        reader.close()
    with suppress(BrokenPipeError), watchdog():
        try:
            for came in work(chunks):
                writer.send(came)
        except (PlayError, UsageError, RulesError) as fault:
            writer.send(str(fault))
