"""Checks of hypotheses, `E given step(…)`: the step has one outcome, and needs no hypothesis about itself.

`attacked(king) given carry(c, d)` is the value of a definition after a step that has not happened: the step runs on a
copy of the state. It has a value only if the step has exactly one outcome. A question, chance or the end of the game
would leave it open, even deep inside: in a step that it calls, or in a reaction that its changes trigger
(`_happening`).

The value must not ask for itself. If `legal` asks for `attacked given carry`, and `carry` requires `legal`, the
question is never answered. `_circular` looks for a path from the step back to the declaration with the hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import asking_interrupts, called
from dsl.checker.types.statements import all_statements
from dsl.symbols import DefineSymbol, PositionSymbol, Symbol, WhenSymbol, ZoneSymbol


def hypotheses(context: Context) -> None:
    """Report hypotheses about steps whose outcome is not determined, or that ask for themselves."""
    questions = [
        node for node in (*context.model.nodes, *context.model.example_nodes)
        if isinstance(node, ast.Hypothesis) and _about_step(context, node)
    ]  # fmt: skip
    for node in questions:
        _undetermined(context, node)
    if questions:  # few games have hypotheses, and what leads where is found by walking through all declarations thrice
        _circular(context)


def _about_step(context: Context, node: ast.Hypothesis) -> bool:
    """Whether there is such a step; what else may be named there has been reported."""
    rule = context.model.rules.get(node.step.name)
    return rule is not None and not rule.is_action


def _undetermined(context: Context, node: ast.Hypothesis) -> None:
    """Report a step that asks a player, depends on chance or ends the game."""
    name = node.step.name
    for statement in _happening(context, name):
        if isinstance(statement, ast.Question):
            what, help_ = "asks a player", "move everything that happens without a decision to a separate step"
        elif ast.is_chance(statement):
            what, help_ = "uses chance", "ask only about the deterministic part before it"
        elif isinstance(statement, ast.EndGame):
            what, help_ = "ends the game", "test the condition for the end instead"
        else:
            continue
        labels = asking_interrupts(context, _happening(context, name)) if isinstance(statement, ast.Question) else []
        context.error("E0423", f"the outcome of `{name}` is not determined: it {what}", node.step, [help_], labels)
        return


def _happening(context: Context, name: str) -> Iterator[ast.Statement]:
    """All statements of a step, of the steps it calls, and of the reactions that these may trigger."""
    rules, seen = context.model.rules, {name}
    waiting: list[Iterable[ast.Statement]] = [rules[name].declaration.body]
    written: set[Symbol] = set()
    whens = list(context.model.whens)
    while waiting:
        body = list(all_statements(list(waiting.pop())))
        yield from body
        for act in called(body):
            if act.name in rules and act.name not in seen:
                seen.add(act.name)
                waiting.append(rules[act.name].declaration.body)
        written |= _written(context, body)
        # Each reaction is added once, with what it changes; its changes may trigger others that were passed over
        # before.
        for when in [when for when in whens if not written.isdisjoint(_read(context, when))]:
            whens.remove(when)
            waiting.append(when.declaration.body)


def _written(context: Context, statements: Iterable[ast.Statement]) -> set[Symbol]:
    """The zones and notes that statements may change; all zones where it is not said from which a piece comes."""
    changed: set[Symbol] = set()
    for statement in statements:
        if isinstance(statement, ast.EachPlayer):
            changed.add(context.globals["me"])
        targets: list[ast.Node] = [*ast.targets(statement), *ast.entered(statement), *ast.left(statement)]
        if any(not isinstance(context.model.refers.get(zone.number), ZoneSymbol) for zone in ast.left(statement)):
            changed |= set(context.model.zones.values())
        changed |= {symbol for target in targets if (symbol := context.model.refers.get(target.number)) is not None}
    return changed


def _read(context: Context, when: WhenSymbol) -> set[Symbol]:
    """Everything that the definition of a reaction mentions; nothing if there is none, which has been reported."""
    symbols: set[Symbol] = set()
    define = context.model.defines.get(when.name)
    waiting: list[ast.Node] = [] if define is None else [define.declaration]
    while waiting:
        for node in waiting.pop().walk():
            symbol = context.model.refers.get(node.number)
            if symbol is not None and symbol not in symbols:
                symbols.add(symbol)
                waiting += [symbol.declaration] if isinstance(symbol, DefineSymbol | PositionSymbol) else []
    return symbols


# ---------------------------------------------------------------- hypotheses about themselves


def _circular(context: Context) -> None:
    """Report a step of a hypothesis that leads to the same hypothesis again: it would never be answered."""
    model = context.model
    declared: dict[str, ast.Define | ast.PositionDeclaration | ast.Action | ast.Step] = {
        **{name: symbol.declaration for name, symbol in model.positions.items()},
        **{name: symbol.declaration for name, symbol in model.defines.items()},
        **{name: rule.declaration for name, rule in model.rules.items()},
    }
    uses = {name: list(dict.fromkeys(_used(context, node))) for name, node in declared.items()}
    reacting = [when.name for when in model.whens] + [
        used for when in model.whens for statement in when.declaration.body for used in _used(context, statement)
    ]
    # Any step may trigger any reaction. What it really changes is not looked at: a path that exists only on paper is
    # refused as well, which is rare, and a cycle is never missed.
    for name in model.rules:
        uses[name] += reacting
    for name, declaration in declared.items():
        for node in declaration.walk():
            if isinstance(node, ast.Hypothesis) and _about_step(context, node):
                path = _path(uses, node.step.name, name)
                if path is not None:
                    cycle = " → ".join(f"`{link}`" for link in [name, *path])
                    helps = [f"leave `{name}` out of what `{node.step.name}` does or triggers"]
                    context.error("E0424", f"this hypothesis leads to itself: {cycle}", node, helps)


def _used(context: Context, node: ast.Node) -> Iterator[str]:
    """The definitions, positions and steps that a declaration mentions, those of hypotheses as well."""
    for part in node.walk():
        symbol = context.model.refers.get(part.number)
        if isinstance(symbol, DefineSymbol | PositionSymbol):
            yield symbol.name
        elif isinstance(part, ast.Act):
            yield part.name


def _path(uses: dict[str, list[str]], first: str, last: str) -> list[str] | None:
    """The names that lead from one to another, both included; None if none do."""
    previous_names: dict[str, str | None] = {first: None}
    waiting = [first]
    while waiting:
        name = waiting.pop(0)
        if name == last:
            path = [name]
            while (previous := previous_names[path[-1]]) is not None:
                path.append(previous)
            return path[::-1]
        for used in uses.get(name, ()):
            if used not in previous_names:
                previous_names[used] = name
                waiting.append(used)
    return None


# ---------------- checks of positions: what they read, and that what is recorded is asked for and the other way
# round


def self_reading_positions(context: Context) -> None:
    """Report positions that depend on how often positions were recorded."""
    for position in context.model.positions.values():
        for part in position.declaration.parts:
            for node, origin in _reads(context, part):
                if isinstance(node, ast.Times):
                    helps = ["name what can be seen on the table: zones, notes, dice, `me`"]
                    message = f"`{position.name}` would depend on how often positions were recorded"
                    context.error("E0425", message, origin, helps)
                    break


def _reads(context: Context, part: ast.Expression) -> Iterator[tuple[ast.Node, ast.Node]]:
    """All nodes that decide the value of an expression, each with the node of the expression that leads to it."""
    waiting: list[tuple[ast.Node, ast.Node | None]] = [(part, None)]
    seen: set[str] = set()
    while waiting:
        root, origin = waiting.pop()
        for node in root.walk():
            yield node, origin or node
            symbol = context.model.refers.get(node.number)
            followed: ast.Node | None = None
            if isinstance(symbol, DefineSymbol):
                followed = symbol.declaration
            elif isinstance(node, ast.Act) and node.name in context.model.rules:
                followed = context.model.rules[node.name].declaration
            if followed is not None and followed.name not in seen:  # type: ignore[attr-defined]
                seen.add(followed.name)  # type: ignore[attr-defined]
                waiting.append((followed, origin or node))


def idle_positions(context: Context) -> None:
    """Warn of positions that are recorded but never asked for, and of those asked for but never recorded."""
    model = context.model
    nodes = [*model.nodes, *model.example_nodes]
    recorded = {model.refers.get(node.target.number) for node in nodes if isinstance(node, ast.Record)}
    queries = {model.refers.get(node.position.number): node for node in reversed(nodes) if isinstance(node, ast.Times)}
    for position in model.positions.values():
        name = position.name
        if position in recorded and position not in queries:
            helps = [
                f"ask how often it has occurred: `times({name})`",
                f"or remove `position {name}` and `record {name}`",
            ]
            message = f"`{name}` is recorded, but nothing asks how often"
            context.error("E0512", message, position.declaration, helps, severity="warning")
        elif position in queries and position not in recorded:
            helps = [f"write `record {name}` where the position counts, such as at the beginning of every turn"]
            message = f"`times({name})` is always 0: nothing records `{name}`"
            context.error("E0512", message, queries[position], helps, severity="warning")
