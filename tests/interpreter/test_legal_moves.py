"""Legal moves and their words: those of the moment of listing, whenever they are read, and not rendered to play."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.errors import IllegalMoveError, PlayError
from interpreter.play.game import State, load
from interpreter.play.state import push_in_words
from interpreter.seat.notation.moves import Move
from interpreter.seat.views.history import DecisionRecord
from tests.support.resampling import resampled

RULES = Path(__file__).parent / "rules"
WORDS = RULES / "words.rules"
GAMES = ("go_fish", "chinesische_mauer", "leduc_poker", "checkers", RULES / "riders.rules")
FAULT = r"there is no `first\(line\)`: `line` is empty"
FAILING = '    "name {first(line).colour.worth + 1}"'
PLACE = f"words.rules:{WORDS.read_text(encoding='utf-8').splitlines().index(FAILING) + 1}:"

Words = tuple[str, dict[str, str | int], str, str, str]


@pytest.fixture
def state() -> State:
    """`name` is legal, but its label fails until a stone was laid."""
    return load(WORDS).start()


def words(move: Move) -> Words:
    return move.name, move.arguments, move.label, move.notation, repr(move)


def played(state: State, seed: int, most: int = 60) -> list[Move]:
    """Random moves; returns them."""
    rng, made = random.Random(seed), list[Move]()
    while not state.over and len(made) < most:
        made.append(rng.choice(state.legal_moves))
        state.push(made[-1])
    return made


# ---------------------------------------------------------------- the words of a move


@pytest.mark.parametrize("name", GAMES)
def test_words_are_those_of_the_moment_of_listing(name: str | Path) -> None:
    """They are the same whether they are read at once or when the game has gone on, is over, or was taken back."""
    state, rng = load(name).start(5), random.Random(5)
    listed: list[tuple[Move, Words]] = []
    later: list[tuple[Move, Words]] = []
    while not state.over and state.ply < 60:
        now = [words(move) for move in state.legal_moves]
        listed += zip(state.legal_moves, now, strict=True)
        later += zip(state.legal_moves, now, strict=True)
        state.push(rng.choice(state.legal_moves))
    assert [words(move) for move, _ in listed] == [expected for _, expected in listed]
    while state.ply:
        state.pop()
    assert [words(move) for move, _ in later] == [expected for _, expected in later]


def test_words_do_not_follow_the_state(state: State) -> None:
    before = state.legal_moves
    state.push("lay(red)")
    after = state.legal_moves
    assert [move.label for move in before[:2]] == ["lay red after 0 stones", "lay blue after 0 stones"]
    assert [move.label for move in after] == ["lay red after 1 stones", "lay blue after 1 stones", "name 2"]
    state.pop()
    assert after[2].label == "name 2"


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda move: pickle.loads(pickle.dumps(move))])
def test_moves_can_be_copied_and_pickled(state: State, way: Callable[[Move], Move]) -> None:
    move = state.legal_moves[1]
    expected = words(state.legal_moves[1])
    other = way(move)
    state.push("lay(red)")
    assert words(other) == expected == words(move)
    assert other == move and hash(other) == hash(move) and other.code == move.code
    state.pop()
    other.arguments["c"] = "changed"
    assert move.arguments == {"c": "blue"}
    state.push(way(move))
    assert state.history[-1].notation == "lay(blue)"


def test_equality_of_moves(state: State) -> None:
    moves = state.legal_moves[:2]
    for other in (state, state.copy(), pickle.loads(pickle.dumps(state)), load(WORDS).start()):
        again = other.legal_moves[:2]
        assert again == moves and list(map(hash, again)) == list(map(hash, moves))
        assert again[0] != moves[1]
        other.push("name")
        other.push("lay(blue)")
        assert other.legal_moves[0].notation == moves[0].notation
        assert other.legal_moves[0] != moves[0], "its label is another one"
    assert moves[0] != "lay(red)"


def test_a_move_cannot_be_changed(state: State) -> None:
    move: Any = state.legal_moves[0]
    for field in ("name", "arguments", "label", "notation", "code", "other"):
        with pytest.raises(AttributeError):
            setattr(move, field, "changed")


# ---------------------------------------------------------------- playing without words


def test_a_label_that_fails_is_an_error_when_it_is_read(state: State) -> None:
    move = state.legal_moves[2]
    assert (move.name, move.arguments, move.notation, str(move)) == ("name", {}, "name", "name")
    for read in (lambda: move.label, lambda: repr(move), lambda: pickle.dumps(move)):
        with pytest.raises(PlayError, match=FAULT) as caught:
            read()
        assert PLACE in caught.value.location


def test_pushing_renders_nothing(state: State) -> None:
    """The labels of these moves would fail, also where they are made again and in a copy."""
    made = [state.legal_moves[2]]
    state.push(made[0])
    made.append(state.legal_moves[2])
    for _ in range(2):
        state.push(made[1])
        state.pop()
        state.pop()
        state.push(made[0])
    other = state.copy()
    for each in (state, other):
        each.push(made[1])
    assert other.key() == state.key()
    assert (state.ply, state.view(None).notes["steps"]) == (2, 2)
    for read in (lambda: state.history, lambda: state.log("ann"), lambda: state.log(None, since=1)):
        with pytest.raises(PlayError, match=FAULT) as caught:
            read()
        assert PLACE in caught.value.location
    for other in (state.copy(), pickle.loads(pickle.dumps(state))):
        assert (other.key(), other.ply) == (state.key(), 2)
    state.pop()
    state.pop()
    state.push("lay(red)")
    state.push("name")
    assert [made.label for made in state.history] == ["lay red after 0 stones", "name 2"]
    assert [entry.text for entry in state.log("ben", since=0)[-2:]] == ["lay red after 0 stones", "name 2"]


def test_a_move_can_be_made_only_if_its_words_can_be_rendered(state: State) -> None:
    before = state.key(), list(state.journal), state.ply
    for move in (state.legal_moves[2], "name"):
        with pytest.raises(PlayError, match=FAULT):
            push_in_words(state, move)
        assert (state.key(), list(state.journal), state.ply, state.history) == (*before, [])
    push_in_words(state, "lay(red)")
    push_in_words(state, "name")
    assert state.history[-1].label == "name 2"


# ---------------------------------------------------------------- moves of other states and decisions


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_good_for_every_equal_state(name: str | Path) -> None:
    state, rng = load(name).start(3), random.Random(3)
    others = [state.copy(), load(name).start(3), load(name).start(3, traced=True)]
    while not state.over and state.ply < 40:
        before = state.key()
        move = rng.choice(state.legal_moves)
        for _ in range(2):
            state.push(move)
            after = state.key()
            state.pop()
            assert state.key() == before
        for other in (state, *others):
            other.push(move)
            assert other.key() == after
    assert all(other.history == state.history for other in others[:2])


def test_stale_moves_are_refused(state: State) -> None:
    """Whether `push` takes a move does not depend on whether its words were read."""
    old = load(RULES / "riders.rules").start(seed=1)
    unread, read = old.legal_moves, old.legal_moves
    assert [str(move) for move in read] == ["ride", "done"]
    old.push("done")
    for listed in (unread, read):
        for move in listed:
            with pytest.raises(IllegalMoveError, match="is not a legal move now"):
                old.push(move)
    first = state.legal_moves[0]
    for colour in ("red", "red", "blue"):
        state.push(f"lay({colour})")
    with pytest.raises(IllegalMoveError, match=r"`lay\(red\)` is not a legal move now"):
        state.push(first)
    assert state.ply == 3


def test_a_move_of_another_decision_is_taken_by_its_notation(state: State) -> None:
    """Its label may have changed meanwhile; the notation says what is meant."""
    old = state.legal_moves
    state.push("lay(red)")
    state.push(old[1])
    assert [made.label for made in state.history] == ["lay red after 0 stones", "lay blue after 1 stones"]
    foreign = load("nim").start().legal_moves
    for move in foreign:
        with pytest.raises(IllegalMoveError, match="is not a legal move now"):
            state.push(move)


def test_a_move_is_made_by_its_number(state: State) -> None:
    meant = state.copy()
    meant.push(meant.legal_moves[1])
    for number in (-1, len(state.legal_moves)):
        with pytest.raises(IllegalMoveError, match=f"no legal move number {number} now"):
            state.push_number(number)
    state.push_number(1)
    assert state.key() == meant.key() and state.history == meant.history
    state.pop()
    assert state.ply == 0


@pytest.mark.parametrize("name", GAMES)
def test_moves_of_a_state_that_was_drawn_anew_mean_its_own_pieces(name: str | Path) -> None:
    """The same words may stand for other pieces there."""
    state, rng = load(name).start(2), random.Random(2)
    for number in range(25):
        if state.player is None:
            break
        moves = state.legal_moves
        other = resampled(state, state.player, number)
        assert other.history == state.history
        for move in rng.sample(moves, min(3, len(moves))):
            other.push(move)
            assert other.history[-1].notation == move.notation
            other.pop()
            assert other.legal_moves == moves
        state.push(rng.choice(moves))


# ---------------------------------------------------------------- the words of decisions


@pytest.mark.parametrize("name", GAMES)
def test_decisions_have_the_words_of_their_time(name: str | Path) -> None:
    """Rendered at the end, some at a time, in copies and pickles: always as right after each decision."""
    game = load(name)
    at_once, expected = game.start(7), list[DecisionRecord]()
    last, parts = game.start(7), game.start(7)
    for number, move in enumerate(played(game.start(7), 7)):
        push_in_words(at_once, move)
        expected.append(at_once.history[-1])
        last.push(move)
        parts.push(move)
        if number % 7 == 3:
            assert parts.history == expected
            parts.pop()
            parts.push(move)
    unread = [last.copy(), pickle.loads(pickle.dumps(last)), pickle.loads(pickle.dumps(last.copy()))]
    for state in (last, parts, *unread):
        assert state.history == expected == at_once.history
        for seat in (None, *game.seats):
            assert state.log(seat) == at_once.log(seat)
    parts.pop()
    parts.pop()
    assert parts.history == expected[:-2]
