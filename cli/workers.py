"""Many games in several processes. Which process plays which games is fixed, so the results are always the same.

Every process has a pipe of its own to the one that started it and asks nobody for work; when that one is killed, the
pipes break and the others end too.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from cli.arguments import open_game
from cli.faults import Wrong

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from interpreter.playouts import Played

Chunk = tuple[int, int]
"""The first seed, and how many games."""

Opening = tuple[str, tuple[str, ...], Mapping[str, str], Path | None]
"""What `open_game` takes: the rules file, the seats, the options, a board file of one's own."""


def in_processes(game: Opening, chunks: Sequence[Chunk], jobs: int) -> Iterator[Played]:
    """The games of all chunks in order; chunk after chunk goes to process after process."""
    context = get_context()
    pipes = [context.Pipe(duplex=False) for _ in range(jobs)]
    readers = [reader for reader, _ in pipes]
    workers = [
        context.Process(target=_work, args=(writer, readers, game, chunks[place::jobs]), daemon=True)
        for place, (_, writer) in enumerate(pipes)
    ]
    try:
        with _interrupts_ignored():
            for worker, (_, writer) in zip(workers, pipes, strict=True):
                worker.start()
                writer.close()
        for place in range(len(chunks)):
            yield from _receive(readers[place % jobs])
    finally:
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


def _receive(reader: Connection) -> list[Played]:
    try:
        played: list[Played] | str = reader.recv()
    except EOFError:
        raise Wrong("a process that played games ended before its time") from None
    if isinstance(played, str):
        raise Wrong(played)
    return played


def _work(writer: Connection, readers: Sequence[Connection], game: Opening, chunks: Sequence[Chunk]) -> None:
    """Play chunks and send what came of them."""
    from interpreter.faults import RulesError, RuntimeFault, UsageFault
    from interpreter.playouts import playouts

    for reader in readers:
        reader.close()
    with suppress(BrokenPipeError):
        try:
            opened = open_game(*game)
            for start, number in chunks:
                writer.send(list(playouts(opened, number, start)))
        except (RuntimeFault, UsageFault, RulesError) as fault:
            writer.send(str(fault))
