"""Long walks over histories of very unequal weights: a walk that weighed them wrongly would drift away.

A sampler begins with histories that are drawn as often as they are likely, so a few states from each would not show it.
Here many steps are made from one of them, in games where histories that look alike are not at all equally likely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.play.game import Game, State, load
from tests.interpreter.test_knowledge_exact import histories, seen_by

DRAWN, COUNTED = 40, 20
"""How many states are drawn in each walk, and how many of them, the last ones, count."""

FREEDOM = """\
game "Freedom" for 2 players ann, ben

== components ==

type Kind with copies: 1..3:
    narrow  3
    wide    1
type Size is 1..8

piece Card: kind.copies for each kind: Kind in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note kept: Size or none = none, seen by ann
note guessed: Size or none = none

== setup ==

shuffle deck
move 1 from deck to hand[ann]

== phases ==

phase writing, turns from ann, over when kept is not none:
    must write

phase guessing, turns from ben, over when guessed is not none:
    must guess

action write(secret n: Size):
    "write a number"
    require n is 1 or hand[me] of wide is not empty   because "the card is narrow"
    set kept to n

action guess(n: Size):
    set guessed to n

== scoring ==

winner guessed is not none and me is ann "was asked"
"""

CHOICES = """\
game "Choices" for 2 players ann, ben

== components ==

type Size is 1..2
note earlier[p: Player]: Size or none = none, seen by p
note later[p: Player]: Size or none = none, seen by p
note guessed: Size or none = none

== phases ==

phase writing, turns from ann, over when later[ann] is not none:
    must write_first
    must write_more
    must write_more
    must write_more

phase guessing, turns from ben, over when guessed is not none:
    must guess

action write_first(secret n: Size):
    "write a number"
    set earlier[me] to n

action write_more(secret n: Size):
    "write another number"
    require n is 1 or earlier[me] is 2       because "the first number is not 2"
    set later[me] to n

action guess(n: Size):
    set guessed to n

== scoring ==

winner guessed is not none and me is ann "was asked"
"""


def begun(folder: Path, rules: str) -> Game:
    path = folder / "small.rules"
    path.write_text(rules, encoding="utf-8")
    return load(path)


def compared(state: State, seat: str, walks: int, counts: Callable[[State], bool]) -> tuple[float, float, float]:
    """How likely it is that something `counts` in a state, in how many of the states it does, and with which error."""
    weights: dict[bool, float] = defaultdict(float)
    for other, weight in histories(state.game, seat, state):
        weights[counts(other)] += weight
    shares = []
    for seed in range(walks):
        drawn = sampler_of(state, seat, seed, size=1).states(DRAWN)[-COUNTED:]
        shares.append(fmean(counts(other) for other in drawn))
    return weights[True] / (weights[True] + weights[False]), fmean(shares), stdev(shares) / sqrt(walks)


def test_a_number_is_the_less_likely_the_more_numbers_could_have_been_written(tmp_path: Path) -> None:
    """Ann can write one number with three of the cards, and one of eight with the fourth."""
    state = begun(tmp_path, FREEDOM).start(1)
    state.push("write(1)")

    def is_wide(other: State) -> bool:
        return "wide" in str(other.view("ann").zones["hand[ann]"].pieces)

    expected, found, error = compared(state, "ben", 60, is_wide)
    assert expected == pytest.approx(1 / 4)
    assert abs(found - expected) < 4 * error + 0.01, (expected, found, error)


def test_a_choice_is_as_likely_whatever_it_leaves_to_choose_later(tmp_path: Path) -> None:
    """After a 1 ann has no choice any more, after a 2 she has three: still the first number is as often 1 as 2."""
    state = after_all_choices(tmp_path)
    expected, found, error = compared(state, "ben", 240, lambda other: other.view("ann").notes["earlier[ann]"] == 1)
    assert expected == pytest.approx(1 / 2)
    assert abs(found - expected) < 4 * error + 0.01, (expected, found, error)


def after_all_choices(folder: Path) -> State:
    state = begun(folder, CHOICES).start(1)
    for move in ("write_first(2)", "write_more(1)", "write_more(2)", "write_more(1)"):
        state.push(move)
    return state


def test_a_move_that_begins_a_phase_is_no_other_one(tmp_path: Path) -> None:
    """The same number is written again and again, which changes nothing; the last time a phase begins."""
    state = after_all_choices(tmp_path)
    for seed in range(6):
        for other in sampler_of(state, "ben", seed).states(12):
            assert seen_by(other, "ben") == seen_by(state, "ben")
