"""Saves of format version 1, as the present version would have written them.

The seed of a save had another meaning there: the chance of one seed was that of the seed before it, without the first
draw. A game that was begun so goes on with the same chance and the same bots. Its seed stays, as bots choose by it; its
chance follows from another seed, named in the save since version 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.runtime.chance import CHANCE_OFFSET, GOLDEN, MASK, SEED_MULTIPLIER

EARLIER_VERSION = 1


def upgraded(document: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the document of a save of the earlier version, unchecked as it is, to the present one."""
    seed = document.get("seed")
    chance = {"chance_seed": chance_seed(seed)} if isinstance(seed, int) else {}
    return {**document, "format_version": 2, **chance}


def chance_seed(seed: int) -> int:
    """The seed that now has the chance that `seed` had in version 1.

    The first state of the generator was `seed * GOLDEN + 0x632BE59BD9B4E019`. All arithmetic is modulo 2^64, where an
    odd multiplier has an inverse, so exactly one seed leads to that state now.
    """
    first = seed * GOLDEN + 0x632BE59BD9B4E019
    return (first - CHANCE_OFFSET) * pow(SEED_MULTIPLIER, -1, MASK + 1) & MASK
