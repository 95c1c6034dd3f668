"""Legal moves in words, which are rendered when they are read, from the state in which the moves were listed.

A decision may have thousands of moves, and a program that plays many games never reads their words, which cost more
than the moves themselves. So a `Move` is a code, a row of numbers, with a reference to the `Listing` it comes from,
which renders what is asked for and keeps it. The listing holds a copy of the state, because labels depend on it: `take
3 of 7` is to say what it said when the move was offered, even after others have been made.

Equal pieces have equal words. Where two moves would have the same notation, both are written so exactly that the pieces
are told apart, by position, `nth(2, row[A])`, or by number, `#7` (`_notations`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.text.arguments import split_arguments
from dsl.types import Type, numeric
from interpreter.compiler.decisions import acts_of, chosen_type
from interpreter.engine.program import Program
from interpreter.runtime.cells import Cells, MoveCode, StoredValue, number_in
from interpreter.runtime.layout import IDLE, ME, MOVES
from interpreter.seat.notation.words import (
    HIDDEN_WORD,
    VALUE,
    Placeholder,
    Sightings,
    action_name,
    exact_words,
    notation_of,
    placeholder,
    text_parts,
    with_value,
    without_value,
)
from interpreter.wording.phrases import Phrase

DECLINING = -1
"""The first number of the code of `done`."""

DECLINES = Phrase("go on")
"""The label of `done`."""


class Move:
    """A legal move. `notation` is unique among the legal moves of its decision and accepted by `push`.

    Its words are those of the moment when it was listed. They are rendered when they are read; all but `name` raise
    PlayError if a rule fails that they depend on.
    """

    __slots__ = ("_code", "_listing")

    def __init__(self, listing: Listing | Written, code: MoveCode) -> None:
        self._listing, self._code = listing, code

    @property
    def name(self) -> str:
        """The name of the action, `choose` or `done`."""
        return self._listing.name(self._code)

    @property
    def arguments(self) -> dict[str, str | int]:
        """The arguments by name: numbers, and anything else as in the notation."""
        return self._listing.arguments(self._code)

    @property
    def label(self) -> str:
        """The move as people read it."""
        return self._listing.label(self._code)

    @property
    def parts(self) -> tuple[str | Placeholder, ...]:
        """The label in parts: as the rules write it, and what its `{...}` stand for."""
        return self._listing.parts(self._code)

    @property
    def names(self) -> frozenset[str]:
        """The names of the listed values, such as places, in the label; if it has none, those among the arguments."""
        return self._listing.names(self._code)

    @property
    def concerned(self) -> frozenset[str]:
        """The names of the listed values in the label and among the arguments: all that the move is about."""
        return self._listing.concerned(self._code)

    @property
    def notation(self) -> str:
        """The move as saves and examples write it: `ask(ben, king)`."""
        return self._listing.notation(self._code)

    @property
    def code(self) -> MoveCode:
        """The move as numbered by the program."""
        return self._code

    def was_listed_in(self, program: Program, state: Cells) -> bool:
        """True if the move was surely listed in this state, or in an equal one, so that its code is legal there."""
        listing = self._listing
        return listing.codes is state[MOVES] or (isinstance(listing, Listing) and listing.is_of(program, state))

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        words = {name: getattr(self, name) for name in ("name", "arguments", "label", "notation")}
        return f"Move({', '.join(f'{name}={value!r}' for name, value in words.items())})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        # The same list of codes means the same state (`Listing`). Moves of other listings are equal if all their words
        # are.
        if self._listing.codes is other._listing.codes:
            return self._code == other._code
        return self.notation == other.notation and self._more_words() == other._more_words()

    def __hash__(self) -> int:
        return hash(self.notation)

    def __reduce__(self) -> tuple[object, ...]:
        return move_again, (
            self.name, self.arguments, self.label, self.notation, self._code, self.parts, self.names
        )  # fmt: skip

    def _more_words(self) -> tuple[str, dict[str, str | int], str]:
        return self.name, self.arguments, self.label


@dataclass(frozen=True, slots=True)
class Written:
    """The words of a single move that was copied or pickled; `codes` has only this one."""

    words: tuple[str, dict[str, str | int], str, str]
    codes: list[MoveCode]
    split: tuple[tuple[str | Placeholder, ...], frozenset[str]]

    def name(self, _: MoveCode) -> str:
        """See `Move.name`."""
        return self.words[0]

    def arguments(self, _: MoveCode) -> dict[str, str | int]:
        """See `Move.arguments`."""
        return self.words[1]

    def label(self, _: MoveCode) -> str:
        """See `Move.label`."""
        return self.words[2]

    def notation(self, _: MoveCode) -> str:
        """See `Move.notation`."""
        return self.words[3]

    def parts(self, _: MoveCode) -> tuple[str | Placeholder, ...]:
        """See `Move.parts`."""
        return self.split[0]

    def names(self, _: MoveCode) -> frozenset[str]:
        """See `Move.names`."""
        return self.split[1]

    def concerned(self, _: MoveCode) -> frozenset[str]:
        """See `Move.concerned`: its arguments are texts, which no longer say what they are."""
        return self.split[1]


def move_again(
    name: str, arguments: dict[str, str | int], label: str, notation: str, code: MoveCode,
    parts: tuple[str | Placeholder, ...], names: frozenset[str],
) -> Move:  # fmt: skip
    """Restore a copied or pickled move."""
    return Move(Written((name, dict(arguments), label, notation), [code], (parts, names)), code)


class Listing:
    """Legal moves of a decision, with the state in which they were listed; renders their words once.

    The state is not copied: whoever keeps the listing while the game goes on gives it one of its own. A program makes a
    new list for every state, so the same list of codes means the same state.
    """

    def __init__(self, program: Program, state: Cells, node: ast.Question, codes: Sequence[MoveCode]) -> None:
        self.program, self.state, self.node, self.codes = program, state, node, codes

    def is_of(self, program: Program, state: Cells) -> bool:
        """True if the moves were listed in a state equal to this one."""
        return self.program is program and _kept(state) == self.state

    def name(self, code: MoveCode) -> str:
        """See `Move.name`."""
        if code[0] == DECLINING:
            return "done"
        return "choose" if isinstance(self.node, ast.Choose) else action_name(acts_of(self.node)[code[0]].name)

    def notation(self, code: MoveCode) -> str:
        """See `Move.notation`."""
        return self._notations[code]

    def label(self, code: MoveCode, sightings: Sightings | None = None) -> str:
        """See `Move.label`; `sightings`: what the seat came to see of the arguments by the move."""
        return "".join(map(str, self._label(code, sightings) if sightings else self.parts(code)))

    def parts(self, code: MoveCode) -> tuple[str | Placeholder, ...]:
        """See `Move.parts`."""
        if code not in self._parts:
            self._parts[code] = tuple(self._label(code, None))
        return self._parts[code]

    def names(self, code: MoveCode) -> frozenset[str]:
        """See `Move.names`."""
        return _names_in(self.parts(code)) or _names_in(self._values(code))

    def concerned(self, code: MoveCode) -> frozenset[str]:
        """See `Move.concerned`."""
        return _names_in(self.parts(code)) | _names_in(self._values(code))

    def arguments(self, code: MoveCode) -> dict[str, str | int]:
        """See `Move.arguments`."""
        if code not in self._arguments:
            self._arguments[code] = self._named_values(code)
        return self._arguments[code]

    def observer_label(self, code: MoveCode, seat: int, sightings: Sightings | None = None) -> str:
        """The label that another seat is shown; `sightings`: what it came to see of the arguments by the move."""
        if code[0] == DECLINING:
            return self.label(code)
        if isinstance(self.node, ast.Choose):
            type_, (value,) = chosen_type(self.program.model, self.node), code[1:]
            words = placeholder(self.program, self.state, type_, value, seat, sightings=sightings).words
            return self.program.words.choice(self.node.name, words)
        rule = self._rule(code)
        return label_of(self.program, self.state, rule, code[1:], seat, others=True, sightings=sightings)

    # ------------------------------------------------------------ rendering

    @cached_property
    def _notations(self) -> dict[MoveCode, str]:
        plain = {code: self._written(code, exact=False) for code in self.codes}
        # Exact words only where they are needed: they are long, and a save that has them depends on how pieces are
        # numbered.
        times = Counter(plain.values())
        return {code: self._written(code, True) if times[text] > 1 else text for code, text in plain.items()}

    @cached_property
    def _parts(self) -> dict[MoveCode, tuple[str | Placeholder, ...]]:
        return {}

    @cached_property
    def _arguments(self) -> dict[MoveCode, dict[str, str | int]]:
        return {}

    def _rule(self, code: MoveCode) -> RuleSymbol:
        return self.program.model.rules[acts_of(self.node)[code[0]].name]

    def _written(self, code: MoveCode, exact: bool) -> str:
        program, state, seat = self.program, self.state, self.state[ME]
        if code[0] == DECLINING:
            return "done"
        if isinstance(self.node, ast.Choose):
            (value,) = code[1:]
            return f"choose({exact_words(program, state, chosen_type(program.model, self.node), value, seat, exact)})"
        rule = self._rule(code)
        words = [
            exact_words(program, state, parameter.type, value, seat, exact)
            for parameter, value in zip(rule.parameters, code[1:], strict=True)
        ]
        return notation_of(rule, words)

    def _label(self, code: MoveCode, sightings: Sightings | None) -> Iterator[str | Placeholder]:
        program, state, seat = self.program, self.state, self.state[ME]
        if code[0] == DECLINING:
            yield program.words.phrase(DECLINES)
        elif isinstance(self.node, ast.Choose):
            yield from self._values(code, sightings)
        else:
            yield from label_parts(program, state, self._rule(code), code[1:], seat, False, sightings)
        if positions := _positions(program, self.notation(code)):
            yield Placeholder(positions)

    def types(self, code: MoveCode) -> list[Type]:
        """The types of the arguments, or of what is chosen."""
        if code[0] == DECLINING:
            return []
        if isinstance(self.node, ast.Choose):
            return [chosen_type(self.program.model, self.node)]
        return [parameter.type for parameter in self._rule(code).parameters]

    def _values(self, code: MoveCode, sightings: Sightings | None = None) -> Iterator[Placeholder]:
        """The arguments, or what is chosen."""
        program, state, seat = self.program, self.state, self.state[ME]
        for type_, value in zip(self.types(code), code[1:], strict=True):
            yield placeholder(program, state, type_, value, seat, sightings=sightings)

    def _named_values(self, code: MoveCode) -> dict[str, str | int]:
        if code[0] == DECLINING:
            return {}
        notation = self.notation(code)
        if isinstance(self.node, ast.Choose):
            words = notation.removeprefix("choose(").removesuffix(")")
            (value,) = code[1:]
            return {self.node.name: _plain_value(chosen_type(self.program.model, self.node), value, words)}
        rule = self._rule(code)
        written = split_arguments(notation.partition("(")[2].removesuffix(")"))
        texts = without_value(rule, written)
        named = {
            parameter.name: _plain_value(parameter.type, value, text)
            for parameter, value, text in zip(rule.parameters, code[1:], texts, strict=False)
        }
        clause = rule.declaration.clause
        return named if clause is None or clause.value is None else {VALUE: written[0], **named}


def moves_in_words(program: Program, state: Cells, codes: Sequence[MoveCode]) -> tuple[Move, ...]:
    """The legal moves of the pending decision for the seat that decides, with the words they have now."""
    decision = program.decision(state)
    if decision is None:
        return ()
    listing = Listing(program, _kept(state), decision.node, codes)
    return tuple([Move(listing, code) for code in codes])


def _kept(state: Cells) -> Cells:
    """A copy of a state without what does not belong to the game."""
    cells = Cells(state)
    cells[IDLE] = 0
    return cells


def rendered(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Copies of moves with all their words, whose reading cannot fail any more. Raises PlayError."""
    return tuple(copy(move) for move in moves)


def label_of(
    program: Program, state: Cells, rule: RuleSymbol, values: Sequence[StoredValue], seat: int | None, others: bool,
    sightings: Sightings | None = None,
) -> str:  # fmt: skip
    """The label of a move; `others`: as shown to those who do not make it."""
    return "".join(map(str, label_parts(program, state, rule, values, seat, others, sightings)))


def label_parts(
    program: Program, state: Cells, rule: RuleSymbol, values: Sequence[StoredValue], seat: int | None, others: bool,
    sightings: Sightings | None = None,
) -> list[str | Placeholder]:  # fmt: skip
    """The label of a move in parts; see `label_of`. Without a label, the name of the action and its arguments."""
    declaration = rule.declaration
    secret = _secret_parameters(rule) if others else frozenset()
    if isinstance(declaration, ast.Action) and declaration.label is not None:
        names = dict(zip(rule.parameters, values, strict=True))
        return text_parts(program, state, declaration.label, names, seat, secret, sightings)
    words = [
        Placeholder(HIDDEN_WORD) if symbol in secret
        else placeholder(program, state, symbol.type, value, seat, sightings=sightings)
        for symbol, value in zip(rule.parameters, values, strict=True)
    ]  # fmt: skip
    written = with_value(rule, [word.words for word in words])
    if declaration.clause is not None and declaration.clause.value is not None:
        words = [Placeholder(written[0]), *words[len(words) + 1 - len(written) :]]
    parts: list[str | Placeholder] = [program.words.heading(action_name(rule.name))]
    for word in words:
        parts += [" ", word]
    return parts


def _secret_parameters(rule: RuleSymbol) -> frozenset[LocalSymbol]:
    pairs = zip(rule.parameters, rule.declaration.parameters, strict=True)
    return frozenset(symbol for symbol, parameter in pairs if parameter.secret)


def _names_in(parts: Iterable[str | Placeholder]) -> frozenset[str]:
    return frozenset(name for part in parts if isinstance(part, Placeholder) for name in part.names)


def _plain_value(type_: Type, value: StoredValue, words: str) -> str | int:
    return int(number_in(value)) if numeric(type_) and value is not None else words


def _positions(program: Program, notation: str) -> str:
    """Describe the pieces that a notation tells apart from equal ones: ` (number 2 of row[A])`, ` (#7)`."""
    words = program.words
    texts = []
    for number, zone, index, piece in re.findall(r"\bnth\((\d+), (\w+)(?:\[([^\]]*)\])?\)| (#\d+)\b", notation):
        if piece:
            texts.append(piece)
            continue
        place = words.place(zone, [words.name(value) for value in index.split(", ")] if index else ())
        texts.append(words.phrase("number {number} of {place}", number=number, place=place))
    return f" ({', '.join(texts)})" if texts else ""
