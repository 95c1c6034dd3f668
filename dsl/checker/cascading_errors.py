"""Suppression of cascading errors: diagnostics that only follow from another one.

These are errors in declarations that depend on a construct this version does not run, and a condition reported as never
holding because it compares with none something that never is none.
"""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.declarations import declarations
from dsl.diagnostics import Diagnostic

UNSUPPORTED = "E0901"
NEVER_NONE, NEVER_HOLDS = "E0343", frozenset({"E0503", "E0504"})
COMPONENTS = (
    ast.Board,
    ast.TypeBoard,
    ast.TypeList,
    ast.TypeTable,
    ast.ByPlayers,
    ast.Piece,
    ast.Zone,
    ast.Note,
    ast.Die,
    ast.Option,
)
"""Declarations that others depend on."""


def without_cascading(context: Context) -> list[Diagnostic]:
    """Return the diagnostics without the cascading ones."""
    never_none = [diagnostic.span for diagnostic in context.diagnostics if diagnostic.code == NEVER_NONE]
    found = [
        diagnostic
        for diagnostic in context.diagnostics
        if diagnostic.code not in NEVER_HOLDS or not any(span.is_inside(diagnostic.span) for span in never_none)
    ]
    unsupported = [diagnostic.span for diagnostic in found if diagnostic.code == UNSUPPORTED]
    if not unsupported:
        return found
    file = context.model.file
    roots: list[ast.Node] = [*declarations(file), *context.model.setup]
    roots += [example for example in context.model.examples if example not in roots]
    parts = [root for root in roots if isinstance(root, COMPONENTS)]
    doubtful = {root.number for root in parts if any(span.is_inside(root.span) for span in unsupported)}
    names: set[str] = set()
    while True:
        names |= {name for root in roots if root.number in doubtful for name in _declared(root)}
        more = {root.number for root in roots if root.number not in doubtful and not names.isdisjoint(_mentioned(root))}
        if not more:
            break
        doubtful |= more
    spans = [root.span for root in roots if root.number in doubtful] + unsupported

    def follows(diagnostic: Diagnostic) -> bool:
        if diagnostic.code == UNSUPPORTED:
            return False
        return diagnostic.code[:3] != "E01" and any(diagnostic.span.is_inside(span) for span in spans)

    return [diagnostic for diagnostic in found if not follows(diagnostic)]


def _declared(node: ast.Node) -> set[str]:
    """Names a declaration introduces: its own, and those of its values."""
    found = {str(getattr(node, "name", ""))} - {""}
    match node:
        case ast.TypeList():
            found |= {shape.name for shape in node.shapes if shape.name is not None}
        case ast.TypeTable() | ast.ByPlayers():
            found |= {str(row.key) for row in node.rows}
        case ast.Phase():
            return set()
        case _:
            pass
    return found


def _mentioned(node: ast.Node) -> set[str]:
    """Names mentioned anywhere in a declaration."""
    found: set[str] = set()
    for inner in node.walk():
        if isinstance(inner, ast.Name | ast.TypeName | ast.Act):
            found.add(inner.name)
    if isinstance(node, ast.When):
        found.add(node.name)
    return found
