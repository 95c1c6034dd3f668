"""Whole files: a game in its parts, or the companion file of its examples."""

from __future__ import annotations

from typing import Literal

from dsl.ast.base import Node
from dsl.ast.declarations import Declaration, Option
from dsl.ast.examples import Example
from dsl.ast.expressions import Text
from dsl.ast.statements import Citations, Statement

PartName = Literal["components", "setup", "phases", "scoring", "examples"]


class Header(Node):
    """`game "Title" for 2 to 5 players red, green`."""

    kind: Literal["header"] = "header"
    title: Text
    fewest: int
    most: int
    seats: tuple[str, ...]
    cites: Citations = ()


class Part(Node):
    """A part under its heading; only the part `setup` has statements of its own."""

    kind: Literal["part"] = "part"
    name: PartName
    declarations: tuple[Declaration, ...]
    statements: tuple[Statement, ...]


class GameFile(Node):
    """A `.rules` file of a game."""

    kind: Literal["game_file"] = "game_file"
    header: Header
    options: tuple[Option, ...]
    parts: tuple[Part, ...]


class ExamplesFile(Node):
    """A `.examples.rules` file: more examples of a game."""

    kind: Literal["examples_file"] = "examples_file"
    game: str
    examples: tuple[Example, ...]
    cites: Citations = ()


class Change(Node):
    """One named difference of a variant."""

    kind: Literal["change"] = "change"
    verb: Literal["add", "replace", "remove"]
    declaration: Declaration | None
    name: str | None
    sort: str | None


class VariantFile(Node):
    """A variant: a game as a list of named differences to another."""

    kind: Literal["variant_file"] = "variant_file"
    title: Text
    game: str
    changes: tuple[Change, ...]
    cites: Citations = ()


RulesFile = GameFile | ExamplesFile | VariantFile
