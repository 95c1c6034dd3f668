"""Incidence on a board: edges and their ends, faces and their surroundings, groups and their members."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from dsl.boards.model import Board, Entry


class Incidence:
    """Incidence on a board with one alternative of each list; `chosen` maps such a list to the id chosen from it.

    Generated places have no faces, so they need no board.
    """

    def __init__(self, board: Board | None, chosen: Mapping[str, str]) -> None:
        self.board, self.chosen = board, chosen
        self._known: dict[Entry, dict[str, None]] = {}

    def touching(self, entry: Entry, among: Mapping[str, Entry]) -> list[str]:
        """Ids of the places in `among` that the entry mentions; if there are none, of those that mention it.

        They are in the order of `among`.
        """
        mentioned = self._mentions(entry)
        found = [name for name in among if name in mentioned]
        return found or [name for name, other in among.items() if entry.id in self._mentions(other)]

    def _mentions(self, entry: Entry) -> dict[str, None]:
        """Ids an entry refers to: its ends, its edges with the corners between them, and those in its own fields."""
        if entry not in self._known:
            found = [*entry.ends, *entry.edges]
            for edge in entry.edges:
                found += self._ends.get(edge, ())
            for value in entry.fields.values():
                if isinstance(value, str):
                    found.append(value)
                elif isinstance(value, tuple):
                    found += map(str, value)
            self._known[entry] = dict.fromkeys(found)
        return self._known[entry]

    @cached_property
    def _ends(self) -> dict[str, tuple[str, ...]]:
        """Ends of every edge that exists."""
        board = self.board
        walked = board.walk() if board else ()
        return {entry.id: entry.ends for entry in walked if entry.ends and board and self._there(board, entry)}

    def _there(self, board: Board, entry: Entry) -> bool:
        """True if an entry lies in no alternative, or in the chosen one."""
        outermost = entry.path[0]
        alternative = bool(entry.parents) and outermost in board.alternatives
        return not alternative or self.chosen.get(outermost) == entry.parents[0]
