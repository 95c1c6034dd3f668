"""The trace: what it says stays as it is, every rule has its line, and tracing changes nothing."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest

from interpreter import Game, State, load
from interpreter.tracing import TraceLine, trace_lines, traced

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "trace.txt"
UPDATE = os.environ.get("REGELWERK_UPDATE") == "1"
WALL = "chinesische_mauer"
PIG = HERE.parent / "games" / "small" / "pig.rules"


def played(game: Game, seed: int, decisions: int) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while state.player is not None and state.ply < decisions:
        state.push(rng.choice(state.legal_moves))
    return state


def walked(decisions: int) -> State:
    """A game whose moves follow from their numbers."""
    state = load(WALL, 2).start(7)
    while state.player is not None and state.ply < decisions:
        moves = state.legal_moves
        state.push(moves[state.ply * 5 % len(moves)])
    return state


def written(line: TraceLine) -> str:
    """A line of the golden file: without line numbers, which change with every edit of the rules."""
    cites = f"  [{' '.join(line.cites)}]" if line.cites else ""
    at = "  @" if line.place else ""
    return f"{line.ply:3} {'  ' * line.depth}{line.kind}: {line.text}{at}{cites}"


def test_the_trace_of_a_game_stays_as_it_is() -> None:
    text = "".join(f"{written(line)}\n" for line in trace_lines(walked(40)))
    if UPDATE:
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), "REGELWERK_UPDATE=1 writes the file anew"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_speaks_of_a_rule_names_its_line(players: int) -> None:
    game = load(WALL, players)
    source = game.path.read_text(encoding="utf-8").splitlines()
    for line in trace_lines(played(game, players, 1000)):
        if line.kind in ("rule", "statement", "reason") or (line.kind == "decision" and line.ply and line.cites):
            file, number, column = line.place.rsplit(":", 2)
            assert file.endswith("chinesische_mauer.rules")
            text = source[int(number) - 1]
            assert text[int(column) - 1 :].strip()
            if line.kind == "statement":
                start = " ".join(text[int(column) - 1 :].split())
                assert start.startswith(line.text.rstrip(":").split(" because ")[0][:20])
            for item in line.cites if line.kind == "statement" else ():
                assert item in text
        assert line.depth >= 0
        assert "\n" not in line.text


def test_the_items_that_were_at_work_appear() -> None:
    """Over a few whole games the trace cites every item that some played rule or statement cites."""
    seen: set[str] = set()
    for seed in range(6):
        for line in trace_lines(played(load(WALL, 2 + seed % 3), seed, 1000)):
            seen |= set(line.cites)
    early = {2, 4, 6, 7, 9, 10, 12, 14, 15, 33, 36, 38, 45, 47, 48, 49}
    late = {50, 52, 54, 55, 56, 58, 60, 62}
    assert {f"CM-{number:02}" for number in early | late} <= seen


@pytest.mark.parametrize("name", [WALL, PIG])
def test_every_decision_has_its_reasons_and_changes(name: str | Path) -> None:
    state = played(load(name, 3), 2, 60)
    lines = list(trace_lines(state))
    decisions = [line for line in lines if line.kind == "decision" and line.ply]
    made = decisions[: state.ply]
    assert [line.text for line in made] == [f"{m.player}: {m.label}" for m in state.history]
    asked = [re.search(r"(\\d+) legal move", line.text) for line in lines if line.text.startswith("asked: ")]
    assert len(asked) == state.ply
    changes = [line.text for line in lines if line.kind == "change"]
    told = [detail for entry in state.log(None) for detail in entry.details]
    assert changes == told, "the trace tells the changes the log tells"


def test_tracing_changes_nothing() -> None:
    state = played(load(WALL, 3), 4, 70)
    key, journal, history = state.key(), list(state.journal), list(state.history)
    first, second = list(trace_lines(state)), list(trace_lines(state))
    assert first == second
    assert (state.key(), list(state.journal), state.history) == (key, journal, history)
    again = traced(state)
    assert again.key() == key
    assert [made.notation for made in again.history] == [made.notation for made in history]
    for seat in (None, *state.game.seats):
        assert again.log(seat) == state.log(seat)
        assert again.view(seat) == state.view(seat)


def test_a_game_with_supplied_chance_is_traced_with_its_results() -> None:
    rng = random.Random(3)

    def dice(event: object) -> int:
        return rng.randrange(2, 6)

    state = load(PIG, 2).start(chance=dice)
    for _ in range(12):
        state.push(state.legal_moves[0])
    faces = [line.text for line in trace_lines(state) if line.text.startswith("cube: ")]
    assert traced(state).key() == state.key()
    assert faces


def test_a_trace_can_stop_anywhere() -> None:
    state = played(load(WALL, 2), 5, 50)
    whole = list(trace_lines(state))
    state.pop()
    part = list(trace_lines(state))
    assert whole[: len(part)] == part
