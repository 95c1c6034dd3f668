"""Loops in which pieces chase each other: a later iteration moves on what an earlier one has moved.

`for each p in Player: move hand[p] to hand[left(p)]` does not pass all hands at once. Iterations run one after another,
so the first seat ends up with everything. Reported are moves between places of one zone where the target of one
iteration is the source of a later one; which iterations those are is computed from the index where possible.

The idea: a place such as `hand[left(p)]` is evaluated for every value of p, as a position in the type of p. That gives
a list of sources and one of targets; pieces chase each other if some target is the source of a later iteration. So
`move row[n] to row[n - 1]` is right, as n runs from low to high, and `move row[n] to row[n + 1]` is not. Indices that
depend on more than the iteration cannot be computed; then any difference between source and target counts
(`_NotKnown`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import asking, asking_interrupts
from dsl.checker.types.statements import all_statements
from dsl.diagnostics import Label, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import BuiltinSymbol, Cell, LocalSymbol, RuleSymbol, Symbol, TypeSymbol, ValueSymbol, ZoneSymbol
from dsl.types import PLAYER, Listed, Number, Type, bare

MAX_STEP_DEPTH = 4
"""Maximum depth to which nested steps are examined."""
MAX_ROUNDS = 400
"""Maximum number of iterations computed; longer loops are assumed to continue like their first iterations."""

Loop = ast.ForEach | ast.EachPlayer


class _NotKnown(Exception):
    """Raised for a value that depends on more than the iteration."""


@dataclass
class _Place:
    """A place of a zone that a loop moves pieces from or to; `arguments_of_step` those of the enclosing calls."""

    zone: ZoneSymbol
    arguments: tuple[ast.Expression, ...]
    node: ast.Node
    arguments_of_step: dict[int, ast.Expression] = field(default_factory=dict)


def chases(context: Context) -> None:
    """Warn of loops in which a later iteration moves on pieces that an earlier one has moved."""
    for node in context.model.nodes:
        # `at once` reads all sources before it moves anything: nothing can chase anything there.
        if isinstance(node, ast.ForEach) and not node.at_once:
            for binder in node.binders:
                symbol = context.model.refers.get(binder.number)
                if isinstance(symbol, LocalSymbol):
                    _look(context, node, symbol, symbol.type)
        elif isinstance(node, ast.EachPlayer):
            _look(context, node, None, PLAYER)


def _look(context: Context, loop: Loop, turning: LocalSymbol | None, type_: Type) -> None:
    """Check a loop; `turning` is what changes from iteration to iteration, None for `me`."""
    sources_in_loop: list[_Place] = []
    targets_in_loop: list[_Place] = []
    for move, arguments in _moves(context, loop.body, {}, 0):
        sources = [*_places(context, move.source, arguments)] if move.source is not None else []
        if move.source is None:
            sources = [place for part in move.what.walk() for place in _taken_from(context, part, arguments, loop)]
        if not (isinstance(move.what, ast.Number) and _alike(context, sources)):
            sources_in_loop += sources
            targets_in_loop += _places(context, move.target, arguments)
    rounds = _Rounds(context, turning, type_)
    for target in targets_in_loop:
        source = next(
            (
                candidate
                for candidate in sources_in_loop
                if candidate.zone is target.zone and rounds.chase(candidate, target)
            ),
            None,
        )
        if source is not None:
            target_text, source_text = target.node.span.text, source.node.span.text
            message = (
                f"pieces moved to `{target_text}` in one iteration are moved on from `{source_text}` in a later one"
            )
            labels = [Label(source.node.span, "moved on from here")]
            helps, fix = _advice(context, loop)
            context.error("E0509", message, target.node, helps, labels, severity="warning", new=fix)
            return


def _advice(context: Context, loop: Loop) -> tuple[list[str], Replacement | None]:
    """Suggest that everything happens at once, where that is possible, or that the pieces wait in another zone."""
    if any(unsuitable(context, loop.body)):
        return ["move them to another zone first, and on from there in a second loop"], None
    if isinstance(loop, ast.EachPlayer):
        return ["write a loop in which everything happens at once: `for each p in Player at once: …`"], None
    last = loop.binders[-1] if loop.where is None else loop.where
    new = f"{last.span.text} at once"
    head = loop.span.source.text[loop.span.start : last.span.start]
    return [f"let everything happen at once: `{' '.join(f'{head}{new}'.split())}: …`"], Replacement(last.span, new)


def _alike(context: Context, places: Iterable[_Place]) -> bool:
    """True if the pieces there are indistinguishable, so that it does not matter which of them move on."""
    return all(
        not context.model.pieces[held.name].attributes for place in places for held in place.zone.declaration.holds
    )


def _moves(
    context: Context, body: Sequence[ast.Statement], arguments: dict[int, ast.Expression], depth: int
) -> Iterator[tuple[ast.Move, dict[int, ast.Expression]]]:
    """Moves of a loop, including those of its inner loops and steps, with the arguments of the steps."""
    for statement in body:
        match statement:
            case ast.Move():
                yield statement, arguments
            case ast.Do():
                rule = context.model.refers.get(statement.act.number)
                if isinstance(rule, RuleSymbol) and depth < MAX_STEP_DEPTH:
                    pairs = zip(rule.declaration.parameters, statement.act.arguments, strict=False)
                    # A move in a step has the places of the step's parameters. They are substituted when a place is
                    # computed, so that `pass(p)` with `move hand[q] to hand[left(q)]` is examined like a loop that
                    # says so itself.
                    step_arguments = {**arguments, **{parameter.number: argument for parameter, argument in pairs}}
                    yield from _moves(context, rule.declaration.body, step_arguments, depth + 1)
            case ast.EachPlayer():
                pass
            case _:
                for block in ast.blocks(statement):
                    yield from _moves(context, block, arguments, depth)


def _places(context: Context, node: ast.Node, arguments: dict[int, ast.Expression]) -> Iterator[_Place]:
    zone = context.model.refers.get(node.number)
    if isinstance(node, ast.Index) and isinstance(zone, ZoneSymbol):
        yield _Place(zone, node.arguments, node, arguments)


def _taken_from(context: Context, node: ast.Node, arguments: dict[int, ast.Expression], loop: Loop) -> Iterator[_Place]:
    """Places that moved pieces come from: those of a zone, or of the zone that a name of the loop iterates over."""
    yield from _places(context, node, arguments)
    symbol = context.model.refers.get(node.number)
    bound = symbol.node if isinstance(symbol, LocalSymbol) else None
    inside = bound is not None and loop.span.start <= bound.span.start and bound.span.end <= loop.span.end
    # `for each c in hand[p]` goes through the pieces that lie there when the loop begins. A name bound inside reads
    # the zone anew in each iteration, and so sees what earlier ones have moved.
    copied = isinstance(loop, ast.ForEach) and any(bound is binder for binder in loop.binders)
    if isinstance(bound, ast.Binder) and inside and not copied:  # the loop itself takes a copy when it begins
        yield from _places(context, bound.domain, arguments)
    elif isinstance(bound, ast.Let) and inside:
        for part in bound.value.walk():
            yield from _places(context, part, arguments)


class _Rounds:
    """The iterations of a loop, and which places occur in them."""

    def __init__(self, context: Context, turning: LocalSymbol | None, type_: Type) -> None:
        self.context, self.turning, self.type = context, turning, bare(type_)

    def chase(self, source: _Place, target: _Place) -> bool:
        """True if some iteration moves pieces to where a later one moves them on from."""
        changing = [
            (source_index, target_index)
            for source_index, target_index in zip(source.arguments, target.arguments, strict=True)
            if source_index != target_index or source.arguments_of_step != target.arguments_of_step
        ]
        # With two indices that differ, `board[x][y]` to `board[x+1][y+1]`, one number per iteration does not say
        # which place is meant; a wrong warning is worse than none.
        if len(changing) != 1:
            return False
        source_index, target_index = changing[0]
        if not (
            self._turns(source_index, source.arguments_of_step) and self._turns(target_index, target.arguments_of_step)
        ):
            return False
        try:
            sources = [self._value(source_index, number, source.arguments_of_step) for number in self._numbers()]
            targets = [self._value(target_index, number, target.arguments_of_step) for number in self._numbers()]
        # An index that depends on the state, as `hand[partner[p]]`, may be any place: the same expression on both
        # sides moves nothing, another one is assumed to lead to a later iteration.
        except _NotKnown:
            return source_index != target_index
        # Iterations that move a pile onto itself do nothing and break no chain. INVARIANT: i < j, for an earlier
        # iteration that takes from where a later one puts to is harmless.
        moving = [number for number in range(len(sources)) if sources[number] != targets[number]]
        return any(targets[i] is not None and targets[i] == sources[j] for i in moving for j in moving if i < j)

    def _numbers(self) -> range:
        """Values of the iterations, as positions; numbers as themselves."""
        match self.type:
            case Number(low, high):
                return range(low, min(high, low + MAX_ROUNDS) + 1)
            case Listed(name=name, numeric=False):
                return range(min(len(self.context.model.type_symbols[name].members), MAX_ROUNDS))
            case Listed(name=name):
                members = [m for m in self.context.model.type_symbols[name].members if isinstance(m, int)]
                return range(min(members), min(max(members), min(members) + MAX_ROUNDS) + 1)
            case _:
                raise _NotKnown

    def _turns(self, node: ast.Expression, arguments: dict[int, ast.Expression]) -> bool:
        """True if an expression changes from iteration to iteration."""
        return any(self._is_turning(self._symbol(part)) or self._handed(part, arguments) for part in node.walk())

    def _handed(self, node: ast.Node, arguments: dict[int, ast.Expression]) -> bool:
        symbol = self._symbol(node)
        handed = arguments.get(symbol.node.number) if isinstance(symbol, LocalSymbol) and symbol.node else None
        return handed is not None and self._turns(handed, arguments)

    def _symbol(self, node: ast.Node) -> Symbol | None:
        return self.context.model.refers.get(node.number)

    def _is_turning(self, symbol: Symbol | None) -> bool:
        if self.turning is None:
            return isinstance(symbol, BuiltinSymbol) and symbol.name == "me"
        return symbol is self.turning

    def _value(self, node: ast.Expression, number: int, step_arguments: dict[int, ast.Expression]) -> int | None:
        """Value of an index in an iteration, as a position; None beyond the edge of a grid."""
        symbol = self._symbol(node)
        if self._is_turning(symbol):
            return number
        if isinstance(symbol, LocalSymbol) and symbol.node is not None and symbol.node.number in step_arguments:
            return self._value(step_arguments[symbol.node.number], number, step_arguments)
        match node:
            case ast.Number(value=value):
                return value
            case ast.Name() if isinstance(symbol, ValueSymbol):
                return symbol.position
            case ast.Call(base=ast.Name(name=name), arguments=arguments) if isinstance(symbol, BuiltinSymbol):
                return self._call(name, arguments, number, step_arguments)
            case ast.Arithmetic(operator="+" | "-") if isinstance(self.type, Number | Listed):
                augend, addend = (
                    self._value(node.left, number, step_arguments),
                    self._value(node.right, number, step_arguments),
                )
                if augend is not None and addend is not None:
                    return augend + addend if node.operator == "+" else augend - addend
            case ast.Attribute():
                return self._cell(node, number, step_arguments)
            case _:
                pass
        raise _NotKnown

    def _call(
        self, name: str, arguments: Sequence[ast.Expression], number: int, step_arguments: dict[int, ast.Expression]
    ) -> int | None:
        place = self._value(arguments[0], number, step_arguments)
        if name in ("left", "right") and place is not None and len(arguments) == 1:
            seats = len(self.context.model.seats)
            # Seats in a circle: the last seat passes to the first, so every iteration but the last moves on what the
            # one before has moved.
            return (place + (1 if name == "left" else -1)) % seats
        if name == "next" and isinstance(self.type, Listed) and len(arguments) > 1:
            return self._next(place, arguments[1:])
        if name in ("next", "previous") and isinstance(self.type, Listed) and len(arguments) == 1:
            neighbour = None if place is None else place + (1 if name == "next" else -1)
            return (
                neighbour if neighbour in range(len(self.context.model.type_symbols[self.type.name].members)) else None
            )
        raise _NotKnown

    def _next(self, place: int | None, arguments: Sequence[ast.Expression]) -> int | None:
        """The place some steps away, in a direction that is the same in every iteration."""
        assert isinstance(self.type, Listed)
        grids = list(self.context.model.grids.get(self.type.name, {}).values())
        steps = arguments[1].value if len(arguments) == 2 and isinstance(arguments[1], ast.Number) else 1
        if len(grids) != 1 or not isinstance(arguments[0], ast.Name) or arguments[0].name not in grids[0].ways:
            raise _NotKnown
        # Places of a numeric grid are numbered from 1, steps of a grid count from 0.
        first = 1 if self.type.numeric else 0
        for _ in range(steps):
            place = None if place is None else grids[0].step(place - first, arguments[0].name)
            place = None if place is None else place + first
        return place

    def _cell(self, node: ast.Attribute, number: int, arguments: dict[int, ast.Expression]) -> int | None:
        """Cell of a table column, in the row of the iteration's value."""
        place = self._value(node.base, number, arguments)
        type_ = bare(self.context.model.types.get(node.base.number, PLAYER))
        symbol = self.context.model.type_symbols.get(type_.name) if isinstance(type_, Listed) else None
        result = bare(self.context.model.types.get(node.number, PLAYER))
        if (
            place is None
            or symbol is None
            or not isinstance(type_, Listed)
            or type_.numeric
            or node.name not in symbol.cells
        ):
            raise _NotKnown
        cell = symbol.cells[node.name][place]
        owner = self.context.model.type_symbols.get(result.name) if isinstance(result, Listed) else None
        return _position(owner, cell)


def _position(owner: TypeSymbol | None, cell: Cell) -> int | None:
    """Position of a table cell among the values of its type."""
    if owner is None:
        if isinstance(cell, int):
            return cell
        raise _NotKnown
    return owner.members.index(cell) if not isinstance(cell, tuple) and cell in owner.members else None


# ---------------- what may be in loops `at once`: everything is computed before anything changes, or all choose
# before anybody acts


BEFORE_OR_AFTER = "do it before the loop or after it"


def simultaneous(context: Context) -> None:
    """Report statements that cannot be part of a loop `at once`."""
    for node in context.model.nodes:
        if isinstance(node, ast.ForEach) and node.at_once:
            for statement, what, help_ in unsuitable(context, node.body):
                context.error("E0435", f"{what} inside a loop `at once`", statement, [help_])
        elif isinstance(node, ast.EachPlayer) and node.at_once:
            _choosing(context, node)


def _choosing(context: Context, node: ast.EachPlayer) -> None:
    """Report what does not let all seats choose before anybody acts."""
    decision, *rest = node.body
    if not isinstance(decision, ast.Question):
        problem = "a block `at once` must begin with the choice that all make"
        helps = ["begin with `must …`, `may …` or `must choose x from …`; the rest is done when all have chosen"]
        if not asking(context, node.body):
            helps = ["nobody decides anything here: `for each p in Player at once: …`, or omit `at once`"]
        context.error("E0436", problem, decision, helps)
        return
    if isinstance(decision, ast.Decide) and decision.bound is not None:
        problem = "a choice made `at once` cannot be repeated"
        helps = ["repeat the whole: `up to 3 times: each player from … at once: …`"]
        context.error("E0436", problem, decision.bound, helps)
    for act in decision.offered if isinstance(decision, ast.Decide) else ():
        rule = context.model.rules.get(act.name)
        if rule is not None and asking(context, rule.declaration.body):
            problem = f"`{act.name}` asks for more when all have chosen, so not everything is chosen `at once`"
            helps = ["make what it asks for a parameter of the action, or ask for it in a second loop"]
            labels = asking_interrupts(context, rule.declaration.body)
            if labels:
                helps = ["let it interrupt a step that is done when all have chosen"]
            context.error("E0436", problem, act, helps, labels)
    for statement in all_statements([*rest, *(part for block in ast.blocks(decision) for part in block)]):
        if isinstance(statement, ast.Question):
            problem = "this is asked when all have chosen, one seat after another, so it is not part of `at once`"
            helps = ["only the first statement is chosen at once: ask for more in a second loop"]
            context.error("E0436", problem, statement, helps)
        elif isinstance(statement, ast.Do) and asking(context, [statement]):
            problem = f"`{statement.act.name}` asks when all have chosen, so it is not part of `at once`"
            helps = ["only the first statement is chosen at once: call the step in a second loop"]
            context.error("E0436", problem, statement, helps)


def unsuitable(context: Context, body: Sequence[ast.Statement]) -> Iterator[tuple[ast.Node, str, str]]:
    """The statements that cannot happen together with others, with the problem and a way out."""
    for node in body:
        match node:
            case ast.If():
                yield from unsuitable(context, (*node.then, *node.otherwise))
            case ast.Let():
                pass
            case ast.Move():
                if node.source is not None:
                    what = "`from` takes pieces one after another, so it cannot be used"
                    yield node.source, what, "name the pieces to move: `move c to …`, or a whole zone"
                elif node.position is not None and node.position.anchor is not None:
                    relation = node.position.relation
                    what = f"`{relation}` names a piece that may be moved at the same time, so it cannot be used"
                    yield node.position, what, "leave the position out, or place the pieces in a second loop"
            case ast.SetTo() | ast.Add() | ast.Remove():
                symbol = context.model.refers.get(node.target.number)
                if isinstance(symbol, LocalSymbol):
                    what = f"`{node.target.span.text}` changes from iteration to iteration, which is impossible"
                    yield node.target, what, "use a note, or `sum`, `count` or `highest` before the loop"
            case ast.ForEach():
                yield node, "no other loop", "add a name to the outer loop: `for each x in S with y in T at once`"
            case ast.EachPlayer() | ast.Repeat():
                yield node, "no other loop", BEFORE_OR_AFTER
            case ast.Do():
                yield node, "no step can be called", "write what the step does, or call it before the loop or after it"
            case ast.Decide() | ast.Choose():
                yield node, "nobody can be asked", "ask before the loop"
            case _:  # only what is known to be possible at once is
                yield node, f"no `{node.span.text.split()[0]}`", BEFORE_OR_AFTER
