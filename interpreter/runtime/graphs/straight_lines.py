"""Straight lines over some places to some others: which places see these so, and what lies between."""

from __future__ import annotations

from collections.abc import Sequence

Ways = Sequence[tuple[int, int]]
"""For each direction and its opposite how far a step goes, and the places to and from which there is one."""

Rays = tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]
"""The rays of one place with two places or more, upwards and downwards, each as a set with its first place."""


def seen_over(ways: Ways, ends: int, over: int) -> int:
    """The places from which a straight line leads to one of `ends`, over one or more places, all of `over`."""
    found = 0
    for step, inner in ways:
        free = over & inner
        new = ends << step & free
        while new:
            new <<= step
            found |= new
            new &= free
        new = ends >> step & free
        while new:
            new >>= step
            found |= new
            new &= free
    return found


def enclosed(rays: Sequence[Rays], place: int, ends: int, over: int) -> int:
    """The places on all straight lines from one place to one of `ends`, over one or more places, all of `over`."""
    if ends & over:
        return _farthest(rays[place], ends, over)
    upwards, downwards = rays[place]
    found = 0
    for ray, first in upwards:
        if first & over:
            stop = ray & ~over
            stop &= -stop
            if stop & ends:
                found |= ray & stop - 1
    for ray, first in downwards:
        if first & over:
            stop = ray & ~over
            if stop:
                stop = 1 << stop.bit_length() - 1
                if stop & ends:
                    found |= ray & -(stop << 1)
    return found


def _farthest(rays: Rays, ends: int, over: int) -> int:
    """The same where lines may go on over their ends."""
    upwards, downwards = rays
    found = 0
    for ray, first in upwards:
        stop = ray & ~over
        end = ray & ends & ((stop & -stop) * 2 - 1) & ~first
        if end:
            found |= ray & (1 << end.bit_length() - 1) - 1
    for ray, first in downwards:
        stop = ray & ~over
        end = ray & ends & (-1 << stop.bit_length() - 1 if stop else -1) & ~first
        if end:
            found |= ray & -((end & -end) << 1)
    return found
