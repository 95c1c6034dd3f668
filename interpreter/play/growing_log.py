"""The log of one seat of a game that goes on: what was logged before is not rendered again."""

from __future__ import annotations

from bisect import bisect_left

from interpreter.play.game import State
from interpreter.seat.views.log import LogEntry


class GrowingLog:
    """The log of a seat (None: everything, `"*"`: what all seats see), as long as it has been asked for."""

    def __init__(self, seat: str | None) -> None:
        self.seat = seat
        self._entries: tuple[LogEntry, ...] = ()
        self._logged = 0  # the number of decisions in the log that are still those of the game

    def forget_after(self, decisions: int) -> None:
        """Forget what was logged after the first `decisions`: others may have been made instead."""
        self._logged = min(self._logged, decisions)

    def of(self, state: State) -> tuple[LogEntry, ...]:
        """The log up to now.

        It is rendered from the last decision on that the seat knew of before, as more may have followed from that.
        """
        before = enumerate(state.history[: self._logged])
        noticed = [number for number, record in before if self.seat in (None, record.player) or not record.unnoticed]
        begin = noticed[-1] if noticed else 0
        earlier = bisect_left(self._entries, len(noticed), key=lambda entry: entry.ply) if begin else 0
        self._entries = (*self._entries[:earlier], *state.log(self.seat, begin))
        self._logged = state.ply
        return self._entries
