"""`simulate` and `perft --backend`: the same figures, whatever plays; a note where the machine engine cannot."""

from pathlib import Path

import pytest

from interpreter.analysis import backends, perft
from interpreter.engine.machine import games
from interpreter.engine.machine.hosts import NoMachineError

GAMES = ("-n", "60", "--seed", "4", "-j", "1")


@pytest.mark.parametrize("form", ["text", "json"])
def test_every_backend_gives_the_same_figures(run, form: str) -> None:
    found = {
        backend: run("simulate", "pig", *GAMES, "--format", form, "--backend", backend).stdout
        for backend in ("python", "machine", "auto")
    }
    assert found["machine"] == found["python"] == found["auto"]
    assert found["python"] == run("simulate", "pig", *GAMES, "--format", form).stdout


def test_processes_play_the_same_games(run) -> None:
    figures = [run("simulate", "pig", "-n", "60", "--backend", "machine", "-j", jobs).stdout for jobs in ("1", "2")]
    assert figures[0] == figures[1]


def test_a_long_run_changes_to_the_machine_engine(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as it is expected to pay off; games before and after are the same ones."""
    monkeypatch.setattr(backends, "WORTH_PREPARING", 50)
    prepared = []
    machine_game = backends.machine_game

    def noticed(program):
        prepared.append(program)
        return machine_game(program)

    monkeypatch.setattr(backends, "machine_game", noticed)
    words = ("simulate", "pig", "-n", "3000", "-j", "1")
    assert run(*words).stdout == run(*words, "--backend", "python").stdout
    assert prepared


def test_errors_are_those_of_python(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.rules").write_text(BROKEN, encoding="utf-8")
    words = ("simulate", "broken.rules", "-n", "20", "-j", "1", "--backend")
    results = [run(*words, backend) for backend in ("python", "machine")]
    assert results[0].output == results[1].output and [result.exit_code for result in results] == [1, 1]
    assert "is outside the range 0..9" in results[0].output


@pytest.mark.parametrize("game", ["tic_tac_toe", "pig", "kuhn_poker"])
def test_counts_are_the_same(run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the machine engine takes over in the middle of counting, and where chance is involved."""
    monkeypatch.setattr(perft, "WORTH_PREPARING", 0.0)
    words = ("perft", game, "--depth", "5", "--seed", "3", "--backend")
    found = [run(*words, backend).output for backend in ("python", "machine", "auto")]
    assert found[0] == found[1] == found[2]


def test_counted_faults_are_those_of_python(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.rules").write_text(BROKEN, encoding="utf-8")
    words = ("perft", "broken.rules", "--depth", "6", "--backend")
    results = [run(*words, backend) for backend in ("python", "machine")]
    assert results[0].output == results[1].output and [result.exit_code for result in results] == [1, 1]
    assert "is outside the range 0..9" in results[0].output


def refuse(binary: bytes) -> None:
    raise NoMachineError("the package wasmtime cannot be used here (no wheel)")


def test_without_the_machine_engine_python_plays_and_a_note_says_so(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "compiled_module", refuse)
    found = run("simulate", "pig", *GAMES, "--backend", "machine")
    assert found.exit_code == 0 and found.stdout == run("simulate", "pig", *GAMES, "--backend", "python").stdout
    assert "note: Python plays: the package wasmtime cannot be used here (no wheel)" in found.stderr


def test_a_backend_that_does_not_exist(run) -> None:
    found = run("simulate", "pig", "--backend", "rust")
    assert found.exit_code == 2 and "--backend must be one of auto, python, machine, not rust" in found.stderr


BROKEN = """\
game "Broken" for 1 to 2 players ann, ben

== components ==

note total: 0..9 = 0

== phases ==

phase main, turns from ann, over when total is 9:
    must raise

action raise(n: 1..4):
    "raise by {n}"
    add n to total

== scoring ==

winner highest (total)
"""
