"""Kinds of partial rows: the facts about a part of a row that matter while the rest of it is still open.

A row is assembled from places, part by part. The facts about a part are the guess made when it began, the flags it
still lacks for that guess, its number of places (as far as that matters), and the sums carried. Parts of the same kind
are interchangeable: two parts of three places with the same guess, of which neither has its harbour yet, have the same
continuations, whichever places they are.

Instead of worth, *loss* is counted, so that it never shrinks and a search can be cut off by it: every place has a
maximum it can ever add to a total, and a choice loses the difference to that maximum. The constant in the worth of a
row is spread over its places as shares (`Bounds`), which a part of a row holds until it is complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.lazy_dataclasses import dataclass
from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.flag_enumeration import Guess, Guesses
from interpreter.runtime.graphs.objective import Objective, Sums

if TYPE_CHECKING:
    from fractions import Fraction

PartKind = tuple[int, int, int, Sums]
"""The number of the guess, the flags still lacking, the number of places up to the span, and the sums carried."""


class Kinds:
    """The kinds of parts of rows in one component, by number.

    `most[p]` is the maximum place `p` can add, `total` the sum of these: rows are worth (total - their loss) / scale.
    `limit` exceeds the number of possible kinds.
    """

    def __init__(self, worth: Objective, guesses: Guesses, least: int) -> None:
        self.worth = worth
        self.least = least
        self.places = sum([1 << place for place in guesses.flags])
        self.guesses = guesses
        self.gains = {
            place: [
                sum(s * sums[place] for s, sums in zip(guess.slopes, worth.sums, strict=True))
                for guess in guesses.guesses
            ]
            for place in guesses.flags
        }
        from fractions import Fraction  # start-up of programs: it imports decimal

        candidates: list[tuple[Fraction, int, dict[int, int], Bounds]] = []
        for self.shares in both_shares(guesses, least):
            most = {place: self.most_with(place, -1) for place in self.gains}
            candidates.append((Fraction(sum(most.values()), self.shares.scale), len(candidates), most, self.shares))
        _, _, self.most, self.shares = min(candidates, key=lambda candidate: candidate[:2])
        self.scale = self.shares.scale
        self.total = sum(self.most.values())
        self.kinds: list[PartKind] = []
        self.numbers: dict[PartKind, int] = {}
        self._joined: dict[tuple[int, int], tuple[int, int] | None] = {}
        self.limit = self._limit()

    def _limit(self) -> int:
        flags = 0
        for guess in self.guesses.guesses:
            flags |= guess.flags
        sizes = len(self.guesses.guesses) * (self.shares.span + 1) << flags.bit_count()
        for number in range(len(next(iter(self.guesses.sums.values())))):
            addends = [sums[number] for sums in self.guesses.sums.values()]
            sizes *= sum(abs(value) for value in addends) + 1
        return sizes

    def _possible(self, place: int) -> list[int]:
        """The guesses with which a row with this place may begin."""
        flags = self.guesses.flags[place]
        return [number for number, guess in enumerate(self.guesses.guesses) if not flags & ~guess.flags]

    def most_with(self, place: int, flags: int) -> int:
        """The maximum this place can add if its row has at most these flags."""
        guesses = self.guesses.guesses
        possible = [number for number in self._possible(place) if not guesses[number].flags & ~flags]
        return max([0, *(self._added(place, number) for number in possible)])

    def _added(self, place: int, number: int) -> int:
        """The amount this place adds to a row with this guess, including its shares."""
        shares = self.shares
        return shares.scale * self.gains[place][number] + shares.share + shares.of_flags(self.guesses.flags[place])

    def _number(self, kind: PartKind) -> int:
        number = self.numbers.get(kind)
        if number is None:
            number = self.numbers[kind] = len(self.kinds)
            self.kinds.append(kind)
        return number

    def alone(self, place: int) -> list[tuple[int, int]]:
        """The kinds of part this place can form on its own, each with its loss."""
        kinds = []
        for number in self._possible(place):
            lacking = self.guesses.guesses[number].flags & ~self.guesses.flags[place]
            kind = (number, lacking, 1, self._cut(self.guesses.sums[place]))
            kinds.append((self._number(kind), self.most[place] - self._added(place, number)))
        return kinds

    def joined(self, first: int, second: int) -> tuple[int, int] | None:
        """Join two parts; returns the kind and the loss, or None if their guesses differ."""
        key = (first, second)
        if key not in self._joined:
            self._joined[key] = self._join(self.kinds[first], self.kinds[second])
        return self._joined[key]

    def _join(self, first: PartKind, second: PartKind) -> tuple[int, int] | None:
        if first[0] != second[0]:
            return None
        count = min(first[2] + second[2], self.shares.span)
        sums = self._cut(tuple([a + b for a, b in zip(first[3], second[3], strict=True)]))
        both = self.guesses.guesses[first[0]].flags & ~first[1] & ~second[1]
        lost = (first[2] + second[2] - count) * self.shares.share + self.shares.of_flags(both)
        return self._number((first[0], first[1] & second[1], count, sums)), lost

    def complete(self, kind: int) -> int | None:
        """The loss when a part becomes a row; None if it cannot be one."""
        # INVARIANT: what a part holds of the constant is at least the constant of every row that can be complete with
        # it, so the loss is never below 0.
        number, lacking, count, sums = self.kinds[kind]
        if lacking or count < self.least:
            return None
        guess = self.guesses.guesses[number]
        held = count * self.shares.share + self.shares.of_flags(guess.flags)
        return held - self.scale * guess.constants.get(sums, guess.constant)

    def _cut(self, sums: Sums) -> Sums:
        limit = self.guesses.limit
        return sums if limit is None else tuple([min(value, limit) for value in sums])


# ---- Bounds on what places can add: the constant in the worth of a row is spread over its places
# Every place has a share of the constant, as large as it can ever be, and a place that brings a flag adds the most by
# which that flag can raise the constant. A row holds the shares of its places until it is complete, for as many
# places as a row must have to be worth that much (`span`). Where flags are rare it is better to leave their part to
# the places that bring them; where they are common, to spread it over all places.


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
    from fractions import Fraction  # see above

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
