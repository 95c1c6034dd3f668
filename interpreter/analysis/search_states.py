"""States for search: forward and back as fast as the backend allows, many random games from a position, no words.

A search makes and takes back a move hundreds of thousands of times. `State` is made for people: it keeps a journal, the
legal moves of each decision and the labels in the log. A search state keeps the position, the numbers of the moves made
since the search began (`_path`), and nothing else. Both backends have the same interface and play the same game. For
words, logs, views and explanations, `export` makes the moves of the path again in a copy of the state in which the
search began.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, Self, TypeVar

from interpreter.analysis.backends import MachineWarning, machine_for
from interpreter.analysis.bulk import MAX_THREADS, Rollouts, rollouts_in_machine, rollouts_in_python
from interpreter.arguments import Backend, backend_of, described, instance_of, integer_of
from interpreter.compiler.machine.forms import WORD_BYTES, UnprintableError
from interpreter.engine.machine.games import NO_HORIZON, MachineState
from interpreter.errors import IllegalMoveError, LimitError, PlayError, UsageError
from interpreter.play.game import State
from interpreter.play.state import key_of
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, POINT, RANDOM
from interpreter.seat.notation.moves import Move

Begun = TypeVar("Begun", bound=State)
"""The class of the states that a search begins with and that it exports."""

Scores = tuple[tuple[int, ...], ...]
"""The criteria of each seat, higher is better."""


class SearchState(ABC, Generic[Begun]):
    """A game in progress for a search: legal moves by number, forward and back, keys, random games from here.

    It knows everything, hidden cards and future chance too; what a player may use of that is for the search to decide.
    """

    backend: Backend

    def __init__(self, begun: Begun, path: list[int]) -> None:
        # INVARIANT: the moves numbered `_path`, made from `_begun` with this chance, lead to the present position.
        # `export`, pickling and the moves that Python makes for the machine engine rely on it.
        self._begun, self._path = begun, path
        self._chance: int | None = None
        self.game, self.seats = begun.game, begun.game.seats

    # ------------------------------------------------------------ the position

    @property
    @abstractmethod
    def player(self) -> str | None:
        """The seat that decides, None when the game is over."""

    @property
    @abstractmethod
    def point(self) -> int:
        """The number of the pending decision in the program; below 0 when the game is over."""

    @property
    @abstractmethod
    def seat(self) -> int:
        """The number of the seat that decides; it means nothing when the game is over."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """True if the game is over."""

    @property
    @abstractmethod
    def listed(self) -> Hashable:
        """The legal moves as a key: of one decision, equal for equal lists and with one backend."""

    @property
    @abstractmethod
    def move_count(self) -> int:
        """The number of legal moves; 0 when the game is over."""

    @property
    @abstractmethod
    def legal_moves(self) -> list[MoveCode]:
        """The legal moves in their order as tuples: the number of the action, and its arguments as numbers.

        -1 is `done`. Equal moves of one decision have equal tuples; `moves` has the same ones in words.
        """

    @abstractmethod
    def key(self) -> int:
        """A number of 128 bits: equal for equal states, future chance included.

        Different states have different keys, except for hash collisions. Only keys of the same backend can be
        compared.
        """

    @abstractmethod
    def scores(self) -> Scores | None:
        """The criteria of all seats as if the game was over now; None if one of them, or a team, has no value yet."""

    @property
    def ply(self) -> int:
        """The number of decisions made, with those before the search."""
        return self._begun.ply + len(self._path)

    # ------------------------------------------------------------ forward and back

    def push(self, move: int | MoveCode | Move) -> None:
        """Make a move, given by its number among the legal ones, or as one of `legal_moves` or `moves`.

        Raises IllegalMoveError if it is not legal, PlayError if a rule fails; the state is then as before.
        """
        number = move if isinstance(move, int) and not isinstance(move, bool) else self._number_of(move)
        if not 0 <= number < self.move_count:
            if self.over:
                raise IllegalMoveError("no move is possible: the game is over")
            raise IllegalMoveError(f"there is no legal move number {number}; there are {self.move_count}")
        self._push(number)
        self._path.append(number)

    def _number_of(self, move: object) -> int:
        code = move.code if isinstance(move, Move) else move
        if not isinstance(code, tuple):
            raise IllegalMoveError(f"a move is a number, or one of `legal_moves` or `moves`, not {described(move)}")
        legal = self.legal_moves
        if code not in legal:
            raise IllegalMoveError(f"this is not one of the {len(legal)} legal moves: {described(move)}")
        return legal.index(code)

    @abstractmethod
    def _push(self, number: int) -> None:
        """Make a legal move."""

    def pop(self) -> None:
        """Take the last move back. Raises IllegalMoveError if none was made since this state was made or copied."""
        if not self._pop():
            raise IllegalMoveError("there is no decision to take back")
        self._path.pop()

    @abstractmethod
    def _pop(self) -> bool:
        """Take the last move back, if there is one."""

    @abstractmethod
    def copy(self) -> Self:
        """An independent state of the same position; what was pushed before cannot be taken back in it."""

    def draw_chance_from(self, seed: int) -> None:
        """Let all future chance follow from a seed. Raises UsageError if a move was made since the search began."""
        if self._path:
            raise UsageError("future chance can be drawn only before the first move of a search")
        self._chance = seed
        self._set_chance(seeded(seed))

    @abstractmethod
    def _set_chance(self, chance: int) -> None:
        """Set the state of chance."""

    def _start(self) -> Begun:
        """The state in Python in which the search began."""
        state = self._begun.copy()
        if self._chance is not None:
            state.cells[RANDOM] = seeded(self._chance)
        return state

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the state in Python and the moves since; unpickling makes them again."""
        return restored_search, (self._start(), self._path, self.backend)

    # ------------------------------------------------------------ many games, and words

    def rollouts(self, count: int, seed: int = 0, horizon: int | None = None, threads: int = 1) -> Rollouts:
        """Play on at random from here, `count` times with the seeds `seed`, `seed + 1`, ….

        Moves and chance both follow from these seeds: future chance of the state itself is not used. With a `horizon`
        a game ends after that many decisions. Only the machine engine uses several `threads`. The results are the
        same with every backend. Raises UsageError for a wrong argument, PlayError if a rule fails.
        """
        games, first = integer_of(count, "the number of games", least=0), integer_of(seed, "a seed")
        most = NO_HORIZON if horizon is None else integer_of(horizon, "a horizon", least=0)
        workers = min(MAX_THREADS, integer_of(threads, "the number of threads", least=1), max(1, games))
        return self._rollouts(range(first, first + games), most, workers)

    def rollout(self, seed: int, horizon: int = NO_HORIZON) -> tuple[int, Sequence[int] | None]:
        """Play on at random once, as `rollouts` does with this seed, without building columns where possible.

        The winners, or who is ahead, as bits, and the criteria of all seats in a row; None if one has no value. Raises
        UsageError and PlayError as `rollouts` does.
        """
        results = self._rollouts(range(seed, seed + 1), horizon, 1)
        return results.winners[0], results.scores if results.scored[0] else None

    @abstractmethod
    def _rollouts(self, seeds: range, horizon: int, threads: int) -> Rollouts:
        """Play on at random."""

    def export(self) -> Begun:
        """The state in Python, with the whole past, for words, views, logs and explanations."""
        state = self._start()
        for number in self._path:
            state.push_number(number)
        return state

    def moves(self) -> tuple[Move, ...]:
        """The legal moves in words, in the same order. They are listed by Python, which takes long."""
        return self.export().legal_moves


class PythonSearchState(SearchState[Begun]):
    """A state for search in Python."""

    backend = "python"

    def __init__(self, begun: Begun, path: list[int], cells: Cells) -> None:
        super().__init__(begun, path)
        self._program, self._cells = begun.game.program, cells
        self._past: list[Cells] = []

    @property
    def cells(self) -> Cells:
        """The position, which must not be changed."""
        return self._cells

    @property
    def player(self) -> str | None:
        """See `SearchState.player`."""
        return self.seats[self._cells[ME]] if self._cells[POINT] >= 0 else None

    @property
    def point(self) -> int:
        """See `SearchState.point`."""
        point: int = self._cells[POINT]
        return point

    @property
    def seat(self) -> int:
        """See `SearchState.seat`."""
        seat: int = self._cells[ME]
        return seat

    @property
    def over(self) -> bool:
        """See `SearchState.over`."""
        return bool(self._cells[POINT] < 0)

    @property
    def listed(self) -> Hashable:
        """See `SearchState.listed`."""
        return tuple(self._program.legal(self._cells))

    @property
    def move_count(self) -> int:
        """See `SearchState.move_count`."""
        return len(self._program.legal(self._cells))

    @property
    def legal_moves(self) -> list[MoveCode]:
        """See `SearchState.legal_moves`."""
        return list(self._program.legal(self._cells))

    def key(self) -> int:
        """See `SearchState.key`."""
        return int(key_of(self._cells), 16)

    def scores(self) -> Scores | None:
        """See `SearchState.scores`."""
        try:
            scores = tuple(self._program.criteria_of_all(self._cells))
            self._program.teams(self._cells)  # nobody is ahead without them, so the machine engine has no scores either
            return scores
        except PlayError:
            return None

    def _push(self, number: int) -> None:
        # The cells are copied rather than restored from a journal: a copy is one operation, and if a rule fails, the
        # position before is untouched.
        cells = Cells(self._cells)
        self._program.do(cells, None, self._program.legal(cells)[number])
        self._past.append(self._cells)
        self._cells = cells

    def _pop(self) -> bool:
        if not self._past:
            return False
        self._cells = self._past.pop()
        return True

    def copy(self) -> Self:
        """See `SearchState.copy`."""
        copy = type(self)(self._begun, list(self._path), self._cells)
        copy._chance = self._chance
        return copy

    def _set_chance(self, chance: int) -> None:
        cells = Cells(self._cells)
        cells[RANDOM] = chance
        self._cells = cells

    def _rollouts(self, seeds: range, horizon: int, threads: int) -> Rollouts:
        return rollouts_in_python(self.game, self._cells, seeds, horizon)


class MachineSearchState(SearchState[Begun]):
    """A state for search in the machine engine.

    A move that fails there is made by Python, which says what failed, or goes on with the position after it: `_earlier`
    are the states before such moves.
    """

    backend = "machine"

    def __init__(self, begun: Begun, path: list[int], state: MachineState) -> None:
        super().__init__(begun, path)
        self._state = state
        self._earlier: list[MachineState] = []

    @property
    def position(self) -> MachineState:
        """The position in the machine engine, which must not be changed."""
        return self._state

    @property
    def player(self) -> str | None:
        """See `SearchState.player`."""
        return None if self._state.point < 0 else self.seats[self._state.acting]

    @property
    def point(self) -> int:
        """See `SearchState.point`."""
        return self._state.point

    @property
    def seat(self) -> int:
        """See `SearchState.seat`."""
        return self._state.acting

    @property
    def over(self) -> bool:
        """See `SearchState.over`."""
        return self._state.point < 0

    @property
    def listed(self) -> Hashable:
        """See `SearchState.listed`."""
        return self._state.rows()

    @property
    def move_count(self) -> int:
        """See `SearchState.move_count`."""
        return self._state.count

    @property
    def legal_moves(self) -> list[MoveCode]:
        """See `SearchState.legal_moves`."""
        return self._state.legal_moves()

    def key(self) -> int:
        """See `SearchState.key`."""
        return self._state.key()

    def scores(self) -> Scores | None:
        """See `SearchState.scores`."""
        scores = self._state.scores()
        return None if scores is None else tuple(scores)

    def push(self, move: int | MoveCode | Move) -> None:
        """See `SearchState.push`."""
        if type(move) is int and self._state.push(move):  # without looking at the number of moves first
            self._path.append(move)
        else:
            super().push(move)

    def _push(self, number: int) -> None:
        # INVARIANT: a push that fails leaves the state of the machine as it was. Python then makes the same move and
        # raises the error with its location, or goes on where only the space of the machine did not suffice.
        if self._state.push(number):
            return
        state = self.export()
        state.push_number(number)
        try:
            next_state = self._state.game.state(state.cells)
        except UnprintableError as error:
            location = state.game.rules.model.file.header.span.location
            raise LimitError(f"the machine engine cannot go on here, only Python can: {error}", location) from None
        self._earlier.append(self._state)
        self._state = next_state

    def _pop(self) -> bool:
        if self._state.pop():
            return True
        if not self._earlier:
            return False
        self._state = self._earlier.pop()
        return True

    def copy(self) -> Self:
        """See `SearchState.copy`."""
        copy = type(self)(self._begun, list(self._path), self._state.copy())
        copy._chance = self._chance
        return copy

    def _set_chance(self, chance: int) -> None:
        self._state.set_chance(chance)

    def rollout(self, seed: int, horizon: int = NO_HORIZON) -> tuple[int, Sequence[int] | None]:
        """See `SearchState.rollout`."""
        seeded(seed)
        state = self._state
        batch = state.play(seed, 1, horizon)
        if batch.failed:
            return super().rollout(seed, horizon)
        places, words = state.game.printed.of_result, batch.words
        if not words[places.scored // WORD_BYTES]:
            return 0, None
        return words[places.winners // WORD_BYTES], words[: state.game.seats * state.game.criteria]

    def _rollouts(self, seeds: range, horizon: int, threads: int) -> Rollouts:
        return rollouts_in_machine(self.game, self._state, lambda: self.export().cells, seeds, horizon, threads)


def search_state(state: Begun, backend: Backend | None = None) -> SearchState[Begun]:
    """A state for a search from the position of a state, which it leaves as it is.

    `backend` is what plays: "python", "machine", or "auto", which is the machine engine where that can play. Raises
    UsageError if chance is supplied from outside.
    """
    instance_of(state, State, "a state of a game from `start`")
    chosen = state.game.backend if backend is None else backend_of(backend)
    if state.has_supplied_chance:
        raise UsageError(
            "chance of this state is supplied from outside: a search needs chance that follows from a seed"
        )
    if len(state.cells) != len(state.game.program.initial):
        raise UsageError("this state belongs to an example: a search needs a game that was started")
    begun = state.copy()
    machine = machine_for(state.game, chosen)
    if machine is not None:
        try:
            return MachineSearchState(begun, [], machine.state(begun.cells))
        except UnprintableError as error:
            if chosen == "machine":
                warnings.warn(f"Python plays: the machine engine cannot play {error}", MachineWarning, stacklevel=3)
    return PythonSearchState(begun, [], Cells(begun.cells))


def restored_search(begun: State, path: list[int], backend: Backend) -> SearchState[State]:
    """Restore a pickled state."""
    state = search_state(begun, backend)
    for number in path:
        state.push(number)
    return state
