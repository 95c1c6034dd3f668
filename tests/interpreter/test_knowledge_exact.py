"""States drawn for a seat are as likely as an enumeration of all histories says, in games small enough for one.

The enumeration plays every result of chance and every move through the public interface. A history that looks the same
to the seat counts as much as its chance results are likely, divided by how many moves each move of the others could
have been as far as the seat can tell.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations
from math import factorial, sqrt
from pathlib import Path
from typing import Any

import pytest

from interpreter.loading.game_library import find
from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.play.game import Game, State, load
from interpreter.runtime.chance import ChanceEvent
from interpreter.seat.notation.moves import Move
from tests.support.robbers import ROBBERS
from tests.support.secret_number import SECRET

SAMPLES = 240
"""How many states are drawn, twelve with each seed."""


class More(Exception):
    """A chance event whose result is not given yet."""

    def __init__(self, event: ChanceEvent) -> None:
        self.event = event


def replayed(game: Game, results: list[Any], moves: list[str], probing: bool = False) -> State:
    """A game with these chance results and moves. Raises More if there is no more, unless `probing`."""
    left = list(results)

    def chance(event: ChanceEvent) -> Any:
        if not left and probing:
            return list(range(event.size)) if event.kind == "shuffle" else 0
        if not left:
            raise More(event)
        return left.pop(0)

    state = game.start(0, chance=chance)
    for notation in moves:
        state.push(notation)
    return state


def seen_by(state: State, seat: str) -> tuple[Any, ...]:
    """All that a seat has seen, as far as the public interface shows it."""
    prompt = [move.label for move in state.legal_moves] if state.player == seat else []
    return state.log(seat), prompt, json.dumps(state.view(seat).as_data(), sort_keys=True)


def histories(game: Game, seat: str, real: State) -> Iterator[tuple[State, float]]:
    """All histories that look the same to a seat as the real one, each with its weight."""
    own = [record.notation for record in real.history if record.player == seat]
    wanted = seen_by(real, seat)

    def search(results: list[Any], moves: list[str], weight: float) -> Iterator[tuple[State, float]]:
        try:
            state = replayed(game, results, moves)
        except More as more:
            event = more.event
            every = permutations(range(event.size)) if event.kind == "shuffle" else range(event.size)
            share = 1 / (factorial(event.size) if event.kind == "shuffle" else event.size)
            for result in every:
                yield from search([*results, list(result) if isinstance(result, tuple) else result], moves,
                                  weight * share)  # fmt: skip
            return
        log = state.log(seat)
        if log[: len(log) - 1] != wanted[0][: len(log) - 1]:
            return
        if seen_by(state, seat) == wanted:
            yield state, weight
        if state.over or state.ply >= real.ply + 2:
            return
        if state.player == seat:
            number = sum(1 for record in state.history if record.player == seat)
            if number < len(own) and own[number] in [move.notation for move in state.legal_moves]:
                yield from search(results, [*moves, own[number]], weight)
            return
        alike: dict[str | None, list[Move]] = defaultdict(list)
        probe = replayed(game, results, moves, probing=True)
        for move in state.legal_moves:
            probe.push(move.notation)
            record = probe.history[-1]
            alike[None if record.unnoticed else record.labels[game.seats.index(seat)]].append(move)
            probe.pop()
        for same in alike.values():
            for move in same:
                yield from search(results, [*moves, move.notation], weight / len(same))

    return search([], [], 1.0)


def whole(state: State) -> str:
    return json.dumps(state.view(None).as_data(), sort_keys=True)


def moments(game: Game, seed: int, most: int) -> Iterator[State]:
    """The decisions of a random game."""
    state = game.start(seed)
    number = 0
    while not state.over and state.ply < most:
        yield state
        moves = state.legal_moves
        state.push(moves[(seed * 7 + number * 5) % len(moves)])
        number += 1


def reduced(folder: Path, name: str, changes: dict[str, str]) -> Game:
    """A shipped game with fewer cards and without its examples."""
    rules = find(name).read_text(encoding="utf-8").partition("== examples ==")[0]
    for old, new in changes.items():
        assert old in rules
        rules = rules.replace(old, new)
    path = folder / f"{name}.rules"
    path.write_text(rules, encoding="utf-8")
    return load(path)


RANKS = "two, three, four, five, six, seven, eight, nine, ten, jack, queen, king"
FEWER_FISH = {
    f"type Rank is ace, {RANKS}": "type Rank is ace, two",
    "    dealt   7  5  5  5  5": "    dealt   2  1  1  1  1",
    "piece Card: 4 for each": "piece Card: 3 for each",
    "count hand[p] of rank is 4": "count hand[p] of rank is 3",
    **{f'    {rank:12}"{rank}", "{rank}{"es" if rank == "six" else "s"}"\n': "" for rank in RANKS.split(", ")[1:]},
}
FEWER_BIDS = {"points: 1..13": "points: 1..3", "strength: 1..13": "strength: 1..3"}


def small_game(name: str, folder: Path) -> Game:
    match name:
        case "secret" | "robbers":
            path = folder / f"{name}.rules"
            path.write_text(SECRET if name == "secret" else ROBBERS, encoding="utf-8")
            return load(path)
        case "liars_dice":
            faces = "type Face is one, two, three, four, five, six"
            return reduced(folder, name, {faces: "type Face is one, two, six"})
        case "go_fish":
            return reduced(folder, name, FEWER_FISH)
        case "goofspiel":
            return reduced(folder, name, FEWER_BIDS)
        case _:
            return load(name)


SMALL = [
    ("secret", 3), ("robbers", 3), ("kuhn_poker", 3), ("liars_dice", 2), ("goofspiel", 3),
    pytest.param("goofspiel", 5, marks=pytest.mark.long), pytest.param("go_fish", 5, marks=pytest.mark.long),
    pytest.param("leduc_poker", 4, marks=pytest.mark.long),
]  # fmt: skip


@pytest.mark.parametrize(("name", "most"), SMALL)
def test_states_are_as_likely_as_their_histories(name: str, most: int, tmp_path: Path, long_run: bool) -> None:
    game = small_game(name, tmp_path)
    for seed in range(2 if long_run else 1):
        for state in moments(game, seed, most):
            seat = state.player
            assert seat is not None
            expected: dict[str, float] = defaultdict(float)
            for other, weight in histories(game, seat, state):
                expected[whole(other)] += weight
            assert whole(state) in expected
            compare(expected, state, seat)


def compare(expected: dict[str, float], state: State, seat: str) -> None:
    total = sum(expected.values())
    found: Counter[str] = Counter()
    drawn = 0
    for seed in range(SAMPLES // 12):
        for other in sampler_of(state, seat, seed).states(12):
            found[whole(other)] += 1
            drawn += 1
    assert set(found) <= set(expected)
    likely = {key: drawn * weight / total for key, weight in expected.items()}
    squares = sum((found[key] - mean) ** 2 / mean for key, mean in likely.items())
    freedom = len(expected) - 1
    assert squares <= freedom + 5 * sqrt(2 * freedom) + 5, (state.history, likely, found)
