"""`parse FILE`: print the syntax tree of a rules file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from cli.arguments import Json, wants_json
from cli.errors import DONE, WRONG, Stop
from cli.json_output import emit
from cli.render.diagnostics import document, report
from cli.render.echo import echo
from dsl import ast, syntax
from dsl.diagnostics import Diagnostic
from dsl.schema import as_data
from dsl.text.files import expanded, is_there
from interpreter.loading.game_library import find


def parse(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A rules file of a game, a variant or examples, or the name of a game."),
    ],
    form: Json = "text",
) -> None:
    """Print the syntax tree of a rules file, as text or as data.

    That is the file as the parser reads it, before names and types are checked. The JSON Schema of the data is
    cli/schemas/parse.schema.json. Exit code 1 if the file cannot be parsed.
    """
    json = wants_json(form)
    path = expanded(file)
    source = syntax.read_source(path if is_there(path) else find(file))
    tree, diagnostics = (None, [source]) if isinstance(source, Diagnostic) else syntax.parse(source)
    if json:
        data = None if tree is None else as_data(tree)
        emit("parse", {"path": file, "tree": data, "diagnostics": [document(diagnostic) for diagnostic in diagnostics]})
    else:
        report(diagnostics, sys.stderr)
        for line in () if tree is None else outline(tree):
            echo(line)
    raise Stop(WRONG if tree is None else DONE)


def outline(node: ast.Node, role: str = "", depth: int = 0) -> Iterator[str]:
    """One line for each node, indented by its depth: its role in the node above, kind, plain fields and line."""
    plain: list[str] = []
    nodes: list[tuple[str, ast.Node]] = []
    for name, value in node.content().items():
        children = [item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, ast.Node)]
        nodes += [(name, child) for child in children]
        if not children and name != "kind" and value not in (None, (), False):
            plain.append(f"{name}={' '.join(map(str, value)) if isinstance(value, tuple) else value}")
    start = f"{role}: " if role else ""
    yield f"{'  ' * depth}{start}{node.kind} {' '.join(plain)}".rstrip() + f"  [line {node.span.line}]"
    for name, child in nodes:
        yield from outline(child, name, depth + 1)
