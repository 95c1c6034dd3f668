"""Announcements, kept in the journal at the moment they were made: of `tell`, and of what all chose at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.symbols import LocalSymbol
from interpreter.compiler.decisions import ASKED, DECLINED, FIRST_ACT, acts_of
from interpreter.engine.program import Program
from interpreter.runtime.cells import Cells, StoredValue, TellPayload, number_in
from interpreter.runtime.layout import ME, acting_as
from interpreter.seat.notation.moves import DECLINES, label_of
from interpreter.seat.notation.words import filled_text, kept_values, value_words


def announcements(program: Program, state: Cells, payload: TellPayload, seat: int | None) -> Iterator[str]:
    """The texts that a seat hears of an entry of the journal; none if it is for another seat."""
    number, values = payload
    match node := program.nodes[number]:
        case ast.Tell():
            text = _told(program, state, node, values, seat)
            if text:
                yield text
        case ast.Decide() | ast.Choose():
            yield from _chosen(program, state, node, values, seat)
        case _:
            raise AssertionError(node)


def _told(program: Program, state: Cells, node: ast.Tell, values: Sequence[StoredValue], seat: int | None) -> str:
    remaining = iter(values)
    if node.seat is not None:
        hearer = next(remaining)
        if hearer is None or seat not in (None, hearer):
            return ""
    return filled_text(program, state, node.text, kept_values(node.text, remaining), seat)


def _chosen(
    program: Program, state: Cells, node: ast.Question, values: Sequence[StoredValue], seat: int | None
) -> Iterator[str]:
    """The choice of each seat, in the order in which they were asked; the position is still the one they chose in."""
    first, *rest = values
    first_player = number_in(first)
    seats = program.layout.seats
    width = len(rest) // len(seats)
    for turn in range(len(seats)):
        player = (first_player + turn) % len(seats)
        choice, parts = number_in(rest[player * width]), rest[player * width + 1 : (player + 1) * width]
        declined = choice == DECLINED or (isinstance(node, ast.Choose) and node.amount is not None and not parts[0])
        if choice > ASKED and not (declined and node.secretly and seat not in (None, player)):
            acting = acting_as(state, player)
            words = (
                program.words.phrase(DECLINES)
                if declined
                else _choice_words(program, acting, node, choice, parts, seat)
            )
            yield f"{program.words.name(seats[player])}: {words}"


def _choice_words(
    program: Program, state: Cells, node: ast.Question, choice: int, parts: Sequence[StoredValue],
    seat: int | None,
) -> str:  # fmt: skip
    """The acting seat's choice as announced to `seat`; None sees everything."""
    if isinstance(node, ast.Choose):
        symbol = program.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        value = value_words(program, state, symbol.type, parts[0], seat, program.words)
        return program.words.choice(node.name, value)
    rules = [program.model.rules[act.name] for act in acts_of(node)]
    chosen = choice - FIRST_ACT
    begin = sum(len(rule.parameters) for rule in rules[:chosen])
    arguments = parts[begin : begin + len(rules[chosen].parameters)]
    return label_of(program, state, rules[chosen], arguments, seat, others=seat not in (None, state[ME]))
