"""The viewer runs until a value is so, stops at conditional breakpoints, keeps both beside the save, and branches."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from cli.branching import beside
from cli.save_paths import marks_path
from interpreter.errors import ExpressionError, UsageError
from interpreter.play.game import load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.play.trace import Position, Stop, Timeline
from tests.cli.conftest import PEBBLES, read
from tests.cli.terminal import PATIENCE
from tests.cli.viewing import at_once, played, viewing

LINES = Path(PEBBLES).read_text("utf-8").splitlines()


def line_with(text: str) -> int:
    return next(number for number, line in enumerate(LINES, 1) if text in line)


@pytest.fixture(scope="module")
def game():
    return played(PEBBLES, 3, seed=1059, turns="many")


@pytest.fixture(scope="module")
def timeline(game):
    return Timeline(game)


def all_positions(timeline):
    return [position for position, _ in timeline.all_events()]


# ---- until a value is so


def test_a_search_for_a_condition_finds_the_first_event_at_which_it_is_true(timeline):
    for text in ("count field is 2", "thrown > 3", "count bag < 20 and thrown is 0"):
        holding = [p for p in all_positions(timeline) if timeline.snapshot(p).evaluate(text).value == "true"]
        assert timeline.find(timeline.first, Stop(holds=text)) == next(p for p in holding if p > timeline.first)
        assert (
            timeline.find(timeline.last, Stop(holds=text), back=True)
            == holding[-1 if holding[-1] < timeline.last else -2]
        )


def test_a_search_for_another_value(timeline):
    value = timeline.snapshot(timeline.first).words("count field")
    found = timeline.find(timeline.first, Stop(differs=("count field", value)))
    assert timeline.snapshot(found).words("count field") != value
    assert timeline.snapshot(timeline.back(found)).words("count field") == value


def test_a_condition_on_a_line_sees_the_names_there(timeline):
    line, file = line_with("move 1 of kind from hand[me]"), timeline.game.rules.model.file.span.source.name
    timeline.check_condition("kind is stone", file, line)
    with pytest.raises(ExpressionError):
        timeline.check_condition("kind is stone", file, line_with("set thrown to luck"))
    with pytest.raises(UsageError, match="`thrown` is not a condition"):
        timeline.check_condition("thrown")
    found = timeline.find(timeline.first, Stop(line=line, file=file, holds="kind is stone"))
    assert found is not None
    assert ("kind", "stone") in timeline.snapshot(found).names


@at_once
async def test_run_until_a_condition_is_true(game, timeline):
    async with viewing(game) as viewer:
        await viewer.press("t")
        await viewer.answer("count field is 2")
        first = viewer.session.position
        assert first == timeline.find(timeline.first, Stop(holds="count field is 2"))
        await viewer.press("n")
        assert viewer.session.position > first
        await viewer.press("N")
        assert viewer.session.position == first
        await viewer.press("t")
        await viewer.answer("count field")
        assert "`count field` is not a condition" in viewer.text
        await viewer.answer("count feld is 1")
        assert "feld" in viewer.text
        assert "^" in viewer.text
        await viewer.answer("count field is 6 and count bag > 100")
        await viewer.press("escape")
        assert viewer.session.position == first


@at_once
async def test_run_until_a_value_changes(game, timeline):
    async with viewing(game) as viewer:
        await viewer.press("x")
        await viewer.answer("count field")
        one = viewer.session.position
        assert timeline.snapshot(one).words("count field") == "1"
        await viewer.press("n")
        two = viewer.session.position
        assert timeline.snapshot(two).words("count field") == "2"
        await viewer.press("N")
        assert viewer.session.position < two
        assert timeline.snapshot(viewer.session.position).words("count field") == "1"


@at_once
async def test_what_a_seat_may_not_know_stops_no_search():
    state = played(PEBBLES, 3, seed=1059, most=9, turns="many")
    async with viewing(state, "red", ("red",)) as viewer:
        for key, text in (("t", "hand[green] of gem is not empty"), ("x", "hand[green]")):
            await viewer.press("home", key)
            await viewer.answer(text)
            assert viewer.at == (0, 0), text
            assert "not found" in viewer.message


# ---- conditional breakpoints


@at_once
async def test_a_breakpoint_with_a_condition(game):
    line = line_with("move 1 of kind from hand[me]")
    async with viewing(game) as viewer:
        await viewer.press("1")
        await viewer.press(*["down"] * (line - viewer.app.source.cursor))
        await viewer.press("B")
        await viewer.answer("kind is nothing")
        assert viewer.session.breakpoints == {}
        await viewer.answer("kind is stone")
        assert viewer.message == f"breakpoint on line {line} while `kind is stone`; r runs to it"
        assert f"◆{line}" in viewer.text.replace(" ", "")
        await viewer.press("r")
        assert viewer.session.event.span.line == line
        assert dict(viewer.session.snapshot.names)["kind"] == "stone"
        first = viewer.at
        await viewer.press("r", "R")
        assert viewer.at == first
        await viewer.press("b")
        assert viewer.session.breakpoints == {}


# ---- beside the save


@pytest.fixture
def save(game, tmp_path):
    path = tmp_path / "game.json"
    write_save(path, game, SaveMeta(dict.fromkeys(game.game.seats, "random")))
    return path


def store(path: Path, owner: str = ""):
    saved = read_save(path)
    return beside(path, SaveMeta(saved.seats), owner)


@at_once
async def test_breakpoints_and_watches_are_there_again(game, save):
    async with viewing(game, save=store(save)) as viewer:
        await viewer.press("1", "down", "b", "down", "B")
        await viewer.answer("thrown > 3")
        await viewer.press("w")
        await viewer.answer("count field")
        breakpoints = viewer.session.breakpoints
    assert len(breakpoints) == 2
    assert marks_path(save).stat().st_mode & 0o077 == 0
    async with viewing(game, save=store(save)) as viewer:
        assert viewer.session.breakpoints == breakpoints
        assert "count field = 0" in viewer.text
        assert viewer.message.startswith("? help")
        await viewer.press("W", "1")
        for _ in range(2):
            viewer.session.toggle(*next(iter(viewer.session.breakpoints)))
    assert not marks_path(save).exists()


@at_once
async def test_marks_after_the_rules_have_changed(tmp_path):
    rules = tmp_path / "pebbles.rules"
    text = Path(PEBBLES).read_text("utf-8")
    rules.write_text(text, encoding="utf-8")
    state = load(rules, 2).start(seed=1)
    path = tmp_path / "game.json"
    write_save(path, state, SaveMeta({}))
    moved, gone = line_with("set thrown to luck"), line_with('"take a pebble out of the bag"')
    name = state.game.rules.model.file.span.source.name
    async with viewing(state, save=store(path)) as viewer:
        for line in (moved, gone):
            viewer.session.toggle(name, line)
    rules.write_text(text.replace('"take a pebble out of the bag"', '\n    "take one"'), encoding="utf-8")
    async with viewing(load(rules, 2).start(seed=1), save=store(path)) as viewer:
        assert viewer.message == "the rules have changed; 1 breakpoint dropped"
        assert list(viewer.session.breakpoints) == [(name, moved + 1)]


@at_once
async def test_each_person_at_a_keyboard_has_marks_of_their_own(game, save):
    async with viewing(game, "red", ("red",), save=store(save, "red")) as viewer:
        await viewer.press("w")
        await viewer.answer("count hand[me]")
    async with viewing(game, "green", ("green",), save=store(save, "green")) as viewer:
        assert viewer.session.watched == []
        await viewer.press("w")
        await viewer.answer("count field")
    async with viewing(game, "red", ("red",), save=store(save, "red")) as viewer:
        assert viewer.session.watched == ["count hand[me]"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": "regelwerk viewer"}', '{"format": "other", "seats": {"": {"watched": ["1"]}}}',
    '{"format": "regelwerk viewer", "seats": {"": {"watched": 3, "breakpoints": [1, {"file": 2, "line": "x"}]}}}'],
)  # fmt: skip
@at_once
async def test_a_damaged_file_is_no_obstacle(game, save, text):
    marks_path(save).write_text(text)
    async with viewing(game, save=store(save)) as viewer:
        assert viewer.session.watched == []
        assert viewer.session.breakpoints == {}


def test_marks_go_where_their_save_goes(run, own_folder):
    run("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--save", "one")
    folder = own_folder / "data" / "regelwerk" / "saves"
    marks = {"format": "regelwerk viewer", "seats": {"": {"breakpoints": [], "watched": ["count field"]}}}
    (folder / "one.viewer").write_text(json.dumps(marks))
    run("saves", "--rename", "one", "two")
    assert sorted(path.name for path in folder.iterdir()) == ["two.json", "two.viewer"]
    run("saves", "--delete", "two", "--yes")
    assert list(folder.iterdir()) == []


# ---- branches


@at_once
async def test_a_branch_from_the_viewer(game, save, own_folder):
    before = save.read_bytes()
    async with viewing(game, at=4, save=store(save)) as viewer:
        await viewer.press("s")
        assert viewer.message == "branched after decision 4: regelwerk play --resume game-at4"
    assert save.read_bytes() == before
    path = own_folder / "data" / "regelwerk" / "saves" / "game-at4.json"
    assert [move["move"] for move in read(path)["moves"]] == [made.notation for made in game.history[:4]]
    assert resume(read_save(path)).ply == 4
    assert read(path)["notes"][0]["kind"] == "branch"


@at_once
async def test_without_a_save_there_is_no_branch(game):
    async with viewing(game) as viewer:
        await viewer.press("s")
        assert viewer.message == "there is no save to branch from"


def test_on_a_terminal(terminal, run, own_folder):
    run("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--save", "one")
    viewer = terminal("trace", "one", "--at", "3", columns=100, lines=30)
    viewer.until("decision 3 of")
    viewer.type("\x1b")
    viewer.until("q leaves the viewer")
    viewer.type("w")
    viewer.until("watch which expression?")
    viewer.type("count field\r")
    viewer.until("count field =")
    viewer.type("s")
    viewer.until("branched after decision 3")
    viewer.type("q")
    deadline = time.monotonic() + PATIENCE
    folder = own_folder / "data" / "regelwerk" / "saves"
    while not (folder / "one.viewer").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sorted(path.name for path in folder.iterdir()) == ["one-at3.json", "one.json", "one.viewer"]
    again = terminal("trace", "one", columns=100, lines=30)
    again.until("count field")


def test_positions_of_a_seat_branch_where_that_seat_is(own_folder):
    state = played(PEBBLES, 3, seed=1059, most=12, turns="many")
    timeline = Timeline(state, "red")
    assert all(timeline.decisions(ply).stop <= state.ply for ply in range(timeline.plies + 1))
    assert timeline.decisions(timeline.plies).stop == state.ply
    assert timeline.snapshot(Position(timeline.plies)) is not None
