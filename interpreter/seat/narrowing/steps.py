"""One question about legal moves, and its candidate answers.

Nobody can choose from a list of 300 moves such as `house on b4 for 2 gold`. The question is therefore divided: `house
on … for …` has two open parts, and after `b4` only the moves on b4 remain.

While the moves fit on the screen, the question is which of them. Otherwise it is which action, then which value for the
open part of its label that narrows best. Where nothing fits, consecutive answers are put together in ranges, `a1 … a8`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, takewhile
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.narrowing.skeletons import (
    Skeleton,
    action_words,
    by_template,
    distinct,
    names_in,
    open_parts,
    skeleton,
)
from interpreter.seat.notation.moves import Move

Fits = Callable[[Sequence[str]], bool]
"""True if a list of these texts fits on the screen."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer: its words, the moves that remain after it, and the names of the values, such as places, in it."""

    words: str
    moves: tuple[Move, ...]
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NarrowingStep:
    """A question with its candidates.

    `asked` is what they are: whole moves, actions, or values of the open part of `label` at position `part`. `label` is
    what the labels of all moves have in common, empty if they are of several actions.
    """

    asked: Literal["move", "action", "value"]
    candidates: tuple[Candidate, ...]
    label: Skeleton = ()
    part: int | None = None

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves that are still possible."""
        return tuple(move for candidate in self.candidates for move in candidate.moves)


def step_of(moves: Sequence[Move], fits: Fits) -> NarrowingStep:
    """The next question about legal moves, of which there must be one at least."""
    templates = by_template(moves)
    label = skeleton(moves) if len(templates) == 1 else ()
    single_moves = [
        Candidate(words, (move,), move.names) for words, move in zip(distinct(moves), moves, strict=True)
    ]  # fmt: skip
    if _fit(single_moves, fits):
        return NarrowingStep("move", tuple(single_moves), label)
    if len(templates) > 1:
        actions = [Candidate(action_words(group), tuple(group)) for group in templates]
        return NarrowingStep("action", _in_ranges(actions, fits))
    by_part = {part: _values(part, groups) for part, groups in open_parts(moves).items()}
    if not by_part:
        return NarrowingStep("move", _in_ranges(single_moves, fits), label)
    part = _best(by_part, fits)
    return NarrowingStep("value", _in_ranges(by_part[part], fits), label, part)


def _best(by_part: dict[int, list[Candidate]], fits: Fits) -> int:
    """The part to ask for: the first whose values fit and leave moves that fit, else the one with most values."""
    for part, values in by_part.items():
        if _fit(values, fits) and all(fits(distinct(value.moves)) for value in values):
            return part
    return max(by_part, key=lambda part: len(by_part[part]))


def _values(part: int, groups: dict[str, list[Move]]) -> list[Candidate]:
    return [Candidate(words, tuple(moves), names_in(moves[0], part)) for words, moves in groups.items()]


def _fit(candidates: Sequence[Candidate], fits: Fits) -> bool:
    return fits([candidate.words for candidate in candidates])


def _in_ranges(candidates: Sequence[Candidate], fits: Fits) -> tuple[Candidate, ...]:
    """The candidates if they fit, else in ranges of consecutive ones; at worst two halves.

    Ranges of those that begin with the same letters, `a1 … a8`, are tried first.
    """
    if _fit(candidates, fits):
        return tuple(candidates)
    alike = tuple(_range(list(group)) for _, group in groupby(candidates, key=_first_letters))
    if len(alike) > 1 and _fit(alike, fits):
        return alike
    # INVARIANT: every candidate is in exactly one range, so no move gets lost; and several candidates make at least two
    # ranges, so each answer leaves fewer moves.
    size, ranges = 1, tuple(candidates)
    while len(ranges) > 2 and not _fit(ranges, fits):
        size += 1
        ranges = tuple(_range(candidates[first : first + size]) for first in range(0, len(candidates), size))
    return ranges


def _first_letters(candidate: Candidate) -> str:
    return "".join(takewhile(str.isalpha, candidate.words))


def _range(candidates: Sequence[Candidate]) -> Candidate:
    if len(candidates) == 1:
        return candidates[0]
    return Candidate(
        f"{candidates[0].words} … {candidates[-1].words}",
        tuple(move for candidate in candidates for move in candidate.moves),
        frozenset(name for candidate in candidates for name in candidate.names),
    )
