"""Names that people bring from other languages, and their equivalents here."""

from __future__ import annotations

from dsl import ast
from dsl.diagnostics import Replacement

NAMES = {
    "True": "true",
    "TRUE": "true",
    "yes": "true",
    "False": "false",
    "FALSE": "false",
    "None": "none",
    "null": "none",
    "nil": "none",
    "everybody": "all",
    "everyone": "all",
    "public": "all",
    "noone": "nobody",
    "self": "me",
    "current_player": "me",
}
"""An unknown name and its equivalent."""

WORDS = {"owner": "seats that see something are named by the index: `seen by p`, where it says `[p: Player]`"}
"""An unknown name and how to express it here."""

TYPES = {"bool": "Truth", "boolean": "Truth", "Bool": "Truth", "Boolean": "Truth", "Seat": "Player"}
NUMBERS = frozenset({"int", "integer", "Int", "Integer", "number", "Number", "Num", "num", "natural"})
TEXTS = frozenset({"str", "string", "String", "text", "Text"})

COUNTED = frozenset({"len", "length", "size", "count", "number", "amount"})
"""Names that other languages use for the number of elements, as a function or after a dot."""

FUNCTIONS = {
    "max": "the highest is `highest … for x in …`, or one of two: `(a if a > b else b)`",
    "min": "the lowest is `lowest … for x in …`, or one of two: `(a if a < b else b)`",
    "range": "a range is written `1..3`",
    "any": "`some x in … where …` asks whether there is one",
    "all": "`no x in … where not (…)` asks it of every one",
    "random": "chance comes from `shuffle`, `roll` and options that are `random`",
    "abs": "`magnitude(n)` is a number without its sign",
}
"""Functions of other languages, and how to express them here."""


def type_helps(name: str) -> list[str]:
    """Suggest what to write instead of a type of another language."""
    if name in NUMBERS:
        return ["say the range of the number, such as `0..99`"]
    return ["there are no texts among the values: list the words, `type Name is one, two`"] if name in TEXTS else []


def counted(whole: ast.Node, what: ast.Node) -> Replacement:
    """Replace `len(X)` or `X.size` by `count X`."""
    return Replacement(whole.span, f"count {what.span.text}")
