"""Game trees: chance dealt piece by piece is the same as all orders of a shuffle, each as likely."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import regelwerk
from interpreter.environments.returns import is_common, is_zero_sum, return_bounds
from interpreter.runtime.chance import ChanceEvent
from interpreter.solving.tree import GameTree, Node

Course = tuple[tuple[str, str], ...]
"""What the deciding seats knew, and what they chose."""

DECKS = """
game "Decks" for 2 players ann, ben

== components ==

type Colour is red, blue
piece Card: (2 if colour is red else 1) for each colour: Colour in deck

zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone pile holds row of Card, seen by nobody
note drawn: 0..9 = 0
die coin: 1, 2

== setup ==

shuffle deck
each player from ann: move 1 from deck to hand[me]

== phases ==

phase play, turns from ann, over when drawn >= 2:
    must draw or bury or flip or look

action draw:
    require deck is not empty           because "no card is left"
    move 1 from deck to hand[me]
    add 1 to drawn
action bury:
    require count hand[me] is 1         because "one card is buried"
    move hand[me] to deck at bottom
    add 2 to drawn
    move 1 from deck to hand[me]
    {more}
action flip:
    roll coin
    if coin is 1:
        move 1 from deck to pile
        shuffle pile
    add 2 to drawn
    if pile is not empty: move 1 from pile to hand[me]
action look:
    add (1 if deck is not empty and {asked} else 2) to drawn

== scoring ==

winner highest count (hand[me] of red) "red cards"
"""


def decks(folder: Path, more: str = "shuffle deck", asked: str = "top(deck).colour is red") -> regelwerk.Game:
    path = folder / "decks.rules"
    text = DECKS.replace("{more}", more).replace("{asked}", asked)
    path.write_text(text.lstrip(), encoding="utf-8")
    return regelwerk.load(path)


class _MoreError(Exception):
    def __init__(self, event: ChanceEvent) -> None:
        self.event = event


def by_brute_force(game: regelwerk.Game) -> Counter[Course]:
    """How likely each course is if all legal moves are: every order of every shuffle is tried."""
    courses: Counter[Course] = Counter()
    waiting: list[tuple[Fraction, tuple[Any, ...], tuple[int, ...]]] = [(Fraction(1), (), ())]
    while waiting:
        chance, results, moves = waiting.pop()
        supply = iter(results)

        def supplied(event: ChanceEvent, supply: Iterator[Any] = supply) -> Any:
            for result in supply:
                return result
            raise _MoreError(event)

        try:
            state = game.start(chance=supplied)
            course = []
            for number in moves:
                assert state.player is not None
                course.append((state.information_state(state.player).text, state.legal_moves[number].notation))
                state.push(state.legal_moves[number])
        except _MoreError as more:
            size = more.event.size
            more_results: Sequence[Any] = (
                list(itertools.permutations(range(size))) if more.event.kind == "shuffle" else range(size)
            )
            waiting += [(chance / len(more_results), (*results, result), moves) for result in more_results]
            continue
        if state.over:
            courses[tuple(course)] += chance  # type: ignore[assignment]
        legal = len(state.legal_moves)
        waiting += [(chance / legal, results, (*moves, number)) for number in range(legal)]
    return courses


def by_tree(node: Node, chance: Fraction = Fraction(1), course: Course = ()) -> Counter[Course]:
    courses: Counter[Course] = Counter()
    if node.is_chance:
        assert sum(outcome.probability for outcome in node.outcomes) == pytest.approx(1)
        for outcome in node.outcomes:
            likely = chance * Fraction(outcome.probability).limit_denominator(1000)
            courses.update(by_tree(node.after(outcome.number), likely, course))
    elif node.is_over:
        courses[course] += chance  # type: ignore[assignment]
    else:
        assert node.seat is not None
        known = node.information(node.seat)
        for number, move in enumerate(node.moves):
            made = (*course, (known, move.notation))
            courses.update(by_tree(node.after(number), chance / len(node.moves), made))
    return courses


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ("shuffle deck", "top(deck).colour is red"),
        ("move top(deck) to hand[me]", "nth(2, deck).colour is red"),
        ("move 1 from hand[me] to deck", "bottom(deck).colour is red"),
    ],
)
def test_deals_are_as_likely_as_all_orders_of_a_shuffle(more: str, asked: str, tmp_path: Path) -> None:
    game = decks(tmp_path, more, asked)
    assert by_tree(GameTree(game).root) == by_brute_force(game)


def test_kuhn_poker_is_dealt_as_all_orders_are() -> None:
    game = regelwerk.load("kuhn_poker")
    assert by_tree(GameTree(game).root) == by_brute_force(game)


def test_a_stack_that_nobody_sees_is_dealt_when_pieces_are_taken() -> None:
    """The tree of Leduc poker has the size that OpenSpiel's has: of six cards, three are dealt."""
    sizes: Counter[str] = Counter()
    waiting = [GameTree(regelwerk.load("leduc_poker")).root]
    while waiting:
        node = waiting.pop()
        sizes["chance" if node.is_chance else "over" if node.is_over else "decisions"] += 1
        numbers = [outcome.number for outcome in node.outcomes] if node.is_chance else range(len(node.moves))
        waiting += [node.after(number) for number in numbers]
    assert sizes == {"chance": 157, "decisions": 3780, "over": 5520}


def test_equal_pieces_are_one_outcome(tmp_path: Path) -> None:
    root = GameTree(decks(tmp_path)).root
    likely = {outcome.words: outcome.probability for outcome in root.outcomes}
    assert likely == pytest.approx({"deck: red": 2 / 3, "deck: blue": 1 / 3})


def test_nodes_are_copied_and_pickled(tmp_path: Path) -> None:
    node = GameTree(decks(tmp_path)).root
    while not node.is_over:
        node = node.after(node.outcomes[-1].number if node.is_chance else len(node.moves) - 1)
    assert copy.deepcopy(node) is node
    again = pickle.loads(pickle.dumps(node))
    assert (again.path, again.returns) == (node.path, node.returns)


@pytest.mark.parametrize(
    ("game", "kind", "returns"),
    [
        ("kuhn_poker", "win", (1.0, -1.0)),
        ("kuhn_poker", "score", (1.0, -1.0)),
        ("kuhn_poker", "margin", (1.0, -1.0)),
        ("prisoners_dilemma", "score", (50.0, 50.0)),
        ("prisoners_dilemma", "margin", (0.0, 0.0)),
        ("prisoners_dilemma", "win", (0.0, 0.0)),
    ],
)
def test_returns(game: str, kind: Any, returns: tuple[float, ...]) -> None:
    tree = GameTree(regelwerk.load(game), kind)
    node = tree.root
    while not node.is_over:
        node = node.after(node.outcomes[0].number if node.is_chance else 0)
    assert [*map(abs, node.returns)] == [*map(abs, returns)]
    low, high = return_bounds(tree.game.program, kind)
    assert all(low <= value <= high for value in node.returns)


@pytest.mark.parametrize(
    ("game", "zero_sum", "common"), [("golf", False, True), ("nim", True, False), ("whist", False, False)]
)
def test_sums_of_returns(game: str, zero_sum: bool, common: bool) -> None:
    program = regelwerk.load(game).program
    assert (is_zero_sum(program, "win"), is_common(program)) == (zero_sum, common)
