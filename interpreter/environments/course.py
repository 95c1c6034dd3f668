"""A game in progress as programs that learn play it: by actions, one seat after the other, with returns at the end."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Generic, TypeVar

from interpreter.environments.actions import ActionSpace
from interpreter.environments.observations import ObservationSpace
from interpreter.environments.returns import Returns, returns_of
from interpreter.play.game import State
from interpreter.runtime.layout import ME, POINT

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
        cells = self.state.cells
        return cells[ME] if cells[POINT] >= 0 else None

    def act(self, action: int) -> None:
        """Choose an action, and make the move once it is chosen. Raises IllegalMoveError, PlayError."""
        partial = self.partial.choose(action)
        if partial.number is None:
            self.partial = partial
        else:
            self.move(partial.number)

    def move(self, number: int) -> None:
        """Make a legal move by its number."""
        self.state.push_number(number)
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
