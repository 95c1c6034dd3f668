"""Straight lines over some places to some others: which places see these over them, and what lies between.

For example, with own stones as `ends` and the opponent's as `over`, `seen_over` is where a stone may be placed that
encloses some of them, and `enclosed` is what it encloses.
"""

from __future__ import annotations

from collections.abc import Sequence

Ways = Sequence[tuple[int, int]]
"""For each direction and its opposite how far a step goes, and the places to and from which there is one."""

Rays = tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]
"""The rays of one place with two places or more, upwards and downwards, each as a set with its first place."""


def seen_over(ways: Ways, ends: int, over: int) -> int:
    """The places from which a straight line leads to one of `ends`, over one or more places, all of `over`."""
    # All places at once: a set shifted by the step of a direction is the set of the next places in that direction.
    # Masking with `reachable` prevents a line from running off one edge of the board and on at the opposite one.
    places = 0
    for step, reachable in ways:
        free = over & reachable
        new = ends << step & free
        while new:
            new <<= step
            places |= new
            new &= free
        new = ends >> step & free
        while new:
            new >>= step
            places |= new
            new &= free
    return places


def enclosed(rays: Sequence[Rays], place: int, ends: int, over: int) -> int:
    """The places on all straight lines from one place to one of `ends`, over one or more places, all of `over`."""
    if ends & over:
        return _farthest(rays[place], ends, over)
    upwards, downwards = rays[place]
    places = 0
    for ray, first in upwards:
        if first & over:
            stop = ray & ~over
            stop &= -stop
            if stop & ends:
                places |= ray & stop - 1
    for ray, first in downwards:
        if first & over:
            stop = ray & ~over
            if stop:
                stop = 1 << stop.bit_length() - 1
                if stop & ends:
                    places |= ray & -(stop << 1)
    return places


def _farthest(rays: Rays, ends: int, over: int) -> int:
    """The same where lines may go on over their ends."""
    upwards, downwards = rays
    places = 0
    for ray, first in upwards:
        stop = ray & ~over
        end = ray & ends & ((stop & -stop) * 2 - 1) & ~first
        if end:
            places |= ray & (1 << end.bit_length() - 1) - 1
    for ray, first in downwards:
        stop = ray & ~over
        end = ray & ends & (-1 << stop.bit_length() - 1 if stop else -1) & ~first
        if end:
            places |= ray & -((end & -end) << 1)
    return places
