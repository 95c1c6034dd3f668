"""Legal moves narrowed step by step: first the action, then what is open in its label, one question at a time.

Everything here follows from the legal moves and their words alone, which the seat that decides knows; nothing depends
on what is hidden from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, takewhile, zip_longest
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.notation.moves import Move
from interpreter.seat.notation.reading import begins, words_in
from interpreter.seat.notation.words import Placeholder


@dataclass(frozen=True)
class Narrowing:
    """The moves that remain after `answers`, which are in words; `before` is without the last of them.

    `in_doubt`: the last answer may have meant something else than the only move that remains, which is asked for.
    """

    moves: tuple[Move, ...]
    answers: tuple[str, ...] = ()
    before: Narrowing | None = None
    in_doubt: bool = False

    @property
    def move(self) -> Move | None:
        """The move, once only one remains and no doubt."""
        return self.moves[0] if len(self.moves) == 1 and not self.in_doubt else None

    def step(self, fits: Fits) -> NarrowingStep:
        """The next question."""
        return step_of(self.moves, fits)

    def answer(self, candidate: Candidate) -> Narrowing:
        """Narrow to the moves of a candidate."""
        return Narrowing(candidate.moves, (*self.answers, candidate.words), self)

    def about(self, name: str, words: str) -> Narrowing | None:
        """Narrow to the moves about a value, such as a place of the board, called so; None if there are none."""
        return self.to([move for move in self.moves if name in move.names], words)

    def filtered(self, text: str) -> Narrowing | None:
        """Narrow to the moves that match some words; None if there are none."""
        return self.to(matching(self.moves, text), text.strip())

    def to(self, moves: Sequence[Move], words: str) -> Narrowing | None:
        """Narrow to some moves, with `words` as the answer that led there; None if there are none."""
        return Narrowing(tuple(moves), (*self.answers, words), self) if moves else None


# ------------------------------------------------------------ finding moves by words from them: `b4`, `green f10`


def matching(moves: Sequence[Move], text: str) -> list[Move]:
    """The moves in whose label or notation every word of a text begins some word.

    Of these only the moves that have most of the words as they are: `f1` is not `f10`, and `lay a` is about the place
    A and not about what is laid `at` another one. A text without words matches nothing.
    """
    typed = words_in(text)
    if not typed:
        return []
    words = {move: _words_of(move) for move in moves}
    matches = [move for move in moves if all(_begins(word, words[move]) for word in typed)]
    exact_words = {move: sum(word in words[move] for word in typed) for move in matches}
    most = max(exact_words.values(), default=0)
    return [move for move in matches if exact_words[move] == most]


def whole_matches(moves: Sequence[Move], text: str) -> list[Move]:
    """The moves that have every word of a text as it is; none for a text without words."""
    typed = words_in(text)
    return [move for move in moves if typed and _words_of(move).issuperset(typed)]


def completed(moves: Sequence[Move], text: str) -> str:
    """A text whose last word is completed as far as the matching moves agree on how it goes on."""
    head, last = re.fullmatch(r"(.*?)([^\W_]*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    if not last:
        return text
    beginning = last.casefold()
    among = matching(moves, head) if words_in(head) else list(moves)
    options = {word for move in among for word in _words_of(move) if word.startswith(beginning)}
    if not options:
        return text
    least, most = min(options), max(options)
    agreed = next((at for at, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))
    return head + last + least[len(beginning) : agreed] + " " * (len(options) == 1)


def _words_of(move: Move) -> frozenset[str]:
    return frozenset(words_in(f"{move.label} {move.notation}"))


def _begins(beginning: str, words: frozenset[str]) -> bool:
    return any(begins(beginning, word) for word in words)


# ---- The common part of the labels of several moves: `house on … for 2 …`


OPEN = "…"
"""Replaces a part that differs from move to move."""

Template = tuple[str | None, ...]
"""A label as the rules write it, with None for each `{...}`."""

Skeleton = tuple[str | None, ...]
"""The parts of a label in words; None for a part that differs from move to move."""


def template_of(move: Move) -> Template:
    """The label of a move as the rules write it."""
    return tuple(part if isinstance(part, str) else None for part in move.parts)


def by_template(moves: Iterable[Move]) -> list[list[Move]]:
    """Moves grouped by action and template, in the order of the first of each."""
    groups: dict[tuple[str, Template], list[Move]] = {}
    for move in moves:
        groups.setdefault((move.name, template_of(move)), []).append(move)
    return list(groups.values())


def skeleton(moves: Sequence[Move]) -> Skeleton:
    """The common part of the labels of moves with one template; that of a single move is its label."""
    columns = zip(*(map(str, move.parts) for move in moves), strict=True)
    return tuple(column[0] if len(set(column)) == 1 else None for column in columns)


def words_of(parts: Skeleton) -> str:
    """A skeleton in words."""
    return "".join(OPEN if part is None else part for part in parts)


def action_words(moves: Sequence[Move]) -> str:
    """Moves of one template in words; where their labels have no words in common, with the name of the action."""
    words = words_of(skeleton(moves))
    named = len(moves) == 1 or any(character.isalnum() for character in words)
    return words if named else f"{moves[0].name.replace('_', ' ')} {words}"


def open_parts(moves: Sequence[Move]) -> dict[int, dict[str, list[Move]]]:
    """The parts in which moves of one template differ, by their position; each with its words and their moves."""
    moves_by_part: dict[int, dict[str, list[Move]]] = {}
    for position, words in enumerate(skeleton(moves)):
        if words is None:
            by_words = moves_by_part.setdefault(position, {})
            for move in moves:
                by_words.setdefault(str(move.parts[position]), []).append(move)
    return moves_by_part


def names_in(move: Move, position: int) -> frozenset[str]:
    """The names of the values, such as places, that a part of a label stands for."""
    part = move.parts[position]
    return frozenset(part.names) if isinstance(part, Placeholder) else frozenset()


def distinct(moves: Sequence[Move]) -> list[str]:
    """The labels of moves, with the notation after those that others have as well."""
    labels = [move.label for move in moves]
    repeated = {label for label, following in zip_longest(sorted(labels), sorted(labels)[1:]) if label == following}
    return [f"{move.label} ({move.notation})" if move.label in repeated else move.label for move in moves]


# ------------------------------------------------------------ one question about legal moves, and its candidate answers
# Nobody can choose from a list of 300 moves such as `house on b4 for 2 gold`. The question is therefore divided:
# `house on … for …` has two open parts, and after `b4` only the moves on b4 remain.
#
# While the moves fit on the screen, the question is which of them. Otherwise it is which action, then which value for
# the open part of its label that narrows best. Where nothing fits, consecutive answers are put together in ranges,
# `a1 … a8`.


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

    @property
    def telling(self) -> frozenset[str]:
        """The names of the candidates; if there are several, without the names that all of them share."""
        names = [candidate.names for candidate in self.candidates]
        common = frozenset.intersection(*names) if len(names) > 1 else frozenset()
        return frozenset().union(*names) - common


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
