"""How long the games of a run take, and what is left of it.

A game that is looked at closely takes much longer than one that is only played, and such games come first. So the two
kinds have a pace each.
"""

from __future__ import annotations

from collections import deque
from statistics import median

RECENT = 200
"""The number of chunks of each kind that count: later games may be faster, once they are played in machine code."""


class Pace:
    """The seconds that a process takes for a game of each kind, by the chunks that were played so far.

    It is the median over chunks: the first ones of each process also compile rules, which is done once.
    """

    def __init__(self) -> None:
        self._seconds: dict[bool, deque[float]] = {closely: deque(maxlen=RECENT) for closely in (True, False)}

    def add(self, closely: bool, games: int, seconds: float) -> None:
        """Take into account that a process took so long for some games, which were looked at closely or not."""
        self._seconds[closely].append(seconds / games)

    def left(self, closely: int, others: int, processes: int) -> float | None:
        """The seconds that games of both kinds will take these processes; None while that of a kind is not known."""
        found = 0.0
        for number, seconds in ((closely, self._seconds[True]), (others, self._seconds[False])):
            if number:
                if not seconds:
                    return None
                found += number * median(seconds)
        return found / max(1, min(processes, closely + others))
