"""Clauses as rules of their own, which do their interrupts: the tree that the later stages check and compile.

`step use(village)` becomes a step of that name. `use(village)` calls it, and `use(c.kind)` a step `use` that calls the
clause for the value. `must play` offers the clauses of an action one after the other.

For example, `step use(village): …` and `step use(draw(n)): …` become two steps named `use(village)` and `use(draw)`,
the latter with a parameter n. `use(village)` calls the first one directly; only if some rule calls `use(c.kind)`, a
step `use(kind: Kind)` is added, with `if kind is village: …` and `if kind is draw(n): …` calling the clauses.

Before: the tree as it was parsed, before any name is resolved. After: every rule has a name of its own, spans still
point at what was written, and every node has a number of its own. INVARIANT: subtrees that are used twice are copied
(`copied`), because types and symbols are recorded by number. Nodes that occur in no file are listed in `unwritten`, so
that coverage does not count them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from itertools import product
from typing import Any, TypeVar, cast

from dsl import ast
from dsl.ast.base import NODES, content_fields
from dsl.checker.clauses.families import Families, Family, Rule, clauses_of, own_parameters
from dsl.checker.clauses.interrupts import interrupted, interrupting
from dsl.checker.names.declarations import PREDECLARED
from dsl.checker.names.functions import FUNCTIONS
from dsl.diagnostics import Diagnostic
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span
from dsl.text.spelling import nearest
from dsl.variants.selectors import name_of

N = TypeVar("N", bound=ast.Node)

_WORDS = ("false", "true")
VALUE = "valueˑ"
"""A name that no rules file can have, for a value."""


@dataclass
class Expanded:
    """A file and its companion with all clauses and interrupts expanded.

    `unwritten` are the nodes that occur in no file: the steps that choose a clause, with their statements, and the
    statements that do an interrupt.
    """

    file: ast.GameFile
    companion: ast.ExamplesFile | None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unwritten: frozenset[int] = frozenset()


def expanded(file: ast.GameFile, companion: ast.ExamplesFile | None) -> Expanded:
    """Expand the clauses of a file, unless something is wrong with them, and its interrupts."""
    ready = _with_clauses(file, companion)
    if ready.diagnostics or not interrupting(file):
        return ready
    trees = [ready.file, *([ready.companion] if ready.companion is not None else [])]
    number = max(node.number for tree in trees for node in tree.walk()) + 1
    game, made = interrupted(ready.file, number, ready.unwritten)
    return replace(ready, file=game, unwritten=ready.unwritten | made)


def _with_clauses(file: ast.GameFile, companion: ast.ExamplesFile | None) -> Expanded:
    if not clauses_of(file):
        return Expanded(file, companion)
    families = Families(file)
    if families.diagnostics:
        return Expanded(file, companion, families.diagnostics)
    nodes = [*file.walk(), *(companion.walk() if companion is not None else ())]
    used_names = frozenset(getattr(node, "name", "") for node in nodes) | PREDECLARED.keys() | FUNCTIONS.keys()
    expander = _Expander(families.by_name, max(node.number for node in nodes) + 1, used_names)
    game = expander.game(file)
    examples = expander.rewritten(companion) if companion is not None else None
    return Expanded(game, examples, expander.diagnostics, frozenset(expander.unwritten))


class _Expander:
    """Rewrites the tree. `number` is the next node number, `used_names` are the names in the file.

    `chosen` are the steps with a call for a computed value.
    """

    def __init__(self, families: dict[str, Family], number: int, used_names: frozenset[str]) -> None:
        self.families, self.number, self.used_names = families, number, used_names
        self.chosen: dict[str, ast.Act] = {}
        self.diagnostics: list[Diagnostic] = []
        self.unwritten: set[int] = set()

    def _next(self) -> int:
        self.number += 1
        return self.number - 1

    def _hidden(self) -> int:
        """The number of a node that occurs in no file."""
        self.unwritten.add(self.number)
        return self._next()

    def game(self, file: ast.GameFile) -> ast.GameFile:
        """Expand the game; the steps that choose a clause follow the part with the first clause."""
        game = self.rewritten(file)
        steps = {name: self._choosing(self.families[name], act) for name, act in self.chosen.items()}
        parts = [
            replace(part, declarations=(*part.declarations, *(
                step for name, step in steps.items() if self.families[name].all[0] in old.declarations
            )))
            for part, old in zip(game.parts, file.parts, strict=True)
        ]  # fmt: skip
        return replace(game, parts=tuple(parts))

    # ------------------------------------------------------------ rewriting

    def rewritten(self, node: N) -> N:
        """Rewrite what calls, offers or is a clause, at any depth; whatever has none of it stays as it is."""
        called = node.act if isinstance(node, ast.Do) else node.step if isinstance(node, ast.Hypothesis) else None
        if called is not None and called.name in self.families and self.families[called.name].is_action:
            message, helps = (
                f"`{called.name}` is an action: a player must choose it",
                f"write `must {called.span.text}`",
            )
            helps = helps if isinstance(node, ast.Do) else "suppose a `step`"
            self.diagnostics.append(Diagnostic("E0412", "error", message, called.span, helps=(helps,)))
            return node
        changed: dict[str, Any] = {}
        for name in content_fields(type(node)):
            value = getattr(node, name)
            if type(value) in NODES:
                new: object = self.rewritten(value)
            elif type(value) is tuple and any(type(item) in NODES for item in value):
                new = tuple(replacement for item in value for replacement in self._several(node, item))
            else:
                continue
            if new is not value and (type(value) is not tuple or _differ(cast(tuple[object, ...], new), value)):
                changed[name] = new
        rewritten = replace(node, **changed) if changed else node
        if isinstance(rewritten, ast.Act):
            return cast(N, self._called(rewritten))
        return cast(N, self._clause(rewritten)) if isinstance(rewritten, ast.Action | ast.Step) else rewritten

    def _several(self, parent: ast.Node, item: Any) -> Sequence[object]:
        if type(item) not in NODES:
            return [item]
        if isinstance(parent, ast.Decide) and isinstance(item, ast.Act):
            return self._offered(item)
        return [self.rewritten(item)]

    def _clause(self, node: Rule) -> Rule:
        """A clause under its own name, with a parameter for each argument of its value."""
        if node.clause is None:
            return node
        family, parameters = self.families[node.name], node.parameters
        if isinstance(node.clause.value, ast.Call):
            types = family.values[node.clause.key]
            named_arguments = zip(node.clause.value.arguments, types, strict=True)
            parameters = (
                *(self._parameter(cast(ast.Name, name), type_) for name, type_ in named_arguments),
                *parameters,
            )
        if node.clause.value is None and isinstance(node, ast.Action):
            domain = self._left(family, parameters[0].span)
            parameters = (replace(parameters[0], type=None, domain=domain), *parameters[1:])
        return replace(node, name=name_of(node), parameters=parameters)

    def _parameter(self, name: ast.Name, type_: ast.TypeUnion) -> ast.Parameter:
        return ast.Parameter(
            span=name.span, number=self._next(), name=name.name, type=self.copied(type_), domain=None, secret=False
        )

    def copied(self, node: N) -> N:
        """A copy with numbers of its own."""
        changed: dict[str, Any] = {"number": self._next()}
        for name in content_fields(type(node)):
            value = getattr(node, name)
            if type(value) in NODES:
                changed[name] = self.copied(value)
            elif type(value) is tuple:
                changed[name] = tuple(self.copied(item) if type(item) in NODES else item for item in value)
        return replace(node, **changed)

    # ------------------------------------------------------------ acts

    def _called(self, act: ast.Act) -> ast.Act:
        """A step that is called or supposed, or what an example does."""
        family = self.families.get(act.name)
        if family is None:
            return act
        direct = self._direct(family, act)
        if direct is not None:
            return direct
        if family.is_action:
            self._which(family, act)
        else:
            self.chosen.setdefault(family.name, act)
        return act

    def _offered(self, act: ast.Act) -> Sequence[ast.Act]:
        """The clauses that a decision offers for an act, for a computed value each only if it is for this value."""
        family = self.families.get(act.name)
        if family is None or (act.arguments and (not family.is_action or self._direct(family, act) is not None)):
            return [self.rewritten(act)]
        if act.arguments:
            ready = replace(act, arguments=tuple(self.rewritten(argument) for argument in act.arguments))
            return [self._if_for(family, clause, ready) for clause in family.all]
        return [ast.Act(span=act.span, number=self._next(), name=name_of(node), arguments=()) for node in family.all]

    def _direct(self, family: Family, act: ast.Act) -> ast.Act | None:
        """A call of a clause by its value as it is written: `use(village)`, `use(draw(n))`."""
        first = act.arguments[0] if act.arguments else None
        base = first.base if isinstance(first, ast.Call) else first
        key = base.name if isinstance(base, ast.Name) else ""
        arguments = first.arguments if isinstance(first, ast.Call) else ()
        if key in family.clauses and len(arguments) == len(family.values[key]):
            return replace(act, name=ast.clause_name(act.name, key), arguments=(*arguments, *act.arguments[1:]))
        if key in family.values and family.rest is not None:
            return replace(act, name=ast.clause_name(act.name, "otherwise"))
        return None

    def _which(self, family: Family, act: ast.Act) -> None:
        value = act.arguments[0] if act.arguments else None
        nearest_values = nearest(value.span.text, family.values) if isinstance(value, ast.Name) else []
        helps = (
            f"did you mean `{family.name}({nearest_values[0]})`?"
            if nearest_values
            else f"write `{family.name}({next(iter(family.clauses))})`"
        )
        message = f"`{family.name}` has a clause for each value, and this does not say which is meant"
        message_and_helps = (message, (helps,))
        alike = next(
            (
                place
                for place, diagnostic in enumerate(self.diagnostics)
                if (diagnostic.message, diagnostic.helps) == message_and_helps
            ),
            None,
        )
        if alike is None:
            self.diagnostics.append(Diagnostic("E0426", "error", message, act.span, helps=(helps,)))
        else:
            first = self.diagnostics[alike]
            self.diagnostics[alike] = replace(first, other_spans=(*first.other_spans, act.span))

    def _if_for(self, family: Family, clause: Rule, act: ast.Act) -> ast.ClauseAct:
        """`resolve(c.kind)` as the act of one clause."""
        test, arguments = self._test(family, clause, act.arguments[0])
        others = tuple(self.copied(argument) for argument in act.arguments[1:])
        return ast.ClauseAct(
            span=act.span, number=self._next(), name=name_of(clause), arguments=(*arguments, *others), condition=test
        )

    def _test(
        self, family: Family, node: Rule, value: ast.Expression
    ) -> tuple[ast.Compare, list[ast.Expression]]:  # fmt: skip
        """Whether a value is the one that a clause is for, and the arguments that this gives the clause."""
        assert node.clause is not None
        clause_value = node.clause.value
        right: ast.Expression
        arguments: list[ast.Expression]
        if clause_value is None:
            right, arguments = self._left(family, value.span), [self.copied(value)]
        else:
            right = replace(self.copied(clause_value), span=value.span)
            arguments = (
                [self.copied(name) for name in clause_value.arguments] if isinstance(clause_value, ast.Call) else []
            )
        test = ast.Compare(
            span=value.span, number=self._next(), operator="is in" if clause_value is None else "is",
            left=self.copied(value), right=right,
        )  # fmt: skip
        return test, arguments

    # ------------------------------------------------------------ the steps that choose a clause

    def _choosing(self, family: Family, act: ast.Act) -> ast.Step:
        """The step that calls the clause for a value."""
        first = family.rest or family.all[0]
        span = act.span
        if family.rest is not None:
            value = self.copied(family.rest.parameters[0])
        else:
            members = tuple(ast.TypeName(span=span, number=self._next(), name=name) for name in family.types)
            type_ = ast.TypeUnion(span=span, number=self._next(), members=members)
            name = self._value_name(family)
            value = ast.Parameter(span=span, number=self._next(), name=name, type=type_, domain=None, secret=False)
        others = tuple(self.copied(parameter) for parameter in own_parameters(first))
        body = tuple(self._chosen(family, node, value.name, others, span) for node in family.all)
        return ast.Step(
            span=first.span, number=self._hidden(), name=family.name, parameters=(value, *others), requires=(),
            body=body,
        )  # fmt: skip

    def _value_name(self, family: Family) -> str:
        """The name of the value in the step that chooses its clause: that of its type, unless it is taken."""
        name = family.types[0].lower()
        others = {parameter.name for parameter in own_parameters(family.all[0])}
        return VALUE if len(family.types) > 1 or name in self.used_names | others else name

    def _chosen(
        self, family: Family, node: Rule, value: str, others: Sequence[ast.Parameter], span: Span
    ) -> ast.If:  # fmt: skip
        """`if value is village: use(village)`."""
        assert node.clause is not None
        condition, arguments = self._test(family, node, self._name(value, span))
        arguments += [self._name(parameter.name, span) for parameter in others]
        called = ast.Act(span=span, number=self._next(), name=name_of(node), arguments=tuple(arguments))
        then = ast.Do(span=node.clause.span, number=self._hidden(), act=called)
        return ast.If(span=node.clause.span, number=self._hidden(), condition=condition, then=(then,), otherwise=())

    def _name(self, name: str, span: Span) -> ast.Name:
        return ast.Name(span=span, number=self._next(), name=name)

    def _left(self, family: Family, span: Span) -> ast.Expression:
        """The values without a clause of their own, as a set."""
        plain = tuple(self._name(name, span) for name, arguments in family.uncovered.items() if not arguments)
        values: ast.Expression | None = ast.SetOf(span=span, number=self._next(), items=plain) if plain else None
        for name, arguments in family.uncovered.items():
            if arguments:
                more = self._every(name, arguments, span)
                values = more if values is None else self._joined(values, more, span)
        assert values is not None
        return values

    def _every(self, name: str, arguments: Sequence[ast.TypeUnion], span: Span) -> ast.Expression:
        """All values of a name with arguments: `{draw(x) for x in 1..3}`; truth values are written out."""
        values: ast.Expression | None = None
        for words in product(*(_WORDS if _is_truth(type_) else (None,) for type_ in arguments)):
            names = [word or f"{VALUE}{place}" for place, word in enumerate(words)]
            value = ast.Call(
                span=span, number=self._next(), base=self._name(name, span),
                arguments=tuple(self._name(argument_name, span) for argument_name in names),
            )  # fmt: skip
            binders = tuple(
                ast.Binder(span=span, number=self._next(), name=bound, domain=self._members(type_, span))
                for bound, type_, word in zip(names, arguments, words, strict=True) if word is None
            )  # fmt: skip
            more: ast.Expression
            if binders:
                more = ast.Builder(span=span, number=self._next(), value=value, binders=binders, where=None)
            else:
                more = ast.SetOf(span=span, number=self._next(), items=(value,))
            values = more if values is None else self._joined(values, more, span)
        assert values is not None
        return values

    def _joined(self, left: ast.Expression, right: ast.Expression, span: Span) -> ast.Arithmetic:
        return ast.Arithmetic(span=span, number=self._next(), operator="+", left=left, right=right)

    def _members(self, union: ast.TypeUnion, span: Span) -> ast.Expression:
        (type_,) = union.members
        if isinstance(type_, ast.TypeRange):
            low, high = (ast.Number(span=span, number=self._next(), value=end) for end in (type_.low, type_.high))
            return ast.Range(span=span, number=self._next(), low=low, high=high)
        assert isinstance(type_, ast.TypeName)
        return self._name(type_.name, span)


def _is_truth(union: ast.TypeUnion) -> bool:
    return any(isinstance(type_, ast.TypeName) and type_.name == "Truth" for type_ in union.members)


def _differ(new: Sequence[object], old: Sequence[object]) -> bool:
    return len(new) != len(old) or any(new_item is not old_item for new_item, old_item in zip(new, old, strict=True))
