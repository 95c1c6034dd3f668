"""Which word was probably meant by one that is misspelt."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, candidates: Iterable[str], most: int = 4, cutoff: float = 0.6) -> list[str]:
    """The candidates that are written almost like a word, the nearest first.

    One that differs only in capitals is meant for sure; one with two letters in turn is always near enough.
    """
    known = sorted(set(candidates))
    same = [candidate for candidate in known if candidate.lower() == word.lower() and candidate != word]
    if same:
        return same[:most]
    turned = [candidate for candidate in known if is_turned(word, candidate)]
    near = get_close_matches(word, known, n=most, cutoff=cutoff)
    return list(dict.fromkeys([*turned, *near]))[:most]


def is_turned(word: str, other: str) -> bool:
    """Whether two words differ by two neighbouring letters in turn."""
    differing = [place for place, (a, b) in enumerate(zip(word, other, strict=False)) if a != b]
    if len(word) != len(other) or len(differing) != 2 or differing[1] != differing[0] + 1:
        return False
    first, second = differing
    return word[first] == other[second] and word[second] == other[first]
