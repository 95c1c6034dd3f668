"""Names that people bring from other languages, and their equivalents here."""

from __future__ import annotations

from dsl import ast
from dsl.diagnostics import Replacement
from dsl.text.spelling import nearest

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

REPETITION = "declare `position NAME: …`, write `record NAME` every turn, and ask how often: `times(NAME)`"

WORDS = {
    "owner": "name the seats that see something by the index: declare `[p: Player]`, then write `seen by p`",
    "half": "write `n / 2 rounded up` or `n / 2 rounded down`",
    "divided": "write `a / b rounded up` or `a / b rounded down`",
    "even": "write `remainder(n, 2) is 0`",
    "odd": "write `remainder(n, 2) is 1`",
    "history": REPETITION,
    "repeated": REPETITION,
    "repetition": REPETITION,
    "repetitions": REPETITION,
    "round": "the number of the present round is `round(NAME)`, with the name of the phase",
}
"""An unknown name, and how to express what it means here."""

TYPES = {"bool": "Truth", "boolean": "Truth", "Bool": "Truth", "Boolean": "Truth", "Seat": "Player"}
NUMBERS = frozenset({"int", "integer", "Int", "Integer", "number", "Number", "Num", "num", "natural"})
TEXTS = frozenset({"str", "string", "String", "text", "Text"})

COUNTED = frozenset({"len", "length", "size", "count", "number", "amount"})
"""Names that other languages use for the number of elements, as a function or after a dot."""

FUNCTIONS = {
    "max": "write `highest … for x in …`, or of two numbers `larger(a, b)`",
    "min": "write `lowest … for x in …`, or of two numbers `smaller(a, b)`",
    "half": "write `n / 2 rounded up` or `n / 2 rounded down`",
    "round": "a division states its rounding: `n / 2 rounded up`",
    "range": "write a range as `1..3`",
    "any": "write `some x in … where …` to test whether there is one",
    "all": "write `no x in … where not (…)` to test them all",
    "random": "use `choose x at random from …`, `shuffle`, `roll` or a `random` option",
    "repeated": REPETITION,
    "repetitions": REPETITION,
    "occurrences": REPETITION,
    "abs": "write `magnitude(n)` for a number without its sign",
}
"""Functions of other languages, and their equivalents here."""


RENAMED = {
    "max": ("larger", 2), "maximum": ("larger", 2), "greater": ("larger", 2), "min": ("smaller", 2),
    "minimum": ("smaller", 2), "lesser": ("smaller", 2), "mod": ("remainder", 2), "modulo": ("remainder", 2),
    "succ": ("next", 1), "successor": ("next", 1), "pred": ("previous", 1), "prev": ("previous", 1),
    "predecessor": ("previous", 1),
}  # fmt: skip
"""Functions of other languages with their names here, and how many arguments they take."""


IDLE = ("pass", "skip", "nothing", "nop", "noop", "do_nothing")
"""Statements and moves of other languages and games that change nothing."""


def idle_helps(name: str, *, offered: bool) -> list[str]:
    """Suggest what to write instead of a word, or one spelt similarly, for doing nothing."""
    close = nearest(name, IDLE, 1, 0.7)
    if not close:
        return []
    if offered:
        word = close[0]
        declared = f'to pass is an action like any other: declare `action {word}:` with its label `"{word}"` below'
        return [declared, "beside `may` it is not needed: declining is always possible"]
    return ["there is no statement that does nothing: omit it; an action may consist of its label alone"]


DECLINED = frozenset({*IDLE, "continue", "decline", "end_turn", "finish", "go_on", "no", "refuse", "stop"})
"""Words for choosing nothing where a decision is optional."""


def declined_helps(name: str) -> list[str]:
    """Suggest what an example writes instead of a word for choosing nothing."""
    return ["a seat declines what it `may` do, or ends it, with `done`"] if name in DECLINED else []


def type_helps(name: str) -> list[str]:
    """Suggest what to write instead of a type of another language."""
    if name in NUMBERS:
        return ["write the range of the number, such as `0..99`"]
    return ["there is no type for text: list the possible values, `type Name is one, two`"] if name in TEXTS else []


def renamed(call: ast.Call) -> Replacement | None:
    """Replace `max(a, b)` by `larger(a, b)`, and the like."""
    name, takes = RENAMED.get(call.base.span.text, ("", 0))
    if len(call.arguments) != takes:
        return None
    return Replacement(call.span, f"{name}{call.span.text.removeprefix(call.base.span.text)}")


def counted(expression: ast.Node, what: ast.Node) -> Replacement:
    """Replace `len(X)` or `X.size` by `count X`."""
    return Replacement(expression.span, f"count {what.span.text}")
