"""From plain JSON data to lists of entries, and what in it does not fit `board.schema.json`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from dsl.boards.forms import DEFINITIONS, FORMS, HEAD, STRUCTURE, UnfitError, fits, whole
from dsl.boards.json_positions import BoardDiagnostic, Where, listed, nearest, quoted
from dsl.boards.model import Cell, Drawing, Entry
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject, JsonValue
from dsl.text.nouns import counted
from dsl.text.visible import HIDDEN

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


_NEEDED = frozenset({"list", "entry", "name", "number", "ends", "edges"})
"""Forms without which references cannot be checked."""

_UNFIT = object()


class BoardData:
    """The valid parts of a board, and the `misfits`. `complete`: nothing was left out that others may refer to."""

    def __init__(self, data: Mapping[str, JsonValue]) -> None:
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
        self.undrawn: tuple[str, ...] = head.get("undrawn", ())
        self.borders: tuple[str, ...] = head.get("borders", ())
        names = [key for key in data if key not in HEAD]
        self.alternatives = tuple(key for key in names if key in self.alternatives_named)
        self.lists = {key: self._list(data[key], (key,)) for key in names}

    def _read(self, value: JsonValue, form: str, where: Where, key: bool = False) -> JsonValue:
        """Convert a value; note it and return `_UNFIT` if it does not fit its form."""
        try:
            return FORMS[form](value)
        except UnfitError:
            self.misfits.append(Misfit(value, form, where, key))
            self.complete = self.complete and (key or form not in _NEEDED)
            return _UNFIT

    def _fields(self, data: Mapping[str, JsonValue], forms: Mapping[str, str], where: Where) -> JsonObject:
        """Convert those of the fields that are there and fit."""
        read = {key: self._read(data[key], form, (*where, key)) for key, form in forms.items() if key in data}
        return {key: value for key, value in read.items() if value is not _UNFIT}

    def _list(self, value: JsonValue, where: tuple[str]) -> tuple[Entry, ...]:
        self._read(where[0], "name", where, key=True)
        return () if self._read(value, "list", where) is _UNFIT else self._entries(value, where, (), where)

    def _entries(
        self, value: list[JsonValue], path: tuple[str, ...], parents: tuple[str, ...], where: Where
    ) -> tuple[Entry, ...]:
        read = [(self._read(item, "entry", (*where, index)), (*where, index)) for index, item in enumerate(value)]
        return tuple(self._entry(data, path, parents, position) for data, position in read if data is not _UNFIT)

    def _entry(self, data: JsonObject, path: tuple[str, ...], parents: tuple[str, ...], where: Where) -> Entry:
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

    def _name(self, structure: Mapping[str, JsonValue], path: tuple[str, ...], parents: tuple[str, ...]) -> str:
        group = (path, parents[0] if parents and path[0] in self.alternatives else None)
        self._counted[group] += 1
        return str(structure.get("id", structure.get("number", self._counted[group])))


# ---------------- what is wrong with a part of a board that does not fit `board.schema.json`, as `jsonschema` finds
# it
# The failing keyword of the schema determines the message; `examples` and `description` of the definition are the
# help.


MAX_LIST_LENGTH = 1000
"""Maximum length of a list that is examined to its end: `jsonschema` needs a second for 25,000 items."""

SchemaError: TypeAlias = Any
"""A `ValidationError` of `jsonschema`. What its fields hold depends on the keyword of the schema that fails."""

_CODES = {"file": "E0702", "name": "E0705", "field_name": "E0705", "number": "E0705"}
"""Codes by definition; E0704 for all others."""

_KINDS = {
    "object": "an object", "array": "a list", "string": "text", "integer": "a whole number", "number": "a number",
    "boolean": "`true` or `false`", "null": "`null`",
}  # fmt: skip

_HIDDEN = re.compile(rf"[{HIDDEN}\ufffc-\uffff]")


@dataclass(frozen=True)
class Misfit:
    """A value that does not fit the definition `form` of the schema; with `key`, it is the name of a field."""

    value: JsonValue
    form: str
    where: Where
    key: bool = False

    def explain(self) -> Iterator[BoardDiagnostic]:
        """Report the first error at each position in the value; in a long list, only the first of all."""
        seen: set[Where] = set()
        is_long = isinstance(self.value, list) and len(self.value) > MAX_LIST_LENGTH
        try:
            errors = _validator(self.form).iter_errors(self.value)
        except ImportError:  # in a browser it may be missing
            reason = "the package `jsonschema` is not installed, which would say why"
            yield BoardDiagnostic("E0704", "this is not allowed here", self.where, (reason,), (), self.key)
            return
        for error in islice(errors, 1) if is_long else errors:
            path = tuple(error.absolute_path)
            if path not in seen:
                seen.add(path)
                yield self._diagnostic(error, path)

    def _diagnostic(self, error: SchemaError, path: Where) -> BoardDiagnostic:
        code = _CODES.get(self.form, "E0704")
        where, key = (*self.where, *path), self.key
        name = next((step for step in reversed(where) if isinstance(step, str)), "")
        proposals: tuple[str, ...] = ()
        help = self._help(error, path)
        if self.form == "list":
            proposals, key = nearest(name, HEAD), True
            help = "" if proposals else f"{help}; fields that are not: {', '.join(HEAD)}"
        elif self.form == "keys":
            where, key = (*where, max(error.validator_value["required"], key=list(self.value).index)), True
        return BoardDiagnostic(code, _message(error, name), where, (help,) if help else (), (), key, proposals)

    def _help(self, error: SchemaError, path: Where) -> str:
        """A correction: for names and hidden characters their own, otherwise the example of the definition."""
        value, definition = error.instance, DEFINITIONS[self.form]
        if error.validator == "pattern" and self.form == "name" and fits(value, "field_name"):
            return f"`{value}` is a keyword; use another name, such as `the_{value}`"
        if self.form == "name" and whole(value) is not None:
            return f'write `"number": {whole(value)}` for a place named by a number'
        hidden = _HIDDEN.search(value) if isinstance(value, str) else None
        if error.validator == "pattern" and hidden:
            return f"remove the character U+{ord(hidden.group()):04X}; text is a single line"
        description = error.schema.get("description") or definition["description"]
        if self.key:
            return f"names have {description}"
        if "examples" not in definition or error.validator == "maxLength":
            return str(description)
        example, field = definition["examples"][0], self.where[-1] if self.where else 0
        inside = path if error.validator != "required" else (*path, _missing(error)[0])
        for step in inside:
            if isinstance(step, int):
                break
            example, field = example[step], step
        written = json.dumps(example, ensure_ascii=False)
        return f"write `{written if isinstance(field, int) else f'{json.dumps(field)}: {written}'}`: {description}"


def _message(error: SchemaError, name: str) -> str:
    limit, value = error.validator_value, error.instance
    field = quoted(name)
    match error.validator:
        case "type":
            if isinstance(limit, list):
                return f"{field} cannot {'be' if error.schema is DEFINITIONS['cell'] else 'contain'} {_kind(value)}"
            return f"expected {_KINDS[limit]}{f' in {field}' if name else ''}, found {_kind(value)}"
        case "required":
            missing = _missing(error)
            return f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        case "additionalProperties":
            unknown = sorted(value.keys() - error.schema["properties"].keys())
            return f"{field} cannot have the field {quoted(unknown[0])}"
        case "const":
            return f"{field} must be {limit}"
        case "not":
            return f"an entry cannot have both {listed(limit['required'])}"
        case "pattern":
            hidden = _HIDDEN.search(value) and "\\u0000" in limit
            return f"{field} contains a hidden character" if hidden else f"{quoted(value)} is not a valid name"
        case "minLength":
            return f"{field} is empty"
        case "maxLength":
            return f"{field} is longer than {counted(limit, 'character')}"
        case "minItems" | "maxItems":
            exactly = "" if "maxItems" in error.schema else "at least "
            return f"{field} must have {exactly}{counted(limit, 'item')}, found {len(value)}"
        case _:
            least, most = error.schema["minimum"], error.schema["maximum"]
            subject = f"numbers in {field}" if isinstance(error.path[-1] if error.path else "", int) else field
            return f"{subject} must be from {least} to {most}"


def _missing(error: SchemaError) -> list[str]:
    return [name for name in error.validator_value if name not in error.instance]


def _kind(value: JsonValue) -> str:
    match value:
        case bool() | None:
            return f"`{json.dumps(value)}`"
        case float() if whole(value) is None:
            return "a fraction"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case _:
            return "a list" if isinstance(value, list) else "an object"


@cache
def _validator(form: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # takes longer to load than a board; needed only for errors

    return Draft202012Validator({"$ref": f"#/$defs/{form}", "$defs": DEFINITIONS})
