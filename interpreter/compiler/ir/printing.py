"""The intermediate representation as text for people: whole modules, functions, statements and expressions.

A line of text ends in the line of the rules that it came from. Values of a domain are shown by name where the caller
knows the names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import visible
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expression_text import ValueNames, by_number, expression_text, loops_text, short
from interpreter.compiler.ir.expressions import Cell, Expr, Local, Table, Zone
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.statements import Block, Statement

CITED = re.compile(r"\s\s+\[[^][]*]\s*$")
"""The rulebook items cited at the end of a line of the rules."""

INDENT = "  "
COMMENT_COLUMN = 80
MAX_RULE_LENGTH = 70
"""Maximum number of characters quoted of a line of the rules."""

MAX_LINE_LENGTH = 110
"""Maximum length of an `if` with its statement on one line."""

MAX_CONTENT_LENGTH = 60
"""Maximum number of characters shown of the content of a table."""


@dataclass(frozen=True)
class Line:
    """A line of text with its depth and the node of the rules it came from."""

    depth: int
    text: str
    source: ast.Node | None = None


def with_locations(lines: Iterable[Line], quoted: bool = False) -> Iterator[str]:
    """The lines with locations on the right: the file once, then line numbers where they change.

    With `quoted` the line of the rules itself is added.
    """
    name, line_number = "", -1
    for line in lines:
        text = INDENT * line.depth + line.text
        if line.source is not None:
            span = line.source.span
            file = PurePath(span.source.name).name
            if (file, span.line) != (name, line_number):
                where = f"{span.line}" if file == name else f"{visible(file)}:{span.line}"
                rule = f"  {visible(short(rule_line(line.source), MAX_RULE_LENGTH))}" if quoted else ""
                text = f"{text:<{COMMENT_COLUMN}}  # {where}{rule}"
            name, line_number = file, span.line
        yield text


def rule_line(node: ast.Node) -> str:
    """The line of the rules in which a node begins, without the items it cites."""
    return " ".join(CITED.sub("", node.span.source.line(node.span.line)).split())


# ---------------------------------------------------------------- modules


def module_text(module: Module, names: ValueNames = by_number) -> str:
    """A whole module: cells, places, tables, functions in their order, blocks by number."""
    parts = [
        _ranges("cells", ((cell.first, cell.count, f"{cell.name}: {cell.type}") for cell in module.cells.values())),
        _ranges("places", ((zone.first, zone.count, _zone(zone)) for zone in module.zones.values())),
        _tables(module.tables.values()),
    ]
    inside = {block.name for block in module.blocks.values()}
    functions = [function for function in module.functions.values() if function.name not in inside]
    blocks = [block for _, block in sorted(module.blocks.items())]
    parts += [function_text(function, names) for function in (*functions, *blocks)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _ranges(title: str, ranges: Iterable[tuple[int, int, str]]) -> str:
    """A titled list of ranges of numbers, given by first number, count and text."""
    rows = [
        (str(first) if count == 1 else f"{first}..{first + count - 1}", text) for first, count, text in sorted(ranges)
    ]
    width = max((len(numbers) for numbers, _ in rows), default=0)
    return (
        "\n".join([title, *(f"{INDENT}{numbers:<{width}}  {visible(text)}" for numbers, text in rows)]) if rows else ""
    )


def _zone(zone: Zone) -> str:
    """A zone, with the cells that hold what lies there."""
    groups = [group for group in (zone.contents, zone.order, zone.filled) if group is not None]
    return f"@{zone.name}: {zone.shape}, cells {', '.join(group.name for group in groups)}"


def _tables(tables: Iterable[Table]) -> str:
    rows = [f"{INDENT}{visible(table.name)}{_size(table.content)}: {table.type}{_rest(table)}" for table in tables]
    return "\n".join(["tables", *rows]) if rows else ""


def _size(content: object) -> str:
    """The number of entries for each key: `[8][3]`, or `{8}` for a mapping."""
    if isinstance(content, dict):
        return f"{{{len(content)}}}{_size(_row(content.values()))}"
    if isinstance(content, tuple | list):
        return f"[{len(content)}]{_size(_row(content))}"
    return ""


def _row(rows: Iterable[object]) -> object:
    """The first row that is not None."""
    return next((row for row in rows if row is not None), None)


def _rest(table: Table) -> str:
    missing = f", {'none' if table.missing is None else table.missing} for others" if table.partial else ""
    return f"{missing} = {visible(short(repr(table.content), MAX_CONTENT_LENGTH))}"


# ---------------------------------------------------------------- functions


def function_text(function: Function, names: ValueNames = by_number) -> str:
    """A function with the lines of the rules beside its own."""
    return "\n".join(with_locations(_function_lines(function, names)))


def block_text(block: Block, names: ValueNames = by_number) -> str:
    """Statements with the lines of the rules beside them."""
    return "\n".join(with_locations(_block_lines(block, 0, names, set())))


def heading(function: Function) -> str:
    """The kind and name of a function, with its parameters and the type of its value."""
    if function.kind == "block":
        return f"block {function.number}"
    params = ", ".join(f"{param.name}: {param.type}" for param in function.params)
    decision = f" of decision {function.number}" if function.kind in ("moves", "apply") else ""
    result = "" if function.result is None else f" -> {function.result}"
    kind = f"{'constant ' if function.constant else 'kept ' if function.kept_for else ''}{function.kind}"
    return visible(f"{kind} {function.name}({params}){decision}{result}")


def _function_lines(function: Function, names: ValueNames) -> Iterator[Line]:
    yield Line(0, heading(function), function.source)
    if function.calls:
        yield Line(1, visible(f"try in turn until none happens: {', '.join(function.calls)}"))
    if function.body or not function.calls:
        yield from _block_lines(function.body, 1, names, {param.name for param in function.params})


# ---------------------------------------------------------------- statements


def _block_lines(block: Block, depth: int, names: ValueNames, declared_names: set[str]) -> Iterator[Line]:
    if not block:
        yield Line(depth, "pass")
    for node in block:
        yield from _lines(node, depth, names, declared_names)


def _lines(node: Statement, depth: int, names: ValueNames, declared_names: set[str]) -> Iterator[Line]:
    """A statement; `declared_names` are the locals whose types have been shown."""
    source = source_of(node)
    match node:
        case st.If():
            yield from _if_lines(node, "if", depth, names, declared_names)
        case st.For():
            declared_names.update(loop.local.name for loop in node.loops)
            word = "for all listed" if node.listed else "for"
            loops = loops_text(node.loops, names, typed=True)
            yield Line(depth, f"{word} {loops}:", source)
            yield from _block_lines(node.body, depth + 1, names, declared_names)
        case st.Repeat():
            yield Line(depth, f"repeat {expression_text(node.times, names)} times:", source)
            yield from _block_lines(node.body, depth + 1, names, declared_names)
        case st.IfNoMoves():
            yield Line(depth, "if no moves:", source)
            yield from _block_lines(node.body, depth + 1, names, declared_names)
        case st.Once():
            values = ", ".join(expression_text(value, names) for value in node.values)
            yield Line(depth, f"once for {values} of group {node.group}:", source)
            yield from _block_lines(node.body, depth + 1, names, declared_names)
            if node.otherwise:
                yield Line(depth, "every other time:")
                yield from _block_lines(node.otherwise, depth + 1, names, declared_names)
        case st.Decide():
            parts = ", ".join(_declared(local, declared_names) for local in node.names)
            yield Line(depth, f"decide {node.point} by move ({parts}) of:", source)
            yield from _block_lines(node.moves, depth + 1, names, declared_names)
            yield Line(depth, "which is made:")
            yield from _block_lines(node.made, depth + 1, names, declared_names)
            yield Line(depth, "without moves:")
            yield from _block_lines(node.otherwise, depth + 1, names, declared_names)
        case _:
            yield Line(depth, visible(_simple(node, names, declared_names)), source)


def _if_lines(node: st.If, word: str, depth: int, names: ValueNames, declared_names: set[str]) -> Iterator[Line]:
    source = source_of(node)
    head = f"{word} {expression_text(node.condition, names)}:"
    then = list(_block_lines(node.then, depth + 1, names, declared_names))
    alone = len(node.then) == 1 and len(then) == 1 and not node.otherwise and word == "if"
    if alone and 2 * depth + len(head) + len(then[0].text) < MAX_LINE_LENGTH and not then[0].text.endswith(":"):
        yield Line(depth, f"{head} {then[0].text}", source or then[0].source)
        return
    yield Line(depth, head, source)
    yield from then
    match node.otherwise:
        case ():
            return
        case (st.If() as nested,):
            yield from _if_lines(nested, "else if", depth, names, declared_names)
        case _:
            yield Line(depth, "else:")
            yield from _block_lines(node.otherwise, depth + 1, names, declared_names)


def _simple(node: st.Simple, names: ValueNames, declared_names: set[str]) -> str:
    """A statement without statements inside."""

    def text(value: Expr) -> str:
        return expression_text(value, names)

    match node:
        case st.Assign():
            return f"{_declared(node.local, declared_names)} = {text(node.value)}"
        case st.Store():
            return f"store {text(node.cell)} := {text(node.value)}"
        case st.MoveSet():
            crowded = ", even if it is full" if node.crowded else ""
            return f"move {text(node.pieces)} to {text(node.target)}{_at(node.bottom)}{crowded}"
        case st.MoveSome():
            kind = "" if node.kind is None else f" of {text(node.kind)}"
            way = f"from {text(node.origin)} to {text(node.target)}"
            return f"move up to {text(node.count)}{kind} {way}{_at(node.bottom)}"
        case st.Insert():
            side = "after" if node.after else "before"
            return f"insert {text(node.piece)} in {text(node.target)} {side} {text(node.anchor)}"
        case st.Overfull():
            return f"fault: a second piece in {text(node.place)}"
        case st.Mix():
            return f"shuffle {text(node.cell)}"
        case st.Draw():
            name = f" as {node.name!r}" if node.name else ""
            return f"{node.event} {text(node.cell)} from {node.table.name}{name}"
        case st.DrawItem():
            return f"draw {text(node.cell)} from {text(node.items)}"
        case st.Emit():
            act, *arguments = map(text, node.move)
            return f"emit move {act}({', '.join(arguments)})"
        case st.EmitDone():
            return f"emit done{' if there are other moves' if node.any_before else ''}"
        case st.Perform():
            return f"perform {node.function}({', '.join(map(text, node.args))})"
        case st.React():
            return f"react {node.function}"
        case st.Goto():
            return f"go to {text(node.block) if isinstance(node.block, Cell) else node.block}"
        case st.Suspend():
            chosen = "" if node.chosen is None else f" with {text(node.chosen)} := none"
            return f"wait for decision {node.point}, without moves go to {node.otherwise}{chosen}"
        case st.Stop():
            return f"stop at {node.point}"
        case st.Leave():
            return f"leave to {node.block}"
        case st.Idle():
            return "reset idle turns" if node.reset else "count idle turn"
        case st.Mark():
            return f"mark {node.what} ({', '.join(map(text, node.values))})"
        case st.Reason():
            values = f" ({', '.join(map(text, node.values))})" if node.values else ""
            return f"reason {text(node.cell)} grows by {text(node.amount)}{values}"
        case st.Count():
            return f"count branch {node.branch}"
        case _:  # its name is a verb, and its parts are the objects
            return f"{type(node).__name__.lower()} {', '.join(map(text, st.expressions(node)))}".rstrip()


def _at(bottom: bool) -> str:
    return " at bottom" if bottom else ""


def _declared(local: Local, declared_names: set[str]) -> str:
    """A local that is assigned to, with its type the first time."""
    if local.name in declared_names:
        return local.name
    declared_names.add(local.name)
    return f"{local.name}: {local.type}"


def source_of(node: Statement) -> ast.Node | None:
    """The node of the rules that a statement came from, or else that of its first expression."""
    source = node.node if isinstance(node, st.Mark) else node.source
    return source or next(
        (expression.source for expression in st.expressions(node) if expression.source is not None), None
    )
