"""Exact values of zero-sum games for one seat or two with chance and hidden information, by linear programming.

The whole tree of the game is written in sequence form: what a seat may do is a plan that says for each sequence of its
own choices how likely it is, given those of the others, and what it gets is linear in the plans of both (Koller,
Megiddo, von Stengel: Fast Algorithms for Finding Randomized Strategies in Game Trees, STOC 1994). It needs seats that
remember all they have seen and done, as ours do.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.environments.returns import Returns
from interpreter.errors import RunError
from interpreter.play.game import Game
from interpreter.solving.limits import Limits
from interpreter.solving.tree import GameTree, Node

EXTRA = "pip install 'regelwerk[lab]'"
UNLIKELY = 1e-7
"""Probabilities below this are those of rounding."""


@dataclass(frozen=True)
class Choice:
    """How a seat plays well in an information state: each move with its probability."""

    seat: str
    information: str
    moves: Mapping[str, float]

    @property
    def told(self) -> list[str]:
        """What the seat has been told, in lines."""
        lines = self.information.splitlines()[1:-2]
        return [line.strip() for line in lines if line != "setup" and not line.startswith(("  of ", "  seen "))]


@dataclass(frozen=True)
class Equilibrium:
    """What the first seat gets if both play well, with the choices of both, and the size of the tree."""

    value: float
    choices: Sequence[Choice]
    histories: int


@dataclass
class _Information:
    """Where a seat decides: the number of its sequence before, that of its first move, and the moves."""

    before: int
    first: int
    moves: tuple[str, ...]


@dataclass
class _Plan:
    """The sequences of a seat, number 0 being the empty one, and where it decides, by what it knows."""

    size: int = 1
    sets: dict[str, _Information] = field(default_factory=dict)


def equilibrium(game: Game, returns: Returns, limits: Limits) -> Equilibrium:
    """Solve a zero-sum game, or one for a single seat. Raises TooLargeError, PlayError, RunError without scipy."""
    optimize, sparse = _library("optimize"), _library("sparse")
    plans = (_Plan(), _Plan())
    payoffs: dict[tuple[int, int], float] = {}
    waiting: list[tuple[Node, float, tuple[int, int]]] = [(GameTree(game, returns).root, 1.0, (0, 0))]
    histories = 0
    while waiting:
        node, likely, sequences = waiting.pop()
        histories += 1
        limits.check(histories, "history")
        if node.is_chance:
            waiting += [
                (node.after_outcome(outcome.number), likely * outcome.probability, sequences)
                for outcome in node.outcomes
            ]
        elif node.seat is None:
            payoffs[sequences] = payoffs.get(sequences, 0.0) + likely * node.returns[0]
        else:
            plan, known = plans[node.seat], node.information(node.seat)
            information_set = plan.sets.get(known)
            if information_set is None:
                moves = tuple(move.notation for move in node.moves)
                information_set = plan.sets[known] = _Information(sequences[node.seat], plan.size, moves)
                plan.size += len(moves)
            for number in range(len(information_set.moves)):
                own = information_set.first + number
                after = (own, sequences[1]) if node.seat == 0 else (sequences[0], own)
                waiting.append((node.after_move(number), likely, after))
    value, first = _best(optimize, sparse, plans[0], plans[1], payoffs)
    turned = {(second, first): -amount for (first, second), amount in payoffs.items()}
    _, second = _best(optimize, sparse, plans[1], plans[0], turned)
    chosen = [choice for seat, plan in enumerate((first, second)) if seat < len(game.seats)
              for choice in _choices(game.seats[seat], plans[seat], plan)]  # fmt: skip
    return Equilibrium(value, chosen, histories)


def _best(
    optimize: Any, sparse: Any, own: _Plan, other: _Plan, payoffs: Mapping[tuple[int, int], float]
) -> tuple[float, Sequence[float]]:
    """The plan of a seat that gets most against the best answer, and what it gets.

    The numbers of the program are the plan, and then what the other seat can hold it to at each of its decisions: that
    at the root is the value. Each sequence of the other seat says that it gets no less than by its payoffs and by what
    it can do afterwards.
    """
    values = 1 + len(other.sets)
    # A sequence is as likely as the moves after it together; the empty one is certain.
    plan = [(0, 0, 1.0)]
    for row, information_set in enumerate(own.sets.values(), start=1):
        plan.append((row, information_set.before, -1.0))
        plan += [(row, information_set.first + move, 1.0) for move in range(len(information_set.moves))]
    answers = [(0, own.size, 1.0)]
    for number, information_set in enumerate(other.sets.values(), start=1):
        answers.append((information_set.before, own.size + number, -1.0))
        answers += [
            (information_set.first + move, own.size + number, 1.0) for move in range(len(information_set.moves))
        ]
    answers += [(theirs, mine, -amount) for (mine, theirs), amount in payoffs.items()]
    size = own.size + values
    worth = [0.0] * size
    worth[own.size] = -1.0
    solved = optimize.linprog(
        worth,
        A_ub=_matrix(sparse, answers, other.size, size),
        b_ub=[0.0] * other.size,
        A_eq=_matrix(sparse, plan, 1 + len(own.sets), size),
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


def _choices(seat: str, plan: _Plan, likely: Sequence[float]) -> list[Choice]:
    """The choices of a plan where it can come to them."""
    choices = []
    for known, information_set in plan.sets.items():
        before = likely[information_set.before]
        if before > UNLIKELY:
            shares = [
                max(0.0, likely[information_set.first + move]) / before for move in range(len(information_set.moves))
            ]
            choices.append(Choice(seat, known, dict(zip(information_set.moves, shares, strict=True))))
    return choices


def _library(name: str) -> Any:
    try:
        return importlib.import_module(f"scipy.{name}")
    except ImportError:
        raise RunError(f"solving games with hidden information needs the library scipy: {EXTRA}") from None
