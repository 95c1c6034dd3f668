"""The gigabytes of addresses that Wasmtime reserves for each instance: given back at once, or not there at all."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

import regelwerk
from interpreter.engine.machine import wasmtime_host

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
from cli.main import main
main()
"""


def test_instances_of_threads_that_have_ended_are_freed() -> None:
    """Without waiting for a garbage collection, which these few objects would not cause."""
    gc.freeze()  # what is there already need not be gone through
    search = regelwerk.load("go").start(seed=1).search_state("machine")
    search.rollouts(4, horizon=3, threads=4)
    gc.collect()
    before = len(wasmtime_host._instances)
    gc.disable()
    try:
        for _ in range(10):
            search.rollouts(4, horizon=3, threads=4)
    finally:
        gc.enable()
    assert len(wasmtime_host._instances) <= before + 4


@pytest.mark.skipif(sys.platform != "linux", reason="addresses cannot be limited there")
def test_python_plays_where_there_are_no_addresses() -> None:
    command = [sys.executable, "-c", LIMITED, "simulate", "nim", "--games", "30", "--backend", "machine"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0 and "Nim: 30 games" in run.stdout
    assert run.stderr.startswith("note: Python plays: there is no memory for a module") and "Error" not in run.stderr
