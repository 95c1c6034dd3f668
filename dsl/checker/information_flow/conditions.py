"""Expressions as terms, with definitions expanded.

The leak check must know more than which seat a name is: in ::

    zone show[p: Player] holds Card, seen by (all if revealed else {p})
    …
    if revealed: may boast             # whether a seat can boast depends on cards that everyone sees here

the offer tells nothing, because `revealed` holds there. So conditions become terms, those known to hold are remembered,
and `seen by` is decided with them. Two occurrences of `hand[left(me)]` must become equal terms for that, also if one is
hidden in a definition: definitions are expanded, and binders are numbered instead of named.

INVARIANT: equal terms have equal values as long as no symbol in their heads has changed. What cannot be represented is
`UNKNOWN`, which is taken to equal nothing, not even itself (`Term.known`).

Most conditions say nothing about who sees something. Only those that mention `me`, or something that a `seen by` reads,
are kept (`relevant`): that made the check of all games seven times as fast, 0.5 instead of 3.6 seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.information_flow.facts import NOTHING_SECRET, Env
from dsl.checker.logic.terms import (
    FALSE,
    MAX_TERM_SIZE,
    ME,
    NONE,
    TRUE,
    UNKNOWN,
    Constant,
    Term,
    decided,
    negated,
    number,
    same,
)
from dsl.symbols import (
    BuiltinSymbol,
    DefineSymbol,
    DieSymbol,
    FamilySymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    PieceSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from dsl.types import Listed, PieceType, bare

MAX_DEFINITION_DEPTH = 6
"""Maximum depth to which nested definitions are expanded."""

MAX_TERMS = 20_000
"""Maximum number of terms to build, so that even adversarial rules are checked in time."""

PLAIN = (
    ast.Aggregate,
    ast.Arithmetic,
    ast.Best,
    ast.Builder,
    ast.Count,
    ast.Division,
    ast.Filter,
    ast.ListOf,
    ast.Negative,
    ast.Of,
    ast.Pattern,
    ast.Quantified,
    ast.Range,
    ast.SetOf,
)
"""Node types whose terms consist of their parts alone."""


class Conditions:
    """Converts expressions to terms; mixed into `Taint`, which provides the rest.

    `relevant` is what affects visibility: the heads of the conditions that are kept. `ignored` are those of the others;
    `too_late` counts the names that turned out to be relevant after a condition about them had been ignored.
    """

    depth = 0
    built = 0

    def __init__(self, context: Context) -> None:
        self.context = context
        self.terms: dict[tuple[int, object], Term] = {}
        self.relevant: set[object] = {ME.head, *self._read_by_visibility()}
        self.ignored: set[object] = set()
        self.too_late = 0

    def assume(self, env: Env, condition: Term) -> Env:
        """Add a condition to the facts; only what affects visibility is kept."""
        if self.relevant.isdisjoint(condition.heads):
            self.ignored |= condition.heads
            return env
        return env.where(condition)

    def named(self, symbol: LocalSymbol, value: Term, env: Env) -> Env:
        """Bind a name to a value in the facts."""
        # `let p = left(me)`: p is as relevant as its value. If conditions about p were dropped before that was known,
        # all must be examined again (`Taint.learned`).
        if symbol not in self.relevant and not self.relevant.isdisjoint(value.heads):
            self.relevant.add(symbol)
            self.too_late += symbol in self.ignored
        return self.assume(env, same(Term(symbol), value))

    def _read_by_visibility(self) -> set[object]:
        """Notes, zones, dice, options and attributes that decide who sees something."""
        model, deciding = self.context.model, set[object]()
        sights = [sight for zone in model.zones.values() for sight in zone.declaration.sights]
        sights += [sight for note in model.notes.values() for sight in note.declaration.sights]
        waiting: list[ast.Node] = [sight.viewers for sight in sights]
        while waiting:
            for node in waiting.pop().walk():
                symbol = model.refers.get(node.number)
                if isinstance(symbol, DefineSymbol):
                    waiting += [] if symbol in deciding else [symbol.declaration]
                if isinstance(symbol, DefineSymbol | NoteSymbol | ZoneSymbol | DieSymbol | OptionSymbol):
                    deciding.add(symbol)
                if isinstance(node, ast.Attribute):
                    deciding.add(f".{node.name}")
                elif node.number in model.attribute_of:
                    deciding.add(f".{model.attribute_of[node.number]}")
        return deciding

    def holds(self, node: ast.Expression, env: Env) -> bool | None:
        """Truth of a condition, or None if the facts do not decide it."""
        return decided(self.term(node, env), env.truths)

    def term(self, node: ast.Expression, env: Env) -> Term:
        """Convert an expression to a term."""
        key = (node.number, env.meanings)
        if key not in self.terms:
            self.built += 1
            term = self._term(node, env) if self.built <= MAX_TERMS else UNKNOWN
            self.terms[key] = term if term.size <= MAX_TERM_SIZE else UNKNOWN
        return self.terms[key]

    def member(self, element: Term, node: ast.Expression, env: Env) -> Term:
        """The condition that something is in a set."""
        # `q in {p in Player where P(p)}` is `q in Player and P(q)`: decomposed as far as possible, since the parts can
        # often be decided where the membership itself cannot.
        symbol = self.context.model.refers.get(node.number)
        match node:
            case ast.Filter():
                member_env = env.bind(self._binder(node.binder), NOTHING_SECRET, element)
                where = TRUE if node.where is None else self.term(node.where, member_env)
                return Term("and", (self.member(element, node.binder.domain, env), where))
            case ast.SetOf():
                membership = FALSE
                for item in node.items:
                    equality = same(element, self.term(item, env))
                    membership = equality if membership == FALSE else Term("or", (membership, equality))
                return membership
            case ast.Arithmetic(operator="+"):
                return Term("or", (self.member(element, node.left, env), self.member(element, node.right, env)))
            case ast.Arithmetic(operator="-"):
                minuend = self.member(element, node.left, env)
                return Term("and", (minuend, negated(self.member(element, node.right, env))))
            case ast.Arithmetic(operator="&"):
                return Term("and", (self.member(element, node.left, env), self.member(element, node.right, env)))
            case ast.Name() | ast.Call() if isinstance(symbol, DefineSymbol):
                inner_env = self._inside(symbol, node, env)
                cases = symbol.declaration.cases
                if inner_env is not None and len(cases) == 1:
                    self.depth += 1
                    membership = self.member(element, cases[0].value, inner_env)
                    self.depth -= 1
                    return membership
        if element == ME and (symbol == self.context.model.globals.get("Player") or self._is_word(node, "all")):
            return TRUE
        return Term("in", (element, self.term(node, env)))

    # ------------------------------------------------------------ forms of expressions

    def _term(self, node: ast.Expression, env: Env) -> Term:
        match node:
            case ast.Name():
                return self._named(node, env)
            case ast.Number():
                return number(node.value)
            case ast.Index():
                return self._applied(self.context.model.refers.get(node.number), node.arguments, env)
            case ast.Call():
                symbol = self.context.model.refers.get(node.number)
                if isinstance(symbol, DefineSymbol):
                    return self._expanded(symbol, node, env)
                if isinstance(symbol, BuiltinSymbol):
                    return Term(symbol.name, self._all(node.arguments, env))
                return self._applied(symbol, node.arguments, env)
            case ast.Attribute():
                return Term(f".{node.name}", (self.term(node.base, env),))
            case ast.Either():
                parts = (node.condition, node.then, node.otherwise)
                return Term("if", self._all(parts, env))
            case ast.Not():
                return negated(self.term(node.operand, env))
            case ast.And() | ast.Or():
                return Term(node.kind, self._all((node.left, node.right), env))
            case ast.Compare():
                return self._comparison(node, env)
            case _ if isinstance(node, PLAIN):
                return self._plain(node, env)
            case ast.Text() | ast.Hypothesis() | ast.Times():
                return UNKNOWN
            case _ as never:
                assert_never(never)

    def _all(self, nodes: Iterable[ast.Expression], env: Env) -> tuple[Term, ...]:
        return tuple(self.term(node, env) for node in nodes)

    def _applied(self, symbol: Symbol | None, arguments: Sequence[ast.Expression], env: Env) -> Term:
        if isinstance(symbol, NoteSymbol) and not symbol.index:
            return Term(symbol)  # the number of a round
        if isinstance(symbol, NoteSymbol | ZoneSymbol | DieSymbol | FamilySymbol):
            return Term(symbol, self._all(arguments, env))
        return UNKNOWN

    def _named(self, node: ast.Name, env: Env) -> Term:
        symbol = self.context.model.refers.get(node.number)
        match symbol:
            case LocalSymbol():
                return env.term(symbol)
            case DefineSymbol(parameters=()):
                return self._expanded(symbol, node, env)
            case ValueSymbol():
                return self._constant(symbol)
            case NoteSymbol() | ZoneSymbol() | DieSymbol() | OptionSymbol() | TypeSymbol() | PieceSymbol():
                return Term(symbol)
            case BuiltinSymbol(name=name):
                words = {"me": ME, "true": TRUE, "false": FALSE, "none": NONE, "nobody": NONE}
                return words.get(name, Term(name))
            case _:
                return UNKNOWN

    def _constant(self, symbol: ValueSymbol) -> Term:
        """Term of a value: a constant if it exists in every game; another may be none."""
        model = self.context.model
        owner = model.type_symbols.get(symbol.type.name) if isinstance(symbol.type, Listed) else None
        always = owner is None or model.in_every_game(owner, symbol.position)
        return Term(Constant(symbol.type, symbol.position)) if always else Term(symbol)

    def _comparison(self, node: ast.Compare, env: Env) -> Term:
        right = node.right
        match node.operator:
            case "is" | "is not":
                condition = self._same(node.left, right, env)
                return negated(condition) if node.operator == "is not" else condition
            case "is in" | "is not in":
                condition = self.member(self.term(node.left, env), right, env)
                return negated(condition) if node.operator == "is not in" else condition
            case "<" | ">=":
                less = Term("<", self._all((node.left, right), env))
                return negated(less) if node.operator == ">=" else less
            case ">" | "<=":
                less = Term("<", self._all((right, node.left), env))
                return negated(less) if node.operator == "<=" else less
            case "before" | "after" if isinstance(bare(self.context.model.types[node.left.number]), PieceType):
                return UNKNOWN  # the position within a row
            case "before":
                return Term("before", self._all((node.left, right), env))
            case "after":
                return Term("before", self._all((right, node.left), env))
            case _ as never:
                assert_never(never)

    def _same(self, operand: ast.Expression, compared: ast.Expression, env: Env) -> Term:
        model = self.context.model
        term = self.term(operand, env)
        if self._is_word(compared, "somebody"):
            return negated(same(term, NONE))
        if self._is_word(compared, "empty"):
            return Term("empty", (term,))
        if compared.number in model.attribute_of:
            term = Term(f".{model.attribute_of[compared.number]}", (term,))
        elif isinstance(compared, ast.Pattern | ast.ListOf):
            return UNKNOWN
        return same(term, self.term(compared, env))

    def _is_word(self, node: ast.Expression, word: str) -> bool:
        """True if this is a word of the language, not a name declared in the rules."""
        symbol = self.context.model.refers.get(node.number)
        return isinstance(node, ast.Name) and node.name == word and isinstance(symbol, BuiltinSymbol | None)

    def _plain(self, node: ast.Expression, env: Env) -> Term:
        """Convert a node structurally, part by part; binders are numbered from the outside in."""
        literals = [
            value for value in node.content().values() if isinstance(value, str | int) and not isinstance(value, bool)
        ]
        part_env, parts = env, []
        for child in node.children():
            if isinstance(child, ast.Binder):
                parts.append(self.term(child.domain, part_env))
                part_env = part_env.bind(self._binder(child), NOTHING_SECRET, Term(("binder", _binders(part_env))))
        for child in node.children():
            if not isinstance(child, ast.Binder):
                parts.append(self.term(child, part_env))  # type: ignore[arg-type]  # what is no binder is an expression
        return Term((node.kind, *literals), tuple(parts))

    def _binder(self, node: ast.Binder) -> LocalSymbol:
        symbol = self.context.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol

    # ------------------------------------------------------------ definitions

    def _inside(self, symbol: DefineSymbol, node: ast.Name | ast.Call, env: Env) -> Env | None:
        """Bind the parameters of a definition to their arguments; None if that would nest too deeply."""
        if self.depth >= MAX_DEFINITION_DEPTH:
            return None
        inside_env = Env()
        arguments = node.arguments if isinstance(node, ast.Call) else ()
        for parameter, argument in zip(symbol.parameters, arguments, strict=True):
            inside_env = inside_env.bind(parameter, NOTHING_SECRET, self.term(argument, env))
        return inside_env

    def _expanded(self, symbol: DefineSymbol, node: ast.Name | ast.Call, env: Env) -> Term:
        inside_env = self._inside(symbol, node, env)
        if inside_env is None:
            return UNKNOWN
        self.depth += 1
        term = UNKNOWN
        for case in reversed(symbol.declaration.cases):
            value = self.term(case.value, inside_env)
            term = value if case.condition is None else Term("if", (self.term(case.condition, inside_env), value, term))
        self.depth -= 1
        return term


def _binders(env: Env) -> int:
    """Number of the next binder: one that no binder in a term has yet."""
    heads = (head for term in env.terms.values() for head in term.heads)
    return max((head[1] + 1 for head in heads if isinstance(head, tuple) and head[0] == "binder"), default=0)
