"""Bounds on what places can add: the constant in the worth of a row is spread over its places.

Every place has a share of the constant, as large as it can ever be, and a place that brings a flag adds the most by
which that flag can raise the constant. A row holds the shares of its places until it is complete, for as many places as
a row must have to be worth that much (`span`). Where flags are rare it is better to leave their part to the places that
bring them; where they are common, to spread it over all places.
"""

from __future__ import annotations

from fractions import Fraction

from dsl.lazy_dataclasses import dataclass
from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.flag_enumeration import Guess, Guesses
from interpreter.runtime.graphs.objective import Sums


@dataclass(frozen=True)
class Bounds:
    """The shares of places and of flags, in units of 1 / `scale`, and the number of places that hold a share."""

    share: int
    scale: int
    span: int
    extras: dict[int, int]

    def of_flags(self, flags: int) -> int:
        """The amount that these flags add to the shares."""
        return sum([self.extras[flag] for flag in bits(flags)]) if flags else 0


def both_shares(guesses: Guesses, least: int) -> tuple[Bounds, ...]:
    """The shares if places hold all of the constants, and if flags hold their part."""
    flags = bits(guesses.guesses[-1].flags)
    greatest = {
        guess.flags: max(constant for _, constant in _constants(guess, guesses.limit)) for guess in guesses.guesses
    }
    extras = {
        flag: max(
            0, *[value - greatest[having ^ 1 << flag] for having, value in greatest.items() if having >> flag & 1]
        )
        for flag in flags
    }
    none = dict.fromkeys(flags, 0)
    return tuple(
        _shares(guesses, least, flag_shares) for flag_shares in ((none, extras) if extras != none else (none,))
    )


def _shares(guesses: Guesses, least: int, extras: dict[int, int]) -> Bounds:
    falling = sorted(guesses.sums.values(), reverse=True)
    best = Fraction(0)
    span = least
    for guess in guesses.guesses:
        held = sum([extras[flag] for flag in bits(guess.flags)])
        for sums, constant in _constants(guess, guesses.limit):
            needed = max(least, _fewest([amount for (amount,) in falling], sums[0])) if len(sums) == 1 else least
            span = max(span, needed)
            best = max(best, Fraction(constant - held, needed))
    scale = best.denominator
    return Bounds(best.numerator, scale, span, {flag: extra * scale for flag, extra in extras.items()})


def _constants(guess: Guess, limit: int | None) -> list[tuple[Sums, int]]:
    """All constants, each with the sums it belongs to, or the smallest of them."""
    ends = [] if limit is None else [((), guess.constant) if limit == 0 else ((limit,), guess.constant)]
    return [*guess.constants.items(), *ends]


def _fewest(falling: list[int], total: int) -> int:
    """The smallest number of these values whose sum reaches `total`."""
    count = 0
    for value in falling:
        if total <= 0 or value <= 0:
            break
        total -= value
        count += 1
    return count
