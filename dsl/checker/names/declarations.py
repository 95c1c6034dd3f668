"""Symbols of declarations, and names declared twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar, assert_never

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.functions import FUNCTIONS
from dsl.diagnostics import Label
from dsl.model import Model
from dsl.symbols import (
    BuiltinSymbol,
    DefineSymbol,
    DieSymbol,
    NoteSymbol,
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
from dsl.text.nouns import counted
from dsl.text.span import Span
from dsl.types import FAR, NOTHING, PLAYER, TRUTH, Listed, Maybe, Number, Several, Type

PREDECLARED: dict[str, Type | None] = {
    "me": PLAYER,
    "nobody": NOTHING,
    "none": NOTHING,
    "all": Several(PLAYER),
    "true": TRUTH,
    "false": TRUTH,
    "somebody": None,
    "empty": None,
    "random": None,
    "over": TRUTH,
    "winners": Several(PLAYER),
    "moves": Several(Number(0, 9999)),
    "player": Maybe(PLAYER),
}
S = TypeVar("S", bound=Symbol)
CHANCE_NAME = "chance"
"""The name in `given chance is kite`."""

EXAMPLE_NAMES = frozenset({"over", "winners", "moves", "player"})
TAKEN = EXAMPLE_NAMES | {"setup", "done", CHANCE_NAME}
"""Names that are not reserved but would be misread if something else had them."""


def declarations(file: ast.GameFile) -> Iterator[ast.Declaration]:
    """Every declaration of the file in order, including nested phases."""
    yield from file.options
    for part in file.parts:
        for declaration in part.declarations:
            yield declaration
            if isinstance(declaration, ast.Phase):
                yield from nested_phases(declaration)


def nested_phases(phase: ast.Phase) -> Iterator[ast.Phase]:
    """The phases inside a phase, outer before inner."""
    for subphase in phase.phases:
        yield subphase
        yield from nested_phases(subphase)


def predeclared(context: Context) -> None:
    """Declare the names of the language itself."""
    for name, type_ in PREDECLARED.items():
        if name not in EXAMPLE_NAMES:
            context.globals[name] = BuiltinSymbol(name, None, type_)
    for name in FUNCTIONS:
        context.globals[name] = BuiltinSymbol(name, None, None)
    context.globals["Truth"] = TypeSymbol("Truth", None, TRUTH, ())


def header(context: Context) -> None:
    """Check the header: the seats, and how many of them play."""
    node = context.model.file.header
    disordered = next(((low, high) for low, high in pairwise(node.counts) if high <= low), None)
    if node.fewest < 1:
        context.error("E0403", f"a game cannot be for {counted(node.fewest, 'player')}", node)
    elif disordered is not None:
        helps = ["write the numbers of players in increasing order, each of them once"]
        context.error("E0403", f"a game cannot be for {disordered[0]}, then {disordered[1]} players", node, helps)
    elif node.most != len(node.seats):
        context.error(
            "E0403",
            f"expected {counted(node.most, 'seat')} for {counted(node.most, 'player')}, found {len(node.seats)}",
            node,
            ["name one seat per player in the header"],
        )
    for position, seat in enumerate(node.seats):
        if seat in node.seats[:position]:
            first, second = _named(node, seat)[:2]
            context.error("E0202", f"the seat `{seat}` is named twice", second, labels=[Label(first, "first here")])
    add_type(context, TypeSymbol("Player", node, PLAYER, node.seats), [node] * len(node.seats))


def _named(node: ast.Header, seat: str) -> list[Span]:
    """Spans at which a seat is named in the header."""
    start = node.title.span.end
    occurrences = re.finditer(rf"\b{seat}\b", node.span.source.text[start : node.span.end])
    return [Span(node.span.source, start + place.start(), start + place.end()) for place in occurrences]


# The first declaration wins everywhere. It stays in the tables after the error, so that its uses are checked against it
# and do not lead to more errors.
def declare(context: Context, symbol: Symbol) -> None:
    """Declare a symbol; report it if its name is taken."""
    namesake = context.globals.get(symbol.name)
    node = symbol.node
    if node is None:
        context.globals[symbol.name] = symbol
    elif symbol.name in TAKEN or (namesake is not None and namesake.node is None):
        context.error("E0203", f"`{symbol.name}` is a built-in name", node, ["choose another name"])
        context.globals.setdefault(symbol.name, symbol)
    elif namesake is not None and namesake.node is not None:
        context.error(
            "E0202",
            f"`{symbol.name}` is declared twice",
            node,
            ["rename one of them"],
            [Label(namesake.node.span, "first here")],
        )
    else:
        context.globals[symbol.name] = symbol


def add_type(context: Context, symbol: TypeSymbol, nodes: Sequence[ast.Node]) -> None:
    """Add a type and the names of its values; several types may share a value name."""
    if symbol.node is not None:
        declare(context, symbol)
    if context.model.type_symbols.setdefault(symbol.name, symbol) is not symbol:
        return  # declared twice: the first declaration wins
    if not isinstance(symbol.type, Listed):
        return
    for position, (member, node) in enumerate(zip(symbol.members, nodes, strict=False)):
        if member in symbol.members[:position]:
            if symbol.name != "Player":
                labels = [Label(nodes[symbol.members.index(member)].span, "first here")]
                context.error("E0202", f"`{member}` is listed twice in `{symbol.name}`", node, labels=labels)
            continue
        # Numbers, and values with arguments, are not words of their own: `run(2)` is found through its family.
        if symbol.type.numeric or "(" in str(member):
            continue
        if str(member) in PREDECLARED or str(member) in FUNCTIONS:
            context.error("E0203", f"`{member}` is a built-in name", node, ["choose another name"])
        value = ValueSymbol(str(member), node, symbol.type, position)
        context.values.setdefault(str(member), []).append(value)


def _keep(context: Context, symbols: dict[str, S], symbol: S) -> None:
    """Store a symbol under its name; the first one wins."""
    symbols.setdefault(symbol.name, symbol)
    declare(context, symbol)


def collect(context: Context, node: ast.Declaration) -> None:
    """Create the symbol of a declaration that is not a type, option or die."""
    model = context.model
    match node:
        case ast.Piece():
            _keep(context, model.pieces, PieceSymbol(node.name, node, node))
        case ast.Zone():
            _keep(context, model.zones, ZoneSymbol(node.name, node, node))
        case ast.Note():
            _keep(context, model.notes, NoteSymbol(node.name, node, node))
        case ast.Die():
            _keep(context, model.dice, DieSymbol(node.name, node, node))
        case ast.PositionDeclaration():
            _keep(context, model.positions, PositionSymbol(node.name, node, node))
        case ast.Define():
            _keep(context, model.defines, DefineSymbol(node.name, node, node))
        case ast.Action() | ast.Step():
            _keep(context, model.rules, RuleSymbol(node.name, node, node))
        case ast.Phase():
            phase = PhaseSymbol(node.name, node, node)
            _keep(context, model.phases, phase)
            # Of a phase that is declared twice, only the first has a round.
            if node.repeated_until is not None and model.phases[node.name] is phase:
                keep_round(model, phase)
        case ast.When():
            first = next((when for when in model.whens if when.name == node.name), None)
            if first is not None:
                labels = [Label(first.declaration.span, "first here")]
                helps = ["merge the two blocks"]
                context.error("E0202", f"`when {node.name}` is declared twice", node, helps, labels)
            else:
                model.whens.append(WhenSymbol(node.name, node, node))
        case ast.Winner():
            if model.winner is not None:
                labels = [Label(model.winner.span, "first here")]
                context.error(
                    "E0202", "`winner` is declared twice", node, ["break ties with `then` in one `winner`"], labels
                )
            else:
                model.winner = node
        case ast.Teams():
            if model.teams is not None:
                labels = [Label(model.teams.span, "first here")]
                context.error("E0202", "`teams by` is declared twice", node, ["omit one of them"], labels)
            else:
                model.teams = node
        case ast.Table():
            model.tables.append(node)
        case ast.Example():
            model.examples += (node,)
        case (
            ast.TypeList() | ast.TypeTable() | ast.TypeBoard() | ast.ByPlayers() | ast.Board() | ast.Option()
            | ast.Names()
        ):  # fmt: skip
            pass
        case _ as never:
            assert_never(never)


def word_of(node: ast.Expression) -> str:
    """Source text of an option value or a die face: a name or a number."""
    match node:
        case ast.Name():
            return node.name
        case ast.Number():
            return str(node.value)
        case ast.Negative(operand=ast.Number(value=value)):
            return str(-value)
        case ast.Call():
            return f"{word_of(node.base)}({', '.join(map(word_of, node.arguments))})"
        case _:
            return node.span.text.strip()


# ---------------- rounds of phases that are repeated: their number is kept like a note that everybody sees


ROUND = "round"
"""The name of the function that gives the number of the present round; rules may use the name for something else."""


def keep_round(model: Model, phase: PhaseSymbol) -> None:
    """Add the number of the round of a repeated phase to the notes.

    Its nodes occur in no file; their negative numbers collide with no others.
    """
    node = phase.declaration
    first = ast.Number(span=node.span, number=-2 * node.number - 1, value=0)
    note = ast.Note(
        span=node.span, number=-2 * node.number - 2, name=f"{ROUND}({node.name})", index=(),
        type=ast.TypeUnion(span=node.span, number=-2 * node.number - 2, members=()), first=first, anew_in=None,
        sights=(),
    )  # fmt: skip
    model.types[first.number] = Number(0, 0)
    phase.round = model.notes.setdefault(note.name, NoteSymbol(note.name, note, note, type=Number(0, FAR)))
