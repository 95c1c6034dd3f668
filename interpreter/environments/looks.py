"""How pieces can look to a seat where they lie: the columns in which observations count them.

A *look* is the type of a piece with those of its attributes that a seat sees. Which attributes are seen together in a
zone follows from its `seen by`: where that reads nothing but the place, from the places and seats of the game;
elsewhere every combination of what it tells apart is possible. That all is revealed when a game is over is left out: it
would make most tensors many times as large for positions in which nothing is decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.types import PieceType
from interpreter.engine.program import Program
from interpreter.engine.sight import SPECTATOR, known_attributes
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import OUT, Layout, PieceInfo

Seen = frozenset[str]
"""The attributes that are seen of a piece."""

UNSEEN = "?"
"""Stands for what is not seen, in the names of columns."""


@dataclass(frozen=True, eq=False)
class Looks:
    """The looks of pieces in a zone: their names, and the number of each by kind and attributes seen."""

    names: tuple[str, ...]
    numbers: dict[tuple[int, Seen], int]

    def number(self, piece: PieceInfo, seen: Seen) -> int:
        """The number of the look of a piece of which some attributes are seen."""
        return self.numbers[piece.kind, seen]


def looks_in(program: Program, zone: str) -> Looks:
    """The looks of all pieces that a zone can hold."""
    names: dict[tuple[str, object], int] = {}
    words: list[str] = []
    numbers: dict[tuple[int, Seen], int] = {}
    for type_ in held_in(program.layout, zone):
        for seen in seen_together(program, zone, type_):
            for piece in kinds_of_type(program, type_):
                values = tuple([(name, value) for name, value in piece.attributes.items() if name in seen])
                key = type_, values
                if key not in names:
                    names[key] = len(names)
                    words.append(look_name(program, piece, seen))
                numbers[piece.kind, seen] = names[key]
    return Looks(tuple(told_apart(words, [type_ for type_, _ in names])), numbers)


def told_apart(words: Sequence[str], types: Sequence[str]) -> list[str]:
    """The names of looks by their words, with the types of the pieces where the words of several are the same."""
    counts = Counter(words)
    return [f"{word} {type_}" if counts[word] > 1 else word for word, type_ in zip(words, types, strict=True)]


def numbered(names: Sequence[str]) -> list[str]:
    """Names of which those that repeat an earlier one have a number: `send`, `send (2)`."""
    counts = Counter[str]()
    numbered_names = []
    for name in names:
        counts[name] += 1
        numbered_names.append(f"{name} ({counts[name]})" if counts[name] > 1 else name)
    return numbered_names


def look_name(program: Program, piece: PieceInfo, seen: Seen) -> str:
    """A look in the words of the rules: `red king`, `red ?`, `Card ?`."""
    if not piece.attributes:
        return piece.type
    known = program.layout.piece_words(piece.number, seen) if seen else piece.type
    return known if len(seen) == len(piece.attributes) else f"{known} {UNSEEN}"


def held_in(layout: Layout, zone: str) -> list[str]:
    """The types of the pieces that a zone can hold, of which this game has some, in declared order."""
    held = {node.name for node in layout.model.zones[zone].declaration.holds}
    ranges = layout.piece_range
    return [type_ for type_ in ranges if type_ in held and ranges[type_][0] < ranges[type_][1]]


def kinds_of_type(program: Program, type_: str) -> list[PieceInfo]:
    """The first piece of each kind of a type."""
    pieces = program.layout.pieces[slice(*program.layout.piece_range[type_])]
    return [piece for piece in pieces if piece.kind == piece.number]


def seen_together(program: Program, zone: str, type_: str) -> list[Seen]:
    """The sets of attributes that can be seen of pieces of a type in a zone, the largest first."""
    attributes = list(program.model.pieces[type_].attributes)
    if zone in program.zones_of_fixed_visibility:
        first = program.layout.piece_range[type_][0]
        opening = Cells(program.initial)
        seats = (SPECTATOR, *range(len(program.layout.seats)))
        places = [place.number for place in program.layout.places if place.number != OUT and place.zone == zone]
        seen = [known_attributes(program, opening, seat, first, place) for place in places for seat in seats]
        return sorted(dict.fromkeys(seen), key=len, reverse=True)
    sights = sights_of(program.model, zone, attributes)
    distinct = [sight for sight in dict.fromkeys(sights) if sight is not None]
    combined = [
        frozenset(name for name, sight in zip(attributes, sights, strict=True) if sight is None or sight in visible)
        for number in range(len(distinct), -1, -1)
        for visible in combinations(distinct, number)
    ]
    return list(dict.fromkeys(combined))


def sights_of(model: Model, zone: str, attributes: Sequence[str]) -> list[int | None]:
    """The number of the `seen by` of a zone that says who sees an attribute; None for one that all see."""
    sights = model.zones[zone].declaration.sights
    own = {sight.attribute: number for number, sight in enumerate(sights)}
    return [own.get(name, own.get(None)) for name in attributes]


# ---------------------------------------------------------------- where pieces lie, with their looks


class Locations:
    """A column for each place and each look there. The places that belong to pieces count by their zone."""

    def __init__(self, program: Program) -> None:
        layout, zones = program.layout, program.model.zones
        self.looks = {zone: looks_in(program, zone) for zone in zones}
        self.first: dict[int, int] = {}
        first_of_zone: dict[str, int] = {}
        self.size = 0
        self._parts: list[tuple[str, tuple[str, ...]]] = []
        for place in layout.places[1:]:
            about_pieces = any(isinstance(type_, PieceType) for type_ in zones[place.zone].index)
            if about_pieces and place.zone in first_of_zone:
                self.first[place.number] = first_of_zone[place.zone]
                continue
            self.first[place.number] = first_of_zone[place.zone] = self.size
            names = self.looks[place.zone].names
            self._parts.append((place.zone if about_pieces else layout.place_name(place.number), names))
            self.size += len(names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all columns: `hand[red]: red king`."""
        return tuple(f"{place}: {look}" for place, looks in self._parts for look in looks)
