"""Instrumented code: the same rules, compiled so that every branch taken is recorded by its number.

A *branch* is one outcome of a node: a statement is reached, a requirement holds for a candidate or refuses it, a case
gives its value. For `require c.rank > top: "too low"` there are two, and an author wants to know whether any example or
random game has ever refused a card for that reason.

Optimised code cannot tell: it turns the requirement into a set of cards and iterates over the members of both, so that
no card is ever refused. Counters are therefore added to the lowered program before any pass, and passes leave what is
counted as it is: no such condition becomes a set, no requirement a range, and parameters are enumerated in their order.
It plays the same game from the same seed, only slower, so a figure for a branch can be traced to a game that anybody
can play again. Branches that are left `uncounted` cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import partial

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import OptionSymbol
from dsl.types import Number, bare
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Choice, Counted, Expr, Lambda, Op, rebuilt
from interpreter.compiler.ir.module import Module
from interpreter.compiler.passes.pipeline import run_passes
from interpreter.compiler.passes.record import PassRecords
from interpreter.engine.build import build
from interpreter.engine.program import Program
from interpreter.engine.sight import forget_seen_always
from interpreter.play.game import Game
from interpreter.runtime.cells import Cells, Generated, Namespace, StoredValue
from interpreter.runtime.layout import acting_as

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


BestRows = tuple[int, tuple[int, ...]]
"""The worth of the best choice of rows, and the rows."""


class Branches:
    """The branches taken since the last call of `take`, and those with which every game begins."""

    def __init__(self) -> None:
        self.recorded: set[int] = set()
        self.initial: set[int] = set()

    def take(self) -> frozenset[int]:
        """Return the branches taken since the last call, and reset them."""
        branches = frozenset(self.recorded | self.initial)
        self.recorded.clear()
        return branches

    def names(self) -> Namespace:
        """The functions that instrumented code calls."""
        note = self.recorded.add

        def came(number: int, value: StoredValue) -> StoredValue:
            note(number)
            return value

        def held(number: int, value: StoredValue) -> StoredValue:
            note(number if value else number + FAILS - HOLDS)
            return value

        def found_by_search(choice: BestRows, worth: Callable[[int], int]) -> BestRows:
            for row in choice[1]:
                worth(row)
            return choice

        return {"branch_taken": note, "branch_value": came, "branch_condition": held, "branch_packing": found_by_search}


MARKED = {"enter": REACHED, "holds": HOLDS, "fails": FAILS}
"""The branches that marks stand for."""


def count_branches(model: Model, module: Module, uncounted: frozenset[int] = frozenset()) -> PassRecords:
    """Make a module record its branches, except some; nothing else may have changed it, as it could have hidden one.

    What may follow are passes: they keep every expression that is counted where it is.
    """
    phases = [phase for phase in model.nodes if isinstance(phase, ast.Phase)]
    counters = _Counters({condition.number for phase in phases for _, condition in phase.ends}, uncounted)
    for function in (*module.functions.values(), *module.blocks.values()):
        function.body = counters.block(function.body, function.kind != "moves")
    return run_passes(module)


@dataclass(frozen=True)
class _Counters:
    """Adds counters to statements; `ends` are the conditions under which a phase is over."""

    ends: set[int]
    uncounted: frozenset[int]

    def block(self, block: st.Block, statements: bool) -> st.Block:
        """Statements with what they record; `statements`: that they are reached is recorded as well."""

        def inside(nested: st.Block) -> st.Block:
            return self.block(nested, statements)

        counted: list[st.Statement] = []
        previous: ast.Node | None = None
        for node in block:
            if statements and isinstance(node.source, ast.Statement) and node.source is not previous:
                counted += self._count(node.source, REACHED)
            previous = node.source
            if isinstance(node, st.Mark):
                if node.what in MARKED:
                    counted += self._count(node.node, MARKED[node.what])
                continue
            counted.append(self._condition_counted(st.rebuilt(node, self._counted, inside)))
        return tuple(counted)

    def _count(self, node: ast.Node, which: int) -> tuple[st.Count, ...]:
        number = branch(node.number, which)
        return () if number in self.uncounted else (st.Count(number, node),)

    def _condition_counted(self, node: st.Statement) -> st.Statement:
        """Requirements, the conditions under which a phase is over or a seat wins, and the values of cases."""
        match node:
            case st.If(source=ast.Require() as require):
                return st.If(self._held(node.condition, require.number), node.then, node.otherwise, require)
            case st.Once(group, values, body, otherwise, source) if source is not None:
                first, repeated = (self._count(source, which) for which in (HOLDS, FAILS))
                return st.Once(group, values, (*first, *body), (*repeated, *otherwise), source)
            case st.If(condition, then, otherwise, source) if source is not None and source.number in self.ends:
                return st.If(self._held(condition, source.number), then, otherwise, source)
            case st.Return(value, ast.Case() as case) if branch(case.number, REACHED) not in self.uncounted:
                return st.Return(Counted(value.type, value, branch(case.number, REACHED), None), case)
            case st.Return(value, ast.Criterion(direction=None) as criterion):
                return st.Return(self._held(value, criterion.number), criterion)
            case _:
                return node

    def _held(self, condition: Expr, number: int) -> Expr:
        if {branch(number, HOLDS), branch(number, FAILS)} <= self.uncounted:
            return condition
        return Counted(condition.type, condition, branch(number, HOLDS), branch(number, FAILS))

    def _counted(self, node: Expr) -> Expr:
        """An expression that records which of two values it chooses, and the best choice that a search has found.

        The search itself is not recorded, because it tries what nobody could choose.
        """
        match node:
            case Op(type_, "best_rows" | "best_sets", args, source):
                worth = args[-1]  # tried for thousands of sets; evaluated again, with counters, only for those chosen
                assert isinstance(worth, Lambda)
                search = Op(type_, node.name, (*map(self._counted, args[:-1]), worth), source)
                counted = rebuilt(worth, self._counted)
                return search if counted == worth else Op(type_, "replayed", (search, counted), source)
            case Choice(source=ast.Either() as either):
                choice = rebuilt(node, self._counted)
                assert isinstance(choice, Choice)
                held = self._held(choice.condition, either.number)
                return Choice(choice.type, held, choice.then, choice.otherwise, either)
            case _:
                return rebuilt(node, self._counted)


@dataclass
class InstrumentedGame(Game):
    """A game whose programs record the branches they take."""

    branches: Branches = field(default_factory=Branches)
    uncounted: frozenset[int] = frozenset()

    def compiled(self, traced: bool = False, solo: bool = False) -> Program:
        """Compile the instrumented rules; called once for each game or example, this records the options."""
        # INVARIANT: what is evaluated while the rules are compiled (definitions computed once, the initial state) holds
        # for every game of these rules. It is `initial`, and does not appear as taken by the game that happened to be
        # first.
        key = (traced, solo)
        if key not in self.programs:
            recorded_earlier = frozenset(self.branches.recorded)
            self.branches.recorded.clear()

            counting = partial(count_branches, self.rules.model, uncounted=self.uncounted)
            functions = self.branches.names()
            program = build(self.rules.model, self.seats, self.options, counting, solo, functions)
            instrument_criteria(program, self.branches)
            self.branches.initial |= self.branches.recorded
            self.branches.recorded.clear()
            self.branches.recorded |= recorded_earlier
            self.programs[key] = program
        forget_seen_always(self.programs[key])
        branches = option_branches(self.rules.model)
        self.branches.recorded |= {branches[pair] for pair in self.options.items() if pair in branches}
        return self.programs[key]


def instrumented(
    game: Game, branches: Branches | None = None, uncounted: frozenset[int] = frozenset()
) -> InstrumentedGame:
    """Make an instrumented copy of a game, which does not record some branches."""
    return InstrumentedGame(game.rules, game.seats, game.options, branches=branches or Branches(), uncounted=uncounted)


def instrument_criteria(program: Program, branches: Branches) -> None:
    """Record the numbers of `winner` that are needed: the first, and each that has to separate seats still tied.

    A seat that does not meet all conditions ties with nobody; whether it meets them is recorded where they are tested.
    A seat that plays alone needs all numbers: they say how well it did.
    """
    winner = program.model.winner
    criteria = winner.criteria if winner is not None else ()
    functions: list[Generated] = [program.names[f"criterion_{index}"] for index in range(len(criteria))]

    def needed(index: int, state: Cells) -> bool:
        ranks = []
        for seat in range(len(program.layout.seats)):
            alone = acting_as(state, seat)
            if all(functions[number](alone) for number in program.conditions):
                ranks.append(tuple(function(alone) for function in functions[:index]))
        return bool(ranks) and (ranks.count(max(ranks)) > 1 or len(program.layout.seats) == 1)

    def recorded(index: int, state: Cells) -> StoredValue:
        if not criteria[index].is_condition and (index == 0 or needed(index, state)):
            branches.recorded.add(branch(criteria[index].number, REACHED))
        value: StoredValue = functions[index](state)
        return value

    for index in range(len(criteria)):
        program.names[f"criterion_{index}"] = lambda state, index=index: recorded(index, state)
