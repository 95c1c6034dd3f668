"""Loops whose iterations happen at once: nothing that one of them changes is seen by another."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.play.game import Game, State, load
from interpreter.play.trace import Timeline
from interpreter.play.trace.origins import why
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.machine.comparing import compared
from tests.support.resampling import resampled

AT_ONCE = Path(__file__).parent / "rules" / "at_once.rules"


@cache
def loaded(seats: int) -> Game:
    return load(AT_ONCE, seats)


@pytest.fixture(params=[2, 3, 4])
def game(request: pytest.FixtureRequest) -> Game:
    return loaded(request.param)


def begun(game: Game, seed: int, *moves: str) -> State:
    state = game.start(seed)
    for move in moves:
        state.push(move)
    return state


def test_the_examples_hold() -> None:
    results = run_examples(AT_ONCE)
    assert len(results) == 4
    assert [failure for result in results for failure in result.failures] == []


def test_games_are_the_same_with_passes_and_without(game: Game) -> None:
    same_with_passes_and_without(game, range(8))


def test_random_games_are_the_same_however_they_are_played(game: Game, long_run: bool) -> None:
    compared(game, 0, 40 if long_run else 15)


@pytest.mark.parametrize("seed", range(5))
def test_all_that_is_moved_can_be_taken_back(game: Game, seed: int) -> None:
    state, before, rng = game.start(seed), list[tuple[str, object]](), random.Random(seed)
    while not state.over:
        before.append((state.key(), state.view("ann")))
        state.push(rng.choice([move for move in state.legal_moves if move.name != "collide"]))
    while before:
        state.pop()
        assert (state.key(), state.view("ann")) == before.pop()


@pytest.mark.parametrize("seed", range(6))
def test_pieces_change_places(game: Game, seed: int) -> None:
    """Tokens in any order all get home, though each place holds only one."""
    state = begun(game, seed, "turn_around")
    tokens = {name: zone.pieces for name, zone in state.view(None).zones.items() if name.startswith("token")}
    assert len(tokens) == 16
    for name, (token,) in tokens.items():
        assert name == f"token[{token.attributes['home']}]"


def hands(state: State, of: str = "hand") -> list[list[str]]:
    view = state.view(None)
    return [[piece.name for piece in view.zones[f"{of}[{seat}]"].pieces] for seat in state.game.seats]


@pytest.mark.parametrize("seed", range(4))
def test_every_hand_is_passed_on(game: Game, seed: int) -> None:
    state = game.start(seed)
    before = hands(state)
    state.push("pass_on")
    assert hands(state) == [before[-1], *before[:-1]]


@pytest.mark.parametrize("seed", range(4))
def test_rows_and_stacks_keep_their_order(game: Game, seed: int) -> None:
    """A row moved to a stack lies there from the left to the top, as with any move of a row to a stack."""
    state = game.start(seed)
    queues, piles = hands(state, "queue"), hands(state, "pile")
    state.push("turn_around")
    assert hands(state, "pile") == [queue[::-1] for queue in (queues[-1], *queues[:-1])]
    assert hands(state, "queue") == [*piles[1:], piles[0]]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_set_follows_from_what_was_before(seed: int) -> None:
    """Conway's Game of Life, on the sixteen cells of the board."""
    game, rng = loaded(2), random.Random(seed)
    state, alive = game.start(seed), set[str]()
    near = {
        f"{c}{r}": {f"{chr(ord(c) + x)}{r + y}" for x in (-1, 0, 1) for y in (-1, 0, 1)} - {f"{c}{r}"}
        for c in "abcd" for r in range(1, 5)
    }  # fmt: skip
    for _ in range(10):
        move = rng.choice([move for move in state.legal_moves if move.name == "spread"])
        state.push(move)
        alive.add(str(*move.arguments.values()))
        alive = {c for c in near if len(near[c] & alive) + (c in alive and len(near[c] & alive) == 2) == 3}
        notes = state.view(None).notes
        assert {c for c in near if notes[f"alive[{c}]"]} == alive
        assert notes["crowd"] == len(alive)


def test_a_second_piece_at_a_place_for_one_is_a_fault() -> None:
    state = loaded(2).start(1)
    for _ in range(10):
        state.push("give_way" if "give_way" in map(str, state.legal_moves) else "turn_around")
    key, move = state.key(), next(move for move in state.legal_moves if move.name == "collide")
    with pytest.raises(PlayError, match="can hold only one piece"):
        state.push(move)
    assert state.key() == key


def test_reactions_follow_when_everything_has_changed() -> None:
    state = begun(loaded(2), 1, "spread(b1)", "spread(b2)")
    lines = [line for entry in state.log("ann") for line in entry.details if line.startswith("crowd")]
    assert lines == ["crowd: 0 → 1", "crowd: 1 → 0"] * 2


# ---------------------------------------------------------------- what is shown


def test_a_seat_sees_its_own_cards_pass_and_no_others() -> None:
    state = loaded(3).start(2)
    own = hands(state)[0]
    state.push("pass_on")
    for seat, shown in (("ann", own), ("cy", ["card", "card"])):
        passed = [line for line in state.log(seat)[-1].details if "hand[ann]" in line and "hand[ben]" in line]
        assert passed, state.log(seat)[-1].details
        assert all(name in " ".join(passed) for name in shown), passed
        if seat == "cy":
            assert not any(rank in " ".join(passed) for rank in ("low", "middle", "high"))


@pytest.mark.parametrize("move", ["exchange", "mingle"])
@pytest.mark.parametrize("seed", range(8))
def test_others_learn_nothing_of_what_is_exchanged(seed: int, move: str) -> None:
    state = loaded(3).start(seed)
    other = resampled(state, "cy", seed)
    for each in (state, other):
        each.push(move)
        each.push("pass_on")
    assert hands(state) != hands(other) or seed
    shown = [[entry.details for entry in each.log("cy")[1:-1]] for each in (state, other)]
    assert shown[0] == shown[1]
    traced = [[event.text for event in Timeline(each, "cy").events(1)] for each in (state, other)]
    assert traced[0] == traced[1]


def test_the_trace_tells_the_iterations_first_and_then_the_changes() -> None:
    state = begun(loaded(3), 3, "give_way")
    timeline = Timeline(state, None)
    events = [event for event in timeline.events(1) if event.span and event.span.line == give_way_line()]
    texts = [event.text for event in events]
    rounds = [index for index, text in enumerate(texts) if ": p = " in text]
    (changes,) = [index for index, text in enumerate(texts) if text.endswith(" at once: the changes")]
    assert len(rounds) == 6 and max(rounds) < changes
    assert "p = ann, q = ben" in texts[rounds[0]]


def give_way_line() -> int:
    lines = AT_ONCE.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if "add points[q]" in line)


def test_why_tells_where_a_value_came_from() -> None:
    state = begun(loaded(3), 3, "give_way")
    found = why(state, "points[ann]", "ann")
    assert found.headline == "points[ann] is 3"
    assert [origin.change for origin in found.origins][-2:] == [
        "points[ann]: 1 → 2 (ben has 1)", "points[ann]: 2 → 3 (cy has 1)",
    ]  # fmt: skip
