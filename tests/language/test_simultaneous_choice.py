"""Choices that all seats make at once: nobody learns of another's until everybody has chosen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.play.trace import Timeline
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.machine.comparing import compared
from tests.support.resampling import resampled

RULES = Path(__file__).parent / "rules" / "choose_at_once.rules"
GAMES = Path(__file__).parents[2] / "games"


@cache
def loaded(seats: int) -> Game:
    return load(RULES, seats)


@pytest.fixture(params=[2, 3, 4])
def game(request: pytest.FixtureRequest) -> Game:
    return loaded(request.param)


def begun(game: Game, *moves: str, seed: int = 1) -> State:
    state = game.start(seed)
    for move in moves:
        state.push(move)
    return state


def to_phase(state: State, phase: str, seed: int = 0) -> State:
    """Make random moves up to the beginning of a phase."""
    rng = random.Random(seed)
    while state.view(None).phase != phase:
        state.push(rng.choice(state.legal_moves))
    return state


def told(state: State, seat: str | None) -> list[str]:
    return [line for entry in state.log(seat) for line in entry.told]


# ---------------------------------------------------------------- what happens


def test_the_examples_hold() -> None:
    results = run_examples(RULES)
    assert len(results) == 4
    assert [failure for result in results for failure in result.failures] == []


def test_all_is_announced_in_the_order_of_the_seats_and_happens_then() -> None:
    state = begun(loaded(3), "throw(rock)", "throw(paper)")
    assert told(state, "ann") == []
    assert [state.view(None).notes[f"thrown[{seat}]"] for seat in state.game.seats] == [None, None, None]
    state.push("throw(scissors)")
    for seat in ("ann", "ben", "cy", None):
        assert told(state, seat) == ["ann: throw rock", "ben: throw paper", "cy: throw scissors"]


def test_an_ordinary_loop_does_the_same_if_nobody_looks(tmp_path: Path) -> None:
    """Goofspiel with one bid after the other: nothing is different on the table when all have bid."""
    text = (GAMES / "goofspiel.rules").read_text("utf-8")
    path = tmp_path / "goofspiel.rules"
    assert text.count(" at once: must bid") == 1
    path.write_text(text.replace(" at once: must bid", ": must bid"), "utf-8")
    for players in (2, 4):
        one, other = load(path, players), load(GAMES / "goofspiel.rules", players)
        for seed in range(3):
            before, after, rng = one.start(seed), other.start(seed), random.Random(seed)
            while not before.over:
                moves = [move.notation for move in before.legal_moves]
                assert [move.notation for move in after.legal_moves] == moves
                move = rng.choice(moves)
                before.push(move)
                after.push(move)
                if before.player == "ann":
                    assert before.view("ann").zones == after.view("ann").zones
            assert before.view(None) == after.view(None)


def test_cards_are_passed_on_together() -> None:
    """What is received is not there to be passed on: cy passes to dee, and dee to ann."""
    state = to_phase(begun(loaded(4)), "passing_on")
    held = {seat: hand(state, seat) for seat in state.game.seats}
    passed: dict[str, list[str]] = {}
    while state.question is not None and state.question.names == ("choose c",) and not state.question.secretly:
        assert state.player is not None
        move = state.legal_moves[0]
        passed.setdefault(state.player, []).append(str(move.arguments["c"]))
        assert set(passed[state.player]) <= set(held[state.player])
        state.push(move)
    assert {seat: len(cards) for seat, cards in passed.items()} == {"cy": 3, "dee": 3}
    assert hand(state, "cy") == sorted({*held["cy"]} - {*passed["cy"]})
    assert hand(state, "dee") == sorted({*held["dee"]} - {*passed["dee"]} | {*passed["cy"]})
    assert hand(state, "ann") == sorted([*held["ann"], *passed["dee"]])


def hand(state: State, seat: str) -> list[str]:
    return sorted(piece.name for piece in state.view(None).zones[f"hand[{seat}]"].pieces)


def test_requirements_are_judged_when_choosing() -> None:
    """Both choose the same coin; that the first has taken it by then does not matter to the second."""
    state = to_phase(begun(loaded(2)), "taking")
    state.push("take(cross)")
    state.push("take(cross)")
    zones = state.view(None).zones
    assert len(zones["purse[ann]"].pieces) == 0
    assert len(zones["purse[ben]"].pieces) == 1
    assert told(state, None)[-4:] == ["ann: take cross", "ben: take cross", "ann has 1", "ben has 1"]


def test_a_reaction_can_ask_between_the_effects() -> None:
    state = to_phase(begun(loaded(2)), "taking")
    state.push("ask_for(cross)")
    state.push("ask_for(ring)")
    assert (state.player, state.question and state.question.names) == ("ann", ("thank",))
    state.push("thank(2)")
    assert (state.player, state.question and state.question.names) == ("ben", ("thank",))
    assert told(state, "ben")[-3:] == ["ann: ask for cross", "ben: ask for ring", "ann has 2"]
    state.push("thank(3)")
    assert state.over  # both have lost: nobody is asked in the last loop


def test_effects_that_end_a_phase_leave_out_the_others() -> None:
    state = to_phase(begun(loaded(4)), "taking")
    for _ in range(4):
        state.push("ask_for(cross)")
    for _ in range(3):
        assert not state.over
        state.push("thank(3)")
    assert state.over
    assert len(state.view(None).zones["purse[dee]"].pieces) == 0


# ---------------------------------------------------------------- what others learn


def pairs(game: Game, seed: int) -> Iterator[tuple[str, State, State]]:
    """States that differ only in what has been chosen in a loop at once so far, with a seat that has not chosen so."""
    state, rng = game.start(seed), random.Random(seed)
    while not state.over:
        player, legal = state.player, state.legal_moves
        assert player is not None
        if not state.question or "thank" in state.question.names:
            state.push(rng.choice(legal))
            continue
        one, other = state.copy(), state.copy()
        one.push(rng.choice(legal))
        other.push(rng.choice(legal))
        state.push(rng.choice(legal))
        for _ in range(2):  # the same seat again, or the next ones
            for seat in set(game.seats) - {player}:
                if both_choosing(one, other, state.view(None).phase) and told(one, None) == told(other, None):
                    yield seat, one.copy(), other.copy()
            if one.player != player or other.player != player or one.over or other.over:
                break
            one.push(rng.choice(one.legal_moves))
            other.push(rng.choice(other.legal_moves))


def both_choosing(one: State, other: State, phase: str | None) -> bool:
    """Nothing has been announced or done since the two parted: at most somebody has chosen."""
    return (one.view(None).zones, one.view(None).notes) == (other.view(None).zones, other.view(None).notes)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_nothing_depends_on_what_others_have_chosen(game: Game, seed: int, long_run: bool) -> None:
    """In the normal run every second pair is compared if more than two seats play."""
    every = 1 if long_run or len(game.seats) == 2 else 2
    compared = 0
    for number, (seat, one, other) in enumerate(pairs(game, seed)):
        if one.player != other.player or number % every:
            continue  # one seat chooses several, the other has finished: see below
        compared += 1
        assert one.view(seat) == other.view(seat)
        assert one.log(seat) == other.log(seat)
        assert events(one, seat) == events(other, seat)
        if one.player == seat:
            assert [move.notation for move in one.legal_moves] == [move.notation for move in other.legal_moves]
            assert [move.label for move in one.legal_moves] == [move.label for move in other.legal_moves]
            assert one.question == other.question
            assert [one.why(move.notation) for move in one.legal_moves] == [
                other.why(move.notation) for move in other.legal_moves
            ]
    assert compared > 10


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_the_log_does_not_depend_on_how_many_have_been_chosen(game: Game, seed: int) -> None:
    for seat, one, other in pairs(game, seed):
        assert one.log(seat) == other.log(seat)


def events(state: State, seat: str) -> list[str]:
    found = Timeline(state, seat, then=True).all_events()
    return [f"{event.kind} {event.text} {event.values} {event.seat}" for _, event in found]


def test_all_that_is_shown_is_that_somebody_chooses() -> None:
    state = begun(loaded(3), "throw(rock)", "throw(paper)")
    assert [(entry.player, entry.text) for entry in state.log("cy")][1:] == [("ann", "chooses"), ("ben", "chooses")]
    assert [(entry.player, entry.text) for entry in state.log("ann")][1:] == [
        ("ann", "throw rock"), ("ben", "chooses"),
    ]  # fmt: skip
    trace = [event.text for _, event in Timeline(state, "cy").all_events()]
    assert "ann: chooses" in trace
    assert not any("rock" in text or "paper" in text for text in trace)


def test_of_several_only_the_first_is_noticed() -> None:
    state = to_phase(begun(loaded(2)), "passing_on")
    before = len(state.log("ben"))
    for _ in range(2):
        state.push(state.legal_moves[0])
        assert [entry.text for entry in state.log("ben")][before:] == ["chooses"]
    assert len([entry for entry in state.log("ann") if entry.player == "ann"][-2:]) == 2


def test_a_secret_question_is_not_noticed_at_all() -> None:
    state = to_phase(begun(loaded(2)), "bidding")
    before = state.log("ann")
    assert state.player == "ben"
    declined, bid = state.copy(), state.copy()
    declined.push("done")
    bid.push("bid_two(1, ben 4)")
    assert declined.log("ann") == bid.log("ann") == before
    for each in (declined, bid):
        each.push("bid_card(ann 3)")
    assert told(declined, "ann")[-1:] == ["ann: bid card ann 3"]
    assert told(bid, "ann")[-2:] == ["ben: bid … and 4", "ann: bid card ann 3"]
    assert told(bid, "ben")[-2:] == ["ben: bid 1 and 4", "ann: bid card card"]


def test_secret_parameters_stay_hidden_in_the_trace() -> None:
    state = to_phase(begun(loaded(2)), "taking")
    state.push("guess(ben, ring)")
    state.push("guess(ann, cross)")
    assert told(state, "ann")[-4:-2] == ["ann: guess about ben: ring", "ben: guess about ann: …"]
    text = "\n".join(events(state, "ann"))
    assert "m = ring" in text
    assert "m = cross" not in text
    assert "m = cross" in "\n".join(events(state, "ben"))


def test_a_game_with_such_choices_hides_something() -> None:
    assert not loaded(2).is_open


# ---------------------------------------------------------------- play


def test_games_are_the_same_with_passes_and_without(game: Game) -> None:
    same_with_passes_and_without(game, range(4))


def test_random_games_are_the_same_however_they_are_played(game: Game, long_run: bool) -> None:
    compared(game, 0, 40 if long_run else 15)


@pytest.mark.parametrize("seed", range(2))
def test_all_can_be_taken_back(game: Game, seed: int) -> None:
    state, before, rng = game.start(seed), list[tuple[str, object, object]](), random.Random(seed)
    while not state.over:
        before.append((state.key(), state.view("ann"), state.log("ben")))
        state.push(rng.choice(state.legal_moves))
    while before:
        state.pop()
        assert (state.key(), state.view("ann"), state.log("ben")) == before.pop()


def test_positions_are_equal_once_all_has_been_done() -> None:
    """A tie of rocks and a tie of papers leave the same position; choices differ while they are made."""
    game = loaded(2)
    assert begun(game, "throw(rock)").key() != begun(game, "throw(paper)").key()
    assert begun(game, "throw(rock)", "throw(rock)").key() == begun(game, "throw(paper)", "throw(paper)").key()


@pytest.mark.parametrize("seed", range(2))
def test_saves_are_resumed_in_the_middle(game: Game, seed: int, tmp_path: Path) -> None:
    state, rng = game.start(seed), random.Random(seed)
    for _ in range(3):
        for _ in range(rng.randrange(1, 8)):
            if not state.over:
                state.push(rng.choice(state.legal_moves))
        path = tmp_path / "game.save"
        write_save(path, state, SaveMeta(dict.fromkeys(game.seats, "human"), []))
        again = resume(read_save(path))
        assert again.key() == state.key()
        assert again.log("ann") == state.log("ann")


@pytest.mark.parametrize("seed", range(3))
def test_other_states_of_the_information_set_look_the_same(game: Game, seed: int) -> None:
    state, rng = to_phase(begun(game, seed=seed), "bidding", seed), random.Random(seed)
    while not state.over:
        seat = rng.choice(game.seats)
        other = resampled(state, seat, seed)
        if other.player == state.player:
            assert other.view(seat) == state.view(seat)
        if state.player == seat:
            assert [move.label for move in other.legal_moves] == [move.label for move in state.legal_moves]
        state.push(rng.choice(state.legal_moves))


def test_exchanged_pieces_are_exchanged_in_what_has_been_chosen() -> None:
    """Dee holds what cy has passed on in every state that ann may be in, as in the one she is in."""
    state = to_phase(begun(loaded(4)), "passing_on")
    while state.player == "cy":
        state.push(state.legal_moves[0])
    found: set[tuple[str, ...]] = set()
    for seed in range(12):
        other = resampled(state, "ann", seed)
        before, own = hand(other, "dee"), hand(other, "cy")
        while other.player == "dee":
            other.push(other.legal_moves[0])
        came = {*hand(other, "dee")} - {*before}
        assert len(came) == 3
        assert came <= {*own}
        found.add(tuple(sorted(came)))
    assert len(found) > 3
