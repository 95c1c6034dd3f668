"""The situation in which a bot decides: plain data for its seat, and states that agree with the seat's observations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from random import Random
from time import perf_counter
from typing import Protocol

from dsl.lazy_dataclasses import dataclass
from interpreter.arguments import instance_of
from interpreter.play.game import State
from interpreter.seat.views.log import LogEntry
from interpreter.seat.views.model import View
from interpreter.wording.words import Words


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal move in words; `notation` is unique among them."""

    notation: str
    label: str
    name: str
    arguments: dict[str, str | int]


class States(Protocol):
    """A source of states that agree with what a seat has observed."""

    def states(
        self, count: int, hurry: Callable[[], bool] = ..., too_late: Callable[[], bool] = ..., timed: bool = False
    ) -> Sequence[State]:
        """Draw states in which the same decision is pending, with the same legal moves in the same order.

        Once somebody is in a `hurry`, fewer different ones are drawn, so that they come sooner. When it is `too_late`,
        states are drawn that may not agree with earlier decisions of others. `timed`: there is little time to prepare
        for the first one. Raises SamplingError if none is found.
        """


@dataclass(frozen=True, slots=True)
class Considered:
    """What a thinking bot has found out so far.

    `moves` are the best legal moves by their indices, best first, each with the seat's share of the win after it, None
    if that is not known. `iterations` of a search, or `depth`, the decisions looked ahead, say how much was searched.
    """

    moves: tuple[tuple[int, float | None], ...]
    iterations: int | None = None
    depth: int | None = None


def unheard(considered: Considered) -> None:
    """What is reported if nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision of one seat, with all that the seat may know and nothing else.

    `seed` is for random choices: the same situation with the same seed gives the same move. `stop` returns true once
    the move is wanted at once. `asked` is when the move was requested, by `time.perf_counter`. `share` is the fraction
    of the time for a decision that this choice should take: successive picks share it. `report` may be called with what
    was found out so far, for people who want to see what a thinking bot considers.
    """

    seat: str
    seats: tuple[str, ...]
    legal_moves: tuple[Offer, ...]
    view: View
    log: tuple[LogEntry, ...]
    sampler: States
    seed: int
    stop: Callable[[], bool]
    asked: float = field(default_factory=perf_counter)
    share: float = 1.0
    report: Callable[[Considered], None] = unheard


def checked_situation(value: object) -> Situation:
    """Check that a bot is asked in a situation. Raises UsageError."""
    return instance_of(value, Situation, "the situation that a bot is asked in")


class Bot(Protocol):
    """A program that plays a seat."""

    def choose(self, situation: Situation) -> int:
        """The index of a legal move."""


def at_a_loss(seat: str, words: Words) -> str:
    """That the bot of a seat moves without having found a state to search."""
    return words.phrase(
        "{seat} moves at random: no state was found in time that agrees with what this seat has observed",
        seat=words.name(seat),
    )


def by_chance(situation: Situation) -> int:
    """A random move: the fallback of a bot for which no state was found, not even one that agrees with less."""
    return Random(situation.seed).randrange(len(situation.legal_moves))
