"""Whether a set contains a line: by shifting the whole set along every direction, or by a table of all small sets.

`lines(mine, 4) is not empty` on a board of 6 rows and 7 columns tests 69 lines. Lines of the same shape, which are
translations of each other, are searched for together. With cells numbered row by row, four in a row to the right is the
shape {0, 1, 2, 3}, and a line of several places one step apart is composed of shorter ones:

    two  = mine & shift(mine, -1)            cells where two in a row begin
    four = two & shift(two, -2)              where two and, two further, again two begin
    four & {cells where a line may begin}    else a line would go round the edge of the board

A board of nine cells has only 512 sets: there a table says of each whether it contains a line.

Either finds a line exactly if one of the listed lines is in the set. Without it games that are won by a line take 4 and
10 times the instructions in the machine engine.
"""

from __future__ import annotations

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.module import Function, Module, named
from interpreter.compiler.ir.types import BOOL, COUNT, Set
from interpreter.compiler.passes.facts.traversal import (
    LEAVES,
    changed_block,
    changed_parts,
    functions,
    simple,
    subject_of,
)
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.substitution import Fresh, fresh_for
from interpreter.compiler.passes.simplifying.folding_operations import operation
from interpreter.runtime.bitset import bits

NAME = "lines at once"

SMALL = 12
"""Maximum number of members of a domain for which a table says of every set whether it contains a line."""

MAX_SHAPES = 12
"""Maximum number of shapes of lines that are searched for shape by shape."""


def lines_at_once(module: Module, record: PassRecords) -> None:
    """Rewrite the conditions in all functions."""
    for function in functions(module):
        at = Rewriting(module, function, record, fresh_for(function.body))
        function.body = changed_block(function.body, at.changed)


class Rewriting:
    """Rewrites the conditions of one function."""

    def __init__(self, module: Module, function: Function, record: PassRecords, fresh: Fresh) -> None:
        self.module, self.function, self.record, self.fresh = module, function, record, fresh

    def changed(self, node: ex.Expr) -> ex.Expr:
        """An expression with the conditions in it rewritten."""
        if type(node) in LEAVES:
            return node
        match node:
            case ex.Op(name="is_empty", args=(ex.Op(name="lines_in", args=(ex.Data(table=table), occupied)) as lines,)):
                condition = self._found(table, self.changed(occupied), lines)
                return node if condition is None else operation(ex.Op(BOOL, "not", (condition,), node.source))
            case ex.Fold(word="any", value=value, loops=(loop,)) if value == ex.TRUE and loop.where is None:
                match loop.over:
                    case ex.Op(name="lines_in", args=(ex.Data(table=table), occupied)) as lines:
                        condition = self._found(table, self.changed(occupied), lines)
                        return node if condition is None else condition
                    case _:
                        return changed_parts(node, self.changed)
            case ex.Op(name="not"):
                condition = changed_parts(node, self.changed)
                return condition if condition is node or not isinstance(condition, ex.Op) else operation(condition)
            case _:
                return changed_parts(node, self.changed)

    def _found(self, table: ex.Table, occupied: ex.Expr, lines: ex.Op) -> ex.Expr | None:
        """The condition that a set contains one of the lines of a table; None if there is no faster form."""
        type_ = occupied.type
        assert isinstance(type_, Set)
        if not table.content:
            return ex.FALSE
        if type_.width <= SMALL:
            self._did(lines, "a table of all sets")
            return ex.Lookup(BOOL, self._of_small(table, type_), (occupied,), lines.source)
        shapes = shapes_of(table.content)
        if len(shapes) > MAX_SHAPES or 2 * len(shapes) > len(table.content):
            self._did(lines, "")
            return None
        self._did(lines, "shifts")
        return self._by_shape(shapes, occupied, lines)

    def _did(self, lines: ex.Op, how: str) -> None:
        subject = subject_of(self.function)
        if how:
            self.record.applied(NAME, subject, lines.source, how)
        else:
            self.record.refused(NAME, subject, lines.source, "the lines have too many shapes")

    def _of_small(self, lines: ex.Table, type_: Set) -> ex.Table:
        """The table that says of every set whether it contains a line."""
        name = named("held", lines.name)
        if name not in self.module.tables:
            held = tuple(any(not line & ~occupied for line in lines.content) for occupied in range(1 << type_.width))
            self.module.tables[name] = ex.Table(name, held, BOOL)
        return self.module.tables[name]

    def _by_shape(self, shapes: dict[int, int], occupied: ex.Expr, lines: ex.Op) -> ex.Expr:
        occupied_lets: list[tuple[ex.Local, ex.Expr]] = []
        if not simple(occupied):
            occupied = self._named(occupied_lets, occupied)
        lets: list[tuple[ex.Local, ex.Expr]] = []
        tests = [self._starts(shape, starts, occupied, lets) for shape, starts in shapes.items()]
        some: list[ex.Expr] = [ex.not_empty(test) for test in tests]
        condition = _named_in(lets, some[0] if len(some) == 1 else ex.Logic(BOOL, "or", tuple(some), lines.source))
        least = min(shape.bit_count() for shape in shapes)
        # Early in a game there are too few pieces for any line: one count saves all shifts.
        if least > 1:
            enough = ex.Op(BOOL, "ge", (ex.Op(COUNT, "size", (occupied,)), ex.number(least)))
            condition = ex.Logic(BOOL, "and", (enough, condition), lines.source)
        return _named_in(occupied_lets, condition)

    def _named(self, lets: list[tuple[ex.Local, ex.Expr]], value: ex.Expr) -> ex.Local:
        local = self.fresh.local(ex.Local(value.type, "line"))
        lets.append((local, value))
        return local

    def _starts(self, shape: int, starts: int, occupied: ex.Expr, lets: list[tuple[ex.Local, ex.Expr]]) -> ex.Expr:
        """The first places of the lines of a shape that a set contains."""
        type_ = occupied.type
        assert isinstance(type_, Set)
        places = bits(shape)
        starting, count = occupied, len(places)
        step = places[1] if count > 1 else 0
        if places == [step * place for place in range(count)]:
            length = 1  # of the lines that begin at the places found
            while length < count:
                # For lengths that are no power of two the last step overlaps: five in a row are two fours, one step
                # apart.
                more = min(length, count - length)
                longer = ex.Op(type_, "both", (starting, ex.Op(type_, "shift", (starting, ex.number(-more * step)))))
                length += more
                starting = longer if length == count else self._named(lets, longer)
        else:
            for place in places[1:]:
                starting = ex.Op(type_, "both", (starting, ex.Op(type_, "shift", (occupied, ex.number(-place)))))
        every = (1 << max(0, type_.width - places[-1])) - 1
        return starting if starts == every else ex.Op(type_, "both", (starting, ex.Const(type_, starts)))


def _named_in(lets: list[tuple[ex.Local, ex.Expr]], node: ex.Expr) -> ex.Expr:
    """An expression inside the `let`s of the names that it uses."""
    for local, value in reversed(lets):
        node = ex.Let(node.type, local, value, node)
    return node


def shapes_of(lines: tuple[int, ...]) -> dict[int, int]:
    """The shapes of lines, each as a set that begins at 0, and the first places of its lines."""
    starts_by_shape: dict[int, int] = {}
    for line in lines:
        if line:
            low = line & -line
            shape = line >> low.bit_length() - 1
            starts_by_shape[shape] = starts_by_shape.get(shape, 0) | low
    return starts_by_shape
