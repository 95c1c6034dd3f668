"""The small numbers that stand for values of listed types.

Types that appear together in some `A or B` share one numbering, so that a value is the same number wherever it is used
and nothing has to be converted. All other types begin at 0.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.model import Model
from dsl.symbols import TypeSymbol
from dsl.types import Listed


def parts_of(symbol: TypeSymbol) -> tuple[str, ...]:
    """The member types of a union; empty for other types."""
    return symbol.type.parts if isinstance(symbol.type, Listed) else ()


def numberings(model: Model) -> dict[str, str]:
    """For each listed type a name for its numbering: that of one of the types that share it."""
    return {name: min(names) for name, names in sharing_types(model).items()}


def sharing_types(model: Model) -> dict[str, frozenset[str]]:
    """For each listed type those with which it shares its numbering."""
    sharing = {name: {name} for name, symbol in model.type_symbols.items() if not parts_of(symbol)}
    for symbol in model.type_symbols.values():
        joined = {name for part in parts_of(symbol) for name in sharing[part]}
        for name in joined:
            sharing[name] = joined
    return {name: frozenset(names) for name, names in sharing.items()}


def first_values(model: Model, count: Callable[[TypeSymbol], int]) -> dict[str, tuple[int, int]]:
    """For each listed type the number of its first value, and the number of values that share its numbering.

    `count` says how many values of a type the game has.
    """
    groups = sharing_types(model)
    room = dict.fromkeys(groups.values(), 0)
    first: dict[str, int] = {}
    for name, group in groups.items():
        first[name] = room[group]
        room[group] += count(model.type_symbols[name])
    return {name: (number, room[groups[name]]) for name, number in first.items()}
