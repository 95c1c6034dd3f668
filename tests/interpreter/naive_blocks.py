"""What statements of the intermediate representation do, executed as simply as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Cell, Expr, Group, Loop, Zone
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import Set
from interpreter.runtime.bitset import bits
from tests.interpreter.naive_ir import Fault, value


def module_of(groups: Iterable[Group], *bodies: st.Block, zones: Iterable[Zone] = ()) -> Module:
    """A module of blocks, numbered from 0."""
    return Module(
        cells={group.name: group for group in groups},
        zones={zone.name: zone for zone in zones},
        blocks={n: Function("block", f"b{n}", (), body, number=n) for n, body in enumerate(bodies)},
    )


LONGEST = 500
"""The number of jumps after which a run is given up."""

Choose = Callable[[int, int], int]
"""Gives the number of the move made, for the number of the decision, from 1, and the number of legal moves."""


class Jump(Exception):
    """Control passes to another block."""

    def __init__(self, block: int) -> None:
        super().__init__(block)
        self.block = block


class Stopped(Exception):
    """The run is over."""

    def __init__(self, point: int) -> None:
        super().__init__(point)
        self.point = point


class LoopLeft(Exception):
    """The innermost loop ends."""


class RoundLeft(Exception):
    """The innermost loop goes on with its next iteration."""


class Returned(Exception):
    """A function gives a value."""

    def __init__(self, result: Any) -> None:
        super().__init__(result)
        self.result = result


@dataclass
class Run:
    """One run of a module: its state, the cell with the place of the first piece, and the legal moves so far."""

    module: Module
    S: list[Any]
    choose: Choose = lambda decision, moves: decision % moves
    piece_places: int | None = None
    decisions: list[list[tuple[Any, ...]]] = field(default_factory=list)
    moves: list[tuple[Any, ...]] = field(default_factory=list)
    compared: list[tuple[Any, ...]] = field(default_factory=list)
    names: dict[str, Any] = field(default_factory=dict)

    def from_block(self, number: int) -> int:
        """Run from a block until the game stops; gives where. Raises Fault."""
        for _ in range(LONGEST):
            self.names = {}
            try:
                self.block(self.module.blocks[number].body)
            except Jump as jump:
                number = jump.block
            except Stopped as stopped:
                return stopped.point
            else:
                raise AssertionError(f"block {number} ends without a jump")
        raise AssertionError("endless")

    def block(self, block: st.Block) -> None:
        for node in block:
            self.statement(node)

    def call(self, function: Function, *args: Any) -> Any:
        """The value that a function gives, if it gives one."""
        outer, self.names = self.names, dict(zip([param.name for param in function.params], args, strict=True))
        try:
            self.block(function.body)
        except Returned as returned:
            return returned.result
        finally:
            self.names = outer
        return None

    def value(self, node: Expr, names: Mapping[str, Any] | None = None) -> Any:
        called = {name: self._called(function) for name, function in self.module.functions.items()}
        return value(node, {**called, **(self.names if names is None else names)}, self.S)

    def _called(self, function: Function) -> Callable[..., Any]:
        return lambda _, *args: self.call(function, *args)

    def number_of(self, cell: Cell) -> int:
        """The number of a cell in the state."""
        number: int = cell.group.first + self.value(cell.index)
        return number

    def statement(self, node: st.Statement) -> None:
        match node:
            case st.Assign():
                self.names[node.local.name] = self.value(node.value)
            case st.Store():
                self.S[self.number_of(node.cell)] = self.value(node.value)
            case st.If():
                self.block(node.then if self.value(node.condition) else node.otherwise)
            case st.For():
                self._rounds(list(self._combinations(node.loops, self.names)), node.body)
            case st.Repeat():
                self._rounds([{}] * self.value(node.times), node.body)
            case st.Break():
                raise LoopLeft
            case st.Continue():
                raise RoundLeft
            case st.Goto(block=int() as target) | st.Leave(block=target):
                raise Jump(target)
            case st.Goto(block=Cell() as cell):
                raise Jump(self.value(cell))
            case st.Stop():
                raise Stopped(node.point)
            case st.Return():
                raise Returned(self.value(node.value))
            case st.Perform():
                self.call(self.module.functions[node.function], *map(self.value, node.args))
            case st.Emit():
                self.moves.append(tuple(map(self.value, node.move)))
            case st.EmitDone():
                if self.moves or not node.any_before:
                    self.moves.append((-1,))
            case st.IfNoMoves():
                if not self.moves:
                    self.block(node.body)
            case st.Once():
                values = node.group, *map(self.value, node.values)
                first = values not in self.compared
                self.compared.append(values)
                self.block(node.body if first else node.otherwise)
            case st.Decide():
                self._decide(node)
            case st.Suspend():
                self._suspend(node)
            case st.MoveSet():
                self._move_set(node)
            case st.MoveSome():
                self._move_some(node)
            case st.Overfull():
                raise Fault("overfull")
            case st.Reason() | st.Idle():
                pass
            case _:
                raise AssertionError(node)

    def _combinations(self, loops: tuple[Loop, ...], names: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if not loops:
            yield {}
            return
        found = self.value(loops[0].over, names)
        for each in bits(found) if isinstance(loops[0].over.type, Set) else found:
            bound = {loops[0].local.name: each}
            inner = {**names, **bound}
            if loops[0].where is None or self.value(loops[0].where, inner):
                for others in self._combinations(loops[1:], inner):
                    yield {**bound, **others}

    def _rounds(self, rounds: list[dict[str, Any]], body: st.Block) -> None:
        for bound in rounds:
            self.names |= bound
            try:
                self.block(body)
            except LoopLeft:
                return
            except RoundLeft:
                continue

    # ------------------------------------------------------------ decisions

    def _legal(self, block: st.Block) -> tuple[Any, ...] | None:
        """The move that is made, if there is one."""
        self.moves, self.compared = [], []
        self.block(block)
        self.decisions.append(self.moves)
        if not self.moves:
            return None
        return self.moves[self.choose(sum(map(bool, self.decisions)), len(self.moves))]

    def _decide(self, node: st.Decide) -> None:
        move = self._legal(node.moves)
        if move is None:
            self.block(node.otherwise)
            return
        self.names |= {local.name: part for local, part in zip(node.names, move, strict=False)}
        self.block(node.made)

    def _suspend(self, node: st.Suspend) -> None:
        moves, made = (
            next(each for each in self.module.functions.values() if (each.kind, each.number) == (kind, node.point))
            for kind in ("moves", "apply")
        )
        self.names = {}
        move = self._legal(moves.body)
        if move is not None:
            self.call(made, move)
            raise AssertionError("a decision ends without a jump")
        if node.chosen is not None:
            self.S[self.number_of(node.chosen)] = None
        raise Jump(node.otherwise)

    # ------------------------------------------------------------ pieces

    def _at(self, place: int) -> tuple[Zone, int]:
        """The zone of a place, and its position there."""
        zone = next(each for each in self.module.zones.values() if each.first <= place < each.first + each.count)
        return zone, place - zone.first

    def _pieces(self, place: int) -> list[int]:
        """The pieces at a place: a row from the left, a stack from the top."""
        zone, position = self._at(place)
        if zone.order is None:
            return bits(self.S[zone.contents.first + position])
        order = [*self.S[zone.order.first + position]]
        return order[::-1] if zone.shape == "stack" else order

    def _move_set(self, node: st.MoveSet) -> None:
        pieces, target = self.value(node.pieces), self.value(node.target)
        if pieces:
            assert self.piece_places is not None
            place = self.S[self.piece_places + bits(pieces)[0]]
            self._put([piece for piece in self._pieces(place) if pieces >> piece & 1], place, target, node.bottom)

    def _move_some(self, node: st.MoveSome) -> None:
        count, origin, target = map(self.value, (node.count, node.origin, node.target))
        kind = -1 if node.kind is None else self.value(node.kind)
        pieces = [piece for piece in self._pieces(origin) if kind >> piece & 1]
        if count > 0:
            self._put(pieces[:count], origin, target, node.bottom)

    def _put(self, pieces: list[int], origin: int, target: int, bottom: bool) -> None:
        """Move pieces that lie at one place to another."""
        assert self.piece_places is not None
        zone, position = self._at(target)
        moved = sum(1 << piece for piece in pieces)
        self._changed(origin, lambda there: there & ~moved, lambda order: [p for p in order if p not in pieces])
        if zone.shape == "one" and (len(pieces) > 1 or self.S[zone.contents.first + position]):
            raise Fault("overfull")
        for piece in pieces:
            self.S[self.piece_places + piece] = target
        new = pieces[::-1] if zone.shape == "stack" and bottom else pieces
        self._changed(
            target, lambda there: there | moved, lambda order: [*new, *order] if bottom else [*order, *new]
        )  # fmt: skip

    def _changed(
        self, place: int, there: Callable[[int], int], order: Callable[[tuple[int, ...]], list[int]]
    ) -> None:  # fmt: skip
        zone, position = self._at(place)
        S, cell = self.S, zone.contents.first + position
        S[cell] = there(S[cell])
        if zone.order is not None:
            S[zone.order.first + position] = tuple(order(S[zone.order.first + position]))
        if zone.filled is not None:
            index = position if zone.positions is None else next(
                value for value, other in zone.positions.content.items() if other == position
            )  # fmt: skip
            filled = zone.filled.first
            S[filled] = S[filled] | 1 << index if S[cell] else S[filled] & ~(1 << index)


def run(module: Module, S: list[Any], first: int = 0, choose: Choose | None = None, places: int | None = None) -> Any:
    """Where a run stops or in which fault, the state then, and how many moves each decision had."""
    one = Run(module, [*S], piece_places=places)
    one.choose = choose or one.choose
    try:
        end: object = one.from_block(first)
    except Fault as fault:
        end = fault.args
    return end, one.S, [len(moves) for moves in one.decisions]
