"""The recorded games are played as they were: a few of them in the normal run, all in the long one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from interpreter.seat.notation.moves import move_again
from regelwerk import LogEntry, State
from tests.recorded.__main__ import main
from tests.recorded.files import DATA, SUFFIX, Sitting, difference, differences, read
from tests.recorded.playing import TOLD, Positions, is_watched, play
from tests.recorded.small_games import SMALL
from tests.recorded.tables import SITTINGS, game_at, games_in_sitting, loaded, shipped, some_of, variants_of
from tests.support.long_run import one_in

NAMES = shipped()
CHUNKS = 8
"""In how many parts the games of a file are played, so that an interrupted run continues near where it stopped."""

SPREAD = (0, 39)
"""The tables of the normal run, by their numbers: one game is played at each.

The first has the fewest players and no options, the last others, and a variant if the game has any.
"""

SHORT = [
    name for name in NAMES if name not in {
        "chess", "china", "chinesische_mauer", "dschingis_khan", "fells_and_becks", "go", "mauerbauer", "spades",
        "tallow_lane",
    }
]  # fmt: skip
"""The games that take at most 60 decisions: one of every second is watched by everybody in the normal run."""


@cache
def recorded(name: str) -> list[Sitting]:
    """The recorded games of one file."""
    return read(DATA / f"{name}{SUFFIX}")


@pytest.mark.parametrize("name", one_in(2, NAMES, 1))
def test_two_games_are_played_as_recorded(name: str) -> None:
    sittings = recorded(name)
    found = [text for number in SPREAD for text in differences(sittings[number], 1)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", one_in(2, SHORT))
def test_a_short_game_is_played_as_recorded_with_everybody_watching(name: str) -> None:
    watched = [(line, each.table) for each in recorded(name) for line in each.lines if is_watched(line.seed)]
    line, table = min(watched, key=lambda found: (found[0].decisions, found[0].seed))
    now = play(game_at(table), table, line.seed, Positions())
    places = list(TOLD).index("places")  # they depend on the games before
    assert difference(line, replace(now, digests=(*now.digests[:places], line.digests[places]))) == ""


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", NAMES)
def test_all_games_are_played_as_recorded(name: str, chunk: int) -> None:
    found = [text for each in recorded(name)[chunk::CHUNKS] for text in differences(each)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_small_games_are_played_as_recorded(chunk: int, long_run: bool) -> None:
    """In the normal run one game at a quarter of the tables. A chunk has all of a game, whose rules are read once.

    Of each four, which are those of a game, one is taken in turn: together they have all numbers of players, options
    that are set and unset, and chance that is supplied and seeded.
    """
    sittings = recorded(SMALL)
    first, last = (place * len(sittings) // CHUNKS for place in (chunk, chunk + 1))
    taken = [each for place, each in enumerate(sittings[first:last], first) if long_run or place % 4 == place // 4 % 4]
    found = [text for each in taken for text in differences(each, None if long_run else 1)]
    assert not found, "\n".join(found)


# ---------------------------------------------------------------- what is recorded


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_players_option_and_variant_is_recorded(name: str) -> None:
    sittings = recorded(name)
    assert [line.seed for each in sittings for line in each.lines] == list(range(SITTINGS * games_in_sitting(name)))
    rules = f"games/{name}.rules"
    game = loaded(rules, None)
    assert {each.table.players for each in sittings} == set(game.counts)
    assert {path for each in sittings for path in each.table.variants} == set(variants_of(name))
    for info in game.option_info:
        played = {each.table.options.get(info.name, info.default) for each in sittings}
        assert played >= set(some_of(info.values))


def test_positions_are_reached_by_other_ways() -> None:
    """Otherwise it would not be noticed if equal positions had different keys."""
    ways = {name: sum(each.other_ways for each in recorded(name)) for name in NAMES}
    assert sum(1 for count in ways.values() if count > 100) > len(NAMES) / 3, ways


def test_small_games_fail_in_every_way() -> None:
    faults = {fault for each in recorded(SMALL) for line in each.lines for fault in line.faults}
    for words in (
        "is outside the range", "can hold only one piece", "is none", "is empty", "has not been rolled",
        "nothing matches", "there is no", "trigger each other endlessly", "turns repeat endlessly", "legal moves: ",
        "setup: ", "view of ", "outcome: ",
    ):  # fmt: skip
        assert any(words in fault for fault in faults), words


# ---------------------------------------------------------------- what is noticed

NOTICED = 10
"""In how many games a change has to be noticed, in most of them."""


def reversed_moves(original: property) -> property:
    """The legal moves in the wrong order."""
    assert original.fget is not None
    moves = original.fget
    return property(lambda state: tuple(reversed(moves(state))))


def shorter_log(log: Callable[..., list[LogEntry]]) -> Callable[..., list[LogEntry]]:
    """A log without its last entry."""
    return lambda *arguments, **named: log(*arguments, **named)[:-1]


def same_key(key: Callable[[State], str]) -> Callable[[State], str]:
    """One key for all positions."""
    return lambda state: "the same"


def other_key(key: Callable[[State], str]) -> Callable[[State], str]:
    """A key that tells equal positions apart."""
    return lambda state: f"{key(state)} {[made.notation for made in state.history]}"


def labels(original: property) -> property:
    """The legal moves with another label."""
    assert original.fget is not None
    moves = original.fget
    return property(lambda state: tuple(
        move_again(m.name, m.arguments, "?", m.notation, m.code, m.parts, m.names) for m in moves(state)
    ))  # fmt: skip


def test_where_nothing_changed_nothing_is_noticed() -> None:
    assert differences(recorded("nim")[0], NOTICED) == []


@pytest.mark.parametrize(
    ("what", "changed", "told"),
    [
        ("legal_moves", reversed_moves, "different legal moves, "),
        ("legal_moves", labels, "different legal moves, first at decision 0"),
        ("log", shorter_log, "different logs, with the same moves throughout"),
        ("key", same_key, "different which positions are equal, "),
        ("key", other_key, "different which positions are equal, "),
    ],
)
def test_a_change_is_noticed_and_named(
    what: str, changed: Callable[[object], object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = recorded("nim")[0]
    monkeypatch.setattr(State, what, changed(getattr(State, what)))
    found = differences(sitting, NOTICED)
    assert len(found) > NOTICED / 2
    assert all("nim, 2 players (no options; supplied chance), seed " in text for text in found)
    assert any(told in text for text in found)


def test_a_fault_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = next(each for each in recorded(SMALL) if any(line.faults for line in each.lines))
    monkeypatch.setattr("tests.recorded.playing.Account.fault", lambda *ignored: None)
    assert any("different outcome, chance or faults" in text and "no longer: " in text for text in differences(sitting))


def test_one_game_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["recorded", "show", "nim", "3"])
    assert main() == 0
    shown = capsys.readouterr().out
    assert shown.startswith("nim, 2 players (no options; supplied chance)\n0 places\n    0\n0 moves\n    Question(")
    assert "\n    take(1, 1)\ttake\t{'x': 1, 'n': 1}\ttake 1 " in shown


@pytest.mark.parametrize("number", [0, pytest.param(30, marks=pytest.mark.long)])
def test_a_record_is_renewed_only_for_a_reason(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As long as the game is the same and has nothing new, its record is kept; what is different is printed."""
    copy = Path(shutil.copy(DATA / f"tic_tac_toe{SUFFIX}", tmp_path))
    monkeypatch.setattr("tests.recorded.__main__.DATA", tmp_path)
    monkeypatch.setattr("sys.argv", ["recorded", "renew", "tic_tac_toe", str(number)])
    before = read(copy)
    assert main() == 1
    assert "kept" in capsys.readouterr().out and read(copy) == before
    monkeypatch.setattr(State, "log", shorter_log(State.log))
    assert main() == 0
    assert "different logs, with the same moves throughout" in capsys.readouterr().out
    changed = [place for place, (old, new) in enumerate(zip(before, read(copy), strict=True)) if old != new]
    assert changed == [number]
