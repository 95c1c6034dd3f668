"""Suggestions for misspelt words."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from itertools import takewhile


def nearest(word: str, candidates: Iterable[str], most: int = 4, cutoff: float = 0.6) -> list[str]:
    """Candidates spelled similarly to a word, closest first.

    Those that differ only in capitals exclude all others; one with two adjacent letters swapped is always close
    enough. Of equally close ones, the one with the longer common prefix comes first.
    """
    words = sorted(set(candidates))
    same = [candidate for candidate in words if candidate.lower() == word.lower() and candidate != word]
    if same:
        return same[:most]
    transposed = [candidate for candidate in words if is_transposed(word, candidate)]
    near = get_close_matches(word, words, n=len(words) or 1, cutoff=cutoff)
    near.sort(key=lambda candidate: (-SequenceMatcher(None, candidate, word).ratio(), -_same_start(word, candidate)))
    return list(dict.fromkeys([*transposed, *near]))[:most]


def _same_start(word: str, compared: str) -> int:
    """Length of the common prefix of both words."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, compared, strict=False)))


def is_transposed(word: str, compared: str) -> bool:
    """True if two words differ only in two adjacent letters being swapped."""
    differing = [index for index, (a, b) in enumerate(zip(word, compared, strict=False)) if a != b]
    if len(word) != len(compared) or len(differing) != 2 or differing[1] != differing[0] + 1:
        return False
    first, second = differing
    return word[first] == compared[second] and word[second] == compared[first]
