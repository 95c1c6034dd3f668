"""Whole files: a game in its parts, the companion file of its examples, or a variant."""

from __future__ import annotations

from typing import Literal

from dsl.ast.base import Node
from dsl.ast.declarations import Case, Cue, Declaration, Names, OfferedOnce, Option, Require, Row
from dsl.ast.examples import Example
from dsl.ast.expressions import Act, Expression, Text
from dsl.ast.statements import Backwards, Citations, Statement
from dsl.lazy_dataclasses import node_class

PartName = Literal["components", "setup", "phases", "scoring", "examples"]


@node_class
class About(Node):
    """What a game is, for people: a sentence, the family it belongs to, who designed it, how many minutes it takes."""

    kind: Literal["about"] = "about"
    sentence: str = ""
    family: str = ""
    designer: str = ""
    minutes: tuple[int, int] | None = None


@node_class
class Header(Node):
    """`game "Title" for 2 to 5 players red, green`, and what the game is.

    `counts` are the numbers of players, in increasing order.
    """

    kind: Literal["header"] = "header"
    title: Text
    counts: tuple[int, ...]
    seats: tuple[str, ...]
    cites: Citations = ()
    about: About | None = None

    @property
    def fewest(self) -> int:
        """The smallest number of players."""
        return self.counts[0]

    @property
    def most(self) -> int:
        """The largest number of players."""
        return self.counts[-1]


@node_class
class Part(Node):
    """A part under its heading; only the part `setup` has statements of its own."""

    kind: Literal["part"] = "part"
    name: PartName
    declarations: tuple[Declaration, ...]
    statements: tuple[Statement, ...]


@node_class
class GameFile(Node):
    """A `.rules` file of a game."""

    kind: Literal["game_file"] = "game_file"
    header: Header
    options: tuple[Option, ...]
    parts: tuple[Part, ...]


@node_class
class ExamplesFile(Node):
    """A `.examples.rules` file: more examples of a game."""

    kind: Literal["examples_file"] = "examples_file"
    game: str
    examples: tuple[Example, ...]
    cites: Citations = ()


@node_class
class Setup(Node):
    """`setup:` of a variant: everything that is done before the first phase."""

    kind: Literal["setup"] = "setup"
    statements: tuple[Statement, ...]
    cites: Citations = ()


@node_class
class Change(Node):
    """A whole declaration added, replaced or removed; `declaration_kind` and `name` identify what is removed."""

    kind: Literal["change"] = "change"
    verb: Literal["add", "replace", "remove"]
    declaration: Declaration | Header | Setup | None = None
    name: str | None = None
    declaration_kind: str | None = None


@node_class
class ReasonWords(Node):
    """`require because "..."`: selects the requirement whose reason has these words."""

    kind: Literal["reason_words"] = "reason_words"
    words: str


@node_class
class Guard(Node):
    """`if C` or `otherwise`: selects the case with this condition."""

    kind: Literal["guard"] = "guard"
    condition: Expression | None


@node_class
class RowKey(Node):
    """Selects the row that begins with this name or number."""

    kind: Literal["row_key"] = "row_key"
    key: str | int


@node_class
class OnceKey(Node):
    """`offered once`: the line of an action that says which of its moves are the same."""

    kind: Literal["once_key"] = "once_key"


@node_class
class StatementKey(Node):
    """Selects the statement that equals this one; one with blocks, which are empty here, by its first line."""

    kind: Literal["statement_key"] = "statement_key"
    statement: Statement


ClauseWords = Literal["turns from", "over when", "repeated until", "over as soon as"]


@node_class
class PhaseClause(Node):
    """A clause of a phase: `turns from P to Q`, `over when C`."""

    kind: Literal["phase_clause"] = "phase_clause"
    words: ClauseWords
    value: Expression
    last: Expression | None = None
    backwards: Backwards | None = None


@node_class
class PhaseClauseKey(Node):
    """Selects the clause of a phase that begins with these words."""

    kind: Literal["phase_clause_key"] = "phase_clause_key"
    words: ClauseWords


Address = ReasonWords | Guard | RowKey | OnceKey | StatementKey | PhaseClauseKey
DividedKind = Literal["action", "step", "when", "phase", "setup", "define", "type", "by players"]
"""The kinds of declarations whose parts a variant can change."""


@node_class
class PartChange(Node):
    """Requirements, `offered once for` lines, cases, rows or clauses of a phase added, one replaced, or removed.

    `address` selects it; None if something is added. A cue is in `parts`, also if it is removed. Of a statement there
    is more to change: statements are put before or after it; with alternatives as `parts`, they are added to what a
    player must or may do, or removed from it.
    """

    kind: Literal["part_change"] = "part_change"
    verb: Literal["add", "replace", "remove", "before", "after"]
    address: Address | None
    parts: tuple[Require | OfferedOnce | Cue | Case | Row | PhaseClause | Act | Statement, ...]


@node_class
class Inside(Node):
    """`in action lay:` and the changes of its parts; the setup and a table by players have no name."""

    kind: Literal["inside"] = "inside"
    declaration_kind: DividedKind
    name: str | None
    changes: tuple[PartChange, ...]


Difference = Change | Inside


@node_class
class VariantFile(Node):
    """A variant: a game as a list of differences from another."""

    kind: Literal["variant_file"] = "variant_file"
    title: Text
    game: str
    changes: tuple[Difference, ...]
    cites: Citations = ()
    sentence: str = ""


@node_class
class NamesFile(Node):
    """`names de of …:`: the words of a game in another language."""

    kind: Literal["names_file"] = "names_file"
    game: str
    names: Names
    cites: Citations = ()


RulesFile = GameFile | ExamplesFile | VariantFile | NamesFile
