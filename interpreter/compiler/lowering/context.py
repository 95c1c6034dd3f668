"""The context of lowering: the layout, the module being built, and the functions requested so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import field, fields, replace
from typing import Any

from dsl import ast
from dsl import types as ty
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import DefineSymbol, LocalSymbol, RuleSymbol, WhenSymbol
from interpreter.compiler.decisions import Decision
from interpreter.compiler.ir.expressions import Cell, Expr, Group, Local, Table, number
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.statements import Statement
from interpreter.compiler.ir.types import Type
from interpreter.compiler.requirements import Requirements
from interpreter.runtime.layout import Layout

Env = Mapping[LocalSymbol, Expr]
"""The environment: what the names in scope are bound to."""

Lowering = Callable[["Context", Any, Env], Expr]  # of nodes of one class, which a table of functions cannot say


@dataclass(frozen=True)
class AtOnce:
    """A phase that is over as soon as a condition holds: its flag cell and the block it exits to."""

    condition: ast.Expression
    reads: frozenset[str]
    flag: Cell
    exit: int


@dataclass
class Entry:
    """A rule in blocks: its first block, the cells of its parameters, and the cell with its return address."""

    block: int
    parameters: list[Cell]
    back: Cell


@dataclass(frozen=True)
class Suspending:
    """The rules that may suspend at a decision (`quiet`: without reactions), and what leads to one.

    `asking` are the reactions that may ask for a decision, or trigger one that does. They are tested after changes of
    what they read, `triggers`, so even a rule without decisions may suspend.
    """

    rules: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    triggers: frozenset[str] = frozenset()


@dataclass
class Context:
    """Lowering for one layout.

    `forms` lower each class of expression, `required` finds the requirements of actions. `requested` are the
    rules without decisions, by the name of their function, `reactions` the requested sets of reactions; `waiting` are
    rules in blocks still to be lowered, `lines` the statements of the blocks so far. `origins` are the statements after
    which the blocks that rules return to continue; `names_in_sight` are the names whose values a mark holds.
    `symbols` are the names of the rules that locals stand for, by the name of the local. `scopes` are the names in
    scope at decisions, with the local of what is chosen so far; `offering` are the decisions that offer acts, by the
    number of the act. `suspending` says which rules suspend, `reacting` are the blocks of reactions that may ask, once
    they are requested.
    `begins_cell`, in the programs of examples only, holds the seat whose turn begins a phase, in place of the one its
    rules name.
    """

    layout: Layout
    forms: Mapping[type[ast.Node], Lowering]
    required: Requirements
    module: Module = field(default_factory=Module)
    lines: dict[int, list[Statement]] = field(default_factory=dict)
    ir_types: dict[ty.Type, Type] = field(default_factory=dict)
    fresh: int = 0
    requested: dict[str, tuple[RuleSymbol, bool]] = field(default_factory=dict)
    reactions: dict[str, list[WhenSymbol]] = field(default_factory=dict)
    defined: dict[str, DefineSymbol] = field(default_factory=dict)
    decisions: dict[int, Decision] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    waiting: list[tuple[str, RuleSymbol, bool]] = field(default_factory=list)
    phase_entries: dict[str, int] = field(default_factory=dict)
    origins: dict[int, ast.Node] = field(default_factory=dict)
    names_in_sight: dict[tuple[str, int], tuple[LocalSymbol, ...]] = field(default_factory=dict)
    symbols: dict[str, LocalSymbol] = field(default_factory=dict)
    scopes: dict[int, tuple[Env, Local | None]] = field(default_factory=dict)
    offering: dict[int, ast.Decide] = field(default_factory=dict)
    at_once: list[AtOnce] = field(default_factory=list)
    reads: dict[str, frozenset[str]] = field(default_factory=dict)
    written: dict[str, frozenset[str]] = field(default_factory=dict)
    phase_cell: Cell | None = None
    begins_cell: Cell | None = None
    course_block: int = 0
    over_block: int = 0
    free_block: int = 0
    suspending: Suspending = field(default_factory=Suspending)
    reacting: Entry | None = None

    @property
    def model(self) -> Model:
        """The checked model."""
        return self.layout.model

    def extended(self) -> Context:
        """A copy to which expressions can add functions, tables and names while this one stays as it is."""
        names = [part.name for part in fields(self) if part.name not in ("layout", "forms")]
        copies = {name: copy(getattr(self, name)) for name in names}
        return replace(self, **copies | {"module": self.module.extended()})


def variable(ctx: Context, name: str, type_: Type) -> Local:
    """A fresh local."""
    ctx.fresh += 1
    return Local(type_, f"{name}_{ctx.fresh}")


def table(ctx: Context, new_table: Table) -> Table:
    """Add constant data to the module; equal names imply equal data."""
    return ctx.module.tables.setdefault(new_table.name, new_table)


def group(ctx: Context, name: str, first: int, count: int, type_: Type) -> Group:
    """A group of cells of the module."""
    existing = ctx.module.cells.get(name)
    if existing is None:
        existing = ctx.module.cells[name] = Group(name, first, count, type_)
    return existing


def single_cell(ctx: Context, name: str, first: int, type_: Type) -> Cell:
    """The single cell of a new group."""
    return Cell(type_, group(ctx, name, first, 1, type_), number(0))


def new_cell(ctx: Context, name: str, type_: Type) -> Cell:
    """A new cell of the state, for a local of a rule in blocks or a temporary of a block."""
    first = ctx.layout.take()
    return single_cell(ctx, f"{name} #{first}", first, type_)


def extended(env: Env, symbol: LocalSymbol, value: Expr) -> Env:
    """The environment with one more name."""
    return {**env, symbol: value}
