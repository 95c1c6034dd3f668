"""Guesses made when a row begins, so that its worth can be computed place by place.

For example, a row is worth 2 for each place, and 5 more if it has a harbour. Nobody knows what its first place adds
until it is known whether a harbour comes later. Two guesses solve this: "with a harbour" (2 for each place, constant 5)
and "without" (2 for each place, constant 0); a row whose guess turns out wrong is dropped.

If the flags of a complete row are known and its worth is affine in the sums, every place simply adds its share.
Therefore flags are guessed, and sums are carried only as far as the worth is not affine: a single sum up to the point
from which on it is (a table that ends in a straight line), several sums either not at all or exactly.

The form of the worth is found by sampling, since `value` is any function. Flags that make no difference are not guessed
(`_significant`): each of them would double the number of guesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from dsl.lazy_dataclasses import dataclass
from interpreter.errors import PlayError
from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.objective import Objective, Sums

MAX_SAMPLES = 1 << 16  # maximum number of values of a worth that are sampled to find its form

Span = tuple[int, int]  # least and greatest value of a sum


@dataclass(frozen=True)
class Guess:
    """The worth of a row with exactly these flags: `slopes` times its sums, plus a constant.

    `constants` maps the sums carried to their constant; sums that are missing, or all if none are carried, have
    `constant`.
    """

    flags: int
    slopes: Sums
    constant: int
    constants: dict[Sums, int]


@dataclass(frozen=True)
class Guesses:
    """All guesses for the rows of one component.

    `flags[p]` are the flags place `p` brings, `sums[p]` what it adds to the sums carried. A carried sum is capped at
    `limit`, as larger values are equivalent; None: it is carried exactly. No row is worth less than `lowest`.
    """

    guesses: tuple[Guess, ...]
    flags: dict[int, int]
    sums: dict[int, Sums]
    limit: int | None
    lowest: int

    @property
    def key(self) -> tuple[object, ...]:
        """All fields as a key."""
        guesses = [(guess.flags, guess.slopes, guess.constant, *guess.constants.items()) for guess in self.guesses]
        return (*guesses, *self.flags.items(), *self.sums.items(), self.limit)


def guesses_for(worth: Objective, places: int, least: int) -> Guesses | None:
    """Enumerate the guesses for rows of `least` or more of `places`; None if the frontier search cannot handle `worth`.

    The worth is sampled with sums and flags that no row may have together. If it has no value there, the
    search cannot handle it either.
    """
    try:
        return _guesses(worth, places, least)
    except (PlayError, ArithmeticError, LookupError):
        return None


def _guesses(worth: Objective, places: int, least: int) -> Guesses | None:
    inside = bits(places)
    spans = [_span([sums[place] for place in inside], least) for sums in worth.sums]
    samples = 1
    for low, high in spans:
        samples *= high - low + 1
    open_flags = [flag for flag, mask in enumerate(worth.masks) if mask & places and places & ~mask]
    samples <<= len(open_flags)
    if samples > MAX_SAMPLES and not worth.affine:
        return None
    # A flag that all places of the component bring, or none, has one value in every row: only the others are guessed.
    values = {chosen: _Values(worth, places, chosen) for chosen in _subsets(open_flags)}
    corner = tuple([low for low, _ in spans])
    slopes = {chosen: tuple(_slopes(value, spans, corner)) for chosen, value in values.items()}
    limit: int | None = 0
    if not worth.affine and not all(_straight(values[chosen], spans, corner, slopes[chosen]) for chosen in values):
        limit = None
        if len(spans) == 1 and min(worth.sums[0][place] for place in inside) >= 0:
            limit, tail = _tail(list(values.values()), spans[0])
            slopes = dict(zip(values, tail, strict=True))
        if limit is None:
            slopes = dict.fromkeys(values, (0,) * len(spans))
    built = [_guess(value, chosen, slopes[chosen], spans, limit) for chosen, value in values.items()]
    by_flags = {guess.flags: guess for guess, _ in built}
    needed = _significant(by_flags, open_flags)
    carried = {place: tuple([sums[place] for sums in worth.sums]) if limit != 0 else () for place in inside}
    brings = {place: sum(1 << flag for flag in needed if worth.masks[flag] >> place & 1) for place in inside}
    guesses = tuple([by_flags[chosen] for chosen in _subsets(needed)])
    return Guesses(guesses, brings, carried, limit, min(lowest for _, lowest in built))


class _Values:
    """The worth as a function of the sums, for given flags; flags of no row, or of every row, are fixed."""

    def __init__(self, worth: Objective, places: int, chosen: int) -> None:
        self.value = worth.value
        self.flags = tuple([bool(chosen >> flag & 1) or not places & ~mask for flag, mask in enumerate(worth.masks)])

    def __call__(self, sums: Sums) -> int:
        return self.value(sums, self.flags)


def _guess(value: _Values, flags: int, slopes: Sums, spans: Sequence[Span], limit: int | None) -> tuple[Guess, int]:
    """Build the guess, with a lower bound of the worth of its rows."""
    box = [] if limit == 0 else list(product(*[range(low, high + 1) for low, high in spans]))
    carried = [sums for sums in box if limit is None or sums[0] < limit]
    constants = {sums: value(sums) - _times(slopes, sums) for sums in carried}
    lowest = [value(sums) for sums in carried]
    constant = 0
    if limit is not None:
        straight = [(max(low, limit) if limit else low, high) for low, high in spans]
        end = tuple([high for _, high in straight])
        constant = value(end) - _times(slopes, end)
        lowest.append(constant + sum([min(s * low, s * high) for s, (low, high) in zip(slopes, straight, strict=True)]))
    return Guess(flags, slopes, constant, constants), min(lowest)


def _span(addends: Sequence[int], least: int) -> Span:
    """The least and the greatest sum over at least `least` of these values."""
    rising = sorted(addends)
    low = sum(rising[:least]) + sum(value for value in rising[least:] if value < 0)
    falling = rising[::-1]
    high = sum(falling[:least]) + sum(value for value in falling[least:] if value > 0)
    return low, high


def _subsets(flags: Sequence[int]) -> list[int]:
    return [
        sum(1 << flag for flag, yes in zip(flags, chosen, strict=True) if yes)
        for chosen in product((0, 1), repeat=len(flags))
    ]


def _slopes(value: _Values, spans: Sequence[Span], corner: Sums) -> list[int]:
    """The increase in worth for one more of each sum, at the corner."""
    at_corner = value(corner)
    steps = []
    for number, (low, high) in enumerate(spans):
        more = (*corner[:number], low + 1, *corner[number + 1 :])
        steps.append(value(more) - at_corner if high > low else 0)
    return steps


def _straight(value: _Values, spans: Sequence[Span], corner: Sums, slopes: Sums) -> bool:
    """True if the worth is affine in the sums."""
    constant = value(corner) - _times(slopes, corner)
    box = product(*[range(low, high + 1) for low, high in spans])
    return all(value(sums) == constant + _times(slopes, sums) for sums in box)


def _tail(values: Sequence[_Values], span: Span) -> tuple[int | None, list[Sums]]:
    """The sum from which on all of these are straight lines, with their slopes from there on; None if there is none."""
    low, high = span
    slopes = [value((high,)) - value((high - 1,)) for value in values]
    limit = high - 1
    while limit > low and all(
        value((limit,)) - value((limit - 1,)) == slope for value, slope in zip(values, slopes, strict=True)
    ):
        limit -= 1
    return (limit if limit < high - 1 else None), [(slope,) for slope in slopes]


def _times(slopes: Sums, sums: Sums) -> int:
    return sum([slope * value for slope, value in zip(slopes, sums, strict=True)])


def _significant(by_flags: dict[int, Guess], flags: list[int]) -> list[int]:
    """The flags that make a difference to the worth."""

    def differs(flag: int) -> bool:
        pairs = [(guess, by_flags[flags ^ 1 << flag]) for flags, guess in by_flags.items()]
        return any(
            (guess.slopes, guess.constant, guess.constants) != (flipped.slopes, flipped.constant, flipped.constants)
            for guess, flipped in pairs
        )

    return [flag for flag in flags if differs(flag)]
