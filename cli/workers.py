"""Many games in several processes. Which process plays which games is fixed, so the results are always the same.

Every process has a pipe of its own to the one that started it and asks nobody for work; when that one is killed, the
pipes break and the others end too.
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

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from interpreter.analysis.failed_games import Failed
    from interpreter.analysis.playouts import Playout

C = TypeVar("C")
R = TypeVar("R")
Work = Callable[[Sequence[C]], Iterator[list[R]]]

Chunk = tuple[int, int]
"""The first seed, and how many games."""

Opening = tuple[str, tuple[str, ...], Mapping[str, str], Path | None, tuple[Path, ...]]
"""What `open_game` takes: the rules file, the seats, the options, a board file of one's own, files of variants."""


def in_processes(game: Opening, chunks: Sequence[Chunk], jobs: int) -> Iterator[Playout | Failed]:
    """The games of all chunks in order, played in several processes."""
    return spread(partial(_played, game), chunks, jobs)


def _played(game: Opening, chunks: Sequence[Chunk]) -> Iterator[list[Playout | Failed]]:
    from interpreter.analysis.playouts import attempts

    opened = open_game(*game)
    for start, number in chunks:
        yield list(attempts(opened, number, start))


def spread(work: Work[C, R], chunks: Sequence[C], jobs: int) -> Iterator[R]:
    """What comes of all chunks in order; chunk after chunk goes to process after process.

    `work` gives for chunks, one after the other, what came of each; it has to be a function of a module, or a `partial`
    of one. The processes are started at once, before there is a thread here that they would inherit.
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
    """The results the processes send, in the order of the chunks; the processes end when this does."""
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
    """Processes started meanwhile ignore Ctrl-C from their first instruction on: it is for who started them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _receive(reader: Connection) -> list[Any]:
    try:
        came: list[Any] | str = reader.recv()
    except EOFError:
        raise CommandError("a process that played games ended before its time") from None
    if isinstance(came, str):
        raise CommandError(came)
    return came


def _work(writer: Connection, readers: Sequence[Connection], work: Work[C, R], chunks: Sequence[C]) -> None:
    """Work off chunks and send what came of them."""
    from interpreter.errors import PlayError, RulesError, UsageError

    for reader in readers:
        reader.close()
    with suppress(BrokenPipeError), watchdog():
        try:
            for came in work(chunks):
                writer.send(came)
        except (PlayError, UsageError, RulesError) as fault:
            writer.send(str(fault))
