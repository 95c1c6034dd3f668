"""The generator of the recorded games: SplitMix64, written out here so that no change elsewhere changes a game.

A draw depends on nothing but the numbers it is for, such as the seed of a game and the number of a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from interpreter.runtime.chance import first_chance_state
from regelwerk import ChanceEvent

Member = TypeVar("Member")

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def draw(*numbers: int) -> int:
    """64 bits: each number in turn is added to the state of the generator, which then makes a step."""
    mixed = 0
    for number in numbers:
        mixed = (mixed + number + GOLDEN) & MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        mixed ^= mixed >> 31
    return mixed


def below(count: int, *numbers: int) -> int:
    """A number from 0 to `count` - 1: the high half of the product of a draw and `count`."""
    return draw(*numbers) * count >> 64


def shuffled(members: Sequence[Member], *numbers: int) -> list[Member]:
    """The members in a drawn order: Fisher-Yates from the last position."""
    order = list(members)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, *numbers, last)
        order[last], order[other] = order[other], order[last]
    return order


def seed_of(deal: int) -> int:
    """The seed with the seeded chance of a deal.

    The games were recorded when the generator of a seed started elsewhere, at `deal * GOLDEN + 0x632BE59BD9B4E019`.
    Where it starts follows from the seed by an odd factor and an offset, modulo 2^64, so one seed leads there.
    """
    offset = first_chance_state(0)
    factor = first_chance_state(1) - offset
    return (deal * GOLDEN + 0x632BE59BD9B4E019 - offset) * pow(factor, -1, MASK + 1) & MASK


class Tape:
    """Supplied chance: the results of a deal, the first asked for, the second, and so on.

    As nothing about it is part of a state, games with different deals can reach the same position. `heard` has what
    the game said of every event.
    """

    def __init__(self, deal: int) -> None:
        self.deal, self.heard = deal, list[str]()

    def __call__(self, event: ChanceEvent) -> object:
        number = len(self.heard)
        self.heard.append(f"{event.kind} {event.what} {event.size} {event.faces}")
        if event.kind == "shuffle":
            return shuffled(range(event.size), self.deal, number)
        return below(event.size, self.deal, number)
