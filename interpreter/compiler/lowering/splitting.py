"""Rules that may suspend, split into blocks, as compilers do with coroutines.

Lowering gives every rule as structured statements. Where control may suspend (at a decision, or in a call of a rule or
of reactions that contain one), it has to resume without a stack frame. For example

    repeat 2 times:                      b1: left := 2; goto b2
        let n = dice                     b2: if left <= 0: goto b5
        do bid(n)         becomes            left -= 1; n := dice
        stake += n                           bid's parameter := n; back from bid := 3; goto bid
                                         b3: stake += n; goto b2

- A statement that cannot suspend stays as it is, in the present block.
- Of one that can, control enters what is inside by a jump, and leaves it by a jump to the block after it. `Break` and
  `Continue` become jumps.
- A call that can suspend stores its arguments and its return address in cells of the called rule. One cell for the
  address is enough, as rules are not recursive.
- A loop keeps its progress in cells: how many rounds are left, or the combinations with the position of the next one.
- Locals become cells: those with names of the rules everywhere between suspensions, whether or not they are read
  again, since a decision shows them and equal states must stay equal; temporaries only if they are read after a
  suspension.

INVARIANT: the block to which a rule or reaction returns says which statement called it (`Context.origins`). The trace
reads the chain of suspended rules from that, so two statements never share such a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import NOTHING, Cell, Expr, Fold, Local, Op, mentions, number, rebuilt
from interpreter.compiler.ir.module import Function
from interpreter.compiler.lowering.blocks import enter, entry, new_block, reactions_entry, symbol_cell
from interpreter.compiler.lowering.context import Context, new_cell
from interpreter.compiler.lowering.effects import FOREVER, Lines
from interpreter.compiler.lowering.footprints import suspends
from interpreter.compiler.lowering.reactions import REACTIONS
from interpreter.compiler.lowering.waiting import MOVE
from interpreter.compiler.names import InCell
from interpreter.runtime.cells import NumberCell


def split(ctx: Context, block: int, statements: Sequence[st.Statement], then: st.Goto, rule: str) -> None:
    """Continue a block with statements of a rule or phase, in as many further blocks as needed, and end in a jump."""
    splitter = _Splitter(ctx, rule)
    end = splitter.run(ctx.lines[block], statements, None)
    end.append(then)


def split_decision(ctx: Context, node: st.Decide, following: int, rule: str) -> None:
    """The blocks of a decision by itself, with what is called from it; control continues at a block."""
    _Splitter(ctx, rule).decide(node, following, None)


@dataclass(frozen=True)
class _Exits:
    """The blocks to which `Continue` and `Break` of the innermost loop lead."""

    start: int
    end: int


class _Splitter:
    """Splits the statements of one rule; `cells` are those of its locals, by name."""

    def __init__(self, ctx: Context, rule: str) -> None:
        self.ctx, self.rule = ctx, rule
        self.cells: dict[str, Cell] = {}

    # ------------------------------------------------------------ statements in order

    def run(
        self, out: Lines, statements: Sequence[st.Statement], exits: _Exits | None, target: int | None = None
    ) -> Lines:  # fmt: skip
        """Append statements, after which control jumps to a block if one is given.

        Returns the statements of the block in which control is at the end.
        """
        for place, node in enumerate(statements):
            if not self.suspends(node):
                self._plain(out, node, statements[place + 1 :], exits)
                continue
            # What suspends at the end of a body jumps to the target itself. With a block after it, every round of a
            # loop would pass through one that holds only a jump.
            last = target is not None and place + 1 == len(statements)
            next_block = target if last and target is not None else new_block(self.ctx, node.source)
            self._suspending(out, node, next_block, exits)
            if last:
                return out
            out = self.ctx.lines[next_block]
        if target is not None and not (out and isinstance(out[-1], st.Goto)):
            out.append(st.Goto(target, statements[-1].source if statements else None))
        return out

    def suspends(self, node: st.Statement) -> bool:
        """Whether a statement has to be split, because control may suspend in it."""
        return any(map(self._is_suspension, st.walk((node,))))

    def _is_suspension(self, node: st.Statement) -> bool:
        match node:
            case st.Perform(function=name):
                return suspends(self.ctx, name)
            case st.React(function=name):
                return name == REACTIONS
            case st.If(condition, _, otherwise) if otherwise:  # each act continues by itself, to be specialised for it
                return mentions(condition, MOVE)
            case st.Repeat(times=times):  # between the blocks of such a loop, turns without a decision are counted
                return times == FOREVER
            case _:
                return isinstance(node, st.Decide)

    # ------------------------------------------------------------ locals

    def _plain(
        self, out: Lines, node: st.Statement, rest: Sequence[st.Statement], exits: _Exits | None
    ) -> None:  # fmt: skip
        """Append a statement that cannot suspend; `rest` follows it."""
        if isinstance(node, st.Assign) and node.local.name not in self.cells:
            # INVARIANT: a local gets its cell here, where it is assigned, so `_value` never keeps one that has a cell
            # later. `n` of the example above has one although `left` alone decides whether there is another round.
            symbol = self.ctx.symbols.get(node.local.name)
            if symbol is not None:
                self.cells[node.local.name] = symbol_cell(self.ctx, symbol)
            elif self._outlives_suspension(node.local, rest):
                self.cells[node.local.name] = new_cell(self.ctx, node.local.name.rpartition("_")[0], node.local.type)
        out.append(self._in_cells(node, exits))

    def _outlives_suspension(self, temporary: Local, rest: Sequence[st.Statement]) -> bool:
        """Whether a local is read after control may have suspended in the statements that follow its assignment."""
        for place, node in enumerate(rest):
            if self.suspends(node):
                remaining = [*(part for block in st.blocks(node) for part in block), *rest[place + 1 :]]
                read = (value for part in st.walk(tuple(remaining)) for value in st.expressions(part))
                return any(mentions(value, temporary) for value in read)
        return False

    def _in_cells(self, node: st.Statement, exits: _Exits | None) -> st.Statement:
        """A statement with locals replaced by their cells, and with jumps out of the loop that has been split."""
        match node:
            case st.Assign(assigned, value, source) if assigned.name in self.cells:
                return st.Store(self.cells[assigned.name], self._value(value), source)
            case st.Break(source) if exits is not None:
                return st.Goto(exits.end, source)
            case st.Continue(source) if exits is not None:
                return st.Goto(exits.start, source)
            case _:
                # a loop that cannot suspend keeps its own `Break` and `Continue`
                inner_exits = None if isinstance(node, st.For | st.Repeat) else exits
                return st.rebuilt(node, self._value, lambda block: self._all_in_cells(block, inner_exits))

    def _all_in_cells(self, block: st.Block, exits: _Exits | None) -> st.Block:
        return tuple([self._in_cells(node, exits) for node in block])

    def _value(self, node: Expr) -> Expr:
        """An expression with locals replaced by their cells."""
        return self.cells.get(node.name, node) if isinstance(node, Local) else rebuilt(node, self._value)

    # ------------------------------------------------------------ statements that may suspend

    def _suspending(self, out: Lines, node: st.Statement, following: int, exits: _Exits | None) -> None:
        """Append a statement that may suspend, after which control jumps to a block."""
        match node:
            case st.Perform():
                rule, quiet = self.ctx.requested[node.function]
                way_in, arguments = entry(self.ctx, rule, quiet), tuple(map(self._value, node.args))
                enter(out, way_in, arguments, self._return_block(following, node.source), node.source)
            case st.React():
                enter(out, reactions_entry(self.ctx), (), self._return_block(following, node.source), node.source)
            case st.If():
                self._if(out, node, following, exits)
            case st.For():
                self._for(out, node, following)
            case st.Repeat():
                self._repeat(out, node, following)
            case st.Decide():
                out.append(st.Goto(node.point, node.source))
                self.decide(node, following, exits)
            case _:
                raise AssertionError(node)

    def _return_block(self, following: int, source: ast.Node | None) -> int:
        """A block that continues at `following`, and to which only calls by one statement of the rules return."""
        # The two branches of `if rich: do bid(2) else: do bid(3)` continue at the same block. If both calls returned
        # there, nobody could say which of them a suspended `bid` belongs to. The second one gets a block that jumps on.
        caller = self.ctx.offering.get(source.number, source) if isinstance(source, ast.Act) else source
        if following == self.ctx.free_block or caller is None:
            return following
        if self.ctx.origins.setdefault(following, caller) is caller:
            return following
        return_block = new_block(self.ctx, caller)
        self.ctx.origins[return_block] = caller
        self.ctx.lines[return_block].append(st.Goto(following, caller))
        return return_block

    def _if(self, out: Lines, node: st.If, following: int, exits: _Exits | None) -> None:
        """Both branches stay in the present block as far as they go: what makes a move reads its arguments there."""
        then: Lines = []
        self.run(then, node.then, exits, following)
        out.append(st.If(self._value(node.condition), tuple(then), (), node.source))
        self.run(out, node.otherwise, exits, following)

    def _for(self, out: Lines, node: st.For, following: int) -> None:
        """A loop over all combinations, which are listed first."""
        ctx, source = self.ctx, node.source
        names = tuple(loop.local for loop in node.loops)
        combination = Op(ir.Row(tuple(name.type for name in names)), "row", names)
        items = new_cell(ctx, "items", ir.Seq(combination.type))
        place = new_cell(ctx, "item", ir.COUNT)
        # They are in a cell before the first round, so what a round changes cannot change which rounds follow.
        out.append(st.Store(items, self._value(Fold(items.type, "list", node.loops, combination, source)), source))
        out.append(st.Store(place, number(0), source))
        head = new_block(self.ctx, source)
        out.append(st.Goto(head, source))
        body = ctx.lines[head]
        finished = Op(ir.BOOL, "ge", (place, Op(ir.COUNT, "length", (items,))))
        body.append(st.If(finished, (st.Goto(following, source),), (), source))
        now = Op(combination.type, "item", (items, place))
        for position, name in enumerate(names):
            cell = self.cells[name.name] = symbol_cell(ctx, ctx.symbols[name.name])
            body.append(st.Store(cell, Op(cell.type, "part", (now, number(position))), source))
        # INVARIANT: the place of the next item is stored before the body, as `Continue` in it jumps to the head.
        body.append(st.Store(place, Op(ir.COUNT, "add", (place, number(1))), source))
        self.run(body, node.body, _Exits(head, following), head)

    def _repeat(self, out: Lines, node: st.Repeat, following: int) -> None:
        """A loop that counts its rounds, after the conditions under which it ends; or one that goes on until then."""
        source, exits = node.source, _Exits(head := new_block(self.ctx, node.source), following)
        counted = node.times != FOREVER
        times_left = new_cell(self.ctx, "times left", ir.COUNT) if counted else None
        if times_left is not None:
            out.append(st.Store(times_left, self._value(node.times), source))
        out.append(st.Goto(head, source))
        body = self.ctx.lines[head]
        if times_left is not None:
            body.append(st.If(Op(ir.BOOL, "le", (times_left, number(0))), (st.Goto(following, source),), (), source))
        # A round counts from when its conditions have let it begin: they may read how many are left.
        heading = list(takewhile(_may_end_loop, node.body))
        body = self.run(body, heading, exits)
        if times_left is not None:
            body.append(st.Store(times_left, Op(ir.COUNT, "sub", (times_left, number(1))), source))
        self.run(body, node.body[len(heading) :], exits, head)

    # ------------------------------------------------------------ decisions

    def decide(self, node: st.Decide, following: int, exits: _Exits | None) -> None:
        """The block that suspends at a decision, its legal moves, and the function that makes one of them."""
        ctx, point, source = self.ctx, node.point, node.source
        scope, chosen = ctx.scopes[point]
        values = {symbol: self._value(value) for symbol, value in scope.items()}
        names = {symbol: InCell(cell.group.first) for symbol, cell in values.items() if isinstance(cell, Cell)}
        so_far = None if chosen is None else NumberCell(self.cells[chosen.name].group.first)
        ctx.decisions[point] = replace(ctx.decisions[point], names=names, rule=self.rule, chosen=so_far)
        # `Suspend` names the block to go on with where there is no legal move, and the local that is then none.
        none_chosen: Cell | None = None
        nowhere = following
        match node.otherwise:
            case ():
                pass
            case (st.Break(),) if exits is not None:
                nowhere = exits.end
            case (st.Assign(assigned, value),) if value == NOTHING:
                none_chosen = self.cells[assigned.name] = symbol_cell(ctx, ctx.symbols[assigned.name])
            case instead:
                nowhere = new_block(ctx, source)
                self.run(ctx.lines[nowhere], instead, exits, following)
        (move,) = node.names
        listing = Function("moves", f"m{point}", (), self._all_in_cells(node.moves, None), None, point, (), source)
        ctx.module.functions[listing.name] = listing
        ctx.lines[point].append(st.Suspend(point, nowhere, none_chosen, source))
        consequences: Lines = []
        self.run(consequences, node.made, exits, following)
        making = Function("apply", f"a{point}", (move,), tuple(consequences), None, point, (), source)
        ctx.module.functions[making.name] = making


def _may_end_loop(node: st.Statement) -> bool:
    """Whether a statement at the head of a loop is a condition under which it ends, or the mark before it."""
    match node:
        case st.Mark(what="again") | st.If(then=(st.Break(),), otherwise=()):
            return True
        case _:
            return False
