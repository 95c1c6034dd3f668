"""Why an argument of a move is not possible, in words: where a piece is instead, and which values are possible.

For example, `play red king` is refused with `red king is not in your hand; it is in discard`. The answer must not tell
the seat more than it sees. If the red king lies face down, the answer is that the seat does not see where it is; it is
the same whether the king is in the deck or in another hand. If the domain of the parameter reads something hidden, no
possible values are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl import ast
from dsl.checker.types.sets import is_handfuls, taken_from
from dsl.checker.types.type_declarations import MAX_MEMBER
from dsl.symbols import RuleSymbol
from dsl.text.arguments import split_arguments
from dsl.text.numbers import whole_number
from dsl.types import PLAYER, Contents, Listed, Maybe, Number, PieceType, Several, Type, bare
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, StoredValue, number_in
from interpreter.runtime.layout import ME, OUT
from interpreter.seat.explain.evaluator import Bindings, SeatEvaluator
from interpreter.seat.notation.reading import named_by
from interpreter.seat.notation.words import exact_words, name_by_attributes, value_words
from interpreter.seat.redaction import HiddenValueError
from interpreter.wording.words import PLAIN, Words

MAX_LISTED = 6
"""Maximum number of values that are listed in a sentence."""


def listed(texts: Iterable[str], words: Words = PLAIN) -> str:
    """Some of several words, and how many more there are."""
    distinct = list(dict.fromkeys(texts))
    more, first = len(distinct) - MAX_LISTED, ", ".join(distinct[:MAX_LISTED])
    return words.phrase("{first} and {number} more", first=first, number=more) if more > 0 else first


def impossible(thing: str, others: Iterable[str], words: Words) -> str:
    """The sentence that something cannot be chosen, with what can be."""
    possible = listed(others, words)
    if not possible:
        return words.phrase("{thing} cannot be chosen here", thing=thing)
    return words.phrase("{thing} cannot be chosen here, only {others}", thing=thing, others=possible)


class Refusals:
    """Refusals of arguments of one action, for the seat that decides."""

    def __init__(self, program: Program, state: Cells, rule: RuleSymbol) -> None:
        self.program, self.state, self.rule, self.seat = program, state, rule, state[ME]
        self.evaluator = SeatEvaluator(program, self.seat)

    def outside_domain(self, values: Sequence[StoredValue], value: StoredValue) -> str:
        """Why a value is not possible for the parameter after `values`, whose domain it is outside of."""
        type_ = self.rule.parameters[len(values)].type
        words = self._words(type_, value)
        place = self._place(values)
        if place is not None and isinstance(bare(type_), PieceType):
            return self._absent(words, self._place_words(place), self._elsewhere(bare(type_), words))
        domain = self.rule.declaration.parameters[len(values)].domain
        if not self.evaluator.is_open(domain, self._names(values), self.state):
            return impossible(words, (), self.program.words)
        members = domain_of(self.program, self.state, self.rule, values) or ()
        return impossible(words, (self._words(type_, member) for member in members), self.program.words)

    def unseen_piece(self, values: Sequence[StoredValue], text: str) -> str:
        """Why a piece of the game, alone or in a list, that the seat sees nowhere is not possible; else empty."""
        core = bare(self.rule.parameters[len(values)].type)
        inside = text.strip()
        in_list = isinstance(core, Several) and inside[:1] + inside[-1:] == "[]"
        type_ = bare(core.element) if isinstance(core, Several) else core
        if not isinstance(type_, PieceType) or isinstance(core, Several) is not in_list:
            return ""
        for item in split_arguments(inside[1:-1]) if in_list else [inside]:
            words = self._kind_words(type_, item)
            if words and not values_named(self.program, self.state, type_, item):
                return self._not_seen(words, self._place(values))
        return ""

    def _not_seen(self, words: str, place: int | None) -> str:
        pieces = () if place is None else self.program.contents(self.state, place)
        if place is None or not all(fully_seen(self.program, self.state, self.seat, piece) for piece in pieces):
            return self.program.words.phrase("you do not see where {piece} is", piece=words)
        return self.program.words.phrase(
            "{piece} is not in {place}, and you do not see where it is", piece=words, place=self._place_words(place)
        )

    def _absent(self, piece: str, place: str, elsewhere: str) -> str:
        """That a piece is not in a place, and where else pieces of this name are."""
        if not elsewhere:
            return self.program.words.phrase("{piece} is not in {place}", piece=piece, place=place)
        return self.program.words.phrase(
            "{piece} is not in {place}; it is in {elsewhere}", piece=piece, place=place, elsewhere=elsewhere
        )

    def _kind_words(self, type_: PieceType, text: str) -> str:
        """The whole name of a piece that a text names, wherever it is; empty if there is no such piece."""
        layout = self.program.layout
        pieces = layout.members(type_)
        named = named_by(text, [(piece, layout.piece_name(piece)) for piece in pieces])
        if not named:
            return ""
        return name_by_attributes(self.program, named[0], layout.pieces[named[0]].attributes, self.program.words)

    def _elsewhere(self, type_: Type, words: str) -> str:
        """Where pieces of this name lie that the seat sees; empty if it sees none."""
        # INVARIANT: only pieces that the seat sees with all attributes are named, so the answer is the same in every
        # state that the seat cannot tell from this one.
        seen = (
            piece for piece in self.program.layout.members(type_)
            if fully_seen(self.program, self.state, self.seat, piece) and self._words(type_, piece) == words
        )  # fmt: skip
        places = [self.state[self.program.layout.place_cells + piece] for piece in seen]
        return listed(map(self._place_words, places), self.program.words)

    def _words(self, type_: Type, value: StoredValue) -> str:
        return value_words(self.program, self.state, type_, value, self.seat, self.program.words)

    def _names(self, values: Sequence[StoredValue]) -> Bindings:
        return Bindings.of(self.rule.parameters[: len(values)], values)

    def _place(self, values: Sequence[StoredValue]) -> int | None:
        """The place whose pieces a parameter takes; None if it takes others, or the seat may not know which."""
        domain = self.rule.declaration.parameters[len(values)].domain
        node = None if domain is None else taken_from(domain)
        if not isinstance(node, ast.Name | ast.Index) or not isinstance(
            self.program.model.types.get(node.number), Contents
        ):
            return None
        try:
            return self.program.place_of(node, self.evaluator.redacted(self.state), self._names(values).values)
        except (HiddenValueError, PlayError):
            return None

    def _place_words(self, number: int) -> str:
        """A place as the seat reads it: `your hand`, `row of B`."""
        program, words = self.program, self.program.words
        if number == OUT:
            return program.layout.place_name(number)
        place = program.layout.places[number]
        types = program.model.zones[place.zone].index
        index = [self._words(type_, value) for type_, value in zip(types, place.index, strict=True)]
        place_in_words, name = words.place(place.zone, index), words.heading(place.zone)
        if "[" not in place_in_words:
            return place_in_words if index else name
        if types == (PLAYER,) and place.index == (self.seat,):
            return words.phrase("your {name}", name=name)
        return words.phrase("{name} of {owner}", name=name, owner=", ".join(index))


# ------------------------------------------------------------ values of the arguments of a move in notation


MAX_VALUES = 6
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
        # For `card #3` all pieces that look alike are put in order, once for each of them: only where it can be meant.
        exactly, seat = (False, True) if "#" in text or "(" in text else (False,), state[ME]
        names = [
            (value, exact_words(program, state, core, value, seat, exact)) for value in members for exact in exactly
        ]
    else:
        names = [(value, program.layout.name_of(core, value)) for value in members]
    return named_by(text, names)


def some_values(program: Program, type_: Type) -> str:
    """Some values of a type as they are written, `yan1, yan2, yan3, …`; empty for pieces, numbers and sets."""
    if not isinstance(type_, Listed):
        return ""
    names = [program.layout.name_of(type_, value) for value in program.layout.members(type_)]
    return ", ".join(names[:MAX_VALUES]) + ", …" * (len(names) > MAX_VALUES)


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
        named = [value for value in candidates if 0 <= value <= MAX_MEMBER and not members >> value & 1]
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
