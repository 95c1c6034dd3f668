"""The course of a random game as one function: blocks that jump to each other, from the opening to the results.

Blocks are laid out one after the other. A jump to a later one leaves the blocks of WebAssembly between, a jump back
begins the loop around all of them again, which enters the block whose number a variable holds:

    loop $again
      block $2  block $1  block $0
        br_table $0 $1 $2 (entered)
      end       ... block 0: may leave $1 or $2, or begin $again ...
      end       ... block 1
      end       ... block 2
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from interpreter.ir import statements as st
from interpreter.ir.expressions import Const, Group, Op, walk
from interpreter.ir.module import left_for
from interpreter.ir.operations import READING
from interpreter.ir.types import Bool, Opaque, Opt, Type
from interpreter.machine import numbers
from interpreter.machine.body import Body, i32, i64
from interpreter.machine.decisions import decide
from interpreter.machine.forms import (
    NUMBER_ITEMS,
    SCALAR,
    WORD_BYTES,
    Form,
    Items,
    Maybe,
    Members,
    UnprintableError,
    form_of,
)
from interpreter.machine.functions import declare, define, leaving
from interpreter.machine.memory import Data, number_word, set_words
from interpreter.machine.positions import log_at, make_log
from interpreter.machine.program import Bounds, Program
from interpreter.machine.results import winners
from interpreter.machine.routines import records
from interpreter.machine.routines.translation import called
from interpreter.machine.scope import form_of_cell
from interpreter.machine.statements import FIRST_LEFT, Statements
from interpreter.native.rules import Rules, bodies, functions_of
from interpreter.native.state import groups_of, piece_groups
from interpreter.wasm import instructions as wasm
from interpreter.wasm.instructions import I32, I64, Block, Code, Label, Read, Switch, plain, select
from interpreter.wasm.modules import PAGE, Function, Module

MAX_IDLE_TURNS = 10_000
MAX_DECISIONS = 100_000
SEED_FACTOR, CHOICE_OFFSET, CHANCE_OFFSET = 0xD1B54A32D192ED03, 0x243F6A8885A308D3, 0x13198A2E03707344
SCRATCH_BYTES, LIST_BYTES = 1 << 23, 1 << 22
"""Memory for the values of one step of a game, and for the lists in its cells."""

MAX_BATCH = 1 << 12
"""Maximum number of games of one call."""

PLAY, PLAYED = "play", "played"
"""The function that plays games, given the first seed and their number, and the variable with how many are done."""


class Course(Statements):
    """The function that plays one game."""

    def __init__(self, program: Program, body: Body, rules: Rules) -> None:
        super().__init__(program, body)
        self.rules = rules
        self.labels: dict[int, Label] = {number: Label() for number in sorted(rules.module.blocks)}
        self.again, self.entered, self.current = Label(), body.variable(I32), -1
        self.types: dict[int, Type] = {}
        self.state, self.idle = body.variable(I64), body.variable(I64)
        self.decisions, self.choices, self.widest = (body.variable(I64) for _ in range(3))

    def control(self, node: st.Statement) -> None:
        """Jumps, decisions, and the end."""
        body = self.body
        match node:
            case st.Goto(block=int() as block) | st.Leave(block=block):
                self._jump(block)
            case st.Stop():
                self._end()
            case st.Idle(reset=True):
                body.assign((self.idle,), (i64(0),))
            case st.Idle():
                body.assign((self.idle,), (numbers.add(Read(self.idle), i64(1)),))
                body.fault(plain("i64.gt_s", Read(self.idle), i64(MAX_IDLE_TURNS)))
            case st.Decide():
                decide(self, node, lambda: None, self._drawn)
            case _:
                super().control(node)

    def leave_rules(self, left: Code) -> None:
        """Jump to the block that a rule was left for."""
        order = list(self.labels)
        for block in sorted(left_for(bodies(self.rules.module))):
            here = plain("i32.eq", left, i32(block + FIRST_LEFT))
            found = select(here, i32(order.index(block)), Read(self.entered))
            self.body.assign((self.entered,), (found,))
        self.body.leave(self.again)

    def _jump(self, block: int) -> None:
        if block > self.current:
            self.body.leave(self.labels[block])
        else:
            self.body.assign((self.entered,), (i32(list(self.labels).index(block)),))
            self.body.leave(self.again)

    def _drawn(self, count: Code) -> Code:
        """Choose one of `count` moves at random; its number."""
        body = self.body
        body.fault(plain("i64.ge_s", Read(self.decisions), i64(MAX_DECISIONS)))
        body.assign((self.choices,), (numbers.add(Read(self.choices), count),))
        wider = plain("i64.lt_s", Read(self.widest), count)
        body.assign((self.widest,), (select(wider, count, Read(self.widest)),))
        body.assign((self.decisions, self.idle), (numbers.add(Read(self.decisions), i64(1)), i64(0)))
        body.assign((self.state,), (numbers.add(Read(self.state), i64(numbers.GOLDEN)),))
        return numbers.high_product(body, numbers.mixed(body, Read(self.state)), count)

    def _end(self) -> None:
        body, prepared = self.body, self.rules.prepared
        address = Read(body.function.locals[1])
        place = 0
        teams = self.rules.teams
        for numbers_of_seat in prepared.results:
            for local in numbers_of_seat[:-1] if teams else numbers_of_seat:
                if isinstance(local.type, Opt) or (not isinstance(local.type, Bool) and form_of(local.type) != SCALAR):
                    raise UnprintableError("a criterion that is no number")
                body.add(wasm.store("i64.store", address, self.read(local)[0], place))
                place += WORD_BYTES
        for numbers_of_seat in prepared.results if teams else ():
            body.add(wasm.store("i64.store", address, self.read(numbers_of_seat[-1])[0], place))
            place += WORD_BYTES
        shape = len(prepared.results), len(prepared.results[0]) - teams
        won = wasm.call(winners(self.program, *shape, self.rules.conditions, teams), address)
        for value in (won, Read(self.decisions), Read(self.choices), Read(self.widest)):
            body.add(wasm.store("i64.store", address, value, place))
            place += WORD_BYTES
        body.give(())

    def whole(self) -> None:
        """The body of the function, whose parameters are the seed and the address of the results."""
        body, module = self.body, self.rules.module
        seed = Read(body.function.locals[0])
        state = numbers.add(plain("i64.mul", seed, i64(SEED_FACTOR)), i64(CHOICE_OFFSET))
        body.assign((self.state,), (state,))
        order = list(self.labels)
        bounds = self.program.bounds
        body.add(wasm.write((bounds.kept,), Read(bounds.lists)))
        for log in self.program.logs.values():
            called(self.program, body, records, "forget", log_at(log))
        chance = numbers.add(plain("i64.mul", seed, i64(SEED_FACTOR)), i64(CHANCE_OFFSET))
        body.add(wasm.store("i64.store", i32(0), chance, self.program.chance))
        body.assign((self.entered,), (i32(order.index(self.rules.prepared.first)),))
        for number, (variables, form) in self.own_cells.items():
            value = self.rules.prepared.opening[number]
            if form == SCALAR:
                words = [number_word(value if value is None or isinstance(value, int) else 0)]
            elif isinstance(form, Members):
                words = set_words(value or 0, form.words)
            elif value:
                raise UnprintableError("a game that begins with a list in a note")
            else:
                words = [0] * len(form.operands)
            pairs = zip(form.operands, words, strict=True)
            body.assign(variables, tuple([i32(word) if type_ is I32 else i64(word) for type_, word in pairs]))
        outer, body.statements = body.statements, []
        inner: list[Code] = [Switch(tuple(self.labels.values()), Read(self.entered))]
        for number in order:
            self.current = number
            self.locals, self.parts = {}, {}
            with body.inside() as statements:
                # What a block computes does not outlive it, so its memory is free again when another begins.
                body.add(wasm.write((self.program.top,), Read(self.program.bounds.scratch)))
                self.block(module.blocks[number].body)
                body.fault()
            inner = [Block(self.labels[number], tuple(inner), ()), *statements]
        body.statements = [*outer, Block(self.again, tuple(inner), (), loop=True), plain("unreachable")]


@dataclass(frozen=True)
class PrintedGames:
    """A module with random games, and the address of their results."""

    module: Module
    results: int


def print_games(rules: Rules) -> PrintedGames:
    """A module with the random games of prepared rules. Raises UnprintableError."""
    module = Module()
    data = Data()
    groups = list(groups_of(rules.module))
    moving = any(
        isinstance(node, tuple(st.MOVING)) for each in functions_of(rules.module) for node in st.walk(each.body)
    )
    pieces = list(piece_groups(rules.layout)) if moving or _reads_pieces(rules) else []
    own = [
        group
        for group in groups
        if group.own and form_of_cell(group) != NUMBER_ITEMS and _constant_indices(rules, group)
    ]
    owned = {number for group in own for number in range(group.first, group.first + group.count)}
    names = ("top", "scratch", "end", "lists", "kept")
    top, *ends = (module.variable(name, I32) for name in names)
    program = Program(module, rules.module, rules.layout, data, top, Bounds(*ends))
    program.room, program.attached = max(64, len(rules.layout.pieces)), rules.attached
    program.choice_key = rules.choice_key
    state = _lay_out(program, [group for group in (*groups, *pieces) if group.first not in owned])
    program.state_bytes = data.end - state  # the logs of recorded positions follow: hypotheses do not copy them
    opening = _opening(program, rules, state)
    for group in groups:
        if group.type == Opaque("record") and group.first not in program.logs:
            make_log(program, group.first)
    program.leaving = leaving(rules.module.functions)
    for rule in rules.module.functions.values():
        declare(program, rule)
    for rule in rules.module.functions.values():
        define(program, rule)
    game = module.function("game", (I64, I32), ())
    course = Course(program, Body(game), rules)
    for group in own:
        form = form_of_cell(group)
        for number in range(group.first, group.first + group.count):
            if number not in course.own_cells:
                course.own_cells[number] = course.body.variables(form), form
                course.types[number] = group.type
    if opening:
        address = data.place(opening)
        course.body.add(plain("memory.copy", i32(state), i32(address), i32(len(opening))))
    course.whole()
    game.body = tuple(course.body.statements)
    seats, criteria = len(rules.prepared.results), len(rules.prepared.results[0])
    size = WORD_BYTES * (seats * criteria + 4)
    results = data.reserve(size * MAX_BATCH)
    _entry(module, game, results, size)
    _set_bounds(module, program)
    module.data = data.content
    return PrintedGames(module, results)


def _set_bounds(module: Module, program: Program) -> None:
    """Divide what follows the data among lists in cells and values of one step."""
    lists = program.data.end
    scratch = lists + (LIST_BYTES if program.keeps_lists else 0)
    end = scratch + SCRATCH_BYTES
    bounds = program.bounds
    values = {program.top: scratch, bounds.scratch: scratch, bounds.end: end, bounds.lists: lists, bounds.kept: lists}
    module.globals = [(each, values.get(each, value)) for each, value in module.globals]
    module.pages = module.most_pages = -(-end // PAGE)


def _reads_pieces(rules: Rules) -> bool:
    return any(
        isinstance(part, Op) and part.name in READING
        for each in functions_of(rules.module)
        for node in st.walk(each.body)
        for value in st.expressions(node)
        for part in walk(value)
    )


def _lay_out(program: Program, groups: list[Group]) -> int:
    """Give each cell an address; cells of the same form are in the order of their numbers."""
    forms: dict[int, Form] = {}
    for group in groups:
        for number in range(group.first, group.first + group.count):
            if forms.setdefault(number, form_of_cell(group)) != form_of_cell(group):
                raise UnprintableError("a cell that holds values of two types")
    state = program.data.reserve(WORD_BYTES)
    program.chance = state
    for form in dict.fromkeys(forms.values()):
        for number in sorted(number for number, each in forms.items() if each == form):
            program.cells[number] = program.data.reserve(program.cell_size(form))
    program.forms = forms
    return state


def _opening(program: Program, rules: Rules, state: int) -> bytes:
    """The contents of memory at the beginning of a game."""
    found = bytearray(program.data.end - state)
    for number, address in program.cells.items():
        form, value = program.forms[number], rules.prepared.opening[number]
        at = address - state
        if isinstance(form, Items):
            items = value or ()
            struct.pack_into(f"<i4x{len(items)}h", found, at, len(items), *items)
        elif form == SCALAR:
            word = number_word(value) if value is None or isinstance(value, int) else 0
            struct.pack_into("<Q", found, at, word)
        elif isinstance(form, Members):
            struct.pack_into(f"<{form.words}Q", found, at, *set_words(value or 0, form.words))
        elif isinstance(form, Maybe) and isinstance(form.of, Members) and value is not None:
            struct.pack_into(f"<{1 + form.of.words}Q", found, at, 1, *set_words(value, form.of.words))
        elif value:
            raise UnprintableError("a game that begins with a list in a note")
    return bytes(found)


def _constant_indices(rules: Rules, group: Group) -> bool:
    numbers_ = set(range(group.first, group.first + group.count))
    return all(
        cell.group.count == 1 or isinstance(cell.index, Const)
        for block in rules.module.blocks.values()
        for node in st.walk(block.body)
        for cell in st.cells(node)
        if numbers_ & set(range(cell.group.first, cell.group.first + cell.group.count))
    )


def _entry(module: Module, game: Function, results: int, size: int) -> None:
    """The function for games with consecutive seeds, the results of each at `results`."""
    played = module.variable(PLAYED, I32, exported=True)
    play = module.function(PLAY, (I64, I32), (), exported=True)
    body = Body(play)
    seed, count = play.locals
    body.add(wasm.write((played,), i32(0)))

    def once(again: Label) -> None:
        here = plain("i32.add", i32(results), plain("i32.mul", Read(played), i32(size)))
        body.add(wasm.call(game.callee, numbers.add(Read(seed), plain("i64.extend_i32_u", Read(played))), here))
        body.add(wasm.write((played,), plain("i32.add", Read(played), i32(1))))
        body.leave(again, plain("i32.lt_s", Read(played), Read(count)))

    body.loop(once)
    play.body = tuple(body.statements)
