"""Choices of at least and at most so many: what is offered, what the prompt says, saves and random games."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from tests.interpreter.machine.comparing import compared

HANDFULS = Path(__file__).parent / "rules" / "handfuls.rules"


@pytest.fixture(scope="module")
def handfuls() -> Game:
    return load(HANDFULS)


def test_the_examples_hold() -> None:
    results = run_examples(HANDFULS)
    assert len(results) == 12
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize(
    "action, said",
    [
        ("eat", ["0 of 2 to 3", "1 of 2 to 3", "2 of 2 to 3"]),
        ("nibble", ["0 of 2 to 3", "1 of 2 to 3", "2 of 2 to 3"]),
        ("taste", ["0 of 2", "1 of 2"]),
        ("pick", ["0 of 2 to 3", "1 of 2 to 3", "2 of 2 to 3"]),
        ("gulp", ["0 of up to 2", "1 of up to 2"]),
        ("like", ["0 of 1 to 2", "1 of 1 to 2"]),
        ("sniff", ["0 of 1"]),
    ],
)
def test_the_question_says_how_many(handfuls: Game, action: str, said: list[str]) -> None:
    state = handfuls.start(seed=3)
    state.push(action)
    for words in said:
        assert state.question is not None
        assert state.question.so_far == words
        state.push(state.legal_moves[0])
    assert state.question is not None
    assert state.question.so_far == ""


def handfuls_of(state: State, action: str) -> list[tuple[str, ...]]:
    """The cards that can be chosen, in every way in which they can."""
    found: list[tuple[str, ...]] = []
    state.push(action)
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        chosen = waiting.pop()
        for move in chosen:
            state.push(move)
        for move in [move.notation for move in state.legal_moves]:
            if move == "done":
                found.append(chosen)
                continue
            state.push(move)
            more = state.question is not None and state.question.so_far
            (waiting if more else found).append((*chosen, move))
            state.pop()
        for _ in chosen:
            state.pop()
    state.pop()
    return found


@pytest.mark.parametrize(
    "action, sizes",
    [("eat", (2, 3)), ("nibble", (0, 2, 3)), ("taste", (2,)), ("pick", (2, 3)), ("gulp", (0, 1, 2)), ("sniff", (1,))],
)
def test_every_handful_of_these_sizes_comes_up_once(handfuls: Game, action: str, sizes: tuple[int, ...]) -> None:
    state = handfuls.start(seed=3)
    hand = [f"choose({piece.name.removesuffix(' card')})" for piece in state.view("ann").zones["hand[ann]"].pieces]
    wanted = {tuple(sorted(some)) for size in sizes for some in combinations(hand, size)}
    found = [tuple(sorted(some)) for some in handfuls_of(state, action)]
    assert sorted(found) == sorted(wanted)


def test_a_game_goes_on_from_every_decision(handfuls: Game, tmp_path: Path) -> None:
    rng, state, path = random.Random(1), handfuls.start(seed=5), tmp_path / "a.save"
    while state.player is not None and state.ply < 60:
        state.push(rng.choice(state.legal_moves))
        write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "human")), durable=False)
        again = resume(read_save(path))
        assert again.key() == state.key()
        assert again.legal_moves == state.legal_moves
        assert again.question == state.question


def test_random_games_are_the_same_however_they_are_played(handfuls: Game) -> None:
    assert compared(handfuls, 0, 20)["games"] == 20


# ---------------------------------------------------------------- equal values, and none, among what is chosen from

MARKET = """\
game "Market" for 2 players ann, ben

== components ==

type S is a1, a2
piece C: 3 for each s: S in market
zone market holds C, seen by (all if lit else {ann})
zone hand[p: Player] holds C
note lit: Truth = true
note last_c: C or none = none
note favourite: S or none = none
note n: 0..9 = 0

== phases ==

phase main, turns from ann, over when n is 4:
    add 1 to n
    CHOICE

action take(cs in handfuls(market, 2, 2)):
    move cs to hand[me]
action like(s in [favourite, favourite, a1, a1]):
    set favourite to s
action keep(c in [last_c, last_c, the c in market with highest count hand[ann] of c.s]):
    set last_c to c

== scoring ==

winner highest count hand[me]
"""


def offered(folder: Path, choice: str, *made: str, lit: str = "true") -> list[str]:
    """The moves that are offered after others; both engines agree on what follows."""
    path = folder / "market.rules"
    path.write_text(MARKET.replace("CHOICE", choice).replace("Truth = true", f"Truth = {lit}"), encoding="utf-8")
    game = load(path, players=None)
    assert compared(game, 0, 10)["games"] == 10
    state = game.start(1)
    for notation in made:
        state.push(notation)
    return [legal.notation for legal in state.legal_moves]


@pytest.mark.parametrize("lit", ["true", "false"])
def test_equal_pieces_that_the_seat_may_not_always_see_are_chosen_together(lit: str, tmp_path: Path) -> None:
    """Ann sees all of them, in either way: she may choose two of a kind, as where everybody always sees them."""
    choice = "must choose 3 cs from market"
    assert offered(tmp_path, choice, lit=lit) == ["choose(a1)", "choose(a2)"]
    assert offered(tmp_path, choice, "choose(a1)", "choose(a1)", lit=lit) == ["choose(a1)", "choose(a2)"]
    assert offered(tmp_path, "must take", lit=lit) == ["take([a1, a1])", "take([a1, a2])", "take([a2, a2])"]


@pytest.mark.parametrize(
    "choice, moves",
    [
        ("must like", ["like(none)", "like(a1)"]),
        ("must keep", ["keep(a1)", "keep(none)"]),
        ("must choose s from [a2, a1, a2]", ["choose(a2)", "choose(a1)"]),
        ("must choose up to 2 ss from [favourite, a2, a1, a2]", ["choose(a2)", "choose(a1)"]),
        ("must choose 2 cs from [last_c, the c in market with highest count hand[ann] of c.s]", ["choose(a1)"]),
    ],
)
def test_a_list_with_a_value_twice_offers_it_once(choice: str, moves: list[str], tmp_path: Path) -> None:
    """And none, which is no member of a set, is not offered where several are chosen."""
    assert offered(tmp_path, choice) == moves
