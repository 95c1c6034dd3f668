"""The whole program as Python source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from dsl import ast
from dsl.text.visible import visible
from interpreter.compiler.ir.expressions import Expr, Group, Local
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.printing import Line, source_of
from interpreter.compiler.ir.statements import MAX_REACTIONS
from interpreter.compiler.python.expressions import expression
from interpreter.compiler.python.searches import Lines
from interpreter.compiler.python.statements import begin_moves, block
from interpreter.compiler.python.text import identifier

"""Maximum number of reactions to one change."""

PARAMETERS = {
    "define": ("S",), "sight": ("S",), "criterion": ("S",), "hypothesis": ("S",), "moves": ("S",), "rule": ("S", "J"),
    "quiet rule": ("S", "J"), "when": ("S", "J"), "react": ("S", "J"), "apply": ("S", "J"), "block": ("S", "J"),
}  # fmt: skip


def constants(module: Module) -> dict[str, object]:
    """The tables of a program, by the names under which its functions read them."""
    return {table.name: table.content for table in module.tables.values()}


def source(module: Module, journal: bool = True) -> str:
    """The source of the whole program; without `journal` no change can be undone."""
    lines = cells(module)
    for printed_function in (*module.functions.values(), *(module.blocks[number] for number in sorted(module.blocks))):
        lines.append("")
        if printed_function.source is not None:
            lines.append(f"# {location(printed_function.source)}")
        lines += function(printed_function, journal)
    return "\n".join(lines) + "\n"


def printable(text: str) -> str:
    """A text without line breaks and control characters."""
    return text if text.isprintable() else ascii(text)


def location(node: ast.Node) -> str:
    """The file and line of a node."""
    return f"{visible(node.span.source.name)}:{node.span.line}"


def cells(module: Module) -> list[str]:
    """Comments that list the cells of the state."""
    lines = ["# The cells of the state:"]
    for group in sorted(module.cells.values(), key=lambda group: group.first):
        last = f"..{group.first + group.count - 1}" if group.count > 1 else ""
        lines.append(f"# {group.first}{last} {printable(group.name)}: {printable(str(group.type))}")
    return lines


def listing(functions: Iterable[Function]) -> Iterator[Line]:
    """The source of functions for people, each line with the node of the rules that it came from."""
    for printed_function in functions:
        out = _function(printed_function, journal=True)
        for number, text in enumerate(out.lines):
            statement = out.printed.get(number)
            source = printed_function.source if statement is None else source_of(statement)
            code = text.lstrip(" ")
            yield Line(len(text) - len(code), code, source if statement is not None or number == 0 else None)
        yield Line(0, "")


def function(node: Function, journal: bool) -> list[str]:
    """The lines of one function."""
    return _function(node, journal).lines


def _function(node: Function, journal: bool) -> Lines:
    changing = "J" in PARAMETERS[node.kind] or node.kind == "hypothesis"
    out = Lines(journal, changing, node.calls[0] if node.kind == "when" else "")
    if node.constant:
        out.add("@kept")
    elif node.kept_for:
        out.add(f"@kept_for({', '.join(_runs(node.kept_for))})")
    out.add(f"def {node.name}({', '.join([*PARAMETERS[node.kind], *map(identifier, node.params)])}):")
    body = out.inside()
    match node.kind:
        case "react":
            _react(body, node.calls)
        case "hypothesis":
            _hypothesis(body, node)
        case "moves":
            begin_moves(body, node.body)
            block(body, node.body)
            body.add("return out")
        case "define" | "sight" | "criterion" | "rule" | "quiet rule" | "when" | "apply" | "block":
            block(body, node.body)
        case _ as never:
            assert_never(never)
    return out


def _runs(groups: tuple[Group, ...]) -> Iterator[str]:
    """The cells of groups, which are sorted, as what selects them from a state: single ones and runs."""
    ends: list[list[int]] = []
    for group in groups:
        if ends and ends[-1][1] == group.first:
            ends[-1][1] += group.count
        else:
            ends.append([group.first, group.first + group.count])
    yield from (str(first) if end == first + 1 else f"slice({first}, {end})" for first, end in ends)


def _hypothesis(out: Lines, node: Function) -> None:
    """The body of a hypothesis, which runs on a copy of the state; leaving a phase ends it early."""
    *steps, last = node.body
    out.add("S, J = S.copy(), None", "try:")
    block(out.inside(), tuple(steps))
    out.add("except Leave: pass")
    block(out, (last,))


def question(params: tuple[Local, ...], body: Expr) -> str:
    """A function of the state and of its parameters, as an expression."""
    return f"lambda {', '.join(['S', *map(identifier, params)])}: {expression(body)}"


def _react(out: Lines, calls: tuple[str, ...]) -> None:
    """The body of a function that lets reactions happen until none does."""
    tries = " or ".join(f"{name}(S, J)" for name in calls)
    out.add("happened = []", f"while one := {tries}:", " happened.append(one)")
    out.add(f" if len(happened) == {MAX_REACTIONS}: endless(happened)")
