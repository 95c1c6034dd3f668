"""Incidence on a board: edges and their ends, faces and their surroundings, groups and their members.

The problem: a board file says each relation once, from one side: an edge names its two `ends`, a face its `edges`.
Rules ask from both: `corners: several Corner` of a face, `faces: several Face` of a corner. The idea: an entry
*touches* what it mentions; if it mentions none of the places in question, it touches those that mention it. A face
mentions its edges and, through them, their ends; so a corner touches the faces around it although no line of the file
says so.

INVARIANT: the answer is in the order of the file, on each side, as rules iterate in this order and games must replay.
An edge counts only if it lies in the chosen alternative: two maps may use the same ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from dsl.boards.model import Board, Entry


class Places:
    """Some places of a board that entries may touch, in their order, by id."""

    def __init__(self, entries: Iterable[Entry], mentions: Callable[[Entry], Iterable[str]]) -> None:
        self.by_id = {entry.id: entry for entry in entries}
        self._mentions = mentions

    @cached_property
    def mentioning(self) -> dict[str, list[str]]:
        """For each id the ids of those that mention it."""
        mentioning: dict[str, list[str]] = {}
        for name, entry in self.by_id.items():
            for mentioned in self._mentions(entry):
                mentioning.setdefault(mentioned, []).append(name)
        return mentioning


class Incidence:
    """Incidence on a board with one alternative of each list; `chosen` maps such a list to the id chosen from it.

    Generated places have no faces, so they need no board.
    """

    def __init__(self, board: Board | None, chosen: Mapping[str, str]) -> None:
        self.board, self.chosen = board, chosen
        self._mentioned: dict[Entry, dict[str, None]] = {}

    def places(self, entries: Iterable[Entry]) -> Places:
        """Entries of the board as places that others may touch."""
        return Places(entries, self._mentions)

    def touching(self, entry: Entry, among: Places) -> list[str]:
        """Ids of the places that the entry mentions; if there are none, of those that mention it; in their order."""
        mentioned = self._mentions(entry)
        return [name for name in among.by_id if name in mentioned] or among.mentioning.get(entry.id, [])

    def _mentions(self, entry: Entry) -> dict[str, None]:
        """Ids an entry refers to: its ends, its edges with the corners between them, and those in its own fields."""
        if entry not in self._mentioned:
            ids = [*entry.ends, *entry.edges]
            for edge in entry.edges:
                ids += self._ends.get(edge, ())
            for value in entry.fields.values():
                if isinstance(value, str):
                    ids.append(value)
                elif isinstance(value, tuple):
                    ids += map(str, value)
            self._mentioned[entry] = dict.fromkeys(ids)
        return self._mentioned[entry]

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
