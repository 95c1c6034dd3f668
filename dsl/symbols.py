"""Symbols: what names refer to."""

from __future__ import annotations

from dataclasses import field

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import Listed, Type


@dataclass(eq=False)
class Symbol:
    """The referent of a name; `node` is its declaration, None if it is predeclared."""

    name: str
    node: ast.Node | None


Cell = str | int | tuple[str | int, ...]
"""The content of a table cell: a word or number, or for a column of sets its members."""


@dataclass
class Rows:
    """The rows of a type from a board, for one choice of the board's alternatives.

    `present` are the positions of the members that exist, `cells[column]` the values of the column in the order of
    `present`.
    """

    present: tuple[int, ...]
    cells: dict[str, tuple[Cell, ...]] = field(default_factory=dict)


@dataclass(eq=False)
class TypeSymbol(Symbol):
    """A listed type.

    `members` are its values (names or numbers), `attributes` maps a column to its type, `cells[column]` are the values
    of the column in the order of `members`. A type from a board has its rows in `rows` instead, one for each choice of
    the board's alternatives. `families` are its values with arguments by name; each of them is a member as well,
    written out: `run(2)`.
    """

    type: Type
    members: tuple[str | int, ...]
    attributes: dict[str, Type] = field(default_factory=dict)
    cells: dict[str, tuple[Cell, ...]] = field(default_factory=dict)
    row_cites: tuple[tuple[str, ...], ...] = ()
    rows: dict[tuple[str, ...], Rows] = field(default_factory=dict)
    families: dict[str, FamilySymbol] = field(default_factory=dict)


@dataclass(eq=False)
class FamilySymbol(Symbol):
    """A value with arguments: `run(1..3)`. Its values are `count` members of the type from `position` on.

    They are in the order of the arguments, the last argument varying fastest.
    """

    type: Listed
    parameters: tuple[Type, ...]
    position: int
    count: int


@dataclass(eq=False)
class ValueSymbol(Symbol):
    """A named value of a listed type; `position` is its index among the members."""

    type: Type
    position: int


@dataclass(eq=False)
class ConstantSymbol(Symbol):
    """A constant by player count."""

    by_count: dict[int, int | str]
    type: Type


@dataclass(eq=False)
class PieceSymbol(Symbol):
    """A piece type: its attributes with their types, and how many there are of each kind."""

    declaration: ast.Piece
    attributes: dict[str, Type] = field(default_factory=dict)


@dataclass(eq=False)
class ZoneSymbol(Symbol):
    """A zone; `index` holds the types of its index."""

    declaration: ast.Zone
    index: tuple[Type, ...] = ()
    contents: Type | None = None


@dataclass(eq=False)
class NoteSymbol(Symbol):
    """A note; `index` holds the types of its index."""

    declaration: ast.Note
    index: tuple[Type, ...] = ()
    type: Type | None = None


@dataclass(eq=False)
class DieSymbol(Symbol):
    """A die; `type` is that of its faces, or none before the first roll."""

    declaration: ast.Die
    index: tuple[Type, ...] = ()
    type: Type | None = None


@dataclass(eq=False)
class PositionSymbol(Symbol):
    """A position, which rules record."""

    declaration: ast.PositionDeclaration


@dataclass(eq=False)
class OptionSymbol(Symbol):
    """An option; `by_chance`: `random` is one of its values."""

    declaration: ast.Option
    type: Type
    values: tuple[str, ...]
    default: str
    by_chance: bool


@dataclass(eq=False)
class LocalSymbol(Symbol):
    """A parameter, binder, let or choice; `role` says which."""

    type: Type
    role: str


@dataclass(eq=False)
class DefineSymbol(Symbol):
    """A definition."""

    declaration: ast.Define
    parameters: tuple[LocalSymbol, ...] = ()
    type: Type | None = None


@dataclass(eq=False)
class RuleSymbol(Symbol):
    """An action or a step."""

    declaration: ast.Action | ast.Step
    parameters: tuple[LocalSymbol, ...] = ()

    @property
    def is_action(self) -> bool:
        """True if it is an action that players choose; otherwise it is a step."""
        return isinstance(self.declaration, ast.Action)


@dataclass(eq=False)
class WhenSymbol(Symbol):
    """A reaction, named after the definition it waits for."""

    declaration: ast.When
    parameters: tuple[LocalSymbol, ...] = ()


@dataclass(eq=False)
class PhaseSymbol(Symbol):
    """A phase; `round` holds the number of the present round of one that is repeated."""

    declaration: ast.Phase
    round: NoteSymbol | None = None


@dataclass(eq=False)
class BuiltinSymbol(Symbol):
    """A predeclared name: `me`, `none`, `empty`, a function."""

    type: Type | None
