"""Random expressions of the intermediate representation, and states and values to compute them in."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

from interpreter.compiler.ir.expressions import (
    TRUE,
    Cell,
    Check,
    Choice,
    Const,
    Expr,
    Fold,
    Group,
    Let,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    Table,
    number,
)  # fmt: skip
from interpreter.compiler.ir.types import BOOL, Int, Opt, Ref, Seq, Set, Type

FIRST_CELL = 10


class Maker:
    """Makes expressions over a domain of so many members; `names` are the locals in scope, `groups` cells by type."""

    def __init__(self, random: Random, width: int) -> None:
        self.random, self.width = random, width
        self.int, self.ref, self.set = Int(-20, 20), Ref("d", width), Set("d", width)
        self.opt: Type = Opt(self.ref)
        self.kinds: tuple[Type, ...] = (self.int, self.ref, self.opt, self.set, BOOL, Opt(self.int))
        self.names = [Local(kind, f"p{place}") for place, kind in enumerate(self.kinds)]
        self.groups = {
            kind: Group(f"g{place}", FIRST_CELL + place * width, width, kind) for place, kind in enumerate(self.kinds)
        }
        self.tables = {
            kind: Table(f"T{place}", tuple(self.content(kind) for _ in range(width)), kind)
            for place, kind in enumerate(self.kinds)
        }
        self.partial = Table("Partial", {3: self.content(self.set), -1: self.content(self.set)}, self.set, True, 0)
        self.deep = Table("Deep", ((1, 2, 3), (4, -5, 6), (7, 8, 9)), self.int)
        self.fresh = 0

    def content(self, kind: Type) -> Any:
        """A value of a type."""
        match kind:
            case Opt(of):
                return self.random.choice([None, self.content(of)])
            case Int():
                return self.random.randint(-4, 12)
            case Ref(_, width):
                return self.random.randrange(width)
            case Set(_, width):
                return self.random.choice([0, self.random.getrandbits(width), 1 << self.random.randrange(width)])
            case _:
                return self.random.random() < 0.5

    def state(self) -> list[Any]:
        """A state."""
        cells = [0] * FIRST_CELL
        return cells + [self.content(kind) for kind in self.groups for _ in range(self.width)]

    def local(self, kind: Type) -> Local:
        """A new name."""
        self.fresh += 1
        return Local(kind, f"x_{self.fresh}")

    def source(self) -> Any:
        """A node of its own."""
        self.fresh += 1
        return SimpleNamespace(number=self.fresh)

    def make(self, kind: Type, depth: int) -> Expr:
        """An expression of a type."""
        if depth <= 0 or self.random.random() < 0.1:
            return self._leaf(kind)
        common = [self._choice, self._let, self._lookup, self._leaf]
        forms = {self.int: self._int, self.ref: self._ref, self.set: self._set, BOOL: self._bool}
        own = forms.get(kind, self._opt)
        if self.random.random() < 0.25:
            return self.random.choice(common[:3])(kind, depth - 1)
        return own(kind, depth - 1)

    def _leaf(self, kind: Type, depth: int = 0) -> Expr:
        known = [name for name in self.names if name.type == kind]
        form = self.random.randrange(4)
        if form < 2 and known:
            return self.random.choice(known)
        if form == 2:
            refs = [name for name in self.names if name.type == self.ref]
            index: Expr = self.random.choice([number(self.random.randrange(self.width)), *refs])
            return Cell(kind, self.groups[kind], index)
        return Const(kind, self.content(kind))

    def _choice(self, kind: Type, depth: int) -> Expr:
        return Choice(kind, self.make(BOOL, depth), self.make(kind, depth), self.make(kind, depth))

    def _let(self, kind: Type, depth: int) -> Expr:
        inner = self.random.choice(self.kinds)
        bound, given = self.local(inner), self.make(inner, depth)
        return Let(kind, bound, given, self._inside([bound], kind, depth))

    def _inside(self, bound: list[Local], kind: Type, depth: int) -> Expr:
        self.names += bound
        found = self.make(kind, depth)
        del self.names[-len(bound) :]
        return found

    def _lookup(self, kind: Type, depth: int) -> Expr:
        optional = isinstance(kind, Opt)
        return Lookup(kind, self.tables[kind], (self.make(self.opt if optional else self.ref, depth),))

    def _loops(self, depth: int) -> tuple[Loop, ...]:
        loops: list[Loop] = []
        before = len(self.names)
        for _ in range(self.random.choice([1, 1, 1, 2])):
            over, bound = self._over(depth)
            self.names.append(bound)
            where = self.make(BOOL, depth) if self.random.random() < 0.5 else None
            loops.append(Loop(bound, over, where))
        del self.names[before:]
        return tuple(loops)

    def _over(self, depth: int) -> tuple[Expr, Local]:
        match self.random.randrange(5):
            case 0:
                items = tuple(self.make(self.opt, depth - 1) for _ in range(self.random.randrange(3)))
                return Op(Seq(self.opt), "list", items), self.local(self.opt)
            case 1:
                ends = number(self.random.randint(-2, 2)), self.make(Int(-20, 20), 0)
                return Op(Seq(self.int), "span", (ends[0], Op(self.int, "mod", (ends[1], number(5))))), self.local(
                    self.int
                )
            case _:
                return self.make(self.set, depth - 1), self.local(self.ref)

    def _fold(self, kind: Type, word: Any, of: Type, depth: int) -> Expr:
        loops = self._loops(depth)
        if word in ("highest", "lowest"):
            loops = loops[:1]
        bound = [loop.local for loop in loops]
        if of is TRUE:
            return Fold(kind, word, loops, TRUE)
        inner = self._inside(bound, of, depth)
        if word in ("set", "first", "any") and self.random.random() < 0.4:
            inner = next((name for name in bound if name.type == of), inner)
        return Fold(kind, word, loops, inner)

    def _two(self, kind: Type, depth: int) -> tuple[Expr, Expr]:
        return self.make(kind, depth), self.make(kind, depth)

    def _int(self, kind: Type, depth: int) -> Expr:
        name = self.random.choice([
            "add", "sub", "mul", "div", "mod", "neg", "abs", "least", "greatest", "to_int", "size", "end",
            "count", "count", "sum", "max", "min", "need", "in_range", "among", "deep", "product", "divisor",
        ])  # fmt: skip
        match name:
            case "div" | "mod":
                return Op(kind, name, (self.make(kind, depth), number(self.random.randint(1, 5))))
            case "divisor":
                divisor = Check(kind, "divisor", self.make(kind, depth), (), self.source())
                return Op(kind, self.random.choice(("div", "mod")), (self.make(kind, depth), divisor))
            case "neg" | "abs":
                return Op(kind, name, (self.make(kind, depth),))
            case "to_int":
                return Op(kind, name, (self.make(BOOL, depth),))
            case "size" | "end":
                return Op(kind, name, (self.make(self.set, depth),))
            case "count":
                return self._fold(kind, name, self.random.choice([BOOL, BOOL, self.int]), depth)
            case "sum" | "max" | "min":
                return self._fold(kind, name, kind, depth)
            case "need":
                return Check(kind, "need", self.make(Opt(self.int), depth), (), self.source())
            case "in_range":
                return Check(kind, "in_range", self.make(kind, depth), (-15, 15), self.source())
            case "among":
                return Check(kind, "among", self.make(kind, depth), tuple(range(-16, 16)), self.source())
            case "product":
                return Check(kind, "product", Op(kind, "mul", self._two(kind, depth)), (), self.source())
            case "deep":
                keys = [Op(Int(0, 2), "mod", (self.make(kind, depth), number(3))) for _ in range(2)]
                return Lookup(kind, self.deep, tuple(keys))
            case _:
                return Op(kind, name, self._two(kind, depth))

    def _bool(self, kind: Type, depth: int) -> Expr:
        name = self.random.choice([
            "lt", "le", "gt", "ge", "eq", "not", "not", "is_none", "and", "or", "and", "or", "has", "has", "is_empty",
            "in_list", "any", "any", "any", "span",
        ])  # fmt: skip
        match name:
            case "lt" | "le" | "gt" | "ge":
                return Op(BOOL, name, self._two(self.int, depth))
            case "eq":
                return Op(BOOL, name, self._two(self.random.choice(self.kinds), depth))
            case "not":
                return Op(BOOL, name, (self.make(BOOL, depth),))
            case "is_none":
                return Op(BOOL, name, (self.make(self.opt, depth),))
            case "and" | "or":
                return Logic(BOOL, name, tuple(self.make(BOOL, depth) for _ in range(self.random.randint(2, 3))))
            case "has":
                return Op(
                    BOOL, name, (self.make(self.set, depth), self.make(self.random.choice(self.kinds[:3]), depth))
                )
            case "is_empty":
                return Op(BOOL, name, (self.make(self.set, depth),))
            case "span":
                span = Op(Seq(self.int), "span", (number(-1), self.make(self.int, 0)))
                return Op(BOOL, "in_list", (self.make(self.random.choice([self.int, self.opt]), depth), span))
            case "in_list":
                return Op(
                    BOOL, name, (self.make(self.opt, depth), Op(Seq(self.opt), "list", self._two(self.opt, depth)))
                )
            case _:
                return self._fold(BOOL, "any", BOOL, depth)

    def _set(self, kind: Type, depth: int) -> Expr:
        name = self.random.choice(
            ["union", "both", "minus", "single", "set", "set", "as_set", "partial", "take", "subset"]
        )
        match name:
            case "single":
                return Op(kind, name, (self.make(self.random.choice([self.ref, self.opt]), depth),))
            case "set":
                return self._fold(kind, name, self.random.choice([self.ref, self.opt]), depth)
            case "as_set":
                item = self.random.choice([self.ref, self.opt])
                return Op(kind, name, (Op(Seq(item), "list", self._two(item, depth)),))
            case "take":
                taken = Op(Seq(self.ref), "take", (self.make(kind, depth), self.make(self.int, depth)))
                return Op(kind, "as_set", (taken,))
            case "partial":
                return Lookup(kind, self.partial, (self.make(self.int, depth),))
            case "subset":
                return Check(kind, name, self.make(kind, depth), tuple(range(self.width - 1)), self.source())
            case _:
                return Op(kind, name, self._two(kind, depth))

    def _ref(self, kind: Type, depth: int) -> Expr:
        return Check(kind, "need", self.make(self.opt, depth), (), self.source())

    def _opt(self, kind: Type, depth: int) -> Expr:
        if kind != self.opt:
            return self._leaf(kind)
        name = self.random.choice(
            ["first", "last", "nth_member", "found", "found", "highest", "lowest", "one_of", "nth"]
        )
        match name:
            case "first" | "last":
                return Op(kind, name, (self.make(self.set, depth),))
            case "nth_member":
                return Op(kind, name, (self.make(self.int, depth), self.make(self.set, depth)))
            case "one_of":
                return Check(kind, name, self.make(kind, depth), tuple(range(1, self.width)), self.source(), "d")
            case "nth":
                listed = Fold(
                    Seq(self.ref), "list", (Loop(each := self.local(self.ref), self.make(self.set, depth)),), each
                )
                return Op(kind, "nth_of", (self.make(self.int, depth), listed))
            case "found":
                return self._fold(kind, "first", self.random.choice([self.ref, self.opt]), depth)
            case _:
                over, bound = self.make(self.set, depth), self.local(self.ref)
                where = self._inside([bound], BOOL, depth) if self.random.random() < 0.5 else None
                return Fold(kind, name, (Loop(bound, over, where),), self._inside([bound], self.int, depth))
