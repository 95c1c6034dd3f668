"""The facts about a game that is printed as a module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Group, Op, walk
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.operations import READING
from interpreter.compiler.ir.types import PIECE_DOMAIN, PLACE_DOMAIN, Ref, Seq, Set
from interpreter.compiler.passes.machine_rules import MachineRules
from interpreter.compiler.privacy import MovePrivacy
from interpreter.runtime.layout import Layout


@dataclass(frozen=True)
class Rules:
    """The prepared rules, and what the machine engine needs to know beside them.

    `conditions` are the numbers of the criteria that are conditions, `teams` is whether there are teams. `attached` are
    for each piece the cells whose contents may distinguish it from equal ones; `choice_key` gives, for a zone and a
    piece in it, what determines the order in which pieces there are chosen. `privacy` says for each decision what is
    learned of its moves.
    """

    prepared: MachineRules
    layout: Layout
    attached: Sequence[Sequence[int]]
    conditions: tuple[int, ...]
    teams: bool
    choice_key: Callable[[str, int], tuple[int, ...]]
    privacy: Mapping[int, MovePrivacy]

    @property
    def module(self) -> Module:
        """The rules in intermediate form."""
        return self.prepared.module

    @property
    def criteria(self) -> int:
        """The number of criteria of a seat, without its team."""
        return len(self.prepared.results[0]) - self.teams

    def of_kind(self, kind: str) -> list[Function]:
        """The functions of a kind by their numbers."""
        return sorted(
            (function for function in self.module.functions.values() if function.kind == kind), key=lambda it: it.number
        )


def functions_of(module: Module) -> Iterator[Function]:
    """All functions and blocks."""
    yield from module.functions.values()
    yield from module.blocks.values()


def bodies(module: Module) -> Iterator[st.Block]:
    """The statements of all functions and blocks."""
    return (function.body for function in functions_of(module))


def groups_of(module: Module) -> Iterable[Group]:
    """The groups of all cells that functions read or change."""
    groups: dict[tuple[int, int], Group] = {}
    for body in bodies(module):
        for node in st.walk(body):
            for cell in st.cells(node):
                groups[cell.group.first, cell.group.count] = cell.group
    return groups.values()


def piece_groups(rules: Rules) -> Iterator[Group]:
    """The cells that moves of pieces change, if the rules move pieces or ask where they are."""
    if not any(map(_about_pieces, (node for body in bodies(rules.module) for node in st.walk(body)))):
        return
    layout = rules.layout
    pieces = len(layout.pieces)
    for place in layout.places:
        yield Group("contents", place.mask, 1, Set(PIECE_DOMAIN, max(1, pieces)))
        if place.order:
            yield Group("order", place.order, 1, Seq(Ref(PIECE_DOMAIN, pieces)))
    if pieces:
        yield Group("places", layout.place_cells, pieces, Ref(PLACE_DOMAIN, len(layout.places)))


def groups_in_sight(rules: Rules) -> Iterator[Group]:
    """The cells of notes about pieces, by which those that a seat does not see are listed for it."""
    if rules.layout.model.unsure_choices:
        first = {rules.layout.first_note[name] for name in rules.layout.model.notes}
        yield from (group for group in rules.module.cells.values() if group.first in first)


def _about_pieces(node: st.Statement) -> bool:
    """True if a statement moves pieces, or depends on where they are."""
    return isinstance(node, st.Moving) or any(
        isinstance(part, Op) and part.name in READING for value in st.expressions(node) for part in walk(value)
    )
