"""Reports of leaks: which seats learn which secret from what, and what tables show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.information_flow.facts import Env, Fact, kept_secret
from dsl.checker.information_flow.taint import Taint
from dsl.diagnostics import Label, Severity
from dsl.symbols import LocalSymbol, NoteSymbol, ZoneSymbol

Learner = Literal["me", "all"]
"""The seats that learn something: the acting one, or all."""


class LeakReporter:
    """Reports whatever reveals a secret."""

    def __init__(self, context: Context) -> None:
        self.context, self.taint = context, Taint(context)

    def local(self, node: ast.Node) -> LocalSymbol:
        """The local name that a node binds."""
        symbol = self.context.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol

    def offered(self, node: ast.Expression, facts: frozenset[Fact], source: str) -> None:
        """Check what decides the legal moves, which the acting seat learns; `source` describes the expression."""
        for fact, what in _hidden(facts, "me"):
            numbers = isinstance(fact.hidden, ZoneSymbol)
            visible = "; the number of pieces is always visible: `count …`, `… is empty`" if numbers else ""
            helps = [
                f"test only what the acting seat sees{visible}",
                "or move the test into an `if` after the decision: effects may depend on secrets",
                "or let the acting seat see it: `seen by …`",
            ]
            message = f"{source} {_would(fact, 'me')} tell the acting seat about {what}"
            self._report("E0606", message, node, fact, "me", helps)

    def existence(self, node: ast.Node, offer: str, facts: frozenset[Fact], duty: ast.Duty = "may") -> None:
        """Check what decides whether something is offered at all, which everyone learns; `offer` describes it."""
        helps = [f"write `{duty} secretly …`: then no other seat learns that it was offered"]
        for fact, what in _hidden(facts, "all"):
            message = f"offering {offer} {_would(fact, 'all')} tell everyone about {what}"
            self._report("E0602", message, node, fact, "all", helps)

    def silence(self, node: ast.Question, facts: frozenset[Fact], effect: ast.Statement) -> None:
        """Warn of a secret question that is missed by everyone if it is not asked, as `effect` then happens at once."""
        offer = "this choice" if isinstance(node, ast.Choose) else f"`{node.acts[0].name}`"
        fact, what = _hidden(facts, "all")[0]
        message = f"everyone sees whether {offer} is offered, which {_would(fact, 'all')} tell them about {what}"
        helps = [
            "let the same seat decide something that all may see before anything happens: `must … or pass`",
            "or let it happen before the question",
        ]
        labels = [Label(effect.span, "if nobody is asked, this happens at once")]
        self.context.error("E0614", message, node, helps, labels, "warning", causes=kept_secret(fact.hidden))

    def text(self, text: ast.Text, env: Env, learner: Learner, secret: Iterable[LocalSymbol] = ()) -> None:
        """Check a text with interpolated values; others do not read the parts that mention a secret argument."""
        masked = set(secret)
        for part in text.parts:
            if not isinstance(part, str):
                mentions_secret = any(self._mentions(part, symbol) for symbol in masked)
                self.tell(part, self.taint.value(part, env).facts, "me" if mentions_secret else learner)

    def beyond_piece(self, text: ast.Text, env: Env, named: Env, masked: Iterable[LocalSymbol]) -> None:
        """Check what a label reveals beyond the piece itself; `named` is what is known once the piece is named."""
        for part in text.parts:
            if isinstance(part, str) or any(self._mentions(part, symbol) for symbol in masked):
                continue
            facts = self.taint.value(part, env).facts - self.taint.value(part, named).facts
            for fact, what in _hidden(facts, "all"):
                helps = [
                    "write `secret` before the parameter: others then read `…` here",
                    "or name only the piece itself, `{c}`: each seat reads only what it may see of it",
                    "or move it through a zone that everyone sees: `move c to shown`",
                ]
                message = f"this label tells everyone about {what}, although the piece stays hidden"
                self._report("E0603", message, part, fact, "all", helps, sure=False)

    def _mentions(self, part: ast.Expression, symbol: LocalSymbol) -> bool:
        return any(self.context.model.refers.get(node.number) is symbol for node in part.walk())

    def tell(
        self, node: ast.Node, facts: frozenset[Fact], learner: Learner, source: str = "this text", reader: str = ""
    ) -> None:  # fmt: skip
        """Check a text, whose readers learn what it says; `source` describes it, `reader` the only seat to read it."""
        whom = reader or ("everyone" if learner == "all" else "the acting seat")
        for fact, what in _hidden(facts, learner):
            helps = ["let the move reveal it instead: set a note that everyone sees"]
            if isinstance(fact.hidden, ZoneSymbol):
                helps = [
                    "name the piece itself, `{c}`: each seat reads only what it may see of it",
                    "or let the move reveal it instead: move the piece to a zone that everyone sees",
                ]
            message = f"{source} {_would(fact, learner)} tell {whom} about {what}"
            self._report("E0607", message, node, fact, learner, helps)

    def recorded(self, node: ast.Record, env: Env) -> None:
        """Check what is recorded: all seats see it, so that they agree on how often a position has occurred."""
        name = node.target.name
        for fact, what in _hidden(self.taint.value(node.target, env).facts, "all"):
            helps = [
                f"let `{name}` consist of what everyone sees: the number of pieces, attributes that all see",
                "or let everyone see it: `seen by all`",
            ]
            message = f"recording `{name}` {_would(fact, 'all')} remember {what}, which not everyone sees"
            self._report("E0613", message, node, fact, "all", helps)

    def tables(self) -> None:
        """Check tables: a hidden zone may be shown itself (as backs), but nothing derived from its pieces."""
        for table in self.context.model.tables:
            for part in table.title.parts:
                if not isinstance(part, str):
                    self._show(part, Env())
            env = Env()
            for binder in table.binders:
                env = self._shown(binder.domain, binder, env)
            env = self._cut(table.where, env)
            for column in table.columns:
                column_env = env if column.domain is None else self._shown(column.domain, column, env)
                self._show(column.value, self._cut(column.where, column_env))

    def _shown(self, domain: ast.Expression, node: ast.Binder | ast.Column, env: Env) -> Env:
        """Facts known where a table iterates over a domain."""
        self._show(domain, env)
        return self.taint.one_of(self.local(node), self.taint.value(domain, env), domain, env)

    def _cut(self, where: ast.Expression | None, env: Env) -> Env:
        """Facts known where the condition of a table holds."""
        if where is None:
            return env
        self._show(where, env)
        return self.taint.where(where, env, True)

    def _show(self, node: ast.Expression, env: Env) -> None:
        for fact, what in _hidden(self.taint.value(node, env).facts, "me"):
            zone = f"{fact.hidden.name}{'[…]' if getattr(fact.hidden, 'index', ()) else ''}"
            helps = [f"show `{zone}` itself, where hidden pieces appear as backs, or `count {zone}`"]
            if isinstance(fact.hidden, NoteSymbol):
                helps = ["remove it: a note is shown anyway to the seats that may see it"]
            self._report("E0601", f"this table {_would(fact, 'me')} show everyone {what}", node, fact, "me", helps)

    def _report(
        self, code: str, message: str, node: ast.Node, fact: Fact, learner: Learner, helps: list[str], sure: bool = True
    ) -> None:
        """Report a leak, with labels where the secret is read and where its visibility is declared."""
        sure = sure and (fact.seen.me if learner == "me" else fact.seen.all) == "unseen"
        where, labels = node.span, []
        if fact.node.span.is_inside(where) and code != "E0602":
            where = fact.node.span
        elif not isinstance(fact.hidden, LocalSymbol):
            labels.append(Label(fact.node.span, f"`{fact.hidden.name}` is read here"))
        if fact.hidden.node is not None:
            labels.append(Label(fact.hidden.node.span, _seen_by(fact)))
        if not sure and code != "E0603":
            helps = [*_testing_first(fact), *helps]
        helps = [*helps, *_no_secret(fact)]
        severity: Severity = "error" if sure else "warning"
        self.context.error(code, message, where, helps, labels, severity, causes=kept_secret(fact.hidden))


def hidden_from_some(facts: frozenset[Fact]) -> bool:
    """True if some seat may not know all of these secrets."""
    return bool(_hidden(facts, "all"))


def _hidden(facts: frozenset[Fact], learner: Learner) -> list[tuple[Fact, str]]:
    """The most certain fact about each secret that the learner may not know, with a description of the secret."""
    # One report for each secret, with the most certain of its facts: that a card is certainly not seen makes an error,
    # and a warning for another attribute of it would add nothing.
    facts_by_name: dict[str, tuple[Fact, str]] = {}
    for fact in sorted(facts, key=_sort_key):
        sight = fact.seen.me if learner == "me" else fact.seen.all
        what = _described(fact)
        if sight == "unseen" or (sight == "maybe" and fact.hidden.name not in facts_by_name):
            earlier = facts_by_name.get(fact.hidden.name)
            if earlier is None or sight != (earlier[0].seen.me if learner == "me" else earlier[0].seen.all):
                facts_by_name[fact.hidden.name] = fact, what
    return list(facts_by_name.values())


def _described(fact: Fact) -> str:
    """The secret of a fact in words."""
    match fact.hidden:
        case LocalSymbol(name=name):
            return f"the secret argument `{name}`"
        case NoteSymbol(name=name):
            return f"the note `{name}`"
        case ZoneSymbol(name=name) if fact.attribute is not None:
            return f"the `{fact.attribute}` of pieces in `{name}`"
        case ZoneSymbol():
            return f"the pieces in `{fact.hidden.name}`"
        case _ as never:
            assert_never(never)


def _would(fact: Fact, learner: Learner) -> str:
    """How certain it is that the learner does not know a secret."""
    return "would" if (fact.seen.me if learner == "me" else fact.seen.all) == "unseen" else "might"


def _sort_key(fact: Fact) -> tuple[object, ...]:
    """Sort key of a fact, independent of the iteration order of sets."""
    span, declared = fact.node.span, fact.hidden.node.span if fact.hidden.node is not None else None
    where = (declared.source.name, declared.start) if declared is not None else ("", 0)
    seen = fact.seen
    return span.source.name, span.start, span.end, *where, fact.hidden.name, fact.attribute or "", seen.me, seen.all


def _testing_first(fact: Fact) -> list[str]:
    """Suggest reading a secret only where it is visible, if a condition decides that."""
    if isinstance(fact.hidden, LocalSymbol):
        return []
    viewers = [sight.viewers for sight in fact.hidden.declaration.sights if sight.attribute in (fact.attribute, None)]
    conditions = [
        node.condition.span.text for seats in viewers for node in seats.walk() if isinstance(node, ast.Either)
    ]
    return [f"read it only where it is visible: test `{conditions[0]}` first, as `seen by` does"] if conditions else []


def _no_secret(fact: Fact) -> list[str]:
    """Suggest showing a note that may be hidden only to keep it out of the log."""
    if not isinstance(fact.hidden, NoteSymbol) or not fact.hidden.declaration.is_seen_by_nobody:
        return []
    return [f"if `{fact.hidden.name}` is no secret, remove `seen by nobody` and give it a name for the log in `names:`"]


def _seen_by(fact: Fact) -> str:
    """Description of the seats that see a secret, quoted from its declaration."""
    if isinstance(fact.hidden, LocalSymbol):
        return f"`{fact.hidden.name}` is secret"
    sights = {sight.attribute: sight.viewers for sight in fact.hidden.declaration.sights}
    viewers = sights.get(fact.attribute, sights.get(None))
    words = viewers.span.text if viewers is not None else "all"
    what = fact.attribute if fact.attribute is not None and fact.attribute in sights else fact.hidden.name
    return f"`{what}` is `seen by {words}`"
