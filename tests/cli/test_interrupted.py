"""Ctrl-C while games are simulated: the games played so far are reported."""

from __future__ import annotations

import os
import re
import signal
import time

import pytest

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
