"""Values of the arguments of a move in notation."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.checker.types.sets import is_handfuls, taken_from
from dsl.checker.types.type_declarations import GREATEST_MEMBER
from dsl.symbols import RuleSymbol
from dsl.text.arguments import split_arguments
from dsl.text.numbers import whole_number
from dsl.types import Listed, Maybe, Number, PieceType, Several, Type, bare
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, StoredValue, number_in
from interpreter.runtime.layout import ME
from interpreter.seat.notation.reading import named_by
from interpreter.seat.notation.words import exact_words, value_words

MOST_VALUES = 6
"""Maximum number of values that are listed as examples."""


def argument_of(
    program: Program, state: Cells, rule: RuleSymbol, values: Sequence[StoredValue], text: str
) -> tuple[StoredValue] | None:
    """The value a text names for the next parameter of a rule after `values`, in a tuple; None if there is none."""
    type_ = rule.parameters[len(values)].type
    if isinstance(core := bare(type_), Several):
        return _set_of(program, state, rule, values, core, text)
    named = values_named(program, state, type_, text)
    if len(named) > 1:
        domain = domain_of(program, state, rule, values)
        named.sort(key=lambda value: domain is not None and value not in domain)
    return (named[0],) if named else None


def domain_of(
    program: Program, state: Cells, rule: RuleSymbol, values: Sequence[StoredValue]
) -> tuple[StoredValue, ...] | None:
    """The domain of the next parameter of a rule after `values`; None if it is a type, or does not exist here."""
    parameter = rule.declaration.parameters[len(values)]
    if parameter.domain is None or is_handfuls(parameter.domain):
        return None
    try:
        return program.members_of(parameter.domain, state, dict(zip(rule.parameters, values, strict=False)))
    except PlayError:
        return None


def values_named(program: Program, state: Cells, type_: Type, text: str) -> list[StoredValue]:
    """The values of a type that a text names, in this case or else in any; several only for pieces of one name."""
    core = bare(type_)
    if isinstance(type_, Maybe) and named_by(text, [(None, program.layout.name_of(core, None))]):
        return [None]
    if isinstance(core, Number):
        number = whole_number(text)
        return [] if number is None else [number]
    try:
        members = program.layout.members(core)
    except AssertionError:
        return []
    if isinstance(core, PieceType):
        names = [
            (value, name)
            for value in members
            for name in {
                value_words(program, state, core, value, state[ME]),
                exact_words(program, state, core, value, state[ME], True),
            }
        ]  # fmt: skip
    else:
        names = [(value, program.layout.name_of(core, value)) for value in members]
    return named_by(text, names)


def some_values(program: Program, type_: Type) -> str:
    """Some values of a type as they are written, `yan1, yan2, yan3, …`; empty for pieces, numbers and sets."""
    if not isinstance(type_, Listed):
        return ""
    names = [program.layout.name_of(type_, value) for value in program.layout.members(type_)]
    return ", ".join(names[:MOST_VALUES]) + ", …" * (len(names) > MOST_VALUES)


def _set_of(
    program: Program, state: Cells, rule: RuleSymbol, values: Sequence[StoredValue], type_: Several, text: str
) -> tuple[StoredValue] | None:
    """The set that a bracketed list names; of equal pieces those that can be chosen are preferred."""
    inside = text.strip()
    if inside[:1] + inside[-1:] not in ("[]", "{}"):
        return None
    members, offered = 0, offered_members(program, state, rule, len(values), values)
    for item in split_arguments(inside[1:-1]):
        candidates = map(number_in, values_named(program, state, type_.element, item))
        named = [value for value in candidates if 0 <= value <= GREATEST_MEMBER and not members >> value & 1]
        if not named:
            return None
        members |= 1 << min(named, key=lambda member: (not offered >> member & 1, member))
    return (members,)


def offered_members(
    program: Program, state: Cells, rule: RuleSymbol, index: int, values: Sequence[StoredValue] = ()
) -> int:
    """The members offered for a parameter that takes a subset; empty for others, or if it depends on unknown values."""
    domain = rule.declaration.parameters[index].domain
    names = dict(zip(rule.parameters, values, strict=False))
    missing = [parameter for parameter in rule.parameters if parameter not in names]
    if domain is None or not is_handfuls(domain):
        return 0
    if any(program.mentions(domain, parameter) for parameter in missing):
        return 0
    try:
        return program.set_of(taken_from(domain), state, names)
    except PlayError:
        return 0
