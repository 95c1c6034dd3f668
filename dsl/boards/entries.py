"""From plain JSON data to lists of entries. What does not fit `board.schema.json` is noted and left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from dsl.boards.forms import FORMS, HEAD, STRUCTURE, UnfitError
from dsl.boards.misfits import Misfit
from dsl.boards.model import Cell, Drawing, Entry
from dsl.boards.positions import Where

_NEEDED = frozenset({"list", "entry", "name", "number", "ends", "edges"})
"""Forms without which references cannot be checked."""

_UNFIT = object()


class BoardData:
    """The valid parts of a board, and the `misfits`. `complete`: nothing was left out that others may refer to."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.misfits: list[Misfit] = []
        self.complete = True
        self._counted: Counter[tuple[object, ...]] = Counter()
        self._read(data, "head", ())
        head = self._fields(data, HEAD, ())
        self.name: str = head.get("name", "")
        self.note: str | None = head.get("note")
        self.reconstruction: bool = head.get("reconstruction", False)
        self.holes: int = head.get("holes", 0)
        self.drawing = Drawing(*head.get("drawing", (4, 2)))
        self.evidence: tuple[tuple[str, str], ...] = head.get("evidence", ())
        self.alternatives_named: tuple[str, ...] = head.get("alternatives", ())
        names = [key for key in data if key not in HEAD]
        self.alternatives = tuple(key for key in names if key in self.alternatives_named)
        self.lists = {key: self._list(data[key], (key,)) for key in names}

    def _read(self, value: Any, form: str, where: Where, key: bool = False) -> Any:
        """Convert a value; note it and return `_UNFIT` if it does not fit its form."""
        try:
            return FORMS[form](value)
        except UnfitError:
            self.misfits.append(Misfit(value, form, where, key))
            self.complete = self.complete and (key or form not in _NEEDED)
            return _UNFIT

    def _fields(self, data: Mapping[str, Any], forms: Mapping[str, str], where: Where) -> dict[str, Any]:
        """Convert those of the fields that are there and fit."""
        read = {key: self._read(data[key], form, (*where, key)) for key, form in forms.items() if key in data}
        return {key: value for key, value in read.items() if value is not _UNFIT}

    def _list(self, value: Any, where: tuple[str]) -> tuple[Entry, ...]:
        self._read(where[0], "name", where, key=True)
        return () if self._read(value, "list", where) is _UNFIT else self._entries(value, where, (), where)

    def _entries(
        self, value: list[Any], path: tuple[str, ...], parents: tuple[str, ...], where: Where
    ) -> tuple[Entry, ...]:
        read = [(self._read(item, "entry", (*where, index)), (*where, index)) for index, item in enumerate(value)]
        return tuple(self._entry(data, path, parents, position) for data, position in read if data is not _UNFIT)

    def _entry(self, data: dict[str, Any], path: tuple[str, ...], parents: tuple[str, ...], where: Where) -> Entry:
        self._read(data, "keys", where)
        structure = self._fields(data, STRUCTURE, where)
        name = self._name(structure, path, parents)
        fields: dict[str, Cell] = {}
        nested: dict[str, tuple[Entry, ...]] = {}
        for key, value in data.items():
            field_position = (*where, key)
            if key in STRUCTURE or self._read(key, "field_name", field_position, key=True) is _UNFIT:
                continue
            if isinstance(value, list) and all(isinstance(item, dict) for item in value):
                if value:
                    self._read(key, "name", field_position, key=True)
                nested[key] = self._entries(value, (*path, key), (*parents, name), field_position)
                fields[key] = tuple(entry.id for entry in nested[key])
            else:
                cell = self._read(value, "cell", field_position)
                self.complete = self.complete and (cell is not _UNFIT or not isinstance(value, list))
                fields[key] = None if cell is _UNFIT else cell
        return Entry(
            name, path, parents, structure.get("name"), structure.get("mark"), structure.get("at"),
            structure.get("ends", ()), structure.get("edges", ()), fields, nested, where,
        )  # fmt: skip

    def _name(self, structure: Mapping[str, Any], path: tuple[str, ...], parents: tuple[str, ...]) -> str:
        group = (path, parents[0] if parents and path[0] in self.alternatives else None)
        self._counted[group] += 1
        return str(structure.get("id", structure.get("number", self._counted[group])))
