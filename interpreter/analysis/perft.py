"""Perft: the number of move sequences of each length, down to a depth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from time import perf_counter

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.backends import machine_for
from interpreter.analysis.failed_games import Failed
from interpreter.arguments import Backend
from interpreter.compiler.machine.forms import UnprintableError
from interpreter.compiler.machine.stepping import MAX_DEPTH
from interpreter.engine.machine.games import MachineGame
from interpreter.engine.program import Program
from interpreter.errors import LimitError, PlayError
from interpreter.play.game import Game, State
from interpreter.play.state import push_in_words
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import POINT, RANDOM
from interpreter.seat.notation.moves import Move


@dataclass(frozen=True)
class Level:
    """The counts at one depth: `nodes` move sequences of length `depth`, of which `over` end the game.

    At `faults` of the positions before, or of the moves from there, a rule failed; those are not counted as sequences.
    """

    depth: int
    nodes: int
    over: int
    faults: int = 0


@dataclass(frozen=True)
class FailedLine:
    """The first move sequence on which a rule failed: the error, and the game before the decision that failed."""

    failed: Failed
    state: State


@dataclass(frozen=True)
class Perft:
    """The levels from 1 to the depth, whether chance was involved, and the first sequence on which a rule failed.

    `complete` unless counting ended early, at a rule that does not terminate.
    """

    levels: list[Level]
    chance: bool
    failure: FailedLine | None = None
    complete: bool = True


WORTH_PREPARING = 0.5
"""Seconds of counting in Python after which the machine engine is prepared, unless the backend is named."""


def perft(game: Game, depth: int, seed: int = 0, backend: Backend = "auto") -> Perft:
    """Count the move sequences of a game; the results of chance, if any, follow from the seed.

    The method is known as perft (Edwards, 1977, for programs playing board games). Positions reached by several
    sequences count once for each. `backend` is what counts; "auto" changes to the machine engine when it takes long.
    Raises PlayError if a rule fails during setup.
    """
    return perft_from(game.start(seed), depth, backend)


def perft_from(state: State, depth: int, backend: Backend = "auto") -> Perft:
    """Count from the pending decision of a state; chance continues as it would there. Rules that fail are counted."""
    begun = perf_counter()

    def machine() -> MachineGame | None:
        if backend == "auto" and perf_counter() - begun < WORTH_PREPARING:
            return None
        return machine_for(state.game, backend)

    counting = _Counting(state.program, depth, machine)
    complete = True
    try:
        counting.count(Cells(state.cells), 1)
    except LimitError:
        complete = False
    untouched = state.ply or state.cells[RANDOM] == seeded(state.seed)
    levels = [Level(n, counting.nodes[n], counting.over[n], counting.faults[n]) for n in range(1, depth + 1)]
    return Perft(levels, counting.chance or not untouched, counting.failed_line(state), complete)


def _with_code(state: State, code: MoveCode) -> Move:
    """Find the legal move with this code in generated code."""
    return next(move for move in state.legal_moves if move.code == code)


@dataclass
class _Counting:
    """The counts so far, by level; `path` holds the moves that lead to the current position.

    `machine` gives the machine engine as soon as it is to be used.
    """

    program: Program
    depth: int
    machine: Callable[[], MachineGame | None]
    chance: bool = False
    path: list[MoveCode] = field(default_factory=list)
    first: tuple[tuple[MoveCode, ...], MoveCode | None, PlayError] | None = None

    def __post_init__(self) -> None:
        self.nodes, self.over, self.faults = ([0] * (self.depth + 1) for _ in range(3))

    def count(self, state: Cells, level: int) -> None:
        """Count from a position whose moves are of this level. Raises LimitError."""
        program = self.program
        if level < self.depth and state[POINT] >= 0 and self._in_machine(state, level):
            return
        try:
            legal = program.legal(state)
        except PlayError as fault:
            self._failed(level, None, fault)
            return
        for move in legal:
            T = Cells(state)
            try:
                program.do(T, None, move)
            except PlayError as fault:
                self._failed(level, move, fault)
                continue
            self.nodes[level] += 1
            self.chance |= T[RANDOM] != state[RANDOM]
            if T[POINT] < 0:
                self.over[level] += 1
            elif level < self.depth:
                self.path.append(move)
                self.count(T, level + 1)
                self.path.pop()

    def _in_machine(self, state: Cells, level: int) -> bool:
        """Count all from a position whose moves are of this level; false if Python has to, as a rule fails."""
        machine, length = self.machine(), self.depth - level + 1
        if machine is None or length > MAX_DEPTH:
            return False
        try:
            sequences = machine.state(state).sequences(length)
        except UnprintableError:
            return False
        if sequences is None:
            return False
        self.chance |= sequences.chance
        for number in range(length):
            self.nodes[level + number] += sequences.made[number]
            self.over[level + number] += sequences.over[number]
        return True

    def _failed(self, level: int, move: MoveCode | None, fault: PlayError) -> None:
        self.faults[level] += 1
        self.first = self.first or (tuple(self.path), move, fault)
        if isinstance(fault, LimitError):
            raise fault

    def failed_line(self, start: State) -> FailedLine | None:
        """The first sequence on which a rule failed, from the state where counting began."""
        if self.first is None:
            return None
        path, move, fault = self.first
        state = start.copy()
        for code in path:
            push_in_words(state, _with_code(state, code))
        notation = None if move is None else _with_code(state, move).notation
        cut_off = isinstance(fault, LimitError)
        return FailedLine(
            Failed(state.seed, state.ply, state.player, notation, fault.message, fault.location, cut_off), state
        )
