"""Generated Python run by itself: the functions it calls, a state, and names with values."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from interpreter.compiler.ir.expressions import Const, Expr, Group, Local, Op, Zone
from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.statements import Statement
from interpreter.compiler.ir.types import BOOL, Int, Opt, Ref, Set, Type
from interpreter.compiler.python.printing import function
from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.calls import GraphCalls
from interpreter.runtime.primitives import FREE
from tests.interpreter.naive_ir import Fault


def check(word: str, holds: Any) -> Any:
    """A function that ends the game in a fault."""

    def called(found: Any, *rest: Any) -> Any:
        if not holds(found, *rest[:-1]):
            raise Fault(word, rest[-1])
        return found

    return called


def product(one: int, other: int, node: int) -> int:
    return check("product", lambda found: abs(found) <= 10**18)(one * other, node)


RUNTIME: dict[str, Any] = {
    **{each.__name__: each for each in FREE},
    **GraphCalls(lambda number: f"rules:{number}").names(),
    "SMALL_SETS": tuple(tuple(bits(mask)) for mask in range(256)),
    "need": check("need", lambda found: found is not None),
    "in_range": check("in_range", lambda found, low, high: found is None or low <= found <= high),
    "among": check("among", lambda found, known: found is None or found in known),
    "one_of": check("one_of", lambda found, known, _: found is None or found in known),
    "subset": check("subset", lambda found, allowed: not found & ~allowed),
    "product": product,
    "divisor": check("divisor", lambda found: found != 0),
}  # fmt: skip


def text_of(*body: Statement, params: tuple[Local, ...] = (), kind: Any = "define", journal: bool = True) -> str:
    return "\n".join(function(Function(kind, "f", params, body), journal))


def called(text: str, *args: Any, **names: Any) -> Any:
    known = {**RUNTIME, **names}
    exec(text, known)
    return known["f"](*args)


def outcome(run: Callable[..., Any], *args: Any) -> Any:
    """What a function gives, or how it fails."""
    try:
        return run(*args)
    except Fault as fault:
        return fault.args


D, FEW, PIECES = Ref("d", 20), Set("few", 8), Set("d", 20)
MAYBE, COUNT, NUMBERS = Opt(D), Int(-9, 99), Set("number", 33)
A, B, O, Q, F, N, T = (  # noqa: E741
    Local(D, "a"), Local(D, "b"), Local(MAYBE, "o"), Local(PIECES, "q"), Local(FEW, "f"), Local(COUNT, "n"),
    Local(BOOL, "t"),
)  # fmt: skip
KNOWN = {"a": 3, "b": 17, "o": None, "q": 0b10100, "f": 0b101, "n": -2, "t": True}
BOARD = Group("board", 10, 20, PIECES)
NOTES = Group("notes", 30, 5, Opt(COUNT))
ZONE = Zone("board", 5, 20, "heap", BOARD, None, None, None)
STATE: list[Any] = [0] * 10 + [1 << place for place in range(20)] + [4, None, -1, 0, 7] + [0]


def op(name: str, *args: Expr, type_: Type = BOOL) -> Op:
    return Op(type_, name, args, node(77))


def node(number_: int) -> Any:
    return SimpleNamespace(number=number_)


def constant(type_: Type, content: Any) -> Const:
    return Const(type_, content)
