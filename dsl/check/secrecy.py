"""What is hidden stays hidden: tables show nothing secret, open questions give nothing away."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.check.context import Context
from dsl.symbols import DefineSymbol, ZoneSymbol
from dsl.types import Contents


class Reader:
    """Finds the places where an expression looks at pieces that somebody may not see."""

    def __init__(self, context: Context, viewer_sees_own: bool) -> None:
        self.context = context
        self.viewer_sees_own = viewer_sees_own
        self.seen: set[str] = set()

    def hidden(
        self, node: ast.Expression, own: frozenset[int] = frozenset()
    ) -> Iterator[tuple[ast.Expression, ZoneSymbol]]:
        """Each zone whose pieces the expression looks at although not all see them; counting them is open to all.

        With `viewer_sees_own`, a zone seen by the seat it belongs to may be looked at by `me`.
        """
        refers = self.context.model.refers
        if isinstance(node, ast.Count):
            yield from self._indices(node.operand, own)
            return
        if isinstance(node, ast.Compare) and isinstance(node.right, ast.Name) and node.right.name == "empty":
            yield from self._indices(node.left, own)
            return
        symbol = refers.get(node.number)
        if isinstance(symbol, ZoneSymbol) and self._secret(symbol) and not self._mine(node, symbol):
            yield node, symbol
        if isinstance(symbol, DefineSymbol) and symbol.name not in self.seen:
            self.seen.add(symbol.name)
            for case in symbol.declaration.cases:
                for part in (case.condition, case.value):
                    if part is not None:
                        for _, zone in self.hidden(part, own):
                            yield node, zone
        for child in node.children():
            if not isinstance(child, ast.Binder):
                yield from self.hidden(child, own)  # type: ignore[arg-type]
            else:
                yield from self.hidden(child.domain, own)

    def _indices(self, node: ast.Expression, own: frozenset[int]) -> Iterator[tuple[ast.Expression, ZoneSymbol]]:
        if isinstance(node, ast.Index):
            for argument in node.arguments:
                yield from self.hidden(argument, own)
        elif not isinstance(node, ast.Name):
            yield from self.hidden(node, own)

    def _secret(self, zone: ZoneSymbol) -> bool:
        return any(
            not (isinstance(sight.viewers, ast.Name) and sight.viewers.name == "all")
            for sight in zone.declaration.sights
        )

    def _mine(self, node: ast.Expression, zone: ZoneSymbol) -> bool:
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
    for table in context.model.tables:
        for column in table.columns:
            shown = context.model.types.get(column.value.number)
            drawn = isinstance(shown, Contents) and column.name is None
            parts = [part for part in (column.domain, column.where) if part is not None]
            if column.name is not None and isinstance(
                context.model.types.get(column.domain.number) if column.domain else None, Contents
            ):
                parts.remove(column.domain)  # type: ignore[arg-type]
            if not drawn:
                parts.append(column.value)
            for part in parts:
                for node, zone in Reader(context, viewer_sees_own=True).hidden(part):
                    context.error(
                        "E0601", f"this would show everybody what lies hidden in `{zone.name}`", node,
                        [f"show `{zone.name}[…]` itself, or `count {zone.name}[…]`"],
                    )  # fmt: skip


def open_questions(context: Context) -> None:
    """A `may` is only put to who can use it: where that depends on something hidden it must be asked `secretly`."""
    for node in context.model.file.walk():
        if isinstance(node, ast.Decide) and node.duty == "may" and not node.secretly:
            for act in node.acts:
                rule = context.model.rules[act.name]
                for require in rule.declaration.requires:
                    for _, zone in Reader(context, viewer_sees_own=False).hidden(require.condition):
                        context.error(
                            "E0602", f"whether `{act.name}` is possible tells something about `{zone.name}`, which not all see",
                            node, ["write `may secretly …`, then nobody knows that the question was put"],
                        )  # fmt: skip
                        break
