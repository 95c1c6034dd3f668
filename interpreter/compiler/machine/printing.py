"""Prepared rules as one module: the layout of its memory, the functions of the rules, the course, what is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.expressions import Group
from interpreter.compiler.ir.types import Opaque, Ref
from interpreter.compiler.machine.course import ResultPlaces, course, result_places
from interpreter.compiler.machine.forms import WORD_BYTES, Form, UnprintableError
from interpreter.compiler.machine.functions import declare, define, leaving
from interpreter.compiler.machine.image import StateLayout, encoded
from interpreter.compiler.machine.listing import RowFormat, row_format
from interpreter.compiler.machine.memory import Data
from interpreter.compiler.machine.polls import add_polls
from interpreter.compiler.machine.positions import make_log
from interpreter.compiler.machine.program import Bounds, Program
from interpreter.compiler.machine.rules import Rules, groups_in_sight, groups_of, piece_groups
from interpreter.compiler.machine.scope import form_of_cell
from interpreter.compiler.machine.stepping import Places, Stepping, points_of_blocks, reserve_places
from interpreter.compiler.wasm.instructions import I32
from interpreter.compiler.wasm.modules import PAGE_BYTES, Module
from interpreter.runtime.layout import ME

SCRATCH_BYTES, LIST_BYTES, PAST_BYTES = 1 << 23, 1 << 22, 1 << 27
"""Memory for the values of one step of a game, for the lists in its cells, and for the states that are gone back to, or
the trees of a search."""


@dataclass(frozen=True)
class PrintedRules:
    """A module that plays a game, and what has to be known to call it.

    `block_places` are the places of blocks by their numbers, `formats` the rows of legal moves by decision; the past
    begins at `end`.
    """

    module: Module
    state: StateLayout
    places: Places
    of_result: ResultPlaces
    block_places: Mapping[int, int]
    formats: Mapping[int, RowFormat]
    end: int


@dataclass(frozen=True)
class Extension:
    """What is needed to print more functions into a module.

    `opening` is the address of the state in which games begin, `points` are the decisions that blocks wait for, by the
    place of the block, `formats` the rows of legal moves by decision.
    """

    program: Program
    rules: Rules
    opening: int
    places: Places
    points: Sequence[int]
    formats: Mapping[int, RowFormat]


def print_rules(rules: Rules, extend: Callable[[Extension], None] | None = None) -> PrintedRules:
    """Prepared rules as a module, with more functions that `extend` prints. Raises UnprintableError."""
    module, data = Module(), Data()
    top, base, *ends = (module.variable(name, I32) for name in ("top", "base", "scratch", "end", "lists"))
    program = Program(module, rules.module, rules.layout, data, top, base, Bounds(*ends))
    program.room, program.attached = max(64, len(rules.layout.pieces)), rules.attached
    program.choice_key = rules.choice_key
    groups = [*groups_of(rules.module), *groups_in_sight(rules)]
    acting = Group("me", ME, 1, Ref("Player", len(rules.layout.seats)))
    _lay_out(program, [*groups, *piece_groups(rules), *[acting] * all(group.first != ME for group in groups)])
    for group in groups:
        if group.type == Opaque("record") and group.first not in program.logs:
            make_log(program, group.first)
    program.listed = data.reserve(2 * WORD_BYTES)
    places = reserve_places(program, rules)
    opening = data.reserve(program.state_bytes)
    formats = {rule.number: row_format(rule) for rule in rules.of_kind("moves")}
    program.leaving = leaving(rules.module.functions)
    of_rules = [rule for rule in rules.module.functions.values() if rule.kind != "moves"]
    for rule in of_rules:
        declare(program, rule)
    for rule in of_rules:
        define(program, rule)
    game, block_places = course(program, rules)
    Stepping(program, rules, game, places).define(opening, block_places, formats)
    if extend is not None:
        points = points_of_blocks(rules, block_places)
        extend(Extension(program, rules, opening, places, points, formats))
    add_polls(module)
    lists, end = _set_bounds(module, program)
    layout = StateLayout(program, lists)
    image = encoded(layout, rules.prepared.opening, block_places[rules.prepared.first])
    data.content += [(opening, image.state), *image.lists]
    module.data = data.content
    return PrintedRules(module, layout, places, result_places(rules), block_places, formats, end)


def _lay_out(program: Program, groups: list[Group]) -> None:
    """Give each cell an address; cells of the same form are in the order of their numbers."""
    forms: dict[int, Form] = {}
    for group in groups:
        for number in range(group.first, group.first + group.count):
            if forms.setdefault(number, form_of_cell(group)) != form_of_cell(group):
                raise UnprintableError("a cell that holds values of two types")
    reserve = program.data.reserve
    program.chance, program.block, program.count, program.kept_end = (reserve(WORD_BYTES) for _ in range(4))
    for form in dict.fromkeys(forms.values()):
        for number in sorted(number for number, of_cell in forms.items() if of_cell == form):
            program.cells[number] = reserve(program.cell_size(form))
    program.forms = forms
    program.state_bytes = program.data.end - program.chance


def _set_bounds(module: Module, program: Program) -> tuple[int, int]:
    """Divide what follows the data among lists, values of one step, and the past; where lists and the past begin."""
    lists = program.data.end
    scratch = lists + (LIST_BYTES if program.keeps_lists else 0)
    end = scratch + SCRATCH_BYTES
    bounds = program.bounds
    values = dict.fromkeys((program.top, program.base, bounds.scratch), scratch)
    values |= {bounds.end: end, bounds.lists: lists}
    module.globals = [(variable, values.get(variable, value)) for variable, value in module.globals]
    module.pages = -(-end // PAGE_BYTES)
    module.most_pages = module.pages + -(-PAST_BYTES // PAGE_BYTES)
    return lists, end
