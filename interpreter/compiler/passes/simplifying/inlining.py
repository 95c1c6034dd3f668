"""Inlining of small definitions, whose call costs more than their body.

An argument that may end the game in a fault does so exactly if it would in a call: before anything in the body.

Without it many games take 1.05 to 1.5 times the instructions in the machine engine, and three 5 to
70 times, where other passes need to see into definitions; one has 0.3 of its speed in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import Opt, Type
from interpreter.compiler.passes.facts.effects import HasEffect, effect_test
from interpreter.compiler.passes.facts.traversal import (
    LEAVES,
    changed_block,
    changed_parts,
    computed_first,
    functions,
    subject_of,
)
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.substitution import Fresh, fresh_for, fresh_in, substituted
from interpreter.compiler.passes.simplifying.folding import simplified

NAME = "inlining"

MAX_INLINED_SIZE = 36
"""Maximum number of nodes of an inlined definition, including those inlined into it."""


@dataclass(frozen=True)
class Small:
    """A definition that can be inlined.

    `uses` are its parameters and how often each is read, more than once if inside a loop.
    """

    uses: tuple[tuple[ex.Local, int], ...]
    value: ex.Expr


@dataclass
class Definitions:
    """The definitions of a module in the form to be inlined, or the reasons why they are not.

    `bodies` are those of the definitions examined so far, with others inlined into them; `times` is how often each has
    been inlined, `most` the maximum number of nodes of a small one.
    """

    module: Module
    has_effect: HasEffect
    examined: dict[str, Small | str] = field(default_factory=dict)
    bodies: dict[str, st.Block] = field(default_factory=dict)
    most: int = MAX_INLINED_SIZE
    times: dict[str, int] = field(default_factory=dict)

    def small(self, name: str) -> Small | None:
        """The definition, if it can be inlined."""
        examined = self.examined.get(name)
        if examined is None:
            examined = self.examined[name] = self._examined(self.module.functions[name])
        return examined if isinstance(examined, Small) else None

    def _examined(self, function: Function) -> Small | str:
        if function.kind != "define":
            return "it is not a definition"
        if function.constant or function.kept_for:
            self.examined[function.name] = "its values are kept"  # it may use itself
            self.bodies[function.name] = with_inlined(function.body, self)
            return "its values are kept"
        self.examined[function.name] = "it uses itself"
        body = self.bodies[function.name] = with_inlined(function.body, self)
        assert function.result is not None
        value = as_expression(body, function.result)
        if value is None:
            return "it cannot be written as one expression"
        small = small_of(function.params, value, self.most)
        return small or "it is too large, together with the definitions that it uses"


def inline(module: Module, records: PassRecords) -> None:
    """Inline small definitions in all functions."""
    definitions = Definitions(module, effect_test(module))
    for function in functions(module):
        if function.kind == "define":
            definitions.small(function.name)
            function.body = definitions.bodies[function.name]
        else:
            function.body = with_inlined(function.body, definitions)
    for name, examined in definitions.examined.items():
        function = module.functions[name]
        if function.kind == "hypothesis":
            continue  # which is never inlined
        if isinstance(examined, str):
            records.refused(NAME, subject_of(function), function.source, examined)
        elif name in definitions.times:
            times = definitions.times[name]
            places = "one place" if times == 1 else f"{times} places"
            records.applied(NAME, subject_of(function), function.source, f"in {places}")


def inlined(node: ex.Expr, definitions: Definitions) -> ex.Expr:
    """A single expression with small definitions inlined."""
    return Inliner(definitions, fresh_in(node)).of(node)


def with_inlined(body: st.Block, definitions: Definitions) -> st.Block:
    """Statements with small definitions inlined."""
    return changed_block(body, Inliner(definitions, fresh_for(body)).of)


@dataclass(slots=True)
class Inliner:
    """Inlines small definitions in the expressions of a function."""

    definitions: Definitions
    fresh: Fresh

    def of(self, node: ex.Expr) -> ex.Expr:
        """An expression with small definitions inlined."""
        if type(node) in LEAVES:
            return node
        new_node, definitions = changed_parts(node, self.of), self.definitions
        if isinstance(new_node, ex.Call):
            small = definitions.small(new_node.function)
            if small is not None:
                definitions.times[new_node.function] = definitions.times.get(new_node.function, 0) + 1
                return inlined_call(new_node, small, definitions.has_effect, self.fresh)
        return new_node if new_node is node else simplified(new_node)


# ---------------------------------------------------------------- inlining one call


def inlined_call(node: ex.Call, small: Small, has_effect: HasEffect, fresh: Fresh) -> ex.Expr:
    """The body of a definition for these arguments."""
    values: dict[str, ex.Expr] = {}
    assigned: list[tuple[ex.Local, ex.Expr]] = []
    effects = sum(map(has_effect, node.args))
    for (param, uses), arg in zip(small.uses, node.args, strict=True):
        # INVARIANT: arguments are evaluated once each, from left to right, before the body. An argument with an effect
        # takes the place of its parameter only if the body would evaluate it first and exactly once, and if no other
        # argument has an effect that it would change places with; else it is bound by a `let` around the body.
        alone = effects == 1 and uses == 1 and computed_first(small.value, param.name, has_effect)
        if _is_trivial(arg) or (uses <= 1 and _fits(arg, param) and (alone or not has_effect(arg))):
            values[param.name] = arg
        else:
            values[param.name] = local = fresh.local(param)
            assigned.append((local, arg))
    body = substituted(small.value, values, fresh, simplified)
    for local, arg in reversed(assigned):
        body = ex.Let(node.type, local, arg, body, node.source)
    return body


def _is_trivial(arg: ex.Expr) -> bool:
    """Whether an argument can replace its parameter wherever that is read."""
    if isinstance(arg, ex.Cell | ex.Slot):
        return isinstance(arg.index, ex.Const)
    return isinstance(arg, ex.Local | ex.Const)


def _fits(arg: ex.Expr, param: ex.Local) -> bool:
    """Whether the type of an argument fits its parameter."""
    return isinstance(arg.type, Opt) == isinstance(param.type, Opt)


def as_expression(body: st.Block, type_: Type) -> ex.Expr | None:
    """A chain of cases that return values as one expression; None for any other body."""
    match body:
        case (st.Return(value), *_):
            return value
        case (st.If(condition, then, (), source), *rest):
            yes, no = as_expression(then, type_), as_expression(tuple(rest), type_)
            return None if yes is None or no is None else simplified(ex.Choice(type_, condition, yes, no, source))
        case _:
            return None


def small_of(params: Sequence[ex.Local], value: ex.Expr, most: int) -> Small | None:
    """A definition that can be inlined; None if its value has too many nodes."""
    uses = {param.name: 0 for param in params}
    if _count_uses(value, uses, 1, most) < 0:
        return None
    return Small(tuple([(param, uses[param.name]) for param in params]), value)


def _count_uses(node: ex.Expr, uses: dict[str, int], weight: int, budget: int) -> int:
    """The nodes left of a budget, below 0 if it is exceeded; counts in `uses` how often locals are read."""
    if isinstance(node, ex.Local) and node.name in uses:
        uses[node.name] += weight
    if isinstance(node, ex.Call):
        return -1  # a call of a definition that is not small
    budget -= 1
    several = isinstance(node, ex.Fold | ex.Lambda)
    for place, child in enumerate(ex.children(node)):
        if budget < 0:
            break
        repeated = several and (place > 0 or isinstance(node, ex.Lambda))
        budget = _count_uses(child, uses, 2 if repeated else weight, budget)
    return budget
