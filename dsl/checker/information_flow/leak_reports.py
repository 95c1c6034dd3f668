"""Reports of leaks: who learns a secret from what, and what tables show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.information_flow.facts import Env, Fact
from dsl.checker.information_flow.taint import Taint
from dsl.diagnostics import Label
from dsl.symbols import LocalSymbol, NoteSymbol

Learner = Literal["me", "all"]
"""The seats that learn something: the acting one, or all."""


class LeakReporter:
    """Reports whatever reveals a secret."""

    reporting = False

    def __init__(self, context: Context) -> None:
        self.context, self.knowing = context, Taint(context)

    def local(self, node: ast.Node) -> LocalSymbol:
        """The local name that a node binds."""
        symbol = self.context.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol

    def offered(self, node: ast.Expression, facts: frozenset[Fact]) -> None:
        """Check what is legal: whoever is asked learns it."""
        helps = [
            "how many pieces lie somewhere all see: `count …`, `… is empty`",
            "what happens may depend on it: put an `if` into the move",
            "or let who is asked see it: `seen by …`",
        ]
        for fact, what in _hidden(facts, "me"):
            self._report("E0606", f"what is offered here tells who is asked about {what}", node, fact, "me", helps)

    def asked(self, node: ast.Node, what: str, facts: frozenset[Fact]) -> None:
        """Check the existence of a question, which everybody learns."""
        helps = ["write `may secretly …`, then nobody knows that the question was put"]
        for fact, _ in _hidden(facts, "all"):
            message = f"{what} tells something about `{fact.hidden.name}`, which not all see"
            self._report("E0602", message, node, fact, "all", helps)

    def text(self, text: ast.Text, env: Env, learner: Learner, secret: Iterable[LocalSymbol] = ()) -> None:
        """Check a text with interpolated values; parts that mention a secret argument are omitted for the others."""
        masked = set(secret)
        for part in text.parts:
            if not isinstance(part, str):
                own = any(self._speaks_of(part, symbol) for symbol in masked)
                self.tell(part, self.knowing.value(part, env).facts, "me" if own else learner)

    def named(self, text: ast.Text, env: Env, named: Env, masked: Iterable[LocalSymbol]) -> None:
        """Facts a label reveals beyond the piece itself: `named` is what is known once the piece is named."""
        for part in text.parts:
            if isinstance(part, str) or any(self._speaks_of(part, symbol) for symbol in masked):
                continue
            facts = self.knowing.value(part, env).facts - self.knowing.value(part, named).facts
            for fact, what in _hidden(facts, "all"):
                helps = [
                    "write `secret` before the parameter: others read `…` here",
                    "or name only the piece, `{c}`: others read as much of it as they see",
                    "or move it through a zone that all see: `move c to shown`",
                ]
                message = f"this tells everybody about {what}, and the piece stays hidden"
                self._report("E0603", message, part, fact, "all", helps, sure=False)

    def _speaks_of(self, part: ast.Expression, symbol: LocalSymbol) -> bool:
        return any(self.context.model.refers.get(inner.number) is symbol for inner in part.walk())

    def tell(self, node: ast.Node, facts: frozenset[Fact], learner: Learner) -> None:
        """Check a text: its readers learn what it says."""
        whom = "everybody" if learner == "all" else "who is asked"
        helps = [
            "a piece by itself is shown to each as far as it may be seen: `{c}`",
            "or let the move show it: what is moved to an open zone, or set in an open note, is no secret",
        ]
        for fact, what in _hidden(facts, learner):
            self._report("E0607", f"this would tell {whom} about {what}", node, fact, learner, helps)

    def tables(self) -> None:
        """Check tables: a hidden zone may be shown as it is (backs are drawn), but nothing derived from its pieces."""
        self.reporting = True
        for table in self.context.model.tables:
            for part in table.title.parts:
                if not isinstance(part, str):
                    self._show(part, Env())
            env = Env()
            for binder in table.binders:
                env = self._shown(binder.domain, binder, env)
            env = self._cut(table.where, env)
            for column in table.columns:
                inner = env if column.domain is None else self._shown(column.domain, column, env)
                self._show(column.value, self._cut(column.where, inner))
        self.reporting = False

    def _shown(self, domain: ast.Expression, node: ast.Binder | ast.Column, env: Env) -> Env:
        """Facts known where a table iterates over a domain."""
        self._show(domain, env)
        return self.knowing.one_of(self.local(node), self.knowing.value(domain, env), domain, env)

    def _cut(self, where: ast.Expression | None, env: Env) -> Env:
        """Facts known where the condition of a table holds."""
        if where is None:
            return env
        self._show(where, env)
        return self.knowing.where(where, env, True)

    def _show(self, node: ast.Expression, env: Env) -> None:
        for fact, _ in _hidden(self.knowing.value(node, env).facts, "me"):
            name = fact.hidden.name
            helps = [f"show `{name}[…]` itself, or `count {name}[…]`"]
            if isinstance(fact.hidden, NoteSymbol):
                helps = ["a note is shown to those who may see it by itself"]
            self._report("E0601", f"this would show everybody what lies hidden in `{name}`", node, fact, "me", helps)

    def _report(
        self,
        code: str,
        message: str,
        node: ast.Node,
        fact: Fact,
        learner: Learner,
        helps: list[str],
        sure: bool = True,
    ) -> None:
        """Report a leak, with the node that reads the secret and the declaration of who sees it."""
        if not self.reporting:
            return
        sure = sure and (fact.seen.me if learner == "me" else fact.seen.all) == "unseen"
        where, labels = node.span, []
        if fact.node.span.is_inside(where) and code != "E0602":
            where = fact.node.span
        elif not isinstance(fact.hidden, LocalSymbol):
            labels.append(Label(fact.node.span, f"`{fact.hidden.name}` is read here"))
        if fact.hidden.node is not None:
            labels.append(Label(fact.hidden.node.span, _seen_by(fact)))
        if not sure and code != "E0603":
            helps = [*_asking_first(fact), *helps]
        self.context.error(code, message, where, helps, labels, severity="error" if sure else "warning")


def _hidden(facts: frozenset[Fact], learner: Learner) -> list[tuple[Fact, str]]:
    """One fact of each secret that the learner may not know, the most certain, with its name in words."""
    found: dict[str, tuple[Fact, str]] = {}
    for fact in sorted(facts, key=_place):
        sight = fact.seen.me if learner == "me" else fact.seen.all
        what = f"`{fact.hidden.name}`" if fact.attribute is None else f"`{fact.attribute}` in `{fact.hidden.name}`"
        if sight == "unseen" or (sight == "maybe" and fact.hidden.name not in found):
            before = found.get(fact.hidden.name)
            if before is None or sight != (before[0].seen.me if learner == "me" else before[0].seen.all):
                found[fact.hidden.name] = fact, what
    return list(found.values())


def _place(fact: Fact) -> tuple[object, ...]:
    """Sort key of a fact, independent of the iteration order of sets."""
    span, declared = fact.node.span, fact.hidden.node.span if fact.hidden.node is not None else None
    where = (declared.source.name, declared.start) if declared is not None else ("", 0)
    seen = fact.seen
    return span.source.name, span.start, span.end, *where, fact.hidden.name, fact.attribute or "", seen.me, seen.all


def _asking_first(fact: Fact) -> list[str]:
    """Suggest reading only where it is visible, if a condition decides that."""
    if isinstance(fact.hidden, LocalSymbol):
        return []
    viewers = [sight.viewers for sight in fact.hidden.declaration.sights if sight.attribute in (fact.attribute, None)]
    asked = [node.condition.span.text for each in viewers for node in each.walk() if isinstance(node, ast.Either)]
    return [f"look at it only where it is seen: ask `{asked[0]}` first, as `seen by` does"] if asked else []


def _seen_by(fact: Fact) -> str:
    """Description of who sees it, quoted from its declaration."""
    if isinstance(fact.hidden, LocalSymbol):
        return f"`{fact.hidden.name}` is secret"
    sights = {sight.attribute: sight.viewers for sight in fact.hidden.declaration.sights}
    viewers = sights.get(fact.attribute, sights.get(None))
    words = viewers.span.text if viewers is not None else "all"
    what = f"`{fact.attribute}`" if fact.attribute is not None and fact.attribute in sights else "this"
    return f"{what} is seen by {words}"
