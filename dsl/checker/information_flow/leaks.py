"""The leak check: nothing that is announced, shown or offered depends on secrets of those who learn of it.

The problem, with the smallest example: ::

    zone hand[p: Player] holds Card, seen by p
    …
    may lay_a_king                     # E0602: everyone sees that it is offered, hence that there is a king
    action lay_a_king:
        require hand[me] of king is not empty because "you have no king"
        move hand[me] of king to row

No rule here shows a card, and still the others learn one. A seat that makes a decision must see everything that decides
its legal moves: requirements, the domains of parameters and choices, reasons. Labels and the reasons of additions are
announced to all, and so is the fact that a seat may do something, unless it is offered `secretly`. Effects may depend
on secrets: acting on them openly is how rules reveal them.

The idea: the rules are traversed once in the order of play, steps where they are called and actions where they are
offered. On the way an `Env` says what is known of every name: the secrets its value depends on (`Fact`), the zones its
pieces lie in, the seat it is, and the conditions that hold. At each point at which somebody learns something, the facts
of the expression are compared with what that reader may see, and `leak_reports.py` reports the difference.

Before: the model is typed and has no errors, steps do not call each other in a cycle, and definitions are not nested
too deeply. After: all diagnostics E0601 to E0614 are recorded, and nothing else in the model has changed except
`unsure_choices`.

Where it may err: what is unknown counts as *maybe* seen, which is a warning; beyond the limits `MAX_TERMS`,
`MAX_EVALUATIONS` and `MAX_ARGUMENT_LISTS` conditions and arguments are forgotten, so that a secret is reported which a
condition opens. It misses a secret of a piece that a note names and that may lie in the open (`Taint._noted`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import Changes
from dsl.checker.flow.endings import symbols_read
from dsl.checker.information_flow.choices import choice_among_pieces, decisions_in_loop, pieces_required
from dsl.checker.information_flow.facts import (
    EVERY_SEAT,
    MYSELF,
    NOTHING_SECRET,
    CallFacts,
    Env,
    Fact,
    Known,
    Seen,
    together,
)
from dsl.checker.information_flow.hidden_order import order_of_loop, order_of_move, shuffled_later
from dsl.checker.information_flow.leak_reports import LeakReporter, hidden_from_some
from dsl.checker.information_flow.unasked import Unasked
from dsl.checker.logic.terms import ME, UNKNOWN, Term, negated, same
from dsl.checker.types.sets import taken_from
from dsl.symbols import BuiltinSymbol, DieSymbol, LocalSymbol, NoteSymbol, RuleSymbol, WhenSymbol, ZoneSymbol
from dsl.types import PLAYER, PieceType, Several, bare

NO_SECRETS: frozenset[Fact] = frozenset()


def leaks(context: Context) -> None:
    """Report whatever reveals a secret."""
    check = LeakCheck(context)
    reported = len(context.diagnostics)
    # A note `seen by nobody` is as secret as what is written to it, and a rule may read it before the traversal reaches
    # the rule that writes it: `must name(marker)` in a phase, `set marker to top(deck).suit` in a later reaction. Then
    # the read was judged as if the note held no secret, and all is judged again with what was written.
    # INVARIANT: `learned` only grows, and there are finitely many notes, secrets and names, so this ends. Rules without
    # such notes, and without a condition that was ignored too early, need one round.
    while True:
        learned_before = check.taint.learned
        check.course()
        if check.taint.learned == learned_before:
            break
        del context.diagnostics[reported:]  # computed with incomplete taint
        check.begin_again()
    check.unasked()
    # Tables come last: they show notes, so they must be judged with everything that is ever written to them.
    check.taint.forget()
    check.tables()
    context.model.open_notes = frozenset(
        name
        for name, note in context.model.notes.items()
        if note.declaration.is_seen_by_nobody and not check.taint.written.get(note)
    )


class LeakCheck(LeakReporter):
    """Traverses the rules in the order of play.

    `env_after_call` remembers, for a rule and the facts of a call, what is known after its body, so that a step is
    examined once for each different call and not once for each path that leads to it. `visited` are the rules that
    something calls or offers. `meanwhile` maps the question of an `each player at once` to what may change between the
    answer and its effects. `secret` collects the questions asked `secretly`, with what decides whether they are asked.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.changes = Changes(context)
        self.shuffled = shuffled_later(context)
        self.env_after_call: dict[object, Env] = {}
        self.visited: set[str] = set()
        self.meanwhile: dict[int, frozenset[object]] = {}
        self.secret: dict[int, tuple[ast.Question, frozenset[Fact]]] = {}

    def begin_again(self) -> None:
        """Forget what has been examined."""
        self.env_after_call.clear()
        self.visited.clear()
        self.secret.clear()
        self.taint.forget()

    def course(self) -> None:
        """Check the setup, the phases and the reactions."""
        model = self.context.model
        self._block(model.setup, Env(), NO_SECRETS)
        waiting = [(phase, NO_SECRETS) for phase in model.course]
        while waiting:
            phase, deciding = waiting.pop(0)
            deciding |= self._turns(phase)
            self._block(phase.body, Env(), deciding)
            waiting += [(inner, deciding) for inner in phase.phases]
        for when in model.whens:
            env = Env({parameter: _any(parameter) for parameter in when.parameters})
            self._block(when.declaration.body, env, self._trigger(when))
        for rule in sorted(model.rules.values(), key=lambda rule: rule.is_action):  # including rules that nothing calls
            if rule.name not in self.visited and rule.is_action:
                self._action(rule, Env(), 0)
            elif rule.name not in self.visited:
                env = Env({parameter: _any(parameter) for parameter in rule.parameters})
                self._block(rule.declaration.body, env, NO_SECRETS)

    def _turns(self, phase: ast.Phase) -> frozenset[Fact]:
        """The secrets that decide who has turns in a phase, in which order and how often."""
        parts = [phase.first, phase.last, *(condition for _, condition in phase.ends)]
        return self._deciding(Env(), phase.backwards, *parts)

    def _deciding(self, env: Env, direction: ast.Backwards | None, *parts: ast.Expression | None) -> frozenset[Fact]:
        parts = parts if direction is None else (direction.condition, *parts)
        return NO_SECRETS.union(*(self.taint.value(part, env).facts for part in parts if part is not None))

    def _trigger(self, when: WhenSymbol) -> frozenset[Fact]:
        """The secrets that decide whether a reaction happens: a question that it asks may tell them."""
        define = self.context.model.defines[when.name]
        env = Env({parameter: _any(parameter) for parameter in define.parameters})
        facts: frozenset[Fact] = frozenset()
        for case in define.declaration.cases:
            case_env = env
            if case.condition is not None:
                facts |= self.taint.value(case.condition, env).facts
                case_env = self.taint.where(case.condition, env, True)
                env = self.taint.where(case.condition, env, False)
            facts |= self.taint.value(case.value, case_env).facts
        return facts

    def unasked(self) -> None:
        """Check what follows secret questions: it must not show that nobody was asked."""
        following = Unasked(self.context) if self.secret else None
        for node, facts in self.secret.values():
            visible_effect = following.shown_by(node) if following is not None else None
            if visible_effect is not None:
                self.silence(node, facts, visible_effect)

    def _in_secret(self, node: ast.Question, reasons: Iterable[frozenset[Fact]]) -> None:
        """Remember the secrets that decide whether a secret question is asked; `reasons` are those of each act.

        None if one of the acts is possible for reasons that all see.
        """
        reasons = list(reasons)
        if node.secretly and node.number not in self.meanwhile and all(map(hidden_from_some, reasons)):
            earlier_facts = self.secret.get(node.number, (node, NO_SECRETS))[1]
            self.secret[node.number] = node, earlier_facts.union(*reasons)

    # ------------------------------------------------------------ statements

    def _block(self, statements: Iterable[ast.Statement], env: Env, deciding: frozenset[Fact]) -> Env:
        """Check a block of statements; `deciding` are the secrets that decide whether it runs.

        INVARIANT: every write and every question inside counts `deciding` among its own secrets. A note that is set in
        `if top(deck) is red:` tells as much as one that is set to the suit (an implicit flow).
        """
        for statement in statements:
            env = self._statement(statement, env, deciding)
        return env

    def _statement(self, node: ast.Statement, env: Env, deciding: frozenset[Fact]) -> Env:
        """Facts known after a statement; only a block inside it removes those that no longer hold."""
        match node:
            case ast.Move():
                order_of_move(self.taint, node, env, self.shuffled)
                return self._move(node, env)
            case ast.SetTo() | ast.Add() | ast.Remove():
                return self._write(node, env, deciding)
            case ast.Let():
                value, term = self.taint.value(node.value, env), self.taint.term(node.value, env)
                symbol = self.local(node)
                return self.taint.named(symbol, term, env.bind(symbol, value))
            case ast.Do():
                return self._step(node.act, env, deciding).changed(self.changes.by([node]))
            case ast.Decide():
                return self._decide(node, env, deciding)
            case ast.Choose():
                return self._choose(node, env, deciding)
            case ast.If() | ast.ForEach() | ast.EachPlayer() | ast.Repeat():
                return self._nested(node, env, deciding)
            case ast.Record():
                self.recorded(node, env)
                return env.changed(self.changes.by([node]))
            case ast.Pick():
                return self._pick(node, env)
            case ast.Shuffle() | ast.Roll():
                return env.changed(self.changes.by([node]))
            case ast.Tell():
                self._announcement(node, env)
                return env
            case ast.EndGame():
                return env
            case _ as never:
                assert_never(never)

    def _nested(self, node: ast.If | ast.Loop, env: Env, deciding: frozenset[Fact]) -> Env:
        """Check a statement that contains others."""
        taint = self.taint
        match node:
            case ast.If():
                branch_deciding = deciding | taint.value(node.condition, env).facts
                then = self._block(node.then, taint.where(node.condition, env, True), branch_deciding)
                otherwise = self._block(node.otherwise, taint.where(node.condition, env, False), branch_deciding)
                return then.joined(otherwise)
            case ast.ForEach():
                _, body_env, facts = taint.iterate(node.binders, node.where, env)
                env = env.changed(self.changes.by(node.body))
                # The condition may hold only when the loop begins: what the body changes is unknown in it.
                body_env = body_env.changed(self.changes.by(node.body))
                decisions_in_loop(taint, node, body_env)
                order_of_loop(taint, node, body_env, self.shuffled)
                return self._loop(node.body, env, body_env, deciding | facts)
            case ast.EachPlayer():
                deciding |= self._deciding(env, node.backwards, node.first, node.last, node.where)
                env = env.changed(self.changes.by(node.body))
                body_env = env.later()
                if node.where is not None:
                    body_env = taint.where(node.where, body_env, True).changed(self.changes.by(node.body))
                if node.at_once:  # between a choice and what it does, others may do what they chose
                    self.meanwhile[node.body[0].number] = self.changes.by(node.body)
                return self._loop(node.body, env, body_env, Known(deciding).later().facts).later()
            case ast.Repeat():
                env = env.changed(self.changes.by(node.body))
                deciding |= self._bound(node.bound, env)
                body_env = env if node.bound.condition is None else taint.where(node.bound.condition, env, True)
                return self._loop(node.body, env, body_env, deciding)

    def _loop(self, body: Iterable[ast.Statement], env: Env, body_env: Env, deciding: frozenset[Fact]) -> Env:
        """Check a loop body until another iteration teaches nothing new; return what is known after the loop.

        `env` is what is known without any iteration, `body_env` at the beginning of the body. The callers have removed
        from both what the body changes, so only names that the body sets again can be known differently later. With
        `set a to b`, `set b to c`, `set c to top(deck).rank` a secret reaches `a` in the third iteration only.
        """
        at_start = body_env
        while True:
            # INVARIANT: each round only adds to what the last one knew (facts are joined, conditions intersected), so
            # this ends. Most bodies set no name and need one round, nearly all others two.
            later = at_start.joined(self._block(body, at_start, deciding))
            if later == at_start:
                return env.joined(later)
            at_start = later

    def _bound(self, node: ast.Bound | None, env: Env) -> frozenset[Fact]:
        if node is None or node.condition is None:
            return NO_SECRETS
        return self.taint.value(node.condition, env).facts

    def _move(self, node: ast.Move, env: Env) -> Env:
        """Track that a named piece lies in another zone from then on."""
        symbol, zone = (self.context.model.refers.get(part.number) for part in (node.what, node.target))
        env = env.changed(self.changes.by([node]))
        if node.source is not None or not isinstance(symbol, LocalSymbol) or not isinstance(zone, ZoneSymbol):
            return env
        target = self.taint.value(node.target, env)
        moved = Known(env.names.get(symbol, NOTHING_SECRET).facts, target.sources)
        env = env.learned(symbol, moved)
        on_top = node.position is None and zone.declaration.shape == "stack" and zone not in self.changes.reactions
        if on_top and isinstance(bare(symbol.type), PieceType):
            env = self.taint.named(symbol, Term("top", (self.taint.term(node.target, env),)), env)
        return env

    def _write(self, node: ast.Assignment, env: Env, deciding: frozenset[Fact]) -> Env:
        value, target = self.taint.value(node.value, env), self.context.model.refers.get(node.target.number)
        if isinstance(target, LocalSymbol):
            return env.bind(target, together((env.names.get(target, NOTHING_SECRET), value)))
        if not isinstance(target, NoteSymbol):
            return env
        index = [self.taint.value(at, env) for at in getattr(node.target, "arguments", ())]
        facts = deciding | value.facts | self.taint.identifying(value, node.value, env)
        facts |= {fact for at in index for fact in at.facts}
        self.taint.write(target, facts)
        if isinstance(node, ast.Add) and node.because is not None:
            terms = [self.taint.term(at, env) for at in getattr(node.target, "arguments", ())]
            sight = self.taint.observers.seen(target, [at.seat for at in index], terms, None, env)
            self.text(node.because, env, "all" if sight.all == "seen" else "me")
        return self._written(node, target, env)

    def _written(self, node: ast.Assignment, target: NoteSymbol, env: Env) -> Env:
        """Facts that hold once a note is set, unless a reaction may set it again."""
        term, value = self.taint.term(node.target, env), self.taint.term(node.value, env)
        env = env.changed(self.changes.by([node]))
        if target in self.changes.reactions or target in term.heads - {term.head} or target in value.heads:
            return env
        if isinstance(node, ast.SetTo):
            return self.taint.assume(env, same(term, value))
        if isinstance(target.type, Several) and not isinstance(
            self.context.model.types.get(node.value.number), Several
        ):
            membership = Term("in", (value, term))
            return self.taint.assume(env, membership if isinstance(node, ast.Add) else negated(membership))
        return env

    # ------------------------------------------------------------ steps and decisions

    def _step(self, act: ast.Act, env: Env, deciding: frozenset[Fact]) -> Env:
        """Check a step with its arguments; pieces it moves under a parameter's name have moved in the caller, too."""
        rule = self.context.model.rules[act.name]
        self.visited.add(rule.name)
        # The last argument holds the secrets that decide whether the step runs, which are part of the call.
        call = self.taint.widened(rule, self._arguments(rule, act, env, Known(deciding)))
        step_env = call.env(rule.parameters)
        if (rule, call) not in self.env_after_call:
            self.env_after_call[rule, call] = self._block(rule.declaration.body, step_env, call.arguments[-1].facts)
        env_after = self.env_after_call[rule, call]
        for parameter, argument in zip(rule.parameters, act.arguments, strict=False):
            symbol = self.context.model.refers.get(argument.number)
            moved = env_after.names[parameter].sources != step_env.names[parameter].sources
            if isinstance(symbol, LocalSymbol) and moved:
                env = env.learned(symbol, env_after.names[parameter].anywhere())
        return env

    def _arguments(self, rule: RuleSymbol, act: ast.Act, env: Env, *more: Known) -> CallFacts:
        """Bind the arguments of a step or action. What it moves and sets may change their terms."""
        values = [self.taint.value(argument, env) for argument in act.arguments]
        terms, call_env = [], env
        for parameter, argument in zip(rule.parameters, act.arguments, strict=False):
            term = self.taint.term(argument, env)
            if term.known and self._lasting(term):
                terms.append(term)
            else:
                # In `play(top(deck))` with `move c to bin` inside, `top(deck)` is another card than `c` after the move.
                # So the parameter is a term of its own, which equals the argument until something changes it.
                terms.append(Term(parameter))
                call_env = self.taint.named(parameter, term, call_env)
        return CallFacts((*values, *more), (*terms, *(UNKNOWN for _ in more)), call_env.truths)

    def _lasting(self, term: Term) -> bool:
        """True if a term keeps its value whatever is moved or set."""
        return not any(isinstance(head, ZoneSymbol | NoteSymbol | DieSymbol) for head in term.heads)

    def _env_of_call(self, rule: RuleSymbol, act: ast.Act, env: Env) -> Env:
        """Bind the parameters that arguments are given for."""
        call = self.taint.widened((rule, len(act.arguments)), self._arguments(rule, act, env))
        return call.env(rule.parameters)

    def _decide(self, node: ast.Decide, env: Env, deciding: frozenset[Fact]) -> Env:
        if node.bound is not None:  # offered again after the chosen action
            env = env.changed(self.changes.by([node]))
        reasons = []
        for act in node.offered:
            rule, at, facts = self.context.model.rules[act.name], env, self._bound(node.bound, env) | deciding
            if isinstance(act, ast.ClauseAct):
                clause_facts = self.taint.value(act.condition, env).facts
                self.offered(act.condition, clause_facts, "this argument")
                at, facts = self.taint.where(act.condition, env, True), facts | clause_facts
            action_env = self._env_of_call(rule, act, at)
            for argument in act.arguments:
                self.offered(argument, self.taint.value(argument, at).facts, "this argument")
            meanwhile = self.meanwhile.get(node.number, frozenset())
            facts |= self._action(rule, action_env, len(act.arguments), meanwhile)
            if node.duty == "may" and not node.secretly:
                self.existence(act, f"`{act.name}`", facts)
            reasons.append(facts)
        self._in_secret(node, reasons)
        # That nothing was possible is public, like a skipped `must`, unless the moves are offered `secretly`.
        concealed = deciding.union(*reasons) if node.secretly else deciding
        instead = self._block(node.instead, env.changed(self.meanwhile.get(node.number, frozenset())), concealed)
        after = env.changed(self.changes.by([node]))
        return after.joined(instead) if node.instead else after

    def _action(
        self, rule: RuleSymbol, env: Env, bound_count: int, meanwhile: frozenset[object] = frozenset()
    ) -> frozenset[Fact]:
        """Check what an offered action reads and reveals; return the secrets that decide whether it is possible.

        `meanwhile` is what may change before it is done.
        """
        self.visited.add(rule.name)
        facts: frozenset[Fact] = frozenset().union(*(knowledge.facts for knowledge in env.names.values()))
        # First what the seat chooses from, then requirements, then the label, then the effects: each part may rely on
        # the conditions of those before it, as all requirements hold once the move is legal.
        for index, parameter in enumerate(rule.declaration.parameters[bound_count:], bound_count):
            knowledge = _any(rule.parameters[index])
            if parameter.domain is not None:
                domain = self.taint.value(parameter.domain, env)
                self.offered(parameter.domain, domain.facts, f"the choices for `{parameter.name}`")
                facts |= domain.facts
                knowledge = Known(sources=domain.sources, seat=domain.seat)
            if parameter.secret and not knowledge.sources:
                knowledge = Known(frozenset({Fact(rule.parameters[index], None, Seen("seen", "unseen"), parameter)}))
            if parameter.domain is not None:
                env = self.taint.one_of(rule.parameters[index], knowledge, parameter.domain, env)
            else:
                env = env.bind(rule.parameters[index], knowledge)
                named = self._named(rule, env)
                knowledge = pieces_required(self.taint, rule.parameters[index], rule.declaration.requires, named)
            choice_among_pieces(self.taint, parameter, knowledge, env)
        env = self._named(rule, env)
        for require, at, guarded in self._binding(rule, env):
            read = self.taint.value(require.condition, at).facts | guarded
            self.offered(require.condition, read, "this requirement")
            self.text(require.reason, self.taint.where(require.condition, at, False), "me")
            facts |= read
        for require in rule.declaration.requires:
            env = self.taint.where(require.condition, env, True)
        for once in rule.declaration.once if isinstance(rule.declaration, ast.Action) else ():
            for value in once.values:
                read = self.taint.value(value, env).facts
                self.offered(value, read, "`offered once for`")
                facts |= read
        self._label(rule, env, bound_count)
        # INVARIANT: the body starts without secrets that decide whether it runs. What decides that the action is legal
        # was judged above, and that it was chosen is announced: effects may depend on secrets.
        env = env.changed(meanwhile)
        terms = tuple(env.term(parameter) for parameter in rule.parameters)
        call = self.taint.widened(
            rule, CallFacts(tuple(env.names[parameter] for parameter in rule.parameters), terms, env.truths)
        )
        if (rule, call) not in self.env_after_call:
            self.env_after_call[rule, call] = self._block(rule.declaration.body, call.env(rule.parameters), NO_SECRETS)
        return facts

    def _named(self, rule: RuleSymbol, env: Env) -> Env:
        """What is known where the requirements of a rule are read: with the names of the `let`s at its head."""
        for let in ast.lets_at_head(rule.declaration):
            env = self._statement(let, env, NO_SECRETS)
        return env

    def _binding(
        self, rule: RuleSymbol, env: Env, seen: set[object] | None = None, guarded: frozenset[Fact] = NO_SECRETS
    ) -> Iterator[tuple[ast.Require, Env, frozenset[Fact]]]:
        """Requirements of an action, and those of the steps it calls before the first decision; `env` has its names.

        Each with the secrets that decide whether it binds, as written in the clause for one value. A step that is
        called twice with the same facts is followed once (`seen`): chains of steps that call the next one twice would
        otherwise take exponential time.
        """
        seen = set() if seen is None else seen
        for require in rule.declaration.requires:
            yield require, env, guarded
            env = self.taint.where(require.condition, env, True)
        bound = len(ast.lets_at_head(rule.declaration))
        for statement in rule.declaration.body[bound:]:
            if isinstance(statement, ast.Question):
                return
            if isinstance(statement, ast.Let):
                env = self._statement(statement, env, NO_SECRETS)
            if isinstance(statement, ast.Do):
                step = self.context.model.rules[statement.act.name]
                call_env = self._env_of_call(step, statement.act, env)
                if (step, call_env) not in seen:
                    seen.add((step, call_env))
                    yield from self._binding(step, self._named(step, call_env), seen, guarded)
            if isinstance(statement, ast.If) and statement.number in self.context.model.unwritten:
                (called,) = statement.then
                assert isinstance(called, ast.Do)
                clause = self.context.model.rules[called.act.name]
                facts = guarded | self.taint.value(statement.condition, env).facts
                fitting = self.taint.where(statement.condition, env, True)
                call_env = self._named(clause, self._env_of_call(clause, called.act, fitting))
                yield from self._binding(clause, call_env, seen, facts)

    def _label(self, rule: RuleSymbol, env: Env, bound_count: int) -> None:
        """Check the label: it is announced to all, so what it names openly is known from then on."""
        declaration = rule.declaration
        assert isinstance(declaration, ast.Action)
        # Two views of the same move. In `env` a piece is known only if the effects lay it down in the open; in `named`
        # also if it is chosen from all the pieces of a zone. What a label tells in both is a leak (`text`); what only
        # the first one tells concerns the named piece itself, and is a warning (E0603, `beyond_piece`).
        secret: set[LocalSymbol] = set()
        named = env
        chosen = zip(rule.parameters[bound_count:], declaration.parameters[bound_count:], strict=True)
        for symbol, parameter in chosen:
            if parameter.secret:
                secret.add(symbol)
            elif self._revealed(declaration.body, symbol, env) or not _is_pieces(symbol):
                env, named = (at.learned(symbol, at.names[symbol].announced()) for at in (env, named))
            elif _whole_zone(self.context, parameter):
                named = named.learned(symbol, named.names[symbol].announced())
        if declaration.label is not None:
            self.text(declaration.label, named, "all", secret)
            self.beyond_piece(declaration.label, env, named, secret)
            return
        for symbol in rule.parameters[:bound_count]:
            if env.names[symbol].facts and symbol.node is not None:
                self.tell(symbol.node, env.names[symbol].facts, "all", "the name of this move")

    def _announcement(self, node: ast.Tell, env: Env) -> None:
        """Check an announcement: all read it, or one seat."""
        if node.seat is None:
            self.text(node.text, env, "all")
        elif self.taint.value(node.seat, env).seat == "me":
            self.text(node.text, env, "me")
        else:
            for part in node.text.parts:
                if not isinstance(part, str):
                    self._told(part, node.seat, env)

    def _told(self, part: ast.Expression, seat: ast.Expression, env: Env) -> None:
        """Check an announcement to a seat other than the acting one: as if it were acting, if `me` has no meaning."""
        symbol = self.context.model.refers.get(seat.number)
        reads_me = any(isinstance(read, BuiltinSymbol) for read in symbols_read(self.context, part))
        if isinstance(symbol, LocalSymbol) and not reads_me:
            # `tell p "…"` in `for each p in Player`: as if p were acting, so that `seen by p` counts as seen by `me`.
            env = self.taint.assume(env.later().learned(symbol, MYSELF), same(Term(symbol), ME))
            self.tell(part, self.taint.value(part, env).facts, "me", reader=f"`{symbol.name}`")
        else:
            self.tell(part, self.taint.value(part, env).facts, "all")

    def _revealed(self, body: Iterable[ast.Statement], symbol: LocalSymbol, env: Env) -> bool:
        """True if a piece is always moved to where all see it, so that naming it reveals no secret."""
        refers = self.context.model.refers
        for node in body:
            match node:
                case ast.Move() if refers.get(node.what.number) is symbol:
                    return self._visible_to_all(node, symbol, env)
                case ast.If() if self._revealed(node.then, symbol, env):
                    if self._revealed(node.otherwise, symbol, env):
                        return True
                case ast.Do():
                    rule = self.context.model.rules[node.act.name]
                    places = [refers.get(argument.number) is symbol for argument in node.act.arguments]
                    for parameter, same_piece in zip(rule.parameters, places, strict=False):
                        parameter_env = Env({parameter: NOTHING_SECRET})
                        if same_piece and self._revealed(rule.declaration.body, parameter, parameter_env):
                            return True
                case ast.EndGame():
                    return False
                case _:  # nothing else is sure to move the piece that the name is bound to
                    pass
        return False

    def _visible_to_all(self, node: ast.Move, symbol: LocalSymbol, env: Env) -> bool:
        """True if all see a piece once it has been moved."""
        at = self._move(node, Env(env.names, env.terms))
        target = self.taint.value(node.target, at)
        return not self.taint.all_of(target.sources, node, at, Term(symbol))

    def _choose(self, node: ast.Choose, env: Env, deciding: frozenset[Fact]) -> Env:
        domain = self.taint.value(node.domain, env)
        self.offered(node.domain, domain.facts, f"the choices for `{node.name}`")
        facts = domain.facts | deciding
        chosen = Known(sources=domain.sources, seat=domain.seat)
        chosen_env = self.taint.one_of(self.local(node), chosen, node.domain, env) if node.amount is None else env
        chosen_env = chosen_env if node.amount is None else env.bind(self.local(node), chosen)
        if node.where is not None:
            where = self.taint.value(node.where, chosen_env).facts
            self.offered(node.where, where, f"the choices for `{node.name}`")
            facts |= where
        fitting = chosen_env if node.where is None else self.taint.where(node.where, chosen_env, True)
        choice_among_pieces(self.taint, node, chosen, fitting)
        if node.duty == "may" and not node.secretly:
            self.existence(node, "this choice", facts)
        self._in_secret(node, [facts])
        self._amount(node, env)
        return chosen_env.changed(self.meanwhile.get(node.number, frozenset()))

    def _pick(self, node: ast.Pick, env: Env) -> Env:
        """Check what chance chooses: all read a value that is no piece, and of a piece what they see of it."""
        symbol, domain = self.local(node), self.taint.value(node.domain, env)
        chosen = Known(sources=domain.sources, seat=domain.seat)
        single = node.amount is None
        chosen_env = self.taint.one_of(symbol, chosen, node.domain, env) if single else env.bind(symbol, chosen)
        facts = domain.facts
        if node.where is not None:
            facts |= self.taint.value(node.where, chosen_env).facts
        if node.amount is not None:
            self.tell(node.amount, self.taint.value(node.amount, env).facts, "all", "how many are chosen")
        if not _is_pieces(symbol):
            self.tell(node.domain, facts, "all", "what chance chooses")
            return chosen_env
        return chosen_env.learned(symbol, Known(chosen.facts | facts, chosen.sources, chosen.seat))

    def _amount(self, node: ast.Choose, env: Env) -> None:
        """Check the number to choose: the acting seat learns it, and the others see it."""
        for bound in (node.amount.fewest, node.amount.most) if node.amount is not None else ():
            if bound is not None:
                facts = self.taint.value(bound, env).facts
                self.offered(bound, facts, f"how many `{node.name}` are chosen")
                if not node.secretly:
                    self.existence(bound, f"this number of `{node.name}`", facts, node.duty)


def _any(symbol: LocalSymbol) -> Known:
    """Facts about a value that can be any of its type."""
    return EVERY_SEAT if bare(symbol.type) == PLAYER else NOTHING_SECRET


def _is_pieces(symbol: LocalSymbol) -> bool:
    core = bare(symbol.type)
    return isinstance(core.element if isinstance(core, Several) else core, PieceType)


def _whole_zone(context: Context, parameter: ast.Parameter) -> bool:
    """True if an argument is chosen from all the pieces of a zone."""
    domain = taken_from(parameter.domain) if parameter.domain is not None else None
    return domain is not None and isinstance(context.model.refers.get(domain.number), ZoneSymbol)
