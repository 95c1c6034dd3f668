"""Rendering of pieces and values as text, restricted to what a seat may know.

The same piece is `red king` for a seat that sees all its attributes, `red card` for one that sees only its owner, and
`card` for one that sees nothing: the type is added where the words do not identify a kind. Two cards with the same text
are then told apart by `nth(2, row)` or, without an order, `card #2` (`exact_words`).

Functions with `words` render for people, in these words; without them names are plain, as in the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.text.arguments import split_arguments
from dsl.types import PLAYER, Contents, Kind, Listed, PieceType, Several, Truth, Type, bare, numeric
from interpreter.compiler.decisions import Decision, acts_of
from interpreter.compiler.names import Names
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen, in_order, known_attributes, look, number_among_alike, value_standing
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, StoredValue, members_in, number_in
from interpreter.runtime.layout import OUT, Layout
from interpreter.wording.words import PLAIN, Words, number_before

HIDDEN_WORD = "…"


Sightings = Mapping[int, frozenset[str]]
"""Of pieces of which a seat came to see more than where they lie: the attributes that it came to see."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """The replacement for a `{...}` of a text: its words, and the names of the listed values, such as places, in it."""

    words: str
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.words


def piece_words(
    program: Program, state: Cells, piece: int, seat: int | None, words: Words = PLAIN, number: int = 1
) -> str:  # fmt: skip
    """Name a piece as a seat may know it where it lies."""
    return name_by_attributes(program, piece, known_attributes(program, state, seat, piece), words, number)


def name_by_attributes(
    program: Program, piece: int, visible: Iterable[str], words_shown: Words = PLAIN, number: int = 1
) -> str:
    """Name a piece by its known attributes, seats first; with its type if some are unknown."""
    info = program.layout.pieces[piece]
    visible = frozenset(visible)
    if not words_shown.is_plain:
        types = program.model.pieces[info.type].attributes
        named = {name: word for name, word in program.layout.attribute_words(piece).items() if name in visible}
        seats = [name for name in named if bare(types[name]) == PLAYER]
        return words_shown.piece(info.type, named, seats, len(visible) == len(info.attributes), number)
    words = program.layout.piece_words(piece, visible)
    if words and len(visible) == len(info.attributes):
        return words
    return f"{words} {info.type.lower()}".lstrip()


def value_words(
    program: Program,
    state: Cells,
    type_: Type,
    value: StoredValue,
    seat: int | None,
    words: Words = PLAIN,
    number: int = 1,
) -> str:
    """Render a value of a type; `number` is how many there are, which decides between singular and plural."""
    core = bare(type_)
    if isinstance(core, Contents):
        core = Several(core.pieces)
    if isinstance(core, Several):
        if not value:
            return words.name("nothing")
        if isinstance(core.element, Several):
            members = sorted(
                members_in(value), key=lambda member: value_standing(program, state, seat, core.element, member)
            )
            return "; ".join(value_words(program, state, core.element, member, seat, words) for member in members)
        return ", ".join(member_words(program, state, core.element, number_in(value), seat, words))
    if value is not None and isinstance(core, PieceType):
        return piece_words(program, state, number_in(value), seat, words=words, number=number)
    if isinstance(core, Kind):
        return words.name(str(value), number)
    return words.name(program.layout.name_of(type_, value), number)


def member_words(
    program: Program, state: Cells, element: Type, value: int, seat: int | None, words: Words = PLAIN
) -> list[str]:
    """Render the members of a set, pieces in the order in which they are listed for the seat."""
    members = bits(value)
    if isinstance(bare(element), PieceType):
        members = in_order(program, state, seat, members)
    return [value_words(program, state, element, member, seat, words) for member in members]


def place_words(program: Program, state: Cells, number: int, seat: int | None, words: Words = PLAIN) -> str:
    """Render a place as a seat may know it: `hand[red]`, `on[card]`."""
    if number == OUT:
        return program.layout.place_name(number)
    place = program.layout.places[number]
    return slot_words(program, state, place.zone, program.model.zones[place.zone].index, place.index, seat, words)


def slot_words(
    program: Program, state: Cells, name: str, types: Iterable[Type], slot: Iterable[StoredValue], seat: int | None,
    words: Words = PLAIN,
) -> str:  # fmt: skip
    """Render a zone, note or die with its index as a seat may know it."""
    index = [
        value_words(program, state, type_, value, seat, words) + among_equals(program, state, type_, value, seat, words)
        for type_, value in zip(types, slot, strict=True)
    ]
    return words.place(name, index)


def among_equals(
    program: Program, state: Cells, type_: Type, value: StoredValue, seat: int | None, words: Words
) -> str:  # fmt: skip
    """Which of several pieces of one name in a row or stack is meant, ` (number 2 of row A)`; empty for other values.

    Only people read it, about a piece that the seat sees.
    """
    if words.is_plain or value is None or not isinstance(bare(type_), PieceType):
        return ""
    piece = number_in(value)
    if seat is not None and not fully_seen(program, state, seat, piece):
        return ""
    place = state[program.layout.place_cells + piece]
    pieces = pieces_in_order(program, state, place)
    names = [piece_words(program, state, other, seat, words=words) for other in pieces]
    if piece not in pieces or names.count(names[pieces.index(piece)]) < 2:
        return ""
    where = place_words(program, state, place, seat, words)
    return f" ({words.phrase('number {number} of {place}', number=pieces.index(piece) + 1, place=where)})"


def pieces_in_order(program: Program, state: Cells, place: int) -> list[int]:
    """The pieces of a row from the left, of a stack from the top; none of a place without an order."""
    if place == OUT or not (order := program.layout.places[place].order):
        return []
    pieces = list(state[order])
    return pieces[::-1] if program.layout.places[place].shape == "stack" else pieces


def text_words(program: Program, state: Cells, text: ast.Text, names: Names, seat: int | None) -> str:
    """Render a text for people with its `{...}` filled in."""
    return "".join(map(str, text_parts(program, state, text, names, seat)))


def text_parts(
    program: Program, state: Cells, text: ast.Text, names: Names, seat: int | None,
    masked: frozenset[LocalSymbol] = frozenset(), sightings: Sightings | None = None,
) -> list[str | Placeholder]:  # fmt: skip
    """A text for people in parts: as written, and what its `{...}` stand for.

    Of parts that mention a masked parameter nothing is shown. `sightings` count where the text names a parameter: what
    it says by way of the state stays as it was.
    """

    def filled(part: ast.Expression, number: int) -> Placeholder:
        if any(program.mentions(part, symbol) for symbol in masked):
            return Placeholder(HIDDEN_WORD)
        named = sightings if program.model.refers.get(part.number) in names else None
        value, type_ = program.value_of(part, state, names), program.model.types[part.number]
        return placeholder(program, state, type_, value, seat, number, named)

    return filled_parts(program, text, filled)


def filled_text(
    program: Program, state: Cells, text: ast.Text, value_of: Callable[[ast.Expression], StoredValue], seat: int | None
) -> str:
    """Render a text for people from the values of its expressions."""

    def filled(part: ast.Expression, number: int) -> Placeholder:
        return placeholder(program, state, program.model.types[part.number], value_of(part), seat, number)

    return "".join(map(str, filled_parts(program, text, filled)))


def filled_parts(
    program: Program, text: ast.Text, filled: Callable[[ast.Expression, int], Placeholder]
) -> list[str | Placeholder]:
    """A text for people in parts, its expressions `filled`; what stands after a number and a blank is counted."""
    parts: list[str | Placeholder] = []
    text_so_far = ""
    for part in program.words.parts(text):
        if isinstance(part, str):
            parts.append(part)
        else:
            parts.append(filled(part, number_before(text_so_far)))
        text_so_far += str(parts[-1])
    return parts


def placeholder(
    program: Program, state: Cells, type_: Type, value: StoredValue, seat: int | None, number: int = 1,
    sightings: Sightings | None = None,
) -> Placeholder:  # fmt: skip
    """A value of a type as a part of a text for people; `number` is how many there are."""
    core = bare(type_)
    words = (
        value_words(program, state, type_, value, seat, program.words, number)
        if not sightings or value is None
        else _words_with_sightings(program, state, core, value, seat, number, sightings)
    )
    if isinstance(core, Listed) and value is not None:
        return Placeholder(words, (program.layout.name_of(core, value),))
    if isinstance(core, Several) and isinstance(core.element, Listed):
        return Placeholder(
            words, tuple(program.layout.name_of(core.element, member) for member in bits(number_in(value or 0)))
        )
    return Placeholder(words)


def _words_with_sightings(
    program: Program, state: Cells, type_: Type, value: StoredValue, seat: int | None, number: int,
    sightings: Sightings,
) -> str:  # fmt: skip
    """A value in which pieces are named by what the seat sees of them where they lie, and by what it came to see."""
    element = type_.pieces if isinstance(type_, Contents) else type_.element if isinstance(type_, Several) else None
    if not isinstance(bare(element or type_), PieceType):
        return value_words(program, state, type_, value, seat, program.words, number)
    if element is None:
        seen = known_attributes(program, state, seat, number_in(value)) | sightings.get(number_in(value), frozenset())
        return name_by_attributes(program, number_in(value), seen, program.words, number)
    # INVARIANT: the order follows from what the seat has seen, never from the numbers of pieces.
    seen_of = {
        piece: known_attributes(program, state, seat, piece) | sightings.get(piece, frozenset())
        for piece in bits(number_in(value))
    }
    members = sorted(seen_of, key=lambda piece: look(program, piece, seen_of[piece]))
    return ", ".join(name_by_attributes(program, piece, seen_of[piece], program.words) for piece in members)


def kept_values(text: ast.Text, values: Iterator[StoredValue]) -> Callable[[ast.Expression], StoredValue]:
    """The values of the expressions of a text, which were kept in the order in which the text has them."""
    value_by_node = {part.number: next(values) for part in text.parts if not isinstance(part, str)}
    return lambda part: value_by_node[part.number]


def progress_of(program: Program, state: Cells, decision: Decision) -> str:
    """The progress of a choice of several: `1 of 2`, `0 of up to 3`, `1 of 2 to 3`; empty if only one is chosen."""
    amount = decision.node.amount if isinstance(decision.node, ast.Choose) else None
    if decision.chosen is None or amount is None:
        return ""
    most = most_chosen(program, state, decision)
    fewest = most if amount.fewest is None else program.number_of(amount.fewest, state, decision.names)
    limit = "up to " if amount.fewest is None and not amount.exactly else f"{fewest} to " if fewest < most else ""
    return f"{state[decision.chosen].bit_count()} of {limit}{most}"


def most_chosen(program: Program, state: Cells, decision: Decision) -> int:
    """How many things may be chosen one after the other."""
    amount = decision.node.amount if isinstance(decision.node, ast.Choose) else None
    return 1 if amount is None else program.number_of(amount.most, state, decision.names)


def question_names(node: ast.Question) -> tuple[str, ...]:
    """The names of the actions a question offers, or of what it lets somebody choose."""
    acts = dict.fromkeys(action_name(act.name) for act in acts_of(node))
    return tuple(acts) if isinstance(node, ast.Decide) else (f"choose {node.name}",)


def exact_words(program: Program, state: Cells, type_: Type, value: StoredValue, seat: int, exact: bool) -> str:
    """Render a value; with `exact`, a piece by its place, `nth(2, row)`, which is unambiguous.

    A set of pieces is written as a list, `[red king, ace]`, a set of values as a set.
    """
    core = bare(type_)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        mask = number_in(value or 0)
        words = member_words(program, state, core.element, mask, seat)
        if exact:
            members = bits(mask)
            # In the order of their numbers, hidden pieces would be sorted by kind.
            if not all(fully_seen(program, state, seat, member) for member in members):
                members = in_order(program, state, seat, members)
            words = [exact_words(program, state, core.element, member, seat, True) for member in members]
        return f"[{', '.join(words)}]"
    if exact and isinstance(bare(type_), PieceType) and value is not None:
        piece = number_in(value)
        place = state[program.layout.place_cells + piece]
        if pieces := pieces_in_order(program, state, place):
            return f"nth({pieces.index(piece) + 1}, {program.layout.place_name(place)})"
        # Pieces of a kind are numbered one after the other, so the number of a hidden piece would say what it is.
        number = piece if fully_seen(program, state, seat, piece) else number_among_alike(program, state, seat, piece)
        return f"{piece_words(program, state, piece, seat)} #{number}"
    if isinstance(bare(type_), Several):
        return "{" + (value_words(program, state, type_, value, seat) if value else "") + "}"
    return value_words(program, state, type_, value, seat)


# ---- Values of the language as plain Python values, restricted to what a seat may know


Scalar = bool | int | str | None
"""A truth value, a number, the name of anything else (a seat, a place, a piece, a member of a type), or none."""

Value = Scalar | tuple[Scalar, ...] | tuple[tuple[Scalar, ...], ...]
"""A single value, a set of them, or a set of sets."""


def plain_scalar(layout: Layout, type_: Type, value: StoredValue) -> Scalar:
    """The plain value of a type that holds neither pieces nor sets."""
    if value is None:
        return None
    core = bare(type_)
    if isinstance(core, Truth):
        return bool(value)
    return int(number_in(value)) if numeric(core) else layout.name_of(core, value)


def plain_value(program: Program, state: Cells, type_: Type, value: StoredValue, seat: int | None) -> Value:
    """A value of any type; pieces are named as the seat may know them, in the order they are listed for it."""
    core = bare(type_)
    if isinstance(core, Contents):
        core = Several(core.pieces)
    if not isinstance(core, Several):
        return _scalar(program, state, core, value, seat)
    if isinstance(core.element, Several):
        member_type = core.element.element
        sets = sorted(
            members_in(value or ()), key=lambda member: value_standing(program, state, seat, core.element, member)
        )
        return tuple(_members(program, state, member_type, member, seat) for member in sets)
    return _members(program, state, core.element, value, seat)


def _members(program: Program, state: Cells, element: Type, value: StoredValue, seat: int | None) -> tuple[Scalar, ...]:
    members = bits(number_in(value or 0))
    if isinstance(bare(element), PieceType):
        members = in_order(program, state, seat, members)
    return tuple(_scalar(program, state, element, member, seat) for member in members)


def _scalar(program: Program, state: Cells, type_: Type, value: StoredValue, seat: int | None) -> Scalar:
    core = bare(type_)
    if value is None:
        return None
    if isinstance(core, PieceType):
        return piece_words(program, state, number_in(value), seat)
    if isinstance(core, Truth) or numeric(core):
        return plain_scalar(program.layout, core, value)
    return value_words(program, state, core, value, seat)


# ---- Moves by the clauses of actions: `play(cellar, [2 copper])` is a move of the clause `play(cellar)`


VALUE = "value"
"""The argument that says which clause a move belongs to."""


def action_name(name: str) -> str:
    """The name of an action, that of a clause without its value."""
    return name.partition("(")[0]


def with_value(rule: RuleSymbol, words: Sequence[str]) -> list[str]:
    """The arguments of a move as they are written: the value of the clause, then the others."""
    clause = rule.declaration.clause
    match clause.value if clause is not None else None:
        case None:
            return list(words)
        case ast.Name(name=name):
            return [name, *words]
        case ast.Call(arguments=arguments):
            assert clause is not None
            count = len(arguments)
            return [f"{clause.key}({', '.join(words[:count])})", *words[count:]]


def notation_of(rule: RuleSymbol, words: Sequence[str]) -> str:
    """A move from the words of its arguments."""
    written = with_value(rule, words)
    return f"{action_name(rule.name)}({', '.join(written)})" if written else rule.name


def without_value(rule: RuleSymbol, texts: Sequence[str]) -> list[str]:
    """The arguments of the clause itself, from those of a move as they are written."""
    clause = rule.declaration.clause
    if clause is None or clause.value is None or not texts:
        return list(texts)
    return [*split_arguments(texts[0].partition("(")[2].removesuffix(")")), *texts[1:]]


def clause_meant(model: Model, name: str, texts: Sequence[str]) -> RuleSymbol | None:
    """The rule that a move is about: for an action with clauses, the one for the value of the first argument."""
    key = texts[0].partition("(")[0].strip() if texts else ""
    names = (ast.clause_name(name, key), ast.clause_name(name, "otherwise"), name)
    return next((model.rules[candidate] for candidate in names if candidate in model.rules), None)
