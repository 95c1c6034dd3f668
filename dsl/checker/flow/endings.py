"""Checks of how play ends and who wins: phases that never end, ties that nothing breaks.

    phase main, turns from red: may play        no `over when`, and nothing in it ends the game: E0411
    over when count marked is 9                 no statement changes `marked`: E0507
    winner: highest score[me], highest round    `round` is the same for all seats: it breaks no tie, E0508

Whether a phase ends cannot be decided in general. What is about endings is a warning, and given only if it is certainly
right: a condition that reads one zone which some statement changes is not questioned any further.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.declarations import declarations
from dsl.checker.types.statements import all_statements
from dsl.checker.unused.unused import statements
from dsl.diagnostics import Cause, Label
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import BuiltinSymbol, DefineSymbol, DieSymbol, NoteSymbol, PositionSymbol, Symbol, ZoneSymbol
from dsl.types import PLAYER, PieceType, bare, element_of


def endless_turns(context: Context) -> None:
    """Report turns that never end: neither by themselves, nor with an outer phase, nor with the game."""
    waiting = [(phase, False) for phase in context.model.course]
    while waiting:
        phase, ended = waiting.pop(0)
        ended |= phase.over_at_once is not None
        waiting += [(subphase, ended) for subphase in phase.phases]
        if phase.first is None or phase.last is not None or phase.over_when is not None or ended:
            continue
        if not any(isinstance(statement, ast.EndGame) for statement in _reachable(context, phase.body)):
            helps = ["add `over when …`, or write `turns from … to …`"]
            context.error("E0411", f"nothing ends the turns of `{phase.name}`", phase, helps, severity="warning")


def _reachable(context: Context, body: Iterable[ast.Statement]) -> Iterator[ast.Statement]:
    """Everything that may happen while statements run, including steps, moves and reactions."""
    seen: set[str] = set()
    # A reaction may fire in any turn. Whether it can is not asked: the warning is to be right whenever it appears.
    bodies = [tuple(body), *(when.declaration.body for when in context.model.whens)]
    while bodies:
        for statement in all_statements(bodies.pop()):
            yield statement
            acts: tuple[ast.Act, ...] = ()
            if isinstance(statement, ast.Do):
                acts = (statement.act,)
            elif isinstance(statement, ast.Decide):
                acts = statement.offered
            for act in acts:
                if act.name in context.model.rules and act.name not in seen:
                    seen.add(act.name)
                    bodies.append(context.model.rules[act.name].declaration.body)


def endless_phases(context: Context) -> None:
    """Report a phase that waits for a condition no statement can change."""
    changing = {*_changing(context), *(phase.round for phase in context.model.phases.values())}
    waiting = list(context.model.course)
    while waiting:
        phase = waiting.pop(0)
        waiting += phase.phases
        for _, condition in phase.ends:
            read = list(dict.fromkeys(symbols_read(context, condition)))
            if any(symbol in changing or isinstance(symbol, BuiltinSymbol) for symbol in read):
                continue
            labels = [Label(symbol.node.span, f"nothing changes `{symbol.name}`") for symbol in read if symbol.node]
            helps = ["add a statement that changes what the condition reads"]
            message = f"no statement ever changes whether `{phase.name}` is over"
            cause = Cause("declared", phase.name, phase.span)
            context.error("E0507", message, condition, helps, labels[:3], "warning", causes=[cause])


def _changing(context: Context) -> Iterator[Symbol]:
    """Zones, notes, dice and positions that some statement changes."""
    refers = context.model.refers
    piece_types: set[str] = set()
    for node in statements(context.model):
        changed: list[ast.Expression] = list(ast.targets(node))
        if isinstance(node, ast.Move):
            changed += [node.source] if node.source is not None else []
            changed += [part for part in node.what.walk() if isinstance(part, ast.Name | ast.Index)]
            type_ = context.model.types.get(node.what.number)
            core = (element_of(type_) or bare(type_)) if type_ is not None else None
            piece_types |= core.piece_types if isinstance(core, PieceType) and node.source is None else frozenset()
        for place in changed:
            symbol = refers.get(place.number)
            if isinstance(symbol, ZoneSymbol | NoteSymbol | DieSymbol | PositionSymbol):
                yield symbol
    for zone in context.model.zones.values():
        if piece_types & {held.name for held in zone.declaration.holds}:
            yield zone


def symbols_read(context: Context, node: ast.Node) -> Iterator[Symbol]:
    """Symbols that a condition reads and that could change, through definitions as well; and `me`."""
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        for part in waiting.pop().walk():
            symbol = context.model.refers.get(part.number)
            is_me = isinstance(symbol, BuiltinSymbol) and symbol.name == "me"
            can_change = isinstance(symbol, ZoneSymbol | NoteSymbol | DieSymbol | PositionSymbol)
            if symbol is not None and (is_me or can_change):
                yield symbol
            if isinstance(symbol, DefineSymbol | PositionSymbol) and symbol.name not in seen:
                seen.add(symbol.name)
                waiting.append(symbol.declaration)


def ties(context: Context) -> None:
    """Report a tie-break that is the same for all seats, and a choice of a seat that is just the first of several."""
    winner, one_seat = context.model.winner, context.model.file.header.most == 1
    criteria = winner.criteria if winner is not None else ()
    firsts: dict[ast.Expression, ast.Criterion] = {}
    for place, criterion in enumerate(criteria):
        earlier = firsts.setdefault(criterion.value, criterion)
        repeats = earlier is not criterion
        differs = one_seat or criterion.is_condition or not _is_same_for_all(context, criterion)
        if place == 0 or (differs and not repeats):
            continue
        message = "this breaks no tie: " + (
            "it repeats an earlier criterion" if repeats else "it is the same for every seat"
        )
        labels = [Label(earlier.span, "earlier criterion")] if repeats else []
        helps = ["use a value of each seat, such as `score[me]`", "or remove it: tied seats share the win"]
        before = criteria[:place]
        if not repeats and all(one.is_condition and _is_same_for_all(context, one) for one in before):
            reordered = " then ".join(one.span.text for one in (criterion, *before))
            helps = [f"for points that all score together, write them first: `winner {reordered}`"]
        context.error("E0508", message, criterion, helps, labels, severity="warning")
    for node in context.model.nodes:
        if isinstance(node, ast.Best) and _counts_for_a_seat(context, node):
            helps = [
                f"if the first is meant, write `first({{… where … is ({node.function} …)}})`",
                "otherwise use all of them: `{… where … is (" + f"{node.function} …)}}`",
            ]
            message = f"several seats can have the {node.function} value, and nothing says which one is meant"
            context.error("E0508", message, node, helps, severity="warning")


def _is_same_for_all(context: Context, node: ast.Criterion | ast.Teams) -> bool:
    """True if a criterion, or the name of a team, does not depend on the seat."""
    return not any(isinstance(symbol, BuiltinSymbol) for symbol in symbols_read(context, node.value))


def teams_of_all(context: Context) -> None:
    """Report teams that are the same for all seats: then all win or lose together."""
    node = context.model.teams
    if node is None or not _is_same_for_all(context, node):
        return
    helps = ["use what differs between seats, such as `side(me)`", "or remove it: a condition can be the same for all"]
    context.error("E0511", "all seats are in one team", node.value, helps, severity="warning")


def _counts_for_a_seat(context: Context, node: ast.Best) -> bool:
    """True if a seat is selected by a number that others can share: a note, or a number of pieces."""
    element = element_of(context.model.types.get(node.binder.domain.number, PLAYER))
    value = node.value.operand if isinstance(node.value, ast.Count) else node.value
    counted = isinstance(node.value, ast.Count) or isinstance(context.model.refers.get(value.number), NoteSymbol)
    return element is not None and bare(element) == PLAYER and counted and isinstance(value, ast.Index)


# ---------------- nesting depth of definitions and steps, limited so that no later stage recurses too deeply


MAX_TOTAL_DEPTH = 700
"""Maximum nesting depth, counted through the definitions and steps that are used."""

MAX_NAMED = 4
"""Maximum number of names of a chain that are shown."""


@dataclass
class Unit:
    """A declaration: its own depth, and the definitions and steps it uses with the depth of each use."""

    node: ast.Node
    depth: int = 0
    uses: list[tuple[str, ast.Node, int]] = field(default_factory=list)
    in_all: int = 0


def depths(context: Context) -> None:
    """Report definitions or steps whose calls are nested too deeply."""
    units = _units(context)
    for name in _used_first(units):
        unit = units[name]
        unit.in_all = unit.depth
        for used, node, depth in unit.uses:
            below = units[used].in_all
            unit.in_all = max(unit.in_all, depth + below)
            if depth + below > MAX_TOTAL_DEPTH >= below:
                _report(context, units, name, used, node)
                break


def _units(context: Context) -> dict[str, Unit]:
    """Everything that uses definitions and steps, by name; declarations nothing can call get a number as their name."""
    model = context.model
    named: dict[int, str] = {symbol.declaration.number: name for name, symbol in model.defines.items()}
    named |= {symbol.declaration.number: name for name, symbol in model.rules.items()}
    named |= {symbol.declaration.number: name for name, symbol in model.positions.items()}
    roots = [*declarations(model.file), *model.setup, *model.examples]
    units = {named.get(root.number, str(root.number)): Unit(root) for root in roots}
    for unit in units.values():
        for node, depth in _with_depth(unit.node):
            unit.depth = max(unit.depth, depth)
            if isinstance(node, ast.Name | ast.Act | ast.When) and node.name in units:
                unit.uses.append((node.name, node, depth))
    return units


def _with_depth(root: ast.Node) -> Iterator[tuple[ast.Node, int]]:
    """Walk a node and its descendants, each with the number of nodes around it."""
    waiting = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in reversed(node.children())]


def _used_first(units: dict[str, Unit]) -> list[str]:
    """Sort the names topologically, each after those it uses; in a cycle the one visited last comes first."""
    ordered: dict[str, None] = {}
    begun: set[str] = set()
    for first in units:
        waiting = [(first, False)]
        while waiting:
            name, is_over = waiting.pop()
            if is_over:
                ordered.setdefault(name)
            elif name not in begun:
                begun.add(name)
                waiting.append((name, True))
                waiting += [(used, False) for used, _, _ in reversed(units[name].uses)]
    return list(ordered)


def _report(context: Context, units: dict[str, Unit], name: str, used: str, node: ast.Node) -> None:
    """Report the use at which the chain becomes too long, with the first names of the chain."""
    chain = [] if name.isdigit() else [name]
    chain.append(used)
    while len(chain) <= MAX_NAMED and units[chain[-1]].uses:
        deepest = max(units[chain[-1]].uses, key=lambda use: use[2] + units[use[0]].in_all)
        chain.append(deepest[0])
    listed = " → ".join(f"`{link}`" for link in chain[:MAX_NAMED])
    helps = ["merge several definitions or steps into one", "or store intermediate results in a `note`"]
    message = f"definitions and steps are nested too deeply: {listed}{' → …' if len(chain) > MAX_NAMED else ''}"
    context.error("E0346", message, node, helps)
