"""The common part of the labels of several moves: `house on … for 2 …`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from interpreter.seat.notation.moves import Move
from interpreter.seat.notation.words import Placeholder

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
