"""Which positions count as the same when repetitions are counted.

The cells themselves are too strict: they contain the state of chance, the number of the round and the numbers of
pieces, so that two equal pawns that have changed places would be another position.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

from dsl import ast
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.names import InCell
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.runtime.bitset import bits
from interpreter.runtime.layout.cells import ME, POINT
from interpreter.runtime.primitives import Cells


class Positions:
    """Tells the positions of a program apart.

    Two positions are the same if the same seat faces the same decision and, where the rules record positions, what they
    record is the same. Other games have the same position where everything on the table is the same: pieces by kind,
    notes, dice, and what has been chosen so far. Future chance, the number of a round and secret choices that nobody
    knows yet do not count.
    """

    def __init__(self, program: Program) -> None:
        self._program, self._layout = program, program.layout
        self._kinds = [piece.kind for piece in program.layout.pieces]

    def key(self, S: Cells) -> bytes:
        """Equal for the same position."""
        values = self._as_recorded(S) or self._table(S)
        return hashlib.sha256(repr((S[POINT], S[ME], self._pending(S), values)).encode()).digest()[:16]

    def _as_recorded(self, S: Cells) -> Sequence[Hashable]:
        """The positions as the rules record them; empty if they record none, or none that has a value now."""
        try:
            return [self._program.position(name, S) for name in self._recorded]
        except PlayError:
            return []

    @cached_property
    def _recorded(self) -> list[ast.Name]:
        """A mention of each position that the rules record."""
        nodes = self._program.model.nodes
        return list({node.target.name: node.target for node in nodes if isinstance(node, ast.Record)}.values())

    def _pending(self, S: Cells) -> Hashable:
        """The context of a decision: the values of names in suspended rules, and what has been chosen so far."""
        decision = self._program.decision(S)
        if decision is None:
            return ()
        named = [(symbol.type, bound.cell) for symbol, bound in decision.names.items() if isinstance(bound, InCell)]
        chosen = () if decision.chosen is None else self._alike(S, bits(S[decision.chosen]))
        return tuple([self._value(S, type_, S[cell]) for type_, cell in named]), chosen

    def _table(self, S: Cells) -> Sequence[Hashable]:
        """Pieces by kind with the notes about them, the order of rows and stacks, other notes, and dice."""
        layout, kinds = self._layout, self._kinds
        about = self._program.notes_about
        pieces = sorted(
            repr((S[layout.place_cells + piece], kinds[piece], [S[cell] for _, cell, _ in about[piece]]))
            for piece in range(len(kinds))
        )
        rows = [tuple([kinds[piece] for piece in S[order]]) for order in layout.orders_of_cell]
        return [
            tuple(map(repr, pieces)),
            tuple(rows),
            tuple([self._value(S, type_, S[at]) for at, type_ in self._notes]),
        ]

    @cached_property
    def _notes(self) -> list[tuple[int, Type | None]]:
        """The cells of notes and dice with their types, without those about pieces and the numbers of rounds."""
        model, program = self._program.model, self._program
        pieces = program.notes_about_pieces
        return [
            (cell, model.notes[name].type if name in model.notes else None)
            for cell, (name, _) in self._layout.notes_of_cell.items()
            if name not in pieces and cell not in program.phase_of_round
        ]

    def _value(self, S: Cells, type_: Type | None, value: Any) -> Hashable:
        """A value, with pieces by kind and by where they lie."""
        core = None if type_ is None else bare(type_)
        if isinstance(core, PieceType):
            return None if value is None else self._alike(S, [value])
        if isinstance(core, Several) and isinstance(bare(core.element), PieceType) and isinstance(value, int):
            return self._alike(S, bits(value))
        plain: Hashable = value
        return plain

    def _alike(self, S: Cells, pieces: Sequence[int]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((S[self._layout.place_cells + piece], self._kinds[piece]) for piece in pieces))
