"""The course of a game as one function: blocks that jump to each other, from decision to decision.

Blocks are laid out one after the other. A jump to a later one leaves the blocks of WebAssembly between, a jump back
begins the loop around all of them again, which enters the block whose place a variable holds:

    loop $dispatch
      block $2  block $1  block $0
        br_table $0 $1 $2 (entered)
      end       ... block 0: may leave $1 or $2, or begin $dispatch ...
      end       ... block 1
      end       ... block 2

The same function plays a whole game at random, and a single move of a game that is played step by step: it is
given the number of decisions to make and, for a single move, which move to make first; then the game waits again.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import left_for
from interpreter.compiler.ir.types import Bool, Opt, Type
from interpreter.compiler.machine import numbers
from interpreter.compiler.machine.body import Body, Value, i32, i64
from interpreter.compiler.machine.decisions import decide
from interpreter.compiler.machine.forms import NONE, SCALAR, WORD_BYTES, UnprintableError, form_of
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.rules import Rules, bodies
from interpreter.compiler.machine.statements import FIRST_DESTINATION, Statements
from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.instructions import (
    I32,
    I64,
    Block,
    Callee,
    Code,
    If,
    Label,
    Read,
    Switch,
    call,
    load,
    plain,
    select,
)
from interpreter.compiler.wasm.modules import Function

MAX_IDLE_TURNS = 10_000
SEED_FACTOR, CHOICE_OFFSET = 0xD1B54A32D192ED03, 0x243F6A8885A308D3
OVER = -1
"""The place of the block where a game waits, once it is over."""

NOT_PICKED = -1
"""The number of a move that is to be drawn."""


@dataclass(frozen=True)
class ResultPlaces:
    """Where the results of a game are, from their address: the criteria of all seats come first, then these."""

    teams: int
    winners: int
    decisions: int
    choices: int
    widest: int
    over: int
    scored: int
    size: int


def result_places(rules: Rules) -> ResultPlaces:
    """Where results are."""
    seats = len(rules.prepared.results)
    teams = seats * rules.criteria
    first = teams + seats * rules.teams
    return ResultPlaces(*[WORD_BYTES * place for place in (teams, *range(first, first + 7))])


class Course(Statements):
    """The function that plays a game on: (place of a block, number of a move, most decisions, seed, results).

    The number of a move is that of the first decision, or `NOT_PICKED`. Further moves follow from the seed.
    """

    def __init__(self, program: Program, body: Body, rules: Rules) -> None:
        super().__init__(program, body)
        self.rules = rules
        self.labels: dict[int, Label] = {number: Label(f"b{number}") for number in sorted(rules.module.blocks)}
        self.places = {number: place for place, number in enumerate(self.labels)}
        self.entered, self.picked, self.limit, self.seed, self.results = (Read(local) for local in body.function.locals)
        self.dispatch, self.current = Label(), -1
        self.state, self.idle = body.variable(I64, "state"), body.variable(I64, "idle")
        self.decisions, self.choices, self.widest = (
            body.variable(I64, name) for name in ("decisions", "choices", "widest")
        )

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
                decide(self, node, lambda count, rows: self._drawn(node, count, rows))
            case _:
                super().control(node)

    def leave_rules(self, destination: Code) -> None:
        """Jump to the block that a rule was left for."""
        for block in sorted(left_for(bodies(self.rules.module))):
            within = plain("i32.eq", destination, i32(block + FIRST_DESTINATION))
            place = select(within, i32(self.places[block]), self.entered)
            self.body.assign((self._entered,), (place,))
        self.body.leave(self.dispatch)

    @property
    def _entered(self) -> wasm.Local:
        return self.body.function.locals[0]

    def _jump(self, block: int) -> None:
        if block > self.current:
            self.body.leave(self.labels[block])
        else:
            self.body.assign((self._entered,), (i32(self.places[block]),))
            self.body.leave(self.dispatch)

    def _drawn(self, node: st.Decide, count: Code, rows: Code | None) -> Code:
        """Choose one of `count` moves; its number. `rows` are where they are listed, unless they are only counted."""
        body = self.body
        number = body.variable(I64)
        enough = plain("i64.ge_s", Read(self.decisions), self.limit)
        body.when(enough, lambda: self._wait(node, count, rows))
        body.assign((self.choices,), (numbers.add(Read(self.choices), count),))
        wider = plain("i64.lt_s", Read(self.widest), count)
        body.assign((self.widest,), (select(wider, count, Read(self.widest)),))
        body.assign((self.decisions, self.idle), (numbers.add(Read(self.decisions), i64(1)), i64(0)))
        body.assign((self.state,), (numbers.add(Read(self.state), i64(numbers.GOLDEN)),))

        def draw() -> None:
            body.assign((number,), (numbers.high_product(body, numbers.mixed(body, Read(self.state)), count),))

        def pick() -> None:
            body.fault(plain("i64.ge_u", self.picked, count))
            body.assign((number,), (self.picked,))
            body.assign((body.function.locals[1],), (i64(NOT_PICKED),))

        body.when(plain("i64.lt_s", self.picked, i64(0)), draw, pick)
        return Read(number)

    def _wait(self, node: st.Decide, count: Code, rows: Code | None) -> None:
        """Leave the game where it waits for a decision."""
        body, program = self.body, self.program
        body.add(wasm.store("i64.store", i32(0), i64(self.places[node.point]), program.block))
        body.add(wasm.store("i64.store", i32(0), count, program.count))
        if rows is not None:
            for offset, address in enumerate((rows, Read(program.top))):
                body.add(wasm.store("i32.store", i32(0), address, program.listed + WORD_BYTES * offset))
        self._give(())

    def _give(self, values: tuple[Code, ...]) -> None:
        """Store what is known of every game, and leave the function."""
        places = result_places(self.rules)
        figures = {places.decisions: self.decisions, places.choices: self.choices, places.widest: self.widest}
        for place, variable in figures.items():
            self.body.add(wasm.store("i64.store", self.results, Read(variable), place))
        self.body.give(values)

    def _end(self) -> None:
        body, program, prepared = self.body, self.program, self.rules.prepared
        criteria = self.rules.criteria
        values = [local for locals_ in prepared.results for local in locals_[:criteria]]
        for local in values:
            check_criterion(local.type)
        teams = [local for locals_ in prepared.results for local in locals_[criteria:]]
        for place, local in enumerate([*values, *teams]):
            body.add(wasm.store("i64.store", self.results, self.read(local)[0], WORD_BYTES * place))
        store_winners(program, self.rules, body, self.results)
        body.add(wasm.store("i64.store", i32(0), i64(OVER), program.block))
        body.add(wasm.store("i64.store", i32(0), i64(0), program.count))
        self._give(())

    def print_body(self) -> None:
        """The body of the function."""
        body, module = self.body, self.rules.module
        state = numbers.add(plain("i64.mul", self.seed, i64(SEED_FACTOR)), i64(CHOICE_OFFSET))
        body.assign((self.state,), (state,))
        enclosing, body.statements = body.statements, []
        nowhere = Label()
        codes: list[Code] = [Switch((*self.labels.values(), nowhere), self.entered)]
        codes = [Block(nowhere, tuple(codes), ()), plain("unreachable")]
        for number in self.labels:
            self.current = number
            self.locals, self.parts = {}, {}
            with body.inside() as statements:
                # What a block computes does not outlive it, so its memory is free again when another begins.
                body.add(wasm.write((self.program.top,), Read(self.program.base)))
                self.block(module.blocks[number].body)
                body.fault()
            codes = [Block(self.labels[number], tuple(codes), ()), *statements]
        body.statements = [*enclosing, Block(self.dispatch, tuple(codes), (), loop=True), plain("unreachable")]


def course(program: Program, rules: Rules) -> tuple[Function, dict[int, int]]:
    """The function, and the places of its blocks by their numbers. Raises UnprintableError."""
    function = program.module.function("game", (I32, I64, I64, I64, I32), ())
    for place, name in enumerate(("entered", "picked", "limit", "seed", "results")):
        function.name_locals(place, place + 1, name)
    printed = Course(program, Body(function), rules)
    printed.print_body()
    function.body = tuple(printed.body.statements)
    return function, printed.places


def check_criterion(type_: Type) -> None:
    """Raise UnprintableError for criteria that are no numbers."""
    if isinstance(type_, Opt) or (not isinstance(type_, Bool) and form_of(type_) != SCALAR):
        raise UnprintableError("a criterion that is no number")


def store_winners(program: Program, rules: Rules, body: Body, address: Code) -> None:
    """Store who has won beside the criteria."""
    shape = len(rules.prepared.results), rules.criteria
    won = wasm.call(winners(program, *shape, rules.conditions, rules.teams), address)
    body.add(wasm.store("i64.store", address, won, result_places(rules).winners))


# ---- The winners of a finished game: those that nobody is ahead of, if they meet all conditions


def winners(program: Program, seats: int, criteria: int, conditions: Sequence[int], teams: bool) -> Callee:
    """The function that gives the winners as bits, from the address of the criteria of each seat.

    With teams, these follow the criteria; seats of a team rank as the best of them.
    """

    def fill(body: Body) -> None:
        address = Read(body.function.locals[0])
        size = WORD_BYTES * criteria
        places = [body.held(plain("i32.add", address, i32(size * seat))) for seat in range(seats)]
        compared = _compared(program, criteria, conditions)
        if teams:
            places = _best_of_teams(body, compared, places, plain("i32.add", address, i32(size * seats)))
        best: Code = places[0]
        for place in places[1:]:
            ahead = plain("i32.gt_s", call(compared, place, best), i32(0))
            best = body.held(select(ahead, place, best))
        winning: Code = i64(0)
        for seat, place in enumerate(places):
            level = plain("i32.eqz", call(compared, place, best))
            winning = plain("i64.or", winning, select(level, i64(1 << seat), i64(0)))
        if conditions:
            winning = select(_meets(best, conditions), winning, i64(0))
        body.give((winning,))

    return program.helper("winners", (), (I32,), (I64,), fill)


def _best_of_teams(body: Body, compared: Callee, places: Sequence[Code], address: Code) -> list[Code]:
    """For each seat where the criteria of the best seat of its team are."""
    address = body.held(address)
    teams = [body.held(load("i64.load", address, WORD_BYTES * seat)) for seat in range(len(places))]
    best_of_seats: list[Code] = []
    for team, place in zip(teams, places, strict=True):
        best = place
        for team_of_mate, mate in zip(teams, places, strict=True):
            together = plain("i32.and", plain("i64.eq", team, team_of_mate), plain("i64.ne", team, i64(NONE)))
            ahead = plain("i32.gt_s", call(compared, mate, best), i32(0))
            best = body.held(select(plain("i32.and", together, ahead), mate, best))
        best_of_seats.append(best)
    return best_of_seats


def _meets(address: Code, conditions: Sequence[int]) -> Code:
    holds: Code = i32(1)
    for number in conditions:
        value = load("i64.load", address, WORD_BYTES * number)
        holds = plain("i32.and", holds, plain("i64.ne", value, i64(0)))
    return holds


def _compared(program: Program, criteria: int, conditions: Sequence[int]) -> Callee:
    """The function that says whether one seat is ahead of another (1), behind (-1), or neither (0)."""

    def fill(body: Body) -> None:
        left, right = (Read(local) for local in body.function.locals)
        order: list[Value] = []
        if conditions:
            order.append((_meets(left, conditions), _meets(right, conditions)))
        for number in range(criteria):
            order.append(tuple([load("i64.load", place, WORD_BYTES * number) for place in (left, right)]))
        for pair in order:
            first, second = body.named(pair)
            name = "i32" if first.results == (I32,) else "i64"
            by = plain("i32.sub", plain(f"{name}.gt_s", first, second), plain(f"{name}.lt_s", first, second))
            (difference,) = body.named((by,))
            with body.inside() as ahead:
                body.give((difference,))
            body.add(If(difference, tuple(ahead), (), ()))
        body.give((i32(0),))

    return program.helper("compared", (), (I32, I32), (I32,), fill)
