"""Calls that play many games: their progress, how they are ended early, and several processes.

The games of each process are fixed, so results do not depend on timing.

Every process has its own pipe to the parent and requests no work; if the parent is killed, the pipes break and the
other processes end too.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from dsl.lazy_dataclasses import dataclass
from interpreter.errors import BotError, PlayError, RulesError, RunError, UsageError
from interpreter.watchdog import watchdog

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

C = TypeVar("C")
R = TypeVar("R")
Work = Callable[[Sequence[C]], Iterable[Iterable[R]]]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call that plays many games has come: `completed` of `total` games, which can become fewer or more.

    `seconds_left` is an estimate, None while there is none. `note` says what is known or done at the moment, `place`
    which part of the games is played or where, both empty if there is nothing to say.
    """

    completed: int
    total: int
    seconds_left: float | None = None
    note: str = ""
    place: str = ""


Watch = Callable[[Progress], object]
"""Called again and again during a long call, in the thread of the call."""

Stop = Callable[[], bool]
"""Returns true once a long call is to end with what it has; asked again and again, in the thread of the call."""


def unwatched(_: Progress) -> None:
    """Show nothing."""


def never() -> bool:
    """Play all games."""
    return False


# ---- Processes


def spread(work: Work[C, R], chunks: Sequence[C], jobs: int, *, in_order: bool = True) -> Iterator[R]:
    """Yield the results of all chunks in order; chunks are dealt to the processes in turn, a single one stays here.

    If they need not be `in_order`, results are yielded as soon as they arrive. `work` yields the results of each chunk;
    it must be a module-level function, or a `partial` of one. The processes are started at once, before this one has
    threads that they would inherit.
    """
    jobs = min(jobs, len(chunks))
    if jobs < 2:
        return chain.from_iterable(work(chunks))
    # A queue that hands out work would balance the load better, but a process that is killed while it holds the lock of
    # a queue blocks all others. A pipe has one writer: the parent reads the end of the file once that one is gone.
    #
    # INVARIANT: chunk number n is the work of process n modulo jobs, and each process sends its chunks in order. The
    # parent therefore knows whose turn it is (`_in_turn`) without numbers in the messages.
    from multiprocessing import get_context  # a browser has no processes, and cannot import it

    context = get_context()
    pipes = [context.Pipe(duplex=False) for _ in range(jobs)]
    readers = [reader for reader, _ in pipes]
    workers = [
        context.Process(
            target=_work,
            args=(writer, [*readers, *(later for _, later in pipes[first + 1 :])], work, chunks[first::jobs]),
            daemon=True,
        )
        for first, (_, writer) in enumerate(pipes)
    ]
    try:
        with _interrupts_ignored():
            for worker, (_, writer) in zip(workers, pipes, strict=True):
                worker.start()
                writer.close()
    except BaseException:
        _end(workers)
        raise
    senders = _in_turn(readers, len(chunks)) if in_order else _as_ready(readers, len(chunks))
    return _received(senders, workers)


def _received(senders: Iterable[Connection], workers: Sequence[BaseProcess]) -> Iterator[Any]:
    """Yield the results that come from each of the senders; stop the processes when this generator ends."""
    try:
        for reader in senders:
            yield from _receive(reader)
    finally:
        _end(workers)


def _in_turn(readers: Sequence[Connection], chunks: int) -> Iterator[Connection]:
    return (readers[number % len(readers)] for number in range(chunks))


def _as_ready(readers: Sequence[Connection], chunks: int) -> Iterator[Connection]:
    """Each reader once per chunk that was dealt to its process, as soon as results of a chunk arrive."""
    from multiprocessing.connection import Connection, wait

    remaining = {reader: len(range(first, chunks, len(readers))) for first, reader in enumerate(readers)}
    while remaining:
        for reader in wait(list(remaining)):
            assert isinstance(reader, Connection)
            yield reader
            remaining[reader] -= 1
            if not remaining[reader]:
                del remaining[reader]


def _end(workers: Sequence[BaseProcess]) -> None:
    for worker in workers:
        if worker.pid is not None:
            worker.terminate()
            worker.join()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Make processes started in the block ignore Ctrl-C from their first instruction on: the parent handles it."""
    if threading.current_thread() is not threading.main_thread():  # it gets no signals, and cannot say what they do
        yield
        return
    previous_handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)


def _receive(reader: Connection) -> list[Any]:  # pickled results: `_work` knows of what type
    try:
        received: list[Any] | str = reader.recv()
    except EOFError:
        raise RunError("a worker process ended unexpectedly") from None
    if isinstance(received, str):
        raise RunError(received)
    return received


def _work(writer: Connection, inherited: Sequence[Connection], work: Work[C, R], chunks: Sequence[C]) -> None:
    """Process chunks and send their results; `inherited` are the ends of pipes that only other processes use."""
    # As long as a reading end is open anywhere, a process whose parent was killed would wait for ever instead of
    # getting a BrokenPipeError; and while an earlier process has the writing end of a later one, the parent would wait
    # for ever for the results of the later one if that was killed, as where memory runs out.
    for end in inherited:
        end.close()
    with suppress(BrokenPipeError), watchdog():
        try:
            for results in work(chunks):
                writer.send(list(results))
        except (BotError, PlayError, UsageError, RulesError) as fault:
            writer.send(str(fault))
