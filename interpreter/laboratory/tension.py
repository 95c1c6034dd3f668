"""How exciting a game was: who was ahead when, from the shares of the win that could be expected.

The names and ideas are those of Browne, "Automatic Generation and Evaluation of Recombination Games" (PhD thesis,
Queensland University of Technology, 2008), apart from `settled`; the definitions are ours. The thesis could not be
consulted: docs/laboratory.md says what is known of it from others, and where these definitions differ.

- The value of a position is the expected share of the win in random games from it, which is defined for every game.
  There may be any number of sides: the seats of a team form one, and the leader is the side with the largest share.
- There are `PARTS + 1` moments, at equal distances from the first decision to the end, so that games of different
  length can be compared. Positions between two of them are not considered.
- The estimates are uncertain, as they come from few random games. A side is therefore *ahead* only if its share exceeds
that
  of every other side by more than a margin; see `MARGIN`.

Teams are given as in a `GameRecord`: the names of the teams of the seats, None for a seat that plays alone, empty if
there are no teams. A measure is None if there is only one side or if the shares are unknown; measures about the winner
are also None if no side wins, or all do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log, sqrt

from dsl.lazy_dataclasses import dataclass
from interpreter.laboratory.courses import PARTS, Course

MARGIN = 0.2
"""The difference below which two shares may differ by chance alone, where each comes from 100 random games.

It is two standard errors of the difference between two even sides, 2 / sqrt(100); with more sides, or if one is ahead,
the standard error is smaller.
"""

Teams = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class _Race:
    """The shares of several sides: a row for each moment, and the numbers of the winning sides, none if all win."""

    moments: tuple[tuple[float, ...], ...]
    winners: tuple[int, ...]

    @property
    def before_the_end(self) -> tuple[tuple[float, ...], ...]:
        """The moments at which the result is still open."""
        return self.moments[:-1]

    def lead(self, shares: Sequence[float]) -> float:
        """How far the worst of the winners is ahead of the best of the others, or behind."""
        return min(shares[side] for side in self.winners) - self.best_of_others(shares)

    def best_of_others(self, shares: Sequence[float]) -> float:
        """The greatest share of those that do not win in the end."""
        return max(share for side, share in enumerate(shares) if side not in self.winners)


def _race(course: Course, teams: Teams) -> _Race | None:
    """The shares of the sides; None if there is nothing to compare."""
    first_seats: dict[object, int] = {}
    for seat in range(len(course.shares)):
        team = teams[seat] if teams else None
        first_seats.setdefault(("seat", seat) if team is None else team, seat)
    if len(first_seats) < 2:
        return None
    moments = tuple(zip(*(course.shares[seat] for seat in first_seats.values()), strict=True))
    winners = tuple(side for side, share in enumerate(moments[-1]) if share > 0)
    return _Race(moments, winners if len(winners) < len(first_seats) else ())


def lead_changes(course: Course, teams: Teams = (), margin: float = MARGIN) -> int | None:
    """How often the lead passes to another side than the last one to be ahead; the end counts as well.

    Moments at which nobody is ahead change nothing.
    """
    race = _race(course, teams)
    if race is None:
        return None
    leaders = [side for shares in race.moments for side in _ahead(shares, margin)]
    return sum(previous != following for previous, following in pairwise(leaders))


def _ahead(shares: Sequence[float], margin: float) -> list[int]:
    """The side that is ahead, if there is one."""
    second, first = sorted(shares)[-2:]
    return [shares.index(first)] if first - second > margin else []


def drama(course: Course, teams: Teams = (), margin: float = MARGIN) -> float | None:
    """How far behind the eventual winner was: the mean of the square roots of its deficits, 0 if it was never behind.

    The mean is over the moments at which the winner was behind, so it says how large the deficits were and not how long
    they lasted; the square root gives weight to small deficits. A deficit is measured against the side with the largest
    share. Of several winners the one furthest behind counts, and only sides that do not win can be ahead.
    """
    race = _race(course, teams)
    if race is None or not race.winners:
        return None
    deficits = [-lead for shares in race.before_the_end if (lead := race.lead(shares)) < -margin]
    return sum(map(sqrt, deficits)) / len(deficits) if deficits else 0.0


def decisiveness(course: Course, teams: Teams = (), margin: float = MARGIN) -> float | None:
    """How soon the game ends once it is decided: 1 if at once, 0 if it was decided from the beginning.

    A game is decided at the first moment at which the winner is ahead, with a larger share than any other side had at
    any moment. The value is the fraction of the game before that moment.
    """
    race = _race(course, teams)
    if race is None or not race.winners:
        return None
    threshold = max(map(race.best_of_others, race.before_the_end))
    for moment, shares in enumerate(race.before_the_end):
        if race.lead(shares) > margin and min(shares[side] for side in race.winners) > threshold:
            return moment / PARTS
    return 1.0


def uncertainty(course: Course, teams: Teams = ()) -> float | None:
    """How open the game is on average: 1 if all sides have equal shares until the end, 0 if one side has all.

    The openness of a moment is the entropy of the shares, divided by that of equal shares. The probability that nobody
    wins is divided equally among all sides, as if they shared the win. Positions in which all sides are certain to
    share the win look open.
    """
    race = _race(course, teams)
    if race is None:
        return None
    openness = list(map(_openness, race.before_the_end))
    return sum(openness) / len(openness)


def _openness(shares: Sequence[float]) -> float:
    sides = len(shares)
    nobody = max(0.0, 1.0 - sum(shares)) / sides
    entropy = -sum(part * log(part) for share in shares if (part := share + nobody) > 0)
    return min(1.0, entropy / log(sides))


def settled(course: Course, teams: Teams = (), margin: float = MARGIN) -> float | None:
    """The fraction of the game after which the eventual winner stays ahead: 0 if always, 1 if only at the end.

    Several winners have to be ahead of all others.
    """
    race = _race(course, teams)
    if race is None or not race.winners:
        return None
    moment = PARTS
    while moment and race.lead(race.moments[moment - 1]) > margin:
        moment -= 1
    return moment / PARTS
