"""Values with arguments as Python source: `run(n)` is a sum of small numbers, taking one apart reads a table."""

from __future__ import annotations

from itertools import product

from dsl import ast
from dsl.symbols import FamilySymbol
from dsl.types import Contents, Listed, Maybe, PieceType, Type, bare, element_of, overlap, part_of
from interpreter.compile.domains import Env
from interpreter.compile.naming import named
from interpreter.compile.places import Places
from interpreter.expression_facts import captured, captures


class Families(Places):
    """Emission of values with arguments, and of values of one of several types; mixed into `Expressions`."""

    def _span(self, family: FamilySymbol) -> tuple[int, int]:
        """The first and the last value of a family."""
        first = self.layout.first_value[family.type.name][0] + family.position
        return first, first + family.count - 1

    def family_value(self, family: FamilySymbol, node: ast.Call, env: Env) -> str:
        """`run(2)`."""
        return f"({self.offset(self._span(family)[0], family.parameters, node.arguments, env, absent=True)})"

    def apart(self, node: ast.Compare, family: FamilySymbol, env: Env) -> str:
        """Whether a value is one of a family, with the arguments that are known."""
        assert isinstance(node.right, ast.Call)
        subject, optional = self._subject(node, env)
        first, last = self._span(family)
        tests = []
        if optional:
            tests.append(f"contains({(1 << last + 1) - (1 << first)}, {subject})")
        else:
            tests.append(f"{subject} == {first}" if first == last else f"{first} <= {subject} <= {last}")
        for place, argument in enumerate(node.right.arguments):
            if captured(self.model, argument) is None:
                tests.append(f"{self._held(family, place)}[{subject}] == {self.plain(argument, env)}")
        return "(" + " and ".join(tests) + ")"

    def taken(self, node: ast.Expression, env: Env) -> Env:
        """The names that take arguments in a condition, as Python text that reads them from what is taken apart."""
        found = dict(env)
        for symbol, part, place in captures(self.model, node):
            found[symbol] = self.taken_argument(part, place, found)
        return found

    def taken_argument(self, part: ast.Compare, place: int, env: Env) -> str:
        """One argument of a value that is taken apart."""
        family = self.model.refers[part.right.number]
        assert isinstance(family, FamilySymbol)
        return f"{self._held(family, place)}[{self._subject(part, env)[0]}]"

    def _subject(self, node: ast.Compare, env: Env) -> tuple[str, bool]:
        """What is taken apart: a value, or the attribute of a piece; and whether it may be none."""
        type_ = self.type_of(node.left)
        text, optional = self.plain(node.left, env), isinstance(type_, Maybe | Contents)
        pieces = element_of(type_) if isinstance(type_, Contents) else bare(type_)
        if not isinstance(pieces, PieceType):
            return text, optional
        name = self.model.attribute_of[node.right.number]
        table = self.attribute_table(name, pieces.piece_types)
        lacking = any(name not in self.model.pieces[piece_type].attributes for piece_type in pieces.piece_types)
        return (f"attribute({table}, {text})" if optional else f"{table}[{text}]"), optional or lacking

    def _held(self, family: FamilySymbol, place: int) -> str:
        """Table from value to the argument at a place."""
        first, _ = self._span(family)
        every = product(*(self.layout.members(type_, absent=True) for type_ in family.parameters))
        held = [values[place] for values in every]
        return self.table(named("G", family.type.name, family.name, place), (*[None] * first, *held))

    def one_of(self, text: str, actual: Type, wanted: Type, node: ast.Expression) -> str:
        """A value of one of several types where one of them is needed: looked at in play."""
        if not overlap(actual, wanted) or part_of(actual, wanted):
            return text
        assert isinstance(actual, Listed) and isinstance(wanted, Listed)
        known = self.table(named("V", *(wanted.parts or (wanted.name,))), self._values(wanted))
        return f"one_of({text}, {known}, {actual.name!r}, {node.number})"

    def _values(self, type_: Listed) -> range | frozenset[int]:
        values = self.layout.members(type_)
        whole = values == list(range(values[0], values[-1] + 1))
        return range(values[0], values[-1] + 1) if whole else frozenset(values)
