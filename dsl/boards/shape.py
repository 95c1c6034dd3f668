"""From plain JSON data to lists of entries: every field is checked against its form, as in `board.schema.json`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dsl.boards.findings import BoardDiagnostic, listed, nearest
from dsl.boards.model import Cell, Drawing, Entry
from dsl.boards.positions import Where
from dsl.text.visible import HIDDEN, visible

FORMAT = 1
LARGEST_NUMBER = 999_999_999
FURTHEST = 1000
LONGEST_NAME, LONGEST_MARK = 60, 3
UNSEEN = rf"{HIDDEN}\ufffc-\uffff"
"""Characters that are invisible, change how others are shown, or replace lost ones: texts may not contain them."""
HEAD = ("format", "name", "reconstruction", "note", "evidence", "drawing", "holes", "alternatives")
"""Top-level fields that are not lists of places."""

_UNSEEN = re.compile(f"[{UNSEEN}]")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRUCTURE = frozenset({"id", "number", "name", "mark", "at", "ends", "edges"})


@cache
def name_pattern() -> str:
    """Pattern of a name of the language: the terminal of the grammar without the keywords."""
    grammar = (Path(__file__).parent.parent / "grammar.lark").read_text(encoding="utf-8")
    found = re.search(r"^NAME: /(.*)/$", grammar, re.MULTILINE)
    return found.group(1) if found else _FIELD.pattern


class Shape:
    """The valid parts of a board, and diagnostics for the rest. `complete`: no entry was left out."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.findings: list[BoardDiagnostic] = []
        self.complete = True
        self._names = re.compile(name_pattern())
        self._counted: Counter[tuple[object, ...]] = Counter()
        self._data = data
        self.name = self._text("name", LONGEST_NAME) or ""
        if "name" not in data:
            self._error("E0704", "the board has no name", (), 'say `"name": "…"`, the name people know it by')
        self.note = self._text("note", None)
        self.reconstruction = self._truth("reconstruction")
        self.holes = self._holes()
        self.drawing = self._drawing()
        self.evidence = tuple(self._evidence())
        self.alternatives = tuple(self._alternatives())
        self.lists = {key: self._list(value, key) for key, value in data.items() if key not in HEAD}

    def _error(
        self,
        code: str,
        message: str,
        where: Where,
        *helps: str,
        key: bool = False,
        labels: tuple[Any, ...] = (),
        meant: tuple[str, ...] = (),
    ) -> None:
        self.findings.append(BoardDiagnostic(code, message, where, helps, labels, key, meant))

    # ---- the head of the file

    def _text(self, key: str, longest: int | None) -> str | None:
        value = self._data.get(key)
        if key not in self._data or not self._is_text(value, (key,), longest):
            return None
        return str(value)

    def _truth(self, key: str) -> bool:
        value = self._data.get(key, False)
        if not isinstance(value, bool):
            self._error(
                "E0704", f"`{key}` is neither true nor false", (key,), "write `true` or `false`, or leave it out"
            )
        return value is True

    def _holes(self) -> int:
        value = whole(self._data.get("holes", 0))
        if value is None or not 0 <= value <= FURTHEST:
            self._error("E0704", "`holes` is how many holes the board has", ("holes",), 'write `"holes": 0`')
            return 0
        return value

    def _drawing(self) -> Drawing:
        value = self._data.get("drawing", {"columns": 4, "lines": 2})
        form = 'write `"drawing": {"columns": 4, "lines": 2}`: 1 to 40 columns a unit of x, lines a unit of y'
        sizes = [whole(value.get(key)) for key in ("columns", "lines")] if isinstance(value, dict) else []
        fits = [size for size in sizes if size is not None and 1 <= size <= 40]
        if len(fits) != 2 or len(value) != 2:
            self._error("E0704", "`drawing` says how wide and high a unit is drawn", ("drawing",), form)
            return Drawing(4, 2)
        return Drawing(*fits)

    def _evidence(self) -> list[tuple[str, str]]:
        value = self._data.get("evidence", [])
        found = []
        for number, fact in enumerate(value if isinstance(value, list) else [None]):
            where: Where = ("evidence", number) if isinstance(value, list) else ("evidence",)
            if not isinstance(fact, dict) or set(fact) != {"fact", "status"}:
                self._error("E0704", "evidence is a list of facts", where, 'write `[{"fact": "…", "status": "…"}]`')
            elif all(self._is_text(fact[key], (*where, key), None) for key in ("fact", "status")):
                found.append((fact["fact"], fact["status"]))
        return found

    def _alternatives(self) -> list[str]:
        value = self._data.get("alternatives", [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            self._error("E0704", "`alternatives` is a list of names of lists", ("alternatives",), 'write `["maps"]`')
            return []
        names = {key: None for key in self._data if key not in HEAD}
        seen: set[str] = set()
        for number, name in enumerate(value):
            where = ("alternatives", number)
            if name in seen:
                self._error("E0704", f"{quoted(name)} is named twice", where, "name it once")
            elif name not in names:
                meant = nearest(name, names)
                helps = () if meant else (f"lists of this board: {listed(names)}",)
                self._error("E0707", f"the board has no list {quoted(name)}", where, *helps, meant=meant)
            seen.add(name)
        return [name for name in names if name in seen]

    # ---- lists of places

    def _list(self, value: Any, key: str) -> tuple[Entry, ...]:
        if not self._is_name(key):
            self._error("E0705", f"{quoted(key)} cannot be the name of a list", (key,), self._way_out(key), key=True)
        if not isinstance(value, list):
            meant = nearest(key, HEAD)
            helps = () if meant else (f"fields of a board: {', '.join(HEAD)}; every other is a list of places",)
            self._error("E0704", f"{quoted(key)} is no list of places", (key,), *helps, key=True, meant=meant)
            self.complete = False
            return ()
        return self._entries(value, (key,), (), (key,))

    def _entries(
        self, value: list[Any], path: tuple[str, ...], parents: tuple[str, ...], where: Where
    ) -> tuple[Entry, ...]:
        found = []
        for number, each in enumerate(value):
            if isinstance(each, dict):
                found.append(self._entry(each, path, parents, (*where, number)))
            else:
                self.complete = False
                self._error("E0704", "an entry is no object", (*where, number), 'write `{"id": "…", …}`')
        return tuple(found)

    def _entry(self, data: dict[str, Any], path: tuple[str, ...], parents: tuple[str, ...], where: Where) -> Entry:
        name = self._name(data, path, parents, where)
        fields: dict[str, Cell] = {}
        nested: dict[str, tuple[Entry, ...]] = {}
        for key, value in data.items():
            if key in _STRUCTURE:
                continue
            if not _looks_like_name(key):
                help = f"names of fields have the letters a to z, digits and `_`, at most {LONGEST_NAME}"
                self._error("E0705", f"{quoted(key)} cannot be the name of a field", (*where, key), help, key=True)
            elif isinstance(value, list) and all(isinstance(each, dict) for each in value):
                if value and not self._is_name(key):
                    message = f"{quoted(key)} cannot be the name of a list"
                    self._error("E0705", message, (*where, key), self._way_out(key), key=True)
                nested[key] = self._entries(value, (*path, key), (*parents, name), (*where, key))
                fields[key] = tuple(entry.id for entry in nested[key])
            else:
                fields[key] = self._cell(value, (*where, key))
        shown, mark = data.get("name"), data.get("mark")
        if "name" in data and not self._is_text(shown, (*where, "name"), LONGEST_NAME):
            shown = None
        if "mark" in data and not self._is_text(mark, (*where, "mark"), LONGEST_MARK):
            mark = None
        if "ends" in data and "edges" in data:
            help = "`ends` make an edge, `edges` round it make a face: one of the two"
            self._error("E0704", f"{quoted(name)} has both `ends` and `edges`", (*where, "edges"), help, key=True)
        ends, edges = self._ends(data, where), self._edges(data, where)
        return Entry(name, path, parents, shown, mark, self._at(data, where), ends, edges, fields, nested, where)

    def _name(self, data: dict[str, Any], path: tuple[str, ...], parents: tuple[str, ...], where: Where) -> str:
        place = (path, parents[0] if parents and path[0] in self.alternatives else None)
        self._counted[place] += 1
        if "id" in data and "number" in data:
            help = "an entry is named by one of the two; call the number differently"
            self._error("E0704", "an entry has both `id` and `number`", (*where, "number"), help, key=True)
        if "id" in data:
            id = data["id"]
            if isinstance(id, str) and self._is_name(id):
                return id
            self._error("E0705", f"{quoted(id)} is not a name of the language", (*where, "id"), self._way_out(id))
            self.complete = False
        elif "number" in data:
            number = whole(data["number"])
            if number is not None and 0 <= number <= LARGEST_NUMBER:
                return str(number)
            help = "numbers that name places go from 0 up; other names are an `id`"
            self._error("E0705", "`number` is not a number of the language", (*where, "number"), help)
            self.complete = False
        return str(self._counted[place])

    def _is_name(self, text: str) -> bool:
        return len(text) <= LONGEST_NAME and bool(self._names.fullmatch(text))

    def _way_out(self, name: Any) -> str:
        if isinstance(name, str) and len(name) > LONGEST_NAME:
            return f"names have at most {LONGEST_NAME} characters"
        if isinstance(name, str) and _FIELD.fullmatch(name):
            return f"`{name}` is a word of the language; take another, such as `the_{name}`"
        if whole(name) is not None:
            return '`"number": 1` is for entries named by a number'
        return "names have the letters a to z, digits and `_`, and do not begin with a digit"

    # ---- fields

    def _at(self, data: dict[str, Any], where: Where) -> tuple[float, float] | None:
        if "at" not in data:
            return None
        match data["at"]:
            case [int() | float() as x, int() | float() as y] if not isinstance(x, bool) and not isinstance(y, bool):
                if abs(x) <= FURTHEST and abs(y) <= FURTHEST:
                    return float(x), float(y)
        help = f"write `[x, y]`, numbers from -{FURTHEST} to {FURTHEST}: x to the right, y downwards"
        self._error("E0704", "`at` is not two numbers", (*where, "at"), help)
        return None

    def _ends(self, data: dict[str, Any], where: Where) -> tuple[str, ...]:
        if "ends" not in data:
            return ()
        ends = self._names_of(data["ends"])
        if ends is None or len(ends) != 2:
            count = f"not {len(ends)}" if ends is not None else "named by their ids"
            help = 'write `"ends": ["a", "b"]`; an edge that leads out of the board ends at a place there, too'
            self._error("E0704", f"an edge has two ends, {count}", (*where, "ends"), help)
            self.complete = False
            return ()
        return ends

    def _edges(self, data: dict[str, Any], where: Where) -> tuple[str, ...]:
        if "edges" not in data:
            return ()
        edges = self._names_of(data["edges"])
        if edges is None or len(edges) < 2:
            help = 'write `"edges": ["a", "b", "c"]`: the edges in order round the face, at least two'
            self._error("E0704", "`edges` is not the list of edges round a face", (*where, "edges"), help)
            self.complete = False
            return ()
        return edges

    def _names_of(self, value: Any) -> tuple[str, ...] | None:
        if not isinstance(value, list):
            return None
        names: list[str] = []
        for each in value:
            number = whole(each)
            if isinstance(each, str) and _looks_like_name(each):
                names.append(each)
            elif number is not None and 0 <= number <= LARGEST_NUMBER:
                names.append(str(number))
            else:
                return None
        return tuple(names)

    def _cell(self, value: Any, where: Where) -> Cell:
        number = whole(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return value if self._is_text(value, where, None, empty=True) else None
        if number is not None:
            if abs(number) <= LARGEST_NUMBER:
                return number
            self._error("E0704", "the number is too large", where, f"numbers go up to {LARGEST_NUMBER}")
        elif isinstance(value, float):
            self._error("E0704", "the language has whole numbers only", where, "fractions are for `at`")
        elif isinstance(value, list) and not any(each is None or isinstance(each, bool | list) for each in value):
            if any(isinstance(each, dict) for each in value):
                self._error("E0704", "entries and values are mixed in one list", where, "give each its own list")
                self.complete = False
                return None
            cells = [self._cell(each, (*where, number)) for number, each in enumerate(value)]
            return tuple(each for each in cells if isinstance(each, int | str))
        else:
            help = "a field holds a number, a text, true, false, null, a list of ids or a list of entries"
            self._error("E0704", "this is nothing a field can hold", where, help)
        return None

    def _is_text(self, value: Any, where: Where, longest: int | None, empty: bool = False) -> bool:
        if not isinstance(value, str):
            self._error("E0704", f"`{where[-1]}` is no text", where, 'texts stand between `"` and `"`')
            return False
        unseen = _UNSEEN.search(value)
        if unseen:
            help = f"leave out the character {ord(unseen.group()):04X}; a text is one line"
            self._error("E0704", "a text holds a character that cannot be seen", where, help)
        elif not value and not empty:
            self._error("E0704", f"`{where[-1]}` is empty", where, "write at least one character")
        elif longest is not None and len(value) > longest:
            self._error("E0704", f"`{where[-1]}` is too long", where, f"at most {longest} characters")
        else:
            return True
        return False


def _looks_like_name(text: str) -> bool:
    return len(text) <= LONGEST_NAME and bool(_FIELD.fullmatch(text))


def whole(value: object) -> int | None:
    """Convert to a whole number, also one written as `2.0`; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def quoted(name: object) -> str:
    """Format a name from the file for use in a message."""
    text = visible(str(name)).replace("`", "'")
    return f"`{text if len(text) <= 40 else text[:39] + '…'}`"
