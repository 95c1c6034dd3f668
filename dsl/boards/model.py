"""A loaded board: lists of places, and how a path of names selects places in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Literal, NamedTuple

from dsl.boards.positions import Positions, Where
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
    """A board without errors. `lists` are the lists of places of the file by name, in file order."""

    name: str
    reconstruction: bool
    note: str | None
    evidence: tuple[tuple[str, str], ...]
    drawing: Drawing
    holes: int
    alternatives: tuple[str, ...]
    lists: Mapping[str, tuple[Entry, ...]]
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
        from dsl.boards.json_positions import positions  # loads lark

        return positions(self.source)


def name_of(entry: Entry, located: Positions) -> Where:
    """Path of the name of an entry: its id, its number, or the entry itself."""
    named = [(*entry.where, key) for key in ("id", "number") if (*entry.where, key) in located.values]
    return named[0] if named else entry.where


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """The names in order, without duplicates."""
    return tuple(dict.fromkeys(names))
