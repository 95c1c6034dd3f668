"""What one seat may know of a game in progress: the only module that sees the real state and serves bots and hints.

These get plain data and states that agree with what the seat has observed, and no reference to the real state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from time import perf_counter

from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.histories import never
from interpreter.opponents.knowledge.recording import Recorder
from interpreter.opponents.knowledge.sampling import Sampler
from interpreter.opponents.situation import Considered, Offer, Situation, unheard
from interpreter.play.game import Game, State
from interpreter.play.growing_log import GrowingLog
from interpreter.seat.notation.moves import Move
from interpreter.seat.notation.words import most_chosen


class _Drawn:
    """See `States`: the states that a sampler draws for one situation; it notices when none was found."""

    def __init__(self, sampler: Sampler[State]) -> None:
        self._sampler, self.has_failed = sampler, False

    def states(
        self, count: int, hurry: Callable[[], bool] = never, too_late: Callable[[], bool] = never, timed: bool = False
    ) -> Sequence[State]:
        try:
            states = self._sampler.states(count, hurry=hurry, too_late=too_late, timed=timed)
        except SamplingError:
            self.has_failed = True
            raise
        self.has_failed = False
        return states


class SeatObserver:
    """Observes a game from one seat; observations and samples are computed incrementally."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._recorder = Recorder(seat)
        self._sampler: tuple[Game, Sampler[State]] | None = None
        self._log = GrowingLog(seat)
        self._drawn: _Drawn | None = None

    def situation(
        self, state: State, sampler_seed: int, seed: int, stop: Callable[[], bool] = never,
        report: Callable[[Considered], None] = unheard,
    ) -> Situation:  # fmt: skip
        """The pending decision of the seat. States are drawn by `sampler_seed`, which is that of the game's first one.

        Raises UsageError for a state that was not set up by its rules.
        """
        asked, seat = perf_counter(), self.seat
        self._drawn = _Drawn(self._sampler_of(state, sampler_seed))
        return Situation(
            seat=seat,
            seats=state.game.seats,
            legal_moves=tuple([_offer(move) for move in state.legal_moves]),
            view=state.view(seat),
            log=self._log.of(state),
            sampler=self._drawn,
            seed=seed,
            stop=stop,
            asked=asked,
            share=1 / _choices(state),
            report=report,
        )

    def prepare(self, state: State, sampler_seed: int, too_late: Callable[[], bool]) -> None:
        """Prepare for the seat's next decision from the game so far, until it is too late.

        This does not change later situations. Raises UsageError as `situation` does.
        """
        self._sampler_of(state, sampler_seed).catch_up(too_late)

    @property
    def agrees(self) -> bool:
        """False if the states drawn last may not agree with earlier decisions of others."""
        return self._sampler is None or self._sampler[1].agrees

    @property
    def is_at_a_loss(self) -> bool:
        """True if states were drawn for the latest situation, and none was found."""
        return self._drawn is not None and self._drawn.has_failed

    def _sampler_of(self, state: State, seed: int) -> Sampler[State]:
        """The sampler of the game, which has observed what the seat has observed up to now."""
        if self._sampler is None or self._sampler[0] is not state.game:
            self._sampler = state.game, Sampler(state.game, type(state), self.seat, seed)
        sampler = self._sampler[1]
        sampler.observe(self._recorder.observation(state))
        self._log.forget_after(self._recorder.unchanged)
        return sampler


def decisions_known(state: State, seat: str) -> int:
    """The number of decisions so far that a seat knows of; secret decisions of others do not count."""
    return sum(1 for record in state.history if record.player == seat or not record.unnoticed)


def seed_from(*parts: bytes) -> int:
    """A seed derived from some bytes that reveals nothing about them."""
    return int.from_bytes(sha256(b"".join(parts)).digest()[:8], "big") >> 1


def _choices(state: State) -> int:
    """Maximum number of choices that the pending decision consists of."""
    decision = state.program.decision(state.cells)
    if decision is None or decision.chosen is None:
        return 1
    made = int(state.cells[decision.chosen].bit_count())
    return max(1, min(most_chosen(state.program, state.cells, decision), made + len(state.legal_moves)))


def _offer(move: Move) -> Offer:
    return Offer(move.notation, move.label, move.name, dict(move.arguments))
