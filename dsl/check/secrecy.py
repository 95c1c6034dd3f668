"""What is hidden stays hidden: tables show nothing secret, open questions give nothing away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dsl import ast
from dsl.check.context import Context
from dsl.check.handfuls import taken_from
from dsl.symbols import DefineSymbol, NoteSymbol, RuleSymbol, ZoneSymbol
from dsl.types import Contents, Several

Hidden = ZoneSymbol | NoteSymbol


class Reader:
    """Finds the places where an expression looks at pieces or notes that somebody may not see."""

    def __init__(self, context: Context, viewer_sees_own: bool) -> None:
        self.context = context
        self.viewer_sees_own = viewer_sees_own
        self.seen: set[str] = set()

    def hidden(self, node: ast.Expression) -> Iterator[tuple[ast.Expression, Hidden]]:
        """Each zone or note the expression looks at although not all see it; counting pieces is open to all.

        With `viewer_sees_own`, a zone seen by the seat it belongs to may be looked at by `me`.
        """
        refers = self.context.model.refers
        if isinstance(node, ast.Count):
            yield from self._indices(node.operand)
            return
        if isinstance(node, ast.Compare) and isinstance(node.right, ast.Name) and node.right.name == "empty":
            yield from self._indices(node.left)
            return
        symbol = refers.get(node.number)
        if isinstance(symbol, ZoneSymbol) and isinstance(self.context.model.types.get(node.number), Several):
            return  # the places that are filled: how many pieces lie somewhere is open to all
        if isinstance(symbol, ZoneSymbol | NoteSymbol) and self._secret(symbol) and not self._mine(node, symbol):
            yield node, symbol
        if isinstance(symbol, DefineSymbol) and symbol.name not in self.seen:
            self.seen.add(symbol.name)
            for case in symbol.declaration.cases:
                for part in (case.condition, case.value):
                    if part is not None:
                        for _, zone in self.hidden(part):
                            yield node, zone
        for child in node.children():
            if not isinstance(child, ast.Binder):
                yield from self.hidden(cast("ast.Expression", child))
            else:
                yield from self.hidden(child.domain)

    def _indices(self, node: ast.Expression) -> Iterator[tuple[ast.Expression, Hidden]]:
        if isinstance(node, ast.Index):
            for argument in node.arguments:
                yield from self.hidden(argument)
        elif not isinstance(node, ast.Name):
            yield from self.hidden(node)

    def _secret(self, zone: Hidden) -> bool:
        return any(
            not (isinstance(sight.viewers, ast.Name) and sight.viewers.name == "all")
            for sight in zone.declaration.sights
        )

    def _mine(self, node: ast.Expression, zone: Hidden) -> bool:
        """Whether it is `zone[me]` of a zone that its seat sees."""
        if not (self.viewer_sees_own and isinstance(node, ast.Index) and len(zone.declaration.index) == 1):
            return False
        argument = node.arguments[0]
        index = zone.declaration.index[0].name
        seen_by_seat = any(
            isinstance(sight.viewers, ast.Name) and sight.viewers.name == index and sight.attribute is None
            for sight in zone.declaration.sights
        )
        return seen_by_seat and isinstance(argument, ast.Name) and argument.name == "me"


def tables(context: Context) -> None:
    """A table shows a hidden zone only as it is (backs are drawn), never what a look into it would tell."""
    types = context.model.types
    for table in context.model.tables:
        parts = [part for part in (table.domain, table.where) if part is not None]
        for column in table.columns:
            gone_through = column.domain is not None and not isinstance(types.get(column.domain.number), Contents)
            if column.domain is not None and gone_through:
                parts.append(column.domain)
            if column.where is not None:
                parts.append(column.where)
            if column.name is not None or not isinstance(types.get(column.value.number), Contents):
                parts.append(column.value)
        for part in parts:
            for node, zone in Reader(context, viewer_sees_own=True).hidden(part):
                helps = [f"show `{zone.name}[…]` itself, or `count {zone.name}[…]`"]
                if isinstance(zone, NoteSymbol):
                    helps = ["a note is shown to those who may see it by itself"]
                context.error("E0601", f"this would show everybody what lies hidden in `{zone.name}`", node, helps)


def open_questions(context: Context) -> None:
    """A `may` is only put to who can use it: where that depends on something hidden it must be asked `secretly`."""
    for node in context.model.file.walk():
        if not isinstance(node, ast.Decide) or node.duty != "may" or node.secretly:
            continue
        for act in node.acts:
            rule = context.model.rules[act.name]
            zones: dict[str, None] = {}
            for require in _binding(context, rule):
                for _, zone in Reader(context, viewer_sees_own=False).hidden(require.condition):
                    zones[zone.name] = None
            for name in zones:
                context.error(
                    "E0602",
                    f"whether `{act.name}` is possible tells something about `{name}`, which not all see",
                    act,
                    ["write `may secretly …`, then nobody knows that the question was put"],
                )


def _binding(context: Context, rule: RuleSymbol) -> Iterator[ast.Require]:
    """The requirements of an action, and those of the steps it does before anybody decides anything."""
    yield from rule.declaration.requires
    for statement in rule.declaration.body:
        if isinstance(statement, ast.Decide | ast.Choose):
            return
        if isinstance(statement, ast.Do) and statement.act.name in context.model.rules:
            yield from _binding(context, context.model.rules[statement.act.name])


def open_arguments(context: Context) -> None:
    """An action over hidden pieces tells everybody which one was taken, unless the argument is `secret`."""
    for rule in context.model.rules.values():
        if not rule.is_action:
            continue
        for parameter in rule.declaration.parameters:
            zone = context.model.refers.get(parameter.domain.number) if parameter.domain is not None else None
            if parameter.secret or not isinstance(zone, ZoneSymbol) or not hides(context, zone):
                continue
            if _laid_open(context, rule.declaration, parameter):
                continue
            context.error(
                "E0603",
                f"everybody will be told which piece of `{zone.name}` this is, and not all see them",
                parameter,
                [f"write `secret {parameter.name} in …` if it stays hidden"],
                severity="warning",
            )


def _laid_open(context: Context, rule: ast.Action | ast.Step, parameter: ast.Parameter) -> bool:
    """Whether the rule always moves a piece to where all see it, so that telling it is no secret told."""
    piece = context.model.refers.get(parameter.number)
    for move in rule.body:
        if isinstance(move, ast.Move) and context.model.refers.get(move.what.number) is piece:
            target = context.model.refers.get(move.target.number)
            return isinstance(target, ZoneSymbol) and not hides(context, target)
    return False


def unseen_choices(context: Context) -> None:
    """Nobody chooses among loose pieces that nobody, or only another seat, sees: what is taken unseen is chance."""
    for node in context.model.file.walk():
        domain = node.domain if isinstance(node, ast.Parameter | ast.Choose) else None
        if domain is None:
            continue
        domain = taken_from(domain)
        type_, zone = context.model.types.get(domain.number), context.model.refers.get(domain.number)
        loose = isinstance(type_, Contents) and type_.shape in ("heap", "one")
        if loose and isinstance(zone, ZoneSymbol) and _unseen_by_me(context, domain, zone):
            context.error(
                "E0605",
                f"who chooses here does not see the pieces of `{zone.name}`",
                domain,
                ["keep them as a `stack`, shuffle it and take from the top: what is taken unseen is chance"],
            )


def _unseen_by_me(context: Context, domain: ast.Expression, zone: ZoneSymbol) -> bool:
    """Whether the acting seat surely does not see the pieces: nobody does, or only a seat that is not `me`."""
    index = [parameter.name for parameter in zone.declaration.index]
    arguments = domain.arguments if isinstance(domain, ast.Index) else ()
    for sight in zone.declaration.sights:
        if not isinstance(sight.viewers, ast.Name):
            continue
        if sight.viewers.name in ("nobody", "none"):
            return True
        if sight.viewers.name in index and len(arguments) == len(index):
            argument = arguments[index.index(sight.viewers.name)]
            if not (isinstance(argument, ast.Name) and argument.name == "me"):
                return True
    return False


def hides(context: Context, zone: ZoneSymbol) -> bool:
    """Whether somebody may not see some attribute of the pieces of a zone."""
    attributes = {name for held in zone.declaration.holds for name in context.model.pieces[held.name].attributes}
    sights = {sight.attribute: sight.viewers for sight in zone.declaration.sights}
    viewers = [sights.get(name, sights.get(None)) for name in attributes]
    return any(v is not None and not (isinstance(v, ast.Name) and v.name == "all") for v in viewers)
