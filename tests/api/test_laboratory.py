"""Statistics, comparisons and arenas from Python: the figures of the command, progress, and calls that end early."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import regelwerk
from tests.cli.terminal import heeding_interrupts
from tests.support.project import ROOT

PIG = {"goal": 20}


class Cautious:
    """A bot of a program, which never keeps anything."""

    def choose(self, situation: regelwerk.Situation) -> int:
        names = [move.name for move in situation.legal_moves]
        return names.index("hold") if "hold" in names else 0


class Bold:
    """A bot of a program, which always goes on."""

    def choose(self, situation: regelwerk.Situation) -> int:
        return 0


class Broken:
    """A bot of a program that makes no choice."""

    def choose(self, situation: regelwerk.Situation) -> int:
        raise OverflowError("it thinks too much")


@pytest.fixture(scope="module")
def pig() -> regelwerk.Game:
    return regelwerk.load("pig", options=PIG)


def of_command(*words: object) -> dict[str, object]:
    """What a verb prints as JSON; more processes of its own would take longer to start than what they do."""
    command = [sys.executable, "-m", "cli.main", *map(str, words), "--jobs", "1", "--format", "json"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    document: dict[str, object] = json.loads(result.stdout)
    return document


def without(document: dict[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in document.items() if name not in names}


# ---- the same figures as the command


def test_a_report_has_the_figures_of_the_command(pig: regelwerk.Game) -> None:
    report = regelwerk.simulate(pig, 12, seed=3, bots={"ann": "greedy"}, details=2, jobs=2)
    document = of_command(
        "simulate", "pig", "-o", "goal=20", "-n", 12, "--seed", 3, "--seat", "ann=greedy", "--details", 2
    )
    assert json.loads(json.dumps(report.as_data())) == without(document, "failed", "format", "format_version")
    assert report.wins["ann"] == report.figure("win:ann")
    assert report.even_share == 0.5 and not report.interrupted
    assert repr(report).startswith("<Report of Pig: 12 games, ann ")


def test_a_comparison_has_the_figures_of_the_command(pig: regelwerk.Game) -> None:
    pytest.importorskip("scipy")
    comparison = regelwerk.compare(pig, regelwerk.load("pig", options={"goal": 40}), 60, seed=2)
    options = ("--option-a", "goal=20", "--option-b", "goal=40")
    document = of_command("compare", "pig", "pig", *options, "-n", 60, "--seed", 2)
    assert json.loads(json.dumps(comparison.as_data())) == without(document, "failed", "format", "format_version")
    assert comparison.difference("decisions").verdict == "more"
    assert [*comparison.conclusions] == document["conclusions"]


def test_standings_are_those_of_the_command(pig: regelwerk.Game) -> None:
    standings = regelwerk.arena(pig, ["random", "greedy"], 8, seed=5)
    document = of_command("arena", "pig", "random", "greedy", "-o", "goal=20", "-n", 8, "--seed", 5)
    assert json.loads(json.dumps(standings.as_data())) == without(document, "failed", "format", "format_version")
    assert standings.bots[0].share >= standings.bots[1].share


def test_skill_is_an_arena_of_neighbours(pig: regelwerk.Game) -> None:
    standings = regelwerk.skill(pig, 2, stop=lambda: True)
    steps = [(match.bot, match.opponent) for match in standings.matches]
    assert steps[0] == ("greedy", "random")
    assert all(better == weaker for (better, _), (_, weaker) in pairwise(steps))


# ---- bots of a program


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_class_is_a_bot(pig: regelwerk.Game, jobs: int) -> None:
    # Two cautious ones would play for ever.
    standings = regelwerk.arena(pig, ["random", Bold, Bold], 4, jobs=jobs)
    assert {standing.bot for standing in standings.bots} == {"random", "Bold #1", "Bold #2"}
    assert regelwerk.arena(pig, ["random", Cautious], 4, jobs=jobs).matches[0].share == 1
    report = regelwerk.simulate(pig, 10, bots={"ben": Cautious}, jobs=jobs)
    assert report.wins["ben"].mean == 0


@pytest.mark.parametrize("make", [Broken, lambda: object(), lambda: 1 / 0], ids=["choice", "no_bot", "making"])
def test_a_bot_that_fails_is_an_error(pig: regelwerk.Game, make: Callable[[], regelwerk.Bot]) -> None:
    with pytest.raises(regelwerk.BotError):
        regelwerk.simulate(pig, 2, bots=make)


# ---- progress, and calls that end early


def calls(pig: regelwerk.Game) -> dict[str, Callable[..., object]]:
    """Long calls of each kind."""
    return {
        "simulate": lambda **named: regelwerk.simulate(pig, 5_000, bots="greedy", **named),
        "compare": lambda **named: regelwerk.compare(pig, pig, 5_000, bots="greedy", **named),
        "arena": lambda **named: regelwerk.arena(pig, ["greedy", "random"], 5_000, **named),
        "skill": lambda **named: regelwerk.skill(pig, 5_000, **named),
    }


@pytest.mark.parametrize(
    ("name", "jobs"),
    [
        ("simulate", 1), ("compare", 1), ("arena", 1), ("skill", 1), ("simulate", 2), ("arena", 2),
        pytest.param("compare", 2, marks=pytest.mark.long), pytest.param("skill", 2, marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_a_call_that_is_stopped_returns_what_it_has(pig: regelwerk.Game, name: str, jobs: int) -> None:
    if name == "compare":
        pytest.importorskip("scipy")
    seen: list[regelwerk.Progress] = []
    enough = threading.Event()

    def show(progress: regelwerk.Progress) -> None:
        seen.append(progress)
        if progress.completed >= 8:
            enough.set()

    result = calls(pig)[name](progress=show, stop=enough.is_set, jobs=jobs)
    assert result.interrupted  # type: ignore[attr-defined]
    done = [progress.completed for progress in seen]
    assert done == sorted(done) and done[0] == 0 and 8 <= done[-1] < 200
    assert all(progress.total >= 5_000 for progress in seen)
    assert seen[-1].seconds_left is not None or name == "compare"


def test_a_call_can_be_stopped_before_any_game(pig: regelwerk.Game) -> None:
    report = regelwerk.simulate(pig, 10, stop=lambda: True)
    assert report.interrupted and report.records == () and report.wins == {}
    assert report.even_share is None and report.as_data()["games"] == 0
    standings = regelwerk.arena(pig, ["random", "greedy"], 10, stop=lambda: True)
    assert standings.interrupted and standings.matches[0].games == 0


def test_calls_run_in_any_thread(pig: regelwerk.Game) -> None:
    reports: list[regelwerk.Report] = []
    thread = threading.Thread(target=lambda: reports.append(regelwerk.simulate(pig, 8, bots="greedy", jobs=2)))
    thread.start()
    thread.join()
    assert reports[0].wins == regelwerk.simulate(pig, 8, bots="greedy").wins


def test_an_exception_of_the_callback_ends_the_call_and_keeps_the_games(pig: regelwerk.Game, tmp_path: Path) -> None:
    def show(progress: regelwerk.Progress) -> None:
        if progress.completed >= 10:
            raise LookupError("enough")

    kept = tmp_path / "games.jsonl"
    with pytest.raises(LookupError, match="enough"):
        regelwerk.simulate(pig, 100, bots="greedy", progress=show, into=kept)
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 11
    played: list[int] = []
    report = regelwerk.simulate(pig, 15, bots="greedy", progress=lambda now: played.append(now.completed), into=kept)
    assert (played[0], len(report.records)) == (10, 15)


INTERRUPTED = """
import regelwerk

def main():
    pig = regelwerk.load("pig", options={"goal": 20})
    try:
        regelwerk.simulate(pig, 100_000, bots="greedy", progress=lambda now: print(now.completed, flush=True))
    except regelwerk.Interrupted as interrupt:
        print("interrupted", interrupt.result.interrupted, len(interrupt.result.records) > 0)
        raise

main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
def test_ctrl_c_raises_what_was_played() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=heeding_interrupts,
    )  # fmt: skip
    assert process.stdout is not None
    while process.stdout.readline().strip() not in ("3", "4", "5"):
        assert process.poll() is None
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert output.splitlines()[-1] == "interrupted True True"
    assert errors.splitlines()[-1].endswith("Interrupted"), "who does not ask for it ends as by any other Ctrl-C"


# ---- wrong arguments


WRONG: dict[str, Callable[[regelwerk.Game], object]] = {
    "no game": lambda pig: regelwerk.simulate("pig"),  # type: ignore[arg-type]
    "no games": lambda pig: regelwerk.simulate(pig, 0),
    "a fraction of games": lambda pig: regelwerk.simulate(pig, 1.5),  # type: ignore[arg-type]
    "a seat that is not there": lambda pig: regelwerk.simulate(pig, 1, bots={"zoe": "greedy"}),
    "a bot that is not there": lambda pig: regelwerk.simulate(pig, 1, bots="gredy"),
    "no bot": lambda pig: regelwerk.simulate(pig, 1, bots=7),  # type: ignore[arg-type]
    "a bot that cannot play it": lambda pig: regelwerk.simulate(pig, 1, bots="alphabeta"),
    "percent": lambda pig: regelwerk.simulate(pig, 1, until=1),
    "no process": lambda pig: regelwerk.simulate(pig, 1, jobs=0),
    "a backend that is not there": lambda pig: regelwerk.simulate(pig, 1, backend="rust"),  # type: ignore[arg-type]
    "no path": lambda pig: regelwerk.simulate(pig, 1, into=3),  # type: ignore[arg-type]
    "one bot": lambda pig: regelwerk.arena(pig, ["random"]),
    "bots in one text": lambda pig: regelwerk.arena(pig, "random greedy"),
    "a measure that is not there": lambda pig: regelwerk.simulate(pig, 1).figure("wins"),
    "a measure without a difference": lambda pig: regelwerk.compare(pig, pig, 1).difference("wins"),
    "sides without a common seat": lambda pig: regelwerk.compare(pig, regelwerk.load("tic_tac_toe"), 1, until=0.1),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_usage_errors(pig: regelwerk.Game, name: str) -> None:
    with pytest.raises(regelwerk.UsageError):
        WRONG[name](pig)


def test_a_file_of_other_games_is_refused(pig: regelwerk.Game, tmp_path: Path) -> None:
    regelwerk.simulate(pig, 2, into=tmp_path / "kept")
    with pytest.raises(regelwerk.RunError, match="holds results of other games: seed was 0, now it is 1"):
        regelwerk.simulate(pig, 2, seed=1, into=tmp_path / "kept")
