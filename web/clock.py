"""Clocks of a table: how long each seat has for its decisions.

INVARIANT: everything here follows from what spectators see and from the time. The seat whose decision everybody sees
pending is charged until everybody sees what comes next, whoever decides secretly in between. So neither what a clock
shows nor when it runs out tells of a secret decision.

Time passes only while a player is at the table, and while nobody is asked to agree to an undo. It is stored with each
decision, and every few seconds in between, so that the time during which a server is down does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from time import monotonic
from typing import Literal

from dsl.lazy_dataclasses import dataclass

Per = Literal["move", "game"]


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """How much time there is: `seconds` for each move, or for the whole game and `increment` more after each move.

    When it has run out, the bot `stand_in` makes the decision, or, with `hands_over`, plays the seat from then on.
    """

    per: Per
    seconds: int
    increment: int
    stand_in: str
    hands_over: bool


@dataclass(frozen=True, slots=True)
class Charge:
    """The seconds that a seat was charged when all saw what was decided; `ply` is how many decisions were made then."""

    ply: int
    seat: str
    seconds: float


@dataclass
class Clock:
    """The clocks of all seats; `seat` is the one that everybody sees deciding, None when the game is over.

    `ply` is the number of decisions that everybody sees, `pending` the seconds that the next one has taken so far, up
    to `since`, the time since when the clock runs, None while it stands still.
    """

    limit: TimeLimit
    charges: list[Charge] = field(default_factory=list)
    ply: int = 0
    seat: str | None = None
    pending: float = 0.0
    since: float | None = None
    now: Callable[[], float] = monotonic

    @property
    def elapsed(self) -> float:
        """The seconds that the decision has taken so far which everybody sees pending."""
        return self.pending + (0.0 if self.since is None else self.now() - self.since)

    def remaining(self, seat: str) -> float:
        """The seconds that a seat has left, less than 0 if its time has run out."""
        pending = self.elapsed if seat == self.seat else 0.0
        if self.limit.per == "move":
            return self.limit.seconds - pending
        charges = [charge.seconds for charge in self.charges if charge.seat == seat]
        return self.limit.seconds + self.limit.increment * len(charges) - sum(charges) - pending

    @property
    def has_run_out(self) -> bool:
        """True if the seat that everybody sees deciding has no time left."""
        return self.seat is not None and self.remaining(self.seat) <= 0

    def run(self, runs: bool) -> None:
        """Let the clock run on, or stand still."""
        if runs != (self.since is not None):
            self.pending, self.since = self.elapsed, self.now() if runs else None

    def charge(self, ply: int) -> Charge | None:
        """What the seat is to be charged when all see that `ply` decisions have been made; see `decided`."""
        return None if self.seat is None else Charge(ply, self.seat, max(0.0, self.elapsed))

    def decided(self, charge: Charge | None, ply: int, seat: str | None) -> None:
        """Everybody sees `ply` decisions, and which seat decides now."""
        if charge is not None:
            self.charges.append(charge)
        self.begin(ply, seat, 0.0)

    def after_undo(self, ply: int, seat: str | None, agreed: bool) -> float:
        """How many seconds of its decision are gone for a seat that decides anew when all see `ply` decisions.

        The others get their time back. So does the seat itself if they have `agreed`; otherwise it would gain time by
        going back again and again.
        """
        if agreed:
            return 0.0
        undone_seconds = sum(charge.seconds for charge in self.charges if charge.ply > ply and charge.seat == seat)
        return undone_seconds + (self.elapsed if self.seat == seat else 0.0)

    def would_run_out(self, ply: int, seat: str | None, pending: float) -> bool:
        """True if a seat had no time left after `go_back`."""
        earlier = Clock(self.limit, list(self.charges), now=self.now)
        earlier.go_back(ply, seat, pending)
        return earlier.has_run_out

    def go_back(self, ply: int, seat: str | None, pending: float) -> None:
        """Decisions were taken back; see `begin`."""
        self.charges = [charge for charge in self.charges if charge.ply <= ply]
        self.begin(ply, seat, pending)

    def begin(self, ply: int, seat: str | None, pending: float) -> None:
        """Everybody sees `ply` decisions, and a seat that decides, of whose time some seconds are gone."""
        self.ply, self.seat, self.pending = ply, seat, pending
        if self.since is not None:
            self.since = self.now()
