"""Legal moves of a decision as Python source: one function a decision, nested loops over the free parameters.

A move is a tuple `(number of the act, argument, ...)` with every parameter; `(-1,)` declines. Requirements are tested
as soon as all they speak of is known; requirements at the head of the steps an action does bind the action as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dsl import ast
from dsl.checker.types.subsets import is_handfuls
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.types import Contents, Listed, Maybe, Number, PieceType, Several, bare, numeric
from interpreter.compile.cuts import FAILING, all_in
from interpreter.compile.domains import Domain, Env, fixed
from interpreter.compile.effects import Effects, Writer
from interpreter.compile.inlining import once_name
from interpreter.compile.places import Held
from interpreter.errors import PlayError
from interpreter.names import Computed, Names
from interpreter.requirements import Requirements

DONE = (-1,)
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

    @cached_property
    def required(self) -> Requirements:
        """The requirements of each action, without Python text."""
        return Requirements(self.model)

    def requirements(self, rule: RuleSymbol, env: Env) -> list[Requirement]:
        """Everything that must hold for an action with these arguments, in the order of the text."""
        texts: dict[Computed, str] = {}
        needs: dict[Computed, frozenset[LocalSymbol]] = {}

        def text(value: LocalSymbol | Computed) -> str:
            """A parameter of the action stands for itself."""
            return env[value] if isinstance(value, LocalSymbol) else texts[value]

        def needed_by(node: ast.Expression, names: Names) -> frozenset[LocalSymbol]:
            symbols = (self.model.refers.get(inner.number) for inner in node.walk())
            values = (names[symbol] for symbol in symbols if isinstance(symbol, LocalSymbol) and symbol in names)
            return frozenset().union(*({v} if isinstance(v, LocalSymbol) else needs[v] for v in values))

        def identify(value: Computed, statement: ast.Statement) -> str:
            inner = {symbol: text(known) for symbol, known in value.names.items()}
            texts[value] = not_too_long(self.computed(value, inner), statement)
            needs[value] = needed_by(value.node, value.names)
            return texts[value]

        found = self.required.of(rule, {parameter: parameter for parameter in rule.parameters}, identify)
        return [
            Requirement(
                each.require, {symbol: text(value) for symbol, value in each.names.items()}, each.source,
                needed_by(each.require.condition, each.names),
            )
            for each in found
        ]  # fmt: skip

    def computed(self, value: Computed, env: Env) -> str:
        """The value of a name that stands for an expression."""
        fit = self.fitted if value.fitted else self.kept
        return fit(value.node, value.type, env)

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


def not_too_long(text: str, node: ast.Statement) -> str:
    """The text, which grows with every `let` or argument that uses another one twice."""
    if len(text) > LONGEST_TEXT:
        raise PlayError("the later requirements are too long when this is substituted in them", node.span.location)
    return text
