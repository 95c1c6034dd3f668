"""`position`, `record`, `times(…)`: what counts as the same, and that what is recorded is part of the state."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.opponents.knowledge.exchanges import exchanged
from interpreter.play.game import State, load
from interpreter.play.trace import Timeline
from interpreter.runtime.bitset import bits
from interpreter.runtime.recorded import NOTHING_RECORDED, Recorded
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.support.resampling import resampled

FOLDER = Path(__file__).parent / "rules"
SUPERKO, SAMENESS = FOLDER / "superko.rules", FOLDER / "sameness.rules"
POSITIONS = ("coins", "tiles", "men", "numbers", "alone", "after_it")


def played(path: Path, seed: int, moves: int = 15, players: int = 2) -> State:
    state, rng = load(path, players=players).start(seed), random.Random(seed)
    while not state.over and state.ply < moves:
        state.push(rng.choice(state.legal_moves))
    return state


def recorded(state: State, position: str) -> Any:
    return state.cells[state.program.layout.first_record[position]]


# ---------------------------------------------------------------- what is recorded


class Same:
    """A key whose hash is that of all others."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.number == other.number

    def __hash__(self) -> int:
        return 7


@pytest.mark.parametrize("seed", range(4))
def test_recorded_positions_count_like_a_counter(seed: int) -> None:
    rng = random.Random(seed)
    keys = [(rng.choice([None, rng.getrandbits(80), (1, None)]), rng.randrange(-3, 300)) for _ in range(3000)]
    kept, counted, versions = NOTHING_RECORDED, Counter[Any](), []
    for number, key in enumerate(keys):
        if number % 500 == 0:
            versions.append((kept, Counter(counted)))
        kept = kept.with_one_more(key)
        counted[key] += 1
        assert kept.times(key) == counted[key]
    versions.append((kept, counted))
    for version, numbers in versions:  # those from which others came have not changed
        assert dict(version.items()) == dict(numbers)
        assert all(version.times(key) == numbers[key] for key in keys)
    again = NOTHING_RECORDED
    for key in rng.sample(keys, len(keys)):
        again = again.with_one_more(key)
    for other in (again, pickle.loads(pickle.dumps(kept))):
        assert other == kept and hash(other) == hash(kept) and repr(other) == repr(kept)
        assert all(other.times(key) == counted[key] for key in keys)
    assert again.with_one_more(keys[0]) != kept and NOTHING_RECORDED.times(keys[0]) == 0


def test_recorded_positions_with_equal_hashes_are_distinguished() -> None:
    kept: Recorded = NOTHING_RECORDED
    for number in range(100):
        kept = kept.with_one_more((Same(number),))
    assert all(kept.times((Same(number),)) == (number < 100) for number in range(101))


# ---------------------------------------------------------------- what counts as the same


def as_told(state: State, position: str) -> Any:
    """What counts as the same in `sameness.rules`, computed from the cells in the plainest way."""
    layout, S = state.program.layout, state.cells
    kinds = [piece.kind for piece in layout.pieces]

    def zone(name: str, only: tuple[int, ...] | None = None) -> list[Any]:
        found = []
        for place in layout.places[1:]:
            if place.zone == name and only in (None, place.index):
                pieces = state.program.contents(S, place.number) if place.order else bits(S[place.mask])
                listed = [kinds[piece] for piece in pieces]
                found.append(listed if place.order else sorted(listed))
        return found

    def note(name: str) -> list[Any]:
        return [S[cell] for cell, (known, _) in sorted(layout.notes_of_cell.items()) if known == name]

    def lying(pieces: list[int]) -> list[Any]:
        return sorted((S[layout.place_cells + piece], kinds[piece]) for piece in pieces)

    chiefs, me = note("chief"), state.cells[1]
    match position:
        case "coins":
            return [zone("purse"), zone("heap"), zone("line"), zone("cell")]
        case "tiles":
            return [zone("bag"), zone("rack"), zone("pile")]
        case "men":
            led = [lying([] if chief is None else [chief]) for chief in chiefs]
            everyone = [piece.number for piece in layout.pieces if piece.type == "Man"]
            return [zone("man"), led, lying([*bits(note("marked")[0])]), lying(everyone)]
        case "numbers":
            low = min(note("level"))
            return [note("level"), note("places"), note("cube"), len(zone("purse")[0]), low, me]
        case "alone":
            top = zone("pile")[0][:1]
            return [zone("cell", (1, 1)), zone("man", (2,)), top, zone("line", (me,))]
        case _:
            return [max(0, len(zone("purse")[0]) - 1)]  # after one has been moved


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_positions_are_the_same_where_what_they_name_is(seed: int, players: int) -> None:
    """Of two states of a game, the values of a position are equal where they look alike, and only there."""
    state, rng = load(SAMENESS, players=players).start(seed), random.Random(seed)
    known: dict[str, dict[str, Any]] = {position: {} for position in POSITIONS}
    while not state.over:
        state.push(rng.choice(state.legal_moves))
        for position in POSITIONS:
            key = state.program.names[f"keyˑ{position}"](state.cells)
            told = repr(as_told(state, position))
            assert known[position].setdefault(told, key) == key
        assert all(len({*found.values()}) == len(found) for found in known.values())


@pytest.mark.parametrize("seed", range(5))
def test_exchanging_equal_pieces_makes_no_difference(seed: int) -> None:
    state = played(SAMENESS, seed)
    rng = random.Random(seed)
    program = state.program
    by_kind: dict[int, list[int]] = {}
    for piece in program.layout.pieces:
        by_kind.setdefault(piece.kind, []).append(piece.number)
    exchange = {
        one: other for equal in by_kind.values()
        for one, other in zip(equal, rng.sample(equal, len(equal)), strict=True)
    }  # fmt: skip
    cells = exchanged(program, state.cells, exchange)
    assert cells != state.cells
    for position in POSITIONS:
        key = program.names[f"keyˑ{position}"]
        assert key(cells) == key(state.cells), position


# ---------------------------------------------------------------- part of the state


@pytest.mark.parametrize("path", [SUPERKO, SAMENESS])
def test_the_examples_of_the_games_pass(path: Path) -> None:
    results = run_examples(path)
    assert bool(results) == (path == SUPERKO)
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize(("path", "players"), [(SUPERKO, 2), (SAMENESS, 2), (SAMENESS, 3)])
def test_games_are_the_same_with_passes_and_without(path: Path, players: int) -> None:
    game = load(path, players=players)
    same_with_passes_and_without(game, range(4))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_recorded_is_undone_copied_and_pickled_with_the_state(seed: int) -> None:
    state = played(SAMENESS, seed)
    before = dict(recorded(state, "coins").items())
    others = [state.copy(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    assert all(other.key() == state.key() for other in others)
    for other in others:
        for _ in range(3):
            other.push(random.Random(seed).choice(other.legal_moves))
        assert dict(recorded(state, "coins").items()) == before
        for _ in range(3):
            other.pop()
        assert other.key() == state.key() and recorded(other, "coins") == recorded(state, "coins")
    while state.ply:
        state.pop()
    assert state.key() == load(SAMENESS).start(seed).key()
    assert sum(times for _, times in recorded(state, "coins").items()) == 1  # in the setup


def test_states_with_another_past_are_not_the_same() -> None:
    state = played(SUPERKO, 4)
    other = state.copy()
    other.cells[other.program.layout.first_record["situation"]] = NOTHING_RECORDED
    assert other.key() != state.key()


@pytest.mark.parametrize("seed", range(3))
def test_no_position_repeats_where_repetition_is_forbidden(seed: int) -> None:
    state, rng = load(SUPERKO).start(seed), random.Random(seed)
    seen: set[str] = set()
    while not state.over:
        move = rng.choice(state.legal_moves)
        state.push(move)
        table = repr([state.cells[place.mask] for place in state.program.layout.places[1:] if place.zone == "stone"])
        kinds = "".join("x" if part == "0" else part for part in table)
        assert move.name == "pass" or kinds not in seen
        seen.add(kinds)


# ---------------------------------------------------------------- what people are told


def test_why_says_how_often_the_position_was_recorded() -> None:
    example = load(SUPERKO).start(seed=1)
    for point in ("b1", "c1", "a2", "d2", "b3", "c3", "c2", "b2"):
        example.push(f"put({point})")
    why = example.why("put", x="c2")
    assert why.headline == "`put(c2)` is not legal: this position has been on the board"
    assert why.reasons[-1].values == (
        ("times(pattern) is 0 given lay(x)", "false"), ("after lay(c2): times(pattern)", "1"),
    )  # fmt: skip
    assert example.why("times(situation)").explained is not None
    assert example.evaluate("times(situation)") == 1 and example.evaluate("times(pattern)", "white") == 1


@pytest.mark.parametrize("as_seat", [None, "black", "white"])
def test_recording_is_silent_in_the_log_and_visible_in_the_trace(as_seat: str | None) -> None:
    state = played(SUPERKO, 2)
    assert not any("record" in line for entry in state.log(as_seat) for line in (entry.text, *entry.details))
    events = [event.text for _, event in Timeline(state, as_seat).all_events()]
    waiting = not state.over and as_seat is None  # a seat's trace ends with the last thing that was logged
    assert events.count("record pattern") == state.ply + waiting
    assert not any("recorded" in str(state.view(seat).as_data()) for seat in ("black", "white"))


@pytest.mark.parametrize("seat", ["ann", "ben"])
def test_seats_agree_on_what_was_recorded(seat: str) -> None:
    """In every state that a seat cannot tell apart from the present one, the same has been recorded."""
    state = played(FOLDER / "face_down.rules", 3)
    for seed in range(10):
        other = resampled(state, seat, seed)
        assert recorded(other, "face") == recorded(state, "face")
        assert other.evaluate("times(face)") == state.evaluate("times(face)")
        assert other.evaluate("times(face)", seat) == state.evaluate("times(face)", seat)
