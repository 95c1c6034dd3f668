"""Searches that loops repeat with the same result each time: in nested loops of statements, and in expressions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import Changes
from dsl.checker.flow.endings import symbols_read
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import BuiltinSymbol, DefineSymbol, DieSymbol, NoteSymbol, Symbol, ZoneSymbol

SEARCHING = frozenset({"groups", "reach", "path", "paths", "trails", "packings", "lines"})
"""The functions that search a whole graph."""

NESTED = 2
"""How many loops nested in a definition make it a search."""


def repeated_searches(context: Context) -> None:
    """Warn of definitions that search, in the innermost of several loops, on whose values they do not depend."""
    changes = Changes(context)
    searches_in_folds(context)
    for node in context.model.nodes:
        if isinstance(node, ast.Action | ast.Step | ast.When | ast.Phase):
            for statement in node.body:
                _in_loops(context, changes, statement, 0)
    for statement in context.model.setup:
        _in_loops(context, changes, statement, 0)


def _in_loops(context: Context, changes: Changes, node: ast.Statement, loops: int) -> None:
    """Look into the statements inside a statement; `loops` is the number of names bound by the loops around it."""
    if isinstance(node, ast.ForEach):
        loops += len(node.binders)
        if loops > 1 and not any(
            isinstance(nested, ast.Loop) for body_statement in node.body for nested in body_statement.walk()
        ):
            for statement in node.body:
                _innermost(context, changes, node, statement)
    elif isinstance(node, ast.EachPlayer | ast.Repeat):
        loops += 1
    for block in ast.blocks(node):
        for nested in block:
            _in_loops(context, changes, nested, loops)


def _innermost(context: Context, changes: Changes, loop: ast.ForEach, statement: ast.Statement) -> None:
    """Report the searches of a statement of the innermost loop that have the same result for all its values."""
    model = context.model
    binders = {binder.number for binder in loop.binders}
    for call in _calls(context, statement):
        symbol = _define(context, call)
        if symbol is None or not _searches(context, symbol):
            continue
        read = {model.refers.get(part.number) for part in call.walk()}
        bound = {name.node.number for name in read if name is not None and name.node is not None}
        bound_inside = {part.number for node in loop.body for part in node.walk()}
        inside = {*symbols_read(context, call)}
        changing = {node for node in inside if isinstance(node, CHANGING)}
        if bound & (binders | bound_inside) or changing & changes.by(loop.body) or not depends_on_state(inside):
            continue
        text = " ".join(call.span.text.split())
        names = ", ".join(f"`{binder.name}`" for binder in loop.binders)
        name = _name_of_result(symbol)
        helps = [f"name it before the loop, `let {name} = {text}`, and use `{name}` in the loop"]
        message = f"`{text}` repeats the same search for each {names}, always with the same result"
        context.error("E0514", message, call, helps, severity="warning")


def _calls(context: Context, node: ast.Node) -> Iterator[ast.Name | ast.Call]:
    """The uses of definitions in the expressions of a statement."""
    for child in node.children():
        if isinstance(child, ast.Name | ast.Call) and _define(context, child) is not None:
            yield child
        else:
            yield from _calls(context, child)


def _define(context: Context, node: ast.Name | ast.Call) -> DefineSymbol | None:
    symbol = context.model.refers.get(node.number)
    return symbol if isinstance(symbol, DefineSymbol) else None


def _searches(context: Context, symbol: DefineSymbol) -> bool:
    """True if a definition itself searches a graph or tries all combinations of several values."""
    return any(_deep(part) or _graph(context, part) for part in symbol.declaration.walk())


def _graph(context: Context, node: ast.Node) -> bool:
    symbol = context.model.refers.get(node.number)
    return isinstance(node, ast.Call) and isinstance(symbol, BuiltinSymbol) and symbol.name in SEARCHING


def _deep(node: ast.Node) -> bool:
    """True if a node tries all combinations of several values."""
    return isinstance(node, ast.Quantified | ast.Aggregate) and len(node.binders) >= NESTED


# ---------------- searches that are repeated for every combination of values in an expression, with the same result
# each time
# The compiler computes them once, before the loops, unless a search may end the game in a fault: it must fail exactly
# if the rules come to it. That applies to searches for all paths, trails, packings or handfuls: there may be too
# many.


FAILING = frozenset({"paths", "trails", "packings", "handfuls"})
"""The functions whose lists may become too long."""

NESTED_NAMES = 2
"""How many loops around a search make it worth a warning."""

CHANGING = ZoneSymbol | NoteSymbol | DieSymbol


def depends_on_state(symbols: Iterable[Symbol]) -> bool:
    """True if what is read may change during a game, or depends on the acting seat; all else is computed once."""
    return any(
        isinstance(symbol, CHANGING) or (isinstance(symbol, BuiltinSymbol) and symbol.name == "me")
        for symbol in symbols
    )


@dataclass(frozen=True)
class Fold:
    """A loop in an expression around one of its parts: a value, or one of its conditions."""

    binders: tuple[ast.Binder, ...]
    part: ast.Expression


def searches_in_folds(context: Context) -> None:
    """Warn of searches in nested loops of one expression, on whose values they do not depend."""
    failing = _Failing(context)
    for node in context.model.nodes:
        if isinstance(node, ast.Action | ast.Step | ast.When | ast.Phase | ast.Define | ast.Winner):
            in_statements = not isinstance(node, ast.Define | ast.Winner)
            for child in node.children():
                _inside(context, failing, child, (), in_statements and isinstance(child, ast.Statement))
    for statement in context.model.setup:
        _inside(context, failing, statement, (), True)


def _inside(
    context: Context, failing: _Failing, node: ast.Node, folds: tuple[Fold, ...], in_statement: bool
) -> None:  # fmt: skip
    """Look into a node; `folds` are the loops of the expression around it."""
    if isinstance(node, ast.Phase):
        return  # it is checked separately
    if isinstance(node, ast.Name | ast.Call) and failing.of(node):
        names = _repeated(context, node, folds)
        if len(names) >= NESTED_NAMES and depends_on_state(symbols_read(context, node)):
            _report(context, node, names, in_statement and not _bound(context, node, folds))
            return
    if isinstance(node, ast.Hypothesis):  # its value is that in other positions
        _inside(context, failing, node.step, folds, in_statement)
        return
    for child, child_folds in _parts(node, folds):
        _inside(context, failing, child, child_folds, in_statement)


def _parts(node: ast.Node, folds: tuple[Fold, ...]) -> Iterator[tuple[ast.Node, tuple[Fold, ...]]]:
    """The parts of a node, each with the loops around it."""
    match node:
        case ast.Quantified() | ast.Aggregate() | ast.Builder() | ast.Filter() | ast.Best():
            binders = (node.binder,) if isinstance(node, ast.Filter | ast.Best) else node.binders
            parts = [
                *ast.conjuncts(node.where),
                *([node.value] if isinstance(node, ast.Aggregate | ast.Builder) else []),
            ]
            yield from ((part, (*folds, Fold(binders, part))) for part in parts)
            yield from ((binder.domain, folds) for binder in binders)
            if isinstance(node, ast.Best):
                yield node.value, folds
        case _:
            yield from ((child, folds) for child in node.children())


def _repeated(context: Context, call: ast.Expression, folds: tuple[Fold, ...]) -> list[str]:
    """The names for whose values a call is evaluated again: what is around it depends on them, the call does not."""
    inside = {part.number for part in call.walk()}
    read_by_call = set(_reads(context, call, frozenset()))
    names = []
    for fold in folds:
        read = set(_reads(context, fold.part, inside))
        names += [binder.name for binder in fold.binders if binder.number in read - read_by_call]
    innermost = {binder.name for binder in folds[-1].binders} if folds else set()
    return names if innermost.intersection(names) else []


def _reads(context: Context, node: ast.Node, without: Iterable[int]) -> Iterator[int]:
    """The numbers of the nodes that bind the names in a node."""
    for part in node.walk():
        symbol = context.model.refers.get(part.number)
        if isinstance(part, ast.Name) and part.number not in without and symbol is not None and symbol.node:
            yield symbol.node.number


def _bound(context: Context, call: ast.Expression, folds: tuple[Fold, ...]) -> bool:
    """True if a call depends on a loop of the expression, so that it cannot be named before."""
    binders = {binder.number for fold in folds for binder in fold.binders}
    return not binders.isdisjoint(_reads(context, call, frozenset()))


def _report(context: Context, call: ast.Name | ast.Call, names: list[str], can_be_named: bool) -> None:
    text = " ".join(call.span.text.split())
    helps = ["pass it to a separate definition as an argument, which is computed once"]
    if can_be_named:
        symbol = _define(context, call)
        assert symbol is not None
        name = _name_of_result(symbol)
        helps = [f"name it before the statement, `let {name} = {text}`, and use `{name}` in it"]
    listed = ", ".join(f"`{name}`" for name in names)
    message = f"`{text}` repeats the same search for each {listed}, always with the same result"
    context.error("E0514", message, call, helps, severity="warning")


def _name_of_result(symbol: DefineSymbol) -> str:
    """A name for the value of a definition at one moment, which says what the value is."""
    return f"{symbol.name}_now"


class _Failing:
    """Finds what searches and may fail: the compiler does not compute it before it is clear that it is needed."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.is_failing: dict[str, bool] = {}

    def of(self, node: ast.Node) -> bool:
        """True if a name or call is such a function, or a definition that leads to one."""
        symbol = self.context.model.refers.get(node.number)
        if isinstance(symbol, DefineSymbol):
            if symbol.name not in self.is_failing:
                self.is_failing[symbol.name] = False
                self.is_failing[symbol.name] = any(self.of(part) for part in symbol.declaration.walk())
            return self.is_failing[symbol.name]
        return isinstance(node, ast.Call) and isinstance(symbol, BuiltinSymbol) and symbol.name in FAILING
