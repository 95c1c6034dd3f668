"""What is wrong with a part of a board that does not fit `board.schema.json`, as `jsonschema` finds it.

The failing keyword of the schema determines the message; `examples` and `description` of the definition are the help.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from dsl.boards.diagnostics import BoardDiagnostic, listed, nearest, quoted
from dsl.boards.forms import DEFINITIONS, HEAD, fits, whole
from dsl.boards.positions import Where
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from dsl.text.visible import HIDDEN

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

MAX_LIST_LENGTH = 1000
"""Maximum length of a list that is examined to its end: `jsonschema` needs a second for 25,000 items."""

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

    value: Any
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

    def _diagnostic(self, error: Any, path: Where) -> BoardDiagnostic:
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

    def _help(self, error: Any, path: Where) -> str:
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


def _message(error: Any, name: str) -> str:
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


def _missing(error: Any) -> list[str]:
    return [name for name in error.validator_value if name not in error.instance]


def _kind(value: Any) -> str:
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
