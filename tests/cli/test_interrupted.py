"""Games that are interrupted by Ctrl-C, or by the end of a process: what was played is reported, or the reason."""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import contextmanager
from functools import partial

import pytest

from interpreter.analysis.workers import spread, spread_as_planned
from interpreter.errors import RunError
from tests.cli.terminal import plain

GAMES = 300_000
PATIENCE = 120.0
"""Seconds until the first games have been played: on a busy machine that takes long."""


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_simulation_reports_what_it_has(terminal, jobs):
    """The signal reaches only the process that reports; it comes when the progress bar has counted games twice."""
    words = ("simulate", "pig", "--games", GAMES, "--jobs", jobs, "--backend", "python")
    simulation = terminal(*words, columns=120)
    end = time.monotonic() + PATIENCE
    while len(set(re.findall(rf"\b([1-9]\d*)/{GAMES}\b", plain(simulation.raw)))) < 2:
        assert simulation.read(end - time.monotonic()), simulation.raw
    simulation.process.send_signal(signal.SIGINT)
    assert simulation.end(PATIENCE) == 130
    shown = plain(simulation.raw)
    found = re.search(rf"interrupted: the figures cover the first (\d+) of {GAMES} games", shown)
    assert found is not None, shown
    assert f": {found[1]} games of 2 random bots" in shown
    assert "decisions per game" in shown


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
def test_an_interrupted_ladder_speaks_of_the_ladder(terminal):
    simulation = terminal("simulate", "nim", "-n", 3, "--skill", 9000, "--jobs", 1, columns=120)
    end = time.monotonic() + PATIENCE
    while not re.search(r"\b[1-9]\d*/36000\b", plain(simulation.raw)):
        assert simulation.read(end - time.monotonic()), simulation.raw
    simulation.process.send_signal(signal.SIGINT)
    assert simulation.end(PATIENCE) == 130
    shown = plain(simulation.raw)
    assert "interrupted: the figures of skill cover the games of the ladder played so far" in shown
    assert ": 3 games of 2 random bots" in shown


def chunks_up_to_the_last(last, chunks):
    """Large results, which fill a pipe that nobody reads; at the chunk `last` the process is killed."""
    for chunk in chunks:
        if chunk == last:
            os.kill(os.getpid(), signal.SIGKILL)
        yield [bytes(200_000)]


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
@pytest.mark.parametrize("last", range(3))
@pytest.mark.parametrize("in_order", [True, False])
def test_a_killed_process_is_an_error_whichever_it_is(last, in_order):
    """As where memory runs out: the parent must not wait for results that never come."""
    with within_a_minute(), pytest.raises(RunError, match="a worker process ended unexpectedly"):
        list(spread(partial(chunks_up_to_the_last, last), range(30), 3, in_order=in_order))


@contextmanager
def within_a_minute():
    """Fail if the block takes longer."""

    def waiting(*_):
        raise TimeoutError("the parent waits")

    handler = signal.signal(signal.SIGALRM, waiting)
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)


def large_results(last, plans):
    """Results that fill a pipe, of plans that do so; with the plan `last` the process is killed."""
    return (result for (result,) in chunks_up_to_the_last(last, (int(plan[:3]) for plan in plans)))


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
@pytest.mark.parametrize("last", [12, None])
def test_neither_large_plans_nor_a_killed_process_block_planned_work(last):
    """Plan number n is drawn when the results up to n - 5 have been dealt with, whoever works on it."""
    done, drawn = [], []

    def plans():
        for number in range(30):
            drawn.append(len(done))
            yield f"{number:03}".ljust(300_000)

    with within_a_minute():
        try:
            for result in spread_as_planned(partial(large_results, last), plans(), 3, lambda _: 5):
                done.append(result)
        except RunError as fault:
            assert last is not None and "a worker process ended unexpectedly" in str(fault)
    assert len(done) == 30 if last is None else len(done) <= last
    assert drawn == [max(0, number - 4) for number in range(len(drawn))]
