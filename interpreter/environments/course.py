"""A game in progress as programs that learn play it: by actions, one seat after the other, with returns at the end."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Generic, Literal, TypeVar, get_args

from interpreter.arguments import described
from interpreter.engine.program import Program
from interpreter.environments.actions import ActionSpace
from interpreter.environments.observations import ObservationSpace
from interpreter.errors import UsageError
from interpreter.opponents.evaluation import sides_of, win_shares
from interpreter.play.game import State
from interpreter.seat.explain.outcome import winners_of

Returns = Literal["win", "score", "margin"]
"""What a game returns to each seat: for who wins, or the first number by which the game is decided, or how much that is
above the mean of all seats."""

Played = TypeVar("Played", bound=State)
"""The class of the states that are played."""


class Course(Generic[Played]):
    """A game in progress, played by actions. `partial` is what has been chosen of the pending move."""

    def __init__(self, state: Played, actions: ActionSpace, observations: ObservationSpace) -> None:
        self.state, self._actions, self._observations = state, actions, observations
        self.partial = actions.begin(state.cells)

    def __deepcopy__(self, memo: dict[int, object]) -> Course[Played]:
        copied = Course(self.state.copy(), self._actions, self._observations)
        copied.partial = self.partial
        return copied

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the state and what has been chosen; the spaces are made anew."""
        return _unpickled, (self.state, self.partial.chosen)

    @property
    def seat(self) -> int | None:
        """The number of the seat that decides; None when the game is over."""
        return None if self.state.over else self.state.seat_number(self.state.player)

    def act(self, action: int) -> None:
        """Choose an action, and make the move once it is chosen. Raises IllegalMoveError, PlayError."""
        partial = self.partial.choose(action)
        if partial.number is None:
            self.partial = partial
        else:
            self.move(partial.number)

    def move(self, number: int) -> None:
        """Make a legal move by its number."""
        self.state.push(self.state.legal_moves[number])
        self.partial = self._actions.begin(self.state.cells)

    def mask(self, seat: int) -> bytearray:
        """A byte for each action: 1 if it is legal for a seat now."""
        mask = bytearray(self._actions.size)
        for action in self.partial.legal_actions if seat == self.seat else ():
            mask[action] = 1
        return mask

    def observation(self, seat: int) -> array[float]:
        """What a seat sees, as a tensor."""
        return self._observations.tensor(self.state.cells, seat, self.partial)

    def returns(self, kind: Returns) -> tuple[float, ...]:
        """What the game returns to each seat: 0 for all while it goes on."""
        if not self.state.over:
            return (0.0,) * len(self.state.game.seats)
        return returns_of(self.state, kind)


def _unpickled(state: Played, chosen: Sequence[int]) -> Course[Played]:
    actions = ActionSpace(state.program)
    course = Course(state, actions, ObservationSpace(state.program, actions))
    for action in chosen:
        course.act(action)
    return course


def returns_of(state: State, kind: Returns = "win") -> tuple[float, ...]:
    """What a game that is over returns to each seat, in turn order.

    For "win" these are numbers from -1 to 1 whose sum, over seats or teams, is 0: 1 for the only winner, -1 for the
    loser of two, -1/2 for both losers of three; 0 for all where all win or nobody. Where all win or lose together, as
    in a game for one, it is 1 or -1 for each. For "score" they are the first criterion of the game, for "margin" the
    same less the mean of all seats: in games where the sum of scores is always 0, the scores themselves.
    """
    program = state.program
    criteria = program.criteria_of_all(state.cells)
    return returns_of_criteria(program, criteria, sides_of(program, state), winners_of(program, state.cells), kind)


def returns_of_criteria(
    program: Program, criteria: Sequence[Sequence[int]], sides: Sequence[tuple[int, ...]], winners: Sequence[int],
    kind: Returns,
) -> tuple[float, ...]:  # fmt: skip
    """The same from the criteria of all seats, the seats on the side of each, and the winners."""
    if kind != "win":
        mean = sum(criterion[0] for criterion in criteria) / len(criteria) if kind == "margin" else 0.0
        return tuple([criterion[0] - mean for criterion in criteria])
    winner = program.model.winner
    assert winner is not None
    together = program.is_same_for_all(winner.criteria[0]) or len(sides[0]) == len(sides)
    shares = win_shares(sum(1 << seat for seat in winners), sides, together)
    return returns_of_shares(shares, len(set(sides)), together)


def returns_of_shares(shares: Sequence[float], sides: int, together: bool) -> tuple[float, ...]:
    """The returns for shares of the win."""
    if together:
        return tuple([2 * share - 1 for share in shares])
    if not any(shares):
        return (0.0,) * len(shares)
    return tuple([(sides * share - 1) / (sides - 1) for share in shares])


def returns_named(kind: str) -> Returns:
    """The kind of returns with this name. Raises UsageError."""
    for known in get_args(Returns):
        if kind == known:
            return known  # type: ignore[no-any-return]
    raise UsageError(f'`returns` is "win", "score" or "margin", not {described(kind)}')
