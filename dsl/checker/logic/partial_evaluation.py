"""Rules evaluated with one value known: which arguments their effects and requirements then still depend on.

Everything that is not known may have any value, so both branches of an undecided condition count. Only values that
never change are known: arguments, attributes of pieces, columns of tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import Literal

from dsl import ast
from dsl.checker.logic.satisfiability import OPPOSITES, Value
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, DefineSymbol, FamilySymbol, LocalSymbol, RuleSymbol, ValueSymbol
from dsl.types import TRUTH, Listed, bare


@dataclass(frozen=True)
class Known:
    """A value that is known."""

    value: Value


@dataclass(frozen=True)
class Partial:
    """The value of an expression as far as it is known, and the arguments it depends on.

    `attribute`: of a piece, the name of the attribute that is known, with its value.
    """

    value: Known | None = None
    of: frozenset[LocalSymbol] = frozenset()
    attribute: tuple[str, Value] | None = None

    def __and__(self, other: Partial) -> Partial:
        """A value that depends on both; nothing of it is known."""
        return Partial(None, self.of | other.of)


NOTHING = Partial()
Names = Mapping[LocalSymbol, Partial]


@dataclass(frozen=True)
class Requirement:
    """A requirement that may fail or hold, and the arguments that it says the value of: `paid is tax`."""

    of: frozenset[LocalSymbol]
    says: frozenset[LocalSymbol]


@dataclass
class Course:
    """What a rule does: the arguments that its effects depend on, and its requirements that are not known to hold.

    Equal requirements count once: steps that call others twice would double them in each.
    """

    read: frozenset[LocalSymbol] = frozenset()
    requirements: set[Requirement] = field(default_factory=set)
    possible: bool = True

    def add(self, other: Course) -> None:
        """Put what another rule does into this one."""
        self.read |= other.read
        self.requirements |= other.requirements
        self.possible &= other.possible


class PartialEvaluation:
    """Evaluates the rules of a model; `assigned` are the names that statements change, so that none is known."""

    def __init__(self, model: Model, assigned: Iterable[str]) -> None:
        self.model = model
        self.assigned = frozenset(assigned)
        self._calls: dict[tuple[str, tuple[Partial, ...]], Partial] = {}
        self._steps: dict[tuple[str, tuple[Partial, ...]], Course] = {}

    def course(self, rule: RuleSymbol, names: Names) -> Course:
        """What an action does with these arguments; its label and the domains of its parameters count as effects."""
        node = rule.declaration
        found = self._rule(rule, names)
        seen = [node.label] if isinstance(node, ast.Action) and node.label is not None else []
        for each in (*seen, *(parameter.domain for parameter in node.parameters if parameter.domain is not None)):
            found.read |= self.value(each, names).of
        return found

    def _rule(self, rule: RuleSymbol, names: Names) -> Course:
        found = Course()
        for require in rule.declaration.requires:
            for part in ast.conjuncts(require.condition):
                self._require(part, names, found)
        self._block(rule.declaration.body, dict(names), found)
        return found

    def _require(self, part: ast.Expression, names: Names, found: Course) -> None:
        result = self.value(part, names)
        if result.value is None:
            found.requirements.add(Requirement(result.of, self._said(part, names)))
        elif not result.value.value:
            found.possible = False

    def _said(self, part: ast.Expression, names: Names) -> frozenset[LocalSymbol]:
        """The argument that `paid is tax` leaves only one value for."""
        if isinstance(part, ast.Compare) and part.operator == "is":
            left, right = self.value(part.left, names), self.value(part.right, names)
            for node, one, other in ((part.left, left, right), (part.right, right, left)):
                if isinstance(node, ast.Name) and len(one.of) == 1 and one.of.isdisjoint(other.of):
                    return one.of
        return frozenset()

    # ------------------------------------------------------------ statements

    def _block(self, statements: Sequence[ast.Statement], names: dict[LocalSymbol, Partial], found: Course) -> None:
        for statement in statements:
            self._statement(statement, names, found)

    def _statement(self, node: ast.Statement, names: dict[LocalSymbol, Partial], found: Course) -> None:
        symbol = self.model.refers.get(node.number)
        match node:
            case ast.Do():
                found.add(self._step(node.act, names))
            case ast.Let() if isinstance(symbol, LocalSymbol) and node.name not in self.assigned:
                names[symbol] = self.value(node.value, names)
            case ast.If():
                condition = self.value(node.condition, names)
                if condition.value is None:
                    found.read |= condition.of
                for held, block in ((True, node.then), (False, node.otherwise)):
                    if condition.value is None or bool(condition.value.value) is held:
                        self._block(block, dict(names), found)
            case _:
                inside = {each.number for block in ast.blocks(node) for each in block}
                for child in node.children():
                    if child.number not in inside:
                        found.read |= self.value(child, names).of
                for block in ast.blocks(node):
                    self._block(block, dict(names), found)

    def _step(self, act: ast.Act, names: Names) -> Course:
        step = self.model.rules[act.name]
        given = tuple(self.value(argument, names) for argument in act.arguments)
        key = act.name, given
        if key not in self._steps:
            self._steps[key] = Course()  # steps do not call themselves
            self._steps[key] = self._rule(step, dict(zip(step.parameters, given, strict=False)))
        return self._steps[key]

    # ------------------------------------------------------------ expressions

    def value(self, node: ast.Node, names: Names) -> Partial:
        """Evaluate an expression, or whatever has expressions in it."""
        symbol = self.model.refers.get(node.number)
        match node:
            case ast.Number():
                return Partial(Known(node.value))
            case ast.Name() if isinstance(symbol, LocalSymbol):
                return names.get(symbol, NOTHING)
            case ast.Name() if isinstance(symbol, ValueSymbol):
                return Partial(Known(symbol.name) if self.model.always_has(symbol.type, symbol.name) else None)
            case ast.Name() if isinstance(symbol, BuiltinSymbol) and symbol.name in ("true", "false"):
                return Partial(Known(symbol.name == "true"))
            case ast.Name() if isinstance(symbol, BuiltinSymbol) and symbol.name in ("none", "nobody"):
                return Partial(Known(None))
            case ast.Name() | ast.Call() if isinstance(symbol, DefineSymbol):
                return self._call(symbol, node, names)
            case ast.Call() if isinstance(symbol, FamilySymbol):
                return self._member(symbol, node, names)
            case ast.Attribute():
                return self._attribute(node, names)
            case ast.Compare():
                return self._compared(node, names)
            case ast.Not():
                found = self.value(node.operand, names)
                return found if found.value is None else Partial(Known(not found.value.value), found.of)
            case ast.And() | ast.Or():
                return self._logic(node, names)
            case ast.Either():
                return self._chosen([(node.condition, node.then), (None, node.otherwise)], names)
            case _:
                return reduce(Partial.__and__, (self.value(child, names) for child in node.children()), NOTHING)

    def _call(self, symbol: DefineSymbol, node: ast.Name | ast.Call, names: Names) -> Partial:
        arguments = node.arguments if isinstance(node, ast.Call) else ()
        given = tuple(self.value(argument, names) for argument in arguments)
        key = symbol.name, given
        if key not in self._calls:
            inside = dict(zip(symbol.parameters, given, strict=False))
            cases = [(case.condition, case.value) for case in symbol.declaration.cases]
            self._calls[key] = self._chosen(cases, inside)
        return self._calls[key]

    def _chosen(self, cases: Iterable[tuple[ast.Expression | None, ast.Expression]], names: Names) -> Partial:
        """The value of the first case whose condition holds."""
        of: frozenset[LocalSymbol] = frozenset()
        sure = True
        for condition, value in cases:
            held = Partial(Known(True)) if condition is None else self.value(condition, names)
            if held.value is not None and not held.value.value:
                continue
            found = self.value(value, names)
            of |= found.of | (held.of if held.value is None else frozenset())
            if held.value is not None:
                return Partial(found.value, of, found.attribute) if sure else Partial(None, of)
            sure = False
        return Partial(None, of)

    def _logic(self, node: ast.And | ast.Or, names: Names) -> Partial:
        stops = isinstance(node, ast.Or)
        left = self.value(node.left, names)
        if left.value is not None:
            return Partial(Known(stops)) if bool(left.value.value) is stops else self.value(node.right, names)
        right = self.value(node.right, names)
        if right.value is not None:
            return Partial(Known(stops)) if bool(right.value.value) is stops else left
        return left & right

    def _attribute(self, node: ast.Attribute, names: Names) -> Partial:
        base = self.value(node.base, names)
        if base.attribute is not None and base.attribute[0] == node.name:
            return Partial(Known(base.attribute[1]))
        core = bare(self.model.types.get(node.base.number, TRUTH))
        table = self.model.type_symbols.get(core.name) if isinstance(core, Listed) else None
        if table is None or base.value is None or base.value.value not in table.members:
            return Partial(None, base.of)
        if node.name not in table.cells:
            return Partial(None, base.of)
        cell = table.cells[node.name][table.members.index(base.value.value)]
        if isinstance(cell, tuple):
            return NOTHING
        if not self.model.always_has(bare(table.attributes[node.name]), cell):
            return Partial(None, base.of)
        return Partial(Known(cell == "true" if cell in ("true", "false") else None if cell == "none" else cell))

    def _member(self, symbol: FamilySymbol, node: ast.Call, names: Names) -> Partial:
        """A value with arguments, `fields(2)`; where it takes another one apart, the arguments are of any value."""
        given = [self.value(argument, names) for argument in node.arguments]
        values = [each.value.value for each in given if each.value is not None]
        if len(values) == len(given) and all(isinstance(each, str | int) for each in values):
            words = ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in values)
            return Partial(Known(f"{symbol.name}({words})"))
        return reduce(Partial.__and__, given, NOTHING)

    def _compared(self, node: ast.Compare, names: Names) -> Partial:
        operator: ast.Comparison | Literal["<", "<="] = OPPOSITES.get(node.operator, node.operator)
        left, right = self.value(node.left, names), self.value(node.right, names)
        attribute = self.model.attribute_of.get(node.right.number)
        if attribute is not None:
            known = left.attribute is not None and left.attribute[0] == attribute
            left = Partial(Known(left.attribute[1])) if known and left.attribute is not None else Partial(None, left.of)
        elif isinstance(node.right, ast.Name) and node.right.name in ("empty", "somebody"):
            return left & right
        result = self._truth(operator, node.right, left, right, names)
        if result is None:
            return left & right
        return Partial(Known(result if operator == node.operator else not result))

    def _truth(
        self, operator: ast.Comparison, node: ast.Expression, left: Partial, right: Partial, names: Names
    ) -> bool | None:
        """The truth of a comparison of a value that is known; None if it does not decide."""
        if left.value is None:
            return None
        value = left.value.value
        if operator == "is in" and isinstance(node, ast.SetOf | ast.ListOf):
            members = [self.value(item, names).value for item in node.items]
            if Known(value) in members:
                return True
            return None if None in members else False
        if operator == "is in" and isinstance(node, ast.Range) and isinstance(value, int):
            return node.low <= value <= node.high
        if operator == "is" and right.value is None:
            family = self.model.refers.get(node.number)
            apart = isinstance(node, ast.Call) and isinstance(family, FamilySymbol)
            return False if apart and str(value).partition("(")[0] != getattr(family, "name", None) else None
        if right.value is None:
            return None
        other = right.value.value
        if operator == "is":
            return value == other
        if operator in ("<", "<=") and isinstance(value, int) and isinstance(other, int):
            return value < other if operator == "<" else value <= other
        return None
