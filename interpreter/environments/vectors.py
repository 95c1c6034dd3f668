"""Many games of the same rules that go on together: each step makes one action in each of them.

The machine engine steps all of them in one call (`machine/games.py`); where it cannot, Python steps one after the
other. Both give the same numbers. This needs NumPy.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from interpreter.analysis.backends import MachineWarning
from interpreter.arguments import Backend, integer_of
from interpreter.compiler.machine.forms import NONE, WORD_BYTES, UnprintableError
from interpreter.compiler.machine.printing import PAST_BYTES
from interpreter.engine.machine.games import Machine, MachineGame
from interpreter.engine.machine.hosts import NoMachineError
from interpreter.environments.actions import ActionSpace
from interpreter.environments.course import Course
from interpreter.environments.machine.games import FAILED, ILLEGAL, NUMBER_BYTES, OVER, Field, GamesPrinter
from interpreter.environments.machine.tensors import COLUMN_BYTES
from interpreter.environments.observations import ObservationSpace
from interpreter.environments.returns import Returns, returns_of_shares
from interpreter.errors import IllegalMoveError, PlayError, UsageError
from interpreter.opponents.evaluation import win_shares, win_together
from interpreter.play.game import Game, State
from interpreter.wording.phrases import Phrase

ILLEGAL_RETURN = -1.0
"""What a seat gets that chooses an action which is not legal: the game then ends."""

GAMES_OF_A_CALL = 256
"""How many games are stepped in one call: Ctrl-C is noticed between calls, and calls that take too long are ended."""

MEMORY_OF_GAMES = PAST_BYTES * 3 // 4

MAX_SEED = 2**62
"""The seeds of all games that follow from the first one fit into 64 bits."""

Begun = TypeVar("Begun", bound=State)
"""The class of the states that Python plays."""


class Position(NamedTuple):
    """All games before the next actions; the first axis of each array is that of the games.

    `observations` has in each row the tensor of the seat that decides, `action_masks` which actions are legal for it.
    `seats` are the numbers of these seats.
    """

    observations: NDArray[np.float32]
    action_masks: NDArray[np.bool_]
    seats: NDArray[np.int64]


class Step(NamedTuple):
    """All games after an action in each. A game that is over has begun anew: the first three arrays show the new one.

    `rewards` has a row for each game with what each seat has got. `terminated` says which games were over, `truncated`
    which were ended because a rule failed.
    """

    observations: NDArray[np.float32]
    action_masks: NDArray[np.bool_]
    seats: NDArray[np.int64]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class VectorEnv(ABC):
    """Many games that go on together; `backend` is what plays them."""

    backend: Backend

    def __init__(
        self, game: Game, actions: ActionSpace, observations: ObservationSpace, count: int, returns: Returns
    ) -> None:
        self.game, self.n, self.returns = game, count, returns
        self.action_space, self.observation_space = actions, observations

    @property
    def position(self) -> Position:
        """All games as they are now."""
        return Position(*self._position())

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game.title}, played by {self.backend}>"

    def __reduce__(self) -> tuple[object, ...]:
        raise UsageError("games that go on together cannot be copied or pickled: make them where they are played")

    def reset(self, seed: int = 0) -> Position:
        """Begin all games: number i with the seed `seed + i`, and those after it with `seed + i + n`, and so on.

        Raises UsageError for a seed beyond `MAX_SEED`.
        """
        integer_of(seed, "a seed", -MAX_SEED, MAX_SEED)
        self._begin(np.arange(seed, seed + self.n, dtype=np.int64))
        return self.position

    def step(self, actions: Sequence[int] | NDArray[np.integer]) -> Step:
        """Make an action in each game: that of the seat that decides there.

        One that is not legal ends that game, and its seat gets -1. Raises UsageError for a wrong number of actions.
        """
        try:
            chosen = np.asarray(actions)
        except ValueError:  # rows of different lengths
            chosen = np.empty(0)
        if chosen.shape != (self.n,) or not np.issubdtype(chosen.dtype, np.integer):
            raise UsageError(f"a step takes {self.n} actions, which are whole numbers")
        rewards, flags = self._step(chosen.astype(np.int64))
        return Step(*self._position(), rewards, (flags == OVER) | (flags == ILLEGAL), flags == FAILED)

    @abstractmethod
    def _begin(self, seeds: NDArray[np.int64]) -> None:
        """Begin all games."""

    @abstractmethod
    def _step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Make an action in each game: the rewards, and what has become of each."""

    @abstractmethod
    def _position(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
        """What seats see, what they may do, and which these are."""


# ---------------------------------------------------------------- in Python


class PythonVectorEnv(VectorEnv, Generic[Begun]):
    """Games that Python steps one after the other."""

    backend = "python"

    def __init__(
        self, game: Game, actions: ActionSpace, observations: ObservationSpace, count: int, returns: Returns,
        start: Callable[[int], Begun],
    ) -> None:  # fmt: skip
        super().__init__(game, actions, observations, count, returns)
        self._start = start
        self._courses: list[Course[Begun]] = []
        self._seeds = np.zeros(count, dtype=np.int64)

    def _begin(self, seeds: NDArray[np.int64]) -> None:
        self._seeds = seeds.copy()
        self._courses = [self._begun(number) for number in range(self.n)]

    def _begun(self, number: int) -> Course[Begun]:
        while True:
            seed = int(self._seeds[number])
            self._seeds[number] += self.n
            course = Course(self._start(seed), self.action_space, self.observation_space)
            if course.seat is not None:
                return course

    def _step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        rewards = np.zeros((self.n, len(self.game.seats)), dtype=np.float32)
        flags = np.zeros(self.n, dtype=np.int64)
        for number, action in enumerate(actions.tolist()):
            course = self._courses[number]
            seat = course.seat
            try:
                course.act(action)
            except IllegalMoveError:
                flags[number], rewards[number, seat] = ILLEGAL, ILLEGAL_RETURN
            except PlayError:
                flags[number] = FAILED
            else:
                if course.seat is not None:
                    continue
                flags[number], rewards[number] = OVER, course.returns(self.returns)
            self._courses[number] = self._begun(number)
        return rewards, flags

    def _position(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
        observations = np.empty((self.n, self.observation_space.size), dtype=np.float32)
        masks = np.zeros((self.n, self.action_space.size), dtype=np.bool_)
        seats = np.empty(self.n, dtype=np.int64)
        for number, course in enumerate(self._courses):
            seat = course.seat
            assert seat is not None
            observations[number], seats[number] = course.observation(seat), seat
            masks[number, list(course.partial.legal_actions)] = True
        return observations, masks, seats


# ---------------------------------------------------------------- in the machine engine


class MachineVectorEnv(VectorEnv):
    """Games that the machine engine steps in one call. Raises NoMachineError if it cannot."""

    backend = "machine"

    def __init__(
        self, game: Game, actions: ActionSpace, observations: ObservationSpace, count: int, returns: Returns
    ) -> None:
        super().__init__(game, actions, observations, count, returns)
        printer = GamesPrinter(actions, observations)
        try:
            compiled = MachineGame(game.program, extend=printer.extend)
        except UnprintableError as error:
            raise NoMachineError(f"the machine engine cannot step {error}") from None
        most = max(1, MEMORY_OF_GAMES // _Shelf.bytes_of_game(compiled, printer, actions, observations))
        firsts = range(0, count, most)
        self._shelves = [
            _Shelf(compiled, printer, actions, observations, min(most, count - first), count) for first in firsts
        ]
        scales = [scale for section in observations.sections for scale in section.scales]
        self._scales = np.array(scales, dtype=np.float32)
        self._rewards: dict[bytes, tuple[float, ...]] = {}

    def _begin(self, seeds: NDArray[np.int64]) -> None:
        first = 0
        for shelf in self._shelves:
            shelf.begin(seeds[first : first + shelf.count])
            first += shelf.count

    def _step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        rewards = np.zeros((self.n, len(self.game.seats)), dtype=np.float32)
        flags = np.empty(self.n, dtype=np.int64)
        first = 0
        for shelf in self._shelves:
            on_shelf = slice(first, first + shelf.count)
            seats = shelf.seats.copy()  # the step overwrites them
            shelf.step(actions[on_shelf])
            flags[on_shelf] = shelf.flags
            over = np.flatnonzero(shelf.flags == OVER)
            if len(over):
                rewards[first + over] = self._returns(shelf.outcomes[over])
            illegal = np.flatnonzero(shelf.flags == ILLEGAL)
            rewards[first + illegal, seats[illegal]] = ILLEGAL_RETURN
            first += shelf.count
        return rewards, flags

    def _position(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
        observations = np.empty((self.n, self.observation_space.size), dtype=np.float32)
        masks = np.empty((self.n, self.action_space.size), dtype=np.bool_)
        seats = np.empty(self.n, dtype=np.int64)
        first = 0
        for shelf in self._shelves:
            on_shelf = slice(first, first + shelf.count)
            np.divide(shelf.tensors, self._scales, out=observations[on_shelf], dtype=np.float32, casting="unsafe")
            np.not_equal(shelf.numbers, 0, out=masks[on_shelf])
            seats[on_shelf] = shelf.seats
            first += shelf.count
        return observations, masks, seats

    def _returns(self, outcomes: NDArray[np.int64]) -> NDArray[np.float32]:
        """What the outcomes of some games return to each seat."""
        seats = len(self.game.seats)
        scores = outcomes[:, 1 : 1 + seats].astype(np.float64)
        if self.returns == "margin":
            scores -= scores.mean(axis=1, keepdims=True)
        if self.returns != "win":
            return scores.astype(np.float32)
        winners_and_teams = np.concatenate((outcomes[:, :1], outcomes[:, 1 + seats :]), axis=1)
        return np.array([self._returns_of(words) for words in winners_and_teams], dtype=np.float32)

    def _returns_of(self, words: NDArray[np.int64]) -> tuple[float, ...]:
        """What each seat gets by the winners and teams in the words of an outcome."""
        key = words.tobytes()
        if key not in self._rewards:
            winners, *teams = words.tolist()
            seats = range(len(self.game.seats))
            sides = [
                (seat,) if not teams or teams[seat] == NONE else tuple(s for s in seats if teams[s] == teams[seat])
                for seat in seats
            ]
            together = win_together(self.game.program, sides)
            shares = win_shares(winners, sides, together)
            self._rewards[key] = returns_of_shares(shares, len(set(sides)), together)
        return self._rewards[key]


class _Shelf:
    """As many of the games as one instance has memory for, with arrays over that memory."""

    def __init__(
        self, game: MachineGame, printer: GamesPrinter, actions: ActionSpace, observations: ObservationSpace,
        count: int, step: int,
    ) -> None:  # fmt: skip
        self.count, self._machine = count, Machine(game)
        sizes = self.sizes(game, printer, actions, observations)
        instance, printed = self._machine.instance, printer.printed
        assert printed is not None
        end = game.end
        addresses: dict[Field, int] = {}
        for field, size in sizes.items():
            addresses[field] = end
            end += -(-size * count // WORD_BYTES) * WORD_BYTES
        instance.call("reach", end)
        self._control = np.frombuffer(instance.view(printed.control, len(Field)), dtype=np.int64)  # type: ignore[call-overload]
        for field, address in addresses.items():
            self._control[field] = address
        self._control[Field.GAMES] = step

        def words(field: Field) -> NDArray[np.int64]:
            memory = instance.view(addresses[field], -(-sizes[field] * count // WORD_BYTES))
            array: NDArray[np.int64] = np.frombuffer(memory, dtype=np.int64)  # type: ignore[call-overload]
            return array

        self._actions, self._seeds = words(Field.ACTIONS), words(Field.SEEDS)
        self.seats, self.flags = words(Field.SEATS), words(Field.FLAGS)
        self.outcomes = words(Field.OUTCOMES).reshape(count, -1)
        self.tensors = words(Field.TENSORS).view(np.int32)[: count * observations.size].reshape(count, -1)
        self.numbers = words(Field.NUMBERS).view(np.uint16)[: count * actions.size].reshape(count, -1)

    @staticmethod
    def sizes(
        game: MachineGame, printer: GamesPrinter, actions: ActionSpace, observations: ObservationSpace
    ) -> dict[Field, int]:
        """The bytes of an entry of each array."""
        printed = printer.printed
        assert printed is not None
        return {
            Field.STATES: game.printed.state.program.state_bytes,
            Field.ACTIONS: WORD_BYTES,
            Field.SEEDS: WORD_BYTES,
            Field.LENGTHS: WORD_BYTES,
            Field.CHOSEN: WORD_BYTES * (printed.width + 1),
            Field.NUMBERS: NUMBER_BYTES * actions.size,
            Field.TENSORS: COLUMN_BYTES * observations.size,
            Field.SEATS: WORD_BYTES,
            Field.FLAGS: WORD_BYTES,
            Field.OUTCOMES: WORD_BYTES * printed.outcome,
            Field.LISTS: printed.lists,
            Field.RECORDS: printed.records,
        }

    @classmethod
    def bytes_of_game(
        cls, game: MachineGame, printer: GamesPrinter, actions: ActionSpace, observations: ObservationSpace
    ) -> int:
        """The memory that a game takes."""
        return sum(cls.sizes(game, printer, actions, observations).values())

    def begin(self, seeds: NDArray[np.int64]) -> None:
        """Begin all games."""
        self._seeds[:] = seeds
        for number in self._failing("begin games", 0):
            self._begin_again(number)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Make an action in each game."""
        self._actions[:] = actions
        for number in self._failing("step games", 0):
            self._begin_again(number)
            self.flags[number] = FAILED

    def _failing(self, name: str, first: int) -> Sequence[int]:
        """Do something with all games; the numbers of those in which a rule failed."""
        failed: list[int] = []
        while first < self.count:
            end = min(first + GAMES_OF_A_CALL, self.count)
            if self._machine.call(name, first, end) is None:
                failed.append(int(self._control[Field.CURRENT]))
                first = failed[-1] + 1
            else:
                first = end
        return failed

    def _begin_again(self, number: int) -> None:
        if self._machine.call("begin games", number, number + 1) is None:
            raise PlayError(Phrase("a rule fails when a game begins, or every game is over at once"), "")


def vector_env(
    game: Game, actions: ActionSpace, observations: ObservationSpace, count: int, returns: Returns,
    start: Callable[[int], State], backend: Backend,
) -> VectorEnv:  # fmt: skip
    """Games that go on together, in the machine engine where that can step them.

    With "machine" a warning says why it cannot (`MachineWarning`), and Python steps them.
    """
    if backend != "python":
        try:
            return MachineVectorEnv(game, actions, observations, count, returns)
        except NoMachineError as error:
            if backend == "machine":
                warnings.warn(MachineWarning(f"{error}; Python steps the games"), stacklevel=3)
    return PythonVectorEnv(game, actions, observations, count, returns, start)
