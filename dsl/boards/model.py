"""A loaded board: lists of places, and how a path of names selects places in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Literal, NamedTuple

from dsl.boards.json_positions import Positions, Where, positions
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source, Span

Cell = None | bool | int | str | tuple[int | str, ...]
"""The value of a custom field."""


class Drawing(NamedTuple):
    """Scale of a drawing: text columns per unit of x, and lines per unit of y."""

    columns: int
    lines: int


@dataclass(frozen=True, eq=False)
class Entry:
    """One place of a board: a vertex, an edge (with `ends`), a face (with `edges`), or a group of places.

    `id` is its name in the language; a number as text if the entry is named by a number or by its position. `path` has
    the names of the lists it lies in, `parents` the ids of the entries it lies in, outermost first. `at` is in units of
    the board, x to the right, y down. `fields` are the author's own; a list of inner entries is in `nested`, and its
    ids in `fields`. `where` is its path in the file.
    """

    id: str
    path: tuple[str, ...]
    parents: tuple[str, ...]
    name: str | None
    mark: str | None
    at: tuple[float, float] | None
    ends: tuple[str, ...]
    edges: tuple[str, ...]
    fields: Mapping[str, Cell]
    nested: Mapping[str, tuple[Entry, ...]]
    where: Where

    def walk(self) -> Iterator[Entry]:
        """The entry and all entries nested in it, in file order."""
        yield self
        for entries in self.nested.values():
            for entry in entries:
                yield from entry.walk()


@dataclass(frozen=True)
class Selected:
    """A step of a path that selects one entry, by its id, from the list before it."""

    id: str


@dataclass(frozen=True)
class UnknownStep:
    """A step of a path that the board does not have.

    `step` is the index in the path, from 0. `what` is missing: a `list`, an `entry` of a list, or the `choice` of one
    entry from a list of alternatives, whose inner lists are only available one at a time (`name` is then that list).
    `valid` are the names that it has there.
    """

    step: int
    what: Literal["list", "entry", "choice"]
    name: str
    valid: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Board:
    """A board without errors. `lists` are the lists of places of the file by name, in file order.

    `undrawn` are lists of edges that are not drawn unless a table is about them, `borders` those that are drawn as what
    lies between their ends: across the link.
    """

    name: str
    reconstruction: bool
    note: str | None
    evidence: tuple[tuple[str, str], ...]
    drawing: Drawing
    holes: int
    alternatives: tuple[str, ...]
    lists: Mapping[str, tuple[Entry, ...]]
    undrawn: tuple[str, ...]
    borders: tuple[str, ...]
    source: Source = field(repr=False)

    def walk(self) -> Iterator[Entry]:
        """Every entry of the file in order, including those of all alternatives."""
        for entries in self.lists.values():
            for entry in entries:
                yield from entry.walk()

    def entries(self, path: Sequence[str | Selected]) -> tuple[Entry, ...] | UnknownStep:
        """Resolve a path to its places, in file order, or to the step that does not exist.

        A name selects the list of that name; below another list, the lists of that name of all its entries, joined.
        `["maps", Selected("day"), "links"]` are the links of the map `day`.
        """
        selected: tuple[Entry, ...] = ()
        for step, part in enumerate(path):
            if isinstance(part, Selected):
                ids = unique(entry.id for entry in selected)
                selected = tuple(entry for entry in selected if entry.id == part.id)
                if not selected:
                    return UnknownStep(step, "entry", part.id, ids)
            elif step == 0:
                if part not in self.lists:
                    return UnknownStep(step, "list", part, tuple(self.lists))
                selected = self.lists[part]
            else:
                previous = path[step - 1]
                if step == 1 and previous in self.alternatives:
                    return UnknownStep(step, "choice", str(previous), unique(entry.id for entry in selected))
                names = unique(name for entry in selected for name in entry.nested)
                if part not in names:
                    return UnknownStep(step, "list", part, names)
                selected = tuple(child for entry in selected for child in entry.nested.get(part, ()))
        return selected

    def span_of(self, entry: Entry, field: str | None = None) -> Span:
        """Span of the entry, or of the value of one of its fields, in the file."""
        where = (*entry.where, field) if field is not None else name_of(entry, self._positions)
        return self._positions.span(where)

    @property
    def head(self) -> Span:
        """Span of the board's name."""
        return self._positions.span(("name",))

    @cached_property
    def _positions(self) -> Positions:
        return positions(self.source)


def name_of(entry: Entry, located: Positions) -> Where:
    """Path of the name of an entry: its id, its number, or the entry itself."""
    named = [(*entry.where, key) for key in ("id", "number") if (*entry.where, key) in located.values]
    return named[0] if named else entry.where


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """The names in order, without duplicates."""
    return tuple(dict.fromkeys(names))


# ---------------- incidence on a board: edges and their ends, faces and their surroundings, groups and their
# members
# The problem: a board file says each relation once, from one side: an edge names its two `ends`, a face its `edges`.
# Rules ask from both: `corners: several Corner` of a face, `faces: several Face` of a corner. The idea: an entry
# *touches* what it mentions; if it mentions none of the places in question, it touches those that mention it. A face
# mentions its edges and, through them, their ends; so a corner touches the faces around it although no line of the
# file says so.
#
# INVARIANT: the answer is in the order of the file, on each side, as rules iterate in this order and games must
# replay. An edge counts only if it lies in the chosen alternative: two maps may use the same ids.


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
