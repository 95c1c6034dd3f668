"""Exact values of zero-sum games for one seat or two with chance and hidden information, by linear programming.

The whole tree of the game is written in sequence form (Koller, Megiddo, von Stengel: Fast Algorithms for Finding
Randomized Strategies in Game Trees, STOC 1994). A *sequence* is all that a seat has chosen on the way to a history. A
*plan* x gives each sequence a weight: how likely the seat makes these choices as far as it is up to it. A seat that
bets with a jack in one third of the cases, and always calls with it after a pass, has

    x(nothing yet) = 1    x(jack: bet) = 1/3    x(jack: pass) = 2/3    x(jack: pass, call) = 2/3

so a plan is described by linear equations: the weights of the moves in an information state add up to that of the
sequence before it. What the seat gets is the sum of `payoff · x(own) · y(other)` over all ends, linear in either plan,
and by duality the best plan against the best answer is the solution of one linear program (`_best_plan`). That is right
only for seats that remember all they have seen and done, as ours do.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import chain
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.environments.returns import Returns
from interpreter.errors import RunError
from interpreter.play.game import Game
from interpreter.solving.limits import Limits
from interpreter.solving.tree import GameTree, Node

EXTRA = "pip install 'regelwerk[lab]'"
MIN_PROBABILITY = 1e-7
"""Smaller probabilities are errors of rounding."""


@dataclass(frozen=True)
class Choice:
    """How a seat plays well in an information state: each move with its probability."""

    seat: str
    information: str
    moves: Mapping[str, float]

    @property
    def told(self) -> list[str]:
        """What the log has told the seat, in lines: without its name, who decides, and what was offered and seen."""
        lines = self.information.splitlines()[1:-2]
        return [line.strip() for line in lines if line != "setup" and not line.startswith(("  of ", "  seen "))]


@dataclass(frozen=True)
class Equilibrium:
    """What the first seat gets if both play well, how they choose, and the number of histories in the tree."""

    value: float
    choices: Sequence[Choice]
    histories: int


@dataclass
class _InformationSet:
    """The histories that a seat cannot tell apart where it decides.

    `sequence` is the number of its sequence up to here, `first` that of the sequence with the first of its `moves`, and
    so on.
    """

    sequence: int
    first: int
    moves: tuple[str, ...]

    @property
    def continuations(self) -> range:
        """The numbers of the sequences with one move more."""
        return range(self.first, self.first + len(self.moves))


@dataclass
class _Sequences:
    """The number of sequences of a seat, of which 0 is the empty one, and its information sets by what it knows."""

    size: int = 1
    sets: dict[str, _InformationSet] = field(default_factory=dict)


def equilibrium(game: Game, returns: Returns, limits: Limits) -> Equilibrium:
    """Solve a zero-sum game, or one for a single seat. Raises TooLargeError, PlayError, RunError without scipy."""
    optimize, sparse = _library("optimize"), _library("sparse")
    of_seats = (_Sequences(), _Sequences())
    payoffs: dict[tuple[int, int], float] = {}
    # A history, the probability of its chance outcomes, and the sequence of each seat on the way to it.
    waiting: list[tuple[Node, float, tuple[int, int]]] = [(GameTree(game, returns).root, 1.0, (0, 0))]
    histories = 0
    while waiting:
        node, probability, sequences = waiting.pop()
        histories += 1
        limits.check(histories, "history")
        if node.is_chance:
            waiting += [
                (node.after_outcome(outcome.number), probability * outcome.probability, sequences)
                for outcome in node.outcomes
            ]
        elif node.seat is None:
            payoffs[sequences] = payoffs.get(sequences, 0.0) + probability * node.returns[0]
        else:
            own = of_seats[node.seat]
            information = node.information(node.seat)
            information_set = own.sets.get(information)
            if information_set is None:
                moves = tuple(move.notation for move in node.moves)
                information_set = own.sets[information] = _InformationSet(sequences[node.seat], own.size, moves)
                own.size += len(moves)
            for number, sequence in enumerate(information_set.continuations):
                longer = (sequence, sequences[1]) if node.seat == 0 else (sequences[0], sequence)
                waiting.append((node.after_move(number), probability, longer))
    value, first_plan = _best_plan(optimize, sparse, of_seats[0], of_seats[1], payoffs)
    to_second = {(second, first): -payoff for (first, second), payoff in payoffs.items()}
    _, second_plan = _best_plan(optimize, sparse, of_seats[1], of_seats[0], to_second)
    choices = map(_choices, game.seats, of_seats, (first_plan, second_plan))  # a game for one has no second seat
    return Equilibrium(value, list(chain.from_iterable(choices)), histories)


def _best_plan(
    optimize: Any, sparse: Any, own: _Sequences, other: _Sequences, payoffs: Mapping[tuple[int, int], float]
) -> tuple[float, Sequence[float]]:
    """The value of the game for a seat, and the plan that gets it against the best answer.

    The variables are the plan x, then for the root and each information set of the other seat a value v: what the other
    seat can hold this one to from there on. Maximise v(root) such that

        x(empty) = 1, and x(sequence) = sum of x(sequence + move) for each own information set
        for each sequence s of the other: v(set of s) <= payoffs of s under x + sum of v(set) for the sets after s

    as the other seat chooses the smallest: the last line says that none of its moves gives it less than v.
    """
    values = 1 + len(other.sets)
    weights = [(0, 0, 1.0)]
    for row, information_set in enumerate(own.sets.values(), start=1):
        weights.append((row, information_set.sequence, -1.0))
        weights += [(row, sequence, 1.0) for sequence in information_set.continuations]
    answers = [(0, own.size, 1.0)]
    for number, information_set in enumerate(other.sets.values(), start=1):
        answers.append((information_set.sequence, own.size + number, -1.0))
        answers += [(sequence, own.size + number, 1.0) for sequence in information_set.continuations]
    answers += [(theirs, mine, -payoff) for (mine, theirs), payoff in payoffs.items()]
    size = own.size + values
    objective = [0.0] * size
    objective[own.size] = -1.0  # `linprog` minimises
    solved = optimize.linprog(
        objective,
        A_ub=_matrix(sparse, answers, other.size, size),
        b_ub=[0.0] * other.size,
        A_eq=_matrix(sparse, weights, 1 + len(own.sets), size),
        b_eq=[1.0, *[0.0] * len(own.sets)],
        bounds=[*[(0, None)] * own.size, *[(None, None)] * values],
        method="highs",
    )
    if not solved.success:
        raise RunError(f"the linear program was not solved: {solved.message}")
    return -float(solved.fun), [float(number) for number in solved.x[: own.size]]


def _matrix(sparse: Any, entries: Sequence[tuple[int, int, float]], rows: int, columns: int) -> Any:
    """A sparse matrix of entries by row and column."""
    places = [row for row, _, _ in entries], [column for _, column, _ in entries]
    return sparse.csr_matrix(([entry for _, _, entry in entries], places), shape=(rows, columns))


def _choices(seat: str, sequences: _Sequences, plan: Sequence[float]) -> list[Choice]:
    """The probabilities of moves by a plan, in the information sets that it comes to."""
    choices = []
    for information, information_set in sequences.sets.items():
        reached = plan[information_set.sequence]
        if reached > MIN_PROBABILITY:
            shares = [max(0.0, plan[sequence]) / reached for sequence in information_set.continuations]
            choices.append(Choice(seat, information, dict(zip(information_set.moves, shares, strict=True))))
    return choices


def _library(name: str) -> Any:  # scipy has no types of its own
    """A part of scipy, which is installed only with the extra `lab`. Raises RunError."""
    try:
        return importlib.import_module(f"scipy.{name}")
    except ImportError:
        raise RunError(f"solving games with hidden information needs the library scipy: {EXTRA}") from None
