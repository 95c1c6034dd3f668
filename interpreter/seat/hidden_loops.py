"""Loops over unordered pieces: their rounds follow the numbers of the pieces, which reveals hidden pieces.

For example, pieces 0 to 3 of a game are a king and three rooks, all face down in `hand`. In `for each c in hand: move c
to cell[c.owner]`, the king moves in the first round whenever it is there. A log in the order of the rounds would show
where the first piece went, although nobody may know that it is the king.

A seat that does not see all these pieces must not learn the order of the rounds. Such a loop is *blind* for it: the log
shows only the overall effect, computed from what the seat sees before and after. The domain matters as well: a seat
that sees the pieces but not the note that selected them would learn its value from the rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import LocalSymbol, ZoneSymbol
from dsl.types import PieceType, Several, bare, element_of
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import LEFT, LOOP, Cells, Change, LoopPayload, members_in, number_in


def is_blind(program: Program, state: Cells, seat: int | None, payload: LoopPayload) -> bool:
    """True if a seat may not know the order of the rounds of a loop that begins; `payload` is that of its mark."""
    if seat is None:
        return False
    domains = _domains(program, payload)
    if any(_reads_hidden(program, domain) for domain in domains if not _is_plain(program, domain)):
        return True
    return not all(fully_seen(program, state, seat, piece) for piece in pieces_of_loop(program, payload))


def _domains(program: Program, payload: LoopPayload) -> list[ast.Expression]:
    node = program.nodes[payload.node]
    return [binder.domain for binder in node.binders] if isinstance(node, ast.ForEach) else []


def pieces_of_loop(program: Program, payload: LoopPayload) -> set[int]:
    """The pieces that a loop iterates over; `payload` is that of its mark."""
    node, items = program.nodes[payload.node], payload.items
    if not isinstance(node, ast.ForEach):  # notes about pieces begin anew
        return {number_in(piece) for piece in items}
    pieces: set[int] = set()
    for index, binder in enumerate(node.binders):
        element = element_of(program.model.types[binder.domain.number])
        core = bare(element) if element is not None else None
        single = len(node.binders) == 1 and not node.at_once
        # of a loop at once: rows, names first
        values = map(number_in, items if single else [members_in(row)[index] for row in items])
        if isinstance(core, PieceType):
            pieces.update(values)
        elif isinstance(core, Several) and isinstance(core.element, PieceType):
            pieces.update(piece for value in values for piece in bits(value))
    return pieces


def _is_plain(program: Program, node: ast.Expression) -> bool:
    """True if a set is made of whole zones and of sets with names, so that seats who see the pieces know the set."""
    if isinstance(node, ast.Arithmetic):
        return _is_plain(program, node.left) and _is_plain(program, node.right)
    return isinstance(program.model.refers.get(node.number), ZoneSymbol | LocalSymbol)


def _reads_hidden(program: Program, node: ast.Expression) -> bool:
    """True if an expression reads something that not everybody sees."""
    model = program.model
    declared = [model.zones.get(name) or model.notes.get(name) for name in program.reads(node)]
    return any(symbol is not None and symbol.declaration.sights for symbol in declared)


def end_of_loop(run: Sequence[Change], start: int) -> int:
    """The index of the mark that ends the loop whose first mark is at `start`; the last index if there is none."""
    # INVARIANT: loops are properly nested in the journal, except where all running rules are left: LEFT ends every open
    # loop at once, and no further marks of these follow.
    depth = 0
    for index in range(start, len(run)):
        cell, payload, _ = run[index]
        if cell == LOOP:
            if payload == LEFT and payload is not None:
                return index
            depth += 1 if payload is not None else -1
            if depth == 0:
                return index
    return len(run) - 1
