"""Kinds and names of declarations: the words by which a variant refers to them."""

from __future__ import annotations

from dsl import ast

Declared = ast.Declaration | ast.Header | ast.Setup
"""Nodes that a variant can add or replace."""

TITLED = frozenset({"table", "example"})
"""Kinds that are identified by a quoted title."""

SINGLE = frozenset({"game", "setup", "board", "winner", "by players", "names"})
"""Kinds without names of their own."""

_WORDS: dict[type[ast.Node], str] = {
    ast.Header: "game",
    ast.TypeList: "type",
    ast.TypeTable: "type",
    ast.TypeBoard: "type",
    ast.ByPlayers: "by players",
}

_PARTS: dict[str, ast.PartName] = {
    "action": "phases",
    "step": "phases",
    "when": "phases",
    "phase": "phases",
    "define": "scoring",
    "winner": "scoring",
    "example": "examples",
}


def sort_of(node: ast.Node) -> str:
    """The keyword a declaration begins with."""
    return _WORDS.get(type(node), node.kind)


def name_of(node: ast.Node) -> str:
    """The name or title of a declaration; empty for a kind without names."""
    if isinstance(node, ast.Table | ast.Example):
        return node.title.value
    return "" if sort_of(node) in SINGLE else str(getattr(node, "name", ""))


def spoken(sort: str) -> str:
    """A kind as it is called in messages."""
    return "definition" if sort == "define" else sort


def called(sort: str, name: str) -> str:
    """A declaration in words: ``action `lay` ``, `winner`."""
    if sort in SINGLE:
        return f"`{sort}`"
    return f'{sort} `"{name}"`' if sort in TITLED else f"{spoken(sort)} `{name}`"


def part_for(node: ast.Node) -> ast.PartName:
    """The part of the game that an added declaration belongs to."""
    return _PARTS.get(sort_of(node), "components")


def with_article(words: str) -> str:
    """`an action`, `a step`."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
