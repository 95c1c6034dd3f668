"""Rules evaluated with one value known: which arguments their effects and requirements then still depend on.

Everything that is not known may have any value, so both branches of an undecided condition count. Only values that
never change are known: arguments, attributes of pieces, columns of tables.

The problem: `action play(c in hand[me], p: Player)` whose effects read `p` only `if c.kind is attack`. For every other
card the moves for all seats are the same, and a player chooses between equals (E0513). The idea: run the effects
abstractly with `c.kind` known and everything else unknown, and collect which arguments what happens still depends on
(`Partial.of`, `Course.read`). A parameter that is not among them makes no difference.

INVARIANT: `of` contains every argument that a value may depend on, unless the value is known whatever they are; so the
effects do not depend on an argument that is not in `Course.read`. Requirements are kept apart: one that fails hides
moves and makes none different, but one like `paid is tax` says which single value is possible.
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
class KnownValue:
    """A value that is known."""

    value: Value


@dataclass(frozen=True)
class Partial:
    """The value of an expression as far as it is known, and the arguments it depends on.

    `attribute`: of a piece, the name of the attribute that is known, with its value.
    """

    value: KnownValue | None = None
    of: frozenset[LocalSymbol] = frozenset()
    attribute: tuple[str, Value] | None = None

    def __and__(self, operand: Partial) -> Partial:
        """A value that depends on both; nothing of it is known."""
        return Partial(None, self.of | operand.of)


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

    def add(self, course: Course) -> None:
        """Put what another rule does into this one."""
        self.read |= course.read
        self.requirements |= course.requirements
        self.possible &= course.possible


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
        course = self._rule(rule, names)
        seen = [node.label] if isinstance(node, ast.Action) and node.label is not None else []
        for expression in (*seen, *(parameter.domain for parameter in node.parameters if parameter.domain is not None)):
            course.read |= self.value(expression, names).of
        return course

    def _rule(self, rule: RuleSymbol, names: Names) -> Course:
        course, named = Course(), dict(names)
        self._block(ast.lets_at_head(rule.declaration), named, course)
        for require in rule.declaration.requires:
            for part in ast.conjuncts(require.condition):
                self._require(part, named, course)
        self._block(rule.declaration.body, dict(names), course)
        return course

    def _require(self, part: ast.Expression, names: Names, course: Course) -> None:
        result = self.value(part, names)
        if result.value is None:
            # Not known: it may hide this move. It makes no two moves different, so its arguments are not part of
            # `read`.
            course.requirements.add(Requirement(result.of, self._said(part, names)))
        elif not result.value.value:
            course.possible = False

    def _said(self, part: ast.Expression, names: Names) -> frozenset[LocalSymbol]:
        """The argument that `paid is tax` leaves only one value for."""
        if isinstance(part, ast.Compare) and part.operator == "is":
            left_value, right_value = self.value(part.left, names), self.value(part.right, names)
            for node, operand, opposite in (
                (part.left, left_value, right_value),
                (part.right, right_value, left_value),
            ):
                # `paid is tax` leaves one value for `paid` only if `tax` does not depend on `paid` itself.
                if isinstance(node, ast.Name) and len(operand.of) == 1 and operand.of.isdisjoint(opposite.of):
                    return operand.of
        return frozenset()

    # ------------------------------------------------------------ statements

    def _block(self, statements: Sequence[ast.Statement], names: dict[LocalSymbol, Partial], course: Course) -> None:
        for statement in statements:
            self._statement(statement, names, course)

    def _statement(self, node: ast.Statement, names: dict[LocalSymbol, Partial], course: Course) -> None:
        symbol = self.model.refers.get(node.number)
        match node:
            case ast.Do():
                course.add(self._step(node.act, names))
            case ast.Let() if isinstance(symbol, LocalSymbol) and node.name not in self.assigned:
                names[symbol] = self.value(node.value, names)
            case ast.If():
                condition = self.value(node.condition, names)
                if condition.value is None:
                    course.read |= condition.of
                # A condition that is known chooses a block, and the other one's arguments do not count: this is what
                # makes a parameter idle that only one branch reads.
                for held, block in ((True, node.then), (False, node.otherwise)):
                    if condition.value is None or bool(condition.value.value) is held:
                        self._block(block, dict(names), course)
            case _:
                # Expressions of the statement itself count as read; its blocks are evaluated as statements, or a
                # `let` in them would be unknown.
                inside = {nested.number for block in ast.blocks(node) for nested in block}
                for child in node.children():
                    if child.number not in inside:
                        course.read |= self.value(child, names).of
                for block in ast.blocks(node):
                    self._block(block, dict(names), course)

    def _step(self, act: ast.Act, names: Names) -> Course:
        step = self.model.rules[act.name]
        arguments = tuple(self.value(argument, names) for argument in act.arguments)
        key = act.name, arguments
        if key not in self._steps:
            # INVARIANT: the key holds all that the step can read of its caller: what its arguments are known to be.
            self._steps[key] = Course()  # steps do not call themselves, which an earlier stage has checked
            self._steps[key] = self._rule(step, dict(zip(step.parameters, arguments, strict=False)))
        return self._steps[key]

    # ------------------------------------------------------------ expressions

    def value(self, node: ast.Node, names: Names) -> Partial:
        """Evaluate an expression, or whatever has expressions in it."""
        symbol = self.model.refers.get(node.number)
        match node:
            case ast.Number():
                return Partial(KnownValue(node.value))
            case ast.Name() if isinstance(symbol, LocalSymbol):
                return names.get(symbol, NOTHING)
            case ast.Name() if isinstance(symbol, ValueSymbol):
                return Partial(KnownValue(symbol.name) if self.model.always_has(symbol.type, symbol.name) else None)
            case ast.Name() if isinstance(symbol, BuiltinSymbol) and symbol.name in ("true", "false"):
                return Partial(KnownValue(symbol.name == "true"))
            case ast.Name() if isinstance(symbol, BuiltinSymbol) and symbol.name in ("none", "nobody"):
                return Partial(KnownValue(None))
            case ast.Name() | ast.Call() if isinstance(symbol, DefineSymbol):
                return self._call(symbol, node, names)
            case ast.Call() if isinstance(symbol, FamilySymbol):
                return self._member(symbol, node, names)
            case ast.Attribute():
                return self._attribute(node, names)
            case ast.Compare():
                return self._compared(node, names)
            case ast.Not():
                operand = self.value(node.operand, names)
                return operand if operand.value is None else Partial(KnownValue(not operand.value.value), operand.of)
            case ast.And() | ast.Or():
                return self._logic(node, names)
            case ast.Either():
                return self._chosen([(node.condition, node.then), (None, node.otherwise)], names)
            case _:
                return reduce(Partial.__and__, (self.value(child, names) for child in node.children()), NOTHING)

    def _call(self, symbol: DefineSymbol, node: ast.Name | ast.Call, names: Names) -> Partial:
        arguments = node.arguments if isinstance(node, ast.Call) else ()
        values = tuple(self.value(argument, names) for argument in arguments)
        key = symbol.name, values
        if key not in self._calls:
            # What a call of itself with the same arguments depends on, at most.
            self._calls[key] = reduce(Partial.__and__, values, NOTHING)
            inside = dict(zip(symbol.parameters, values, strict=False))
            cases = [(case.condition, case.value) for case in symbol.declaration.cases]
            self._calls[key] = self._chosen(cases, inside)
        return self._calls[key]

    def _chosen(self, cases: Iterable[tuple[ast.Expression | None, ast.Expression]], names: Names) -> Partial:
        """The value of the first case whose condition holds."""
        of: frozenset[LocalSymbol] = frozenset()
        sure = True
        for condition, value in cases:
            held = Partial(KnownValue(True)) if condition is None else self.value(condition, names)
            # `sure` says that no earlier case may hold instead. Only then is the value of a case that certainly holds
            # the value of all; otherwise it is one of several, and their arguments add up.
            if held.value is not None and not held.value.value:
                continue
            result = self.value(value, names)
            of |= result.of | (held.of if held.value is None else frozenset())
            if held.value is not None:
                return Partial(result.value, of, result.attribute) if sure else Partial(None, of)
            sure = False
        return Partial(None, of)

    def _logic(self, node: ast.And | ast.Or, names: Names) -> Partial:
        stops = isinstance(node, ast.Or)
        first = self.value(node.left, names)
        # `false and x` is false whatever `x` is, and so depends on no argument; the obvious union of both sides would
        # call every parameter used.
        if first.value is not None:
            return Partial(KnownValue(stops)) if bool(first.value.value) is stops else self.value(node.right, names)
        second = self.value(node.right, names)
        if second.value is not None:
            return Partial(KnownValue(stops)) if bool(second.value.value) is stops else first
        return first & second

    def _attribute(self, node: ast.Attribute, names: Names) -> Partial:
        base = self.value(node.base, names)
        if base.attribute is not None and base.attribute[0] == node.name:
            return Partial(KnownValue(base.attribute[1]))
        core = bare(self.model.types.get(node.base.number, TRUTH))
        table = self.model.type_symbols.get(core.name) if isinstance(core, Listed) else None
        if table is None or base.value is None or base.value.value not in table.members:
            return Partial(None, base.of)
        if node.name not in table.cells:
            return Partial(None, base.of)
        cell = table.cells[node.name][table.members.index(base.value.value)]
        # Several values in one cell, a set: known, but not as one value. No argument is read.
        if isinstance(cell, tuple):
            return NOTHING
        if not self.model.always_has(bare(table.attributes[node.name]), cell):
            return Partial(None, base.of)
        return Partial(KnownValue(cell == "true" if cell in ("true", "false") else None if cell == "none" else cell))

    def _member(self, symbol: FamilySymbol, node: ast.Call, names: Names) -> Partial:
        """A value with arguments, `fields(2)`; where it takes another one apart, the arguments are of any value."""
        arguments = [self.value(argument, names) for argument in node.arguments]
        literals = [argument_value.value.value for argument_value in arguments if argument_value.value is not None]
        if len(literals) == len(arguments) and all(
            isinstance(argument_value, str | int) for argument_value in literals
        ):
            words = ", ".join(
                str(argument_value).lower() if isinstance(argument_value, bool) else str(argument_value)
                for argument_value in literals
            )
            return Partial(KnownValue(f"{symbol.name}({words})"))
        return reduce(Partial.__and__, arguments, NOTHING)

    def _compared(self, node: ast.Compare, names: Names) -> Partial:
        operator: ast.Comparison | Literal["<", "<="] = OPPOSITES.get(node.operator, node.operator)
        operand, compared = self.value(node.left, names), self.value(node.right, names)
        attribute = self.model.attribute_of.get(node.right.number)
        if attribute is not None:
            reads_attribute = operand.attribute is not None and operand.attribute[0] == attribute
            operand = (
                Partial(KnownValue(operand.attribute[1]))
                if reads_attribute and operand.attribute is not None
                else Partial(None, operand.of)
            )
        elif isinstance(node.right, ast.Name) and node.right.name in ("empty", "somebody"):
            return operand & compared
        result = self._truth(operator, node.right, operand, compared, names)
        if result is None:
            return operand & compared
        return Partial(KnownValue(result if operator == node.operator else not result))

    def _truth(
        self, operator: ast.Comparison, node: ast.Expression, operand: Partial, compared: Partial, names: Names
    ) -> bool | None:
        """The truth of a comparison of a value that is known; None if it does not decide."""
        if operand.value is None:
            return None
        value = operand.value.value
        if operator == "is in" and isinstance(node, ast.SetOf | ast.ListOf):
            members = [self.value(item, names).value for item in node.items]
            if KnownValue(value) in members:
                return True
            return None if None in members else False
        if operator == "is in" and isinstance(node, ast.Range) and isinstance(value, int):
            ends = [self.value(end, names).value for end in (node.low, node.high)]
            numbers = [end.value for end in ends if end is not None and isinstance(end.value, int)]
            return numbers[0] <= value <= numbers[1] if len(numbers) == 2 else None
        if operator == "is" and compared.value is None:
            family = self.model.refers.get(node.number)
            apart = isinstance(node, ast.Call) and isinstance(family, FamilySymbol)
            return False if apart and str(value).partition("(")[0] != getattr(family, "name", None) else None
        if compared.value is None:
            return None
        compared_value = compared.value.value
        if operator == "is":
            return value == compared_value
        if operator in ("<", "<=") and isinstance(value, int) and isinstance(compared_value, int):
            return value < compared_value if operator == "<" else value <= compared_value
        return None
