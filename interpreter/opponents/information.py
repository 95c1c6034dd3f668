"""The information structure of a game: who knows what, where chance plays a part, and what alpha-beta can play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from dsl import ast
from dsl.model import Model
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Cell, Const
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.facts.accesses import called_by
from interpreter.compiler.privacy import has_masked_moves
from interpreter.engine.program import Program, once_for_program
from interpreter.play.game import Game
from interpreter.wording.phrases import Phrase


@once_for_program
def masks_moves(program: Program) -> bool:
    """True if of some move, some seats learn more than others."""
    return has_masked_moves(program.model)


def is_known(game: Game) -> bool:
    """True if every seat knows the whole position.

    Either nothing is hidden, or everything follows from the moves, which all see, because there is no chance.
    """
    return _is_known(game.program)


@once_for_program
def _is_known(program: Program) -> bool:
    return program.model.is_open or not (_has_chance(program.model) or masks_moves(program))


def can_be_proven(game: Game) -> bool:
    """True if every seat knows the whole position, which alone determines the effect of each move."""
    return is_known(game) and chance_in_play(game.program) is None


def has_chance(game: Game) -> bool:
    """True if the rules use chance anywhere. Options that are left to chance do not count."""
    return _has_chance(game.rules.model)


def _has_chance(model: Model) -> bool:
    return any(map(ast.is_chance, model.nodes))


def why_uncertain(game: Game) -> str | None:
    """Why a game is not a two-player game of perfect information without chance in play; None if it is.

    Something unseen is no secret if it follows from the moves, which all see.
    """
    program = game.program
    if len(game.seats) != 2:
        return Phrase("it has {number} seat, not two", plural="it has {number} seats, not two", number=len(game.seats))
    if program.model.teams is not None:
        return Phrase("its seats play in teams ({where})", where=_where(program.model.teams))
    winner = program.model.winner
    if winner is None or all(map(program.is_same_for_all, winner.criteria)):
        return Phrase("its players win or lose together")
    chance = chance_in_play(program)
    if chance is not None:
        return Phrase("chance plays a part ({where})", where=_where(chance))
    return None if is_known(game) else _hidden(game)


def _hidden(game: Game) -> str:
    """Something that is hidden from some seat, in a game with hidden information."""
    for node in game.rules.model.nodes:
        match node:
            case ast.Zone() | ast.Note() if node.sights:
                return Phrase("`{name}` is not open to everybody ({where})", name=node.name, where=_where(node))
            case ast.Decide() | ast.Choose() if node.secretly:
                return Phrase("a choice is secret ({where})", where=_where(node))
            case ast.Parameter() if node.secret:
                return Phrase("a choice is secret ({where})", where=_where(node))
            case ast.EachPlayer() if node.at_once:
                return Phrase("all choose at the same time ({where})", where=_where(node))
    return Phrase("not everything is open to everybody")


def _where(node: ast.Node) -> str:
    return node.span.location


# ---------------------------------------------------------------- chance after the first decision


CHANCE = st.Shuffle | st.Mix | st.Draw | st.DrawItem
"""The statements whose result is random."""


@once_for_program
def chance_in_play(program: Program) -> ast.Node | None:
    """The first rule found that uses chance after the first decision; None if play is deterministic from there on.

    A shuffle during setup, before any decision, is not chance in play. The analysis is conservative: a rule is assumed
    to return to every place to which it can return.
    """
    reached = _Reached(program.as_lowered)
    statement = reached.after_decisions()
    return None if statement is None else statement.source


class _Reached:
    """The statements that can be reached in a module, by functions and blocks."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.seen: set[tuple[str, str, int]] = set()

    def after_decisions(self) -> st.Shuffle | st.Mix | st.Draw | st.DrawItem | None:
        """A random statement that can follow a decision."""
        first = list(self._statements([self.module.blocks[0]]))
        points = _points(first)
        self.seen.clear()
        moves = {function.number: function for function in self.module.functions.values() if function.kind == "apply"}
        reached = set(points)
        while points:
            statements = list(self._statements([moves[point] for point in points]))
            random = next((node for node in statements if isinstance(node, CHANCE)), None)
            if random is not None:
                return random
            points = _points(statements) - reached
            reached |= points
        return None

    def _statements(self, functions: list[Function]) -> Iterator[st.Statement]:
        """The statements of functions, and of those that follow, up to the next decisions."""
        waiting = list(functions)
        while waiting:
            function = waiting.pop()
            key = function.kind, function.name, function.number
            if key in self.seen:
                continue
            self.seen.add(key)
            waiting += [self.module.functions[name] for name in called_by(function)]
            for node in st.walk(function.body):
                yield node
                waiting += self._next(node)

    def _next(self, node: st.Statement) -> list[Function]:
        """The functions and blocks to which a statement leads."""
        match node:
            case st.Perform(function=name) | st.React(function=name):
                return [self.module.functions[name]]
            case st.Goto(block=Cell() as cell):
                return [self.module.blocks[number] for number in self._returns[cell.group.name]]
            case st.Goto(block=int() as number) | st.Leave(block=number):
                return [self.module.blocks[number]]
            case st.Suspend(otherwise=number):
                return [self.module.blocks[number]]
            case _:
                return []

    @cached_property
    def _returns(self) -> dict[str, set[int]]:
        """The possible return blocks for each cell with a return address."""
        nodes = [node for function in _functions(self.module) for node in st.walk(function.body)]
        cells = {
            node.block.group.name for node in nodes if isinstance(node, st.Goto) and isinstance(node.block, Cell)
        }  # fmt: skip
        values_by_cell: dict[str, set[int]] = {name: set() for name in cells}
        for node in nodes:
            if isinstance(node, st.Store) and node.cell.group.name in cells and isinstance(node.value, Const):
                values_by_cell[node.cell.group.name].add(node.value.value)
        return values_by_cell


def _points(statements: Iterable[st.Statement]) -> set[int]:
    """The decisions among statements."""
    return {node.point for node in statements if isinstance(node, st.Suspend)}


def _functions(module: Module) -> Iterator[Function]:
    yield from module.functions.values()
    yield from module.blocks.values()
