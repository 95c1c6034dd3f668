"""Groups of places, such as the regions printed on a board, each with a tint: a word such as `red`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.board_shape import Key, Place, Shape
from interpreter.seat.views.colours import COLOURS, OTHER_COLOURS
from interpreter.wording.words import Words

MAX_TINTED_GROUPS = 12
"""Sets of more groups than this get no tints: their colours would be too similar."""


@dataclass(frozen=True)
class Grouping:
    """The attribute by which the places of a list are tinted, and the tint of each of its values."""

    name: str
    tints: Mapping[str, str]


class Groups:
    """The tints of the places of a board.

    A place is tinted by the first of its attributes that divides its list into a few groups; without such an attribute
    it has the tint of the place it lies in. A group named after a colour has that colour.
    """

    def __init__(self, shape: Shape) -> None:
        self.places = shape.places
        by_list: dict[str, list[Place]] = {}
        for place in shape.places.values():
            by_list.setdefault(place.key[0], []).append(place)
        self.grouping = {name: grouping for name, places in by_list.items() if (grouping := _grouping(places))}
        self.values: dict[str, dict[str, set[str]]] = {}
        for place in shape.places.values():
            for name, word in place.traits.items():
                self.values.setdefault(place.key[0], {}).setdefault(name, set()).add(word)
        self.innermost = {name: _distinct(place.within[-1:] for place in places) for name, places in by_list.items()}
        regions = {
            word: tint
            for groups in self.grouping.values()
            for word, tint in groups.tints.items()
            if any(word == place.key[1] for place in shape.places.values())
        }
        self.tints = {key: self._tint(place) or regions.get(key[1], "") for key, place in shape.places.items()}

    def tint(self, key: Key) -> str:
        """The tint of a place as a word; empty if it is in no group."""
        return self.tints[key]

    def named(self, place: Place, words: Words) -> str:
        """The names of the attributes of a place that the legend shows, as a heading."""
        return ", ".join(map(words.heading, self._legible(place)))

    def traits(self, place: Place, words: Words) -> list[str]:
        """The attributes of a place that the legend shows."""
        return [words.heading(place.traits[name]) for name in self._legible(place) if name in place.traits]

    def _legible(self, place: Place) -> list[str]:
        """The attributes with few values among the places in the same list."""
        return [name for name, words in self.values.get(place.key[0], {}).items() if len(words) <= MAX_TINTED_GROUPS]

    def _tint(self, place: Place) -> str:
        grouping = self.grouping.get(place.key[0])
        if grouping is not None:
            return grouping.tints[place.traits[grouping.name]]
        for around in reversed(place.within):
            for key in self._named(around):
                if key[0] in self.grouping:
                    return self._tint(self.places[key])
        groups = self.innermost[place.key[0]]
        return tints_of(groups)[place.within[-1]] if place.within and 1 < len(groups) <= MAX_TINTED_GROUPS else ""

    def _named(self, name: str) -> Iterable[Key]:
        return (key for key in self.places if key[1] == name)


@lru_cache(maxsize=16)
def groups_of(shape: Shape) -> Groups:
    """The groups of a board, computed once."""
    return Groups(shape)


def _grouping(places: list[Place]) -> Grouping | None:
    """The first attribute that divides all places of a list into a few groups."""
    for name in places[0].traits:
        if all(name in place.traits for place in places):
            words = tuple(dict.fromkeys(place.traits[name] for place in places))
            if 1 < len(words) <= min(MAX_TINTED_GROUPS, len(places) - 1):
                return Grouping(name, tints_of(words))
    return None


def tints_of(words: Iterable[str]) -> dict[str, str]:
    """A colour for each of several words: one that means a colour has it."""
    return {
        word: word if word in COLOURS else OTHER_COLOURS[number % len(OTHER_COLOURS)]
        for number, word in enumerate(words)
    }


def _distinct(within: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for words in within for word in words))
