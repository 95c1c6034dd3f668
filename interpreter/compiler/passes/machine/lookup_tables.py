"""Lookup tables: an expression of few cells and names with few values is evaluated for all of them in advance.

`(p + 1) % 4 if passing = left else (p + 3) % 4 if passing = right else (p + 2) % 4` depends on an option with four
values and a name with four: it becomes `given[passing, p]`, a table of 16 entries. So does `0 if card is a heart …`, of
one name with 52 values. It matters most for searches on a board, whose results for each place are a table of 64 sets.

Only expressions that read nothing but such cells, and names that are never none, become tables: a lookup reads all of
them, whether or not the rules would have. Where the expression ends in a fault, the entry is none and a check raises
it.

A whole definition, with its cases, is a table, too, if its parameters have few values: `reach_of(rank, p, c)` of seven
ranks (none is one), two seats and 64 squares. It is then looked up wherever it was called.

Larger expressions are tried first, because they save most. Limits keep the preparation short: four keys of sixteen
values each have 65,536 entries.

Without it a game whose board is asked for the same few relations takes 6 times the instructions in the machine engine,
four others 1.1 to 1.5 times, most as many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.module import Function, Module, named
from interpreter.compiler.ir.types import BOOL, Bool, Int, Opt, Ref, Set, Type, bare, optional
from interpreter.compiler.passes.facts.effects import HasEffect, effect_test
from interpreter.compiler.passes.facts.traversal import LEAVES, functions
from interpreter.compiler.passes.loops.costs import COSTLY, costly, key_of
from interpreter.compiler.passes.loops.narrowing import quoted
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.substitution import BINDING, Fresh, bound, fresh_for
from interpreter.compiler.passes.simplifying.evaluating import (
    Budget,
    Evaluator,
    NoValueError,
    TooMuchWorkError,
    Variable,
    computable,
)
from interpreter.compiler.passes.simplifying.folding_operations import constant
from interpreter.compiler.passes.simplifying.inlining import (
    MAX_INLINED_SIZE,
    Small,
    as_expression,
    inlined_call,
    small_of,
)
from interpreter.runtime.cells import StoredValue

NAME = "lookup tables"

MAX_ENTRIES = 4096
"""Maximum number of entries of a table."""

MAX_POSITIONS = 2 * MAX_ENTRIES
"""Maximum number of positions of a table, with gaps before the first values of its keys."""

MAX_KEYS = 4
"""Maximum number of keys of a table."""

MAX_CELLS = 4
"""Maximum number of cells of a group that is read by an index which the expression computes."""

MAX_WORK = 250_000
"""Maximum number of nodes evaluated for all tables of a game, which takes a twentieth of a second."""

GAIN = 3
"""By how much the cost of an expression must exceed that of a lookup."""

SEARCHING_BITS = frozenset({"first", "last", "lowest", "nth_member", "select"})
"""The operations on sets that cost more than one step."""


def lookup_tables(module: Module, records: PassRecords) -> None:
    """Replace expressions that depend on few values by lookups, in all functions and blocks."""
    single = {zone.contents.name for zone in module.zones.values() if zone.shape == "one"}
    at = _Tables(module, records, single, effect_test(module))
    for function in functions(module):
        at.of_function(function)


@dataclass(frozen=True)
class Key:
    """A key of a table: the expression that gives it, and its possible values in ascending order.

    A set of at most one member is looked up by the number after it, from 0: with sets as numbers, three such keys of
    six members had 343 entries at 36,000 positions. None is looked up by the number after all values. `value_of` is
    what the variable holds for a value of the key.
    """

    node: ex.Expr
    values: Sequence[int]
    variable: Variable
    single: bool = False
    none: int | None = None

    def value_of(self, value: int) -> int | None:
        """The value of the variable."""
        if value == self.none:
            return None
        return (1 << value) >> 1 if self.single else value


@dataclass
class _Tables:
    """Builds the tables of a module.

    `single` are the groups of cells with one piece at most, `work` counts the nodes evaluated so far, `made_tables`
    holds the tables by the expressions they replace. `function` is the one that is being rewritten, `fresh` gives new
    names in it, and `present` are the names in scope that are never none. `definitions` are those that have been
    rewritten, with what they are if they are tables, and `params` the parameters of the one that is becoming a table.
    """

    module: Module
    records: PassRecords
    single: set[str]
    has_effect: HasEffect
    work: int = 0
    made_tables: dict[object, ex.Table | None] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    function: Function | None = None
    fresh: Fresh | None = None
    definitions: dict[str, Small | None] = field(default_factory=dict)
    params: Mapping[str, ex.Local] = field(default_factory=dict)
    costs: IdentityMap[ex.Expr, int] = field(default_factory=IdentityMap)

    def of_function(self, function: Function) -> None:
        """Rewrite a function."""
        if function.kind != "define":
            self._rewrite(function)
        elif function.name not in self.definitions:
            self.definitions[function.name] = None
            self._rewrite(function)
            self.definitions[function.name] = self._as_table(function)

    def _rewrite(self, function: Function) -> None:
        outer = self.function, self.fresh, self.present
        self.function, self.fresh, self.present = function, None, _never_none(function.params)
        function.body = self._block(function.body)
        self.function, self.fresh, self.present = outer

    def _as_table(self, function: Function) -> Small | None:
        """Make a definition one table, if it can be one; its parts are tables already, so that takes little work."""
        if not function.params or function.result is None:
            return None
        value = as_expression(function.body, function.result)
        self.params = {param.name: param for param in function.params}
        looked_up = isinstance(value, ex.Lookup) and all(isinstance(key, ex.Local) for key in value.keys)
        entry = value if value is None or looked_up else self._entry(value, gain=0)  # a call costs more
        self.params = {}
        if entry is None:
            return None
        function.body = (st.Return(entry),)
        return small_of(function.params, entry, MAX_INLINED_SIZE)

    def _called(self, node: ex.Call) -> ex.Expr:
        """A call, as a lookup if the definition is a table."""
        self.of_function(self.module.functions[node.function])
        small = self.definitions.get(node.function)
        if small is None or self.function is None:
            return node
        self.fresh = self.fresh or fresh_for(self.function.body)
        return inlined_call(node, small, self.has_effect, self.fresh)

    def _block(self, block: st.Block) -> st.Block:
        return tuple([self._statement(node) for node in block])

    def _statement(self, node: st.Statement) -> st.Statement:
        present_before = self.present
        if isinstance(node, st.For):
            self.present |= _bound_by(node.loops)
        new_node = st.rebuilt(node, self._of, self._block)
        self.present = present_before
        return new_node

    def _of(self, node: ex.Expr) -> ex.Expr:
        """An expression with lookups in place of parts of it, or of all of it."""
        if type(node) in LEAVES:
            return node
        if isinstance(node, ex.Call):
            node = self._called(node)
        replacement = self._entry(node)
        if replacement is not None:
            return replacement
        present_before = self.present
        if isinstance(node, ex.Fold):
            self.present |= _bound_by(node.loops)
        replacement = ex.rebuilt(node, self._of)
        self.present = present_before
        return replacement

    def _entry(self, node: ex.Expr, gain: int = GAIN) -> ex.Expr | None:
        cost = self._cost(node)
        if cost <= gain:
            return None
        keys_of: dict[Variable, Key] = {}
        if not self._reads_few(node, keys_of, frozenset()) or not keys_of or cost < gain + len(keys_of):
            return None
        keys = list(keys_of.values())
        table = self._table(node, keys)
        if table is None:
            return None
        self._record(node)
        entry = ex.Lookup(table.type, table, tuple([key.node for key in keys]), node.source)
        # INVARIANT: an expression and its lookup fail for the same values. None as an entry means "fails" if the type
        # of the expression excludes none; if the type allows none, an entry could mean either, and there is no table
        # (`_made`).
        lacking = isinstance(table.type, Opt) and not isinstance(node.type, Opt)
        return ex.Check(node.type, "need", entry, (), node.source) if lacking else entry

    def _cost(self, node: ex.Expr) -> int:
        """Roughly how many steps it takes to evaluate an expression."""
        if type(node) in LEAVES:
            return 0
        cost = self.costs.get(node)
        return (
            self.costs.keep(node, sum(map(self._cost, ex.children(node))) + _own_cost(node)) if cost is None else cost
        )

    def _record(self, node: ex.Expr) -> None:
        """Record the expression by its own location: the function may have been inlined from several."""
        if node.source is not None:
            self.records.applied(NAME, f"expression {node.source.number}", node.source, f"{quoted(node)} is looked up")

    # ------------------------------------------------------------ keys

    def _reads_few(self, node: ex.Expr, keys: dict[Variable, Key], bound_names: frozenset[str]) -> bool:
        """Whether an expression can be a table; `keys` gets its keys, `bound_names` are those that it binds."""
        match node:
            case ex.Const():
                return True
            case ex.Local(name=name):
                if name in self.params:  # where it is read, its type may exclude none
                    return self._reads(self.params[name], name, self.params[name].type, keys)
                return name in bound_names or (name in self.present and self._reads(node, name, node.type, keys))
            case ex.Cell(group=group, index=ex.Const(value=index)):
                return self._reads(node, (group.name, index), group.type, keys)
            case ex.Cell(group=group, index=ex.Local(name=name)) if name not in bound_names:
                return name in self.present and self._reads(node, node, group.type, keys)
            case ex.Cell(group=group, index=index):
                if group.count > MAX_CELLS or not self._reads_few(index, keys, bound_names):
                    return False
                cells = [ex.Cell(group.type, group, ex.number(i)) for i in range(group.count)]
                return all(self._reads_few(cell, keys, bound_names) for cell in cells)
            case _ if computable(node):
                if type(node) in BINDING:
                    bound_names |= {local.name for local in bound(node)}
                return all(self._reads_few(child, keys, bound_names) for child in ex.children(node))
            case _:
                return False

    def _reads(self, node: ex.Expr, variable: Variable, type_: Type, keys: dict[Variable, Key]) -> bool:
        """Add a key; whether that is possible."""
        if variable in keys:
            return True
        single = isinstance(type_, Set) and isinstance(node, ex.Cell) and node.group.name in self.single
        values = _values(bare(type_), single)
        # Cells that may be none gain nothing: the table of a die that may not have been thrown was larger and slower.
        if not values or len(keys) == MAX_KEYS or (isinstance(type_, Opt) and isinstance(node, ex.Cell)):
            return False
        none = None
        place = ex.Op(Int(0, values[-1]), "end", (node,), node.source) if single else node
        if isinstance(type_, Opt):
            none = values[-1] + 1
            values = range(values[0], none + 1)
            with_none = replace(type_.of, width=none + 1) if isinstance(type_.of, Ref) else Int(values[0], none)
            is_none, present = ex.Op(BOOL, "is_none", (node,), node.source), replace(node, type=type_.of)
            place = ex.Choice(with_none, is_none, ex.Const(with_none, none), present, node.source)
        keys[variable] = Key(place, values, variable, single, none)
        positions = prod(key.values[-1] + 1 for key in keys.values())
        return positions <= MAX_POSITIONS and prod(len(key.values) for key in keys.values()) <= MAX_ENTRIES

    # ------------------------------------------------------------ evaluation

    def _table(self, node: ex.Expr, keys: Sequence[Key]) -> ex.Table | None:
        """The table of an expression; None if it takes too much work, or if none could mean a value or a fault."""
        places = {key.variable: place for place, key in enumerate(keys) if isinstance(key.variable, str)}
        # The same rule inlined at ten jumps has ten names for one expression: they share one table.
        same = (
            key_of(node, places),
            *[(key.values, key.single, key.none) for key in keys],
        )  # names differ where code is inlined
        if same not in self.made_tables:
            work_left = MAX_WORK - self.work
            budget = Budget(work_left // 2 if self.params else work_left)  # others are to have some of it, too
            available = budget.nodes_left
            try:
                self.made_tables[same] = self._made(node, keys, budget)
            except TooMuchWorkError:
                self.made_tables[same] = None
            self.work += available - budget.nodes_left
        return self.made_tables[same]

    def _made(self, node: ex.Expr, keys: Sequence[Key], budget: Budget) -> ex.Table | None:
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
            if not isinstance(entry, ex.Const):
                return None
            entries[values] = entry.value
        if lacking and isinstance(node.type, Opt):
            return None
        name = named("given", len(self.module.tables))
        table = ex.Table(name, _nested(entries, keys, ()), optional(node.type) if lacking else node.type)
        self.module.tables[name] = table
        return table


def _never_none(locals_: Iterable[ex.Local]) -> frozenset[str]:
    return frozenset(local.name for local in locals_ if not isinstance(local.type, Opt))


def _bound_by(loops: Iterable[ex.Loop]) -> frozenset[str]:
    return _never_none(loop.local for loop in loops)


def _values(type_: Type, single: bool) -> Sequence[int]:
    """All values of a type that can be keys, in ascending order; empty if there are too many, or others among them."""
    match type_:
        case Bool():
            return False, True
        case Int(low, high) if 0 <= low <= high < MAX_ENTRIES:
            return range(low, high + 1)
        case Ref(_, width) if width <= MAX_ENTRIES:
            return range(width)
        case Set(_, width) if 1 << width <= MAX_ENTRIES:
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


def _own_cost(node: ex.Expr) -> int:
    """The steps without those of the parts."""
    match node:
        case ex.Cell(index=ex.Const() | ex.Local()):
            return 0
        case ex.Check():
            return 2
        case ex.Lookup(keys=keys):
            return 1 + any(isinstance(key.type, Opt) for key in keys)
        case ex.Logic(parts=parts):
            return len(parts) - 1
        case ex.Op(name=name) if name in SEARCHING_BITS:
            return 3
        case _:
            return COSTLY if costly(node) else 1
