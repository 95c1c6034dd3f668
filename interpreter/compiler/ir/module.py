"""A program in intermediate form: functions, blocks that can suspend, tables and cells.

A phase with turns and a decision, `must take` for an action `take(x: Slot)`, is

    block 8                                        a turn begins
      store me := turn
      count idle turn
      if is_empty(slot filled): go to 7            the phase is over
      go to 6
    block 6
      wait for decision 6, without moves go to 9
    moves m6() of decision 6                       lists the legal moves, and changes nothing
      for x in {1..4}:  emit move 0(x)
    apply a6(move) of decision 6                   makes one of them
      perform take(part(move, 1))
      go to 9
    block 9
      store turn := (turn + 1) % 2
      go to 8

While a game waits, no rule is in the middle of being executed: a rule with a decision inside consists of blocks, and
what it needs after the decision is in cells. So a state is nothing but its cells with the number of the decision. It
can be copied, and the game can go on from any copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, replace
from functools import lru_cache
from typing import Literal

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.expressions import Group, Local, Table, Zone
from interpreter.compiler.ir.statements import Block, Leave, walk
from interpreter.compiler.ir.types import Type

FunctionKind = Literal[
    "define", "sight", "criterion", "hypothesis", "rule", "quiet rule", "when", "react", "moves", "apply", "block"
]


@dataclass(slots=True)
class Function:
    """A function of the program.

    `define`, `sight` and `criterion` return values and have no side effects; `hypothesis` works on a copy of the state
    and returns a value of it; `moves` emits the legal moves of decision `number`, `apply` makes one of them, a row of
    the act's number and its arguments, and jumps to a block; `block` is block `number`; `when` tries one reaction and
    returns the row of its arguments if it fired, `react` tries `calls` until none fires. The values of a `constant`
    definition depend on its arguments alone and are kept; the last value of one that is `kept_for` groups of cells is
    that of all positions in which these cells hold the same.
    """

    kind: FunctionKind
    name: str
    params: tuple[Local, ...]
    body: Block
    result: Type | None = None
    number: int = 0
    calls: tuple[str, ...] = ()
    source: ast.Node | None = None
    constant: bool = False
    kept_for: tuple[Group, ...] = ()


def left_for(bodies: Iterable[Block]) -> set[int]:
    """The blocks at which a game continues when these statements leave all running rules."""
    return {node.block for body in bodies for node in walk(body) if isinstance(node, Leave)}


@dataclass(slots=True, eq=False, weakref_slot=True)
class Module:
    """The program of a game with its seats and options.

    `functions` by name, in the order in which they were requested; `tables` by name; `cells` are the groups of the
    state by name, `zones` the zones by name; `by_kind` are the zones that only keep kinds of pieces: moves do not
    change their cells.
    """

    functions: dict[str, Function] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    cells: dict[str, Group] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    blocks: dict[int, Function] = field(default_factory=dict)
    by_kind: set[str] = field(default_factory=set)

    def copied(self) -> Module:
        """A copy whose functions can be changed independently."""
        functions = {name: replace(function) for name, function in self.functions.items()}
        blocks = {number: replace(block) for number, block in self.blocks.items()}
        tables, cells, zones = dict(self.tables), dict(self.cells), dict(self.zones)
        return Module(functions, tables, cells, zones, blocks, set(self.by_kind))

    def extended(self) -> Module:
        """A copy with tables of its own, to which functions can be added while this one stays as it is."""
        functions, tables = dict(self.functions), dict(self.tables)
        return replace(self, functions=functions, tables=tables, cells=dict(self.cells), zones=dict(self.zones))


# ---- Names of functions and tables, which never collide, whatever the names in a rules file


BETWEEN = "ˑ"
"""The separator of the parts of a name: a letter that no name of the language can have."""

NEIGHBOURS = "linked"
"""The prefix of the functions that give the places linked with one by a relation."""


@lru_cache(maxsize=1 << 14, typed=True)
def named(what: str, *parts: object) -> str:
    """The name composed of a prefix (a letter or a word) and parts: names of the rules, `round(hand)`, or numbers."""
    return re.sub(r"[ ()]", BETWEEN, BETWEEN.join([what, *map(str, parts)]))
