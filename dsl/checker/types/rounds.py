"""Rounds: phases that are repeated, the number of the present round, and notes that begin anew."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context, near, spelt
from dsl.checker.names.rounds import ROUND
from dsl.diagnostics import Cause, Label
from dsl.symbols import NoteSymbol, PhaseSymbol
from dsl.types import UNKNOWN, Type


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
