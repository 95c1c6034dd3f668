"""Bit sets: whole numbers in which bit i stands for member i."""

from __future__ import annotations


def bits(mask: int) -> list[int]:
    """The members of a set, lowest first."""
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members
