"""What touches what on a board: edges and their ends, faces and what lies round them, groups and their members."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from dsl.board.model import Board, Entry


class Incidence:
    """The places of a board with one of each list of alternatives: `chosen` maps such a list to the id of the one."""

    def __init__(self, board: Board, chosen: Mapping[str, str]) -> None:
        self.board, self.chosen = board, chosen

    def _there(self, entry: Entry) -> bool:
        """Whether an entry lies in no alternative, or in the one chosen."""
        outermost = entry.path[0]
        return (
            not entry.parents
            or outermost not in self.board.alternatives
            or self.chosen.get(outermost) == entry.parents[0]
        )

    @cached_property
    def places(self) -> dict[str, Entry]:
        """The places by id, in the order of the file."""
        return {entry.id: entry for entry in self.board.walk() if self._there(entry)}

    @cached_property
    def _mentioned(self) -> dict[str, dict[str, None]]:
        return {name: dict.fromkeys(self._mentions(entry)) for name, entry in self.places.items()}

    def _mentions(self, entry: Entry) -> list[str]:
        """The ids an entry names: its ends, its edges with the corners between them, and those in its own fields."""
        found = [*entry.ends, *entry.edges]
        for edge in entry.edges:
            if edge in self.places:
                found += self.places[edge].ends
        for value in entry.fields.values():
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, tuple):
                found += map(str, value)
        return found

    @cached_property
    def _mentioning(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, mentioned in self._mentioned.items():
            for other in mentioned:
                found.setdefault(other, []).append(name)
        return found

    def touching(self, name: str, among: Collection[str]) -> list[str]:
        """The places among these that the place mentions; if there are none, those that mention it. In their order."""
        mentioned = [other for other in self._mentioned.get(name, ()) if other in among]
        found = mentioned or [other for other in self._mentioning.get(name, ()) if other in among]
        return sorted(found, key=self._order.__getitem__)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.places)}
