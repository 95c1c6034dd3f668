"""Error messages: why an expression has no value, which reactions never end, which results cannot be supplied."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, DieSymbol, LocalSymbol, NoteSymbol, WhenSymbol, ZoneSymbol
from dsl.types import Contents, Maybe
from interpreter.arguments import described
from interpreter.runtime.cells import StoredValue
from interpreter.runtime.layout import Layout
from interpreter.wording.phrases import Phrase

MAX_QUOTED_CHARACTERS = 60
"""Maximum number of characters of an expression that are quoted."""

MOST_REACTIONS = 12
"""Maximum number of reactions of a chain that are named."""

Reaction = tuple[str, tuple[StoredValue, ...]]  # the name of a reaction, and its arguments


def missing_value_message(model: Model, node: ast.Node | None) -> Phrase:
    """Explain why an expression has no value: a die not rolled, an empty zone, nothing chosen, a note that is none."""
    if node is None:
        return Phrase("a value is missing here")
    source, symbol = quoted(node), model.refers.get(node.number)
    match node:
        case ast.Name() | ast.Index() if isinstance(symbol, DieSymbol):
            return Phrase("`{expression}` has not been rolled", expression=source)
        case ast.Name() | ast.Index() if isinstance(symbol, ZoneSymbol):
            return Phrase("`{expression}` is empty", expression=source)
        case ast.Name() | ast.Index() if isinstance(symbol, NoteSymbol | LocalSymbol):
            return Phrase("`{expression}` is none", expression=source)
        case ast.Attribute() if _may_be_none(model, node.base):
            return missing_value_message(model, node.base)
        case ast.Call() if isinstance(symbol, BuiltinSymbol) and node.arguments:
            return _missing_member(symbol.name, node)
        case ast.Quantified(quantifier="the") | ast.Best():
            return Phrase("nothing matches `{expression}`", expression=source)
        case _:
            return Phrase("`{expression}` is none", expression=source)


def zero_divisor_message(node: ast.Node | None) -> Phrase:
    """Explain that something is divided by 0."""
    if node is None:
        return Phrase("nothing can be divided by 0")
    return Phrase("`{expression}` is 0: nothing can be divided by it", expression=quoted(node))


def quoted(node: ast.Node) -> str:
    """The text of an expression on one line, truncated if long."""
    text = " ".join(node.span.text.split())
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[: MAX_QUOTED_CHARACTERS - 1].rstrip()}…"


def _may_be_none(model: Model, node: ast.Expression) -> bool:
    return isinstance(model.types.get(node.number), Maybe | Contents)


def _missing_member(function: str, node: ast.Call) -> Phrase:
    """Explain that a zone or set does not have the requested member."""
    call, last = quoted(node), quoted(node.arguments[-1])
    if function in ("first", "last", "top", "bottom"):
        return Phrase("there is no `{expression}`: `{set}` is empty", expression=call, set=last)
    if function == "nth":
        return Phrase("there is no `{expression}`: `{set}` has too few members", expression=call, set=last)
    return Phrase("there is no `{expression}`", expression=call)


def repeating_cycle(happened: Sequence[Reaction]) -> list[Reaction]:
    """The reactions that repeat at the end of a long list, followed by the first of them again; else the last few."""
    last = list(happened)
    for length in range(1, MOST_REACTIONS + 1):
        if last[-length:] == last[-2 * length : -length] == last[-3 * length : -2 * length]:
            return [*last[-length:], last[-length]]
    return last[-MOST_REACTIONS:]


def reaction_in_words(layout: Layout, when: WhenSymbol, values: Sequence[StoredValue]) -> str:
    """Render a reaction with its arguments: `full(north)`."""
    pairs = zip(when.parameters, values, strict=True)
    words = ", ".join(layout.name_of(parameter.type, value) for parameter, value in pairs)
    return f"`{when.name}({words})`" if words else f"`{when.name}`"


def unusable_order_message(name: str, size: int, supplied: object) -> str:
    """The message for a supplied order that is not one of the pieces of a row or stack."""
    return (
        f"the supplied shuffle is not a permutation of the pieces: for `{name}`, the numbers 0 to {size - 1} are "
        f"expected in some order, not {described(supplied)}"
    )


def unusable_result_message(name: str, size: int, supplied: object) -> str:
    """The message for a supplied result of a roll or pick that is none of its results."""
    return (
        f"the supplied result is not one of the possible results: for `{name}`, a whole number from 0 to {size - 1} is "
        f"expected, not {described(supplied)}"
    )
