"""`--on`: the same games on a cluster of real processes, one of which is killed."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.conftest import DUEL, valid
from tests.support.project import ROOT

INSTALLED = importlib.util.find_spec("distributed") is not None
if not INSTALLED and "CI" in os.environ:
    raise AssertionError("dask.distributed is not installed: pip install 'regelwerk[cluster]'")
needs_dask = pytest.mark.skipif(not INSTALLED, reason="dask.distributed is not installed")


FAILS = DUEL.replace("points_of[p: Player]: 0..99", "points_of[p: Player]: 0..2")


@pytest.fixture(scope="module")
def cluster():
    """A scheduler with two workers of one process each; one that is killed is started again."""
    from distributed import LocalCluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as started:
            yield started


@needs_dask
def test_a_cluster_plays_the_same_games(run, duel, cluster):
    for words in (("-n", 120), ("-n", 5, "--bots", "mcts:6", "--details", 2)):
        here = valid("simulate", run("simulate", "duel.rules", *words, "-j", 1, "--format", "json").output)
        there = run("simulate", "duel.rules", *words, "--on", cluster.scheduler_address, "--format", "json")
        assert there.exit_code == 0, there.output
        assert valid("simulate", there.output) == here


@needs_dask
def test_games_that_fail_there_name_the_rule_as_here(run, own_folder, cluster):
    (own_folder / "duel.rules").write_text(FAILS)
    words = ("simulate", "duel.rules", "-n", 40, "--format", "json")
    here = valid("simulate", run(*words, "-j", 1).output)
    assert here["failed"]
    assert valid("simulate", run(*words, "--on", cluster.scheduler_address).output) == here


@needs_dask
def test_a_lost_worker_costs_only_its_unfinished_games(run, duel, cluster):
    words = ["simulate", "duel.rules", "-n", "10", "--bots", "mcts:20", "--format", "json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *words, "--on", cluster.scheduler_address, "--into", "r.jsonl"],
        cwd=duel, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    kept = duel / "r.jsonl"
    while process.poll() is None and (not kept.exists() or len(kept.read_text().splitlines()) < 4):
        time.sleep(0.05)
    worker = next(iter(cluster.workers.values()))
    os.kill(worker.pid, signal.SIGKILL)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert len(kept.read_text().splitlines()) == 11
    assert valid("simulate", output) == valid("simulate", run(*words, "-j", 1).output)


@needs_dask
def test_a_scheduler_that_is_not_there(run, duel, monkeypatch):
    monkeypatch.setattr("interpreter.laboratory.cluster.PATIENCE", 1)
    result = run("simulate", "duel.rules", "--on", "tcp://127.0.0.1:9")
    assert result.exit_code == 1
    assert "no scheduler answers at tcp://127.0.0.1:9" in result.output
    result = run("simulate", "duel.rules", "--on", "nonsense")
    assert result.exit_code == 1 and "Traceback" not in result.output


def test_without_the_library_it_is_said_how_to_install_it(run, duel, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("simulate", "duel.rules", "--on", "tcp://127.0.0.1:8786")
    assert result.exit_code == 1
    assert "pip install 'regelwerk[cluster]'" in result.output
