"""A fixed set of numbered actions for a game, by which every legal move of every decision can be made.

A move is *spelled* by one or more actions. Where the arguments of an action of the rules have few combinations, each
of these has a number: `drop: 3`. Otherwise they are chosen one after the other, `go, from: b1`, `go, to: c3`; a set is
chosen member by member until `enough`, a number of a wide range digit by digit. A piece is chosen by how it looks,
where several look so by where it lies, and last by its number among those that are still alike.

Which actions are legal follows from the legal moves alone: those that spell one of them further. After the first action
of a move, whatever has only one possible continuation is not asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import (
    Contents,
    Kind,
    Listed,
    ListType,
    Maybe,
    Nothing,
    Number,
    PieceType,
    Several,
    TextType,
    Truth,
    Type,
    Unknown,
    bare,
)
from interpreter.compiler.decisions import Decision, acts_of, chosen_type
from interpreter.compiler.ir import statements as st
from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, standing
from interpreter.environments.looks import Seen, held_in, kinds_of_type, look_name, numbered, seen_together, told_apart
from interpreter.errors import IllegalMoveError
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode, StoredValue, members_in, number_in
from interpreter.runtime.layout import ME

MAX_JOINT = 1000
"""Up to this many combinations of the arguments of an action are numbered at once."""

MAX_LISTED_NUMBERS = 256
"""Numbers of a wider range are chosen digit by digit."""

DIGITS = "0123456789"

Word = tuple[int, ...]
"""The actions that spell a move."""


@dataclass(frozen=True, slots=True)
class PartialMove:
    """A pending decision with what has been chosen of the move: `chosen` are the actions so far.

    `moves` are the legal moves that remain, by their number among all, each with the word that spells it.
    """

    chosen: Word
    moves: tuple[tuple[int, Word], ...]

    @property
    def number(self) -> int | None:
        """The number of the move among the legal ones, once it is chosen."""
        if not self.chosen or len(self.moves) != 1:
            return None
        return self.moves[0][0]

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """The actions that are legal now, in increasing order; none once a move is chosen or if nothing is decided."""
        if self.number is not None:
            return ()
        position = self._position
        return tuple(sorted({word[position] for _, word in self.moves}))

    @property
    def _position(self) -> int:
        """Where the words of the remaining moves differ next; the first action of a move is always asked for."""
        if not self.chosen:
            return 0
        words = [word for _, word in self.moves]
        position = 1
        while all(word[position] == words[0][position] for word in words):
            position += 1
        return position

    def choose(self, action: int) -> PartialMove:
        """Choose an action. Raises IllegalMoveError if it is not legal."""
        position = -1 if self.number is not None else self._position
        moves = [] if position < 0 else [one for one in self.moves if one[1][position] == action]
        if not moves:
            raise IllegalMoveError(f"action {action} is not legal now; there are {len(self.legal_actions)}")
        return PartialMove((*self.chosen, action), tuple(moves))

    def path(self, number: int) -> Word:
        """The actions that lead from here to the legal move of this number. Raises IllegalMoveError."""
        partial, word = self, dict(self.moves).get(number)
        if word is None:
            raise IllegalMoveError(f"there is no such move among those that remain: {number}")
        while partial.number is None:
            partial = partial.choose(word[partial._position])
        return partial.chosen[len(self.chosen) :]


@dataclass(frozen=True, slots=True)
class Group:
    """Actions that belong together: those from `first` on, by what each says."""

    name: str
    first: int
    words: tuple[str, ...]


class ActionSpace:
    """The actions of a game with its seats and options: how many there are, what each says, and which are legal.

    `spellers` spell moves, by the decision and the act. `done` is the action that declines. `places` maps the number of
    a place to the action that says that a piece lies there. `digits` is the first of the ten actions that number pieces
    which are alike. `is_compound` is true if some moves need several actions.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._names: list[str] = []
        self.groups: list[Group] = []
        self.spellers: dict[tuple[int, int], Speller] = {}
        self.is_compound = False
        self.done: int | None = None
        self.digits: int | None = None
        spellers: dict[object, Speller] = {}
        for point, decision in program.lowered.decisions.items():
            for act, name, key, parameters in _acts(program, decision):
                if key not in spellers:
                    spellers[key] = self._speller(name, parameters)
                self.spellers[point, act] = spellers[key]
        moves = [rule for rule in program.module.functions.values() if rule.kind == "moves"]
        if any(isinstance(node, st.EmitDone) for rule in moves for node in st.walk(rule.body)):
            self.done = self._group("done", [""])
        held = frozenset[str]().union(*(speller.piece_types for speller in spellers.values()))
        self.places: dict[int, int] = {}
        if held:
            self.places = self._places(held)
            self.digits = self._group("number among those alike", list(DIGITS))
        self.size = len(self._names)
        self.names = tuple(self._names)

    @property
    def shape(self) -> tuple[int]:
        """The shape of a mask of legal actions."""
        return (self.size,)

    def describe(self) -> str:
        """The groups of actions as lines of text: numbers, name, what each says."""
        lines = [f"{self.size} actions"]
        for group in self.groups:
            words = group.words if len(group.words) <= 8 else [*group.words[:4], "…", *group.words[-2:]]
            last = group.first + len(group.words) - 1
            numbers = str(last) if last == group.first else f"{group.first}..{last}"
            lines.append(f"{numbers}  {group.name}{': ' * bool(words[0])}{', '.join(words)}")
        return "\n".join(lines)

    def begin(self, state: Cells) -> PartialMove:
        """The pending decision, of whose move nothing has been chosen. Raises PlayError if a rule fails."""
        return PartialMove((), tuple(enumerate(self.words(state, self._program.legal(state)))))

    def words(self, state: Cells, legal: Sequence[MoveCode]) -> list[Word]:
        """The words that spell legal moves of the pending decision, in their order: all of them differ."""
        decision = self._program.decision(state)
        if decision is None:
            return []
        words = [self._word(state, decision, code) for code in legal]
        if len(set(words)) == len(words):
            return words
        groups: dict[Word, list[int]] = {}
        for number, word in enumerate(words):
            groups.setdefault(word, []).append(number)
        for numbers in groups.values():
            if len(numbers) > 1:
                self._tell_apart(state, decision, legal, numbers, words)
        return words

    def _word(self, state: Cells, decision: Decision, code: MoveCode) -> Word:
        if code[0] < 0:
            assert self.done is not None, "a decision that can be declined has `done`"
            return (self.done,)
        return self.spellers[decision.number, code[0]].word(state, code[1:])

    def _tell_apart(
        self, state: Cells, decision: Decision, legal: Sequence[MoveCode], numbers: Sequence[int], words: list[Word]
    ) -> None:
        """Make the words of moves differ that are spelled alike: by where pieces lie, and then by their number."""
        speller = self.spellers[decision.number, legal[numbers[0]][0]]
        locations = {number: tuple(self._locations(state, speller, legal[number])) for number in numbers}
        if len(set(locations.values())) > 1:
            for number in numbers:
                words[number] += locations[number]
        groups: dict[Word, list[int]] = {}
        for number in numbers:
            groups.setdefault(words[number], []).append(number)
        for alike in groups.values():
            if len(alike) < 2:
                continue
            # INVARIANT: an action must not tell a seat more than it sees. Moves that are alike differ only in which of
            # several pieces they mean that look the same; they are numbered in the order in which views list these
            # pieces for the seat.
            alike.sort(key=lambda number: (self._standing(state, speller, legal[number]), number))
            assert self.digits is not None, "moves that are spelled alike differ in pieces"
            width = len(str(len(alike) - 1))
            for rank, number in enumerate(alike):
                words[number] += tuple(self.digits + int(digit) for digit in f"{rank:0{width}}")

    def _locations(self, state: Cells, speller: Speller, code: MoveCode) -> Iterable[int]:
        """The actions that say where the pieces of a move lie."""
        cells = self._program.layout.place_cells
        return (self.places[state[cells + piece]] for piece in speller.pieces(state, code[1:]))

    def _standing(self, state: Cells, speller: Speller, code: MoveCode) -> list[object]:
        return [standing(self._program, state, state[ME], piece) for piece in speller.pieces(state, code[1:])]

    # ------------------------------------------------------------ laying it out

    def _group(self, name: str, words: Sequence[str]) -> int:
        """Number some actions; the first of them."""
        first = len(self._names)
        *_, name = numbered([*(group.name for group in self.groups), name])
        self.groups.append(Group(name, first, tuple(words)))
        self._names += [f"{name}{': ' * bool(word)}{word}" for word in words]
        return first

    def _places(self, types: frozenset[str]) -> dict[int, int]:
        """The action that says that a piece of some types lies in a place, by its number.

        Places that belong to pieces have that of their zone: which of these pieces it is may be hidden.
        """
        model, layout = self._program.model, self._program.layout
        zones = {zone for zone in model.zones if types.intersection(held_in(layout, zone))}
        of_pieces = {zone for zone in zones if any(map(_piece_types, model.zones[zone].index))}
        names: dict[str | int, str] = {}
        keys: dict[int, str | int] = {}
        for place in layout.places[1:]:
            if place.zone in zones:
                key = keys[place.number] = place.zone if place.zone in of_pieces else place.number
                names[key] = place.zone if place.zone in of_pieces else layout.place_name(place.number)
        first = self._group("the one in", list(names.values()))
        offsets = {key: offset for offset, key in enumerate(names)}
        return {place: first + offsets[key] for place, key in keys.items()}

    def _speller(self, name: str, parameters: Sequence[tuple[str, Type]]) -> Speller:
        program = self._program
        listed = [_few_values(program, type_) for _, type_ in parameters]
        if all(values is not None for values in listed):
            few = [values for values in listed if values is not None]
            if prod(map(len, few)) <= MAX_JOINT:
                combinations = list(product(*few))
                words = [
                    ", ".join(
                        program.layout.name_of(type_, value) for (_, type_), value in zip(parameters, row, strict=True)
                    )
                    for row in combinations
                ]
                first = self._group(name, words)
                return Joint(first, {row: number for number, row in enumerate(combinations)})
        self.is_compound = True
        parts = [self._part(f"{name}, {parameter}", type_) for parameter, type_ in parameters]
        return Compound(parts, frozenset().union(*(_piece_types(type_) for _, type_ in parameters)))

    def _part(self, name: str, type_: Type) -> Part:
        """What spells an argument of a type."""
        if isinstance(type_, Maybe):
            return OptionalPart(self._group(f"{name} is none", [""]), self._part(name, type_.of))
        match type_:
            case Several(element=element):
                member = self._part(f"{name} has", element)
                enough = self._group(f"{name} has enough", [""])
                return SetPart(self._program, member, enough, isinstance(element, Several))
            case PieceType():
                names, numbers = self._looks(type_)
                first = self._group(name, names)
                return PiecePart(self._program, {look: first + number for look, number in numbers.items()})
            case Number(low, high) if high - low >= MAX_LISTED_NUMBERS:
                width = len(str(max(abs(low), abs(high))))
                sign = self._group(f"{name} is negative", ["no", "yes"]) if low < 0 else None
                places = range(width, 0, -1)
                return DigitPart(sign, [self._group(f"{name}, digit {place}", list(DIGITS)) for place in places])
            case Truth() | Number() | Listed():
                values = self._program.layout.members(type_)
                first = self._group(name, [self._program.layout.name_of(type_, value) for value in values])
                return ListedPart({value: first + number for number, value in enumerate(values)})
            case Nothing() | Contents() | Kind() | ListType() | TextType() | Unknown():
                raise AssertionError(f"no argument is {type_}")

    def _looks(self, core: PieceType) -> tuple[list[str], dict[tuple[int, Seen], int]]:
        """The looks that pieces of some types can have anywhere: their names, and the number of each."""
        program = self._program
        names: dict[tuple[str, object], str] = {}
        numbers: dict[tuple[int, Seen], int] = {}
        for type_ in sorted(core.piece_types):
            if type_ not in program.layout.piece_range:
                continue
            zones = [zone for zone in program.model.zones if type_ in held_in(program.layout, zone)]
            sets_seen = dict.fromkeys(seen for zone in zones for seen in seen_together(program, zone, type_))
            for seen in sets_seen:
                for piece in kinds_of_type(program, type_):
                    values = tuple([(name, value) for name, value in piece.attributes.items() if name in seen])
                    names.setdefault((type_, values), look_name(program, piece, seen))
                    numbers[piece.kind, seen] = list(names).index((type_, values))
        return told_apart(list(names.values()), [type_ for type_, _ in names]), numbers


def _acts(program: Program, decision: Decision) -> Iterator[tuple[int, str, object, list[tuple[str, Type]]]]:
    """What a decision offers: the number of the act, its name, what it is, and its parameters with their types."""
    node = decision.node
    if isinstance(node, ast.Choose):
        # Choosing nothing, where that is possible, is `done`.
        yield 0, f"choose {node.name}", node.number, [(node.name, bare(chosen_type(program.model, node)))]
        return
    for number, act in enumerate(acts_of(node)):
        parameters = [(symbol.name, symbol.type) for symbol in program.model.rules[act.name].parameters]
        yield number, act.name, act.name, parameters


def _piece_types(type_: Type) -> frozenset[str]:
    """The types of the pieces in the values of a type."""
    core = bare(type_)
    if isinstance(core, Several):
        return _piece_types(core.element)
    return core.piece_types if isinstance(core, PieceType) else frozenset()


def _few_values(program: Program, type_: Type) -> list[StoredValue] | None:
    """The values of a type that can be numbered at once; None for those of pieces, sets and wide ranges."""
    core = bare(type_)
    if isinstance(core, PieceType | Several) or (isinstance(core, Number) and core.high - core.low >= MAX_JOINT):
        return None
    return [*program.layout.values(type_)]


# ---------------------------------------------------------------- how arguments are spelled
# Each has `word`, the actions that spell a value, and `pieces`, those in it in the order in which they are spelled.


@dataclass(frozen=True, eq=False)
class OptionalPart:
    """A value that may be none."""

    none: int
    of: Part

    def word(self, state: Cells, value: StoredValue) -> Word:
        """The actions that spell a value."""
        return (self.none,) if value is None else self.of.word(state, value)

    def pieces(self, state: Cells, value: StoredValue) -> list[int]:
        """The pieces in a value, in the order in which they are spelled."""
        return [] if value is None else self.of.pieces(state, value)


@dataclass(frozen=True, eq=False)
class ListedPart:
    """One of a few values, by the action for each."""

    actions: Mapping[StoredValue, int]

    def word(self, state: Cells, value: StoredValue) -> Word:
        """The actions that spell a value."""
        return (self.actions[value],)

    def pieces(self, state: Cells, value: StoredValue) -> list[int]:
        """The pieces in a value, in the order in which they are spelled."""
        return []


@dataclass(frozen=True, eq=False)
class DigitPart:
    """A number of a wide range: its sign if it can have one, and its digits, the highest first."""

    sign: int | None
    digits: Sequence[int]

    def word(self, state: Cells, value: StoredValue) -> Word:
        """The actions that spell a value."""
        number = number_in(value)
        sign = () if self.sign is None else (self.sign + (number < 0),)
        text = f"{abs(number):0{len(self.digits)}}"
        return (*sign, *[first + int(digit) for first, digit in zip(self.digits, text, strict=True)])

    def pieces(self, state: Cells, value: StoredValue) -> list[int]:
        """The pieces in a value, in the order in which they are spelled."""
        return []


@dataclass(frozen=True, eq=False)
class PiecePart:
    """A piece, by how it looks to the seat that decides."""

    program: Program
    actions: Mapping[tuple[int, Seen], int]

    def word(self, state: Cells, value: StoredValue) -> Word:
        """The actions that spell a value."""
        piece = number_in(value)
        seen = known_attributes(self.program, state, state[ME], piece)
        return (self.actions[self.program.layout.kind_of(piece), seen],)

    def pieces(self, state: Cells, value: StoredValue) -> list[int]:
        """The pieces in a value, in the order in which they are spelled."""
        return [number_in(value)]


@dataclass(frozen=True, eq=False)
class SetPart:
    """A set: its members in the order of the actions that spell them, and `enough`."""

    program: Program
    member: Part
    enough: int
    is_nested: bool

    def word(self, state: Cells, value: StoredValue) -> Word:
        """The actions that spell a value."""
        words = sorted(self.member.word(state, member) for member in self._members(value))
        return (*[action for word in words for action in word], self.enough)

    def pieces(self, state: Cells, value: StoredValue) -> list[int]:
        """The pieces in a value, in the order in which they are spelled."""
        # INVARIANT: as in `_tell_apart`, the order must not depend on what the seat does not see.
        by_sort_key: list[tuple[tuple[Word, list[object]], list[int]]] = []
        for member in self._members(value):
            pieces = self.member.pieces(state, member)
            standings: list[object] = [standing(self.program, state, state[ME], piece) for piece in pieces]
            by_sort_key.append(((self.member.word(state, member), standings), pieces))
        by_sort_key.sort(key=lambda entry: entry[0])
        return [piece for _, pieces in by_sort_key for piece in pieces]

    def _members(self, value: StoredValue) -> Iterable[StoredValue]:
        return members_in(value) if self.is_nested else bits(number_in(value))


Part = OptionalPart | ListedPart | DigitPart | PiecePart | SetPart
"""What spells the values of one parameter."""


@dataclass(frozen=True, eq=False)
class Joint:
    """An action of the rules whose combinations of arguments have a number each."""

    first: int
    numbers: Mapping[tuple[StoredValue, ...], int]
    piece_types: frozenset[str] = frozenset()

    def word(self, state: Cells, values: tuple[StoredValue, ...]) -> Word:
        """The actions that spell the arguments."""
        return (self.first + self.numbers[values],)

    def pieces(self, state: Cells, values: tuple[StoredValue, ...]) -> list[int]:
        """The pieces in the arguments, in the order in which they are spelled."""
        return []


@dataclass(frozen=True, eq=False)
class Compound:
    """An action of the rules whose arguments are chosen one after the other."""

    parts: Sequence[Part]
    piece_types: frozenset[str]

    def word(self, state: Cells, values: tuple[StoredValue, ...]) -> Word:
        """The actions that spell the arguments."""
        pairs = zip(self.parts, values, strict=True)
        return tuple([action for part, value in pairs for action in part.word(state, value)])

    def pieces(self, state: Cells, values: tuple[StoredValue, ...]) -> list[int]:
        """The pieces in the arguments, in the order in which they are spelled."""
        pairs = zip(self.parts, values, strict=True)
        return [piece for part, value in pairs for piece in part.pieces(state, value)]


Speller = Joint | Compound
