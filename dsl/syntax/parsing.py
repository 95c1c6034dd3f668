"""From a source to its syntax tree and its diagnostics."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl import ast
from dsl.diagnostics import Diagnostic, has_errors, in_order
from dsl.garbage import uncollected
from dsl.syntax import prescan
from dsl.syntax.layout import LayoutError
from dsl.syntax.parser import Unexpected, expression_tree, tree
from dsl.syntax.prescan import MAX_DIAGNOSTICS
from dsl.text.span import Source, Span

Parse = Callable[[Source, int], tuple[ast.RulesFile | None, list[Diagnostic]]]
"""What parses a text as `parse` does, its nodes numbered from a number on."""

if TYPE_CHECKING:
    from dsl.syntax.build_tree import Builder
    from dsl.syntax.parser import Built, Tree


def parse(source: Source, first_number: int = 0) -> tuple[ast.RulesFile | None, list[Diagnostic]]:
    """Parse a rules file; return its tree, or None if there are errors, and the diagnostics.

    Nodes are numbered from `first_number`, so that a companion file can continue where its game ended: one more than
    the number of the file's own node, which is always the last.
    """
    with uncollected():
        return _parse(source, first_number)


def _parse(source: Source, first_number: int) -> tuple[ast.RulesFile | None, list[Diagnostic]]:
    diagnostics = prescan.characters(source)
    if not diagnostics:
        diagnostics += prescan.headings(source)
        try:
            parsed = tree(source.text, "start")
        except (Unexpected, LayoutError) as fault:
            from dsl.syntax import recovery  # start-up: it compiles the patterns of many mistakes

            diagnostics += recovery.recover(source, fault)
        else:
            file, more = _built(source, parsed, first_number, 0)
            diagnostics += more
            if not has_errors(diagnostics):
                return file, in_order(diagnostics)
    return None, in_order(diagnostics)[:MAX_DIAGNOSTICS]


def parse_expression(
    source: Source, start: int = 0, end: int | None = None, first_number: int = 0
) -> tuple[ast.Expression | None, list[Diagnostic]]:
    """Parse the expression between two offsets of the source; return it, or None, and the diagnostics."""
    end = len(source.text) if end is None else end
    try:
        parsed = expression_tree(source.text[start:end])
    except (Unexpected, LayoutError) as fault:
        from dsl.syntax import recovery  # start-up: it compiles the patterns of many mistakes

        return None, [recovery.explain(source, fault, start, end)]
    expression, diagnostics = _built(source, parsed, first_number, start)
    return (None if has_errors(diagnostics) else expression), in_order(diagnostics)


def _built(source: Source, parsed: Tree, first: int, offset: int) -> tuple[Built, list[Diagnostic]]:
    from dsl.syntax.build_tree import NestingError  # start-up: see `_builder`

    builder = _builder(source, first, offset)
    try:
        return builder.build(parsed), builder.diagnostics
    except NestingError as fault:
        span = Span(source, fault.span.start, min(fault.span.end, fault.span.start + 1))
        return None, [
            Diagnostic(
                "E0117", "error", "too much is nested here", span,
                helps=("give a part of it a name of its own with `define` or `step`",),
            )
        ]  # fmt: skip


def _builder(source: Source, first: int, offset: int) -> Builder:
    # start-up of whatever imports the language and parses nothing
    from dsl.syntax.build_files import RULES
    from dsl.syntax.build_tree import Builder

    return Builder(source, RULES, parse_expression, first, offset)
