"""Printing of expressions as Python source, with their precedence, to avoid needless parentheses.

The printers of the classes of expressions call each other through `text`; the modules that define them register them
in `PRINTERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from dsl import ast
from interpreter.compiler.ir.expressions import Cell, Choice, Const, Counted, Expr, Fold, Let, Local, Op
from interpreter.compiler.ir.types import Bool, Int, Ref, Seq, Set, bare
from interpreter.runtime.bitset import bits

SMALL = 8
"""Maximum width of a set whose members are looked up in the table SMALL_SETS."""

MAX_LISTED_NUMBERS = 16
"""Maximum number of consecutive numbers written as a tuple, over which Python iterates faster than over a range."""

HELD = "w"
"""The Python name of a value between the test that it is not none and its use, which follows at once."""

ATOM, SIGN, TIMES, PLUS, SHIFT, BOTH, EITHER, COMPARE, NOT, AND, OR, CHOICE, LAMBDA = range(12, -1, -1)
"""Precedences, the highest first."""

Printed = tuple[str, int]
"""A text and its precedence."""


class At(NamedTuple):
    """The context of a text: where only its `truth` matters; or `fixed`, in the iterable of a comprehension."""

    truth: bool = False
    fixed: bool = False

    @property
    def value(self) -> At:
        """The same context where the value matters."""
        return FIXED if self.fixed else VALUE

    @property
    def condition(self) -> At:
        """The same context where only the truth matters, so that any value with the same truth will do."""
        return FIXED_CONDITION if self.fixed else CONDITION


VALUE, CONDITION, FIXED, FIXED_CONDITION = At(), At(truth=True), At(fixed=True), At(truth=True, fixed=True)

PRINTERS: dict[type, Callable[[Any, At], Printed]] = {}  # each of nodes of its class, which a table cannot say


def form(node: Expr, at: At = VALUE) -> Printed:
    """An expression as text, with its precedence."""
    return PRINTERS[type(node)](node, at)


def text(node: Expr, least: int = LAMBDA, at: At = VALUE) -> str:
    """An expression as text of at least a precedence, in parentheses if necessary."""
    return parenthesised(form(node, at), least)


def texts(nodes: Iterable[Expr], at: At) -> list[str]:
    """The values of expressions, as arguments."""
    return [text(node, LAMBDA, at.value) for node in nodes]


def item(node: Expr, at: At) -> str:
    """An expression as an operand of `.`, in parentheses if necessary."""
    operand = text(node, ATOM, at.value)
    return f"({operand})" if operand.isdigit() else operand


def commas(items: list[str]) -> str:
    """A tuple of texts."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def identifier(local: Local) -> str:
    """The Python name of a local; no other name begins with an underscore."""
    return f"_{local.name}"


def number_of(source: ast.Node | None) -> int:
    """The number of a node of the rules, for messages and the journal."""
    return -1 if source is None else source.number


def simple(node: Expr) -> bool:
    """Whether an expression is trivial to evaluate twice."""
    return isinstance(node, Local | Const) or (isinstance(node, Cell) and isinstance(node.index, Const | Local))


def is_non_negative(node: Expr) -> bool:
    """Whether a value is known to be none or not negative."""
    core = bare(node.type)
    return isinstance(core, Ref | Bool) or (isinstance(core, Int) and core.low >= 0)


def presence_test(node: Expr, at: At) -> tuple[str, Printed] | None:
    """For a value that may be none, the test that it is not, and its text after this test.

    None where Python allows no `:=` to hold it in between.
    """
    if isinstance(node, Op) and node.name == "first" and (isinstance(node.args[0], Local) or not at.fixed):
        candidates = node.args[0]
        name = identifier(candidates) if isinstance(candidates, Local) else HELD
        test = name if isinstance(candidates, Local) else f"({HELD} := {text(candidates, CHOICE, at.value)})"
        return test, (f"({name} & -{name}).bit_length() - 1", PLUS)
    if simple(node):
        return f"{text(node, EITHER, at.value)} is not None", form(node, at.value)
    return None if at.fixed else (f"({HELD} := {text(node, CHOICE, at.value)}) is not None", (HELD, ATOM))


def parenthesised(operand: Printed, least: int) -> str:
    """A text of at least a precedence, in parentheses if necessary."""
    return operand[0] if operand[1] >= least else f"({operand[0]})"


# ---------------------------------------------------------------- iterables


def members(values: Iterable[int]) -> str:
    """Constant values to iterate over."""
    numbers = tuple(values)
    if len(numbers) > MAX_LISTED_NUMBERS and numbers == tuple(range(numbers[0], numbers[0] + len(numbers))):
        return f"range({numbers[0]}, {numbers[-1] + 1})"
    return str(numbers)


def iterable(node: Expr, least: int = LAMBDA, at: At = VALUE) -> str:
    """A set or sequence that is iterated over once."""
    if isinstance(node, Op) and node.name == "all_packings":  # a generator
        return f"all_packings({text(node.args[0], LAMBDA, at)}, {number_of(node.source)})"
    if isinstance(node, Fold) and node.word == "list" and len(node.loops) == 1:
        (loop,) = node.loops
        if loop.local == node.value and loop.where is None:  # a list of the unchanged members
            return iterable(loop.over, least, at)
    return sequence(node, least, at)


def sequence(node: Expr, least: int = LAMBDA, at: At = VALUE) -> str:
    """A set or sequence as a Python sequence."""
    if not isinstance(node.type, Set):
        return text(node, least, at.value)
    if isinstance(node, Const):
        return members(bits(node.value))
    members_text = text(node, LAMBDA, at.value)
    return f"SMALL_SETS[{members_text}]" if node.type.width <= SMALL else f"bits({members_text})"


def storable(node: Expr, least: int = LAMBDA, at: At = VALUE) -> str:
    """A value that can be stored in the state, or compared: sequences as tuples."""
    if isinstance(node.type, Seq) and _may_be_list(node):
        return f"tuple({iterable(node, LAMBDA, at)})"
    if isinstance(node, Op) and node.name == "row":
        return commas([storable(part, CHOICE, at) for part in node.args])
    return text(node, least, at.value)


LISTS = frozenset({"contents", "distinct", "by_standing", "singles", "alike", "in_turn", "picks", "take", "span"})
"""The operations that may return sequences other than tuples."""


def _may_be_list(node: Expr) -> bool:
    match node:
        case Choice():
            return _may_be_list(node.then) or _may_be_list(node.otherwise)
        case Let():
            return _may_be_list(node.body)
        case Counted():
            return _may_be_list(node.value)
        case Fold():
            return node.word == "list"
        case Op():
            return node.name in LISTS
        case _:
            return isinstance(node, Local)
