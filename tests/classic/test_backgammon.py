"""Backgammon is the same game as OpenSpiel's, in all three of its `scoring_type`s and from both sides of the board.

OpenSpiel decides about two dice at once, we about one after the other. So at a decision of its we carry out every
sequence of up to two moves of ours, which has to be an action there, and compare where all of them lead. Of the two
orders in which the same men reach the same points OpenSpiel lists only one; therefore its actions may be fewer, but
never lead elsewhere. A double is two decisions in a row there, and passing is an action.

Left out:
- `hyper_backgammon`, another game, with three men a side;
- `max_player_turns`, after which OpenSpiel ends a game without a result: no rule of backgammon, set out of reach here;
- the doubling cube, which OpenSpiel does not have. Examples and `tests/games` try it.

OpenSpiel and the rules of the U.S. Backgammon Federation do not differ in anything else that these games reach.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from interpreter.play.game import Game, State, load
from interpreter.runtime.chance import ChanceEvent
from tests.classic.twin import Spiel

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

MOST = {"winloss_scoring": 1, "enable_gammons": 2, "full_scoring": 3}
"""What a game is worth at most, by the type of scoring."""

FEW, MANY = 20, 400
"""How many games are played of each type of scoring."""
LOOKS = 0.03
"""At how many decisions of the few games all sequences are tried, in the long run at all."""

MEN, POINTS, BAR = 15, 24, 25
BAR_THERE, PASS = 100, -1

Half = tuple[int, int]
"""A number, and the point a man is moved from, as its owner counts."""
Position = tuple[tuple[int, ...], tuple[int, ...]]
"""The men of both on the points from 0, off the board, to the bar, as their owners count."""

Roll = tuple[int, int, str]
"""The numbers of a roll, the lower one first; in the opening also who begins."""


def roll_of(first: int, second: int, opening: bool) -> Roll | None:
    """What we have rolled; none if it is rolled again."""
    if opening and first == second:
        return None
    low, high = sorted((first, second))
    return low, high, ("X" if first > second else "O") if opening else ""


@cache
def rolls(opening: bool) -> list[tuple[Roll, int, float]]:
    """OpenSpiel's rolls in the opening or later: what each of them is, its number, how likely it is."""
    spiel = pyspiel.load_game("backgammon").new_initial_state()
    if not opening:
        spiel.apply_action(0)
        spiel.apply_action(spiel.legal_actions()[0])
    found: list[tuple[Roll, int, float]] = []
    for outcome, chance in spiel.chance_outcomes():
        told = re.search(r"(?:([XO]) starts.*)?roll: (\d)(\d)", spiel.action_to_string(-1, outcome))
        assert told is not None
        low, high = sorted(map(int, told.group(2, 3)))
        found.append(((low, high, told.group(1) or ""), outcome, chance))
    return found


def counted(place: int, seat: int) -> int:
    """A point of OpenSpiel's as the seat counts: the first seat moves up there, the other one down."""
    return BAR if place == BAR_THERE else POINTS - place if seat == 0 else place + 1


def halves(spiel: Spiel, action: int) -> tuple[Half, ...]:
    """The moves of which an action of OpenSpiel consists; none if it passes."""
    seat = spiel.current_player()
    moves = spiel.spiel_move_to_checker_moves(seat, action)
    return tuple((move.num, counted(move.pos, seat)) for move in moves if move.pos != PASS)


def notation(half: Half) -> str:
    """A move as we write it."""
    number, point = half
    if point == BAR:
        return f"enter({number})"
    return f"{'go' if point > number else 'bear_off'}({number},{point})"


def theirs(spiel: Spiel) -> Position:
    """Where the men lie there."""

    def of(seat: int) -> tuple[int, ...]:
        men = [0] * (BAR + 1)
        for place in (*range(POINTS), BAR_THERE):
            men[counted(place, seat)] = spiel.board(seat, place)
        men[0] = MEN - sum(men)
        return tuple(men)

    return of(0), of(1)


def _digits(seat: str, points: range) -> str:
    """How many men lie on some points as the digits of one number, which is asked for at once."""
    text = "0"
    for point in points:
        text = f"({text}) * {MEN + 1} + count men[{seat}, {point}]"
    return text


THIRDS = range(9), range(9, 18), range(18, 26)
ASKED = {seat: [(_digits(seat, third), len(third)) for third in THIRDS] for seat in ("white", "black")}


def ours(state: State) -> Position:
    """Where the men lie here."""

    def of(seat: str) -> tuple[int, ...]:
        men: list[int] = []
        for text, points in ASKED[seat]:
            number = state.evaluate(text)
            assert isinstance(number, int)
            men += [number // (MEN + 1) ** place % (MEN + 1) for place in reversed(range(points))]
        return tuple(men)

    return of("white"), of("black")


class Pair:
    """The same game on both sides, which OpenSpiel rolls as we have."""

    def __init__(self, game: Game, spiel_game: Spiel, seed: int) -> None:
        self.rng = random.Random(seed)
        self.faces: list[int] = []
        self.spiel: Spiel = spiel_game.new_initial_state()
        self.state = game.start(chance=self._chance)
        self.opening = True
        self.settle()

    def _chance(self, event: ChanceEvent) -> Any:
        assert (event.kind, event.size) == ("roll", 6)
        self.faces.append(self.rng.randrange(6))
        return self.faces[-1]

    def settle(self) -> None:
        """Let OpenSpiel roll, and pass where we have done so, up to the pending decision."""
        spiel = self.spiel
        while not spiel.is_terminal():
            if spiel.is_chance_node():
                self._roll()
            elif [halves(spiel, action) for action in spiel.legal_actions()] == [()]:
                spiel.apply_action(spiel.legal_actions()[0])
            else:
                break
        assert not self.faces, f"rolls on our side only: {self.faces}, there:\n{spiel}"
        assert (self.state.player is None) == bool(spiel.is_terminal())
        if self.state.player is not None:
            assert self.state.game.seats.index(self.state.player) == spiel.current_player()
        assert ours(self.state) == theirs(spiel), spiel

    def _roll(self) -> None:
        roll = None
        while roll is None:
            assert self.faces, f"a roll on the other side only:\n{self.spiel}"
            first, second, *self.faces = self.faces
            roll = roll_of(first + 1, second + 1, self.opening)
        outcomes = [outcome for other, outcome, _ in rolls(self.opening) if other == roll]
        self.spiel.apply_action(self.rng.choice(outcomes))
        self.opening = False

    def sequences(self, moves: int = 2) -> Iterator[tuple[tuple[Half, ...], Position]]:
        """All that one can play here, in up to so many moves, each with where it leads; nothing is rolled for it."""
        state = self.state
        for move in state.legal_moves:
            number, *point = map(int, re.findall(r"\d+", move.notation))
            state.push(move)
            rolled, self.faces = bool(self.faces), []
            half = number, point[0] if point else BAR
            if moves == 1 or rolled or state.over:
                yield (half,), ours(state)
            else:
                yield from (((half, *more), end) for more, end in self.sequences(moves - 1))
            state.pop()

    def compare(self) -> None:
        """Carry out everything that can be played on either side."""
        spiel = self.spiel
        actions = {halves(spiel, action): theirs(spiel.child(action)) for action in spiel.legal_actions()}
        found = dict(self.sequences())
        assert actions.keys() <= found.keys(), f"{actions.keys() - found.keys()} there only:\n{spiel}"
        assert all(found[sequence] == end for sequence, end in actions.items())
        assert set(found.values()) == set(actions.values()), spiel

    def play(self, action: int) -> None:
        """Do the same on both sides."""
        for half in halves(self.spiel, action):
            assert not self.faces
            self.state.push(notation(half))
        self.spiel.apply_action(action)
        self.settle()


def in_step(game: Game, scoring: str, seed: int, looks: float) -> Counter[str]:
    """A random game on both sides; everything that can be played is tried at a share of the decisions.

    Returns how often something came up that the comparison is about.
    """
    spiel_game = pyspiel.load_game(f"backgammon(scoring_type={scoring},max_player_turns=100000)")
    pair, seen = Pair(game, spiel_game, seed), Counter[str]()
    while not pair.spiel.is_terminal():
        if pair.rng.random() < looks:
            pair.compare()
            seen["compared"] += 1
        pair.play(pair.rng.choice(pair.spiel.legal_actions()))
    points = [pair.state.evaluate(f"points({seat})") for seat in ("white", "black")]
    assert pair.state.outcome is not None
    assert points == [pair.state.outcome.scores[seat][0] for seat in ("white", "black")]
    gained = [min(MOST[scoring], point) for point in points if isinstance(point, int)]
    assert [gained[0] - gained[1], gained[1] - gained[0]] == pair.spiel.returns()
    seen[f"worth {max(gained)}"] += 1
    return seen


@pytest.mark.parametrize("opening", [True, False])
def test_rolls_are_as_likely(opening: bool) -> None:
    pairs = [roll_of(first, second, opening) for first, second in product(range(1, 7), repeat=2)]
    likely = Counter(roll for roll in pairs if roll is not None)
    chances: dict[Roll, float] = defaultdict(float)
    for roll, _, chance in rolls(opening):
        chances[roll] += chance
    assert chances == pytest.approx({roll: number / likely.total() for roll, number in likely.items()})


@pytest.mark.parametrize("scoring", MOST)
def test_random_games_in_step(scoring: str, long_run: bool) -> None:
    game, seen = load("backgammon", 2), Counter[str]()
    for seed in range(MANY if long_run else FEW):
        seen += in_step(game, scoring, seed, 1 if long_run else LOOKS)
    assert seen[f"worth {MOST[scoring]}"]
    assert seen["compared"] > FEW
