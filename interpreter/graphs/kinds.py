"""What must be known of a part of a row while the rest of it is still open: its kind.

A row is put together from places, part by part. Of a part one must know what was guessed when it began, the flags it
still lacks for that guess, how many places it has (as far as that matters), and the sums carried. Parts of the same
kind are equally good.

Instead of worth, *loss* is counted, so that it never shrinks and a search can be cut off by it: every place has a most
it can ever add to a total, and a choice loses what it falls short of that. The constant in the worth of a row is spread
over its places: a place's most has a `share` of it, as large as it can ever be; a part of a row holds the shares of its
places until it is complete, those of so many places as a row must have, to be worth so much (`span`). Shares are parts
of whole numbers: all is counted in units of which `scale` make one.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.graphs.guesses import Guesses
from interpreter.graphs.worth import Sums, Worth

Kind = tuple[int, int, int, Sums]  # number of the guess, flags lacking, number of places up to the span, sums carried


class Kinds:
    """The kinds of parts of rows in one component, by number.

    `most[p]` is the most place `p` can add, `total` the sum of these: rows are worth (total - their loss) / scale.
    `limit` is more than the number of kinds there can be.
    """

    def __init__(self, worth: Worth, guesses: Guesses, least: int) -> None:
        self.worth = worth
        self.least = least
        self.places = sum([1 << place for place in guesses.flags])
        self.guesses = guesses
        self._set_share()
        self.gains = {
            place: tuple(
                self.scale * sum(s * sums[place] for s, sums in zip(guess.slopes, worth.sums, strict=True))
                for guess in guesses.guesses
            )
            for place in guesses.flags
        }
        self.most = {place: self.most_with(place, -1) for place in self.gains}
        self.total = sum(self.most.values())
        self.kinds: list[Kind] = []
        self.numbers: dict[Kind, int] = {}
        self._joined: dict[tuple[int, int], tuple[int, int] | None] = {}
        self.limit = self._limit()

    def _set_share(self) -> None:
        """Find the greatest share of a constant that falls to one place, and how many places hold one."""
        limit = self.guesses.limit
        rising = sorted((sums for sums in self.guesses.sums.values()), reverse=True)
        best = Fraction(0)
        self.span = self.least
        for guess in self.guesses.guesses:
            ends = [] if limit is None else [(() if limit == 0 else (limit,), guess.constant)]
            for sums, constant in [*guess.constants.items(), *ends]:
                needed = self.least
                if len(sums) == 1:
                    needed = max(needed, _fewest([each for (each,) in rising], sums[0]))
                self.span = max(self.span, needed)
                best = max(best, Fraction(constant, needed))
        self.share, self.scale = best.numerator, best.denominator

    def _limit(self) -> int:
        flags = 0
        for guess in self.guesses.guesses:
            flags |= guess.flags
        sizes = len(self.guesses.guesses) * (self.span + 1) << flags.bit_count()
        for number in range(len(next(iter(self.guesses.sums.values())))):
            each = [sums[number] for sums in self.guesses.sums.values()]
            sizes *= sum(abs(value) for value in each) + 1
        return sizes

    def _possible(self, place: int) -> list[int]:
        """The guesses a row with this place may be begun with."""
        flags = self.guesses.flags[place]
        return [number for number, guess in enumerate(self.guesses.guesses) if not flags & ~guess.flags]

    def most_with(self, place: int, flags: int) -> int:
        """The most this place can add if its row can have these flags at most."""
        guesses = self.guesses.guesses
        possible = [number for number in self._possible(place) if not guesses[number].flags & ~flags]
        return max([0, *(self.gains[place][number] + self.share for number in possible)])

    def _number(self, kind: Kind) -> int:
        number = self.numbers.get(kind)
        if number is None:
            number = self.numbers[kind] = len(self.kinds)
            self.kinds.append(kind)
        return number

    def alone(self, place: int) -> list[tuple[int, int]]:
        """The kinds of part this place can be by itself, each with what is lost."""
        found = []
        for number in self._possible(place):
            lacking = self.guesses.guesses[number].flags & ~self.guesses.flags[place]
            kind = (number, lacking, 1, self._cut(self.guesses.sums[place]))
            found.append((self._number(kind), self.most[place] - self.gains[place][number] - self.share))
        return found

    def joined(self, one: int, other: int) -> tuple[int, int] | None:
        """The kind of two parts made one, and what is lost; None if they were guessed to be different."""
        key = (one, other)
        if key not in self._joined:
            self._joined[key] = self._join(self.kinds[one], self.kinds[other])
        return self._joined[key]

    def _join(self, one: Kind, other: Kind) -> tuple[int, int] | None:
        if one[0] != other[0]:
            return None
        count = min(one[2] + other[2], self.span)
        sums = self._cut(tuple([a + b for a, b in zip(one[3], other[3], strict=True)]))
        lost = (one[2] + other[2] - count) * self.share
        return self._number((one[0], one[1] & other[1], count, sums)), lost

    def complete(self, kind: int) -> int | None:
        """What is lost when a part becomes a row; None if it cannot be one."""
        number, lacking, count, sums = self.kinds[kind]
        if lacking or count < self.least:
            return None
        guess = self.guesses.guesses[number]
        return count * self.share - self.scale * guess.constants.get(sums, guess.constant)

    def _cut(self, sums: Sums) -> Sums:
        limit = self.guesses.limit
        return sums if limit is None else tuple([min(value, limit) for value in sums])


def _fewest(falling: list[int], total: int) -> int:
    """How many of these one needs at least for this sum."""
    count = 0
    for value in falling:
        if total <= 0 or value <= 0:
            break
        total -= value
        count += 1
    return count
