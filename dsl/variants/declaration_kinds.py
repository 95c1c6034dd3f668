"""Kinds and names of declarations: how variants and messages refer to them."""

from __future__ import annotations

from dsl import ast

Declared = ast.Declaration | ast.Header | ast.Setup
"""Nodes that a variant can add or replace."""

TITLED = frozenset({"table", "example"})
"""Kinds that are identified by a quoted title."""

SINGLE = frozenset({"game", "setup", "board", "winner", "teams by", "by players"})
"""Kinds without names of their own."""

_KEYWORDS: dict[type[ast.Node], str] = {
    ast.Header: "game",
    ast.TypeList: "type",
    ast.TypeTable: "type",
    ast.TypeBoard: "type",
    ast.ByPlayers: "by players",
    ast.Teams: "teams by",
    ast.PositionDeclaration: "position",
}

_PARTS: dict[str, ast.PartName] = {
    "action": "phases",
    "step": "phases",
    "when": "phases",
    "phase": "phases",
    "define": "scoring",
    "winner": "scoring",
    "teams by": "scoring",
    "example": "examples",
}


def keyword_of(node: ast.Node) -> str:
    """The keyword a declaration begins with."""
    return _KEYWORDS.get(type(node), node.kind)


def name_of(node: ast.Node) -> str:
    """The name or title of a declaration; empty for a kind without names."""
    if isinstance(node, ast.Table | ast.Example):
        return node.title.value
    if isinstance(node, ast.Action | ast.Step):
        is_complete = node.name.endswith(")")  # the rule that the checker makes of a clause
        return node.name if node.clause is None or is_complete else ast.clause_name(node.name, node.clause.key)
    if isinstance(node, ast.Names):
        return node.language or ""
    return "" if keyword_of(node) in SINGLE else str(getattr(node, "name", ""))


def noun_of(keyword: str) -> str:
    """The noun that messages use for a kind."""
    return "definition" if keyword == "define" else keyword


def describe(keyword: str, name: str) -> str:
    """A declaration in words: ``action `lay` ``, `winner`."""
    if keyword in SINGLE or not name:
        return f"`{keyword}`"
    return f'{keyword} `"{name}"`' if keyword in TITLED else f"{noun_of(keyword)} `{name}`"


def part_for(node: ast.Node) -> ast.PartName:
    """The part of the game that an added declaration belongs to."""
    return _PARTS.get(keyword_of(node), "components")


def with_article(words: str) -> str:
    """`an action`, `a step`."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
