"""Grammar rules for variants: what they add, replace and remove."""

from __future__ import annotations

from typing import Any

from lark import Token

from dsl import ast
from dsl.syntax.build_statements import Block
from dsl.syntax.build_tree import Builder, Rule, cites, number
from dsl.text.span import Span


def _variant(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.VariantFile, span, title=b.text(c[0]), game=str(c[1]), changes=tuple(c[3:]), cites=cites(c[2]))


def _change(verb: str) -> Rule:
    return lambda b, span, c: b.make(ast.Change, span, verb=verb, declaration=c[0], name=None, sort=None)


def _replace_setup(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    block: Block = c[1]
    if str(c[0]) != "setup":
        b.error("E0112", f"`{c[0]}` is not a word that can stand here", b.of_token(c[0]), ["did you mean `setup`?"])
    setup = b.make(ast.Setup, span, statements=block.body, cites=block.cites)
    return b.make(ast.Change, span, verb="replace", declaration=setup, name=None, sort=None)


def _remove(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    name = str(c[1])[1:-1] if c[1].type == "STRING" else str(c[1])
    return b.make(ast.Change, span, verb="remove", declaration=None, name=name, sort=c[0])


def _inside(sort: str | None = None) -> Rule:
    """Build changes inside a declaration of a kind; without one the first child gives it."""

    def rule(b: Builder, span: Span, c: list[Any]) -> ast.Node:
        changes = tuple(child for child in c if isinstance(child, ast.PartChange))
        name = next((str(child) for child in c if isinstance(child, Token)), None)
        return b.make(ast.Inside, span, sort=sort or c[0], name=name, changes=changes)

    return rule


def _part_change(b: Builder, span: Span, verb: str, address: ast.Node | None, parts: list[Any]) -> ast.Node:
    return b.make(ast.PartChange, span, verb=verb, address=address, parts=tuple(parts))


def _replace_row(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return _part_change(b, span, "replace", b.make(ast.RowKey, c[0].span, key=c[0].key), c)


def _remove_row(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    key = number(c[0]) if c[0].type == "INT" else str(c[0])
    return _part_change(b, span, "remove", b.make(ast.RowKey, b.of_token(c[0]), key=key), [])


VARIANTS: dict[str, Rule] = {
    "variant": _variant,
    "add_decl": _change("add"),
    "replace_decl": _change("replace"),
    "replace_setup": _replace_setup,
    "remove_decl": _remove,
    "kind": lambda b, span, c: str(c[0]),
    "titled": lambda b, span, c: str(c[0]),
    "ruled": lambda b, span, c: str(c[0]),
    "inside": _inside(),
    "inside_define": _inside("define"),
    "inside_type": _inside("type"),
    "inside_by_players": _inside("by players"),
    "add_part": lambda b, span, c: _part_change(b, span, "add", None, c),
    "replace_part": lambda b, span, c: _part_change(b, span, "replace", c[0], c[1:]),
    "remove_part": lambda b, span, c: _part_change(b, span, "remove", c[0], []),
    "replace_row": _replace_row,
    "remove_row": _remove_row,
    "reason": lambda b, span, c: b.make(ast.ReasonWords, span, words=str(c[0])[1:-1]),
    "guard": lambda b, span, c: b.make(ast.Guard, span, condition=c[0] if c else None),
}
