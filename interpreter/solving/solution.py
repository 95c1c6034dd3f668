"""Solving a game: which method fits it, what it is worth, and how it is played best.

A game of perfect information without chance in play is solved by all of its positions (`positions.py`), or, where they
are too many and only who wins counts, by alpha-beta search. Any other zero-sum game, or one for a single seat, is
solved by its whole tree (`equilibrium.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import search_state
from interpreter.arguments import Backend, backend_of, described, instance_of, integer_of
from interpreter.compiler.machine.routines.alpha_beta import WIN
from interpreter.environments.returns import Returns, is_common, returns_named, returns_of
from interpreter.errors import UsageError
from interpreter.opponents.alphabeta import best_move
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.information import chance_in_play, is_known
from interpreter.play.game import Game, State
from interpreter.solving.equilibrium import Choice, equilibrium
from interpreter.solving.limits import Limits, TooLargeError
from interpreter.solving.positions import NEVER, Positions, Values, reachable_positions, values_of
from interpreter.wording.phrases import Phrase

MAX_BEFORE_SEARCH = 1 << 16
"""The number of positions that are visited before alpha-beta search is tried, which may need fewer."""

SEARCH_SHARE = 0.5
"""The share of the time for alpha-beta search."""

Method = Literal["positions", "search", "tree"]


@dataclass(frozen=True)
class SolvedMove:
    """A legal move at the beginning, by its notation and label: what the first seat gets then, and when it ends."""

    notation: str
    label: str
    value: float
    decisions: int | None


@dataclass(frozen=True)
class LineMove:
    """A move of best play: who makes it, its notation and its label."""

    seat: str
    notation: str
    label: str


@dataclass(frozen=True)
class Solution:
    """What each seat gets with best play of all.

    `size` is the number of positions, or of histories in a tree; None for a search. `decisions` is the number until the
    end: None if it is not known, or if play goes on for ever, which `is_endless` says; then nobody gets anything.
    `moves` are all moves at the beginning. `line` is best play, up to the first position that comes again. `choices`
    say how to play a game with hidden information or chance.
    """

    method: Method
    returns: tuple[float, ...]
    size: int | None = None
    decisions: int | None = None
    is_endless: bool = False
    moves: Sequence[SolvedMove] = ()
    line: Sequence[LineMove] = ()
    choices: Sequence[Choice] = ()


def solve(
    game: Game, returns: Returns = "win", *, seed: int = 0, positions: int = 2_000_000, seconds: float = 60.0,
    backend: Backend | None = None,
) -> Solution:  # fmt: skip
    """Solve a game for one seat or two.

    `seed` is that of chance in the setup of a game without hidden information; in any other all outcomes count.
    `positions` and `seconds` are limits. Raises UsageError for wrong arguments or a game that none of the methods fits,
    TooLargeError if it is not solved within the limits, PlayError if a rule fails, RunError without scipy where that is
    needed.
    """
    instance_of(game, Game, "a game from `load`")
    returns_named(returns), integer_of(seed, "a seed"), integer_of(positions, "`positions`", least=1)
    backend = None if backend is None else backend_of(backend)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds >= 0:
        raise UsageError(f"`seconds` must be a number of at least 0, not {described(seconds)}")
    program, seats = game.program, len(game.seats)
    if seats > 2:
        raise UsageError(Phrase("games for one or two can be solved; this one has {number} seats", number=seats))
    if returns == "score" and seats > 1:
        raise UsageError(Phrase("what one seat wins the other must lose: choose `win` or `margin`"))
    if seats == 2 and returns == "win" and is_common(program):
        raise UsageError(Phrase("its players win or lose together"))
    limits = Limits(positions, perf_counter() + seconds)
    is_open = is_known(game) and chance_in_play(program) is None and program.model.teams is None
    if not is_open:
        solved = equilibrium(game, returns, limits)
        return Solution("tree", _both(solved.value, seats), solved.histories, choices=solved.choices)
    state = game.start(seed)
    if state.over:
        return Solution("positions", returns_of(state, returns), 1, 0)
    begun = search_state(state, backend)
    try:
        first_limits = Limits(min(MAX_BEFORE_SEARCH, positions), limits.end)
        return _by_positions(state, reachable_positions(begun.copy(), returns, first_limits), seats)
    except TooLargeError:
        if positions <= MAX_BEFORE_SEARCH or not limits.seconds_left:
            raise
    if seats == 2 and returns == "win":
        searched = _by_search(state, limits.seconds_left * SEARCH_SHARE, backend)
        if searched is not None:
            return searched
    return _by_positions(state, reachable_positions(begun.copy(), returns, limits), seats)


def _both(value: float, seats: int) -> tuple[float, ...]:
    """What both seats get, by what the first one gets."""
    return (value + 0.0, 0.0 - value)[:seats]  # never -0.0


def _by_positions(state: State, positions: Positions, seats: int) -> Solution:
    values = values_of(positions)
    moves = [
        SolvedMove(move.notation, move.label, values.value[place], _decisions(values.distance[place], 1))
        for move, place in zip(state.legal_moves, positions.moves(0), strict=True)
    ]
    return Solution(
        "positions", _both(values.value[0], seats), len(positions.owner), _decisions(values.distance[0]),
        values.distance[0] == NEVER, moves, _line(state, positions, values),
    )  # fmt: skip


def _decisions(distance: int, more: int = 0) -> int | None:
    """A distance from a position that is `more` decisions later, None where the end is not forced."""
    return None if distance == NEVER else distance + more


def _line(state: State, positions: Positions, values: Values) -> list[LineMove]:
    """Best play of both, until the game is over or a position comes again."""
    playing, position, line, visited = state.copy(), 0, list[LineMove](), {0}
    while (number := values.best(positions, position)) is not None:
        line.append(_push(playing, number))
        position = positions.moves(position)[number]
        if position in visited:
            break
        visited.add(position)
    return line


def _by_search(state: State, seconds: float, backend: Backend | None) -> Solution | None:
    """Solve by alpha-beta search; None if it does not come to an end in time."""
    clock = Clock(Budget(seconds=seconds), lambda: False)
    best = best_move(state, None, clock, backend=backend)
    if not best.exact:
        return None
    sign = 1 if state.seat_number(state.player) == 0 else -1
    playing, line, decisions = state.copy(), list[LineMove](), None
    if best.result:
        decisions = WIN - abs(best.value)
    line.append(_push(playing, best.move))
    while not playing.over and not clock.is_up():
        answer = best_move(playing, None, clock, backend=backend)
        if not answer.exact:
            break
        line.append(_push(playing, answer.move))
    return Solution("search", _both(float(sign * best.result), 2), None, decisions, line=line)


def _push(state: State, number: int) -> LineMove:
    """Make a legal move by its number, and say which it is."""
    move, seat = state.legal_moves[number], state.player
    assert seat is not None
    line_move = LineMove(seat, move.notation, move.label)  # its label describes the position before it
    state.push(move)
    return line_move
