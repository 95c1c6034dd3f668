"""Small definitions stand where they are asked: a call costs more than what they work out.

An argument that may end the game in a fault does so, or not, as if the definition were called: before anything in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.ir import statements as st
from interpreter.ir.expressions import Ask, Cell, Choice, Const, Expr, Fold, Lambda, Let, Local, Slot, children
from interpreter.ir.module import Function, Module
from interpreter.ir.types import Opt, Type
from interpreter.passes.facts.bodies import LEAVES, changed_block, changed_parts, computed_first, subject_of
from interpreter.passes.facts.noticing import Noticed, noticing
from interpreter.passes.record import PassRecords
from interpreter.passes.rewriting.functions import functions
from interpreter.passes.rewriting.substitution import Fresh, fresh_for, fresh_in, substituted
from interpreter.passes.simplifying.folding import simplified

NAME = "inlining"

SMALLEST = 36
"""How many nodes a definition may have, those it asks in turn with it, to stand where it is asked."""


@dataclass(frozen=True)
class Small:
    """A definition that can stand where it is asked.

    `uses` are its parameters and how often each is read, more than once where that is in a loop.
    """

    uses: tuple[tuple[Local, int], ...]
    value: Expr


@dataclass
class Definitions:
    """The definitions of a module: as they stand where they are asked, or why they do not.

    `bodies` are those of the definitions looked at, with small ones in place in them; `times` is how often each has
    been put in place, `most` how many nodes a small one may have.
    """

    module: Module
    noticed: Noticed
    known: dict[str, Small | str] = field(default_factory=dict)
    bodies: dict[str, st.Block] = field(default_factory=dict)
    most: int = SMALLEST
    times: dict[str, int] = field(default_factory=dict)

    def small(self, name: str) -> Small | None:
        """The definition if it is small."""
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = self._looked_at(self.module.functions[name])
        return found if isinstance(found, Small) else None

    def _looked_at(self, function: Function) -> Small | str:
        if function.kind != "define":
            return "it is no definition"
        self.known[function.name] = "it uses itself"
        body = self.bodies[function.name] = in_place(function.body, self)
        assert function.result is not None
        value = as_expression(body, function.result)
        if value is None:
            return "it is worked out in several steps"
        uses = {param.name: 0 for param in function.params}
        if _counted(value, uses, 1, self.most) < 0:
            return "it is too large, counting the definitions that it uses"
        return Small(tuple([(param, uses[param.name]) for param in function.params]), value)


def inline(module: Module, records: PassRecords) -> None:
    """Put small definitions where they are asked, in all functions."""
    known = Definitions(module, noticing(module))
    for function in functions(module):
        if function.kind == "define":
            known.small(function.name)
            function.body = known.bodies[function.name]
        else:
            function.body = in_place(function.body, known)
    for name, found in known.known.items():
        function = module.functions[name]
        if function.kind == "hypothesis":
            continue  # which stands for itself
        if isinstance(found, str):
            records.refused(NAME, subject_of(function), function.source, found)
        elif name in known.times:
            times = known.times[name]
            places = "one place" if times == 1 else f"{times} places"
            records.applied(NAME, subject_of(function), function.source, f"in {places}")


def inlined(node: Expr, known: Definitions) -> Expr:
    """An expression by itself with small definitions where it asks them."""
    return InPlace(known, fresh_in(node)).of(node)


def in_place(body: st.Block, known: Definitions) -> st.Block:
    """Statements with small definitions where they ask them."""
    return changed_block(body, InPlace(known, fresh_for(body)).of)


@dataclass(slots=True)
class InPlace:
    """Puts small definitions where the expressions of a function ask them."""

    known: Definitions
    fresh: Fresh

    def of(self, node: Expr) -> Expr:
        """An expression with small definitions where it asks them."""
        if type(node) in LEAVES:
            return node
        found, known = changed_parts(node, self.of), self.known
        if isinstance(found, Ask):
            small = known.small(found.function)
            if small is not None:
                known.times[found.function] = known.times.get(found.function, 0) + 1
                return _asked(found, small, known.noticed, self.fresh)
        return found if found is node else simplified(found)


# ---------------------------------------------------------------- a definition where it is asked


def _asked(node: Ask, small: Small, noticed: Noticed, fresh: Fresh) -> Expr:
    """The value of a definition for these arguments."""
    values: dict[str, Expr] = {}
    kept: list[tuple[Local, Expr]] = []
    noticeable = sum(map(noticed, node.args))
    for (param, uses), arg in zip(small.uses, node.args, strict=True):
        alone = noticeable == 1 and uses == 1 and computed_first(small.value, param.name, noticed)
        if _stands_by_itself(arg) or (uses <= 1 and _fits(arg, param) and (alone or not noticed(arg))):
            values[param.name] = arg
        else:
            values[param.name] = own = fresh.local(param)
            kept.append((own, arg))
    found = substituted(small.value, values, fresh, simplified)
    for own, arg in reversed(kept):
        found = Let(node.type, own, arg, found, node.source)
    return found


def _stands_by_itself(arg: Expr) -> bool:
    """Whether an argument can be computed wherever its parameter is read."""
    if isinstance(arg, Cell | Slot):
        return isinstance(arg.index, Const)
    return isinstance(arg, Local | Const)


def _fits(arg: Expr, param: Local) -> bool:
    """Whether an argument has the type of its parameter as far as the rules look at it."""
    return isinstance(arg.type, Opt) == isinstance(param.type, Opt)


def as_expression(body: st.Block, type_: Type) -> Expr | None:
    """Cases, one after the other, as one expression; None if there is more to them."""
    match body:
        case (st.Return(value), *_):
            return value
        case (st.If(condition, then, (), source), *rest):
            yes, no = as_expression(then, type_), as_expression(tuple(rest), type_)
            return None if yes is None or no is None else simplified(Choice(type_, condition, yes, no, source))
        case _:
            return None


def _counted(node: Expr, uses: dict[str, int], each: int, left: int) -> int:
    """How many nodes are left of so many, below 0 if too few; counts how often locals are read, `each` time anew."""
    if isinstance(node, Local) and node.name in uses:
        uses[node.name] += each
    if isinstance(node, Ask):
        return -1  # what is asked is not small
    left -= 1
    several = isinstance(node, Fold | Lambda)
    for place, child in enumerate(children(node)):
        if left < 0:
            break
        again = several and (place > 0 or isinstance(node, Lambda))
        left = _counted(child, uses, 2 if again else each, left)
    return left
