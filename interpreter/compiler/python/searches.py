"""Folds and `let`s extracted from expressions into statements before them.

`no x in pieces can move` could be printed as `not any(near[x] & ~S[33] for x in bits(pieces))`. Python executes each
generator as a function of its own: over twelve values, one took 4.6 to 6.3 µs, and the loop below 2.3 to 2.5 (CPython
3.11). So a definition that asks whether no piece of a player can move is

    for x in bits(pieces):
     if near[x] & ~S[33]:
      break
    else:
     return True
    return False

In a larger expression, the result is assigned to a name that the rest uses; where it is all that is returned or tested,
as here, no name is needed: `else:` after a `for` is "nothing was found".

Extracting changes the order of evaluation: statements come before the whole expression. That shows only where something
fails, so parts that may fail before an extracted one are extracted as well (`_parts_extracted`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.statements import Statement
from interpreter.compiler.ir.types import Opt, Set, Type
from interpreter.compiler.python.expressions import counted, distinct, fault, places_of
from interpreter.compiler.python.text import (
    AND,
    CONDITION,
    LAMBDA,
    PLUS,
    Printed,
    form,
    identifier,
    iterable,
    parenthesised,
    storable,
    text,
)

KEPT = frozenset({"v"})
"""The Python names of values that are stored in the state."""

SEARCHED = frozenset({"any", "count", "sum", "set", "first"})
"""The folds that are printed as loop statements."""


@dataclass
class Lines:
    """The lines of one function, from one indentation on.

    `journal`: changes are recorded for undo; `changing`: the function may change the state; `when`: the name of the
    reaction that it tries; `special` prints statements that are special in it, and returns whether it did. `printed`
    holds the statements by the number of their first line.
    """

    journal: bool
    changing: bool
    when: str = ""
    indent: int = 0
    lines: list[str] = field(default_factory=list)
    fresh: list[int] = field(default_factory=lambda: [0])
    special: Callable[[Lines, Statement], bool] | None = None
    printed: dict[int, Statement] = field(default_factory=dict)

    def add(self, *lines: str) -> None:
        """Add lines."""
        self.lines += [" " * self.indent + line for line in lines]

    def inside(self) -> Lines:
        """The lines that follow, indented one step further."""
        further = self.indent + 1
        return Lines(
            self.journal, self.changing, self.when, further, self.lines, self.fresh, self.special, self.printed
        )  # fmt: skip

    def local(self, type_: Type) -> ex.Local:
        """A fresh Python name."""
        self.fresh[0] += 1
        return ex.Local(type_, str(self.fresh[0]))


# ---------------------------------------------------------------- extraction


def _searching(node: ex.Expr) -> bool:
    """Whether anything can be extracted from an expression."""
    if isinstance(node, ex.Fold):
        return (node.word in SEARCHED and not _direct(node)) or _searching(node.loops[0].over)
    if isinstance(node, (ex.Let, ex.Lambda, ex.Local, ex.Const)):
        return isinstance(node, ex.Let)
    return any(map(_searching, ex.children(node)))


def _direct(node: ex.Fold) -> bool:
    """Whether a fold needs no loop."""
    loop = node.loops[0]
    if len(node.loops) > 1:
        return node.word == "first"  # to leave several loops at once takes a generator
    if loop.where is not None or not isinstance(loop.over.type, Set):
        return node.word == "set" and places_of(node) is not None
    return distinct(node) if node.word == "set" else node.word in ("any", "count") and node.value == ex.TRUE


def extracted(out: Lines, node: ex.Expr) -> ex.Expr:
    """The rest of an expression after printing the statements extracted from it."""
    if not _searching(node):
        return node
    match node:
        case ex.Let():
            give(out, node.local, node.value)
            return extracted(out, node.body)
        case ex.Fold() if node.word in SEARCHED and not _direct(node):
            return _given(out, node)
        case ex.Logic() if any(map(_searching, node.parts[1:])):
            return _given(out, node)
        case ex.Choice() if _searching(node.then) or _searching(node.otherwise):
            return _given(out, node)
        case _:
            return _parts_extracted(out, node)


def _parts_extracted(out: Lines, node: ex.Expr) -> ex.Expr:
    """The parts with statements extracted in order: a part that may fail must do so before those after it."""
    parts = [node.loops[0].over] if isinstance(node, ex.Fold) else ex.children(node)
    remaining = [part for part in parts if _searching(part)]

    def change(part: ex.Expr) -> ex.Expr:
        if not remaining:
            return part
        if part is remaining[0]:
            del remaining[0]
            part = extracted(out, part)
        return _given(out, part) if ex.may_fail(part) and any(map(ex.may_fail, remaining)) else part

    return ex.rebuilt(node, change)


def _given(out: Lines, node: ex.Expr) -> ex.Local:
    local = out.local(node.type)
    give(out, local, node)
    return local


def condition(out: Lines, node: ex.Expr) -> str:
    """The source of a condition, after the statements extracted from it."""
    return text(extracted(out, node), LAMBDA, CONDITION)


def under(out: Lines, parts: Sequence[ex.Expr]) -> Lines:
    """The lines executed if all of these conditions hold."""
    # Conditions are joined by `and` as far as possible. One with a loop of its own must not be computed if those before
    # it are false: it may divide by what they have excluded. So an `if` ends before it.
    tests: list[Printed] = []
    for part in parts:
        if tests and _searching(part):
            out, tests = _tested(out, tests), []
        match part:
            # A single loop whose condition has no loop of its own has one `break`, so `else:` means that it was not
            # reached.
            case ex.Op(name="not", args=(ex.Fold(word="any", loops=(_,)) as fold,)) if _found_at_once(fold):
                loops, searched = _what_is_searched(fold)
                through(out, loops, lambda lines, sought=searched: under(lines, ex.conjuncts(sought)).add("break"))  # type: ignore[misc]
                out.add("else:")
                out = out.inside()
            case _:
                tests.append(form(extracted(out, part), CONDITION))
    return _tested(out, tests) if tests else out


def _tested(out: Lines, tests: list[Printed]) -> Lines:
    condition_text = tests[0][0] if len(tests) == 1 else " and ".join([parenthesised(test, AND) for test in tests])
    out.add(f"if {condition_text}:")
    return out.inside()


def _found_at_once(node: ex.Fold) -> bool:
    """Whether a search is a single loop from which nothing can be extracted."""
    return _searching(node) and not _direct(node) and not _searching(_what_is_searched(node)[1])


# ---------------------------------------------------------------- values


def give(out: Lines, local: ex.Local, node: ex.Expr) -> None:
    """Print an assignment to a local."""
    assigned(out, identifier(local), node, ex.mentions(node, local))


def assigned(out: Lines, name: str, node: ex.Expr, updates: bool = False) -> None:
    """Print an assignment to a Python name; `updates`: the value depends on its present one."""
    match node:
        case ex.Let():
            give(out, node.local, node.value)
            assigned(out, name, node.body, updates)
        case ex.Choice() if _searching(node.then) or _searching(node.otherwise):
            out.add(f"if {condition(out, node.condition)}:")
            assigned(out.inside(), name, node.then, updates)
            out.add("else:")
            assigned(out.inside(), name, node.otherwise, updates)
        case ex.Check(word="need"):
            assigned(out, name, node.value, updates)
            out.add(f"if {name} is None: {fault(node, 'None')}")
        case ex.Check(word="in_range") if not isinstance(node.value.type, Opt):
            assigned(out, name, node.value, updates)
            out.add(f"if not {node.bounds[0]} <= {name} <= {node.bounds[1]}: {fault(node, name)}")
        case ex.Fold() | ex.Logic() if (
            _searching(node) and not updates and not (isinstance(node, ex.Fold) and _direct(node))
        ):
            _found(out, name, node)
        case _:
            out.add(f"{name} = {storable(extracted(out, node)) if name in KEPT else text(extracted(out, node))}")


def _found(out: Lines, name: str, node: ex.Fold | ex.Logic) -> None:
    match node:
        case ex.Logic() | ex.Fold(word="any"):
            out.add(f"{name} = False")
            search(out, node, f"{name} = True", name)
        case ex.Fold(word="first"):
            out.add(f"{name} = None")
            through(out, node.loops, lambda lines: _taken(lines, f"{name} = ", node.value, "break"))
        case ex.Fold(word="count"):
            out.add(f"{name} = 0")
            through(out, node.loops, lambda lines: under(lines, ex.conjuncts(counted(node))).add(f"{name} += 1"))
        case ex.Fold(word="sum"):
            out.add(f"{name} = 0")
            through(out, node.loops, lambda lines: lines.add(f"{name} += {text(extracted(lines, node.value))}"))
        case ex.Fold(word="set"):
            out.add(f"{name} = 0")
            through(out, node.loops, lambda lines: _joined(lines, name, node.value))
        case ex.Fold():  # its loops iterate over values that are computed first
            out.add(f"{name} = {text(extracted(out, node))}")


def _taken(out: Lines, gives: str, value: ex.Expr, *following: str) -> None:
    out.add(f"{gives}{text(extracted(out, value))}", *following)


def _joined(out: Lines, name: str, value: ex.Expr) -> None:
    """Add a member to a set, unless it is none."""
    value = extracted(out, value)
    if isinstance(value.type, Opt):
        if not isinstance(value, ex.Local):
            value = _given(out, value)
        out.add(f"if {identifier(value)} is not None: {name} |= 1 << {identifier(value)}")
    else:
        out.add(f"{name} |= 1 << {text(value, PLUS)}")


# ---------------------------------------------------------------- loops and searches


def through(out: Lines, loops: Sequence[ex.Loop], body: Callable[[Lines], None], flag: str = "") -> None:
    """Nested loops, which all end as soon as `flag` is true."""
    loop, *rest = loops
    out.add(f"for {identifier(loop.local)} in {iterable(extracted(out, loop.over))}:")
    body_lines = under(out.inside(), ex.conjuncts(loop.where))
    if rest:
        through(body_lines, rest, body, flag)
        if flag:
            body_lines.add(f"if {flag}: break")
    else:
        body(body_lines)


def search(out: Lines, node: ex.Expr, hit: str, flag: str, looping: bool = False) -> None:
    """Do `hit` if a condition holds: return from the function, or set the flag that ends the loops of the search."""
    match node:
        case ex.Let():
            give(out, node.local, node.value)
            search(out, node.body, hit, flag, looping)
        case ex.Fold(word="any") if not _direct(node):
            loops, searched = _what_is_searched(node)
            through(out, loops, lambda lines: search(lines, searched, hit, flag, True), flag)
            if flag and looping:
                out.add(f"if {flag}: break")
        case ex.Logic(word="and") if _searching(node.parts[-1]):
            search(under(out, node.parts[:-1]), node.parts[-1], hit, flag, looping)
        case ex.Logic(word="or") if _searching(node):
            search(out, node.parts[0], hit, flag, looping)
            for part in node.parts[1:]:
                if flag:
                    out.add(f"if not {flag}:")
                search(out.inside() if flag else out, part, hit, flag, looping)
        case _:
            hit_lines = under(out, ex.conjuncts(node))
            hit_lines.add(hit)
            if flag and looping:
                hit_lines.add("break")


def _what_is_searched(node: ex.Fold) -> tuple[tuple[ex.Loop, ...], ex.Expr]:
    """The loops of a search and its condition; if it has none, that of the last loop."""
    *enclosing, last = node.loops
    if node.value != ex.TRUE or last.where is None:
        return node.loops, node.value
    return (*enclosing, ex.Loop(last.local, last.over)), last.where


def returned(out: Lines, node: ex.Expr) -> None:
    """Return a value from the function."""
    match node:
        case ex.Let():
            give(out, node.local, node.value)
            returned(out, node.body)
        case ex.Choice() if _searching(node.then) or _searching(node.otherwise):
            out.add(f"if {condition(out, node.condition)}:")
            returned(out.inside(), node.then)
            returned(out, node.otherwise)
        case ex.Fold(word="any") | ex.Logic() if _searching(node):
            search(out, node, "return True", "")
            out.add("return False")
        case ex.Op(name="not", args=(ex.Fold(word="any") | ex.Logic() as searched,)) if _searching(searched):
            search(out, searched, "return False", "")
            out.add("return True")
        case ex.Fold(word="first") if _searching(node) and not _direct(node):
            through(out, node.loops, lambda lines: _taken(lines, "return ", node.value))
            out.add("return None")
        case _:
            out.add(f"return {storable(extracted(out, node))}")
