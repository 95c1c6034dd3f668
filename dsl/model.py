"""The checked model of a game: the syntax tree with side tables."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from copy import copy
from dataclasses import field
from functools import cached_property
from typing import Self

from dsl import ast
from dsl.boards import Board, Entry
from dsl.boards.grids import Grid
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import (
    DefineSymbol,
    DieSymbol,
    FamilySymbol,
    NoteSymbol,
    OptionSymbol,
    PhaseSymbol,
    PieceSymbol,
    PositionSymbol,
    RuleSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    WhenSymbol,
    ZoneSymbol,
)
from dsl.syntax.interpolation import Hole, split
from dsl.types import PLAYER, Listed, Type

Ends = tuple[tuple[int, int] | None, ...]
"""The two ends of each edge of a type, by position of the edge."""


@dataclass
class Model:
    """Everything later stages need to know. Tables are keyed by `node.number`.

    `file` is the game with its clauses as rules of their own, `as_written` as it is in the files.

    `globals` are the declared names, `values` the named values by name, `families` those with arguments.

    `types`: the type of each expression. `refers`: the symbol of each name, index, call and act. `attribute_of`: for a
    value compared with a piece or following `of`, the attribute it belongs to. `chosen` are the lists of alternatives
    of the board with the option or constant that selects from each, in the order in which `TypeSymbol.rows` and `links`
    list the choices. `links[edge type, place type]` are, for each choice, the ends of every edge as positions (of a
    numeric type: numbers) of places; an edge with a single end has None.

    For types without a board file, such as grids, the selectors of their sizes are in `chosen`, too, as `.NAME`.
    `generated` are their entries for each choice, `grids` the grids of those that are places, `directions` maps a type
    of directions to its places.

    `unsure_choices` are the parameters and choices among pieces that the chooser may not all see. `open_notes` are the
    notes `seen by nobody` whose content follows from what everybody sees: they keep no secret. `unwritten` are the
    nodes that occur in no file: the steps that choose the clause for a value, with their statements.

    `languages` are the words from files of languages, `words` all display names and translated texts by language, None
    for the game's own. With `variants` words may be about what these have removed.
    """

    file: ast.GameFile
    as_written: ast.GameFile
    examples: tuple[ast.Example, ...] = ()
    items: dict[str, str] | None = None
    globals: dict[str, Symbol] = field(default_factory=dict)
    values: dict[str, list[ValueSymbol]] = field(default_factory=dict)
    families: dict[str, list[FamilySymbol]] = field(default_factory=dict)
    type_symbols: dict[str, TypeSymbol] = field(default_factory=dict)
    pieces: dict[str, PieceSymbol] = field(default_factory=dict)
    zones: dict[str, ZoneSymbol] = field(default_factory=dict)
    notes: dict[str, NoteSymbol] = field(default_factory=dict)
    dice: dict[str, DieSymbol] = field(default_factory=dict)
    positions: dict[str, PositionSymbol] = field(default_factory=dict)
    options: dict[str, OptionSymbol] = field(default_factory=dict)
    defines: dict[str, DefineSymbol] = field(default_factory=dict)
    rules: dict[str, RuleSymbol] = field(default_factory=dict)
    whens: list[WhenSymbol] = field(default_factory=list)
    phases: dict[str, PhaseSymbol] = field(default_factory=dict)
    tables: list[ast.Table] = field(default_factory=list)
    winner: ast.Winner | None = None
    teams: ast.Teams | None = None
    setup: tuple[ast.Statement, ...] = ()
    course: tuple[ast.Phase, ...] = ()
    types: MutableMapping[int, Type] = field(default_factory=dict)
    refers: MutableMapping[int, Symbol] = field(default_factory=dict)
    attribute_of: MutableMapping[int, str] = field(default_factory=dict)
    board: Board | None = None
    chosen: dict[str, ast.Name] = field(default_factory=dict)
    links: dict[tuple[str, str], dict[tuple[str, ...], Ends]] = field(default_factory=dict)
    generated: dict[str, dict[tuple[str, ...], tuple[Entry, ...]]] = field(default_factory=dict)
    grids: dict[str, dict[tuple[str, ...], Grid]] = field(default_factory=dict)
    directions: dict[str, str] = field(default_factory=dict)
    unsure_choices: set[int] = field(default_factory=set)
    open_notes: frozenset[str] = frozenset()
    unwritten: frozenset[int] = frozenset()
    languages: tuple[ast.Names, ...] = ()
    variants: tuple[ast.VariantFile, ...] = ()
    words: dict[str | None, DisplayWords] = field(default_factory=dict)

    @cached_property
    def is_open(self) -> bool:
        """True if nothing is hidden from anybody: no zone or note restricts who sees it, no choice is secret."""
        for node in self.nodes:
            match node:
                case ast.Zone() | ast.Note() if node.sights:
                    return False
                case ast.Decide() | ast.Choose() if node.secretly:
                    return False
                case ast.Parameter() if node.secret:
                    return False
                case ast.EachPlayer() if node.at_once:
                    return False
        return True

    @cached_property
    def nodes(self) -> tuple[ast.Node, ...]:
        """All nodes of the rules, in preorder."""
        return tuple(self.file.walk())

    @cached_property
    def example_nodes(self) -> tuple[ast.Node, ...]:
        """All nodes of the examples, in preorder: far more than the rules have."""
        return tuple(node for example in self.examples for node in example.walk())

    def extended(self) -> Self:
        """A copy for a query, with tables to which the nodes of the query are added while these stay as they are."""
        model = copy(self)
        model.types, model.refers = ChainMap({}, self.types), ChainMap({}, self.refers)
        model.attribute_of = ChainMap({}, self.attribute_of)
        return model

    def in_every_game(self, owner: TypeSymbol, position: int) -> bool:
        """True if a member of a type exists whatever the options and the number of players are."""
        if owner.type == PLAYER:
            return position < self.file.header.fewest
        return all(position in rows.present for rows in owner.rows.values())

    def always_has(self, type_: Type, member: object) -> bool:
        """False for a member of a type that is a seat that may not play, or a place that not every board has."""
        owners = [self.type_symbols[name] for name in type_.owners] if isinstance(type_, Listed) else []
        having = [owner for owner in owners if member in owner.members]
        return all(self.in_every_game(owner, owner.members.index(member)) for owner in having)

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats of the game, in turn order."""
        return self.file.header.seats


# ---------------- what people read in place of the names and texts of a rules file, in its own language or in
# another one


@dataclass(frozen=True)
class DisplayName:
    """What people read for a name, of one and of several; texts may have placeholders for the parameters."""

    parameters: tuple[str, ...]
    text: str
    plural: str | None


@dataclass(frozen=True)
class DisplayWords:
    """The display names of one language, by name and number of parameters, and its texts by those of the rules.

    `glyphs` draw values and types of pieces, by their name and the seat that a piece belongs to; None: of any seat.
    """

    names: Mapping[tuple[str, int], DisplayName] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    glyphs: Mapping[tuple[str, str | None], str] = field(default_factory=dict)


def holes_of(text: str) -> list[str]:
    """The contents of the braces of a text, in order, with single blanks."""
    return [" ".join(text[part.start : part.end].split()) for part in split(text) if isinstance(part, Hole)]


def has_words(text: str) -> bool:
    """True if a text has letters outside its braces, so that it can be translated."""
    return any(isinstance(part, str) and any(map(str.isalpha, part)) for part in split(text))


def texts_of(file: ast.GameFile, variants: Sequence[ast.VariantFile] = ()) -> Iterator[tuple[str, ast.Node]]:
    """Every text of a game that people read, with the node that contains it: sentences, labels, reasons, headings.

    Also titles and sentences of the variants that are applied; texts of examples are none of them.
    """
    for variant in variants:
        yield variant.title.value, variant
        if variant.sentence:
            yield variant.sentence, variant
    yield file.header.title.value, file.header.title
    if file.header.about is not None:
        yield from (
            (text, file.header.about) for text in (file.header.about.sentence, file.header.about.family) if text
        )
    for option in file.options:
        if option.sentence:
            yield option.sentence, option
        yield from ((option_text.text, option_text) for option_text in option.texts)
    for part in file.parts:
        for node in (*part.declarations, *part.statements):
            if not isinstance(node, ast.Example | ast.Names | ast.Option):
                yield from _texts_in(node)


def _texts_in(root: ast.Node) -> Iterator[tuple[str, ast.Node]]:
    for node in root.walk():
        if isinstance(node, ast.Text):
            yield node.value, node
        elif isinstance(node, ast.Criterion) and node.words:
            yield node.words, node
