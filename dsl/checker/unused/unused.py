"""Declarations that are never used, or only by unused declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.logic.partial_evaluation import Course, KnownValue, Partial, PartialEvaluation
from dsl.checker.logic.satisfiability import MAX_VALUES, Value, values_of_type
from dsl.checker.names.declarations import declarations
from dsl.checker.types.constructors import unused
from dsl.checker.types.piece_kinds import pieces_in
from dsl.checker.types.statements import all_statements
from dsl.model import Model
from dsl.symbols import (
    ConstantSymbol,
    DefineSymbol,
    FamilySymbol,
    LocalSymbol,
    PieceSymbol,
    RuleSymbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from dsl.types import PLAYER, Listed, PieceType, Type, bare

USED = ast.Zone | ast.Note | ast.Die | ast.PositionDeclaration | ast.Define | ast.Action | ast.Step | ast.Option
"""Declarations that exist to be used by others."""


def unused_declarations(context: Context) -> None:
    """Warn of unused declarations; no error, since they may be meant for examples or variants."""
    helps = ["use it or remove it"]
    unused_nodes: list[ast.Node] = []
    types = _types_used(context)
    for node in declarations(context.model.file):
        if isinstance(node, USED) and node.number not in context.used:
            unused_nodes.append(node)
        elif isinstance(node, ast.ByPlayers):
            unused_nodes += [row for row in node.rows if row.number not in context.used]
        elif isinstance(node, ast.TypeList | ast.TypeTable | ast.TypeBoard) and node.name not in types:
            unused_nodes.append(node)
    for unused_node in unused_nodes:
        name = unused_node.key if isinstance(unused_node, ast.Row) else getattr(unused_node, "name", "")
        context.error("E0501", f"`{name}` is never used", unused_node, helps, severity="warning")
    for let in context.model.nodes:
        if isinstance(let, ast.Let) and let.number not in context.used:
            context.error("E0501", f"`{let.name}` is never used", let, helps, severity="warning")
    _used_only_by_unused(context)
    unused(context)


def _types_used(context: Context) -> set[str]:
    """Names of the types that are mentioned, or that have a value that is mentioned."""
    model = context.model
    names = {node.name for node in model.nodes if isinstance(node, ast.TypeName)}
    for symbol in model.refers.values():
        if isinstance(symbol, TypeSymbol):
            names.add(symbol.name)
        elif isinstance(symbol, ValueSymbol | FamilySymbol) and isinstance(core := bare(symbol.type), Listed):
            names |= core.owners
    # The values of a type may occur without its name or a word of its own: as cells of a table, faces of a die, an
    # option.
    constants = [symbol.type for symbol in model.globals.values() if isinstance(symbol, ConstantSymbol)]
    dice = [die.type for die in model.dice.values() if die.type is not None]
    for type_ in (*constants, *dice, *(option.type for option in model.options.values())):
        core = bare(type_)
        names |= core.owners if isinstance(core, Listed) else frozenset()
    for type_symbol in model.type_symbols.values():
        source = type_symbol.node.source if isinstance(type_symbol.node, ast.TypeBoard) else None
        names |= {part.name for part in (source.path if source is not None else ()) if isinstance(part, ast.Name)}
    return names


# `define a: b + 1` and `define b: 2`, and nothing uses a: b is used, but only by something that never runs. What runs
# is found from the roots, as a garbage collector does: the setup, phases that are played, what decides who wins, tables
# and examples. Removing `a` alone would bring the next warning, so the message names both.
def _used_only_by_unused(context: Context) -> None:
    """Warn of declarations that are used only by declarations that are themselves never used."""
    model = context.model
    inside = {node.number: node for node in declarations(model.file) if isinstance(node, USED)}
    mentions: dict[int, set[int]] = {}
    roots: list[ast.Node] = [*model.setup]
    played = {phase.number for phase in model.course}
    for node in declarations(model.file):
        if node.number in inside:
            mentions[node.number] = _mentioned(context, node)
        elif not isinstance(node, ast.Phase) or node.number in played:
            roots.append(node)
    reached: set[int] = set()
    in_examples = _referents(model, model.example_nodes)
    waiting = in_examples.union(*(_mentioned(context, root) for root in roots)) & set(inside)
    while waiting:
        reached |= waiting
        waiting = (set().union(*(mentions[number] for number in waiting)) & set(inside)) - reached
    reached |= context.used - set(inside)
    users_of: dict[int, list[str]] = {}
    for user, used in mentions.items():
        for number in used - {user}:
            users_of.setdefault(number, []).append(inside[user].name)
    for number, node in inside.items():
        if number in reached or number not in context.used:
            continue
        users = users_of.get(number, [])
        if not users:
            continue  # used by the board, or by a table
        helps = [f"use `{users[0]}`, or remove both"]
        message = f"`{node.name}` is used only by `{users[0]}`, which is itself never used"
        context.error("E0501", message, node, helps, severity="warning")


def _mentioned(context: Context, node: ast.Node) -> set[int]:
    """Numbers of the declarations that are mentioned anywhere inside a node."""
    numbers = _referents(context.model, node.walk())
    if isinstance(node, ast.When) and node.name in context.model.defines:
        numbers.add(context.model.defines[node.name].declaration.number)
    if isinstance(node, ast.ByPlayers):
        cells = {cell for row in node.rows for cell in row.cells}
        numbers |= {option.declaration.number for name, option in context.model.options.items() if name in cells}
    return numbers


def _referents(model: Model, nodes: Iterable[ast.Node]) -> set[int]:
    """Numbers of the declarations that these nodes refer to."""
    symbols = (model.refers.get(node.number) for node in nodes)
    return {symbol.node.number for symbol in symbols if symbol is not None and symbol.node is not None}


# ---------------- pieces that no zone holds, and zones that nothing enters or leaves


def pieces_without_place(context: Context) -> None:
    """Report a piece that no zone holds."""
    held = {kind.name for zone in context.model.zones.values() for kind in zone.declaration.holds}
    for name, piece in context.model.pieces.items():
        if name not in held:
            helps = [f"let a zone hold it: `holds {name}`", "or remove it"]
            context.error("E0505", f"no zone can hold `{name}`", piece.declaration, helps, severity="warning")


def pieces_without_home(context: Context) -> None:
    """Report a piece without a home that nothing moves by its name: no zone ever holds it to move it from."""
    for name in _never_in_play(context):
        piece = context.model.pieces[name]
        zones = [zone for zone in context.model.zones.values() if name in _held(zone)]
        message = f"`{name}` begins in no zone, and nothing brings it into play"
        helps = [f"declare where it begins: `{_heading(piece.declaration)} in {_home(zones[0])}`"]
        helps.append(f"or bring it into play by its name: `for each x in {name}: move x to …`")
        context.error("E0510", message, piece.declaration, helps, severity="warning")


def _never_in_play(context: Context) -> list[str]:
    """Pieces that some zone can hold but none ever does."""
    model = context.model
    held = {name for zone in model.zones.values() for name in _held(zone)}
    begun = {name for name, piece in model.pieces.items() if piece.declaration.home is not None}
    for move in statements(model):
        pieces = pieces_in(model.types.get(move.what.number)) if isinstance(move, ast.Move) else None
        if isinstance(move, ast.Move) and move.source is None and _from_anywhere(context, move.what, set()):
            begun |= held if pieces is None else pieces.piece_types
    return [name for name in model.pieces if name in held and name not in begun]


def _from_anywhere(context: Context, node: ast.Node, seen: set[int]) -> bool:
    """True if the moved piece may lie nowhere: it is named by its piece type, or by an expression without a zone."""
    named = False
    for part in node.walk():
        symbol = context.model.refers.get(part.number)
        if isinstance(symbol, PieceSymbol):
            return True
        named |= isinstance(symbol, ZoneSymbol)
        if isinstance(symbol, LocalSymbol) and symbol.node is not None and symbol.node.number not in seen:
            source = _source_of(symbol.node)
            if source is None:
                return True
            seen.add(symbol.node.number)
            if _from_anywhere(context, source, seen):
                return True
            named = True
        elif isinstance(symbol, DefineSymbol) and symbol.declaration.number not in seen:
            seen.add(symbol.declaration.number)
            if _from_anywhere(context, symbol.declaration, seen):
                return True
            named = True
    return not named


def _source_of(node: ast.Node) -> ast.Expression | None:
    """The set that a local name iterates over, or the value it is bound to."""
    match node:
        case ast.Binder(domain=source) | ast.Choose(domain=source) | ast.Pick(domain=source) | ast.Let(value=source):
            return source
        case ast.Parameter(domain=source):
            return source
        case _:
            return None


def _held(zone: ZoneSymbol) -> set[str]:
    return {kind.name for kind in zone.declaration.holds}


def _heading(node: ast.Piece) -> str:
    return node.span.text.partition("#")[0].partition("[")[0].strip()


def _home(zone: ZoneSymbol) -> str:
    return f"{zone.name}[…]" if zone.index else zone.name


def idle_zones(context: Context) -> None:
    """Report a zone that nothing enters; the home of a piece only if nothing leaves it either."""
    model = context.model
    moves = [node for node in statements(model) if isinstance(node, ast.Move)]
    entered = {model.refers.get(zone.number) for node in statements(model) for zone in ast.entered(node)}
    homes = {model.refers.get(p.declaration.home.number) for p in model.pieces.values() if p.declaration.home}
    missing = set(_never_in_play(context))
    for zone in model.zones.values():
        if zone in entered or zone.declaration.number not in context.used or _held(zone) <= missing:
            continue
        kinds = {kind.name for kind in zone.declaration.holds}
        if zone not in homes:
            helps = [
                f"move something there: `move … to {_home(zone)}`",
                f"or let pieces begin there: `piece … in {_home(zone)}`",
            ]
            message = f"nothing ever enters `{zone.name}`: it is always empty"
        elif not any(_leaves(context, move, zone, kinds) for move in moves):
            helps = ["move something out of it, or remove it"]
            message = f"nothing ever enters or leaves `{zone.name}`"
        else:
            continue
        context.error("E0506", message, zone.declaration, helps, severity="warning")


def _leaves(context: Context, move: ast.Move, zone: ZoneSymbol, kinds: set[str]) -> bool:
    """True if a move can take a piece out of a zone: by naming the zone, or a piece that may lie there."""
    refers = context.model.refers
    if move.source is not None:
        return refers.get(move.source.number) is zone
    if any(refers.get(part.number) is zone for part in move.what.walk()):
        return True
    named = any(isinstance(refers.get(part.number), ZoneSymbol) for part in move.what.walk())
    pieces = pieces_in(context.model.types.get(move.what.number))
    return not named and (pieces is None or bool(pieces.piece_types & kinds))


def statements(model: Model) -> Iterator[ast.Statement]:
    """All statements of the rules."""
    yield from all_statements(model.setup)
    for rule in model.rules.values():
        yield from all_statements(rule.declaration.body)
    for when in model.whens:
        yield from all_statements(when.declaration.body)
    waiting = list(model.course)
    while waiting:
        phase = waiting.pop()
        yield from all_statements(phase.body)
        waiting += phase.phases


# ---------------- parameters of actions that make no difference: the moves for their values are offered side by
# side, all the same
# Some make none at all, others only for some values of another one: the seat of a card that concerns no seat.


MAX_NAMED = 4


def idle_parameters(context: Context) -> None:
    """Warn of parameters whose value changes nothing and is not announced.

    Nothing is said of an action that is `offered once`, or has no label, as its name is announced with all arguments.
    """
    free = _free(context)
    rules = PartialEvaluation(context.model, context.assigned)
    for rule in context.model.rules.values():
        node = rule.declaration
        if isinstance(node, ast.Action) and node.label is not None and not node.once:
            _of_action(context, rules, rule, free.get(rule.name, len(node.parameters)))


def _of_action(context: Context, rules: PartialEvaluation, rule: RuleSymbol, bound_count: int) -> None:
    """Report the parameters of an action that make no difference; the first `bound_count` ones are not chosen."""
    chosen = list(zip(rule.parameters[bound_count:], rule.declaration.parameters[bound_count:], strict=True))
    always = _course(rules, rule)
    for symbol, parameter in chosen:
        if symbol not in always.read:
            if not _said(always, symbol):
                _report(context, rule, parameter)
            continue
        idle_for_some = any(
            _idle_for_some(context, rules, rule, (symbol, parameter), (second, node), attribute, values)
            for second, node in chosen
            if second is not symbol
            for attribute, values in _distinguished(context, second, node)
        )
        if not idle_for_some and not _said(always, symbol):
            _check_label(context, rule, symbol, parameter)


def _course(rules: PartialEvaluation, rule: RuleSymbol, assumed: tuple[LocalSymbol, Partial] | None = None) -> Course:
    return rules.course(rule, _names(rule) if assumed is None else {**_names(rule), assumed[0]: assumed[1]})


def _names(rule: RuleSymbol) -> dict[LocalSymbol, Partial]:
    """The arguments, none of which is known."""
    return {symbol: Partial(None, frozenset({symbol})) for symbol in rule.parameters}


def _said(course: Course, symbol: LocalSymbol) -> bool:
    """True if a requirement leaves only one value, as it says which one it is."""
    return any(symbol in requirement.says for requirement in course.requirements)


def _distinguished(
    context: Context, symbol: LocalSymbol, node: ast.Parameter
) -> Iterator[tuple[str | None, Sequence[Value]]]:
    """What rules may distinguish about an argument: its value, or an attribute of a piece, with all its values.

    Nothing is said where the argument is chosen from a computed set: it may have only some of the values.
    """
    if node.domain is not None:
        place = isinstance(node.domain, ast.Name | ast.Index)
        if not place or not isinstance(context.model.refers.get(node.domain.number), ZoneSymbol):
            return
    kinds: list[tuple[str | None, Type]] = [(None, symbol.type)]
    if isinstance(symbol.type, PieceType):
        if len(symbol.type.piece_types) != 1:
            return
        (name,) = symbol.type.piece_types
        kinds = list(context.model.pieces[name].attributes.items())
    for attribute, type_ in kinds:
        values = tuple(values_of_type(context.model, type_))
        if 1 < len(values) <= MAX_VALUES:
            yield attribute, values


def _idle_for_some(
    context: Context,
    rules: PartialEvaluation,
    rule: RuleSymbol,
    tested: tuple[LocalSymbol, ast.Parameter],
    deciding: tuple[LocalSymbol, ast.Parameter],
    attribute: str | None,
    values: Sequence[Value],
) -> bool:
    """Report a parameter that makes no difference for some values of another one, and may have any value there."""
    (symbol, parameter), (about, node) = tested, deciding
    if parameter.domain is not None and about in rules.value(parameter.domain, _names(rule)).of:
        return False
    # A requirement on both may leave only one value of the parameter where the other has a certain value.
    tied = any({symbol, about} <= requirement.of for requirement in _course(rules, rule).requirements)
    idle = []
    for value in values:
        assumed = (
            Partial(KnownValue(value)) if attribute is None else Partial(None, frozenset({about}), (attribute, value))
        )
        course = _course(rules, rule, (about, assumed))
        if not course.possible or symbol in course.read or _said(course, symbol):
            continue
        if not (tied and any(symbol in requirement.of for requirement in course.requirements)):
            idle.append(value)
    if not idle:
        return False
    what = node.name if attribute is None else f"{node.name}.{attribute}"
    _report_some(context, rule, parameter, what, idle)
    return True


def _unlabelled(context: Context, rule: RuleSymbol, symbol: LocalSymbol) -> frozenset[str] | None:
    """The attributes by which a label names a piece, if pieces may differ in others; empty if it names nothing of it.

    None: the label tells the values of the parameter apart, as far as can be known.
    """
    label = rule.declaration.label if isinstance(rule.declaration, ast.Action) else None
    if label is None:
        return None
    refers = context.model.refers
    attributes = {
        part.base.number: part.name
        for part in label.walk()
        if isinstance(part, ast.Attribute) and refers.get(part.base.number) is symbol
    }
    mentions = {part.number for part in label.walk() if refers.get(part.number) is symbol}
    if mentions != attributes.keys():
        return None
    named = frozenset(attributes.values())
    if not named:
        return named
    kinds = symbol.type.piece_types if isinstance(symbol.type, PieceType) else ()
    attributes_of_kinds = (context.model.pieces[kind].attributes for kind in kinds)
    # Whose piece it is mostly goes without saying.
    others = {name for types in attributes_of_kinds for name, type_ in types.items() if bare(type_) != PLAYER}
    return named if others - named else None


def _check_label(context: Context, rule: RuleSymbol, symbol: LocalSymbol, parameter: ast.Parameter) -> None:
    """Warn of a parameter whose values the label does not tell apart, unless another one may decide it."""
    domain = () if parameter.domain is None else parameter.domain.walk()
    if any(context.model.refers.get(part.number) in rule.parameters for part in domain):
        return
    said = _unlabelled(context, rule, symbol)
    if said is None:
        return
    name = parameter.name
    message = f"the label of `{rule.name}` does not say `{name}`, so moves that differ in it read the same"
    if said:
        attributes = " and ".join(f"`{name}.{attribute}`" for attribute in sorted(said))
        message = f"the label of `{rule.name}` says only {attributes}: moves of different pieces may read the same"
    helps = [f"name it in the label: `{{{name}}}`"]
    context.error("E0515", message, parameter, helps, severity="warning")


def _report(context: Context, rule: RuleSymbol, parameter: ast.Parameter) -> None:
    others = [parameter_node.name for parameter_node in rule.declaration.parameters if parameter_node is not parameter]
    helps = ["use it in an effect or in the label, or leave it out"]
    if others:
        helps = [f"say which moves are equal, below the label: `offered once for {', '.join(others)}`", *helps]
    message = f"`{parameter.name}` makes no difference: no effect of `{rule.name}` reads it, nor does its label"
    context.error("E0513", message, parameter, helps, severity="warning")


def _report_some(
    context: Context, rule: RuleSymbol, parameter: ast.Parameter, what: str, idle: Sequence[Value]
) -> None:
    words = [f"`{_written(value)}`" for value in idle]
    more = f" and {len(words) - MAX_NAMED} other values" if len(words) > MAX_NAMED else ""
    names = words[:MAX_NAMED] if more else words
    listed = ", ".join(names) if more or len(names) < 2 else f"{', '.join(names[:-1])} or {names[-1]}"
    message = f"`{parameter.name}` makes no difference where `{what}` is {listed}{more}: "
    message += f"no effect of `{rule.name}` reads it then, nor does its label"
    others = [parameter_node.name for parameter_node in rule.declaration.parameters if parameter_node is not parameter]
    test = f"{what} is {_written(idle[0])}" if len(idle) == 1 else f"{what} is in {{{', '.join(map(_written, idle))}}}"
    counts = f"(none if {test} else {parameter.name})"
    helps = [
        f"say which moves are equal, below the label: `offered once for {', '.join([*others, counts])}`",
        f"choose `{parameter.name}` only where it matters, with `must choose` in the effects",
    ]
    context.error("E0513", message, parameter, helps, severity="warning")


def _written(value: Value) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _free(context: Context) -> dict[str, int]:
    """For each action that is offered, the fewest arguments that a decision gives: the later ones are chosen."""
    counts: dict[str, int] = {}
    for node in context.model.nodes:
        if isinstance(node, ast.Decide):
            for act in node.offered:
                counts[act.name] = min(counts.get(act.name, len(act.arguments)), len(act.arguments))
    return counts
