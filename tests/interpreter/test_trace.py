"""The trace: its text stays the same, every rule has its line, every snapshot can be visited, nothing is given away."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from interpreter.errors import ExpressionError
from interpreter.play.game import Game, State, load
from interpreter.play.trace import LEVELS, Event, Position, Stop, Timeline, outline
from tests.support.resampling import resampled

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
UPDATE = os.environ.get("REGELWERK_UPDATE") == "1"
WALL = "chinesische_mauer"
TITLES = {WALL: 40, "china": 14, "mauerbauer": 14, "dschingis_khan": 14}
LOOPS = HERE / "rules" / "loops.rules"
PIG = HERE.parent / "games" / "small" / "pig.rules"


def played(game: Game, seed: int, decisions: int) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while state.player is not None and state.ply < decisions:
        state.push(rng.choice(state.legal_moves))
    return state


def walked(name: str, decisions: int) -> State:
    """A game whose moves follow from their numbers."""
    state = load(name).start(7)
    while state.player is not None and state.ply < decisions:
        moves = state.legal_moves
        state.push(moves[state.ply * 5 % len(moves)])
    return state


def written(depth: int, position: Position, event: Event) -> str:
    """A line of the golden file: without line numbers, which change with every edit of the rules."""
    cites = f"  [{' '.join(event.cites)}]" if event.cites else ""
    values = "".join(f"  {name} = {value}" for name, value in event.values)
    at = "  @" if event.location else ""
    return f"{position.ply:3} {'  ' * depth}{event.kind}: {event.text}{at}{cites}{values}"


@pytest.mark.parametrize("name", TITLES)
def test_the_trace_of_a_game_matches_its_golden_file(name: str) -> None:
    timeline = Timeline(walked(name, TITLES[name]))
    lines = outline(timeline.all_events(), "everything")
    text = "".join(f"{written(*line)}\n" for line in lines)
    path = GOLDEN / f"trace_{name}.txt"
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "REGELWERK_UPDATE=1 writes the file anew"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_events_about_a_rule_name_its_line(players: int) -> None:
    game = load(WALL, players)
    source = game.path.read_text(encoding="utf-8").splitlines()
    for _, event in Timeline(played(game, players, 1000)).all_events():
        if event.kind in ("rule", "statement", "requirement", "asked", "condition", "round", "decision", "turn"):
            file, number, column = event.location.rsplit(":", 2)
            assert file.endswith("chinesische_mauer.rules")
            text = source[int(number) - 1]
            start = " ".join(text[int(column) - 1 :].split())
            assert start
            if event.kind == "statement":
                assert start.startswith(event.text.split(" because ")[0][:20])
                assert all(item in text for item in event.cites)
            if event.kind == "condition":
                assert start.startswith("if")
        assert "\n" not in event.text


def test_the_items_cited_by_rules_at_work_appear() -> None:
    """Over a few whole games the trace cites every item that some played rule or statement cites."""
    seen: set[str] = set()
    for seed in range(6):
        for _, event in Timeline(played(load(WALL, 2 + seed % 3), seed, 1000)).all_events():
            seen |= set(event.cites)
    early = {2, 4, 6, 7, 9, 10, 12, 14, 15, 33, 36, 38, 45, 47, 48, 49}
    late = {50, 52, 54, 55, 56, 58, 60, 62}
    assert {f"CM-{number:02}" for number in early | late} <= seen


def single(lines: Sequence[str]) -> list[str]:
    """Changes one by one, sorted: a log tells pieces that go the same way together."""
    found = []
    for line in lines:
        what, arrow, way = line.partition(": ")
        if " → " not in way or not re.fullmatch(r"(\d+ )?[^:]*", what) or "[" in what:
            found.append(line)
            continue
        for part in re.split(r", (?![^(]*\))", what):
            count = re.match(r"(\d+) (?=\D)", part)
            found += [f"{part[count.end() if count else 0 :]}{arrow}{way}"] * (int(count[1]) if count else 1)
    return sorted(found)


@pytest.mark.parametrize("name", [*TITLES, PIG])
def test_every_decision_has_its_reasons_and_changes(name: str | Path) -> None:
    state = played(load(name, 3), 2, 60)
    timeline = Timeline(state)
    events = [event for _, event in timeline.all_events()]
    decisions = [event.text for event in events if event.kind == "decision"]
    assert decisions == [f"{made.player}: {made.label}" for made in state.history]
    assert [timeline.headline(ply) for ply in range(1, timeline.plies + 1)] == decisions
    asked = [event for event in events if event.kind == "asked" and re.search(r"\d+ legal move", event.text)]
    assert len(asked) == state.ply
    assert all(event.verdict for event in events if event.kind == "requirement")
    changes = [event.text for event in events if event.kind in ("change", "chance")]
    told = [detail for entry in state.log(None) for detail in entry.details]
    assert single(changes) == single(told), "the trace tells the changes the log tells"


@pytest.mark.parametrize("name", TITLES)
def test_nesting_of_events(name: str) -> None:
    """Depths grow by one at most, and every statement stands inside a rule."""
    above: list[Event] = []
    for _, event in Timeline(played(load(name, 3), 3, 80)).all_events():
        assert event.depth <= len(above)
        del above[event.depth :]
        if event.kind in ("change", "statement", "condition", "requirement"):
            assert above
        above.append(event)


def test_each_level_shows_a_part_of_the_next() -> None:
    events = list(Timeline(played(load(WALL, 3), 3, 30)).all_events())
    told = [[position for _, position, _ in outline(events, level)] for level in LEVELS]
    for fewer, more in pairwise(told):
        assert set(fewer) < set(more)
    assert told[-1] == [position for position, _ in events]
    assert all(depth <= event.depth for level in LEVELS for depth, _, event in outline(events, level))


@pytest.mark.parametrize("name", [*TITLES, PIG])
def test_snapshots_are_the_states_of_the_game(name: str | Path) -> None:
    """Before each decision the snapshot is the state that was; looking changes nothing."""
    game = load(name, 3)
    state, rng = game.start(11), random.Random(11)
    views = []
    while state.player is not None and state.ply < 50:
        views.append(state.view(None))
        state.push(rng.choice(state.legal_moves))
    key, journal = state.key(), list(state.journal)
    timeline = Timeline(state)
    plies = list(range(1, timeline.plies + 1))
    rng.shuffle(plies)
    for ply in plies:
        assert timeline.snapshot(Position(ply)).view() == views[ply - 1]
    assert timeline.snapshot(timeline.last).view() == state.view(None)
    assert (state.key(), list(state.journal)) == (key, journal)


def test_stepping() -> None:
    timeline = Timeline(played(load(WALL, 3), 5, 40))
    every = [position for position, _ in timeline.all_events()]
    found = [timeline.first]
    while (following := timeline.into(found[-1])) is not None:
        found.append(following)
    assert found == every and found[-1] == timeline.last
    for here, following in pairwise(every):
        assert timeline.back(following) == here
        assert timeline.into(here) == following
        depth = timeline.event(here).depth
        over, out = timeline.over(here), timeline.out(here)
        later = every[every.index(here) + 1 :]
        assert over == next((p for p in later if timeline.event(p).depth <= depth), None)
        assert out == next((p for p in later if timeline.event(p).depth <= max(0, depth - 1)), None)
    assert timeline.back(timeline.first) is None
    assert timeline.next_decision(timeline.last) is None
    assert timeline.next_decision(Position(3, 4)) == Position(4)
    assert timeline.previous_decision(Position(3, 4)) == Position(3)
    assert timeline.previous_decision(Position(3)) == Position(2)
    assert timeline.previous_decision(timeline.first) is None


def test_searching() -> None:
    timeline = Timeline(played(load(WALL, 3), 5, 60))
    every = list(timeline.all_events())
    line = next(event.span.line for _, event in every if event.kind == "statement" and event.span)
    stops = {
        Stop(line=line): lambda event: event.span is not None and event.span.line == line,
        Stop(seat="green"): lambda event: event.kind == "decision" and event.seat == "green",
        Stop(kinds=frozenset({"chance"})): lambda event: event.kind == "chance",
        Stop(what="row[B]"): lambda event: "row[B]" in event.what,
        Stop(what="hand"): lambda event: any(name.startswith("hand[") for name in event.what),
        Stop(words="WATCHTOWER"): lambda event: "watchtower" in event.text,
    }
    for stop, wanted in stops.items():
        expected = [position for position, event in every if wanted(event)]
        assert expected
        found, here = [], timeline.first
        while (following := timeline.find(here, stop)) is not None:
            found.append(following)
            here = following
        assert found == [position for position in expected if position > timeline.first]
        assert timeline.find(timeline.last, stop, back=True) == [p for p in expected if p < timeline.last][-1]
    assert timeline.find(timeline.first, Stop(what="nowhere")) is None


def test_expressions_are_evaluated_at_their_snapshot() -> None:
    state = played(load(WALL, 3), 5, 30)
    timeline = Timeline(state)
    for ply in (1, 10, 30):
        snapshot = timeline.snapshot(Position(ply))
        for seat in state.game.seats:
            pieces = snapshot.view().zones[f"hand[{seat}]"].count
            assert snapshot.evaluate(f"count hand[{seat}]").value == str(pieces)
    laid = next(p for p, e in timeline.all_events() if e.kind == "rule" and e.text.startswith("action lay"))
    snapshot = timeline.snapshot(laid)
    names = dict(snapshot.names)
    assert set(names) == {"kind", "n", "s"}
    assert snapshot.evaluate("kind").value == names["kind"]
    assert snapshot.evaluate("points(me, s)").children or snapshot.evaluate("points(me, s)").value == "0"
    with pytest.raises(ExpressionError, match="there is no definition `pionts`"):
        snapshot.evaluate("pionts(me, s)")
    with pytest.raises(ExpressionError, match=r"query:1:"):
        snapshot.evaluate("points(me,")
    with pytest.raises(ExpressionError, match="`kind`"):
        timeline.snapshot(Position(0)).evaluate("kind")


def test_why_is_about_the_decision_of_its_snapshot() -> None:
    state = played(load(WALL, 3), 5, 30)
    timeline = Timeline(state)
    for ply in (2, 17):
        made = state.history[ply - 1]
        assert timeline.snapshot(Position(ply)).why(made.notation).legal
    assert timeline.snapshot(timeline.last).why(state.legal_moves[0].notation).legal


def test_tracing_changes_nothing() -> None:
    state = played(load(WALL, 3), 4, 70)
    key, journal, history = state.key(), list(state.journal), list(state.history)
    first, second = list(Timeline(state).all_events()), list(Timeline(state).all_events())
    assert first == second
    assert (state.key(), list(state.journal), state.history) == (key, journal, history)


def test_a_game_traced_while_it_is_played_has_the_same_trace() -> None:
    game = load(WALL, 3)
    plain, traced = game.start(3), game.start(3, traced=True)
    rng = random.Random(3)
    for _ in range(50):
        move = rng.choice(plain.legal_moves)
        plain.push(move)
        traced.push(move.notation)
    assert list(Timeline(plain).all_events()) == list(Timeline(traced).all_events())


def test_a_game_with_supplied_chance_is_traced_with_its_results() -> None:
    rng = random.Random(3)

    def dice(event: object) -> int:
        return rng.randrange(2, 6)

    state = load(PIG, 2).start(chance=dice)
    for _ in range(12):
        state.push(state.legal_moves[0])
    timeline = Timeline(state)
    assert [event.text for _, event in timeline.all_events() if event.text.startswith("cube: ")]
    assert timeline.snapshot(timeline.last).view() == state.view(None)


def test_a_trace_can_stop_anywhere() -> None:
    state = played(load(WALL, 2), 5, 50)
    whole = list(Timeline(state).all_events())
    state.pop()
    part = list(Timeline(state).all_events())
    assert whole[: len(part)] == part


# ---- as one seat sees it


def changes_in(events: Sequence[Event]) -> list[str]:
    return [event.text for event in events if event.kind in ("change", "chance")]


def without_ends(events: Sequence[Event]) -> list[Event]:
    """The events without how long the journal was, which nobody is shown."""
    return [replace(event, end=0) for event in events]


@pytest.mark.parametrize("name", [*TITLES, LOOPS])
def test_a_seat_sees_the_same_trace_whatever_is_hidden(name: str | Path, long_run: bool) -> None:
    """What a decision set off looks the same to a seat in two states that differ only in what it may not know."""
    game = load(name) if name == LOOPS else load(name, 3)
    compared = 0
    for seed in range(6 if long_run or name == LOOPS else 2):
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None and state.ply < 120:
            before, move = state.copy(), rng.choice(state.legal_moves)
            state.push(move)
            if rng.random() > 0.15 or state.over:
                continue
            for seat in game.seats:
                other = resampled(before, seat, state.ply)
                if other.question != before.question or move.notation not in [m.notation for m in other.legal_moves]:
                    continue
                other.push(move.notation)
                mine, theirs = Timeline(state, seat), Timeline(other, seat)
                ours, others = mine.events(mine.plies), theirs.events(theirs.plies)
                if changes_in(ours) != changes_in(others):
                    continue  # the move let the seat see something
                assert without_ends(ours) == without_ends(others), (seed, state.ply, seat)
                assert mine.plies == theirs.plies
                compared += 1
    assert compared > 20


def lines_of_loops(folder: Path, seat: str | None, statement: str, seed: int) -> list[str]:
    """The trace of the rules of loops with another statement in place of the questions."""
    path = folder / "loops.rules"
    path.write_text(LOOPS.read_text("utf-8").replace("if never: must pause", statement), encoding="utf-8")
    state, turns = load(path).start(seed), 0
    while not state.over:
        moves = [move for move in state.legal_moves if move.notation != "pause"]
        if moves and turns == 9:
            break
        turns += len(moves) > 0
        state.push(moves[(turns * 7 + seed) % len(moves)] if moves else "pause")
    events = outline(Timeline(state, seat, then=True).all_events(), "everything")
    return [f"{'  ' * depth}{event.kind}: {event.text} {event.values}" for depth, _, event in events]


@pytest.mark.parametrize("seat", [None, "ann", "ben"])
def test_the_trace_of_a_loop_that_may_suspend_is_that_of_any_loop(tmp_path: Path, seat: str | None) -> None:
    """Such a loop is split into blocks; its rounds, names and nesting are shown, or hidden, all the same."""
    for seed in range(3):
        split = lines_of_loops(tmp_path, seat, "if never: must pause", seed)
        plain = lines_of_loops(tmp_path, seat, "if never: add 1 to extra", seed)
        assert split == plain


ABOUT_QUESTIONS = re.compile(
    r" *(decision: \w+: pause|asked: must pause|rule: action pause|statement: (must pause|add 0 to total))\b"
)


def test_the_trace_of_a_loop_that_does_suspend_is_that_of_any_loop(tmp_path: Path) -> None:
    """After a decision inside, the rest of the loop has the depth and the names that it would have without it."""
    for seed in range(3):
        asked, plain = (
            [line for line in lines_of_loops(tmp_path, None, statement, seed) if not ABOUT_QUESTIONS.match(line)]
            for statement in ("must pause", "add 0 to total[red]")
        )
        assert asked == plain


def test_hidden_values_are_hidden() -> None:
    state = played(load(WALL, 3), 8, 30)
    assert not state.over
    snapshot = Timeline(state, "red").snapshot(Timeline(state, "red").last)
    assert snapshot.evaluate("count hand[green]").value == str(len(state.view(None).zones["hand[green]"].pieces))
    for text in ("hand[green]", "count hand[green] of rider", "hand[green] of rider is empty", "top(pile[green])"):
        assert snapshot.evaluate(text).value == "hidden", text
        assert Timeline(state).snapshot(Timeline(state).last).evaluate(text).value != "hidden"
    assert snapshot.evaluate("count hand[red] of rider").value != "hidden"


def test_everything_is_open_when_the_game_is_over() -> None:
    state = played(load(WALL, 2), 8, 10_000)
    assert state.over
    assert list(Timeline(state, "red").all_events()) == list(Timeline(state).all_events())
