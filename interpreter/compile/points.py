"""Rules that ask somebody something, as numbered blocks that can be left and entered again.

A rule that waits for a decision holds no Python frame: its parameters and locals are cells of the state, each step has
one cell for the block to return to (no rule calls itself, so one is enough), and what to do next is the number of a
block. A block is a function `b7(S, J)` that gives the number of the next one, or -1 to wait for a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dsl import ast
from dsl.symbols import LocalSymbol, RuleSymbol
from interpreter.compile.domains import Env
from interpreter.compile.effects import AtOnce, Mode, Writer
from interpreter.compile.footprints import ME_NAME
from interpreter.compile.several import Several
from interpreter.decisions import Decision
from interpreter.layout.cells import IDLE, ME, MOVES, POINT
from interpreter.names import InCell, Names


@dataclass
class Entry:
    """A rule in blocks: where it begins, the cells of its parameters, and the cell of the block to return to."""

    block: int
    parameters: list[int]
    back: int


@dataclass
class Points(Several):
    """Emission of blocks.

    `origins` are the statements behind which the blocks that rules return to go on. `begins_cell`, in the programs of
    examples only, says with whose turn a phase begins instead of the seat its rules name (see `begun_from`).
    """

    blocks: dict[int, Writer] = field(default_factory=dict)
    functions: Writer = field(default_factory=Writer)
    decisions: dict[int, Decision] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    phase_entries: dict[str, int] = field(default_factory=dict)
    phase_cell: int = 0
    begins_cell: int | None = None
    course_block: int = 0
    over_block: int = 0
    free_block: int = 0
    waiting: list[tuple[str, RuleSymbol, bool]] = field(default_factory=list)
    origins: dict[int, ast.Statement] = field(default_factory=dict)

    def new_block(self) -> int:
        """A block without content yet."""
        number = len(self.blocks)
        writer = Writer()
        writer.add(f"def b{number}(S, J):")
        self.blocks[number] = writer.inside()
        return number

    def local_cell(self, symbol: LocalSymbol, env: Env) -> str:
        """A cell for a local of a rule in blocks."""
        if symbol not in env:
            cell = self.layout.take()
            self.layout.locals_of_cell[cell], self.layout.local_types[cell] = symbol.name, symbol.type
            env[symbol] = f"S[{cell}]"
        return env[symbol]

    # ------------------------------------------------------------ rules

    def entry(self, rule: RuleSymbol, quiet: bool) -> Entry:
        """The blocks of a rule; they are emitted once."""
        name = rule.name + (" quiet" if quiet else "")
        if name not in self.entries:
            parameters = [self.layout.take() for _ in rule.parameters]
            for cell, parameter in zip(parameters, rule.parameters, strict=True):
                self.layout.locals_of_cell[cell], self.layout.local_types[cell] = parameter.name, parameter.type
            self.entries[name] = Entry(self.new_block(), parameters, self.layout.take())
            self.waiting.append((name, rule, quiet))
        return self.entries[name]

    def emit_waiting(self) -> None:
        """Emit the rules that have been asked for."""
        while self.waiting:
            name, rule, quiet = self.waiting.pop()
            entry = self.entries[name]
            env: Env = {
                parameter: f"S[{cell}]" for parameter, cell in zip(rule.parameters, entry.parameters, strict=True)
            }
            writer = self.blocks[entry.block]
            self.mark(writer, "enter", rule.declaration, env)
            last = self.flow(writer, rule.declaration.body, dict(env), Mode(quiet), rule.name)
            self.mark(last, "leave", rule.declaration, {})
            last.add(f"return S[{entry.back}]")

    def enter(self, writer: Writer, act: ast.Act, env: Env, mode: Mode, back: int) -> None:
        """Go into a rule in blocks and come back to a block."""
        rule = self.model.rules[act.name]
        entry = self.entry(rule, mode.quiet)
        for cell, argument in zip(entry.parameters, self.arguments(act, rule, env), strict=True):
            self.assign(writer, f"S[{cell}]", argument)
        self.assign(writer, f"S[{entry.back}]", str(back))
        writer.add(f"return {entry.block}")

    # ------------------------------------------------------------ statements

    def flow(self, writer: Writer, statements: Sequence[ast.Statement], env: Env, mode: Mode, rule: str) -> Writer:
        """Emit statements into blocks, from the given one on; gives the writer of the block they end in."""
        for node in statements:
            if not self.suspends([node]):
                if isinstance(node, ast.Let):
                    symbol = self.model.refers[node.number]
                    assert isinstance(symbol, LocalSymbol)
                    self.local_cell(symbol, env)
                self.block(writer, [node], env, mode)
                continue
            after = self.new_block()
            self.origins[after] = node
            match node:
                case ast.Decide() | ast.Choose():
                    self._decision(writer, node, env, mode, rule, after)
                case ast.Do():
                    self.mark(writer, "at", node, env)
                    self.enter(writer, node.act, env, mode, after)
                case ast.If():
                    taken, kept = self.taken(node.condition, env), dict(env)
                    writer.add(f"if {self.value(node.condition, taken)}:")
                    then = self.new_block()
                    writer.inside().add(f"return {then}")
                    self.mark(self.blocks[then], "holds", node, env)
                    self.mark(writer, "fails", node, env)
                    for symbol in [symbol for symbol in taken if symbol not in env]:
                        self.assign(self.blocks[then], self.local_cell(symbol, kept), taken[symbol])
                    self.flow(self.blocks[then], node.then, kept, mode, rule).add(f"return {after}")
                    if node.otherwise:
                        otherwise = self.new_block()
                        writer.add(f"return {otherwise}")
                        last = self.flow(self.blocks[otherwise], node.otherwise, dict(env), mode, rule)
                        last.add(f"return {after}")
                    else:
                        writer.add(f"return {after}")
                case ast.ForEach():
                    self._for_each_flow(writer, node, env, mode, rule, after)
                case ast.EachPlayer():
                    self._each_player_flow(writer, node, env, mode, rule, after)
                case ast.Repeat():
                    self._repeat_flow(writer, node, env, mode, rule, after)
                case _:
                    raise AssertionError(node.kind)
            writer = self.blocks[after]
        return writer

    def _for_each_flow(self, writer: Writer, node: ast.ForEach, env: Env, mode: Mode, rule: str, after: int) -> None:
        symbols = [self.local(binder) for binder in node.binders]
        items, place = self.layout.take(), self.layout.take()
        loops, names = self.combinations(node.binders, dict(env))
        every = names[0] if len(names) == 1 else "value"
        within = "" if len(names) == 1 else f" for value in ({', '.join(names)})"
        self.assign(writer, f"S[{items}]", f"tuple({every} {loops}{within})")
        self.assign(writer, f"S[{place}]", "0")
        head = self.new_block()
        writer.add(f"return {head}")
        inner = dict(env)
        variables = [self.local_cell(symbol, inner) for symbol in symbols]
        writer = self.blocks[head]
        writer.add(f"if S[{place}] >= len(S[{items}]): return {after}")
        for offset, variable in enumerate(variables):
            self.assign(writer, variable, f"S[{items}][S[{place}]{f' + {offset}' if offset else ''}]")
        self.assign(writer, f"S[{place}]", f"S[{place}] + {len(variables)}")
        if node.where is not None:
            writer.add(f"if not {self.value(node.where, inner)}: return {head}")
        self.mark(writer, "each", node, inner)
        self.flow(writer, node.body, inner, mode, rule).add(f"return {head}")

    def _each_player_flow(
        self, writer: Writer, node: ast.EachPlayer, env: Env, mode: Mode, rule: str, after: int
    ) -> None:
        me, left, seat = self.layout.take(), self.layout.take(), self.layout.take()
        count = len(self.layout.seats)
        writer.add(f"first = {self.needed(node.first, env)}")
        last = self.needed(node.last, env) if node.last is not None else f"(first - 1) % {count}"
        self.assign(writer, f"S[{left}]", f"({last} - first) % {count} + 1")
        self.assign(writer, f"S[{seat}]", "first")
        self.assign(writer, f"S[{me}]", f"S[{ME}]")
        head = self.new_block()
        writer.add(f"return {head}")
        writer = self.blocks[head]
        writer.add(f"if S[{left}] == 0:")
        inner = writer.inside()
        self.assign(inner, f"S[{ME}]", f"S[{me}]")
        inner.add(f"return {after}")
        self.assign(writer, f"S[{left}]", f"S[{left}] - 1")
        self.assign(writer, f"S[{ME}]", f"S[{seat}]")
        self.assign(writer, f"S[{seat}]", f"(S[{seat}] + 1) % {count}")
        self.after(writer, frozenset({ME_NAME}), mode)
        if node.where is not None:
            writer.add(f"if not {self.value(node.where, env)}: return {head}")
        self.mark(writer, "each", node, env)
        self.flow(writer, node.body, dict(env), mode, rule).add(f"return {head}")

    def _repeat_flow(self, writer: Writer, node: ast.Repeat, env: Env, mode: Mode, rule: str, after: int) -> None:
        left = self.layout.take()
        self.assign(writer, f"S[{left}]", self.needed(node.bound.times, env))
        head = self.new_block()
        writer.add(f"return {head}")
        writer = self.blocks[head]
        stop = f"S[{left}] <= 0"
        if node.bound.condition is not None:
            stop += f" or not {self.value(node.bound.condition, env)}"
        writer.add(f"if {stop}: return {after}")
        self.assign(writer, f"S[{left}]", f"S[{left}] - 1")
        self.mark(writer, "each", node, env)
        self.flow(writer, node.body, dict(env), mode, rule).add(f"return {head}")

    # ------------------------------------------------------------ decisions

    def _decision(
        self, writer: Writer, node: ast.Decide | ast.Choose, env: Env, mode: Mode, rule: str, after: int
    ) -> None:
        if isinstance(node, ast.Choose) and node.amount is not None:
            self._several(writer, node, env, rule, after)
            return
        bound = node.bound if isinstance(node, ast.Decide) else None
        point = self.new_block()
        again = after
        if bound is not None:
            left = self.layout.take()
            self.assign(writer, f"S[{left}]", self.needed(bound.times, env))
            again = self.new_block()
            self.origins[again] = node
            writer.add(f"return {again}")
            head = self.blocks[again]
            stop = f"S[{left}] <= 0"
            if bound.condition is not None:
                stop += f" or not {self.value(bound.condition, env)}"
            head.add(f"if {stop}: return {after}")
            self.assign(head, f"S[{left}]", f"S[{left}] - 1")
            head.add(f"return {point}")
        else:
            writer.add(f"return {point}")
        outer, chosen = env, None
        if isinstance(node, ast.Choose):
            symbol = self.model.refers[node.number]
            assert isinstance(symbol, LocalSymbol)
            outer = dict(env)
            chosen = self.local_cell(symbol, env)
        self.decisions[point] = Decision(point, node, in_cells(outer), rule)
        self.moves_function(self.functions, f"m{point}", node, dict(outer))
        self._wait(point, after, chosen)
        self.apply_function(point, node, env, mode, again, after)

    def _wait(self, point: int, after: int, chosen: str | None = None) -> None:
        """The block that waits for a decision; with nothing to decide it goes on, and nothing is `chosen`."""
        waiting = self.blocks[point]
        waiting.add(f"m = m{point}(S)", "if not m:")
        idle = waiting.inside()
        if chosen is not None:
            self.assign(idle, chosen, "None")
        idle.add(f"return {after}")
        waiting.add(f"S[{MOVES}] = m")
        self.assign(waiting, f"S[{POINT}]", str(point))
        waiting.add("return -1")

    def _several(self, writer: Writer, node: ast.Choose, env: Env, rule: str, after: int) -> None:
        """A choice of several: asked again until there are enough, nothing is left, or the player goes on."""
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        outer = dict(env)
        chosen = self.local_cell(symbol, env)
        self.assign(writer, chosen, "0")
        again, point = self.new_block(), self.new_block()
        writer.add(f"return {again}")
        self.blocks[again].add(f"if {chosen}.bit_count() >= {node.amount}: return {after}", f"return {point}")
        self.decisions[point] = Decision(point, node, in_cells(outer), rule, int(chosen[2:-1]))
        self.several_moves(self.functions, f"m{point}", node, outer, chosen)
        self._wait(point, after)
        self.several_taken(self.functions, point, chosen, again, after)

    def apply_function(
        self, point: int, node: ast.Decide | ast.Choose, env: Env, mode: Mode, again: int, after: int
    ) -> None:
        """`a7(S, J, move)`: do a move of the decision; gives the next block."""
        self.functions.add(f"def a{point}(S, J, move):")
        body = self.functions.inside()
        body.add(f"S[{IDLE}] = 0")
        if isinstance(node, ast.Choose):
            symbol = self.model.refers[node.number]
            assert isinstance(symbol, LocalSymbol)
            self.assign(body, env[symbol], "move[1] if move[0] == 0 else None")
            body.add(f"return {after}")
            return
        body.add("n = move[0]")
        if node.duty == "may":
            body.add(f"if n == -1: return {after}")
        for number, act in enumerate((*node.acts, *node.otherwise)):
            rule = self.model.rules[act.name]
            body.add(f"if n == {number}:")
            inner = body.inside()
            if rule.name in self.suspending:
                entry = self.entry(rule, mode.quiet)
                for place, cell in enumerate(entry.parameters, 1):
                    self.assign(inner, f"S[{cell}]", f"move[{place}]")
                self.assign(inner, f"S[{entry.back}]", str(again))
                inner.add(f"return {entry.block}")
            else:
                inner.add(f"{self.rule_name(rule, mode.quiet)}(S, J, *move[1:])", f"return {again}")

    # ------------------------------------------------------------ the course of play

    def phase(self, node: ast.Phase, after: int, around: tuple[AtOnce, ...] = ()) -> int:
        """The blocks of a phase inside the phases `around` that may be over at once; gives the first one."""
        start = self.new_block()
        self.phase_entries[node.name] = self._begun_by_itself(start, around)
        exit_, leaving = after, self.new_block()
        if node.over_at_once is not None:
            flag = self.layout.take()
            known = AtOnce(node.over_at_once, self.reads(node.over_at_once), flag, leaving)
            self.at_once.append(known)
            around = (*around, known)
        writer = self.blocks[start]
        names = list(self.model.phases)
        self.mark(writer, "enter", node, {})
        self.assign(writer, f"S[{self.phase_cell}]", str(names.index(node.name)))
        if node.over_at_once is not None:
            self.assign(writer, f"S[{flag}]", "1")
            writer.add(f"if {self.value(node.over_at_once, {})}: return {leaving}")
        end = self.blocks[leaving]
        self.mark(end, "leave", node, {})
        if node.over_at_once is not None:
            self.assign(end, f"S[{flag}]", "0")
        end.add(f"return {exit_}")
        if node.phases:
            following = leaving
            for inner in reversed(node.phases):
                following = self.phase(inner, following, around)
            writer.add(f"return {following}")
        elif node.first is None:
            self.flow(writer, node.body, {}, Mode(), node.name).add(f"return {leaving}")
        else:
            self._turns(writer, node, leaving)
        return start

    def _begun_by_itself(self, start: int, around: tuple[AtOnce, ...]) -> int:
        """Where a phase begins when an example begins with it: the phases around it are on, and perhaps over."""
        begun = self.new_block()
        for phase in around:
            self.assign(self.blocks[begun], f"S[{phase.flag}]", "1")
        for phase in around:
            self.blocks[begun].add(f"if {self.value(phase.condition, {})}: return {phase.exit}")
        self.blocks[begun].add(f"return {start}")
        return begun

    def begun_from(self, phase: str, seat: int) -> int:
        """The value of `begins_cell` if this phase is to begin with a turn of a seat."""
        return list(self.model.phases).index(phase) * len(self.layout.seats) + seat

    def _turns(self, writer: Writer, node: ast.Phase, leaving: int) -> None:
        assert node.first is not None
        seat, last = self.layout.take(), self.layout.take()
        count = len(self.layout.seats)
        first = self.needed(node.first, {})
        if self.begins_cell is not None:
            low, chosen = self.begun_from(node.name, 0), f"S[{self.begins_cell}]"
            first = f"({chosen} - {low} if {low} <= {chosen} < {low + count} else {first})"
        self.assign(writer, f"S[{seat}]", first)
        if self.begins_cell is not None:
            self.assign(writer, f"S[{self.begins_cell}]", "-1")
        if node.last is not None:
            self.assign(writer, f"S[{last}]", self.needed(node.last, {}))
        head = self.new_block()
        writer.add(f"return {head}")
        writer = self.blocks[head]
        self.assign(writer, f"S[{ME}]", f"S[{seat}]")
        writer.add(f"S[{IDLE}] += 1", f"idle(S[{IDLE}], {node.number})")
        if node.over_when is not None:
            writer.add(f"if {self.value(node.over_when, {})}: return {leaving}")
        self.mark(writer, "turn", node, {})
        self.after(writer, frozenset({ME_NAME}), Mode())
        writer = self.flow(writer, node.body, {}, Mode(), node.name)
        if node.last is not None:
            writer.add(f"if S[{seat}] == S[{last}]: return {leaving}")
        self.assign(writer, f"S[{seat}]", f"(S[{seat}] + 1) % {count}")
        writer.add(f"return {head}")

    def ending(self, number: int, point: int) -> None:
        """A block at which nothing is pending: the game is over, or an example may go on."""
        writer = self.blocks[number]
        self.assign(writer, f"S[{POINT}]", str(point))
        writer.add(f"S[{MOVES}] = []", "return -1")


def in_cells(env: Env) -> Names:
    """The names of a rule in blocks, each with its cell instead of the text that reads it."""
    return {symbol: InCell(int(text.removeprefix("S[").removesuffix("]"))) for symbol, text in env.items()}
