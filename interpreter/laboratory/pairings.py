"""A pairing of two bots: the games they still have to play, and the shares so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from itertools import combinations

from dsl.lazy_dataclasses import dataclass
from interpreter.laboratory.confidence import excluded, interval
from interpreter.opponents.matches import (
    Broken,
    Finished,
    Meeting,
    Seating,
    Sides,
    even_share,
    meetings,
    rotation_share,
    seatings,
)

PlayedGames = dict[Meeting, "Finished | Broken"]
"""The games played so far, with their results."""


@dataclass
class Pairing:
    """Two bots, by number, with the share of the first in every rotation that counts.

    Rotations are counted in order, so the figures do not depend on which games finish first. With `until_decided`, none
    counts after the one at which equality was excluded. A rotation with a game that ended in an error does not count,
    but is included in `seen`, the number of rotations played. With `alone`, only those games are played in which the
    first bot has a single side.
    """

    first: int
    second: int
    sides: Sides
    rotations: int
    until_decided: bool = False
    alone: bool = False
    values: list[float] = field(default_factory=list)
    decided: bool = False
    seen: int = 0
    _counts: Counter[float] = field(default_factory=Counter, repr=False)

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of a rotation."""
        return seatings(self.sides, self.first, self.second, alone=self.alone)

    @cached_property
    def even(self) -> float:
        """The share of the first bot if both are equally strong."""
        return float(even_share(self.seatings, self.sides, self.first))

    @property
    def complete(self) -> bool:
        """True if no more games are needed."""
        return self.seen >= self.rotations or (self.until_decided and self.decided)

    def meetings(self, rotation: int) -> tuple[Meeting, ...]:
        """The games of a rotation."""
        return meetings(self.sides, self.first, self.second, rotation, alone=self.alone)

    def missing(self, results: Mapping[Meeting, object]) -> Iterator[Meeting]:
        """The games not yet played, up to the last rotation; none if the pairing is complete."""
        if not self.complete:
            for rotation in range(self.seen, self.rotations):
                yield from (meeting for meeting in self.meetings(rotation) if meeting not in results)

    def advance(self, results: Mapping[Meeting, Finished | Broken]) -> None:
        """Count the completed rotations, in order."""
        while not self.complete:
            results_by_seating = {meeting.seating: results.get(meeting) for meeting in self.meetings(self.seen)}
            if None in results_by_seating.values():
                return
            self.seen += 1
            finished = {
                seating: result for seating, result in results_by_seating.items() if isinstance(result, Finished)
            }
            if len(finished) == len(results_by_seating):
                self._count(float(rotation_share(finished, self.sides, self.first, self.second)))

    def _count(self, value: float) -> None:
        self.values.append(value)
        self._counts[value] += 1
        self.decided = self.decided or excluded(self._counts, self.even)

    # ---- the figures

    @property
    def games(self) -> int:
        """The number of games that count."""
        return len(self.values) * len(self.seatings)

    @property
    def share(self) -> float:
        """The share of the first bot; an even one if no game counts."""
        return sum(self.values) / len(self.values) if self.values else self.even

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return interval(self.values)

    def counted(self, results: Mapping[Meeting, Finished | Broken]) -> Iterator[tuple[Meeting, Finished]]:
        """The games that count."""
        for rotation in range(self.seen):
            rotation_results = [(meeting, results.get(meeting)) for meeting in self.meetings(rotation)]
            finished = [(meeting, result) for meeting, result in rotation_results if isinstance(result, Finished)]
            if len(finished) == len(rotation_results):
                yield from finished


def pairings(bots: int, sides: Sides, games: int, *, until_decided: bool) -> list[Pairing]:
    """All pairs of bots, with at least `games` games for each pair, in whole rotations."""
    return [
        Pairing(first, second, sides, -(-games // len(seatings(sides, first, second))), until_decided)
        for first, second in combinations(range(bots), 2)
    ]
