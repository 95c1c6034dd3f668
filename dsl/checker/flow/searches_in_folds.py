"""Searches that are repeated for every combination of values in an expression, with the same result each time.

The compiler computes them once, before the loops, unless a search may end the game in a fault: it must fail exactly if
the rules come to it. That applies to searches for all paths, trails, packings or handfuls: there may be too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.endings import symbols_read
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import BuiltinSymbol, DefineSymbol, DieSymbol, NoteSymbol, Symbol, ZoneSymbol

FAILING = frozenset({"paths", "trails", "packings", "handfuls"})
"""The functions that list so much that it may be too much."""

NESTED = 2
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
        if len(names) >= NESTED and depends_on_state(symbols_read(context, node)):
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


def _report(context: Context, call: ast.Expression, names: list[str], can_be_named: bool) -> None:
    text = " ".join(call.span.text.split())
    helps = ["pass it to a separate definition as an argument, which is computed once"]
    if can_be_named:
        helps = [f"name it before the statement, `let found = {text}`, and use `found` in it"]
    listed = ", ".join(f"`{name}`" for name in names)
    message = f"`{text}` repeats the same search for each {listed}, always with the same result"
    context.error("E0514", message, call, helps, severity="warning")


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
