"""Parameters of actions that make no difference: the moves for their values are offered side by side, all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.symbols import LocalSymbol, RuleSymbol


def idle_parameters(context: Context) -> None:
    """Warn of parameters whose value changes nothing and is not announced.

    Nothing is said of an action that is `offered once`, or has no label, as its name is announced with all arguments.
    """
    effects, free = _Effects(context), _free(context)
    for rule in context.model.rules.values():
        node = rule.declaration
        if not isinstance(node, ast.Action) or node.label is None or node.once:
            continue
        read = effects.of(rule) | set(_named(context, [node.label, *(p.domain for p in node.parameters if p.domain)]))
        for place, (symbol, parameter) in enumerate(zip(rule.parameters, node.parameters, strict=True)):
            chosen = place >= free.get(rule.name, len(node.parameters))
            known = any(_determines(context, require.condition, symbol) for require in node.requires)
            if chosen and not known and symbol not in read:
                _report(context, node, parameter)


def _report(context: Context, node: ast.Action, parameter: ast.Parameter) -> None:
    others = [other.name for other in node.parameters if other is not parameter]
    helps = ["use it in an effect or in the label, or leave it out"]
    if others:
        helps = [f"say which moves are the same, below the label: `offered once for {', '.join(others)}`", *helps]
    message = f"`{parameter.name}` makes no difference: no effect of `{node.name}` reads it, nor does its label"
    context.error("E0513", message, parameter, helps, severity="warning")


def _free(context: Context) -> dict[str, int]:
    """For each action that is offered, the fewest arguments that a decision gives: the later ones are chosen."""
    found: dict[str, int] = {}
    for node in context.model.nodes:
        if isinstance(node, ast.Decide):
            for act in (*node.acts, *node.otherwise):
                found[act.name] = min(found.get(act.name, len(act.arguments)), len(act.arguments))
    return found


def _named(context: Context, nodes: Iterable[ast.Node]) -> Iterator[LocalSymbol]:
    """The local names that occur in nodes."""
    for node in nodes:
        for inner in node.walk():
            symbol = context.model.refers.get(inner.number)
            if isinstance(symbol, LocalSymbol) and isinstance(inner, ast.Name):
                yield symbol


def _determines(context: Context, condition: ast.Expression, symbol: LocalSymbol) -> bool:
    """True if a requirement leaves only one value, as it says which one it is."""
    for part in ast.conjuncts(condition):
        if isinstance(part, ast.Compare) and part.operator == "is":
            for one, other in ((part.left, part.right), (part.right, part.left)):
                alone = isinstance(one, ast.Name) and context.model.refers.get(one.number) is symbol
                if alone and symbol not in _named(context, [other]):
                    return True
    return False


class _Effects:
    """Finds the parameters that the effects of rules read; requirements do not count."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.known: dict[str, set[LocalSymbol]] = {}

    def of(self, rule: RuleSymbol) -> set[LocalSymbol]:
        """The names that the effects of a rule read, of an argument only if the step that it is given to reads it."""
        if rule.name not in self.known:
            self.known[rule.name] = set()
            self.known[rule.name] = {symbol for node in rule.declaration.body for symbol in self._read(node)}
        return self.known[rule.name]

    def _read(self, node: ast.Node) -> Iterator[LocalSymbol]:
        if isinstance(node, ast.Do):
            step = self.context.model.rules[node.act.name]
            inside = self.of(step)
            given = zip(step.parameters, node.act.arguments, strict=False)
            yield from _named(self.context, [argument for parameter, argument in given if parameter in inside])
        elif isinstance(node, ast.Name):
            yield from _named(self.context, [node])
        else:
            for child in node.children():
                yield from self._read(child)
