"""The pace at which the games of a run are played, and the time that the rest will take.

A game that is analysed in detail takes much longer than one that is only played, and such games come first. Each
of the two kinds has a pace of its own.
"""

from __future__ import annotations

from collections import deque
from statistics import median

RECENT = 200
"""The number of latest chunks of each kind that count: games become faster once the machine engine plays them."""


class Pace:
    """The seconds that one process takes per game of each kind, estimated from the chunks played so far.

    The estimate is the median over chunks, because the first chunk of each process includes compiling the rules.
    """

    def __init__(self) -> None:
        self._seconds: dict[bool, deque[float]] = {detailed: deque(maxlen=RECENT) for detailed in (True, False)}

    def add(self, detailed: bool, games: int, seconds: float) -> None:
        """Record the seconds that a process took for some games, all of which were analysed in detail, or none."""
        self._seconds[detailed].append(seconds / games)

    def remaining_seconds(self, detailed: int, others: int, processes: int) -> float | None:
        """The seconds that the rest of the games will take; None while the pace of a kind that remains is not known."""
        seconds_of_work = 0.0
        for number, seconds in ((detailed, self._seconds[True]), (others, self._seconds[False])):
            if number:
                if not seconds:
                    return None
                seconds_of_work += number * median(seconds)
        return seconds_of_work / max(1, min(processes, detailed + others))
