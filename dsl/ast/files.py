"""Whole files: a game in its parts, the companion file of its examples, or a variant."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dsl.ast.base import Node
from dsl.ast.declarations import Case, Declaration, Option, Require, Row
from dsl.ast.examples import Example
from dsl.ast.expressions import Expression, Text
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


class Setup(Node):
    """`setup:` of a variant: everything that is done before the first phase."""

    kind: Literal["setup"] = "setup"
    statements: tuple[Statement, ...]
    cites: Citations = ()


class Change(Node):
    """A whole declaration added, replaced or removed; `sort` and `name` identify what is removed."""

    kind: Literal["change"] = "change"
    verb: Literal["add", "replace", "remove"]
    declaration: Annotated[Declaration | Header | Setup, Field(discriminator="kind")] | None
    name: str | None
    sort: str | None


class ReasonWords(Node):
    """`require because "..."`: selects the requirement whose reason has these words."""

    kind: Literal["reason_words"] = "reason_words"
    words: str


class Guard(Node):
    """`if C` or `otherwise`: selects the case with this condition."""

    kind: Literal["guard"] = "guard"
    condition: Expression | None


class RowKey(Node):
    """Selects the row that begins with this name or number."""

    kind: Literal["row_key"] = "row_key"
    key: str | int


class PartChange(Node):
    """Requirements, cases or rows added, one of them replaced, or one removed.

    `address` selects it; None if something is added.
    """

    kind: Literal["part_change"] = "part_change"
    verb: Literal["add", "replace", "remove"]
    address: Annotated[ReasonWords | Guard | RowKey, Field(discriminator="kind")] | None
    parts: tuple[Annotated[Require | Case | Row, Field(discriminator="kind")], ...]


class Inside(Node):
    """`in action lay:` and the changes of its parts; a table by players has no name."""

    kind: Literal["inside"] = "inside"
    sort: Literal["action", "step", "define", "type", "by players"]
    name: str | None
    changes: tuple[PartChange, ...]


Difference = Annotated[Change | Inside, Field(discriminator="kind")]


class VariantFile(Node):
    """A variant: a game as a list of differences from another."""

    kind: Literal["variant_file"] = "variant_file"
    title: Text
    game: str
    changes: tuple[Difference, ...]
    cites: Citations = ()


RulesFile = GameFile | ExamplesFile | VariantFile
