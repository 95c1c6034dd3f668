"""Satisfiability of conditions, as far as it follows from the types: all assignments to what they read are tried.

A condition is decomposed until something of a type with few values is left: a parameter, an option, an attribute.
Whatever cannot be decomposed may be true or false, but everywhere the same.

For example, of `if c.suit is red: … else if c.suit is not red and n > 1: … else if c.suit is blue: …` with two suits
the last branch is never reached if n is `2..5`. The idea: evaluate the conditions with nothing known; whoever reads
something that is not yet known raises `OpenChoice`, and evaluation begins again once for each of its values. So only
what decides is ever enumerated: `c.suit is red` needs two assignments, however many other names the rules have.

INVARIANT: an assignment is a value for each thing *read*, and two nodes read the same thing if they are equal and their
local names have the same symbols (`_what`). Zones and notes count as read once: nothing changes while a condition is
evaluated. Where it may fail: an assignment may be one that no game reaches, so conditions may be taken as possible that
are not; a condition reported as never holding never holds. Beyond `MAX_WORLDS` nothing is reported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar, assert_never

from dsl import ast
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, FamilySymbol, LocalSymbol, OptionSymbol, TypeSymbol, ValueSymbol
from dsl.types import TRUTH, Listed, Maybe, Number, PieceType, Type, bare

MAX_VALUES = 40
"""Maximum number of values of a type that are tried one by one; a comparison with more may be true or false."""

MAX_WORLDS = 300
"""Maximum number of assignments tried for one list of conditions."""

Value = str | int | bool | None
Result = TypeVar("Result")
World = Mapping[int, Value]
"""An assignment: the value of everything that has been read, by the number that `Assignment` gives it."""

OPPOSITES: dict[ast.Comparison, ast.Comparison] = {"is not": "is", "is not in": "is in", ">=": "<", ">": "<="}
"""Comparisons that hold exactly if another one does not."""


class OpenChoice(Exception):
    """Raised when something is read that the assignment leaves open; `values` are its possible values."""

    def __init__(self, what: int, values: tuple[Value, ...]) -> None:
        self.what, self.values = what, values


class NotDetermined(Exception):
    """Raised for an expression whose value does not follow from a few others."""


class TooManyAssignments(Exception):
    """Raised when there are more assignments than can be tried."""


def outcomes(run: Callable[[World], Result], deep: bool = False) -> Iterator[tuple[World, Result]]:
    """Enumerate every assignment that `run` distinguishes, with its result. Raises TooManyAssignments.

    Short assignments come first, so that all possible results are found soon; with `deep`, those in which everything
    holds.
    """
    waiting: deque[dict[int, Value]] = deque([{}])
    tried = 0
    while waiting:
        world = waiting.pop() if deep else waiting.popleft()
        tried += 1
        # Every assignment is a leaf or an inner node of a tree of choices; both count, as both cost an evaluation.
        if tried > MAX_WORLDS:
            raise TooManyAssignments
        try:
            yield world, run(world)
        except OpenChoice as choice:
            values = reversed(choice.values) if deep else choice.values
            waiting += [{**world, choice.what: value} for value in values]


class Assignment:
    """Evaluates conditions and values in an assignment."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._numbers: dict[object, int] = {}
        self._read: dict[int, int] = {}
        self._opposites: dict[int, ast.Compare] = {}
        self._possible: dict[Type | None, tuple[Value, ...]] = {}

    def holds(self, node: ast.Expression, world: World) -> bool:
        """Evaluate a condition. Raises OpenChoice."""
        match node:
            case ast.Not():
                return not self.holds(node.operand, world)
            case ast.And():
                return self.holds(node.left, world) and self.holds(node.right, world)
            case ast.Or():
                return self.holds(node.left, world) or self.holds(node.right, world)
            case ast.Compare():
                return self._compared(node, world)
            case _:
                try:
                    return bool(self._value(node, world))
                except NotDetermined:
                    return self._either(node, world)

    def _either(self, node: ast.Expression, world: World) -> bool:
        what = self._what(node)
        if what not in world:
            # INVARIANT: raised only for what is read now and was not assigned: each restart assigns one more thing,
            # so it ends.
            raise OpenChoice(what, (True, False))
        return bool(world[what])

    def _what(self, node: ast.Expression) -> int:
        """Number of what an expression reads: equal nodes read the same, unless they contain different local names."""
        remembered = self._read.get(node.number)
        if remembered is not None:
            return remembered
        refers = self.model.refers
        names = (refers.get(part.number) for part in node.walk() if isinstance(part, ast.Name))
        # Nodes are equal if they are written alike. `c` in two loops is written alike and is not the same, so the
        # symbols of local names belong to the key.
        what = node, *(symbol for symbol in names if isinstance(symbol, LocalSymbol))
        number = self._numbers.setdefault(what, len(self._numbers))
        if node.number >= 0:  # it comes from the rules
            self._read[node.number] = number
        return number

    def _compared(self, node: ast.Compare, world: World) -> bool:
        if node.operator in OPPOSITES:
            # One form for each comparison: `n >= 3` and `not n < 3` then read the same unknown where they cannot be
            # computed, and contradict each other as they should.
            return not self._compared(self._opposite(node), world)
        try:
            match node.operator:
                case "is":
                    return self._same(node, world)
                case "is in":
                    return self._value(node.left, world) in self._members(node.right, world)
                case "<" | "<=":
                    value, compared = self._value(node.left, world), self._value(node.right, world)
                    if isinstance(value, int) and isinstance(compared, int):
                        return value < compared if node.operator == "<" else value <= compared
                case "before" | "after":
                    # `before` of pieces in a row changes in play: they have no order here, and the comparison stays
                    # undetermined.
                    order = self._order(node.left)
                    value, compared = self._value(node.left, world), self._value(node.right, world)
                    if value in order and compared in order:
                        position, compared_position = order.index(value), order.index(compared)
                        return (
                            position < compared_position if node.operator == "before" else position > compared_position
                        )
                case ">" | ">=" | "is not" | "is not in":
                    pass
                case _ as never:
                    assert_never(never)
        except NotDetermined:
            pass
        return self._either(node, world)

    def _order(self, node: ast.Expression) -> tuple[Value, ...]:
        """The values of the type of an expression, in their order; none of pieces, whose order changes in play."""
        core = bare(self.model.types.get(node.number, TRUTH))
        return _members(self.model.type_symbols.get(core.name)) if isinstance(core, Listed) else ()

    def _opposite(self, node: ast.Compare) -> ast.Compare:
        """The comparison that holds exactly if this one does not, with the same number."""
        if node.number not in self._opposites:
            self._opposites[node.number] = replace(node, operator=OPPOSITES[node.operator])
        return self._opposites[node.number]

    def _same(self, node: ast.Compare, world: World) -> bool:
        if isinstance(node.right, ast.Name) and node.right.name in ("empty", "somebody"):
            # Whether a zone is empty follows from no type: it is one unknown, the same wherever it is asked.
            if node.right.name == "empty":
                raise NotDetermined
            value = self._value(node.left, world)
            if self._may_be_absent(node.left, value):
                raise NotDetermined
            return value is not None
        attribute = self.model.attribute_of.get(node.right.number)
        if attribute is None:
            value = self._value(node.left, world)
        # `c is king` compares a piece with a value of one of its attributes. The node made here has the number -1 so
        # that it is not taken for a node of the rules; `_what` compares such nodes by content.
        else:  # a piece of that kind: its attribute is read
            pieces = bare(self.model.types.get(node.left.number, TRUTH))
            if not isinstance(pieces, PieceType) or len(pieces.piece_types) != 1:
                raise NotDetermined
            type_ = self.model.pieces[next(iter(pieces.piece_types))].attributes[attribute]
            value = self._any(ast.Attribute(span=node.span, number=-1, base=node.left, name=attribute), type_, world)
        family = self.model.refers.get(node.right.number)
        if isinstance(node.right, ast.Call) and isinstance(family, FamilySymbol):
            # `t is fields(n)` takes a value apart: it holds for every argument, so the name in front decides.
            # `fields(2)` compares the argument, too, which is not enumerated.
            if not all(self._takes(argument) for argument in node.right.arguments):
                raise NotDetermined
            return str(value).partition("(")[0] == family.name
        compared = self._value(node.right, world)
        # `p.partner is nobody`, where the table names a seat that plays only in larger games: true in one game and
        # not in another. Both must count as possible, hence one unknown.
        if (compared is None and self._may_be_absent(node.left, value)) or (
            value is None and self._may_be_absent(node.right, compared)
        ):
            raise NotDetermined
        return value == compared

    def _may_be_absent(self, node: ast.Expression, value: Value) -> bool:
        """True if a fixed value, named or in a table, is none in some games: a seat, or a place of another board."""
        symbol = self.model.refers.get(node.number)
        if isinstance(node, ast.Name) and isinstance(symbol, ValueSymbol):
            return not self.model.always_has(symbol.type, value)
        if isinstance(node, ast.Attribute) and isinstance(bare(self.model.types.get(node.base.number, TRUTH)), Listed):
            return not self.model.always_has(bare(self.model.types.get(node.number, TRUTH)), value)
        return False

    def _takes(self, node: ast.Expression) -> bool:
        """True if a name matches whatever argument a value has."""
        symbol = self.model.refers.get(node.number)
        return isinstance(symbol, LocalSymbol) and symbol.role == "taken" and symbol.node is node

    def _members(self, node: ast.Expression, world: World) -> list[Value]:
        match node:
            case ast.SetOf() | ast.ListOf():
                return [self._value(item, world) for item in node.items]
            case ast.Range():
                return list(range(self._number(node.low, world), self._number(node.high, world) + 1))
            case _:
                raise NotDetermined

    def _value(self, node: ast.Expression, world: World) -> Value:
        """Evaluate an expression. Raises OpenChoice, NotDetermined."""
        symbol = self.model.refers.get(node.number)
        match node:
            case ast.Number():
                return node.value
            case ast.Name() if isinstance(symbol, ValueSymbol):
                return symbol.name
            case ast.Name() if isinstance(symbol, BuiltinSymbol) and symbol.name in ("true", "false"):
                return symbol.name == "true"
            case ast.Name() if isinstance(symbol, BuiltinSymbol) and symbol.name in ("none", "nobody"):
                return None
            case ast.Name() if isinstance(symbol, OptionSymbol):
                return self._any(node, symbol.type, world)
            case ast.Negative():
                return -self._number(node.operand, world)
            case ast.Arithmetic() if isinstance(self.model.types.get(node.number), Number):
                first, second = self._number(node.left, world), self._number(node.right, world)
                return (
                    first + second
                    if node.operator == "+"
                    else first - second
                    if node.operator == "-"
                    else first * second
                )
            case ast.Division():
                first, second = self._number(node.left, world), self._number(node.right, world)
                # A fault in play, not a value: no branch is concluded from it.
                if second == 0:
                    raise NotDetermined
                return -(-first // second) if node.rounded == "up" else first // second
            case ast.Attribute():
                return self._attribute(node, world)
            case _:
                return self._any(node, self.model.types.get(node.number), world)

    def _number(self, node: ast.Expression, world: World) -> int:
        value = self._value(node, world)
        if not isinstance(value, int):
            raise NotDetermined
        return value

    def _attribute(self, node: ast.Attribute, world: World) -> Value:
        """Look up a table column for a known value; for others, any value of its type."""
        core = bare(self.model.types.get(node.base.number, TRUTH))
        table = self.model.type_symbols.get(core.name) if isinstance(core, Listed) else None
        if table is not None and node.name in table.cells:
            base = self._value(node.base, world)
            if base is None:
                return None
            cell = table.cells[node.name][table.members.index(base)]
            if isinstance(cell, tuple):
                raise NotDetermined
            return cell in ("true",) if cell in ("true", "false") else None if cell == "none" else cell
        return self._any(node, self.model.types.get(node.number), world)

    def _any(self, node: ast.Expression, type_: Type | None, world: World) -> Value:
        """Look up an expression of a type with few values. Raises OpenChoice, NotDetermined."""
        values = self._possible.get(type_)
        if values is None:
            values = self._possible[type_] = tuple(values_of_type(self.model, type_))
        # Larger types make a comparison undetermined as a whole: `n > 500` is then true or false, not one of 1,000
        # assignments.
        if not 0 < len(values) <= MAX_VALUES:
            raise NotDetermined
        what = self._what(node)
        if what not in world:
            raise OpenChoice(what, values)
        return world[what]


def values_of_type(model: Model, type_: Type | None) -> Iterator[Value]:
    """All values of a type, if they are few or listed; none of any other type."""
    match type_:
        case Maybe(of):
            some = tuple(values_of_type(model, of))
            yield from (*some, None) if some else ()
        case Number(low, high) if high - low < MAX_VALUES:
            yield from range(low, high + 1)
        case Listed(name="Player"):
            yield from model.seats
        case Listed():
            symbols = [model.type_symbols.get(name) for name in sorted(type_.owners)]
            for symbol in symbols:
                yield from _members(symbol)
        case _ if type_ == TRUTH:
            yield from (True, False)
        case _:
            pass


def _members(symbol: TypeSymbol | None) -> tuple[Value, ...]:
    return tuple(symbol.members) if symbol is not None else ()
