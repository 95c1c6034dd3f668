"""What is told, shown or offered depends on nothing that those who learn of it may not know.

The rules are gone through in the order of play, steps where they are done and actions where they are offered, with what
is known there of every name. Of what is asked of a seat, that seat must see everything it depends on: requirements,
what arguments and choices are taken from, reasons. Labels and the reasons of additions are told to all, and so is the
fact that somebody may do something, unless it is offered `secretly`. What happens may depend on secrets: to act on
them openly is how rules reveal them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from dsl import ast
from dsl.check.context import Context
from dsl.check.handfuls import taken_from
from dsl.check.knowing import Knowing
from dsl.check.knowledge import EVERY_SEAT, NOTHING_SECRET, Env, Fact, Known, Seen, together
from dsl.check.secrecy import laid_open
from dsl.diagnostics import Label
from dsl.span import Span
from dsl.symbols import LocalSymbol, NoteSymbol, RuleSymbol, ZoneSymbol
from dsl.types import PLAYER, PieceType, Several, bare

Learner = Literal["me", "all"]
"""Who learns something: the seat that acts, or every seat."""

NO_SECRETS: frozenset[Fact] = frozenset()


def leaks(context: Context) -> None:
    """Report what gives a secret away."""
    found = Leaks(context)
    found.tables()
    while True:  # until it is known what is written into the notes that nobody sees
        before = dict(found.knowing.written)
        found.course()
        if found.knowing.written == before:
            break
        found.begin_again()
    found.reporting = True
    found.begin_again()
    found.course()


class Leaks:
    """Goes through the rules."""

    def __init__(self, context: Context) -> None:
        self.context, self.knowing = context, Knowing(context)
        self.reporting = False
        self.done: dict[object, Env] = {}
        self.visited: set[str] = set()

    def begin_again(self) -> None:
        """Forget what has been looked at."""
        self.done.clear()
        self.visited.clear()
        self.knowing.forget()

    def course(self) -> None:
        """The set-up, the phases and the reactions."""
        model = self.context.model
        self._block(model.setup, Env(), NO_SECRETS)
        waiting = list(model.course)
        while waiting:
            phase = waiting.pop(0)
            self._block(phase.body, Env(), NO_SECRETS)
            waiting += phase.phases
        for when in model.whens:
            env = Env({parameter: _any(parameter) for parameter in when.parameters})
            self._block(when.declaration.body, env, NO_SECRETS)
        for rule in sorted(model.rules.values(), key=lambda rule: rule.is_action):  # what nothing leads to
            if rule.name not in self.visited and rule.is_action:
                self._action(rule, Env(), 0)
            elif rule.name not in self.visited:
                env = Env({parameter: _any(parameter) for parameter in rule.parameters})
                self._block(rule.declaration.body, env, NO_SECRETS)

    # ------------------------------------------------------------ statements

    def _block(self, statements: Iterable[ast.Statement], env: Env, asked: frozenset[Fact]) -> Env:
        """Statements one after the other; `asked` are the secrets that decide whether they happen."""
        for statement in statements:
            env = self._statement(statement, env, asked)
        return env

    def _statement(self, node: ast.Statement, env: Env, asked: frozenset[Fact]) -> Env:
        knowing = self.knowing
        match node:
            case ast.Move():
                return self._move(node, env)
            case ast.SetTo() | ast.Add() | ast.Remove():
                return self._write(node, env, asked)
            case ast.Let():
                return env.bind(self._local(node), knowing.value(node.value, env))
            case ast.Do():
                return self._step(node.act, env, asked)
            case ast.Decide():
                self._decide(node, env, asked)
            case ast.Choose():
                return self._choose(node, env, asked)
            case ast.If():
                decided = asked | knowing.value(node.condition, env).facts
                then = self._block(node.then, knowing.where(node.condition, env, True), decided)
                otherwise = self._block(node.otherwise, knowing.where(node.condition, env, False), decided)
                return then.joined(otherwise)
            case ast.ForEach():
                _, inner, facts = knowing.through(node.binders, node.where, env)
                return self._loop(node.body, env, inner, asked | facts)
            case ast.EachPlayer():
                inner = env.later()
                if node.where is not None:
                    inner = knowing.where(node.where, inner, True)
                return self._loop(node.body, env, inner, Known(asked).later().facts).later()
            case ast.Repeat():
                asked |= self._bound(node.bound, env)
                return self._loop(node.body, env, env, asked)
            case _:
                pass
        return env

    def _loop(self, body: Iterable[ast.Statement], env: Env, inner: Env, asked: frozenset[Fact]) -> Env:
        after = inner.joined(self._block(body, inner, asked))
        if after != inner:
            after = inner.joined(self._block(body, after, asked))
        return env.joined(after)

    def _bound(self, node: ast.Bound | None, env: Env) -> frozenset[Fact]:
        if node is None or node.condition is None:
            return NO_SECRETS
        return self.knowing.value(node.condition, env).facts

    def _move(self, node: ast.Move, env: Env) -> Env:
        """A piece with a name lies in another zone from then on."""
        symbol, zone = (self.context.model.refers.get(part.number) for part in (node.what, node.target))
        if node.source is not None or not isinstance(symbol, LocalSymbol) or not isinstance(zone, ZoneSymbol):
            return env
        target = self.knowing.value(node.target, env)
        return env.bind(symbol, Known(env.names.get(symbol, NOTHING_SECRET).facts, target.sources))

    def _write(self, node: ast.SetTo | ast.Add | ast.Remove, env: Env, asked: frozenset[Fact]) -> Env:
        value, target = self.knowing.value(node.value, env), self.context.model.refers.get(node.target.number)
        if isinstance(target, LocalSymbol):
            return env.bind(target, together((env.names.get(target, NOTHING_SECRET), value)))
        if not isinstance(target, NoteSymbol):
            return env
        index = [self.knowing.value(at, env) for at in getattr(node.target, "arguments", ())]
        facts = asked | value.facts | self.knowing.which(value, node.value, env)
        facts |= {fact for at in index for fact in at.facts}
        self.knowing.written[target] = self.knowing.written.get(target, NO_SECRETS) | facts
        if isinstance(node, ast.Add) and node.because is not None:
            sight = self.knowing.seen(target, [at.seat for at in index], None, env.lookers)
            self._text(node.because, env, "all" if sight.all == "seen" else "me")
        return env

    # ------------------------------------------------------------ steps and questions

    def _step(self, act: ast.Act, env: Env, asked: frozenset[Fact]) -> Env:
        """A step with its arguments; the pieces it moves under another name have moved here as well."""
        rule = self.context.model.rules[act.name]
        self.visited.add(rule.name)
        given = [self.knowing.value(argument, env) for argument in act.arguments]
        given = self.knowing.widened(rule, [*given, Known(asked)])
        inner = Env(dict(zip(rule.parameters, given, strict=False)))
        key = (rule, *given)
        if key not in self.done:
            self.done[key] = self._block(rule.declaration.body, inner, given[-1].facts)
        after = self.done[key]
        for parameter, argument in zip(rule.parameters, act.arguments, strict=False):
            symbol = self.context.model.refers.get(argument.number)
            if isinstance(symbol, LocalSymbol) and after.names[parameter].sources != inner.names[parameter].sources:
                env = env.bind(symbol, after.names[parameter])
        return env

    def _given(self, rule: RuleSymbol, act: ast.Act, env: Env) -> Env:
        """The parameters that arguments are given for."""
        given = [self.knowing.value(argument, env) for argument in act.arguments]
        given = self.knowing.widened((rule, len(given)), given)
        return Env(dict(zip(rule.parameters, given, strict=False)))

    def _decide(self, node: ast.Decide, env: Env, asked: frozenset[Fact]) -> None:
        for act in (*node.acts, *node.otherwise):
            rule = self.context.model.rules[act.name]
            inner = self._given(rule, act, env)
            for argument in act.arguments:
                self._offered(argument, self.knowing.value(argument, env).facts)
            facts = self._bound(node.bound, env) | asked | self._action(rule, inner, len(act.arguments))
            if node.duty == "may" and not node.secretly:
                self._asked(act, f"whether `{act.name}` is possible", facts)

    def _action(self, rule: RuleSymbol, env: Env, given: int) -> frozenset[Fact]:
        """What an offered action asks and tells; the secrets that decide whether it is possible."""
        self.visited.add(rule.name)
        facts: frozenset[Fact] = frozenset().union(*(known.facts for known in env.names.values()))
        for place, parameter in enumerate(rule.declaration.parameters[given:], given):
            known = _any(rule.parameters[place])
            if parameter.domain is not None:
                domain = self.knowing.value(parameter.domain, env)
                self._offered(parameter.domain, domain.facts)
                facts |= domain.facts
                known = Known(sources=domain.sources, seat=domain.seat)
            if parameter.secret and not known.sources:
                known = Known(frozenset({Fact(rule.parameters[place], None, Seen("seen", "unseen"), parameter)}))
            env = env.bind(rule.parameters[place], known)
        self._label(rule, env, given)
        for require, at in self._binding(rule, env):
            known = self.knowing.value(require.condition, at)
            self._offered(require.condition, known.facts)
            self._text(require.reason, at, "me")
            facts |= known.facts
        taken = self.knowing.widened(rule, [env.names[parameter] for parameter in rule.parameters])
        key = (rule, *taken)
        if key not in self.done:
            self.done[key] = self._block(
                rule.declaration.body, Env(dict(zip(rule.parameters, taken, strict=True))), NO_SECRETS
            )
        return facts

    def _binding(
        self, rule: RuleSymbol, env: Env, seen: set[object] | None = None
    ) -> Iterator[tuple[ast.Require, Env]]:
        """The requirements of an action, and those of the steps it does before anybody decides anything."""
        seen = set() if seen is None else seen
        for require in rule.declaration.requires:
            yield require, env
            env = self.knowing.where(require.condition, env, True)
        for statement in rule.declaration.body:
            if isinstance(statement, ast.Decide | ast.Choose):
                return
            if isinstance(statement, ast.Let):
                env = env.bind(self._local(statement), self.knowing.value(statement.value, env))
            if isinstance(statement, ast.Do):
                step = self.context.model.rules[statement.act.name]
                inner = self._given(step, statement.act, env)
                key = (step, *(inner.names[parameter] for parameter in step.parameters))
                if key not in seen:
                    seen.add(key)
                    yield from self._binding(step, inner, seen)

    def _label(self, rule: RuleSymbol, env: Env, given: int) -> None:
        """What a move is called is told to all; what it names openly has been told by that."""
        declaration = rule.declaration
        assert isinstance(declaration, ast.Action)
        secret: set[LocalSymbol] = set()
        chosen = zip(rule.parameters[given:], declaration.parameters[given:], strict=True)
        for symbol, parameter in chosen:
            if parameter.secret:
                secret.add(symbol)
            elif _plainly_taken(self.context, parameter) or laid_open(self.context, declaration, parameter):
                env = env.bind(symbol, env.names[symbol].told())
        if declaration.label is not None:
            self._text(declaration.label, env, "all", secret)
            return
        for symbol in rule.parameters[:given]:
            if env.names[symbol].facts and symbol.node is not None:
                self._tell(symbol.node, env.names[symbol].facts, "all")

    def _choose(self, node: ast.Choose, env: Env, asked: frozenset[Fact]) -> Env:
        domain = self.knowing.value(node.domain, env)
        self._offered(node.domain, domain.facts)
        facts = domain.facts | asked
        inner = env.bind(self._local(node), Known(sources=domain.sources, seat=domain.seat))
        if node.where is not None:
            where = self.knowing.value(node.where, inner).facts
            self._offered(node.where, where)
            facts |= where
        if node.duty == "may" and not node.secretly:
            self._asked(node, "whether there is something to choose", facts)
        return inner

    def _local(self, node: ast.Node) -> LocalSymbol:
        symbol = self.context.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol

    # ------------------------------------------------------------ what is told to whom

    def _offered(self, node: ast.Expression, facts: frozenset[Fact]) -> None:
        """What is legal is learned by who is asked."""
        helps = [
            "how many pieces lie somewhere all see: `count …`, `… is empty`",
            "what happens may depend on it: put an `if` into the move",
            "or let who is asked see it: `seen by …`",
        ]
        for fact, what in _hidden(facts, "me"):
            self._report("E0606", f"what is offered here tells who is asked about {what}", node, fact, "me", helps)

    def _asked(self, node: ast.Node, what: str, facts: frozenset[Fact]) -> None:
        """That a question is put is learned by all."""
        helps = ["write `may secretly …`, then nobody knows that the question was put"]
        for fact, _ in _hidden(facts, "all"):
            message = f"{what} tells something about `{fact.hidden.name}`, which not all see"
            self._report("E0602", message, node, fact, "all", helps)

    def _text(self, text: ast.Text, env: Env, learner: Learner, secret: Iterable[LocalSymbol] = ()) -> None:
        """Words with values in them; what speaks of a secret argument is left out for the others."""
        masked = set(secret)
        for part in text.parts:
            if not isinstance(part, str):
                own = any(self.context.model.refers.get(inner.number) in masked for inner in part.walk())
                self._tell(part, self.knowing.value(part, env).facts, "me" if own else learner)

    def _tell(self, node: ast.Node, facts: frozenset[Fact], learner: Learner) -> None:
        whom = "everybody" if learner == "all" else "who is asked"
        helps = [
            "a piece by itself is shown to each as far as it may be seen: `{c}`",
            "or let the move show it: what is moved to an open zone, or set in an open note, is no secret",
        ]
        for fact, what in _hidden(facts, learner):
            self._report("E0607", f"this would tell {whom} about {what}", node, fact, learner, helps)

    def tables(self) -> None:
        """A table shows a hidden zone only as it is (backs are drawn), never what a look into it would tell."""
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
        """What is known where a table goes through this."""
        self._show(domain, env)
        return env.bind(self.context.model.refers.get(node.number), self.knowing.value(domain, env))

    def _cut(self, where: ast.Expression | None, env: Env) -> Env:
        """What is known where the condition of a table holds."""
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

    def _report(self, code: str, message: str, node: ast.Node, fact: Fact, learner: Learner, helps: list[str]) -> None:
        """Report a leak with the place that is read and the one that says who sees it."""
        if not self.reporting:
            return
        sure = (fact.seen.me if learner == "me" else fact.seen.all) == "unseen"
        where, labels = node.span, []
        if _inside(fact.node.span, where) and code != "E0602":
            where = fact.node.span
        elif not isinstance(fact.hidden, LocalSymbol):
            labels.append(Label(fact.node.span, f"`{fact.hidden.name}` is read here"))
        if fact.hidden.node is not None:
            labels.append(Label(fact.hidden.node.span, _seen_by(fact)))
        self.context.error(code, message, where, helps, labels, severity="error" if sure else "warning")


def _hidden(facts: frozenset[Fact], learner: Learner) -> list[tuple[Fact, str]]:
    """One fact of each hidden thing that the learner may not know, the surest, with its name in words."""
    found: dict[str, tuple[Fact, str]] = {}
    for fact in sorted(facts, key=lambda fact: (fact.node.span.start, fact.attribute or "")):
        sight = fact.seen.me if learner == "me" else fact.seen.all
        what = f"`{fact.hidden.name}`" if fact.attribute is None else f"`{fact.attribute}` in `{fact.hidden.name}`"
        if sight == "unseen" or (sight == "maybe" and fact.hidden.name not in found):
            before = found.get(fact.hidden.name)
            if before is None or sight != (before[0].seen.me if learner == "me" else before[0].seen.all):
                found[fact.hidden.name] = fact, what
    return list(found.values())


def _seen_by(fact: Fact) -> str:
    """Who sees it, in the words of its declaration."""
    if isinstance(fact.hidden, LocalSymbol):
        return f"`{fact.hidden.name}` is secret"
    sights = {sight.attribute: sight.viewers for sight in fact.hidden.declaration.sights}
    viewers = sights.get(fact.attribute, sights.get(None))
    words = viewers.span.text if viewers is not None else "all"
    what = f"`{fact.attribute}`" if fact.attribute is not None and fact.attribute in sights else "this"
    return f"{what} is seen by {words}"


def _inside(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end


def _any(symbol: LocalSymbol) -> Known:
    """What is known of a value that can be any of its type."""
    return EVERY_SEAT if bare(symbol.type) == PLAYER else NOTHING_SECRET


def _plainly_taken(context: Context, parameter: ast.Parameter) -> bool:
    """Whether an argument is no piece, or one of all the pieces of a zone."""
    symbol = context.model.refers.get(parameter.number)
    core = bare(symbol.type) if isinstance(symbol, LocalSymbol) else None
    core = core.element if isinstance(core, Several) else core
    domain = taken_from(parameter.domain) if parameter.domain is not None else None
    zone = context.model.refers.get(domain.number) if domain is not None else None
    return not isinstance(core, PieceType) or isinstance(zone, ZoneSymbol)
