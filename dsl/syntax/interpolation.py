"""Texts between quotes, with expressions between braces."""

from __future__ import annotations

from dsl import ast
from dsl.syntax.build_tree import Builder
from dsl.text.span import Span


def text_node(builder: Builder, value: str, span: Span) -> ast.Text:
    """The text `value`, written with its quotes at `span`."""
    parts: list[str | ast.Node | None] = []
    place = 0
    while place < len(value):
        opened, closed = value.find("{", place), value.find("}", place)
        if closed >= 0 and (opened < 0 or closed < opened):
            at = span.start + 1 + closed
            builder.error("E0118", "`}` without a `{` before it", Span(span.source, at, at + 1))
            break
        if opened < 0:
            parts.append(value[place:])
            break
        if opened > place:
            parts.append(value[place:opened])
        end = _closing(value, opened)
        begin = span.start + 1 + opened
        if end < 0:
            builder.error(
                "E0118", "`{` is not closed in this text", Span(span.source, begin, begin + 1),
                ["an expression in a text stands between `{` and `}`"],
            )  # fmt: skip
            break
        parts.append(_expression(builder, begin + 1, span.start + 1 + end))
        place = end + 1
    return builder.make(ast.Text, span, value=value, parts=tuple(part for part in parts if part is not None))


def _closing(value: str, opened: int) -> int:
    depth = 0
    for place in range(opened, len(value)):
        if value[place] == "{":
            depth += 1
        elif value[place] == "}":
            depth -= 1
            if depth == 0:
                return place
    return -1


def _expression(builder: Builder, start: int, end: int) -> ast.Node | None:
    from dsl.syntax.parsing import parse_expression

    if not builder.source.text[start:end].strip():
        builder.error(
            "E0118", "nothing stands between the braces", Span(builder.source, start - 1, end + 1),
            ["between `{` and `}` stands an expression"],
        )  # fmt: skip
        return None
    found, diagnostics = parse_expression(builder.source, start, end, builder.number)
    builder.diagnostics += diagnostics
    if found is not None:
        builder.number = found.number + 1
    return found
