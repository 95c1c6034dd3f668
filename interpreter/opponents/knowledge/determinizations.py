"""Determinizations: complete states that agree with all that a seat has observed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, overload

from dsl.lazy_dataclasses import dataclass
from interpreter.arguments import integer_of
from interpreter.errors import UnknownSeatError
from interpreter.opponents.knowledge.sampling import Sampled, sampler_of

MAX_HISTORIES = 24
"""Maximum number of histories of a short game; further states come from random walks that start from these."""


@dataclass(frozen=True)
class Determinizations(Sequence[Sampled], Generic[Sampled]):
    """States that were drawn for a seat; `tries` is how many variations were tried to find them.

    Many tries are needed if few of the possible histories agree with the observation.
    """

    states: tuple[Sampled, ...]
    tries: int

    @overload
    def __getitem__(self, index: int) -> Sampled: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Sampled, ...]: ...

    def __getitem__(self, index: int | slice) -> Sampled | tuple[Sampled, ...]:
        return self.states[index]

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[Sampled]:
        return iter(self.states)


def determinizations(state: Sampled, seat: str, count: int, seed: int) -> Determinizations[Sampled]:
    """Draw states that a seat cannot distinguish from this one, each with its full history and new future chance.

    Raises UsageError for a wrong argument, UnknownSeatError, and SamplingError if no state is found.
    """
    number, begin = integer_of(count, "the number of states", least=0), integer_of(seed, "a seed")
    if state.seat_number(seat) is None:
        raise UnknownSeatError("determinizations are drawn for a seat, not for nobody")
    sampler = sampler_of(state, seat, begin, size=max(1, min(number, MAX_HISTORIES)))
    return Determinizations(tuple(sampler.states(number)) if number else (), sampler.tries)
