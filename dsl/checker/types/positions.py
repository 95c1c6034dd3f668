"""Types of positions: what counts as the same, and names of positions."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context, Scope, near, spelt
from dsl.checker.names.declarations import ROUND
from dsl.checker.types.expectations import declared, refer
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause, Label
from dsl.symbols import DieSymbol, NoteSymbol, PhaseSymbol, PositionSymbol, ZoneSymbol
from dsl.types import UNKNOWN, Kind, PieceType, Several, Type, bare, settled

MAX_TIMES = 100_000
"""How often a position can have been recorded, as far as the checker knows: once for each decision of a long game."""


def check_position(typer: Typer, node: ast.PositionDeclaration, scope: Scope) -> None:
    """Check the parts of a position."""
    for part in node.parts:
        family = _family(typer, part)
        if family is None:
            _value(typer, part, settled(typer.infer(part, scope)))
            continue
        refer(typer, part, family)
        type_ = family.contents if isinstance(family, ZoneSymbol) else family.type
        typer.context.model.types[part.number] = type_ or UNKNOWN
        if any(isinstance(bare(index), PieceType) for index in family.index):
            helps = [
                "say which pieces count: `{c in … where …}`; they count by their kind and where they lie",
                f"or name one of the places: `{family.name}[…]`",
            ]
            message = f"`{family.name}` has a place for every piece, but a position does not distinguish equal pieces"
            typer.context.error("E0425", message, part, helps, causes=[declared(family)])


def _family(typer: Typer, part: ast.Expression) -> ZoneSymbol | NoteSymbol | DieSymbol | None:
    """The zone, note or die that a part names as a whole; None if it does not."""
    symbol = typer.context.globals.get(part.name) if isinstance(part, ast.Name) else None
    return symbol if isinstance(symbol, ZoneSymbol | NoteSymbol | DieSymbol) else None


def _value(typer: Typer, part: ast.Expression, type_: Type) -> None:
    """Report a part that has no value, or one that distinguishes equal pieces."""
    if isinstance(type_, Kind):
        helps = [f"name the places where such pieces lie: `… of {part.span.text}`"]
        typer.context.error("E0311", "a kind of piece is not a value", part, helps)
    core = bare(type_)
    if isinstance(core, Several) and isinstance(bare(core.element), Several):
        member = bare(core.element)
        if isinstance(member, Several) and isinstance(member.element, PieceType):
            message = "sets of sets of pieces cannot be compared by kind"
            typer.context.error("E0425", message, part, ["name the sets one by one"])


def position_of(typer: Typer, node: ast.Name) -> PositionSymbol | None:
    """The position that a name after `record` or in `times(…)` refers to; report it if there is none."""
    context = typer.context
    symbol = context.model.positions.get(node.name)
    if symbol is not None:
        refer(typer, node, symbol)
        return symbol
    namesake = context.globals.get(node.name)
    is_declared = namesake is not None or node.name in context.values
    message = f"`{node.name}` is not a position" if is_declared else f"there is no position `{node.name}`"
    proposals = near(node.name, context.model.positions)
    counted = isinstance(namesake, ZoneSymbol | NoteSymbol | DieSymbol)
    helps = [f"declare what counts as the same: `position NAME: {node.name if counted else '…'}`"]
    cause = declared(namesake) if namesake is not None else Cause("unknown", node.name)
    context.error("E0201", message, node, helps, proposals=proposals, causes=[cause])
    return None


# ---------------- rounds: phases that are repeated, the number of the present round, and notes that begin anew


def round_type(context: Context, node: ast.Call) -> Type | None:
    """Type of `round(hand)`, the number of the present round; None if no phase is meant."""
    base, arguments = node.base, node.arguments
    if not isinstance(base, ast.Name) or base.name != ROUND or len(arguments) != 1:
        return None
    named = arguments[0]
    if not isinstance(named, ast.Name) or (ROUND in context.globals and named.name not in context.model.phases):
        return None
    phase = _phase_named(context, named, named.name)
    if phase is None:
        return UNKNOWN
    if phase.round is None:
        helps = [f"write `phase {phase.name}, repeated until …:`", *_repeated_around(context, phase)]
        labels = [Label(spelt(phase.declaration, phase.name), "this phase is played once")]
        context.error("E0429", f"`{phase.name}` has no rounds", node, helps, labels)
        return UNKNOWN
    context.model.refers[node.number] = phase.round
    assert phase.round.type is not None
    return phase.round.type


def _repeated_around(context: Context, phase: PhaseSymbol) -> list[str]:
    """Suggest the repeated phase around one that is not."""
    around = [
        candidate.name for candidate in context.model.phases.values()
        if candidate.round is not None and any(node is phase.declaration for node in candidate.declaration.walk())
    ]  # fmt: skip
    return [f"the phase around it is repeated: `{ROUND}({around[-1]})`"] if around else []


def _phase_named(context: Context, node: ast.Node, name: str) -> PhaseSymbol | None:
    """The phase of a name; reports it if there is none."""
    phase = context.model.phases.get(name)
    if phase is None:
        proposals = near(name, context.model.phases)
        helps = [] if proposals else [f"the phases are {', '.join(context.model.phases)}"]
        causes = [Cause("unknown", name)]
        context.error(
            "E0209", f"there is no phase `{name}`", spelt(node, name), helps, proposals=proposals, causes=causes
        )
    return phase


def anew(context: Context, note: NoteSymbol) -> None:
    """Check `anew in hand`: there is such a phase."""
    if note.declaration.anew_in is not None:
        _phase_named(context, note.declaration, note.declaration.anew_in)


def rounds(context: Context, node: ast.Phase) -> None:
    """Check `repeated until`: it stands in place of turns."""
    if node.repeated_until is None or node.first is None:
        return
    helps = ["turns are repeated by themselves: end them with `over when …`", "or put the turns into an inner phase"]
    message = "a phase has either rounds or turns"
    context.error("E0428", message, node.repeated_until, helps)
