"""Calls that play many games: their progress, how they are ended early, and several processes.

Results do not depend on timing: what is played is fixed, or planned from results whose number is fixed.

Every process has its own pipe to the parent; if the parent is killed, the pipes break and the other processes end too.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, TypeVar

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
"""Called repeatedly during a long call, in the thread of the call."""

Stop = Callable[[], bool]
"""Returns true once a long call is to end with what it has; asked repeatedly, in the thread of the call."""


def unwatched(_: Progress) -> None:
    """Show nothing."""


def never() -> bool:
    """Play all games."""
    return False


# ---- Processes


def spread(
    work: Work[C, R], chunks: Sequence[C], jobs: int, *, in_order: bool = True
) -> Generator[R, None, None]:  # fmt: skip
    """Yield the results of all chunks in order; chunks are dealt to the processes in turn, a single one stays here.

    If they need not be `in_order`, results are yielded as soon as they arrive. `work` yields the results of each chunk;
    it must be a module-level function, or a `partial` of one. The processes are started at once, before this one has
    threads that they would inherit.
    """
    jobs = min(jobs, len(chunks))
    if jobs < 2:
        return (result for results in work(chunks) for result in results)
    # A queue that hands out work would balance the load better, but a process that is killed while it holds the lock of
    # a queue blocks all others. A pipe has one writer: the parent reads the end of the file once that one is gone.
    #
    # INVARIANT: chunk number n is the work of process n modulo jobs, and each process sends its chunks in order. The
    # parent therefore knows whose turn it is (`_in_turn`) without numbers in the messages.
    readers, workers = _started([partial(_of_chunks, work, chunks[first::jobs]) for first in range(jobs)])
    senders = _in_turn(readers, len(chunks)) if in_order else _as_ready(readers, len(chunks))
    return _received(senders, workers)


PlannedWork = Callable[[Iterator[C]], Iterator[R]]


def spread_as_planned(
    work: PlannedWork[C, R], plans: Iterator[C], jobs: int, ahead: Callable[[int], int]
) -> Generator[R, None, None]:  # fmt: skip
    """Yield the result of each plan in order, where plans depend on the results of earlier ones.

    Plan number n is drawn as soon as fewer than `ahead(n)` plans before it are without a result that the caller has
    dealt with; so plans are the same for any number of processes. Each process gets the next plan when it is done with
    one. They are started when there is more than one plan to work on; until then `work` runs here. It yields one result
    for each plan, and must be a module-level function, or a `partial` of one.
    """
    waiting, results = deque[C](), dict[int, R]()
    crew: _Crew[C, R] | None = None
    here = work(waiting.popleft() for _ in count())
    drawn = 0
    try:
        for number in count():
            while drawn - number < max(1, ahead(drawn)):
                try:
                    waiting.append(next(plans))
                except StopIteration:
                    break
                drawn += 1
            if number == drawn:
                return
            if crew is None and jobs > 1 and drawn - number > 1:
                crew = _Crew(work, jobs, number)
            if crew is None:
                yield next(here)
                continue
            while number not in results:
                results.update(crew.advance(waiting))
            yield results.pop(number)
    finally:
        if crew is not None:
            _end(crew.workers)


class _Crew(Generic[C, R]):
    """Processes that each work on one plan at a time; `number` is that of the first plan."""

    # INVARIANT: a process has one plan at most, so that it waits for the next one or works. Were plans sent ahead, the
    # parent could wait until a large one is read by a process that waits until its large result is.
    def __init__(self, work: PlannedWork[C, R], jobs: int, number: int) -> None:
        self.idle, self.workers = _started([partial(_of_plans, work)] * jobs, duplex=True)
        self.number = number
        self.busy: dict[Connection, int] = {}

    def advance(self, waiting: deque[C]) -> Iterator[tuple[int, R]]:
        """Deal out plans as far as there are processes, wait for results, and yield those with their numbers."""
        while waiting and self.idle:
            connection = self.idle.pop()
            connection.send(waiting.popleft())
            self.busy[connection], self.number = self.number, self.number + 1
        for connection in _ready(list(self.busy)):
            (result,) = _receive(connection)
            self.idle.append(connection)
            yield self.busy.pop(connection), result


def _of_chunks(work: Work[C, R], chunks: Sequence[C], _: Connection) -> Iterable[Iterable[R]]:
    return work(chunks)


def _of_plans(work: PlannedWork[C, R], connection: Connection) -> Iterable[Iterable[R]]:
    return ([result] for result in work(iter(connection.recv, None)))


ResultsOf = Callable[["Connection"], Iterable[Iterable[Any]]]
"""What a process does: given its end of the pipe, it yields results, as lists that are sent at once."""


def _started(tasks: Sequence[ResultsOf], duplex: bool = False) -> tuple[list[Connection], list[BaseProcess]]:
    """Start a process for each task; returns this end of the pipe to each, and the processes."""
    from multiprocessing import get_context  # a browser has no processes, and cannot import it

    context = get_context()
    pipes = [context.Pipe(duplex=duplex) for _ in tasks]
    readers = [reader for reader, _ in pipes]
    workers: list[BaseProcess] = [
        context.Process(
            target=_work, args=(writer, [*readers, *(later for _, later in pipes[first + 1 :])], task), daemon=True
        )
        for first, ((_, writer), task) in enumerate(zip(pipes, tasks, strict=True))
    ]
    try:
        with _interrupts_ignored():
            for worker, (_, writer) in zip(workers, pipes, strict=True):
                worker.start()
                writer.close()
    except BaseException:
        _end(workers)
        raise
    return readers, workers


def _received(senders: Iterable[Connection], workers: Sequence[BaseProcess]) -> Generator[Any, None, None]:
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
    remaining = {reader: len(range(first, chunks, len(readers))) for first, reader in enumerate(readers)}
    while remaining:
        for reader in _ready(list(remaining)):
            yield reader
            remaining[reader] -= 1
            if not remaining[reader]:
                del remaining[reader]


def _ready(connections: Sequence[Connection]) -> list[Connection]:
    """Those of the connections from which something can be received, after waiting for one."""
    from multiprocessing.connection import wait

    ready: list[Any] = wait(connections)
    return ready


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


def _work(connection: Connection, inherited: Sequence[Connection], task: ResultsOf) -> None:
    """Send the results of a task; `inherited` are the ends of pipes that only other processes use."""
    # As long as a reading end is open anywhere, a process whose parent was killed would wait for ever instead of
    # getting a BrokenPipeError; and while an earlier process has the writing end of a later one, the parent would wait
    # for ever for the results of the later one if that was killed, as where memory runs out.
    for end in inherited:
        end.close()
    with suppress(ConnectionError, EOFError), watchdog():
        try:
            for results in task(connection):
                connection.send(list(results))
        except (BotError, PlayError, UsageError, RulesError) as fault:
            connection.send(str(fault))
