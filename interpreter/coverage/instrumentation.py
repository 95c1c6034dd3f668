"""Instrumented code: the same rules, compiled so that every branch taken is recorded by its number.

A *branch* is something that can happen to a node: a statement is reached, a requirement holds for a candidate or
refuses it, a case gives its value. Instrumented code is the output of the same emitter, wrapped in calls that record
branches. Optimisations are disabled where they would hide a branch: no condition becomes a mask, no requirement a
range, and parameters are enumerated in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl import ast
from dsl.model import Model
from dsl.symbols import LocalSymbol, OptionSymbol
from dsl.types import Number, bare
from interpreter.build import build
from interpreter.compile.domains import Domain, Env
from interpreter.compile.effects import Mode, Writer
from interpreter.compile.legal import Requirement
from interpreter.compile.points import Points
from interpreter.game import Game
from interpreter.layout.cells import ME, Layout
from interpreter.program import Program
from interpreter.runtime.primitives import Cells

REACHED, HOLDS, FAILS = 0, 1, 2
"""The branches of a node: it is reached; its condition holds; its condition fails. They are consecutive numbers."""


def branch(number: int, which: int) -> int:
    """The number of a branch of the node with this number."""
    return 3 * number + which


def worth_playing(option: OptionSymbol) -> tuple[str, ...]:
    """The values of an option that are worth playing: all of a list; of a range its ends and the default."""
    if not isinstance(bare(option.type), Number):
        return option.values
    ends = (option.values[0], option.values[-1])
    return tuple(value for value in option.values if value in (*ends, option.default))


def option_branches(model: Model) -> dict[tuple[str, str], int]:
    """The branches that stand for the values of the options; they belong to no node."""
    values = [(name, value) for name, option in model.options.items() for value in worth_playing(option)]
    return {pair: -index for index, pair in enumerate(values, 1)}


class Branches:
    """The branches taken since the last call of `take`, and those with which every game begins."""

    def __init__(self) -> None:
        self.taken: set[int] = set()
        self.initial: set[int] = set()

    def take(self) -> frozenset[int]:
        """Return the branches taken since the last call, and reset them."""
        found = frozenset(self.taken | self.initial)
        self.taken.clear()
        return found

    def names(self) -> dict[str, Any]:
        """The functions that instrumented code calls."""
        note = self.taken.add

        def came(number: int, value: Any) -> Any:
            note(number)
            return value

        def held(number: int, value: Any) -> Any:
            note(number if value else number + FAILS - HOLDS)
            return value

        def found_by_search(found: tuple[int, tuple[int, ...]], worth: Any) -> tuple[int, tuple[int, ...]]:
            for row in found[1]:
                worth(row)
            return found

        return {"branch_taken": note, "branch_value": came, "branch_condition": held, "branch_packing": found_by_search}


@dataclass
class InstrumentedPoints(Points):
    """An emitter of code that records its branches.

    `results` are the values and `conditions` the conditions to record where they are computed: by the number of their
    node, the number of the node that is recorded.
    """

    branches: Branches = field(default_factory=Branches)
    results: dict[int, int] = field(default_factory=dict)
    conditions: dict[int, int] = field(default_factory=dict)
    hypothetical: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.results, self.conditions = recorded_nodes(self.layout.model)
        self.tables |= self.branches.names()

    def reach(self, writer: Writer, node: ast.Node) -> None:
        """Record that a node is reached."""
        writer.add(f"branch_taken({branch(node.number, REACHED)})")

    # ------------------------------------------------------------ rules and statements

    def mark(self, writer: Writer, what: str, node: ast.Node, env: Env) -> None:
        """Record what is marked in a trace."""
        which = {"enter": REACHED, "holds": HOLDS, "fails": FAILS}.get(what)
        if which is not None:
            writer.add(f"branch_taken({branch(node.number, which)})")

    def block(self, writer: Writer, statements: Sequence[ast.Statement], env: Env, mode: Mode) -> None:
        """Emit consecutive statements, recording each."""
        for node in statements:
            self.reach(writer, node)
            super().block(writer, [node], env, mode)
        if not statements:
            super().block(writer, statements, env, mode)

    def flow(self, writer: Writer, statements: Sequence[ast.Statement], env: Env, mode: Mode, rule: str) -> Writer:
        """Emit statements in blocks, recording each."""
        for node in statements:
            if self.suspends([node]):
                self.reach(writer, node)
            writer = super().flow(writer, [node], env, mode, rule)
        return writer

    # ------------------------------------------------------------ values

    def value(self, node: ast.Expression, env: Env) -> str:
        """Emit an expression; its value is recorded if it is a case or a condition."""
        text = super().value(node, env)
        if self.hypothetical:
            return text
        if node.number in self.results:
            return f"branch_value({branch(self.results[node.number], REACHED)}, {text})"
        if node.number in self.conditions:
            return f"branch_condition({branch(self.conditions[node.number], HOLDS)}, {text})"
        return text

    def best_packing(self, node: ast.Aggregate | ast.Best, env: Env) -> str | None:
        """Search uninstrumented, because a search tries what nobody could choose; only its result is recorded."""
        before, self.hypothetical = self.hypothetical, True
        text = super().best_packing(node, env)
        self.hypothetical = before
        if text is None or self.hypothetical:
            return text
        total = node.value
        assert isinstance(total, ast.Aggregate)
        row = self.model.refers[total.binders[0].number]
        assert isinstance(row, LocalSymbol)
        name = self.variable(row)
        return f"branch_packing({text}, lambda {name}: {self.needed(total.value, {**env, row: name})})"

    def cut(self, node: ast.Expression, symbol: LocalSymbol, env: Env, domain: Domain) -> str | None:
        """Turn no condition into a mask: each is tested member by member."""
        return None

    # ------------------------------------------------------------ legal moves

    def tested(self, requirement: Requirement) -> str:
        """Record whether a requirement admits or refuses a candidate."""
        return f"branch_condition({branch(requirement.require.number, HOLDS)}, {super().tested(requirement)})"

    def ahead(
        self, writer: Writer, free: Sequence[tuple[LocalSymbol, ast.Parameter]], left: list[Requirement], env: Env,
        ready: dict[LocalSymbol, str],
    ) -> tuple[Writer, list[Requirement], dict[LocalSymbol, str]]:  # fmt: skip
        """Test no requirement before its turn."""
        return writer, left, ready

    def loop_over(
        self, symbol: LocalSymbol, parameter: ast.Parameter, left: list[Requirement], env: Env,
        unknown: frozenset[LocalSymbol],
    ) -> tuple[str, list[Requirement]]:  # fmt: skip
        """Enumerate all values of a parameter as candidates."""
        loop, _ = super().loop_over(symbol, parameter, [], env, unknown)
        return loop, left


def recorded_nodes(model: Model) -> tuple[dict[int, int], dict[int, int]]:
    """The values and the conditions recorded where they are computed, each with the node that is recorded."""
    results: dict[int, int] = {}
    conditions: dict[int, int] = {}
    for part in model.file.parts:
        for node in (inner for root in (*part.declarations, *part.statements) for inner in root.walk()):
            match node:
                case ast.Case():
                    results[node.value.number] = node.number
                case ast.Either():
                    conditions[node.condition.number] = node.number
                case ast.Phase():
                    for condition in (node.over_when, node.over_at_once):
                        if condition is not None:
                            conditions[condition.number] = condition.number
                case _:
                    pass
    return results, conditions


@dataclass
class InstrumentedGame(Game):
    """A game whose programs record the branches they take."""

    branches: Branches = field(default_factory=Branches)

    def compiled(self, traced: bool = False, solo: bool = False) -> Program:
        """Compile the instrumented rules; called once for each game or example, this records the options."""
        key = (traced, solo)
        if key not in self.programs:
            before = frozenset(self.branches.taken)
            self.branches.taken.clear()

            def emitter(layout: Layout, _: bool) -> InstrumentedPoints:
                return InstrumentedPoints(layout, traced=True, branches=self.branches)

            program = build(self.rules.model, self.seats, self.options, solo=solo, emitter=emitter)
            instrument_criteria(program, self.branches)
            self.branches.initial |= self.branches.taken
            self.branches.taken.clear()
            self.branches.taken |= before
            self.programs[key] = program
        branches = option_branches(self.rules.model)
        self.branches.taken |= {branches[pair] for pair in self.options.items() if pair in branches}
        return self.programs[key]


def instrumented(game: Game, branches: Branches | None = None) -> InstrumentedGame:
    """Make an instrumented copy of a game."""
    return InstrumentedGame(game.rules, game.seats, game.options, branches=branches or Branches())


def instrument_criteria(program: Program, branches: Branches) -> None:
    """Record the criteria of `winner` that are needed: the first, and each that has to separate seats still tied."""
    winner = program.model.winner
    criteria = winner.criteria if winner is not None else ()
    functions = [program.names[f"criterion_{index}"] for index in range(len(criteria))]

    def needed(index: int, S: Cells) -> bool:
        ranks = []
        for seat in range(len(program.layout.seats)):
            alone = list(S)
            alone[ME] = seat
            ranks.append(tuple(function(alone) for function in functions[:index]))
        return ranks.count(max(ranks)) > 1

    def recorded(index: int, S: Cells) -> Any:
        if index == 0 or needed(index, S):
            branches.taken.add(branch(criteria[index].number, REACHED))
        return functions[index](S)

    for index in range(len(criteria)):
        program.names[f"criterion_{index}"] = lambda S, index=index: recorded(index, S)
