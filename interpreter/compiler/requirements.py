"""The requirements of an action: its own, and those at the head of the steps it does, which bind it as well."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set
from dataclasses import field
from functools import cached_property

from dsl import ast
from dsl.checker.flow.calls import called
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import LocalSymbol, RuleSymbol
from interpreter.compiler.expression_facts import captures
from interpreter.compiler.names import Computed, Destructured, Names
from interpreter.errors import PlayError
from interpreter.wording.phrases import Phrase

MAX_REQUIREMENTS = 2_000
"""Maximum number of requirements of an action, with those of the steps it does."""

Identify = Callable[[Computed, ast.Statement], Hashable]
"""Gives equal keys for arguments and `let`s that are computed in the same way; the statement is for faults."""


@dataclass(frozen=True)
class BoundRequirement:
    """A requirement with the names its condition is to be read with; `source` is the declaration it belongs to.

    `guards` are the conditions under which it binds, as written in the clause for one value, and their names.
    """

    require: ast.Require
    source: ast.Action | ast.Step
    names: Names
    guards: tuple[tuple[ast.Expression, Names], ...] = ()


def with_callers(model: Model, names: Set[str]) -> frozenset[str]:
    """Rules, and all that call or offer them."""
    callers = set(names)
    users: dict[str, list[str]] = {}
    for name, rule in model.rules.items():
        for act in called(rule.declaration.body):
            users.setdefault(act.name, []).append(name)
    waiting = list(callers)
    while waiting:
        more = [name for name in users.get(waiting.pop(), ()) if name not in callers]
        callers.update(more)
        waiting += more
    return frozenset(callers)


class Requirements:
    """The requirements of the actions of a game."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def of(self, rule: RuleSymbol, names: Names, identify: Identify) -> list[BoundRequirement]:
        """Everything that must hold for an action whose parameters have names, in the order of the text.

        A step that is done twice with equal arguments counts once. Raises PlayError if there are too many requirements,
        and whatever `identify` raises.
        """
        collected = _Collected(self, identify)
        collected.add(rule, names)
        return collected.bound

    @cached_property
    def requiring(self) -> frozenset[str]:
        """The steps with requirements, their own or those of the steps they do."""
        rules = self.model.rules
        names = {name for name, rule in rules.items() if rule.declaration.requires}
        return with_callers(self.model, names)

    def names_known(self, node: ast.Expression, names: Names) -> bool:
        """True if every name in an expression stands for something, or is introduced by the expression."""
        symbols = (self.model.refers.get(part.number) for part in node.walk())
        return all(
            not isinstance(symbol, LocalSymbol) or symbol in names or symbol.role in ("binder", "taken")
            for symbol in symbols
        )


@dataclass
class _Collected:
    """The requirements found so far; `examined` are the steps that were looked at, with their arguments.

    `guards` are the conditions of the clauses that are looked at, `clause` the number of the innermost, 0 for none.
    """

    requirements: Requirements
    identify: Identify
    bound: list[BoundRequirement] = field(default_factory=list)
    examined: set[tuple[Hashable, ...]] = field(default_factory=set)
    guards: tuple[tuple[ast.Expression, Names], ...] = ()
    clause: int = 0

    def add(self, rule: RuleSymbol, names: Names) -> None:
        """Add the requirements of a rule and of the steps it does before its first decision."""
        declaration, model = rule.declaration, self.requirements.model
        if len(self.bound) > MAX_REQUIREMENTS:
            message = Phrase("there are more than {number} requirements here", number=MAX_REQUIREMENTS)
            raise PlayError(message, declaration.span.location)
        lets = ast.lets_at_head(declaration)
        for let in lets:
            names = self._with_let(let, names)
        self.bound += [BoundRequirement(require, declaration, names, self.guards) for require in declaration.requires]
        for statement in declaration.body[len(lets) :]:
            match statement:
                case ast.Decide() | ast.Choose():
                    break
                case ast.Let():
                    names = self._with_let(statement, names)
                case ast.Do(act=act) if act.name in self.requirements.requiring:
                    if all(self.requirements.names_known(argument, names) for argument in act.arguments):
                        self._add_step(statement, act, names)
                case ast.If(then=(ast.Do(act=act),)) if statement.number in model.unwritten:
                    if act.name in self.requirements.requiring:
                        self._add_clause(statement, model.rules[act.name], act, names)
                case _:
                    pass

    def _with_let(self, let: ast.Let, names: Names) -> Names:
        """The names with that of a `let`, unless its value depends on what only a decision gives."""
        if not self.requirements.names_known(let.value, names):
            return names
        symbol = self.requirements.model.refers[let.number]
        assert isinstance(symbol, LocalSymbol)
        value = Computed(let.value, symbol.type, names, fitted=False)
        self.identify(value, let)
        return {**names, symbol: value}

    def _add_clause(self, statement: ast.If, clause: RuleSymbol, act: ast.Act, names: Names) -> None:
        """Add the requirements of the clause for a value, which bind if it is that value."""
        captured = captures(self.requirements.model, statement.condition)
        clause_names = {**names, **{symbol: Destructured(test, position, names) for symbol, test, position in captured}}
        enclosing = self.guards, self.clause
        self.guards, self.clause = (*self.guards, (statement.condition, clause_names)), statement.number
        self.add(clause, dict(zip(clause.parameters, self._arguments(clause, act, clause_names), strict=True)))
        self.guards, self.clause = enclosing

    def _arguments(self, step: RuleSymbol, act: ast.Act, names: Names) -> list[Computed]:
        return [
            Computed(argument, parameter.type, names, fitted=True)
            for argument, parameter in zip(act.arguments, step.parameters, strict=False)
        ]

    def _add_step(self, statement: ast.Do, act: ast.Act, names: Names) -> None:
        step = self.requirements.model.rules[act.name]
        arguments = self._arguments(step, act, names)
        key = (step.name, self.clause, *(self.identify(argument, statement) for argument in arguments))
        if key not in self.examined:
            self.examined.add(key)
            self.add(step, dict(zip(step.parameters, arguments, strict=True)))
