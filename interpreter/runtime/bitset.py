"""Bit sets: whole numbers in which bit i stands for member i."""

from __future__ import annotations

from operator import index


def bits(mask: int) -> list[int]:
    """The members of a set, lowest first."""
    mask = index(mask)  # a set whose reading is recorded is read once
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members
