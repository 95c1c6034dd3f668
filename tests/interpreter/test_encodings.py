"""Actions and tensors: every move can be made by actions, and a tensor shows what the seat sees and nothing else."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import regelwerk
from tests.support.library import shipped
from tests.support.resampling import resampled
from tests.support.secret_games import ALIKE, rules

NORMAL = {
    "checkers", "chess", "china", "chinesische_mauer", "cribbage", "dschingis_khan", "fells_and_becks", "kuhn_poker",
    "mauerbauer", "scopa", "skat", "spades", "tallow_lane",
}  # fmt: skip
"""The games of the normal run: moves in many parts, pieces that look alike, notes about pieces, secret choices."""

GAMES = [pytest.param(name, marks=() if name in NORMAL else pytest.mark.long) for name in shipped()]


def positions(game: regelwerk.Game, decisions: int, seed: int = 1) -> Iterator[regelwerk.State]:
    """The positions of a random game, the last one included."""
    state, rng = game.start(seed=seed), random.Random(seed)
    while not state.over and state.ply < decisions:
        yield state
        state.push(rng.choice(state.legal_moves))
    yield state


def by_actions(state: regelwerk.State) -> list[tuple[int, ...]]:
    """The actions that lead to each legal move, in their order."""
    begun = state.partial_move()
    return [begun.path(number) for number in range(len(state.legal_moves))]


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_made_by_actions_of_its_own(name: str) -> None:
    game = regelwerk.load(name)
    for state in positions(game, 40):
        paths = by_actions(state)
        assert len(set(paths)) == len(paths)
        for number, path in enumerate(paths):
            partial = state.partial_move()
            for action in path:
                assert partial.number is None and action in partial.legal_actions
                assert 0 <= action < game.action_space.size
                partial = partial.choose(action)
            assert (partial.number, partial.legal_actions) == (number, ())


@pytest.mark.parametrize("name", GAMES)
def test_each_column_and_each_action_has_a_name_of_its_own(name: str) -> None:
    game = regelwerk.load(name)
    for names in (game.observation_space.names, game.action_space.names):
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", GAMES)
def test_tensors_show_nothing_hidden(name: str) -> None:
    """A seat sees the same, and has the same actions, where hidden pieces have changed places."""
    game = regelwerk.load(name, players=max(regelwerk.load(name).counts))
    if game.is_open:
        pytest.skip("nothing is hidden in it")
    changed = 0
    for number, state in enumerate(positions(game, 40)):
        if state.over or number % 4:
            continue
        for seat in (state.player or "", random.Random(number).choice(game.seats)):
            other = resampled(state, seat, number)
            if other.player != state.player or other.ply != state.ply:
                continue  # a secret question to another seat arises no more
            changed += other.cells[6:] != state.cells[6:]
            assert other.observation(seat) == state.observation(seat)
            if seat == state.player:
                assert other.partial_move().legal_actions == state.partial_move().legal_actions
    # Nothing is decided yet, or what is hidden follows from what all have seen.
    assert changed or name in {
        "battleship", "blotto", "checkers", "mastermind", "rock_paper_scissors", "prisoners_dilemma",
    }  # fmt: skip


@pytest.mark.parametrize("number", [pytest.param(n, marks=() if n < 12 else pytest.mark.long) for n in range(300)])
def test_tensors_of_generated_games_show_nothing_hidden(number: int, tmp_path: Path) -> None:
    path = tmp_path / "generated.rules"
    path.write_text(rules(number), encoding="utf-8")
    try:
        game = regelwerk.load(path)
    except regelwerk.RulesError:
        pytest.skip("the check refuses it")
    for state in positions(game, 12, number):
        for seat in () if state.over else game.seats:
            other = resampled(state, seat, number)
            if (other.player, other.ply) == (state.player, state.ply):
                assert other.observation(seat) == state.observation(seat)
                if seat == state.player:
                    assert other.partial_move().legal_actions == state.partial_move().legal_actions


def test_actions_do_not_tell_which_unseen_pieces_lie_where(tmp_path: Path) -> None:
    path = tmp_path / "alike.rules"
    path.write_text(ALIKE, encoding="utf-8")
    state = regelwerk.load(path).start(seed=1)
    other = resampled(state, "ann", 1)
    assert other.cells != state.cells
    assert sorted(by_actions(other)) == sorted(by_actions(state))
    assert {"the one in: pool", "the one in: on"} <= set(state.game.action_space.names)


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe", "rock_paper_scissors", "chinesische_mauer", "cribbage"])
def test_positions_have_equal_tensors_if_they_look_the_same_and_only_then(name: str) -> None:
    game = regelwerk.load(name)
    tensors_by_look: dict[object, set[bytes]] = defaultdict(set)
    looks_by_tensor: dict[bytes, set[object]] = defaultdict(set)
    for seed in range(3 if name in ("chinesische_mauer", "cribbage") else 60):
        for state in positions(game, 100, seed):
            for seat in () if state.over else game.seats:
                own = seat == state.player
                view = state.view(seat)
                moves = tuple(move.notation for move in state.legal_moves) if own else ()
                actions = str(sorted(by_actions(state))).encode() if own else b""
                look = view.turn, view.phase, view.question, str(view.zones), str(view.notes), moves, seat
                encoded = state.observation(seat).tobytes() + actions
                tensors_by_look[look].add(encoded)
                looks_by_tensor[encoded].add(look)
    assert {len(tensors) for tensors in tensors_by_look.values()} == {1}
    assert {len(looks) for looks in looks_by_tensor.values()} == {1}


@pytest.mark.parametrize("name", ["kuhn_poker", "go_fish", "chinesische_mauer"])
def test_information_states_are_equal_where_a_seat_has_observed_the_same(name: str) -> None:
    state = regelwerk.load(name).start(seed=4)
    rng = random.Random(2)
    for _ in range(3):
        if not state.over and len(state.legal_moves) > 1:
            state.push(rng.choice(state.legal_moves))
    seat = state.game.seats[0]
    texts = {drawn.information_state(seat).text for drawn in state.determinizations(seat, 4)}
    assert texts == {state.information_state(seat).text}
    assert state.game.start(seed=4).information_state(seat).hash != state.information_state(seat).hash


def test_what_has_led_to_a_position_is_in_the_information_state_and_not_in_the_tensor() -> None:
    state, other = regelwerk.load("tic_tac_toe").start(), regelwerk.load("tic_tac_toe").start()
    for one, another in (("a1", "c3"), ("b2", "b2"), ("c3", "a1")):
        state.push(f"put({one})")
        other.push(f"put({another})")
    assert state.observation("cross") == other.observation("cross")
    assert state.information_state("cross") != other.information_state("cross")


WIDE = """
game "Wide" for 2 players ann, ben

== components ==

note total: -5000..5000 = 0

== phases ==

phase adding, turns from ann, over when total > 600:
    must raise_by

action raise_by(n: -400..700):
    set total to n

== scoring ==

winner highest total
"""


def test_wide_numbers_are_chosen_digit_by_digit(tmp_path: Path) -> None:
    path = tmp_path / "wide.rules"
    path.write_text(WIDE, encoding="utf-8")
    state = regelwerk.load(path).start()
    names = state.game.action_space.names
    words = {move.notation: path for move, path in zip(state.legal_moves, by_actions(state), strict=True)}
    assert [names[action] for action in words["raise_by(-7)"]] == [
        "raise_by, n is negative: yes", "raise_by, n, digit 3: 0", "raise_by, n, digit 2: 0", "raise_by, n, digit 1: 7",
    ]  # fmt: skip
    state.push("raise_by(-5)")
    seen = dict(zip(state.game.observation_space.names, state.observation("ann"), strict=True))
    assert seen["total: / 1000"] == pytest.approx(-0.005)


def test_sets_are_chosen_member_by_member() -> None:
    lines = """
        given middle is [two cups, five cups, three cups, four cups]
        and hand[ann] is [seven swords]
        when phase plays from ann
    """
    state = regelwerk.load("scopa").start(given=lines)
    names = state.game.action_space.names
    words = [[names[action] for action in path] for path in by_actions(state)]
    # What follows is certain then: five cups with two, four with three.
    assert words == [
        ["take, c: seven swords", "take, cards has: two cups"],
        ["take, c: seven swords", "take, cards has: three cups"],
    ]


def test_spaces_are_described_by_name() -> None:
    game = regelwerk.load("chess")
    assert game.action_space.names[0] == "go, c: a1"
    assert len(game.action_space.names) == game.action_space.size == game.action_space.shape[0]
    assert len(game.observation_space.names) == game.observation_space.size == len(game.start().observation("white"))
    assert "man[e2]: white" in game.observation_space.names
    seen = dict(zip(game.observation_space.names, game.start().observation("white"), strict=True))
    assert (seen["man[e2]: white"], seen["man[e2]: pawn"], seen["man[e2]: black"]) == (1, 1, 0)
    assert game.observation_space.describe().splitlines()[1] == "0..1  looks: white, black"


def test_wrong_arguments_are_refused() -> None:
    state = regelwerk.load("tic_tac_toe").start()
    with pytest.raises(regelwerk.UnknownSeatError):
        state.observation("ann")
    with pytest.raises(regelwerk.UnknownSeatError):
        state.information_state("ann")
    with pytest.raises(regelwerk.IllegalMoveError):
        state.partial_move().choose(9)
    with pytest.raises(regelwerk.IllegalMoveError):
        state.partial_move().path(9)
