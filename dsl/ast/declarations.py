"""Declarations: components, values, definitions, actions and phases."""

from __future__ import annotations

from itertools import takewhile
from typing import Literal

from dsl.ast.base import Node
from dsl.ast.examples import Example
from dsl.ast.expressions import Binder, Call, Expression, Extreme, Name, Number, Range, Text
from dsl.ast.statements import Backwards, Citations, Let, Statement
from dsl.lazy_dataclasses import node_class


@node_class
class TypeName(Node):
    """A type by name, or a plain word of an option."""

    kind: Literal["type_name"] = "type_name"
    name: str


@node_class
class TypeRange(Node):
    """`1..7` as a type."""

    kind: Literal["type_range"] = "type_range"
    low: int
    high: int


@node_class
class TypeSeveral(Node):
    """`several T`: sets of T."""

    kind: Literal["type_several"] = "type_several"
    element: TypeAtom


TypeAtom = TypeName | TypeRange | TypeSeveral


@node_class
class TypeUnion(Node):
    """`T`, or `T or none`, or the words of an option: `a or b`."""

    kind: Literal["type_union"] = "type_union"
    members: tuple[TypeAtom, ...]


@node_class
class Parameter(Node):
    """`n: 1..7` or `c in row[s]`; exactly one of `type` and `domain` is given."""

    kind: Literal["parameter"] = "parameter"
    name: str
    type: TypeUnion | None
    domain: Expression | None
    secret: bool


@node_class
class Shape(Node):
    """A value in a listed type: a name, perhaps with arguments, or a range of numbers."""

    kind: Literal["shape"] = "shape"
    name: str | None
    arguments: tuple[TypeUnion, ...]
    low: int | None
    high: int | None


@node_class
class Row(Node):
    """A row of a table of values; `key` is a name or a number, `cells` are names or numbers."""

    kind: Literal["row"] = "row"
    key: str | int
    cells: tuple[str | int, ...]
    cites: Citations = ()


@node_class
class TypeList(Node):
    """`type Suit is clubs, acorns, leaves`."""

    kind: Literal["type_list"] = "type_list"
    name: str
    shapes: tuple[Shape, ...]
    cites: Citations = ()


@node_class
class TypeTable(Node):
    """`type Rank with face: 1..3:` and its rows."""

    kind: Literal["type_table"] = "type_table"
    name: str
    columns: tuple[Parameter, ...]
    rows: tuple[Row, ...]
    cites: Citations = ()


@node_class
class Rectangle(Node):
    """`a1..c2`: the places of a grid in the columns and the rows between two corners."""

    kind: Literal["rectangle"] = "rectangle"
    first: Name
    last: Name


Hole = Name | Number | Range | Rectangle


@node_class
class BoardSource(Node):
    """`board.faces` or `grid(8, 8)`: the source of a type's rows; `holes` are the places that are left out."""

    kind: Literal["board_source"] = "board_source"
    function: str | None
    path: tuple[str | Expression, ...]
    holes: tuple[Hole, ...] = ()


@node_class
class TypeBoard(Node):
    """`type Field from board.faces with ...`."""

    kind: Literal["type_board"] = "type_board"
    name: str
    source: BoardSource
    columns: tuple[Parameter, ...]
    cites: Citations = ()


@node_class
class ByPlayers(Node):
    """`by players 2 3 4 5:` and rows of constants, one cell per player count."""

    kind: Literal["by_players"] = "by_players"
    counts: tuple[int, ...]
    rows: tuple[Row, ...]
    cites: Citations = ()


@node_class
class Board(Node):
    """`board "boards/x.json"`."""

    kind: Literal["board"] = "board"
    path: str
    cites: Citations = ()


@node_class
class Piece(Node):
    """`piece Card: N for each rank: Rank in pile`."""

    kind: Literal["piece"] = "piece"
    name: str
    amount: Expression
    attributes: tuple[Parameter, ...]
    home: Expression | None
    cites: Citations = ()


@node_class
class Sight(Node):
    """`[attribute] seen by X`."""

    kind: Literal["sight"] = "sight"
    attribute: str | None
    viewers: Expression


@node_class
class Zone(Node):
    """`zone hand[p: Player] holds Card, seen by p`; `shape` is `heap`, `one`, `row` or `stack`."""

    kind: Literal["zone"] = "zone"
    name: str
    index: tuple[Parameter, ...]
    shape: Literal["heap", "one", "row", "stack"]
    holds: tuple[TypeName, ...]
    sights: tuple[Sight, ...]
    cites: Citations = ()


@node_class
class Note(Node):
    """`note score[p: Player]: 0..99 = 0`; `anew_in` is the phase in each round of which it begins anew."""

    kind: Literal["note"] = "note"
    name: str
    index: tuple[Parameter, ...]
    type: TypeUnion
    first: Expression
    anew_in: str | None
    sights: tuple[Sight, ...]
    cites: Citations = ()

    @property
    def is_seen_by_nobody(self) -> bool:
        """True if it is declared as `seen by nobody`."""
        viewers = [sight.viewers for sight in self.sights]
        return bool(viewers) and all(isinstance(v, Name) and v.name in ("nobody", "none") for v in viewers)


@node_class
class OptionText(Node):
    """`last_card "as soon as its last card is drawn"`: what a value of an option means."""

    kind: Literal["option_text"] = "option_text"
    value: str
    text: str


@node_class
class Option(Node):
    """`option start: Player or random = red`, with a sentence for people, and texts for its values."""

    kind: Literal["option"] = "option"
    name: str
    type: TypeUnion
    default: Expression
    cites: Citations = ()
    sentence: str = ""
    texts: tuple[OptionText, ...] = ()


@node_class
class Die(Node):
    """`die shade: white, white, black`."""

    kind: Literal["die"] = "die"
    name: str
    index: tuple[Parameter, ...]
    faces: tuple[str, ...]
    cites: Citations = ()


@node_class
class PositionDeclaration(Node):
    """`position pattern: stone, me`: what counts as the same, for `record` and `times`."""

    kind: Literal["position_declaration"] = "position_declaration"
    name: str
    parts: tuple[Expression, ...]
    cites: Citations = ()


@node_class
class NameEntry(Node):
    """`king "king", "kings" as "♔", "♚"`: what people read for a name, of one and of several, and how it is drawn.

    `parameters` are the names for the arguments of a value, the index of a zone, or the attributes of a piece. `text`
    is empty if there are only glyphs: one for all seats, or one for each seat.
    """

    kind: Literal["name_entry"] = "name_entry"
    name: str
    parameters: tuple[str, ...]
    text: str
    plural: str | None
    glyphs: tuple[str, ...] = ()


@node_class
class TextEntry(Node):
    """`"draw a card": "eine Karte ziehen"`: a text of the game in another language."""

    kind: Literal["text_entry"] = "text_entry"
    original: str
    text: str


@node_class
class Names(Node):
    """`names:` and what people read for names; with a language, `names de:`, also texts in that language."""

    kind: Literal["names"] = "names"
    language: str | None
    entries: tuple[NameEntry | TextEntry, ...]
    cites: Citations = ()


@node_class
class Column(Node):
    """A column of a table; with `name`: one entry for each member of `domain`, bound to the name, showing `value`."""

    kind: Literal["column"] = "column"
    heading: Text
    name: str | None
    domain: Expression | None
    where: Expression | None
    value: Expression


@node_class
class Table(Node):
    """`table "Title" for each x in S with y in T:`, shown to players; `on_board`: the rows are drawn at their places.

    Without binders it has one row.
    """

    kind: Literal["table"] = "table"
    title: Text
    binders: tuple[Binder, ...]
    where: Expression | None
    on_board: bool
    columns: tuple[Column, ...]
    cites: Citations = ()


@node_class
class Case(Node):
    """`value if condition`, or `value otherwise` with condition None."""

    kind: Literal["case"] = "case"
    value: Expression
    condition: Expression | None
    cites: Citations = ()


@node_class
class Define(Node):
    """`define f(x: T): ...`; a definition without cases is stored as one case without a condition."""

    kind: Literal["define"] = "define"
    name: str
    parameters: tuple[Parameter, ...]
    result: TypeUnion | None
    cases: tuple[Case, ...]
    cites: Citations = ()


@node_class
class Criterion(Node):
    """`highest E`, `lowest E`, or a condition, with direction None: seats that do not meet it cannot win.

    `words` are what results show in its place; empty if there are none.
    """

    kind: Literal["criterion"] = "criterion"
    direction: Extreme | None
    value: Expression
    words: str = ""

    @property
    def is_condition(self) -> bool:
        """True if it is a condition, False if it is a number to compare."""
        return self.direction is None

    @property
    def text(self) -> str:
        """The criterion as it is written: `highest score[me]`, `won(me)`."""
        return " ".join(filter(None, (self.direction, self.value.span.text)))


@node_class
class Winner(Node):
    """`winner C then highest E then lowest F`."""

    kind: Literal["winner"] = "winner"
    criteria: tuple[Criterion, ...]
    cites: Citations = ()


@node_class
class Teams(Node):
    """`teams by E`: seats for which E is the same win together."""

    kind: Literal["teams"] = "teams"
    value: Expression
    cites: Citations = ()


@node_class
class Require(Node):
    """`require C because "reason"`."""

    kind: Literal["require"] = "require"
    condition: Expression
    reason: Text
    cites: Citations = ()


@node_class
class OfferedOnce(Node):
    """`offered once for E, F`: of the moves of an action with equal values only the first is offered."""

    kind: Literal["offered_once"] = "offered_once"
    values: tuple[Expression, ...]
    cites: Citations = ()


@node_class
class Clause(Node):
    """What a clause of an action or step is for: `village`, `draw(n)`, or with None all other values (`otherwise`)."""

    kind: Literal["clause"] = "clause"
    value: Name | Call | None

    @property
    def key(self) -> str:
        """The value, or the name of a value with arguments, or `otherwise`."""
        match self.value:
            case None:
                return "otherwise"
            case Name():
                return self.value.name
            case Call():
                assert isinstance(self.value.base, Name)
                return self.value.base.name


def clause_name(name: str, key: str | None) -> str:
    """The name of a clause among all rules: `use(village)`; of a rule without clauses its own."""
    return name if key is None else f"{name}({key})"


@node_class
class Action(Node):
    """An action that players may choose: label, requirements, effects; with `clause` only for one value.

    `once` says which of its moves are the same; there is one such line at most.
    """

    kind: Literal["action"] = "action"
    name: str
    parameters: tuple[Parameter, ...]
    label: Text | None
    requires: tuple[Require, ...]
    body: tuple[Statement, ...]
    cites: Citations = ()
    clause: Clause | None = None
    once: tuple[OfferedOnce, ...] = ()


@node_class
class CuedRule(Node):
    """`draw`, `use(village)`: an action or step that another step is done before or after."""

    kind: Literal["cued_rule"] = "cued_rule"
    name: str
    clause: str | None

    @property
    def full_name(self) -> str:
        """The name of the rule; of a clause with its value."""
        return clause_name(self.name, self.clause)


@node_class
class Cue(Node):
    """`before draw or infect` in the heading of a step: around which rules it is done."""

    kind: Literal["cue"] = "cue"
    relation: Literal["before", "after"]
    rules: tuple[CuedRule, ...]


@node_class
class Step(Node):
    """A named block of statements; with `clause` only for one value.

    With `cues` it is an interrupt: these rules do it, although they do not name it.
    """

    kind: Literal["step"] = "step"
    name: str
    parameters: tuple[Parameter, ...]
    requires: tuple[Require, ...]
    body: tuple[Statement, ...]
    cites: Citations = ()
    clause: Clause | None = None
    cues: tuple[Cue, ...] = ()


def lets_at_head(rule: Action | Step) -> tuple[Let, ...]:
    """The `let`s before anything else that a rule does: its requirements can use their names."""
    return tuple(
        statement
        for statement in takewhile(lambda part: isinstance(part, Let), rule.body)
        if isinstance(statement, Let)
    )


@node_class
class When(Node):
    """`when d(x: T): ...`: runs whenever the definition of that name holds."""

    kind: Literal["when"] = "when"
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    cites: Citations = ()


@node_class
class Phase(Node):
    """A part of the course of play: nested phases, or the statements of one turn or round.

    `repeated_until`: its contents are repeated, as rounds, until the condition holds after one.
    """

    kind: Literal["phase"] = "phase"
    name: str
    first: Expression | None
    last: Expression | None
    backwards: Backwards | None
    over_when: Expression | None
    repeated_until: Expression | None
    over_at_once: Expression | None
    phases: tuple[Phase, ...]
    body: tuple[Statement, ...]
    cites: Citations = ()

    @property
    def ends(self) -> tuple[tuple[str, Expression], ...]:
        """The conditions under which the phase is over, each after its keyword."""
        every = ("over when", self.over_when), ("repeated until", self.repeated_until)
        conditions = (*every, ("over as soon as", self.over_at_once))
        return tuple((keyword, condition) for keyword, condition in conditions if condition is not None)


Declaration = (
    TypeList
    | TypeTable
    | TypeBoard
    | ByPlayers
    | Board
    | Piece
    | Zone
    | Note
    | Option
    | Die
    | PositionDeclaration
    | Names
    | Table
    | Define
    | Winner
    | Teams
    | Action
    | Step
    | When
    | Phase
    | Example
)
