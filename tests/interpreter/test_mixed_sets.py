"""Pieces are listed for a seat in an order and number that depend only on what it may know."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from dsl.diagnostics import RulesError
from interpreter.engine.sight import standing
from interpreter.play.game import Game, State, load
from interpreter.play.trace import Timeline
from interpreter.seat.hidden_loops import is_blind
from interpreter.seat.views.model import View
from tests.interpreter.generated import Figures, loaded, play
from tests.interpreter.watching import leaks
from tests.support.resampling import resampled

RULES = Path(__file__).parent / "rules"
MOVES = ("mark_all", "name_all", "count_all", "load_all", "stow_all", "tie_all", "seek")
SAMPLES = 12


@pytest.fixture(scope="module")
def mixed() -> Game:
    return load(RULES / "mixed.rules")


def others(state: State, seat: str) -> list[State]:
    """States that the seat cannot tell from this one, all of them with other cards hidden."""
    found = [resampled(state, seat, seed) for seed in range(SAMPLES)]
    assert len({other.key() for other in found}) > SAMPLES / 2
    return found


def names(view: View, column: int = 0) -> list[str]:
    return [row[column].text for row in view.tables[0].rows]


def test_rows_of_a_table_list_open_cards_first(mixed: Game) -> None:
    for seed in range(20):
        state = mixed.start(seed)
        shown = [piece.name for piece in state.view("ann").zones["shown"].pieces]
        assert names(state.view("ann")) == [*shown, "card", "card", "card"]
        assert names(state.view(None)) == ["one", "two", "three", "four", "five", "six"]


@pytest.mark.parametrize("move", MOVES)
def test_a_blind_loop_is_logged_in_an_order_that_reveals_nothing(mixed: Game, move: str, long_run: bool) -> None:
    for seed in range(5 if long_run else 2):
        state = mixed.start(seed)
        real = state.copy()
        real.push(move)
        known = known_to_ben(real)
        for other in others(state, "ben"):
            other.push(move)
            assert known_to_ben(other) == known


def known_to_ben(state: State) -> tuple[object, ...]:
    """What ben sees after a move, is told of it, and can ask about it."""
    timeline = Timeline(state, "ben")
    snapshot = timeline.snapshot(timeline.last)
    asked = ("score[ann]", "latest", "noticed", "sum 1 for c in Card")
    explained = [list(snapshot.evaluate(text).lines()) for text in asked]
    return state.view("ben"), state.log("ben", 0)[-1], traced(state, "ben"), explained


def traced(state: State, seat: str) -> list[object]:
    timeline = Timeline(state, seat)
    return [(event.text, event.what, event.values, event.depth) for event in timeline.events(timeline.plies)]


def test_a_blind_loop_is_logged_by_its_overall_effect(mixed: Game) -> None:
    state = mixed.start(1)
    shown = [piece.name for piece in state.view("ann").zones["shown"].pieces]
    state.push("mark_all")
    told = state.log("ann")[-1].details
    assert told[:6] == tuple(f"marked[{name}]: false → true" for name in [*shown, "card", "card", "card"])
    state.push("count_all")
    told = state.log("ben")[-1].details
    assert told[0] == f"mark[{shown[0]}]: 0 → 1"
    assert "score[ben]: 0 → 6" in told


def test_an_observer_who_sees_everything_is_shown_the_rounds(mixed: Game) -> None:
    state = mixed.start(1)
    state.push("mark_all")
    ranks = ("one", "two", "three", "four", "five", "six")
    assert state.log(None)[-1].details[:6] == tuple(f"marked[{rank}]: false → true" for rank in ranks)


def test_the_position_of_a_hidden_piece_with_a_note_reveals_nothing(mixed: Game) -> None:
    """The marked back is in the same place whichever card it is."""
    places = set()
    for seed in range(60):
        state = mixed.start(seed)
        program, S = state.program, state.cells
        place = program.layout.first_place["hidden"]
        piece = random.Random(seed).choice([p for p in range(6) if S[program.layout.place_cells + p] == place])
        ((_, cell, _),) = [entry for entry in program.notes_about[piece] if entry[0] == "mark"]
        S[cell] = 5
        marks = [shown.notes["mark"] for shown in state.view("ann").zones["hidden"].pieces]
        places.add(marks.index(5))
    assert places == {2}


def test_notes_name_hidden_cards_as_far_as_they_are_seen(mixed: Game) -> None:
    state = mixed.start(1)
    state.push("name_all")
    view = state.view("ben")
    assert view.notes["latest"] in ("card", *names(view)[:3])
    assert list(view.notes["noticed"]) == names(view)
    for other in others(mixed.start(1), "ben"):
        other.push("name_all")
        assert other.view("ben").notes["noticed"] == view.notes["noticed"]


def test_the_mixed_game_reveals_nothing(mixed: Game) -> None:
    assert leaks(mixed, range(4), samples=2) == []


def test_standing_depends_on_nothing_hidden(mixed: Game) -> None:
    state = mixed.start(3)
    seat = state.seat_number("ann")

    def standings(S: list[Any]) -> list[tuple[Any, ...]]:
        return sorted(standing(state.program, S, seat, piece) for piece in range(6))

    assert all(standings(other.cells) == standings(state.cells) for other in others(state, "ann"))


# ---------------------------------------------------------------- choices


CHOICES = """game "Choices" for 2 players ann, ben

== components ==

type Rank is one, two, three
piece Card: 2 for each rank: Rank in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by SIGHT
zone shown holds Card
note awake: several Player = {}
note turns: 0..9 = 0

== setup ==

shuffle deck
for each p in Player: move 3 from deck to hand[p]

== phases ==

phase main, turns from ann, over when turns is 4:
    add 1 to turns
    CHOICE

action show(secret c in hand[me]):
    move c to shown
action show_some(secret cs in handfuls(hand[me], 1, 2)):
    move cs to shown

== scoring ==

winner highest count hand[me]
"""
WAYS = ("must show", "must show_some", "must choose c from hand[me]\n    move c to shown",
        "must choose 2 cs from hand[me] + shown\n    move cs to shown")  # fmt: skip


def choices(folder: Path, sight: str, choice: str) -> Path:
    path = folder / "choices.rules"
    path.write_text(CHOICES.replace("SIGHT", sight).replace("CHOICE", choice), encoding="utf-8")
    return path


@pytest.mark.parametrize("choice", WAYS)
@pytest.mark.parametrize("sight", ["left(p)", "{left(p)}", "Player - {p}"])
def test_a_choice_among_pieces_one_does_not_see_is_refused(sight: str, choice: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="E0605"):
        load(choices(tmp_path, sight, choice))


@pytest.mark.parametrize("choice", WAYS)
def test_unseen_pieces_are_offered_individually(choice: str, tmp_path: Path) -> None:
    """Where that depends on the position it is a warning, and each piece is offered by a number that tells nothing."""
    game = load(choices(tmp_path, "awake", choice))
    assert {finding.code for finding in game.rules.warnings} >= {"E0608"}
    state = game.start(1)
    moves = state.legal_moves
    assert all("card #" in move.notation or "card" in move.notation for move in moves)
    for other in others(state, "ann"):
        assert other.legal_moves == moves
    if "choose 2" not in choice:  # in the middle of it, what was chosen could not have been chosen first elsewhere
        assert leaks(game, range(3)) == []


# ---------------------------------------------------------------- an interpreter that leaks


def found_in_generated(folder: Path, first: int = 0, most: int = 400) -> Figures:
    """The leak of the first generated game, from one on, that gives something away."""
    figures = Figures()
    for number in range(first, most):
        game = loaded(number, folder)
        if game is not None:
            play(game, number, figures)
        if figures.leaks:
            break
    return figures


def test_tables_in_the_order_of_the_pieces_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("interpreter.seat.views.seat_view.loose_pieces", lambda model, node: False)
    assert "view" in found_in_generated(tmp_path).leaks[0]


def test_loops_logged_round_by_round_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert not is_blind.__defaults__
    monkeypatch.setattr("interpreter.seat.views.log.is_blind", lambda *_: False)
    assert "log" in found_in_generated(tmp_path).leaks[0]


def test_traces_of_loops_round_by_round_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("interpreter.play.trace.builder.is_blind", lambda *_: False)
    assert "trace" in found_in_generated(tmp_path, first=90).leaks[0]  # rare: none of the games before shows it


def test_heaps_with_notes_in_the_order_of_the_pieces_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("interpreter.seat.views.seat_view.standing", lambda *given: (*standing(*given)[:3], given[3]))
    assert "view" in found_in_generated(tmp_path).leaks[0]


def test_choices_that_nobody_looks_at_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys.modules["dsl.checker.information_flow.leaks"], "choice_among_pieces", lambda *_: None)
    assert "moves" in found_in_generated(tmp_path).leaks[0]
