"""The syntax tree: frozen nodes with a span each. `from dsl import ast` and say `ast.Phase`."""

from dsl.ast.base import Node
from dsl.ast.declarations import (
    Action, Board, BoardSource, ByPlayers, Case, Column, Criterion, Declaration, Define, Die, Names, Note, Option,
    Parameter, Phase, Piece, Require, Row, Shape, Sight, Step, Table, TypeAtom, TypeBoard, TypeList, TypeName,
    TypeRange, TypeSeveral, TypeTable, TypeUnion, When, Winner, Zone,
)  # fmt: skip
from dsl.ast.examples import (
    Begun, Choice, Choosing, Example, Given, GivenSeats, Played, Scene, Then, ThenMay, ThenMayNot,
)  # fmt: skip
from dsl.ast.expressions import (
    Aggregate, And, Arithmetic, Attribute, Binder, Builder, Call, Compare, Count, Either, Expression, Filter, Index,
    ListOf, Name, Negative, Not, Number, Of, Or, Pattern, Quantified, Range, SetOf, Text,
)  # fmt: skip
from dsl.ast.files import Change, ExamplesFile, GameFile, Header, Part, PartName, RulesFile, VariantFile
from dsl.ast.statements import (
    Act, Add, Bound, Choose, Decide, Do, EachPlayer, EndGame, ForEach, If, Let, Move, Position, Remove, Repeat, Roll,
    SetTo, Shuffle, Statement, Target,
)  # fmt: skip

__all__ = [
    "Act", "Action", "Add", "Aggregate", "And", "Arithmetic", "Attribute", "Begun", "Binder", "Board", "BoardSource",
    "Bound", "Builder", "ByPlayers", "Call", "Case", "Change", "Choice", "Choose", "Choosing", "Column", "Compare",
    "Count", "Criterion", "Decide", "Declaration", "Define", "Die", "Do", "EachPlayer", "Either", "EndGame", "Example",
    "ExamplesFile", "Expression", "Filter", "ForEach", "GameFile", "Given", "GivenSeats", "Header", "If", "Index",
    "Let", "ListOf", "Move", "Name", "Names", "Negative", "Node", "Not", "Note", "Number", "Of", "Option", "Or",
    "Parameter", "Part", "PartName", "Pattern", "Phase", "Piece", "Played", "Position", "Quantified", "Range",
    "Remove", "Repeat", "Require", "Roll", "Row", "RulesFile", "Scene", "SetOf", "SetTo", "Shape", "Shuffle", "Sight",
    "Statement", "Step", "Table", "Target", "Text", "Then", "ThenMay", "ThenMayNot", "TypeAtom", "TypeBoard",
    "TypeList", "TypeName", "TypeRange", "TypeSeveral", "TypeTable", "TypeUnion", "VariantFile", "When", "Winner",
    "Zone",
]  # fmt: skip
