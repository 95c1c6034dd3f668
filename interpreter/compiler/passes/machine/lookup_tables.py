"""Lookup tables: an expression of few cells and names with few values is evaluated for all of them in advance.

`(p + 1) % 4 if passing = left else (p + 3) % 4 if passing = right else (p + 2) % 4` depends on an option with four
values and a name with four: it becomes `given[passing, p]`, a table of 16 entries. So does `0 if card is a heart …`, of
one name with 52 values. It matters most for searches on a board, whose results for each place are a table of 64 sets.

Only expressions that read nothing but such cells, and names that are never none, become tables: a lookup reads all of
them, whether or not the rules would have. Where the expression ends in a fault, the entry is none and a check raises
it.

Larger expressions are tried first, because they save most. Limits keep the preparation short: four keys of sixteen
values each have 65,536 entries.

Without it a game whose board is asked for the same few relations takes 4 times the instructions in the machine engine,
four others 1.1 to 1.5 times, most as many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import product
from math import prod

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    Cell,
    Check,
    Const,
    Expr,
    Fold,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    Table,
    children,
    number,
    rebuilt,
)
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.module import Function, Module, named
from interpreter.compiler.ir.types import Bool, Int, Opt, Ref, Set, Type, optional
from interpreter.compiler.passes.facts.traversal import LEAVES
from interpreter.compiler.passes.loops.costs import COSTLY, costly, key_of
from interpreter.compiler.passes.loops.narrowing import quoted
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.functions import functions
from interpreter.compiler.passes.rewriting.substitution import BINDING, bound
from interpreter.compiler.passes.simplifying.evaluating import (
    Budget,
    Evaluator,
    NoValueError,
    TooMuchWorkError,
    Variable,
    computable,
)
from interpreter.compiler.passes.simplifying.folding_operations import constant
from interpreter.runtime.cells import StoredValue

NAME = "lookup tables"

MOST_ENTRIES = 4096
"""Maximum number of entries of a table."""

MOST_POSITIONS = 2 * MOST_ENTRIES
"""Maximum number of positions of a table, with gaps before the first values of its keys."""

MOST_KEYS = 4
"""Maximum number of keys of a table."""

MOST_CELLS = 4
"""Maximum number of cells of a group that is read by an index which the expression computes."""

MOST_WORK = 250_000
"""Maximum number of nodes evaluated for all tables of a game, which takes a twentieth of a second."""

GAIN = 3
"""By how much the cost of an expression must exceed that of a lookup."""

SEARCHING_BITS = frozenset({"first", "last", "lowest", "nth_member", "select"})
"""The operations on sets that cost more than one step."""


def lookup_tables(module: Module, records: PassRecords) -> None:
    """Replace expressions that depend on few values by lookups, in all functions and blocks."""
    at = _Tables(module, records, {zone.contents.name for zone in module.zones.values() if zone.shape == "one"})
    for function in functions(module):
        at.of_function(function)


@dataclass(frozen=True)
class Key:
    """A key of a table: the expression that gives it, and its possible values in ascending order.

    A set of at most one member is looked up by the number after it, from 0: with sets as numbers, three such keys of
    six members had 343 entries at 36,000 positions. `value_of` is what the variable holds for a value of the key.
    """

    node: Expr
    values: Sequence[int]
    variable: Variable
    single: bool = False

    def value_of(self, value: int) -> int:
        """The value of the variable."""
        return (1 << value) >> 1 if self.single else value


@dataclass
class _Tables:
    """Builds the tables of a module.

    `single` are the groups of cells with one piece at most, `work` counts the nodes evaluated so far, `made_tables`
    holds the tables by the expressions they replace. `present` are the names in scope that are never none.
    """

    module: Module
    records: PassRecords
    single: set[str]
    work: int = 0
    made_tables: dict[object, Table | None] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    costs: IdentityMap[Expr, int] = field(default_factory=IdentityMap)

    def of_function(self, function: Function) -> None:
        """Rewrite a function."""
        self.present = _never_none(function.params)
        function.body = self._block(function.body)

    def _block(self, block: st.Block) -> st.Block:
        return tuple([self._statement(node) for node in block])

    def _statement(self, node: st.Statement) -> st.Statement:
        present_before = self.present
        if isinstance(node, st.For):
            self.present |= _bound_by(node.loops)
        new_node = st.rebuilt(node, self._of, self._block)
        self.present = present_before
        return new_node

    def _of(self, node: Expr) -> Expr:
        """An expression with lookups in place of parts of it, or of all of it."""
        if type(node) in LEAVES:
            return node
        replacement = self._entry(node)
        if replacement is not None:
            return replacement
        present_before = self.present
        if isinstance(node, Fold):
            self.present |= _bound_by(node.loops)
        replacement = rebuilt(node, self._of)
        self.present = present_before
        return replacement

    def _entry(self, node: Expr) -> Expr | None:
        cost = self._cost(node)
        if cost <= GAIN:
            return None
        keys_of: dict[Variable, Key] = {}
        if not self._reads_few(node, keys_of, frozenset()) or not keys_of or cost < GAIN + len(keys_of):
            return None
        keys = list(keys_of.values())
        table = self._table(node, keys)
        if table is None:
            return None
        self._record(node)
        entry = Lookup(table.type, table, tuple([key.node for key in keys]), node.source)
        # INVARIANT: an expression and its lookup fail for the same values. None as an entry means "fails" if the type
        # of the expression excludes none; if the type allows none, an entry could mean either, and there is no table
        # (`_made`).
        lacking = isinstance(table.type, Opt) and not isinstance(node.type, Opt)
        return Check(node.type, "need", entry, (), node.source) if lacking else entry

    def _cost(self, node: Expr) -> int:
        """Roughly how many steps it takes to evaluate an expression."""
        if type(node) in LEAVES:
            return 0
        cost = self.costs.get(node)
        return self.costs.keep(node, sum(map(self._cost, children(node))) + _own_cost(node)) if cost is None else cost

    def _record(self, node: Expr) -> None:
        """Record the expression by its own location: the function may have been inlined from several."""
        if node.source is not None:
            self.records.applied(NAME, f"expression {node.source.number}", node.source, f"{quoted(node)} is looked up")

    # ------------------------------------------------------------ keys

    def _reads_few(self, node: Expr, keys: dict[Variable, Key], bound_names: frozenset[str]) -> bool:
        """Whether an expression can be a table; `keys` gets its keys, `bound_names` are those that it binds."""
        match node:
            case Const():
                return True
            case Local(name=name):
                return name in bound_names or (name in self.present and self._reads(node, name, node.type, keys))
            case Cell(group=group, index=Const(value=index)):
                return self._reads(node, (group.name, index), group.type, keys)
            case Cell(group=group, index=Local(name=name)) if name not in bound_names:
                return name in self.present and self._reads(node, node, group.type, keys)
            case Cell(group=group, index=index):
                if group.count > MOST_CELLS or not self._reads_few(index, keys, bound_names):
                    return False
                cells = [Cell(group.type, group, number(i)) for i in range(group.count)]
                return all(self._reads_few(cell, keys, bound_names) for cell in cells)
            case _ if computable(node):
                if type(node) in BINDING:
                    bound_names |= {local.name for local in bound(node)}
                return all(self._reads_few(child, keys, bound_names) for child in children(node))
            case _:
                return False

    def _reads(self, node: Expr, variable: Variable, type_: Type, keys: dict[Variable, Key]) -> bool:
        """Add a key; whether that is possible."""
        if variable in keys:
            return True
        single = isinstance(type_, Set) and isinstance(node, Cell) and node.group.name in self.single
        values = _values(type_, single)
        if not values or len(keys) == MOST_KEYS:
            return False
        place = Op(Int(0, values[-1]), "end", (node,), node.source) if single else node
        keys[variable] = Key(place, values, variable, single)
        positions = prod(key.values[-1] + 1 for key in keys.values())
        return positions <= MOST_POSITIONS and prod(len(key.values) for key in keys.values()) <= MOST_ENTRIES

    # ------------------------------------------------------------ evaluation

    def _table(self, node: Expr, keys: Sequence[Key]) -> Table | None:
        """The table of an expression; None if it takes too much work, or if none could mean a value or a fault."""
        places = {key.variable: place for place, key in enumerate(keys) if isinstance(key.variable, str)}
        # The same rule inlined at ten jumps has ten names for one expression: they share one table.
        same = key_of(node, places), *[(key.values, key.single) for key in keys]  # names differ where code is inlined
        if same not in self.made_tables:
            budget = Budget(MOST_WORK - self.work)
            available = budget.nodes_left
            try:
                self.made_tables[same] = self._made(node, keys, budget)
            except TooMuchWorkError:
                self.made_tables[same] = None
            self.work += available - budget.nodes_left
        return self.made_tables[same]

    def _made(self, node: Expr, keys: Sequence[Key], budget: Budget) -> Table | None:
        """The table of an expression, None if none could mean a value or a fault. Raises TooMuchWorkError."""
        entries: dict[tuple[int, ...], StoredValue] = {}
        lacking = False
        evaluator = Evaluator(node, [key.variable for key in keys], budget)
        held = product(*[[key.value_of(value) for value in key.values] for key in keys])
        for values in product(*[key.values for key in keys]):
            try:
                value = evaluator.value(next(held))
            except NoValueError:
                lacking, entries[values] = True, None
                continue
            entry = constant(node.type, value, node)
            if not isinstance(entry, Const):
                return None
            entries[values] = entry.value
        if lacking and isinstance(node.type, Opt):
            return None
        name = named("given", len(self.module.tables))
        table = Table(name, _nested(entries, keys, ()), optional(node.type) if lacking else node.type)
        self.module.tables[name] = table
        return table


def _never_none(locals_: Iterable[Local]) -> frozenset[str]:
    return frozenset(local.name for local in locals_ if not isinstance(local.type, Opt))


def _bound_by(loops: Iterable[Loop]) -> frozenset[str]:
    return _never_none(loop.local for loop in loops)


def _values(type_: Type, single: bool) -> Sequence[int]:
    """All values of a type that can be keys, in ascending order; empty if there are too many, or others among them."""
    match type_:
        case Bool():
            return False, True
        case Int(low, high) if 0 <= low <= high < MOST_ENTRIES:
            return range(low, high + 1)
        case Ref(_, width) if width <= MOST_ENTRIES:
            return range(width)
        case Set(_, width) if 1 << width <= MOST_ENTRIES:
            return range(width + 1) if single else range(1 << width)
        case _:
            return ()


def _nested(
    entries: Mapping[tuple[int, ...], StoredValue], keys: Sequence[Key], prefix: tuple[int, ...]
) -> StoredValue:
    """The entries as nested tuples; in gaps before the first value of a key, its entry is repeated."""
    if len(prefix) == len(keys):
        return entries[prefix]
    values = keys[len(prefix)].values
    rows = [_nested(entries, keys, (*prefix, value)) for value in values]
    return (*rows[:1] * values[0], *rows)


def _own_cost(node: Expr) -> int:
    """The steps without those of the parts."""
    match node:
        case Cell(index=Const() | Local()):
            return 0
        case Check():
            return 2
        case Lookup(keys=keys):
            return 1 + any(isinstance(key.type, Opt) for key in keys)
        case Logic(parts=parts):
            return len(parts) - 1
        case Op(name=name) if name in SEARCHING_BITS:
            return 3
        case _:
            return COSTLY if costly(node) else 1
