"""Rendering of moves, pieces and values as text, restricted to what a seat may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl import ast
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.types import Contents, Kind, PieceType, Several, Type, bare, numeric
from interpreter.bitset import bits
from interpreter.decisions import Decision
from interpreter.layout.cells import ME, OUT
from interpreter.names import Names
from interpreter.program import Move as Code
from interpreter.program import Program
from interpreter.runtime.primitives import Cells
from interpreter.visibility.sight import fully_seen, in_order, known_attributes, number_among_alike, value_standing

HIDDEN_WORD = "…"


@dataclass(frozen=True)
class Move:
    """A legal move. `notation` is unique among the legal moves of its decision and accepted by `push`."""

    name: str
    arguments: dict[str, str | int] = field(hash=False)
    label: str
    notation: str
    code: Code = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self.notation


def piece_words(program: Program, S: Cells, piece: int, seat: int | None, place: int | None = None) -> str:
    """Name a piece as a seat may know it, where it lies or at another place."""
    return name_by_attributes(program, piece, known_attributes(program, S, seat, piece, place))


def name_by_attributes(program: Program, piece: int, known: Iterable[str]) -> str:
    """Name a piece by its known attributes, seats first; with its type if some are unknown."""
    info = program.layout.pieces[piece]
    known = frozenset(known)
    words = program.layout.piece_words(piece, known)
    if words and len(known) == len(info.attributes):
        return words
    return f"{words} {info.type.lower()}".lstrip()


def value_words(program: Program, S: Cells, type_: Type, value: Any, seat: int | None) -> str:
    """Render a value of a type."""
    core = bare(type_)
    if isinstance(core, Contents):
        core = Several(core.pieces)
    if isinstance(core, Several):
        if not value:
            return "nothing"
        if isinstance(core.element, Several):
            members = sorted(value, key=lambda member: value_standing(program, S, seat, core.element, member))
            return "; ".join(value_words(program, S, core.element, member, seat) for member in members)
        return ", ".join(member_words(program, S, core.element, value, seat))
    if value is not None and isinstance(core, PieceType):
        return piece_words(program, S, value, seat)
    if isinstance(core, Kind):
        return str(value)
    return program.layout.name_of(type_, value)


def member_words(program: Program, S: Cells, element: Type, value: int, seat: int | None) -> list[str]:
    """Render the members of a set, pieces in the order in which they are listed for the seat."""
    members = bits(value)
    if isinstance(bare(element), PieceType):
        members = in_order(program, S, seat, members)
    return [value_words(program, S, element, member, seat) for member in members]


def place_words(program: Program, S: Cells, number: int, seat: int | None) -> str:
    """Render a place as a seat may know it: `hand[red]`, `on[card]`."""
    if number == OUT:
        return program.layout.place_name(number)
    place = program.layout.places[number]
    return slot_words(program, S, place.zone, program.model.zones[place.zone].index, place.index, seat)


def slot_words(
    program: Program, S: Cells, name: str, types: Iterable[Type], slot: Iterable[Any], seat: int | None
) -> str:
    """Render a zone, note or die with its index as a seat may know it."""
    words = [value_words(program, S, type_, value, seat) for type_, value in zip(types, slot, strict=True)]
    return f"{name}[{', '.join(words)}]" if words else name


def text_words(
    program: Program, S: Cells, text: ast.Text, names: Names, seat: int | None,
    masked: frozenset[LocalSymbol] = frozenset(),
) -> str:  # fmt: skip
    """Render a text with its `{...}` filled in; parts that mention a masked parameter are left out."""
    parts: list[str] = []
    for part in text.parts:
        if isinstance(part, str):
            parts.append(part)
        elif any(program.mentions(part, symbol) for symbol in masked):
            parts.append(HIDDEN_WORD)
        else:
            value = program.value_of(part, S, names)
            parts.append(value_words(program, S, program.model.types[part.number], value, seat))
    return "".join(parts)


def label_of(
    program: Program, S: Cells, rule: RuleSymbol, values: Sequence[Any], seat: int | None, others: bool
) -> str:
    """The label of a move; `others`: as shown to those who do not make it."""
    declaration = rule.declaration
    secret = frozenset(
        symbol for symbol, parameter in zip(rule.parameters, declaration.parameters, strict=True) if parameter.secret
    )
    if isinstance(declaration, ast.Action) and declaration.label is not None:
        names = dict(zip(rule.parameters, values, strict=True))
        return text_words(program, S, declaration.label, names, seat, secret if others else frozenset())
    words = [
        HIDDEN_WORD if others and symbol in secret else value_words(program, S, symbol.type, value, seat)
        for symbol, value in zip(rule.parameters, values, strict=True)
    ]
    return " ".join([rule.name.replace("_", " "), *words])


def moves_in_words(program: Program, S: Cells, codes: Sequence[Code]) -> tuple[Move, ...]:
    """Render the legal moves of the pending decision for the seat that decides."""
    decision = program.decision(S)
    if decision is None:
        return ()
    seat = S[ME]
    plain = [_notation(program, S, decision.node, code, seat, False) for code in codes]
    moves: list[Move] = []
    for code, notation in zip(codes, plain, strict=True):
        if plain.count(notation) > 1:
            notation = _notation(program, S, decision.node, code, seat, True)
        moves.append(_move(program, S, decision.node, code, seat, notation))
    return tuple(moves)


def move_in_words(program: Program, S: Cells, code: Code) -> Move:
    """Render one legal move; its notation may be shared with another move."""
    decision = program.decision(S)
    assert decision is not None
    notation = _notation(program, S, decision.node, code, S[ME], False)
    return _move(program, S, decision.node, code, S[ME], notation)


def observer_label(program: Program, S: Cells, node: ast.Decide | ast.Choose, move: Move, seat: int) -> str:
    """The label that another seat is shown of a move that is about to be made."""
    if move.code[0] < 0:
        return move.label
    if isinstance(node, ast.Choose):
        return f"choose {value_words(program, S, chosen_type(program, node), move.code[1], seat)}"
    rule = program.model.rules[acts_of(node)[move.code[0]].name]
    return label_of(program, S, rule, move.code[1:], seat, others=True)


def chosen_type(program: Program, node: ast.Choose) -> Type:
    """The type of one thing chosen, also where several are chosen one by one."""
    symbol = program.model.refers[node.number]
    assert isinstance(symbol, LocalSymbol)
    core = bare(symbol.type)
    return core.element if node.amount is not None and isinstance(core, Several) else symbol.type


def progress_of(S: Cells, decision: Decision) -> str:
    """The progress of a choice of several: `1 of 2`, `0 of up to 3`; empty if only one is chosen."""
    if decision.chosen is None or not isinstance(decision.node, ast.Choose):
        return ""
    up_to = "up to " if decision.node.at_most else ""
    return f"{S[decision.chosen].bit_count()} of {up_to}{decision.node.amount}"


def acts_of(node: ast.Decide | ast.Choose) -> tuple[ast.Act, ...]:
    """The acts of a decision by number."""
    return (*node.acts, *node.otherwise) if isinstance(node, ast.Decide) else ()


def question_names(node: ast.Decide | ast.Choose) -> tuple[str, ...]:
    """The names of the actions a question offers, or of what it lets somebody choose."""
    acts = dict.fromkeys(act.name for act in acts_of(node))
    return tuple(acts) if isinstance(node, ast.Decide) else (f"choose {node.name}",)


def _move(program: Program, S: Cells, node: ast.Decide | ast.Choose, code: Code, seat: int, notation: str) -> Move:
    if code[0] == -1:
        return Move("done", {}, "go on", "done", code)
    if isinstance(node, ast.Choose):
        type_ = chosen_type(program, node)
        words = notation.removeprefix("choose(").removesuffix(")")
        label = f"{value_words(program, S, type_, code[1], seat)}{_positions(words)}"
        return Move("choose", {node.name: _plain_value(type_, code[1], words)}, label, notation, code)
    rule = program.model.rules[acts_of(node)[code[0]].name]
    label = label_of(program, S, rule, code[1:], seat, others=False)
    texts = split_arguments(notation.removeprefix(rule.name).removeprefix("(").removesuffix(")"))
    arguments = {
        parameter.name: _plain_value(parameter.type, value, text)
        for parameter, value, text in zip(rule.parameters, code[1:], texts, strict=False)
    }
    return Move(rule.name, arguments, f"{label}{_positions(notation)}", notation, code)


def _plain_value(type_: Type, value: Any, words: str) -> str | int:
    return int(value) if numeric(type_) and value is not None else words


def _positions(words: str) -> str:
    """Describe the pieces that a notation names by position: ` (number 2 of row[A])`."""
    found = re.findall(r"\bnth\((\d+), (\w+(?:\[[^\]]*\])?)\)", words)
    return f" ({', '.join(f'number {number} of {place}' for number, place in found)})" if found else ""


def split_arguments(text: str) -> list[str]:
    """Split the arguments of a notation at its commas, except those inside brackets."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [*parts, current.strip()] if current.strip() or parts else []


def _notation(program: Program, S: Cells, node: ast.Decide | ast.Choose, code: Code, seat: int, exact: bool) -> str:
    if code[0] == -1:
        return "done"
    if isinstance(node, ast.Choose):
        return f"choose({exact_words(program, S, chosen_type(program, node), code[1], seat, exact)})"
    rule = program.model.rules[acts_of(node)[code[0]].name]
    words = [
        exact_words(program, S, parameter.type, value, seat, exact)
        for parameter, value in zip(rule.parameters, code[1:], strict=True)
    ]
    return f"{rule.name}({', '.join(words)})" if words else rule.name


def exact_words(program: Program, S: Cells, type_: Type, value: Any, seat: int, exact: bool) -> str:
    """Render a value; with `exact`, a piece by its place, `nth(2, row)`, which is unambiguous.

    A set of pieces is written as a list, `[red king, ace]`, a set of values as a set.
    """
    core = bare(type_)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        words = member_words(program, S, core.element, value or 0, seat)
        if exact:
            members = bits(value or 0)
            if not all(fully_seen(program, S, seat, member) for member in members):
                members = in_order(program, S, seat, members)
            words = [exact_words(program, S, core.element, member, seat, True) for member in members]
        return f"[{', '.join(words)}]"
    if exact and isinstance(bare(type_), PieceType) and value is not None:
        place = S[program.layout.place_cells + value]
        order = program.layout.places[place].order
        if order:
            pieces = list(S[order])
            if program.layout.places[place].shape == "stack":
                pieces.reverse()
            return f"nth({pieces.index(value) + 1}, {program.layout.place_name(place)})"
        number = value if fully_seen(program, S, seat, value) else number_among_alike(program, S, seat, value)
        return f"{piece_words(program, S, value, seat)} #{number}"
    if isinstance(bare(type_), Several):
        return "{" + (value_words(program, S, type_, value, seat) if value else "") + "}"
    return value_words(program, S, type_, value, seat)
