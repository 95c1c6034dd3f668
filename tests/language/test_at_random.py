"""What chance chooses: in both engines, in logs and saves, and how likely."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.play.trace import Timeline
from interpreter.runtime.chance import ChanceEvent
from regelwerk import load as load_game
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.machine.comparing import compared
from tests.interpreter.test_position_texts import there_and_back
from tests.support.resampling import resampled

RULES = Path(__file__).parent / "rules" / "at_random.rules"


@pytest.fixture(scope="module", params=[2, 3])
def game(request: pytest.FixtureRequest) -> Game:
    return load(RULES, request.param)


def played(game: Game, seed: int) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
    return state


def test_the_examples_hold() -> None:
    results = run_examples(RULES)
    assert len(results) == 3
    assert [failure for result in results for failure in result.failures] == []


def test_games_are_the_same_with_passes_and_without(game: Game) -> None:
    same_with_passes_and_without(game, range(3))


def test_random_games_are_the_same_however_they_are_played(game: Game) -> None:
    compared(game, 0, 15)


def test_each_is_equally_likely() -> None:
    game = load(RULES, 2)
    firsts = Counter(
        next(piece.name for piece in game.start(seed).view(None).zones["won[ann]"].pieces) for seed in range(300)
    )
    assert set(firsts) == {"ball", "kite", "doll"}
    assert all(70 < number < 130 for number in firsts.values())


def test_all_can_be_taken_back_and_resumed(game: Game, tmp_path: Path) -> None:
    state, before, rng = game.start(3), list[tuple[str, object]](), random.Random(3)
    while not state.over:
        before.append((state.key(), state.log("ann")))
        state.push(rng.choice(state.legal_moves))
        path = tmp_path / "game.save"
        write_save(path, state, SaveMeta(dict.fromkeys(game.seats, "human"), []))
        assert resume(read_save(path)).key() == state.key()
    while before:
        state.pop()
        assert (state.key(), state.log("ann")) == before.pop()


def test_everybody_reads_what_they_see_of_what_chance_chooses() -> None:
    state = load(RULES, 2).start(1)
    told = {seat: [line for entry in state.log(seat) for line in entry.told] for seat in ("ann", "ben")}
    assert told["ann"] == told["ben"]
    assert told["ann"][0] in {f"chance chooses {toy}" for toy in ("ball", "kite", "doll")}
    assert "chance chooses ann, ben" in told["ann"]
    state.push("pass_on")
    told = {seat: [line for entry in state.log(seat) for line in entry.told] for seat in ("ann", "ben")}
    assert "chance chooses card" in told["ben"]
    assert [line for line in told["ann"] if line.startswith("you get")]
    assert "chance chooses card" in [event.text for _, event in Timeline(state, "ben").all_events()]


def test_other_states_of_the_information_set_look_the_same(game: Game) -> None:
    for seed in range(4):
        state, rng = game.start(seed), random.Random(seed)
        while not state.over:
            seat = rng.choice(game.seats)
            other = resampled(state, seat, seed)
            assert other.view(seat) == state.view(seat)
            if state.player == other.player == seat:
                assert [move.label for move in other.legal_moves] == [move.label for move in state.legal_moves]
            state.push(rng.choice(state.legal_moves))


def test_chance_can_be_supplied() -> None:
    events: list[ChanceEvent] = []

    def last(event: ChanceEvent) -> object:
        events.append(event)
        return list(range(event.size)) if event.kind == "shuffle" else event.size - 1

    state = load(RULES, 2).start(0, chance=last)
    assert [piece.name for piece in state.view(None).zones["won[ann]"].pieces] == ["doll"]
    assert [(event.kind, event.what, event.size) for event in events[:4]] == [
        ("shuffle", "deck", 10), ("choose", "deck", 6), ("choose", "deck", 5), ("choose", "prize", 3),
    ]  # fmt: skip
    assert events[3].faces == ("ball", "kite", "doll")
    with pytest.raises(PlayError, match="for `deck`, a whole number from 0 to 5 is expected, not -1"):
        load(RULES, 2).start(0, chance=lambda event: -1 if event.kind == "choose" else list(range(event.size)))


def test_positions_as_text_say_what_chance_will_choose() -> None:
    for seed in range(3):
        there_and_back(load_game(RULES), seed, 2)
