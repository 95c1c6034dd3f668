"""Moves as examples write them: the legal moves that fit a choice, and the values of its arguments."""

from __future__ import annotations

from dsl import ast
from dsl.types import KIND, PieceType, Several, Type, bare, element_of
from interpreter.compiler.decisions import acts_of
from interpreter.engine.program import Program
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode, StoredValue, number_in
from interpreter.runtime.layout import ME
from interpreter.runtime.piece_matching import same_pieces
from interpreter.runtime.primitives import as_set
from interpreter.seat.explain.move_arguments import offered_members
from interpreter.seat.notation.clauses import notation_of
from interpreter.seat.notation.words import exact_words


class ExampleError(Exception):
    """An example that does not hold; the message describes what was found instead."""


class MoveMatcher:
    """Matches the choices of an example with the pending decision of a state."""

    def __init__(self, program: Program, cells: Cells) -> None:
        self.program, self.cells = program, cells

    def moves(self, choice: ast.Choice) -> list[MoveCode]:
        """The legal moves of the pending decision that fit a choice."""
        decision = self.program.decision(self.cells)
        if decision is None:
            return []
        legal = self.program.legal(self.cells)
        if isinstance(choice, ast.Choosing):
            if not isinstance(decision.node, ast.Choose):
                return []
            element = element_of(self.program.model.types[decision.node.domain.number])
            assert element is not None  # the checker has refused any other domain
            return [code for code in legal if code[0] == 0 and self._matches(choice.value, *code[1:], element)]
        if choice.name == "done":
            return [code for code in legal if code[0] == -1]
        acts = acts_of(decision.node)
        types = [parameter.type for parameter in self.program.model.rules[choice.name].parameters]
        return [
            code for code in legal
            if code[0] >= 0 and acts and acts[code[0]].name == choice.name
            and all(self._matches(a, v, t) for a, v, t in zip(choice.arguments, code[1:], types, strict=False))
        ]  # fmt: skip

    def _matches(self, node: ast.Expression, value: StoredValue, type_: Type) -> bool:
        core = bare(type_)
        if isinstance(core, PieceType):
            written_type = self.program.model.types.get(node.number)
            if written_type == KIND or node.number in self.program.model.attribute_of:
                kind = self.program.kind_of(node, core.piece_types, self.cells)
                return value is not None and bool(kind >> number_in(value) & 1)
        if isinstance(core, Several) and isinstance(node, ast.ListOf):
            return self._matches_list(node, number_in(value), core)
        if isinstance(node, ast.Pattern):
            return False
        return bool(self.program.value_of(node, self.cells) == value)

    def _matches_list(self, node: ast.ListOf, value: int, type_: Several) -> bool:
        """True if a set has exactly the members of a list."""
        if isinstance(type_.element, PieceType):
            return same_pieces(bits(value), self._kinds(node, type_.element), ordered=False)
        members = [self._member(item) for item in node.items]
        return len(set(members)) == len(members) and value == as_set(members)

    def _member(self, node: ast.Expression) -> int | None:
        value = self.program.value_of(node, self.cells)
        return None if value is None else number_in(value)

    def _kinds(self, node: ast.ListOf, pieces: PieceType) -> list[int]:
        """The kinds of pieces in a list, each as the set of all such pieces."""
        return [kind for item in node.items for kind in self.program.kinds_of(item, pieces.piece_types, self.cells)]

    def words(self, choice: ast.Act) -> str:
        """A choice in the notation of moves."""
        rule = self.program.model.rules[choice.name]
        parameters = rule.parameters
        words = [argument.span.text for argument in choice.arguments]
        for index, (argument, parameter) in enumerate(zip(choice.arguments, parameters, strict=False)):
            core = bare(parameter.type)
            if isinstance(argument, ast.ListOf) and isinstance(core, Several):
                offered = offered_members(self.program, self.cells, rule, index)
                words[index] = exact_words(
                    self.program, self.cells, core, self._listed_members(argument, core, offered), self.cells[ME], False
                )
        return notation_of(rule, words)

    def argument(self, node: ast.Expression, type_: Type) -> StoredValue:
        """The value of an argument; for a kind of piece, the first such piece. Raises ExampleError if there is none."""
        core = bare(type_)
        if isinstance(core, PieceType) and self.program.model.types.get(node.number) == KIND:
            pieces = bits(self.program.kind_of(node, core.piece_types, self.cells))
            if not pieces:
                raise ExampleError("    there is no such piece")
            return pieces[0]
        if isinstance(core, Several) and isinstance(node, ast.ListOf):
            return self._listed_members(node, core)
        return self.program.fitted_value(node, type_, self.cells)

    def _listed_members(self, node: ast.ListOf, type_: Several, offered: int = 0) -> int:
        """The set that a list names; for each kind of piece the first one left, those offered before others.

        Raises ExampleError if there are too few such pieces.
        """
        if not isinstance(type_.element, PieceType):
            return as_set(self._member(item) for item in node.items)
        members = 0
        for kind in self._kinds(node, type_.element):
            candidates = kind & offered & ~members or kind & ~members
            if not candidates:
                raise ExampleError("    there is no such piece")
            members |= candidates & -candidates
        return members
