"""The long run continues where it stopped, can be split, and says how long it takes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.long_run import read_results, recorded, share
from tests.support.project import ROOT

SAMPLE = """
import os, signal, pathlib, pytest

@pytest.mark.parametrize("number", range(6))
def test_counts(number):
    seen = pathlib.Path("seen")
    seen.write_text((seen.read_text() if seen.exists() else "") + str(number))
    if number == 3 and not pathlib.Path("calm").exists():
        os.kill(os.getpid(), signal.SIGKILL)

def test_fails_at_first():
    assert pathlib.Path("calm").exists()
"""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_sample.py").write_text(SAMPLE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for name in ("pyproject.toml", "README.md"):
        (tmp_path / name).write_text("")
    return tmp_path


def run(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "xdist",
        "-p",
        "tests.support.long_run",
        "-p",
        "no:cacheprovider",
        "--results",
        "out",
    ]
    return subprocess.run(
        [*words, *flags], cwd=folder, capture_output=True, text=True, timeout=60,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # others take long to import
    )  # fmt: skip


def seen(folder: Path) -> str:
    return (folder / "seen").read_text()


def test_a_killed_run_continues(sample: Path) -> None:
    assert run(sample, "-n", "0").returncode == -9
    assert seen(sample) == "0123"
    (sample / "calm").touch()
    again = run(sample, "-n", "0")
    assert again.returncode == 0
    assert "long run: 4 tests" in again.stdout and "3 tests are done already" in again.stdout
    assert seen(sample) == "0123" + "345"
    assert run(sample, "-n", "0").returncode == 0
    assert seen(sample) == "0123345", "what has passed is run again"
    run(sample, "-n", "0", "--fresh")
    assert seen(sample) == "0123345" + "012345"


def test_what_failed_is_run_again(sample: Path) -> None:
    assert run(sample, "-n", "0", "-k", "fails").returncode == 1
    (sample / "calm").touch()
    assert run(sample, "-n", "0", "-k", "fails").returncode == 0
    assert read_results(sample / "out")["tests/test_sample.py::test_fails_at_first"].outcome == "passed"


def test_another_version_starts_over(sample: Path) -> None:
    (sample / "calm").touch()
    assert run(sample, "-n", "0").returncode == 0
    (sample / "README.md").write_text("changed")
    assert "7 to do" in run(sample, "--list").stdout
    assert "7 passed" in run(sample, "--list", "--accept-older").stdout
    assert run(sample, "-n", "0", "--accept-older").returncode == 0
    assert seen(sample) == "012345"
    run(sample, "-n", "0")
    assert seen(sample) == "012345" * 2


def test_several_processes_and_shares(sample: Path) -> None:
    (sample / "calm").touch()
    first = run(sample, "-n", "2", "--split", "1/2")
    assert "about 0 minutes with 2 processes" in first.stdout
    tests = read_results(sample / "out")
    assert 0 < len(tests) < 7
    assert run(sample, "-n", "2", "--split", "2/2", "--record").returncode == 0
    assert len(read_results(sample / "out")) == 7
    assert json.loads((sample / "tests/long_durations.json").read_text()) == {}
    assert "takes I/N" in run(sample, "--split", "3/2").stderr


def test_shares_are_whole_and_about_equal() -> None:
    durations = {f"t{n}": float(n) for n in range(40)}
    shares = [share(list(durations), durations, number, 3) for number in (1, 2, 3)]
    assert sorted(test for each in shares for test in each) == sorted(durations)
    loads = [sum(durations[test] for test in each) for each in shares]
    assert max(loads) - min(loads) <= 20


def test_a_cut_off_line_is_skipped(tmp_path: Path) -> None:
    whole = '{"test": "a", "outcome": "passed", "seconds": 3.0, "version": "v"}\n'
    (tmp_path / "out").write_text(whole + whole[:20])
    results = read_results(tmp_path / "out")
    assert list(results) == ["a"]
    assert json.loads(recorded(results.values())) == {"a": 3.0}
