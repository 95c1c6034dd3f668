"""Yacht in step with OpenSpiel, which throws several dice in one outcome; and published counts of mastermind."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from interpreter.play.game import State, load
from interpreter.seat.notation.moves import Move

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

CATEGORIES = (
    "ones", "twos", "threes", "fours", "fives", "sixes", "chance", "four_of_a_kind", "full_house", "small_straight",
    "large_straight", "yacht",
)  # fmt: skip
FIRST_CATEGORY = 32


def dice(state: State) -> list[int]:
    """What the dice show here."""
    return [int(str(state.evaluate(f"cube[{number}]"))) for number in range(1, 6)]


def throw(state: State, spiel: Any, mask: int) -> None:
    """Throw there what was thrown here: an outcome has a digit for each of these dice, in the base of six."""
    thrown = [face for place, face in enumerate(dice(state)) if mask >> place & 1]
    spiel.apply_action(sum((face - 1) * 6**place for place, face in enumerate(thrown)))


def make(state: State, notation: str) -> None:
    """Make a move here."""
    state.push(next(move for move in state.legal_moves if move.notation.replace(" ", "") == notation))


def played(players: int, seed: int) -> None:
    """A random game on both sides, with the same throws and categories; so that straights occur, most dice are kept."""
    rng, state = random.Random(seed), load("yacht", players).start(seed)
    spiel = pyspiel.load_game(f"yacht(players={players})").new_initial_state()
    while not spiel.is_terminal():
        throw(state, spiel, 31)
        for _ in range(2):
            mask = rng.choice((0, rng.randrange(32), rng.choice((1, 2, 4, 8, 16))))
            assert state.player == state.game.seats[spiel.current_player()]
            assert spiel.legal_actions() == list(range(32))
            spiel.apply_action(mask)
            for place in range(5):
                if mask >> place & 1:
                    make(state, f"choose({place + 1})")
            if mask != 31:
                make(state, "done")
            if not mask:
                break
            throw(state, spiel, mask)
        legal = {f"enter({CATEGORIES[action - FIRST_CATEGORY]})": action for action in spiel.legal_actions()}
        assert {move.notation for move in state.legal_moves} == set(legal)
        chosen = rng.choice(sorted(legal))
        spiel.apply_action(legal[chosen])
        make(state, chosen)
    assert state.over and state.outcome is not None
    totals = [int(line.split("total: ")[1].split(")")[0]) for line in str(spiel).splitlines() if "total: " in line]
    assert [state.evaluate(f"total({seat})") for seat in state.game.seats] == totals


@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")
def test_random_games_of_yacht_in_step(long_run: bool) -> None:
    for seed in range(300 if long_run else 6):
        played(2 + seed % 3, seed)


ANSWERS = {
    "try(red,red,orange,orange)": (256, 256, 96, 16, 1, 256, 208, 36, 114, 32, 4, 20, 1),
    "try(red,orange,yellow,green)": (16, 152, 312, 136, 9, 108, 252, 132, 8, 96, 48, 6, 20, 1),
}
"""By the first guess, how many of the 1,296 codes have each answer, from (0, 0) to (4, 0): Donald E. Knuth, The
computer as Master Mind, Journal of Recreational Mathematics 9 (1976)."""


def first_guess(state: State, code: Move, notation: str) -> Move:
    """The move of a first guess, which is the same whatever the code is."""
    state.push(code)
    found = next(move for move in state.legal_moves if move.notation.replace(" ", "") == notation)
    state.pop()
    return found


def test_answers_of_mastermind_are_those_published() -> None:
    state = load("mastermind").start(1)
    codes = list(state.legal_moves)
    assert len(codes) == 1296
    for guess, counts in ANSWERS.items():
        tried = first_guess(state, codes[0], guess)
        answers = Counter[tuple[int, int]]()
        for code in codes:
            state.push(code)
            state.push(tried)
            answers[int(str(state.evaluate("bulls[1]"))), int(str(state.evaluate("cows[1]")))] += 1
            state.pop()
            state.pop()
        assert tuple(answers[answer] for answer in sorted(answers)) == counts
