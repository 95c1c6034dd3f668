"""The context of a suspended rule: phases, the turn, the calling rules and the enclosing statements.

A game waits at `choose c in hand`, inside `if`, in a step that an action has called. Its next segment of the trace
begins in the middle of all these, without marks that say so: they were entered in earlier segments.

A suspended rule has no frame object. Its context is read from the state: the pending decision names its statement,
whose ancestors in the tree are the enclosing statements and the rule; the cell with the return address of that rule
names the statement that called it, and so on outwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import assert_never

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol
from dsl.types import PieceType, bare
from interpreter.compiler.names import NO_NAMES
from interpreter.engine.program import Program
from interpreter.runtime.cells import Cells
from interpreter.seat.explain.evaluator import Bindings


@dataclass(frozen=True)
class Frame:
    """One level of nesting; `role` is enter (a rule, reaction or phase), turn, or inside (a statement).

    `seen` is true if nested events may be shown; `unknown` are the names in scope whose values may not.
    """

    node: ast.Node
    role: str
    seen: bool = True
    unknown: frozenset[LocalSymbol] = field(default_factory=frozenset)


def enclosing_nodes(program: Program, node: ast.Node) -> list[ast.Node]:
    """The nodes that enclose a statement or phase, outermost first: a rule with its statements, or phases."""
    nodes: list[ast.Node] = []
    parent = program.parents.get(node.number)
    while parent is not None and not isinstance(parent, ast.GameFile | ast.Part):
        nodes.append(parent)
        parent = program.parents.get(parent.number)
    return nodes[::-1]


def suspended_rules(program: Program, state: Cells) -> list[list[ast.Node]]:
    """The chain of suspended rules, outermost first; each with its enclosing nodes and, except the last, itself."""
    decision = program.decision(state)
    if decision is None:
        return []
    # INVARIANT: rules are not recursive, so each has one return address, and the chain ends.
    chain, quiet = [enclosing_nodes(program, decision.node)], decision.quiet
    while chain[0] and isinstance(chain[0][0], ast.Step | ast.Action | ast.When):
        node = program.caller(chain[0][0], state, quiet)
        if node is None:
            break
        quiet = quiet and not isinstance(chain[0][0], ast.When)
        chain.insert(0, [*enclosing_nodes(program, node), node])
    return chain


def open_frames(program: Program, state: Cells, hiding: bool) -> list[Frame]:
    """The frames around the pending decision; `hiding`: as seats that do not see everything may know them.

    They were entered in earlier segments, so whether they depended on hidden values can only be judged by what is
    always open.
    """
    frames: list[Frame] = []
    seen = True
    unknown: frozenset[LocalSymbol] = frozenset()
    *calling, last = suspended_rules(program, state) or [[]]
    for path in (*calling, last):
        for node in path:
            if hiding:
                # A decision whose chosen action is running is known; not so that nothing was possible in secret.
                without_move = isinstance(node, ast.Decide) and (path is last or node is not path[-1])
                secret = without_move and getattr(node, "secretly", False)
                seen = seen and not secret and not _depends_on_hidden(program, node)
                unknown |= frozenset(symbol for symbol in _bound(program, node) if not _publicly_known(program, symbol))
            role = "enter" if isinstance(node, ast.Phase | ast.Step | ast.Action | ast.When) else "inside"
            frames.append(Frame(node, role, seen, unknown))
            if isinstance(node, ast.Phase) and (node.first or node.repeated_until) is not None:
                frames.append(Frame(node, "turn", seen, unknown))
    return frames


def _bound(program: Program, node: ast.Node) -> Iterator[LocalSymbol]:
    """The names that a rule or statement binds, at any depth."""
    for part in node.walk():
        symbol = program.model.refers.get(part.number)
        if isinstance(symbol, LocalSymbol) and symbol.node is part:
            yield symbol


def _publicly_known(program: Program, symbol: LocalSymbol) -> bool:
    """True if everybody was shown the value of a name when it was bound."""
    if isinstance(bare(symbol.type), PieceType):
        return True  # depends on what is seen of the piece now
    match symbol.node:
        case ast.Parameter():
            return not symbol.node.secret and isinstance(program.parents.get(symbol.node.number), ast.Action)
        case ast.Choose():
            return not symbol.node.secretly
        case ast.Pick():
            return True
        case _:
            return False


def _depends_on_hidden(program: Program, node: ast.Node) -> bool:
    """True if it may reveal hidden information that a statement is at work."""
    if not isinstance(node, ast.When | ast.If | ast.Loop):
        return False
    conditions: list[ast.Expression]
    match node:
        case ast.When():
            cases = program.model.defines[node.name].declaration.cases
            conditions = [part for case in cases for part in (case.value, *_as_list(case.condition))]
        case ast.If():
            conditions = [node.condition]
        case ast.ForEach():
            conditions = [*(binder.domain for binder in node.binders), *_as_list(node.where)]
        case ast.EachPlayer():
            conditions = [*node.course, *_as_list(node.where)]
        case ast.Repeat():
            conditions = [node.bound.times, *_as_list(node.bound.condition)]
        case _ as never:
            assert_never(never)
    return any(not always_open(program, condition) for condition in conditions)


def _as_list(node: ast.Expression | None) -> list[ast.Expression]:
    return [] if node is None else [node]


def always_open(program: Program, node: ast.Expression) -> bool:
    """True if an expression reads no name of a rule and nothing that may ever be hidden from a seat."""
    if any(isinstance(program.model.refers.get(part.number), LocalSymbol) for part in node.walk()):
        return False
    model = program.model
    for name in program.reads(node):
        declared = model.zones.get(name) or model.notes.get(name)
        if declared is not None and declared.declaration.sights:
            return False
    return True


def names_of(program: Program, state: Cells, frames: list[Frame]) -> Bindings:
    """The names in scope at the pending decision."""
    decision = program.decision(state)
    unknown = frames[-1].unknown if frames else frozenset()
    return Bindings(NO_NAMES if decision is None else decision.names, unknown)
