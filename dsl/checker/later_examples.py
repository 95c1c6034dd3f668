"""Scenes that are not in the files of a game, such as the lines of a position, checked as an example of it.

They are parsed as the only example of a companion file, whose first lines the reader does not see, so that everything
that is wrong with them is reported as in any example, at the lines and columns of their own text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from dsl import ast
from dsl.checker.clauses.expanding import expanded
from dsl.checker.context import Context
from dsl.checker.recursion import room_for_recursion
from dsl.checker.types.examples import ExampleCheck
from dsl.checker.types.infer import undetermined_types
from dsl.diagnostics import Diagnostic, Label, Replacement, has_errors, in_order
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.syntax import parse
from dsl.text.span import Source, Span

FIRST_NUMBER = 1 << 29
"""First number of the nodes of such an example: more than those of any file, and less than those of a query."""

HEAD = 'examples of it\n\nexample "position":\n'
INDENT = "    "


SomeNode = TypeVar("SomeNode", bound=ast.Node)


@dataclass(frozen=True)
class LaterExample:
    """A checked example, and the model extended by it."""

    example: ast.Example
    model: Model


def read_scenes(model: Model, source: Source) -> LaterExample | list[Diagnostic]:
    """Parse and check the scenes in a text; without an error the example that they are, else the diagnostics."""
    lines = source.text.splitlines()
    margin = _margin(lines)
    text = HEAD + "".join(f"{INDENT}{line[margin:]}".rstrip() + "\n" for line in lines)
    companion, diagnostics = parse(Source(source.name, text), FIRST_NUMBER)
    if not isinstance(companion, ast.ExamplesFile):
        return [_moved(diagnostic, source) for diagnostic in diagnostics]
    ready = expanded(model.as_written, _relocated(companion, source))
    if ready.diagnostics or ready.companion is None:
        return in_order(ready.diagnostics)
    (example,) = ready.companion.examples
    extended = model.extended()
    context = Context(extended)
    with room_for_recursion():
        ExampleCheck(context).example(example)
        if not has_errors(context.diagnostics):
            undetermined_types(context, example.walk())
    return in_order(context.diagnostics) if has_errors(context.diagnostics) else LaterExample(example, extended)


def _margin(lines: list[str]) -> int:
    """The number of blanks that all lines begin with."""
    return min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)


def _in_text(span: Span, source: Source) -> Span:
    """The place in a text of a span in the companion file that was made of it."""
    margin = _margin(source.text.splitlines())
    starts = source.line_starts

    def offset(position: int) -> int:
        made = Span(span.source, position, position)
        line, column = made.line - 1 - HEAD.count("\n"), made.column - 1 - len(INDENT) + margin
        if not 0 <= line < len(starts):
            return 0 if line < 0 else len(source.text)
        end = starts[line + 1] - 1 if line + 1 < len(starts) else len(source.text)
        return min(max(starts[line] + max(column, 0), starts[line]), end)

    start = offset(span.start)
    return Span(source, start, max(start, offset(span.end)))


def _relocated(node: SomeNode, source: Source) -> SomeNode:
    """The same tree with the spans of the text of the scenes."""
    changes: dict[str, Any] = {}  # as the fields of a node of any class
    for name, part in node.content().items():
        if isinstance(part, ast.Node):
            changes[name] = _relocated(part, source)
        elif isinstance(part, tuple):
            changes[name] = tuple(_relocated(each, source) if isinstance(each, ast.Node) else each for each in part)
    return replace(node, span=_in_text(node.span, source), **changes)


def _moved(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """The same diagnostic, in the text of the scenes instead of the companion file."""

    def moved(span: Span) -> Span:
        return _in_text(span, source) if span.source.name == source.name else span

    return replace(
        diagnostic,
        span=moved(diagnostic.span),
        labels=tuple(Label(moved(label.span), label.text) for label in diagnostic.labels),
        replacements=tuple(Replacement(moved(each.span), each.text) for each in diagnostic.replacements),
        other_spans=tuple(map(moved, diagnostic.other_spans)),
    )
