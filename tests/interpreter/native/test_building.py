"""Libraries play; they are built in the background, and nobody waits for them unless asked to."""

import multiprocessing
import os
import threading
import time
from pathlib import Path

import pytest

from interpreter.native.building import LARGE, Building, build
from interpreter.native.library import Library, ResultShape, StopFlag, open_library
from interpreter.native.not_built import NotBuilt
from tests.interpreter.native.tiny_source import SHAPE, script, tiny, waiting

pytestmark = pytest.mark.skipif(os.name == "nt", reason="uses programs for the shell of POSIX")


def library(number: int) -> Library:
    found = build(tiny(number), open_library)
    assert isinstance(found, Library), found
    return found


def test_the_columns_of_results() -> None:
    results = library(1).play_games(40, 3, SHAPE)
    assert results.played == 3
    assert results.scores.tolist() == [41, 41, 42, 42, 43, 43]
    assert results.teams.tolist() == [0, 1] * 3
    assert results.winners.tolist() == [2] * 3
    assert results.decisions.tolist() == [1] * 3
    assert (results.choices.tolist(), results.widest.tolist()) == ([11] * 3, [12] * 3)
    assert results.failed.tolist() == [0, 1, 0]


@pytest.mark.parametrize("count", [0, -1])
def test_no_games(count: int) -> None:
    results = library(1).play_games(0, count, SHAPE)
    assert results.played == len(results.scores) == len(results.failed) == 0


def test_columns_are_as_long_as_there_were_games() -> None:
    results = library(1).play_games(0, 1000, ResultShape(2, 1), seconds=0)
    assert results.played == len(results.scores) == len(results.winners) == 0
    stop = StopFlag()
    assert library(1).play_games(0, 5, SHAPE, stop=stop).played == 5
    stop.set()
    assert stop.is_set()
    assert library(1).play_games(0, 5, SHAPE, stop=stop).played == 0
    stop.clear()
    assert library(1).play_games(0, 5, SHAPE, stop=stop).played == 5


@pytest.mark.parametrize("seed", [-1, 1 << 64, (1 << 200) + 7])
def test_every_whole_number_is_a_seed(seed: int) -> None:
    wrapped = seed % (1 << 64)
    expected = wrapped - (1 << 64) if wrapped >= 1 << 63 else wrapped
    assert library(1).play_games(seed, 1, SHAPE).scores[0] == expected + 1


def test_nobody_waits_for_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = tmp_path / "go on"
    monkeypatch.setenv("CC", str(waiting(tmp_path / "waiting", go_on, tmp_path / "begun")))
    building = Building(tiny(2), open_library)
    assert building.library_if_ready() is None
    assert building.failure() is None
    assert not building.done
    go_on.touch()
    ready = building.library_if_ready(wait=True)
    assert ready is not None
    assert building.done
    assert ready.play_games(0, 1, SHAPE).decisions[0] == 2


def test_what_is_in_the_cache_is_ready_at_once() -> None:
    library(3)
    before = threading.active_count()
    building = Building(tiny(3), open_library)
    assert building.done
    assert building.library_if_ready() is not None
    assert threading.active_count() == before


def test_a_large_source_is_first_compiled_without_optimisation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real compiler begins at once without optimisation, and has to wait for a file with it."""
    go_on = tmp_path / "go on"
    text = f'case "$*" in *-O0*) ;; *game.c*) while ! test -e "{go_on}"; do sleep 0.05; done;; esac\nexec $REAL "$@"'
    monkeypatch.setenv("CC", str(script(tmp_path / "bin/cc", text)))
    building = Building(tiny(4) + f"/* {'-' * LARGE} */\n", open_library)
    end = time.monotonic() + 120
    while (quick := building.library_if_ready()) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert not building.done
    go_on.touch()
    best = building.library_if_ready(wait=True)
    assert best is not None
    assert best.path != quick.path
    assert quick.play_games(0, 1, SHAPE) == best.play_games(0, 1, SHAPE)


def test_without_optimisation_is_better_than_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'case "$*" in *-O0*) ;; *game.c*) echo internal error >&2; exit 1;; esac\nexec $REAL "$@"'
    monkeypatch.setenv("CC", str(script(tmp_path / "bin/cc", text)))
    building = Building(tiny(5) + f"/* {'-' * LARGE} */\n", open_library)
    assert building.library_if_ready(wait=True) is not None
    assert building.failure() is None


def test_why_there_is_no_library() -> None:
    building = Building("int play_games(void) { return wrong; }\n", open_library)
    assert building.library_if_ready(wait=True) is None
    failure = building.failure()
    assert isinstance(failure, NotBuilt)
    assert "failed: " in failure.reason


def asked_in_a_fork(building: Building) -> None:
    ready = building.library_if_ready(wait=True)
    os._exit(0 if ready is not None and ready.play_games(0, 1, SHAPE).decisions[0] == 6 else 1)


def test_a_forked_process_continues_independently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = tmp_path / "go on"
    monkeypatch.setenv("CC", str(waiting(tmp_path / "waiting", go_on, tmp_path / "begun")))
    building = Building(tiny(6), open_library)
    process = multiprocessing.get_context("fork").Process(target=asked_in_a_fork, args=(building,))
    process.start()
    go_on.touch()
    process.join(120)
    assert process.exitcode == 0
    assert building.library_if_ready(wait=True) is not None
