"""Taint analysis: which secrets the value of an expression depends on, from what it reads and who may see that.

What an expression reads determines its value, so a value is a secret to those who may not see all of that. How many
pieces lie somewhere is open to all, and so is the order of pieces: only what is read from a piece depends on it.

For example, with `zone hand[p: Player] holds Card, seen by p`: `count hand[left(me)]` has no facts, `hand[left(me)]`
has none either but a source, the hand of another seat, and `count hand[left(me)] of red` has the fact "`suit` in
`hand`, unseen by me and by all". A piece alone is no secret, since each seat is shown as much of it as it may see; so
sources are carried along and become facts where an attribute is read (`secrets_of`), where the piece identifies itself
in a comparison with another one (`_identity`), or where the value of a hypothesis depends on it (`_hypothesis`).

INVARIANT: a `Known` claims that a value depends on no secret but its facts, and on no pieces but those of its sources.
So every case of `_value` joins the facts of all operands, unless the value is open to all although an operand is not (a
count, whether a place is filled), or a condition known to hold opens the operand (`Observers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import called
from dsl.checker.information_flow.conditions import Conditions
from dsl.checker.information_flow.facts import (
    EVERY_SEAT,
    MYSELF,
    NOTHING_SECRET,
    CallFacts,
    Env,
    Fact,
    Known,
    Seat,
    SecretSource,
    SelfCalls,
    together,
)
from dsl.checker.information_flow.observers import Observers, narrowed
from dsl.checker.logic.terms import ELEMENT, Term, negated
from dsl.checker.types.statements import all_statements
from dsl.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DefineSymbol,
    DieSymbol,
    FamilySymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    PhaseSymbol,
    PieceSymbol,
    PositionSymbol,
    RuleSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    WhenSymbol,
    ZoneSymbol,
)
from dsl.types import PLAYER, Kind, PieceType, Several, Type, bare

MAX_ARGUMENT_LISTS = 50
"""Maximum number of argument lists of a rule that are examined separately."""

MAX_EVALUATIONS = 50_000
"""After this many evaluations conditions are ignored; by then everything else has been examined."""


class Taint(Conditions):
    """The taint of values.

    `written` are the secrets written into notes that nobody sees. Such a note is the memory of the rules, and as secret
    as what is written there; but if it decides whose turn it is, it is no secret at all (`turn_notes`).
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.observers = Observers(self, self.value, self.where)
        self.written: dict[NoteSymbol, frozenset[Fact]] = {}
        self.definitions: dict[object, Known] = {}
        self.widest: dict[object, dict[CallFacts, None]] = {}
        self.evaluations = 0
        self.values: dict[tuple[int, Env], Known] = {}
        self.refined: dict[tuple[int, Env, bool], Env] = {}
        self.self_calls = SelfCalls(self._forget_derived)
        self.turn_notes: frozenset[Symbol] = frozenset(
            symbol
            for node in context.model.nodes
            if isinstance(node, ast.EachPlayer | ast.Phase)
            for seat in (node.first, node.last)
            if isinstance(seat, ast.Name)
            and isinstance(symbol := context.model.refers.get(seat.number), NoteSymbol)
            and symbol.declaration.is_seen_by_nobody
        )

    def write(self, note: NoteSymbol, facts: frozenset[Fact]) -> None:
        """Remember the secrets written into a note, if it is one that nobody sees."""
        if note.declaration.is_seen_by_nobody:
            self.written[note] = self.written.get(note, frozenset()) | facts

    @property
    def learned(self) -> tuple[int, int]:
        """How much has been learned that bears on what was examined before: secrets, and names that are relevant.

        Both only grow.
        """
        return sum(map(len, self.written.values())), self.too_late

    def forget(self) -> None:
        """Discard cached results: more has been learned."""
        self.definitions.clear()
        self.widest.clear()
        self.values.clear()
        self.evaluations = 0
        self.refined.clear()

    def value(self, node: ast.Expression, env: Env) -> Known:
        """Facts about the value of an expression, and its sources and seat."""
        # INVARIANT: the result depends on the node, the environment, `written` and `relevant` alone. The first two are
        # the key, and `forget` empties the cache between the rounds, as the others grow.
        key = (node.number, env)
        if key not in self.values:
            self.values[key] = self._value(node, env)
        return self.values[key]

    def _value(self, node: ast.Expression, env: Env) -> Known:
        self.evaluations += 1
        match node:
            case ast.Name():
                return self._name(node, env)
            case ast.Index():
                return self._place(node, [self.value(argument, env) for argument in node.arguments], env)
            case ast.Call():
                return self._call(node, env)
            case ast.Attribute():
                base = self.value(node.base, env)
                at = self.about(node.base, env)
                return Known(
                    base.facts | self.secrets_of(base.sources, [node.name], node, at, self.term(node.base, env))
                )
            case ast.Filter():
                _, member_env, facts = self.iterate((node.binder,), node.where, env)
                element = member_env.names.get(self._local(node.binder), NOTHING_SECRET)
                return Known(facts, element.sources, element.seat)
            case ast.Builder():
                _, member_env, facts = self.iterate(node.binders, node.where, env)
                value = self.value(node.value, member_env)
                return Known(facts | value.facts, value.sources, value.seat)
            case ast.Quantified():
                _, member_env, facts = self.iterate(node.binders, node.where, env)
                member = member_env.names.get(self._local(node.binders[0]), NOTHING_SECRET)
                return Known(facts, member.sources, member.seat) if node.quantifier == "the" else Known(facts)
            case ast.Best():
                _, member_env, facts = self.iterate((node.binder,), node.where, env)
                member = member_env.names.get(self._local(node.binder), NOTHING_SECRET)
                return Known(facts | self.value(node.value, member_env).facts, member.sources, member.seat)
            case ast.Aggregate():
                _, member_env, facts = self.iterate(node.binders, node.where, env)
                return Known(facts | self.value(node.value, member_env).facts)
            case ast.Either():
                condition = self.value(node.condition, env)
                then = self.value(node.then, self.where(node.condition, env, True))
                otherwise = self.value(node.otherwise, self.where(node.condition, env, False))
                both = together((then, otherwise))
                return Known(both.facts | condition.facts, both.sources, both.seat)
            case ast.And() | ast.Or():
                return self._joined(node, env)
            case ast.Of():
                pieces = self._whole(node.whole, env)
                secrets_of_kind = self._kind(pieces.sources, node.part, node.whole, node, env)
                return Known(pieces.facts | secrets_of_kind, pieces.sources)
            case ast.Compare():
                return self._compare(node, env)
            case ast.Arithmetic():
                return self._arithmetic(node, env)
            case ast.Division():
                return together((self.value(node.left, env), self.value(node.right, env))).plain()
            case ast.SetOf() | ast.ListOf():
                return together(self.value(item, env) for item in node.items)
            case ast.Count() | ast.Negative() | ast.Not():
                return self.value(node.operand, env).plain()
            case ast.Text():
                return together(self.value(part, env) for part in node.parts if not isinstance(part, str)).plain()
            case ast.Pattern():
                return together(self.value(word, env) for word in node.words).plain()
            case ast.Hypothesis():
                return self._hypothesis(node, env)
            case ast.Times():
                return self.value(node.position, env)
            case ast.Range():
                return together((self.value(node.low, env), self.value(node.high, env))).plain()
            case ast.Number():
                return NOTHING_SECRET
            case _ as never:
                assert_never(never)

    def where(self, condition: ast.Expression, env: Env, holds: bool) -> Env:
        """Facts known where a condition holds, or where it does not."""
        if self.evaluations > MAX_EVALUATIONS:
            return env
        key = (condition.number, env, holds)
        if key not in self.refined:
            self.refined[key] = narrowed(self, self.value, condition, env, holds)
        return self.refined[key]

    def iterate(
        self, binders: Sequence[ast.Binder], where: ast.Expression | None, env: Env
    ) -> tuple[list[Known], Env, frozenset[Fact]]:
        """Facts about the domains, the facts inside, and the secrets that decide what is iterated over."""
        domains: list[Known] = []
        for binder in binders:
            domain = self.value(binder.domain, env)
            domains.append(domain)
            env = self.one_of(self._local(binder), domain, binder.domain, env)
        facts = together(domains).facts
        if where is not None:
            facts |= self.value(where, env).facts
            env = self.where(where, env, True)
        return domains, env, facts

    def one_of(self, symbol: LocalSymbol, knowledge: Known, domain: ast.Expression, env: Env) -> Env:
        """Facts known where a name is a member of a set."""
        member = self.member(Term(symbol), domain, env)
        return self.assume(env.bind(symbol, knowledge), member)

    def about(self, node: ast.Expression, env: Env) -> Env:
        """Facts known of a piece or seat from the condition it was found by."""
        piece = self.term(node, env)
        match node:
            case ast.Quantified(quantifier="the", binders=(binder,)) | ast.Best(binder=binder):
                env = self.assume(env, self.member(piece, binder.domain, env))
                if node.where is not None:
                    binder_env = env.bind(self._local(binder), NOTHING_SECRET, piece)
                    env = self.assume(env, self.term(node.where, binder_env))
            case _:
                pass
        return env

    def case_envs(self, cases: Sequence[ast.Case], env: Env) -> list[Env]:
        """Facts known at the value of each case."""
        envs = []
        for case in cases:
            envs.append(env if case.condition is None else self.where(case.condition, env, True))
            env = env if case.condition is None else self.where(case.condition, env, False)
        return envs

    def _joined(self, node: ast.And | ast.Or, env: Env) -> Known:
        """Taint of `P and Q`: one side reveals nothing where it is no secret that the other does not hold."""
        both = isinstance(node, ast.And)
        # `c is none or c.rank is high`: the right side counts only where the left one does not decide, so it is judged
        # with that known. If it is open to all, everyone knows where it decides alone, and the left side counts only
        # elsewhere. Not if it has secrets: then the others do not know which side decided.
        right = self.value(node.right, self.where(node.left, env, both))
        left_env = env if right.facts else self.where(node.right, env, both)
        return Known(self.value(node.left, left_env).facts | right.facts)

    # ------------------------------------------------------------ names, places, calls

    def _local(self, node: ast.Node) -> LocalSymbol:
        symbol = self.context.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol

    def _name(self, node: ast.Name, env: Env) -> Known:
        symbol = self.context.model.refers.get(node.number)
        match symbol:
            case LocalSymbol():
                return env.names.get(symbol, NOTHING_SECRET)
            case BuiltinSymbol(name="me"):
                return MYSELF
            case ZoneSymbol():
                is_every_place = isinstance(self.context.model.types.get(node.number), Several)
                return (
                    NOTHING_SECRET if is_every_place else self._place(node, [], env)
                )  # everyone sees which places are filled
            case NoteSymbol():
                return self._place(node, [], env)
            case DefineSymbol(parameters=()):
                return self._definition(symbol, node, [], env)
            case DefineSymbol():
                return self._relation(symbol, NOTHING_SECRET, env)
            case PositionSymbol():
                return Known(self._position(symbol, env))
            case ValueSymbol(type=type_) | TypeSymbol(type=type_) if type_ == PLAYER:
                return EVERY_SEAT
            case BuiltinSymbol(name="all"):
                return EVERY_SEAT
            # Listed one by one: what is added to the language is no secret only if somebody has said so here.
            case (
                None | BuiltinSymbol() | ValueSymbol() | TypeSymbol() | ConstantSymbol() | FamilySymbol()
                | PieceSymbol() | DieSymbol() | OptionSymbol() | RuleSymbol() | PhaseSymbol() | WhenSymbol()
            ):  # fmt: skip
                return NOTHING_SECRET
            case _:
                raise AssertionError(symbol)

    def _place(self, node: ast.Name | ast.Index, index: list[Known], env: Env) -> Known:
        """Facts about a zone or note at an index."""
        symbol = self.context.model.refers.get(node.number)
        facts = together(index).facts if index else frozenset()
        terms = tuple(self.term(argument, env) for argument in getattr(node, "arguments", ()))
        if isinstance(symbol, ZoneSymbol):
            return Known(facts, frozenset({SecretSource(symbol, tuple(at.seat for at in index), terms)}))
        if not isinstance(symbol, NoteSymbol):
            return Known(facts)
        seen = self.observers.seen(symbol, tuple(at.seat for at in index), terms, None, env)
        if symbol.declaration.is_seen_by_nobody:
            written = () if symbol in self.turn_notes else self.written.get(symbol, ())
            facts |= {Fact(symbol, None, fact.later().seen, node) for fact in written}
        elif not seen.open:
            facts |= {Fact(symbol, None, seen, node)}
        return Known(facts, self._noted(symbol.type))

    def _noted(self, type_: Type | None) -> frozenset[SecretSource]:
        """Zones in which a piece named by a note can lie: reading it reveals nothing if it may lie in the open."""
        core = bare(type_) if type_ is not None else None
        core = core.element if isinstance(core, Several) else core
        if not isinstance(core, PieceType):
            return frozenset()
        holding = [
            SecretSource(zone, _every(zone))
            for zone in self.context.model.zones.values()
            if any(held.name in core.piece_types for held in zone.declaration.holds)
        ]
        open_ = any(not source.zone.declaration.sights for source in holding)
        return frozenset() if open_ else frozenset(holding)

    def _call(self, node: ast.Call, env: Env) -> Known:
        symbol = self.context.model.refers.get(node.number)
        arguments: list[Known] = []
        for argument in node.arguments:
            relation = self._relation_at(argument)
            argument_facts = (
                self.value(argument, env) if relation is None else self._relation(relation, arguments[0], env)
            )
            arguments.append(argument_facts)
        if isinstance(symbol, DefineSymbol):
            return self._definition(symbol, node, arguments, env)
        joined = together(arguments)
        if not isinstance(symbol, BuiltinSymbol):
            return joined.plain()
        if symbol.name in ("left", "right"):
            # Among some seats it can be the seat itself, or any.
            is_another = self.context.model.file.header.fewest > 1 and len(arguments) == 1
            beside = {"me": "other", "every": "every"} if is_another else {}
            return Known(joined.facts, seat=beside.get(joined.seat, "some"))  # type: ignore[arg-type]
        return joined

    def widened(self, rule: object, call: CallFacts) -> CallFacts:
        """The arguments of a call; for a rule with many different calls, the union over all of them."""
        # Definitions that call others twice, each time for another seat and with other secrets, have exponentially
        # many different calls. From the limit on, a new call is joined with the last one, and the joined call is
        # examined instead: these only grow wider, so there are few of them.
        calls = self.widest.setdefault(rule, {})
        if call not in calls and len(calls) >= MAX_ARGUMENT_LISTS:
            call = next(reversed(calls)).together(call)
        calls.setdefault(call)
        return call

    def _definition(self, symbol: DefineSymbol, node: ast.Name | ast.Call, arguments: list[Known], env: Env) -> Known:
        terms = tuple(self.term(argument, env) for argument in getattr(node, "arguments", ()))
        return self._defined(symbol, tuple(arguments), terms, env)

    def _defined(
        self, symbol: DefineSymbol, arguments: tuple[Known, ...], terms: tuple[Term, ...], env: Env
    ) -> Known:  # fmt: skip
        call = CallFacts(arguments, terms, env.truths)
        if symbol in self.self_calls:
            return self.self_calls.assumed(symbol, call)
        call = self.widened(symbol, call)
        key = (symbol, call)
        if key not in self.definitions:
            self.definitions[key] = self.self_calls.value_of(symbol, call, self._of_cases)
        return self.definitions[key]

    def _forget_derived(self) -> None:
        """Drop the facts about expressions, which depend on what was assumed of definitions that call themselves."""
        self.values.clear()
        self.refined.clear()

    def _of_cases(self, symbol: DefineSymbol, call: CallFacts) -> Known:
        """Facts about the value of a definition in such a call, from its cases."""
        # `remaining` is what is known where the cases so far do not apply. Which case applies depends on all
        # conditions up to it, so their facts count, whatever its value depends on.
        parts, cases = [], symbol.declaration.cases
        facts: frozenset[Fact] = frozenset()
        remaining = parameter_env = call.env(symbol.parameters)
        for case, at in zip(cases, self.case_envs(cases, parameter_env), strict=True):
            if case.condition is not None:
                facts |= self.value(case.condition, remaining).facts
                remaining = self.where(case.condition, remaining, False)
            parts.append(self.value(case.value, at))
        joined = together(parts)
        return Known(joined.facts | facts, joined.sources, joined.seat)

    def _relation_at(self, node: ast.Expression) -> DefineSymbol | None:
        """The definition that is named without its arguments: a relation in place of edges."""
        symbol = self.context.model.refers.get(node.number) if isinstance(node, ast.Name) else None
        return symbol if isinstance(symbol, DefineSymbol) and symbol.parameters else None

    def _relation(self, symbol: DefineSymbol, places: Known, env: Env) -> Known:
        """Facts about a relation that is asked about pairs of places, these among them."""
        terms = tuple(Term(parameter) for parameter in symbol.parameters)
        return self._defined(symbol, tuple(places for _ in symbol.parameters), terms, env).plain()

    def _position(self, symbol: PositionSymbol, env: Env) -> frozenset[Fact]:
        """Secrets among what counts as the same in a position: of pieces, their kinds and where they lie."""
        facts: frozenset[Fact] = frozenset()
        state_env = Env(truths=env.truths)
        for part in symbol.declaration.parts:
            symbol_of_part = self.context.model.refers.get(part.number) if isinstance(part, ast.Name) else None
            if isinstance(part, ast.Name) and isinstance(symbol_of_part, ZoneSymbol | NoteSymbol):
                knowledge = self._place(part, [EVERY_SEAT] * len(symbol_of_part.index), state_env)
                facts |= knowledge.facts | self.all_of(knowledge.sources, part, state_env, ELEMENT)
            else:
                knowledge = self.value(part, state_env)
                facts |= knowledge.facts | self.identifying(knowledge, part, state_env)
        return facts

    def _hypothesis(self, node: ast.Hypothesis, env: Env) -> Known:
        """Facts about a value after a step: also about all that the step reads, and about the pieces that it moves.

        What is known now need not hold then.
        """
        model = self.context.model
        rule = model.rules[node.step.name]
        arguments = [self.value(argument, env) for argument in node.step.arguments]
        terms = tuple(self.term(argument, env) for argument in node.step.arguments)
        step_env = CallFacts(tuple(arguments), terms, env.truths).env(rule.parameters)
        facts = together(arguments).facts
        for argument, knowledge in zip(node.step.arguments, arguments, strict=True):
            facts |= self.identifying(knowledge, argument, env)
        for read in reads_of(self.context, rule):
            knowledge = self.value(read, step_env)
            facts |= knowledge.facts | self.all_of(knowledge.sources, read, step_env, ELEMENT)
        # What is known of the state now need not hold after the step: all conditions about it are forgotten.
        changing: frozenset[object] = frozenset((*model.zones.values(), *model.notes.values(), *model.dice.values()))
        value = self.value(node.value, env.changed(changing))
        return Known(value.facts | facts, value.sources, value.seat)

    # ------------------------------------------------------------ reads of pieces

    def secrets_of(
        self,
        sources: Iterable[SecretSource],
        attributes: Iterable[str],
        node: ast.Node,
        env: Env,
        piece: Term = ELEMENT,
    ) -> frozenset[Fact]:
        """Secrets among these attributes of pieces lying there; `piece` is the piece examined."""
        attributes = list(attributes)
        facts = set()
        for source in sources:
            for attribute in attributes:
                seen = self.observers.seen(source.zone, source.index, source.terms, attribute, env, piece)
                if attribute in self._attributes(source.zone) and not seen.open:
                    facts.add(Fact(source.zone, attribute, seen, node))
        return frozenset(facts)

    def identifying(self, pieces: Known, node: ast.Expression, env: Env) -> frozenset[Fact]:
        """Secrets that identify these pieces: everything there is to see of them."""
        return self.all_of(pieces.sources, node, *self._examined(node, env))

    def all_of(self, sources: Iterable[SecretSource], node: ast.Node, env: Env, piece: Term) -> frozenset[Fact]:
        """Secrets among everything there is to see of a piece lying there."""
        return frozenset().union(
            *(self.secrets_of([source], self._attributes(source.zone), node, env, piece) for source in sources)
        )

    def _examined(self, node: ast.Expression, env: Env) -> tuple[Env, Term]:
        """Facts about a piece, or about any member of a set of pieces, and its term."""
        type_ = self.context.model.types.get(node.number)
        if type_ is not None and isinstance(bare(type_), PieceType):
            return self.about(node, env), self.term(node, env)
        return self.assume(env, self.member(ELEMENT, node, env)), ELEMENT

    def _attributes(self, zone: ZoneSymbol) -> dict[str, None]:
        pieces = self.context.model.pieces
        return {name: None for held in zone.declaration.holds for name in pieces[held.name].attributes}

    def _kind(
        self, sources: frozenset[SecretSource], kind: ast.Expression, pieces: ast.Expression, node: ast.Node, env: Env
    ) -> frozenset[Fact]:
        """Secrets that decide whether pieces are of a kind."""
        words: Sequence[ast.Expression] = kind.words if isinstance(kind, ast.Pattern) else [kind]
        attributes = [self._attribute_of[word.number] for word in words if word.number in self._attribute_of]
        facts = self.secrets_of(sources, attributes, node, *self._examined(pieces, env))
        return facts.union(*(self.value(word, env).facts for word in words))

    @property
    def _attribute_of(self) -> Mapping[int, str]:
        return self.context.model.attribute_of

    def _whole(self, node: ast.Expression, env: Env) -> Known:
        """Facts about the operand of `of`; of a zone without an index every place counts."""
        symbol = self.context.model.refers.get(node.number)
        if isinstance(node, ast.Name) and isinstance(symbol, ZoneSymbol) and symbol.index:
            return Known(sources=frozenset({SecretSource(symbol, _every(symbol))}))
        return self.value(node, env)

    def _compare(self, node: ast.Compare, env: Env) -> Known:
        operand = self.value(node.left, env)
        if isinstance(node.right, ast.Name) and node.right.name in ("empty", "somebody", "none", "nobody"):
            return operand.plain()
        types, refers = self.context.model.types, self.context.model.refers
        if isinstance(node.right, ast.ListOf) and operand.sources:
            kinds = [self._kind(operand.sources, item, node.left, node, env) for item in node.right.items]
            return Known(operand.facts.union(*kinds))
        kind = isinstance(types.get(node.right.number), Kind) or node.right.number in self._attribute_of
        if kind and node.operator in ("is", "is not"):
            return Known(operand.facts | self._kind(operand.sources, node.right, node.left, node, env))
        if isinstance(refers.get(node.right.number), FamilySymbol):
            return Known(operand.facts | self.value(node.right, env).facts)
        compared = self.value(node.right, env)
        facts = operand.facts | compared.facts
        if node.operator in ("is", "is not", "is in", "is not in") and _places(operand) != _places(compared):
            facts |= self._identity(node, operand, compared, env)
        return Known(facts)

    def _identity(self, node: ast.Compare, operand: Known, compared: Known, env: Env) -> frozenset[Fact]:
        """Secrets that decide whether pieces are the same; none if all see the piece where they are.

        A seat that does not see the piece then knows that they are not the same.
        """
        # `top(deck) is c`, with c in an open row: where it holds, everyone sees the piece, so that tells nothing; where
        # it does not hold, a seat knows only that the hidden piece is another one.
        same = self.term(node, env) if node.operator in ("is", "is in") else negated(self.term(node, env))
        holds = self.assume(env, same)
        sides = ((operand, node.left), (compared, node.right))
        if not all(self.identifying(knowledge, side, holds) for knowledge, side in sides if knowledge.sources):
            return frozenset()
        return frozenset().union(*(self.identifying(knowledge, side, env) for knowledge, side in sides))

    def _arithmetic(self, node: ast.Arithmetic, env: Env) -> Known:
        augend, addend = self.value(node.left, env), self.value(node.right, env)
        facts = augend.facts | addend.facts
        if node.operator == "+":
            return together((augend, addend))
        if _places(augend) != _places(addend):
            facts |= self.identifying(augend, node.left, env) | self.identifying(addend, node.right, env)
        others = node.operator == "-" and augend.seat == "every" and addend.seat == "me"
        return Known(facts, augend.sources, "other" if others else augend.seat)


def _places(pieces: Known) -> frozenset[tuple[ZoneSymbol, tuple[Seat, ...]]]:
    """Zones in which pieces lie, ignoring the terms of indices."""
    return frozenset((source.zone, source.index) for source in pieces.sources)


def _every(zone: ZoneSymbol) -> tuple[Seat, ...]:
    """An index that matches every place."""
    return tuple("every" for _ in zone.index)


# ---------------- what a step reads, with the steps that it calls and the reactions that it may trigger


MENTIONED = ZoneSymbol | NoteSymbol | DieSymbol | DefineSymbol | PositionSymbol


def reads_of(context: Context, rule: RuleSymbol) -> Iterator[ast.Expression]:
    """The zones, notes, dice, definitions and positions that a step mentions.

    Not those zones that it only puts pieces into.
    """
    model = context.model
    waiting, seen = [rule.declaration.body], {rule.name}
    waiting += [when.declaration.body for when in model.whens]
    # INVARIANT: each step is followed once, so this ends although reactions may call the step again.
    while waiting:
        body = list(all_statements(list(waiting.pop())))
        for statement in body:
            entered = {zone.number for zone in ast.entered(statement)}
            for node in _own(statement):
                symbol = model.refers.get(node.number)
                mentioned = isinstance(symbol, MENTIONED)
                if mentioned and isinstance(node, ast.Name | ast.Index | ast.Call) and node.number not in entered:
                    yield node
        for act in called(body):
            if act.name in model.rules and act.name not in seen:
                seen.add(act.name)
                waiting.append(model.rules[act.name].declaration.body)
    for when in model.whens:
        yield from (
            node for node in model.defines[when.name].declaration.walk()
            if isinstance(node, ast.Name | ast.Index | ast.Call)
            and isinstance(model.refers.get(node.number), MENTIONED)
        )  # fmt: skip


def _own(statement: ast.Statement) -> Iterator[ast.Node]:
    """A statement and what is inside it, but for the statements inside."""
    inside = {nested.number for block in ast.blocks(statement) for nested in block}
    waiting: list[ast.Node] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in node.children() if child.number not in inside]
