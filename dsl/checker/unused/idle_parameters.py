"""Parameters of actions that make no difference: the moves for their values are offered side by side, all the same.

Some make none at all, others only for some values of another one: the seat of a card that concerns no seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.logic.partial_evaluation import Course, KnownValue, Partial, PartialEvaluation
from dsl.checker.logic.satisfiability import MOST_VALUES, Value, values_of_type
from dsl.symbols import LocalSymbol, RuleSymbol, ZoneSymbol
from dsl.types import PieceType, Type

MOST_NAMED = 4


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
        for second, node in chosen:
            if second is not symbol and any(
                _idle_for_some(context, rules, rule, (symbol, parameter), (second, node), attribute, values)
                for attribute, values in _distinguished(context, second, node)
            ):
                break


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
        if 1 < len(values) <= MOST_VALUES:
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
    more = f" and {len(words) - MOST_NAMED} other values" if len(words) > MOST_NAMED else ""
    names = words[:MOST_NAMED] if more else words
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
            for act in (*node.acts, *node.otherwise):
                counts[act.name] = min(counts.get(act.name, len(act.arguments)), len(act.arguments))
    return counts
