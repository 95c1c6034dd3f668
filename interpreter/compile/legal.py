"""Legal moves of a decision as Python source: one function a decision, nested loops over the free parameters.

A move is a tuple `(number of the act, argument, ...)` with every parameter; `(-1,)` declines. Requirements are tested
as soon as all they speak of is known; requirements at the head of the steps an action does bind the action as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dsl import ast
from dsl.checker.flow.calls import called
from dsl.checker.types.subsets import is_handfuls
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.types import Contents, Listed, Maybe, Number, PieceType, Several, bare, numeric
from interpreter.compile.cuts import FAILING, all_in
from interpreter.compile.domains import Domain, Env, fixed
from interpreter.compile.effects import Effects, Writer
from interpreter.compile.inlining import once_name
from interpreter.compile.places import Held
from interpreter.errors import PlayError

DONE = (-1,)
MOST_REQUIREMENTS = 2_000
"""How many requirements an action may have, with those of the steps it does."""

LONGEST_TEXT = 20_000
"""How many characters the Python of a value handed to a step may have."""


@dataclass
class Requirement:
    """A requirement with the environment its names are to be read in; `source` is the declaration it stands in."""

    require: ast.Require
    env: Env
    source: ast.Action | ast.Step
    needs: frozenset[LocalSymbol] = frozenset()


class Legal(Effects):
    """Emission of legal moves."""

    def requirements(self, rule: RuleSymbol, env: Env) -> list[Requirement]:
        """Everything that must hold for an action with these arguments, in the order of the text."""
        found: list[Requirement] = []
        self._requirements(rule, env, {p: frozenset({p}) for p in rule.parameters}, found, set())
        return found

    def _requirements(
        self, rule: RuleSymbol, env: Env, needs: dict[LocalSymbol, frozenset[LocalSymbol]], found: list[Requirement],
        done: set[tuple[str, ...]],
    ) -> None:  # fmt: skip
        """Add the requirements of a rule and of the steps it does; `done` are these steps with their arguments."""
        declaration = rule.declaration
        if len(found) > MOST_REQUIREMENTS:
            raise PlayError(f"there are more than {MOST_REQUIREMENTS} requirements here", declaration.span.location)
        found += [
            Requirement(require, env, declaration, self._needed_by(require.condition, needs))
            for require in declaration.requires
        ]
        env, needs = dict(env), dict(needs)
        for statement in declaration.body:
            if isinstance(statement, ast.Decide | ast.Choose):
                break
            if isinstance(statement, ast.Let):
                symbol = self.model.refers[statement.number]
                assert isinstance(symbol, LocalSymbol)
                if all(self._known(node, env) for node in statement.value.walk()):
                    env[symbol] = _not_too_long(self.kept(statement.value, symbol.type, env), statement)
                    needs[symbol] = self._needed_by(statement.value, needs)
            if isinstance(statement, ast.Do) and statement.act.name in self.requiring:
                step = self.model.rules[statement.act.name]
                if all(self._known(node, env) for argument in statement.act.arguments for node in argument.walk()):
                    texts = [_not_too_long(text, statement) for text in self.arguments(statement.act, step, env)]
                    if (step.name, *texts) in done:
                        continue
                    done.add((step.name, *texts))
                    inner_needs = {
                        parameter: self._needed_by(argument, needs)
                        for parameter, argument in zip(step.parameters, statement.act.arguments, strict=True)
                    }
                    inner = dict(zip(step.parameters, texts, strict=True))
                    self._requirements(step, inner, inner_needs, found, done)

    @cached_property
    def requiring(self) -> frozenset[str]:
        """The steps with requirements, their own or those of the steps they do."""
        rules = self.model.rules
        found = {name for name, rule in rules.items() if rule.declaration.requires}
        users: dict[str, list[str]] = {}
        for name, rule in rules.items():
            for act in called(rule.declaration.body):
                users.setdefault(act.name, []).append(name)
        waiting = list(found)
        while waiting:
            more = [name for name in users.get(waiting.pop(), ()) if name not in found]
            found.update(more)
            waiting += more
        return frozenset(found)

    def _known(self, node: ast.Node, env: Env) -> bool:
        symbol = self.model.refers.get(node.number)
        return not isinstance(symbol, LocalSymbol) or symbol in env or symbol.role in ("binder", "taken")

    def _needed_by(
        self, node: ast.Expression, needs: dict[LocalSymbol, frozenset[LocalSymbol]]
    ) -> frozenset[LocalSymbol]:
        found: frozenset[LocalSymbol] = frozenset()
        for inner in node.walk():
            symbol = self.model.refers.get(inner.number)
            if isinstance(symbol, LocalSymbol) and symbol in needs:
                found |= needs[symbol]
        return found

    # ------------------------------------------------------------ one action

    def act_moves(self, writer: Writer, act: ast.Act, number: int, env: Env) -> None:
        """Add the legal moves of one act of a decision to `out`."""
        rule = self.model.rules[act.name]
        own: Env = {}
        free: list[tuple[LocalSymbol, ast.Parameter]] = []
        for place, (symbol, parameter) in enumerate(zip(rule.parameters, rule.declaration.parameters, strict=True)):
            own[symbol] = self.variable(symbol)
            if place < len(act.arguments):
                writer.add(f"{own[symbol]} = {self.fitted(act.arguments[place], symbol.type, env)}")
                if parameter.domain is not None:
                    writer.add(f"if {self._inside(own[symbol], parameter.domain, own)}:")
                    writer = writer.inside()
            else:
                free.append((symbol, parameter))
        left = self.requirements(rule, own)
        self._levels(writer, free, left, own, f"({', '.join([str(number), *own.values()])},)", {})

    def _inside(self, value: str, domain: ast.Expression, env: Env) -> str:
        if isinstance(domain, ast.Call) and is_handfuls(domain):
            mask = self.mask(domain.arguments[0], env)
            fewest, most = (self.needed(end, env) for end in domain.arguments[1:])
            return f"not {value} & ~{mask} and {fewest} <= {value}.bit_count() <= {most}"
        found = self.domain(domain, env)
        if found.values is not None:
            return f"{value} in {tuple(found.values)}"
        return f"{value} in {found.items}" if found.items else f"contains({found.mask}, {value})"

    def _levels(
        self,
        writer: Writer,
        free: Sequence[tuple[LocalSymbol, ast.Parameter]],
        left: list[Requirement],
        env: Env,
        move: str,
        ready: dict[LocalSymbol, str],
    ) -> None:
        """Loops over the free parameters, outermost first; `ready` names the lists of values worked out already."""
        unknown = frozenset(symbol for symbol, _ in free)
        now = [requirement for requirement in left if not requirement.needs & unknown]
        later = [requirement for requirement in left if requirement not in now]
        if now:
            tests = " and ".join(map(self.tested, now))
            writer.add(f"if {tests}:")
            writer = writer.inside()
        if not free:
            writer.add(f"add({move})")
            return
        symbol, parameter = free[0]
        if symbol in ready:
            loop = ready[symbol]
        else:
            writer, later, ready = self.ahead(writer, free, later, env, ready)
            loop, later = self.loop_over(symbol, parameter, later, env, unknown)
        writer.add(f"for {env[symbol]} in {loop}:")
        self._levels(writer.inside(), free[1:], later, env, move, ready)

    def tested(self, requirement: Requirement) -> str:
        """The condition of a requirement."""
        return self.value(requirement.require.condition, requirement.env)

    def ahead(
        self, writer: Writer, free: Sequence[tuple[LocalSymbol, ast.Parameter]], left: list[Requirement], env: Env,
        ready: dict[LocalSymbol, str],
    ) -> tuple[Writer, list[Requirement], dict[LocalSymbol, str]]:  # fmt: skip
        """List the values of inner parameters that do not depend on those around them, once for all of these."""
        ready = dict(ready)
        unknown = frozenset(symbol for symbol, _ in free)
        for symbol, parameter in free[1:]:
            own = [requirement for requirement in left if requirement.needs & unknown == {symbol}]
            apart = parameter.domain is None or not any(self.mentions(parameter.domain, other) for other in unknown)
            if symbol in ready or not own or not apart:
                continue
            loop, rest = self.loop_over(symbol, parameter, own, env, unknown)
            tests = " and ".join(map(self.tested, rest))
            if any(word in loop + tests for word in FAILING):
                continue  # what may fail is looked at where there is something to look at
            ready[symbol] = f"{env[symbol]}_all"
            condition = f" if {tests}" if tests else ""
            writer.add(f"{ready[symbol]} = [{env[symbol]} for {env[symbol]} in {loop}{condition}]")
            writer.add(f"if {ready[symbol]}:")
            writer = writer.inside()
            left = [requirement for requirement in left if requirement not in own]
        return writer, left, ready

    def offer(self, node: ast.Parameter | ast.Choose) -> str:
        """The function that lists the pieces of a choice, by what is seen of them if some may be hidden."""
        return "offered" if node.number in self.model.unsure_choices else "distinct"

    def loop_over(
        self,
        symbol: LocalSymbol,
        parameter: ast.Parameter,
        left: list[Requirement],
        env: Env,
        unknown: frozenset[LocalSymbol],
    ) -> tuple[str, list[Requirement]]:
        """The iterable of a parameter, cut down by requirements that bound it directly."""
        if parameter.domain is not None:
            domain = self.domain(parameter.domain, env)
            narrowed, left = self._narrowed(domain, symbol, left, env, unknown)
            if isinstance(bare(domain.element), PieceType) and not domain.place and domain.values is None:
                return f"{self.offer(parameter)}(S, {narrowed or domain.mask})", left
            return self.loop(domain, narrowed), left
        values = self.layout.members(symbol.type)
        for requirement in left:
            condition = requirement.require.condition
            if requirement.needs != frozenset({symbol}) and requirement.needs & unknown - {symbol}:
                continue
            if not isinstance(condition, ast.Compare) or not isinstance(condition.left, ast.Name):
                continue
            named = self.model.refers.get(condition.left.number)
            if not isinstance(named, LocalSymbol) or requirement.env.get(named) != env[symbol]:
                continue
            if self.mentions(condition.right, symbol):
                continue
            rest = [r for r in left if r is not requirement]
            upper = condition.operator == "<=" and isinstance(symbol.type, Number)
            if upper and not isinstance(self.type_of(condition.right), Maybe):
                bound = self.needed(condition.right, requirement.env)
                return f"range({values[0]}, min({values[-1]}, {bound}) + 1)", rest
            inside = condition.operator == "is in" and self.type_of(condition.right) == Several(symbol.type)
            if inside and not numeric(symbol.type) and not isinstance(self.type_of(condition.left), Maybe):
                mask = self.mask(condition.right, requirement.env)
                unsure = parameter.number in self.model.unsure_choices
                return f"offered(S, {mask})" if unsure else self._members(mask, symbol.type), rest
        if parameter.number in self.model.unsure_choices:
            return f"offered(S, {sum(1 << value for value in values)})", left
        if not isinstance(symbol.type, Listed):
            return fixed(values), left
        domain = Domain(values, str(sum(1 << value for value in values)), "", symbol.type)
        narrowed, left = self._narrowed(domain, symbol, left, env, unknown)
        return self.loop(domain, narrowed), left

    def _narrowed(
        self, domain: Domain, symbol: LocalSymbol, left: list[Requirement], env: Env, unknown: frozenset[LocalSymbol]
    ) -> tuple[str | None, list[Requirement]]:
        """The domain of a parameter cut down by the requirements that are masks, and the requirements left over."""
        if not domain.mask or domain.items or domain.place:
            return None, left
        cuts: list[str] = []
        rest: list[Requirement] = []
        for requirement in left:
            cut = None
            if requirement.needs & unknown == {symbol}:
                names = [known for known, text in requirement.env.items() if text == env[symbol]]
                found = (self.cut(requirement.require.condition, name, requirement.env, domain) for name in names)
                cut = next((mask for mask in found if mask is not None), None)
            if cut is None:
                rest.append(requirement)
            else:
                cuts.append(cut)
        return (all_in([domain.mask, *cuts]), rest) if cuts else (None, left)

    # ------------------------------------------------------------ decisions

    def moves_function(self, writer: Writer, name: str, node: ast.Decide | ast.Choose, env: Env) -> None:
        """`name(S)`: the legal moves of a decision, with the declining one if it may be declined."""
        writer.add(f"def {name}(S):")
        body = writer.inside()
        body.add("out = []", "add = out.append")
        self.asked_once, self.held, place = [], Held(env.values()), len(body.lines)
        if isinstance(node, ast.Decide):
            for number, act in enumerate(node.acts):
                self.act_moves(body, act, number, env)
            if node.otherwise:
                body.add("if not out:")
                for number, act in enumerate(node.otherwise, len(node.acts)):
                    self.act_moves(body.inside(), act, number, env)
        else:
            self._choices(body, node, env)
        if node.duty == "may":
            body.add("if out: add((-1,))")
        body.add("return out")
        body.insert(place, *(f"{once_name(name)} = []" for name in self.asked_once), *self.held.lines())
        self.asked_once = self.held = None

    def _choices(self, writer: Writer, node: ast.Choose, env: Env) -> None:
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        domain = self.domain(node.domain, env)
        name = self.variable(symbol)
        inner = {**env, symbol: name}
        narrowed, rest = self.narrow(domain, symbol, node.where, env)
        condition = self.all_of(rest, inner)
        pieces = isinstance(bare(domain.element), PieceType)
        ordered = isinstance(self.type_of(node.domain), Contents) and bool(domain.place)
        if pieces and not ordered and domain.values is None and not domain.items:
            mask = narrowed if narrowed is not None else domain.mask
            if condition:
                mask = f"as_set({name} for {name} in bits({mask}) if {condition})"
            writer.add(f"for {name} in {self.offer(node)}(S, {mask}): add((0, {name}))")
            return
        if ordered:
            condition = self.all_of([node.where] if node.where is not None else [], inner)
            narrowed = None
        writer.add(f"for {name} in {self.loop(domain, narrowed)}:")
        inside = writer.inside()
        if condition:
            inside.add(f"if {condition}: add((0, {name}))")
        else:
            inside.add(f"add((0, {name}))")


def _not_too_long(text: str, node: ast.Statement) -> str:
    """The text, which grows with every `let` or argument that uses another one twice."""
    if len(text) > LONGEST_TEXT:
        raise PlayError("the later requirements are too long when this is substituted in them", node.span.location)
    return text
