"""Statements: changes of the state, and control flow.

Only statements change anything, and only those in `Changing` change cells; a local is assigned by `Assign`, a cell by
`Store`. Where pieces lie is several cells at once (`Zone`), which only the statements in `Moving` change.

INVARIANT: control never falls off the end of a block of the game, or of the function that makes a move: the last
statement on every path is a `Jump`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Literal, get_args

from dsl import ast
from dsl.lazy_dataclasses import value_class
from interpreter.compiler.ir.expressions import Cell, Expr, Local, Loop, Table
from interpreter.compiler.ir.expressions import walk as walk_expression
from interpreter.compiler.ir.parts import BLOCKS, CELLS, EXPRESSIONS, REWRITING, Part, derive

Block = tuple["Statement", ...]


@value_class
class Assign:
    """Assign a value to a local."""

    local: Local
    value: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Store:
    """Store a value in a cell."""

    cell: Cell
    value: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class If:
    """A conditional statement."""

    condition: Expr
    then: Block
    otherwise: Block = ()
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class For:
    """Statements for each combination, all computed before the first iteration; `listed`: the journal records them."""

    loops: tuple[Loop, ...]
    body: Block
    listed: bool = False
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Repeat:
    """Statements repeated a number of times, unless `Break` ends the loop."""

    times: Expr
    body: Block
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Break:
    """End the innermost loop."""

    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Continue:
    """Continue with the next iteration of the innermost loop."""

    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class MoveSet:
    """Move the pieces of a set to a place, in the order in which they lie.

    `crowded`: a place for one piece may hold more of them for a while; an `Overfull` follows if it still does.
    """

    pieces: Expr
    target: Expr
    bottom: bool
    source: ast.Node = field(compare=False)
    crowded: bool = False


@value_class
class MoveSome:
    """Move up to `count` pieces from one place to another, from the top or left; `kind`: only pieces of this set."""

    count: Expr
    kind: Expr | None
    origin: Expr
    target: Expr
    bottom: bool
    source: ast.Node = field(compare=False)


@value_class
class Insert:
    """Move a piece, if there is one, next to another one in a row or stack."""

    piece: Expr
    target: Expr
    anchor: Expr
    after: bool
    source: ast.Node = field(compare=False)


@value_class
class Overfull:
    """The fault of a second piece moved to a place for one."""

    place: Expr
    source: ast.Node = field(compare=False)


@value_class
class Shuffle:
    """Put the pieces of a place into random order."""

    place: Expr
    source: ast.Node = field(compare=False)


@value_class
class Mix:
    """Shuffle the items of a cell: a shuffle of a place of which only the order is kept."""

    cell: Cell
    source: ast.Node = field(compare=False)


@value_class
class Draw:
    """Store a random value of a table in a cell; `name` empty: the event is named after the cell."""

    cell: Cell
    table: Table
    event: Literal["roll", "pick"]
    name: str
    source: ast.Node = field(compare=False)


@value_class
class DrawItem:
    """Store the position of a random item of a sequence, which has at least one, in a cell."""

    cell: Cell
    items: Expr
    source: ast.Node = field(compare=False)


@value_class
class Emit:
    """A legal move: the number of the act, or -1 for declining, and its arguments."""

    move: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class EmitDone:
    """The declining move; if `any_before`, only where there is another move."""

    any_before: bool
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class IfNoMoves:
    """Statements executed if no move has been emitted."""

    body: Block
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Once:
    """Statements executed the first time that values occur, and others executed when they recur.

    `group` separates what is compared: values are compared with those of the statements of the same group that have
    been executed since the decision began to list its moves.
    """

    group: int
    values: tuple[Expr, ...]
    body: Block
    otherwise: Block = ()
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Perform:
    """Call a rule that contains no decision."""

    function: str
    args: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


MAX_REACTIONS = 1000
"""Maximum number of consecutive reactions."""


@value_class
class React:
    """Perform the reactions that may hold now; `function` tries each until none does."""

    function: str
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Goto:
    """Jump to a block, or to the one whose number a cell holds."""

    block: int | Cell
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Suspend:
    """Suspend at the decision at this point; jump to block `otherwise` if there is no legal move.

    The value that would have been chosen is none then.
    """

    point: int
    otherwise: int
    chosen: Cell | None
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Decide:
    """Make one of the moves that `moves` emits at random; without any, execute `otherwise`.

    `names` are the locals of `made` for the parts of the move; those that a move does not have are never read.
    """

    point: int
    moves: Block
    names: tuple[Local, ...]
    made: Block
    otherwise: Block
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Stop:
    """Stop without a pending decision: the game is over, or an example continues."""

    point: int
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Leave:
    """Leave all running rules and jump to a block."""

    block: int
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Idle:
    """Count a turn without a decision; a fault if there are too many. `reset`: a decision was made."""

    reset: bool
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Return:
    """Return a value from a function."""

    value: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Mark:
    """A mark for the trace, with the values of the names in scope."""

    what: str
    node: ast.Node
    values: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Reason:
    """The reason why a number grows, for the journal; `values` occur in its text. Nothing if the amount is 0."""

    cell: Cell
    amount: Expr
    values: tuple[Expr, ...]
    source: ast.Node = field(compare=False)


@value_class
class Announce:
    """Record an announcement with the values in its text: to all, or to the seat that the first of the values is."""

    values: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Count:
    """Count a branch for coverage."""

    branch: int
    source: ast.Node | None = field(default=None, compare=False, repr=False)


Moving = MoveSet | MoveSome | Insert | Shuffle
"""The statements that move or reorder pieces: they may read and write the cells of any zone."""
Changing = Moving | Store | Mix | Draw | DrawItem | Perform | React
"""The statements that may change the state: themselves, or in the rules that they call."""
Jump = Goto | Suspend | Stop | Leave
"""The statements that end a block: control goes on in another one, or nowhere."""
Last = Jump | Return | Break | Continue
"""The statements after which control never continues with the next one."""
Nesting = If | For | Repeat | IfNoMoves | Once | Decide
"""The statements that contain others."""
Simple = Changing | Last | Assign | Overfull | Emit | EmitDone | Idle | Mark | Reason | Announce | Count
Statement = Simple | Nesting


derive(get_args(Statement), {Store: ("value", "cell"), Reason: ("amount", "cell", "values")})


def expressions(node: Statement) -> tuple[Expr, ...]:
    """The expressions directly in a statement, in order of evaluation."""
    return EXPRESSIONS[type(node)](node)


def cells(node: Statement) -> list[Cell]:
    """The cells that a statement itself reads, with those that it changes or jumps by."""
    read = [part for value in expressions(node) for part in walk_expression(value) if isinstance(part, Cell)]
    return [*read, *own_cells(node)]


def own_cells(node: Statement) -> tuple[Cell, ...]:
    """The cells that a statement changes or jumps by, which are not among its expressions."""
    return tuple([cell for name in CELLS[type(node)] if isinstance(cell := getattr(node, name), Cell)])


def blocks(node: Statement) -> tuple[Block, ...]:
    """The statements directly inside a statement."""
    read_blocks = BLOCKS.get(type(node))
    return () if read_blocks is None else read_blocks(node)


def walk(block: Block) -> Iterator[Statement]:
    """All statements of a block, with those inside them."""
    waiting = [*block[::-1]]
    while waiting:
        node = waiting.pop()
        yield node
        read_blocks = BLOCKS.get(type(node))
        if read_blocks is not None:
            for nested in read_blocks(node)[::-1]:
                waiting += nested[::-1]


def assigned_names(block: Block) -> frozenset[str]:
    """The locals that statements assign."""
    names: set[str] = set()
    for node in walk(block):
        if isinstance(node, Assign):
            names.add(node.local.name)
        elif isinstance(node, For):
            names.update([loop.local.name for loop in node.loops])
    return frozenset(names)


def _as_it_is(part: Part) -> Part:
    return part


def rebuilt(
    node: Statement, change: Callable[[Expr], Expr] = _as_it_is, inside: Callable[[Block], Block] = _as_it_is
) -> Statement:
    """The statement with its expressions and the statements inside rewritten; the statement itself if none is.

    Cells stay cells of their group.
    """
    rewritten: Statement = REWRITING[type(node)](node, change, inside)
    return rewritten
