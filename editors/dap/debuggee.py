"""What is debugged: a game, or an example, as a recording that may grow at its end.

Stepping moves through what is recorded already, in either direction, and nothing happens. Only whoever steps beyond the
end makes the next decision: a bot, the next scripted move, or nobody, if the console decides. So one can go back, set a
breakpoint, and run over the same events again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.authoring.examples.recording import ExampleRecording
from interpreter.errors import BotError, IllegalMoveError, PlayError
from interpreter.opponents.driver import Driver
from interpreter.play.game import Game, State
from interpreter.play.state import back_to
from interpreter.play.trace import Position, Timeline
from interpreter.play.trace.failed_decision import FailedDecision, told_to
from interpreter.play.trace.recording import Recording
from interpreter.runtime.cells import MoveCode
from interpreter.seat.explain.moves import is_move
from interpreter.seat.explain.outcome import verdict, winners_of
from interpreter.seat.notation.moves import Move

FailureKind = Literal["fault", "refused", "then"]
"""What the debugger can stop at because something went wrong; the names of the filters in the protocol."""


AT_A_TABLE = "people still play this game, and its moves are made and taken back at their table"


@dataclass(frozen=True)
class Waiting:
    """The recording ends here, and nothing goes on by itself.

    `over`: nothing ever does. `failure` says what went wrong, if that is the reason.
    """

    text: str
    over: bool = False
    failure: FailureKind | None = None


class Debuggee(ABC):
    """What is debugged; `as_seat` is the seat as which it is seen, None if everything is."""

    game: Game
    recording: Recording
    as_seat: str | None = None

    @abstractmethod
    def ahead(self, interrupted: Callable[[], bool]) -> Waiting | None:
        """Let the recording grow at its end by the next decision; what it waits for if nothing goes on by itself.

        `interrupted` becomes true when a bot is to move at once.
        """


class DebuggedExample(Debuggee):
    """An example of a game; it is recorded as a whole."""

    def __init__(self, game: Game, example: ast.Example) -> None:
        self.game = game
        self.example_recording = ExampleRecording(game, example)
        self.recording = self.example_recording

    def ahead(self, interrupted: Callable[[], bool]) -> Waiting | None:
        """Report how the example ended."""
        failures = self.example_recording.failures
        if failures:
            return Waiting("\n".join(failures), over=True, failure="then")
        return Waiting("the example holds", over=True)


class DebuggedGame(Debuggee):
    """A game in progress: bots and scripted moves go on, the other seats are played at the console.

    A game `is_at_a_table` if people still play it and a seat looks at it: whoever made moves here, and took them back,
    would know what is drawn and who answers how before they are made there.
    """

    def __init__(
        self, state: State, drivers: Mapping[str, Driver], moves: Sequence[str] = (), as_seat: str | None = None,
        *, is_at_a_table: bool = False,
    ) -> None:  # fmt: skip
        self.game, self.state, self.drivers = state.game, state, drivers
        self.scripted, self.as_seat, self.is_at_a_table = deque(moves), as_seat, is_at_a_table
        self._record()

    def _record(self) -> None:
        self.timeline = Timeline(self.state, self.as_seat, then=True)
        self.recording: Recording = self.timeline

    def ahead(self, interrupted: Callable[[], bool]) -> Waiting | None:
        """Make the next decision if a bot or the script does."""
        player = self.state.player
        if player is None:
            return Waiting(self.verdict(), over=True)
        if self.is_at_a_table:
            return Waiting(f"{player} decides: {AT_A_TABLE}")
        if isinstance(self.recording, FailedDecision):
            return Waiting(str(self.recording.fault), failure="fault")
        try:
            if self.scripted:
                self.make(self.scripted.popleft())
                return None
            if player in self.drivers:
                self.make(self.drivers[player].play(self.state, interrupted))
                return None
        except IllegalMoveError as fault:
            self.scripted.clear()
            return Waiting(f"{player}: {fault}", failure="refused")
        except PlayError as fault:
            return Waiting(str(told_to(self.as_seat, fault, is_open=self.game.is_open)), failure="fault")
        except BotError as fault:
            return Waiting(str(fault), failure="fault")
        return Waiting(f"{player} decides: `push MOVE` makes a move, `moves` lists the legal ones")

    def make(self, move: Move | str) -> None:
        """Make a move; if a rule fails in it, the recording ends there. Raises IllegalMoveError."""
        try:
            self.state.push(move)
            self.state.render_history()
        except IllegalMoveError as fault:
            raise IllegalMoveError(self._why_not(str(move)) or str(fault)) from fault
        except PlayError:
            self.recording = FailedDecision(self.state, self.as_seat, self._code(move), then=True)
        else:
            self._record()

    def _why_not(self, move: str) -> str:
        """Why a move is not legal, which `push` does not know; empty if it may be several moves that are."""
        moment = self.recording.snapshot(self.recording.last)
        if self.state.over or not is_move(moment.program, moment.cells, move, moment.seat):
            return ""
        answer = moment.why(move)
        return "" if answer.legal else f"`{move}` is not legal: {answer.reason}"

    def _code(self, move: Move | str) -> MoveCode:
        moves = self.state.legal_moves
        return next(legal.code for legal in moves if legal == move or legal.notation == move)

    def take_back(self) -> None:
        """Take the last decision back. Raises IllegalMoveError if there is none."""
        if isinstance(self.recording, FailedDecision):
            self._record()
            return
        self.state.pop()
        self.scripted.clear()
        self._record()

    def branch(self, position: Position) -> None:
        """Forget what follows the decision of a position, and go on from there."""
        self.state = back_to(self.state, self.timeline.decisions(position.ply).stop)
        self.scripted.clear()
        self._record()

    def verdict(self) -> str:
        """How the game ended, in words."""
        program, cells = self.state.program, self.state.cells
        return verdict(program, cells, tuple(winners_of(program, cells)))
