"""The hunt for faults from Python: `explore` and `mutate`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import regelwerk
from tests.cli.test_mutate import RULES

TOWER = """game "Tower" for 2 to 3 players ann, ben, cal

== components ==

note height: 0..40 = 0
note cracks: 0..3 = 0

== phases ==

phase building, turns from ann, over when height >= 6:
    must build or rest

action build:
    "build"
    add 1 to height

action rest:
    "rest"
    add 1 to cracks

action leave:
    "leave"

== scoring ==

winner highest height
"""


@pytest.fixture
def tower(tmp_path: Path) -> regelwerk.Game:
    path = tmp_path / "tower.rules"
    path.write_text(TOWER, encoding="utf-8")
    return regelwerk.load(path)


@pytest.fixture
def coins(tmp_path: Path) -> regelwerk.Game:
    path = tmp_path / "coins.rules"
    path.write_text(RULES, encoding="utf-8")
    return regelwerk.load(path)


def test_what_is_found_is_the_same_for_any_number_of_processes(tower: regelwerk.Game, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    alone, together = (
        regelwerk.explore(tower, decisions=6_000, seed=3, jobs=jobs, into=folder)
        for jobs, folder in enumerate(folders, 1)
    )
    (fault,) = alone.findings
    assert (fault.kind, fault.decisions, fault.words) == ("fault", 4, "4 is outside the range 0..3")
    assert fault.save is not None and len(regelwerk.resume(fault.save).legal_moves) == 2
    assert [part.words for part in alone.unreached] == ["action leave never done"]
    assert alone.is_grave and alone.players == (2, 3) and not alone.interrupted
    assert str(alone.as_data()).replace("/one/", "/two/") == str(together.as_data())
    kept, also_kept = ((folder / "tower.search.json").read_text("utf-8") for folder in folders)
    assert kept.partition('"seconds"')[0] == also_kept.partition('"seconds"')[0]
    assert kept.partition('"taken"')[2] == also_kept.partition('"taken"')[2]


def test_changes_are_the_same_for_any_number_of_processes(coins: regelwerk.Game) -> None:
    alone, together = (regelwerk.mutate(coins, only="action take", games=5, jobs=jobs) for jobs in (1, 2))
    assert alone.as_data() == together.as_data() and len(alone.missing()) > 5
    assert list(alone.tried) == list(together.tried)
    assert alone.missing()[0].first is not None and alone.missing()[0].example.startswith('example "action take')


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("call", [regelwerk.explore, regelwerk.mutate])
def test_a_call_that_is_stopped_returns_what_it_has(
    coins: regelwerk.Game, call: Callable[..., regelwerk.Exploration | regelwerk.Survey], jobs: int
) -> None:
    seen: list[regelwerk.Progress] = []
    enough = threading.Event()

    def show(progress: regelwerk.Progress) -> None:
        seen.append(progress)
        if progress.completed >= 8:
            enough.set()

    partial = call(coins, jobs=jobs, progress=show, stop=enough.is_set)
    assert partial.interrupted
    assert seen[-1].note and partial.as_data()["interrupted"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("call", [regelwerk.explore, regelwerk.mutate])
def test_an_interrupt_has_the_result_so_far(
    coins: regelwerk.Game, call: Callable[..., regelwerk.Exploration | regelwerk.Survey], jobs: int
) -> None:
    def interrupt(progress: regelwerk.Progress) -> None:
        if progress.completed == 8 or ("decisions, " in progress.note and progress.completed > 2_000):
            raise KeyboardInterrupt

    with pytest.raises(regelwerk.Interrupted) as interrupted:
        call(coins, jobs=jobs, progress=interrupt)
    assert interrupted.value.result.interrupted


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (regelwerk.explore, {"seconds": 0}), (regelwerk.explore, {"decisions": 0}), (regelwerk.explore, {"jobs": 0}),
        (regelwerk.mutate, {"only": "nothing of that name"}), (regelwerk.mutate, {"only": 3}),
        (regelwerk.mutate, {"seconds": "long"}), (regelwerk.mutate, {"into": 7}),
    ],
)  # fmt: skip
def test_wrong_arguments(coins: regelwerk.Game, call: Callable[..., object], arguments: dict[str, object]) -> None:
    with pytest.raises(regelwerk.UsageError):
        call(coins, **arguments)
    with pytest.raises(regelwerk.UsageError):
        call("coins.rules")


def test_what_is_in_the_way(coins: regelwerk.Game, tmp_path: Path) -> None:
    with pytest.raises(regelwerk.RunError, match="not a folder"):
        regelwerk.explore(coins, into=tmp_path / "coins.rules")
    path = tmp_path / "coins.rules"
    path.write_text(RULES.replace("count purse[ann] is 2", "count purse[ann] is 3"), encoding="utf-8")
    with pytest.raises(regelwerk.UsageError, match="fails already: no more than there are"):
        regelwerk.mutate(coins)
