"""The forms that parts of a board can have: a conversion for each definition of `board.schema.json` that needs one.

They accept exactly what the schema accepts, and do so a hundred times faster than a JSON Schema validator. What they
reject is explained from the schema itself, in `entries.py`.

INVARIANT: a form fits exactly the values that its definition allows. All limits, patterns and constants are read from
the schema, so that no number is written twice; only the kind of each definition (text, number, list) is repeated here.
Forms are applied from the outside in, and what is inside an entry is not looked at until the entry is known to be one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path

from dsl.text.files import JsonValue

SCHEMA: Mapping[str, JsonValue] = json.loads(Path(__file__).with_name("board.schema.json").read_text("utf-8"))
DEFINITIONS: Mapping[str, JsonValue] = SCHEMA["$defs"]
HEAD, STRUCTURE = (
    {field: form["$ref"].rpartition("/")[2] for field, form in schema["properties"].items()}
    for schema in (SCHEMA, DEFINITIONS["entry"])
)
"""The fields that are not the author's own, at the top and in entries, with their definitions."""

Conversion = Callable[[JsonValue], JsonValue]
"""Converts a value from JSON. Raises UnfitError if the value does not fit the definition."""


class UnfitError(ValueError):
    """Raised for a value that does not fit."""


def whole(value: object) -> int | None:
    """Convert to a whole number, also one written as `2.0`; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _form(fits: Callable[[JsonValue], bool], convert: Conversion = lambda value: value) -> Conversion:
    def read(value: JsonValue) -> JsonValue:
        if not fits(value):
            raise UnfitError
        return convert(value)

    return read


def _kind(kind: type) -> Conversion:
    return _form(lambda value: isinstance(value, kind))


def _number(name: str) -> Conversion:
    least, most = DEFINITIONS[name]["minimum"], DEFINITIONS[name]["maximum"]
    return _form(lambda value: (number := whole(value)) is not None and least <= number <= most, whole)


def _text(name: str) -> Conversion:
    form = DEFINITIONS["text"] | DEFINITIONS[name]
    least, most, matches = form.get("minLength", 0), form.get("maxLength", inf), re.compile(form["pattern"]).match
    return _form(lambda value: isinstance(value, str) and least <= len(value) <= most and bool(matches(value)))


def _list(name: str, item: Conversion) -> Conversion:
    least, most = DEFINITIONS[name].get("minItems", 0), DEFINITIONS[name].get("maxItems", inf)
    return _form(
        lambda value: isinstance(value, list) and least <= len(value) <= most, lambda value: tuple(map(item, value))
    )


def _object(**fields: Conversion) -> Conversion:
    """An object with exactly these fields, as a tuple of their values."""
    return _form(
        lambda value: isinstance(value, dict) and value.keys() == fields.keys(),
        lambda value: tuple(form(value[field]) for field, form in fields.items()),
    )


def _scalar(text: str, number: str) -> Conversion:
    of_text, of_number = _text(text), _number(number)
    return lambda value: of_text(value) if isinstance(value, str) else of_number(value)


def _cell(value: JsonValue) -> JsonValue:
    if value is None or isinstance(value, bool):
        return value
    return tuple(map(_value, value)) if isinstance(value, list) else _value(value)


def _is_coordinate(value: JsonValue) -> bool:
    most = DEFINITIONS["coordinate"]["maximum"]
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(-most <= value <= most)


_value, _reference = _scalar("text", "scalar"), _scalar("reference", "number")
_line, _size = _text("note"), _number("size")
_exclusive = [set(rule["not"]["required"]) for rule in DEFINITIONS["keys"]["allOf"]]

FORMS: Mapping[str, Conversion] = {
    **{name: _text(name) for name in ("shown", "note", "name", "field_name", "mark")},
    **{name: _number(name) for name in ("holes", "number")},
    **{name: _list(name, lambda value: str(_reference(value))) for name in ("ends", "edges")},
    "reconstruction": _kind(bool),
    "list": _kind(list),
    "entry": _kind(dict),
    "at": _list("at", _form(_is_coordinate, float)),
    "evidence": _list("evidence", _object(fact=_line, status=_line)),
    "drawing": _object(columns=_size, lines=_size),
    **{name: _list(name, _kind(str)) for name in ("alternatives", "undrawn", "borders")},
    "cell": _cell,
    "format": _form(lambda value: whole(value) == DEFINITIONS["format"]["const"]),
    "file": _form(lambda value: isinstance(value, dict) and fits(value.get("format"), "format")),
    "head": _form(lambda value: "name" in value),
    "keys": _form(lambda value: not any(fields <= value.keys() for fields in _exclusive)),
}
"""Forms by the name of their definition. Of entries and of lists of entries only the kind is tested."""


def fits(value: JsonValue, name: str) -> bool:
    """True if a value fits a definition."""
    try:
        FORMS[name](value)
    except UnfitError:
        return False
    return True
