"""The trace viewer: every key, what it shows and where it goes."""

import random
import shutil
import statistics
import time
from pathlib import Path

import pytest

from cli.errors import MisuseError
from cli.seat_access import SeatAccess, seat_access
from dsl.text.span import Source
from interpreter.play.game import load
from interpreter.play.scenes.starting import game_at
from interpreter.play.state import back_to
from interpreter.play.trace import Position, Timeline
from tests.cli.conftest import PEBBLES
from tests.cli.viewing import at_once, played, viewing


@pytest.fixture(scope="module")
def game():
    return played(PEBBLES, 3, seed=1059, turns="many")


@pytest.fixture(scope="module")
def timeline(game):
    return Timeline(game)


# ---- steps


@at_once
async def test_steps(game, timeline):
    async with viewing(game) as viewer:
        assert viewer.at == (0, 0)
        for key, step in (
            ("i", timeline.into), ("full_stop", timeline.next_decision), ("space", timeline.into),
            ("i", timeline.into), ("i", timeline.into), ("o", timeline.over), ("u", timeline.out),
            ("minus", timeline.back), ("backspace", timeline.back), ("comma", timeline.previous_decision),
        ):  # fmt: skip
            wanted = step(viewer.session.position)
            await viewer.press(key)
            assert viewer.session.position == wanted, key
        await viewer.press("end")
        assert viewer.session.position == timeline.last
        await viewer.press("i")
        assert viewer.message == "this is the last event"
        await viewer.press("home")
        assert viewer.at == (0, 0)
        await viewer.press("minus")
        assert viewer.message == "this is the beginning"
        await viewer.press("right")
        assert viewer.message.startswith("? help")


@at_once
async def test_rules_follow_the_events_with_the_line_centred(game):
    async with viewing(game, at=1) as viewer:
        for _ in range(4):
            await viewer.press("i")
            line = viewer.session.span.line
            assert f"pebbles.rules:{line}" in viewer.text
            assert f"{line}►" in viewer.text
            top = round(viewer.app.source.scroll_offset.y)
            assert abs(top + viewer.app.source.lines // 2 - (line - 1)) <= 1


@at_once
async def test_keys_that_come_fast_are_all_heard_and_drawn_once(game, timeline):
    async with viewing(game) as viewer:
        drawn = []
        show = viewer.app._show
        viewer.app._show = lambda: drawn.append(1) or show()
        for _ in range(30):
            viewer.app.action_step("into")
        await viewer.press()
        await viewer.pilot.pause()
        position = timeline.first
        for _ in range(30):
            position = timeline.into(position)
        assert viewer.session.position == position
        assert len(drawn) == 1


# ---- the outline


@at_once
async def test_outline_goes_from_row_to_row_and_folds(game, timeline):
    async with viewing(game, at=2) as viewer:
        rows = viewer.app.outline.rows
        assert len(rows) == timeline.plies + len(timeline.events(2))
        await viewer.press("down")
        assert viewer.at == (2, 1)
        place = next(n for n, event in enumerate(timeline.events(2)) if n and rows.has_inside(Position(2, n)))
        await viewer.press(*["down"] * (place - 1))
        assert viewer.at == (2, place)
        await viewer.press("left")
        assert " more" in viewer.text
        folded = len(rows)
        await viewer.press("down")
        after = timeline.events(2)[viewer.session.position.event] if viewer.at[0] == 2 else None
        assert after is None or after.depth <= timeline.events(2)[place].depth
        await viewer.press("up", "right")
        assert len(rows) > folded
        await viewer.press("right")
        assert viewer.at == (2, place + 1)
        while viewer.session.event.depth > timeline.events(2)[place].depth:
            await viewer.press("left", "left")
        assert viewer.at == (2, place)


@at_once
async def test_a_run_unfolds_what_it_finds(game):
    async with viewing(game, at=1) as viewer:
        await viewer.press("down", "slash")
        await viewer.answer("→")
        found = viewer.at
        assert found[1] > 0
        await viewer.press("u", "g")
        await viewer.answer(str(found[0]))
        rows = viewer.app.outline.rows
        for place in range(1, found[1]):
            rows.folded |= {Position(found[0], place)} if rows.has_inside(Position(found[0], place)) else set()
        await viewer.press("n")
        assert viewer.at == found
        assert rows[rows.number_of(viewer.session.position)].position == viewer.session.position


# ---- running on


@at_once
async def test_search_forward_and_back(game):
    async with viewing(game) as viewer:
        await viewer.press("n")
        assert "nothing to repeat yet" in viewer.message
        await viewer.press("slash")
        await viewer.answer("HUT")
        first = viewer.at
        assert "hut" in viewer.session.event.text.lower()
        await viewer.press("n")
        assert viewer.at > first
        await viewer.press("N")
        assert viewer.at == first
        await viewer.press("slash")
        await viewer.answer("no such words")
        assert viewer.at == first
        assert viewer.message == "`no such words`: not found after this event"
        await viewer.press("slash", "up")
        assert "no such words" in viewer.text
        await viewer.press("escape")
        assert viewer.app.is_running


@at_once
async def test_run_to_a_change(game):
    async with viewing(game) as viewer:
        await viewer.press("c")
        await viewer.answer("feild")
        assert "there is no place or note `feild` here; did you mean field" in viewer.text
        await viewer.answer("field")
        assert "field" in viewer.session.event.what
        await viewer.press("c")
        await viewer.answer("hand")
        assert any(name.startswith("hand[") for name in viewer.session.event.what)


@at_once
async def test_run_to_a_decision_of_a_seat_and_to_chance(game):
    async with viewing(game) as viewer:
        await viewer.press("d")
        assert "1 red" in viewer.text
        await viewer.press("3")
        assert (viewer.session.event.kind, viewer.session.event.seat) == ("decision", "blue")
        await viewer.press("home", "h")
        assert viewer.session.event.kind == "chance"
        await viewer.press("d", "down", "enter")
        assert viewer.session.event.seat == "green"


@at_once
async def test_the_position_is_copied_as_an_example(game):
    async with viewing(game) as viewer:
        await viewer.press(".", ".", "P")
        assert "copied as an example" in viewer.message
        first, *lines = viewer.app.clipboard.splitlines()
        assert first == 'example "after 2 decisions":'
        assert all(line.startswith("    ") for line in lines)
        copied = game_at(viewer.session.game, Source("copied", "\n".join(lines))).start()
        assert copied.view(None) == back_to(viewer.session.state, 2).view(None)


@at_once
async def test_breakpoints_and_the_events_of_a_line(game):
    lines = Path(PEBBLES).read_text("utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "from store[me] to field" in text)
    async with viewing(game) as viewer:
        await viewer.press("r")
        assert "there is no breakpoint yet" in viewer.message
        await viewer.press("1")
        await viewer.press(*["down"] * (line - viewer.app.source.cursor))
        await viewer.press("b")
        assert viewer.message == f"breakpoint on line {line} set; r runs to it"
        assert f"●{line}" in viewer.text.replace(" ", "")
        await viewer.press("r")
        first = viewer.at
        assert viewer.session.event.span.line == line
        await viewer.press("enter")
        assert viewer.session.event.span.line == line
        assert viewer.at > first
        await viewer.press("L")
        assert viewer.at == first
        await viewer.press("up", "b", "r")
        assert viewer.at >= first
        assert viewer.session.event.span.line in (line, line - 1)
        await viewer.press("b")
        assert len(viewer.session.breakpoints) == 1


@at_once
async def test_with_several_breakpoints_the_nearest_is_found(game, timeline):
    name = game.game.rules.model.file.span.source.name
    lines = sorted({event.span.line for ply in range(6) for event in timeline.events(ply) if event.span})
    async with viewing(game) as viewer:
        for line in lines:
            viewer.session.toggle(name, line)
        await viewer.press("r", "r", "r")
        seen = [p for p in _positions(timeline, 6) if timeline.event(p).span and p > timeline.first]
        assert viewer.session.position == seen[2]
        await viewer.press("R")
        assert viewer.session.position == seen[1]


def _positions(timeline, plies):
    return [Position(ply, place) for ply in range(plies) for place in range(len(timeline.events(ply)))]


@at_once
async def test_go_to_a_decision(game, timeline):
    async with viewing(game) as viewer:
        await viewer.press("g")
        await viewer.answer("many")
        assert "the decisions are numbered 1 to" in viewer.text
        await viewer.answer("5")
        assert viewer.at == (5, 0)
        assert timeline.headline(5) in viewer.text
        assert f"decision 5 of {timeline.plies}" in viewer.text


# ---- what changed, values, expressions


@at_once
async def test_changes_are_shown_before_and_after(game, timeline):
    async with viewing(game) as viewer:
        await viewer.press("c")
        await viewer.answer("field")
        await viewer.press("minus")
        before, after = viewer.session.changes()[0].before, viewer.session.changes()[0].after
        await viewer.press("i")
        change = viewer.session.changes()[0]
        assert (change.before, change.after) == (after, before)
        assert f"→ {change.after}" in viewer.text
        assert "4 changes since decision" in viewer.text


@at_once
async def test_an_expression_is_evaluated_at_the_moment(game, timeline):
    async with viewing(game, at=3) as viewer:
        await viewer.press("e")
        await viewer.answer("points(red)")
        value = timeline.snapshot(Position(3)).evaluate("points(red)").value
        assert f"points(red) = {value}" in viewer.text
        await viewer.press("escape", "equals_sign")
        await viewer.answer("count hond[red]")
        assert "no zone, note or die `hond`" in viewer.text
        assert "      ^^^^" in viewer.text
        await viewer.answer("count hand[red]")
        assert "count hand[red] = " in viewer.text
        await viewer.press("q")
        assert viewer.app.is_running


@at_once
async def test_watched_expressions(game):
    async with viewing(game) as viewer:
        await viewer.press("W")
        assert viewer.message == "nothing is watched yet; w watches an expression"
        await viewer.press("w")
        await viewer.answer("count field")
        assert "count field = 0" in viewer.text
        await viewer.press("c")
        await viewer.answer("field")
        assert "count field = 1" in viewer.text
        await viewer.press("w")
        await viewer.answer("count (field")
        assert len(viewer.session.watched) == 1
        await viewer.press("escape", "W", "1")
        assert viewer.session.watched == []


@at_once
async def test_why_a_move_is_legal_or_not(game):
    async with viewing(game, at=1) as viewer:
        await viewer.press("y")
        await viewer.answer("show(gem)")
        assert "`show(gem)` is" in viewer.text


# ---- panes, help, leaving


@at_once
async def test_panes_by_number_tab_and_zoom(game):
    async with viewing(game, size=(80, 24)) as viewer:
        assert "2 events  3 table  4 changes  5 values" in viewer.text
        await viewer.press("3")
        assert "Street" in viewer.text
        await viewer.press("z")
        assert "action grab" not in viewer.text
        assert "Players" in viewer.text
        await viewer.press("escape")
        assert viewer.app.is_running
        assert "pebbles.rules" in viewer.text
        await viewer.press("tab")
        assert "nothing yet; take a step" in viewer.text
        await viewer.press("1", "z")
        assert "changes" not in viewer.text


@at_once
async def test_help_names_every_key(game):
    async with viewing(game, size=(120, 60)) as viewer:
        await viewer.press("question_mark")
        for words in (
            "into: the next event",
            "view the game as a different seat",
            "set or clear a breakpoint",
            "go to a decision",
        ):
            assert words in viewer.text
        await viewer.press("escape")
        assert "into: the next event" not in viewer.text


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+c", 130)])
@at_once
async def test_leaving(game, key, code):
    async with viewing(game) as viewer:
        await viewer.pilot.press(key)
        assert viewer.app.return_value == code


@at_once
async def test_escape_does_not_leave(game):
    async with viewing(game) as viewer:
        await viewer.press("slash", "escape", "z", "escape", "escape", "escape")
        assert viewer.app.is_running
        assert viewer.message == "q leaves the viewer"
        await viewer.press("i")
        assert viewer.at == (0, 1)


@at_once
async def test_ctrl_c_leaves_a_question_too(game):
    async with viewing(game) as viewer:
        await viewer.press("slash")
        await viewer.pilot.press("ctrl+c")
        assert viewer.app.return_value == 130


@at_once
async def test_another_size_is_taken_over(game):
    async with viewing(game, size=(120, 40)) as viewer:
        for size, seen in (((80, 24), "2 events  3 table"), ((40, 10), "needs at least 50"), ((200, 60), "4 changes")):
            await viewer.pilot.resize_terminal(*size)
            await viewer.press()
            await viewer.pilot.pause()
            assert seen in viewer.text
            assert all(len(line) <= size[0] for line in viewer.text.splitlines())


# ---- as one seat


@at_once
async def test_eyes_after_the_game(game):
    async with viewing(game, at=8) as viewer:
        assert "blue: Hand:" in viewer.text
        await viewer.press("v", "2")
        assert "as seen by red" in viewer.text
        assert "3 hidden" in viewer.text
        assert viewer.at == (8, 0)
        await viewer.press("end")
        assert "hidden" not in viewer.text.split("3 table")[1].split("5 values")[0].partition("2 events")[0]
        await viewer.press("v", "1")
        assert "as seen by" not in viewer.text


@at_once
async def test_during_a_game_only_the_eyes_of_the_seat():
    state = played(PEBBLES, 3, seed=1059, most=9, turns="many")
    async with viewing(state, "red", ("red",)) as viewer:
        assert " v seat" not in viewer.text
        await viewer.press("v")
        assert viewer.message == "another seat can be chosen only after the game, or with --all"
        seen = viewer.text
        await viewer.press("end", "e")
        await viewer.answer("hand[green]")
        seen += viewer.text
        assert "hidden" in seen
        assert "You: green" not in seen


@at_once
async def test_why_tells_nothing_about_what_another_seat_may_do():
    state = played(PEBBLES, 3, seed=1059, most=9, turns="many")
    timeline = Timeline(state, "red")
    async with viewing(state, "red", ("red",)) as viewer:
        await viewer.press("y")
        await viewer.answer("show(gem)")
        assert "no decision is pending" in viewer.text
        await viewer.press("escape", "g")
        await viewer.answer(str(next(n for n in range(1, 9) if timeline.seat(n) == "green")))
        await viewer.press("y")
        await viewer.answer("show(gem)")
        assert "it is not red's decision, and the moves of others are not shown" in viewer.text
        await viewer.press("escape", "g")
        await viewer.answer(str(next(n for n in range(1, 9) if timeline.seat(n) == "red")))
        await viewer.press("y")
        await viewer.answer("show(gem)")
        assert "is not told" not in viewer.text


def test_whose_eyes_before_the_end():
    both = {"red": "human", "green": "human", "blue": "random"}
    hidden = played(PEBBLES, 3, seed=1059, most=3)
    assert not hidden.game.is_open
    assert seat_access(hidden, {**both, "green": "random"}, opened=False, as_seat=None) == SeatAccess("red", ("red",))
    assert seat_access(hidden, both, opened=False, as_seat="green") == SeatAccess("green", ("green",))
    assert seat_access(hidden, both, opened=True, as_seat=None) == SeatAccess(None, (None, "red", "green", "blue"))
    for as_seat, words in (
        (None, "choose a seat with"),
        ("blue", "not played by a person"),
        ("rad", "did you mean red"),
    ):
        with pytest.raises(MisuseError, match=words):
            seat_access(hidden, both, opened=False, as_seat=as_seat)
    nothing_hidden = played("tic_tac_toe", 2, most=3)
    assert nothing_hidden.game.is_open
    people = dict.fromkeys(nothing_hidden.game.seats, "human")
    assert seat_access(nothing_hidden, people, opened=False, as_seat=None).as_seat is None


# ---- long games


@pytest.mark.long
@at_once
async def test_a_step_in_a_game_of_two_thousand_decisions_takes_no_tenth_of_a_second(tmp_path):
    """In time of the processor, so that it does not matter what else runs; games of such a length are drawn before."""
    rules = Path(__file__).parents[2] / "games" / "nine_mens_morris.rules"
    text = rules.read_text("utf-8").replace("..400", "..2500").replace("= 200", "= 2500")
    shutil.copytree(rules.parent / "boards", tmp_path / "boards")
    path = tmp_path / "long.rules"
    path.write_text(text, encoding="utf-8")
    state = _careful(str(path), 2_000)
    async with viewing(state, size=(200, 60)) as viewer:
        app, places = viewer.app, random.Random(1)
        for step in (
            lambda: app.action_step("into"),
            lambda: app.action_step("next_decision"),
            lambda: app.action_step("back"),
            lambda: app.go(viewer.session.to_decision(places.randrange(2_000))),
        ):
            taken = []
            for _ in range(50):
                begun = time.process_time()
                step()
                app._show()
                app._show_rest()
                app.screen._compositor.render_update(full=True)
                taken.append(time.process_time() - begun)
            assert statistics.median(taken) < 0.1


def _careful(name, plies):
    """A game of random moves in which nothing is taken if it can be helped."""
    state, chosen = load(name, 2).start(seed=1), random.Random(1)
    while state.ply < plies:
        for _ in range(4):
            state.push(chosen.choice(state.legal_moves))
            if state.outcome is None and not state.question.names[0].startswith("take"):
                break
            state.pop()
        else:
            state.push(chosen.choice(state.legal_moves))
    return state


@at_once
async def test_a_table_that_has_no_value_amid_the_setup(tmp_path):
    """The king of chess is looked for before it is on the board."""
    async with viewing(played("chess", 2, most=2)) as viewer:
        for _ in range(6):
            await viewer.press("i")
        assert viewer.app.is_running
        assert "`king(p)` is none" in viewer.text
        await viewer.press("full_stop", "i", "i")
        assert "`king(p)` is none" not in viewer.text
