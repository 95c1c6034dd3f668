"""Why an argument of a move is not possible, in words: where a piece is instead, and which values are possible.

For example, `play red king` is refused with `red king is not in your hand; it is in discard`. The answer must not tell
the seat more than it sees. If the red king lies face down, the answer is that the seat does not see where it is; it is
the same whether the king is in the deck or in another hand. If the domain of the parameter reads something hidden, no
possible values are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl import ast
from dsl.checker.types.sets import taken_from
from dsl.symbols import RuleSymbol
from dsl.text.arguments import split_arguments
from dsl.types import PLAYER, Contents, PieceType, Several, Type, bare
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, StoredValue
from interpreter.runtime.layout import ME, OUT
from interpreter.seat.explain.evaluator import Bindings, SeatEvaluator
from interpreter.seat.explain.move_arguments import domain_of, values_named
from interpreter.seat.notation.reading import named_by
from interpreter.seat.notation.words import name_by_attributes, value_words
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
