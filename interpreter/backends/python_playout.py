"""Random games as one Python function: a generator that plays one game after the other.

If there are several blocks, a loop dispatches on `pc`, the number of the next one, until the game is over. The random
numbers of a game are generated in advance: `z` for its decisions, `c` for its chance events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.backends.python_alternatives import assign_parts, packed_sets, selector
from interpreter.backends.python_expressions import cell_text
from interpreter.backends.python_searches import Lines, assigned, extracted
from interpreter.backends.python_statements import begin_moves, block
from interpreter.backends.python_text import CHOICE, CONDITION, OR, SMALL, commas, identifier, text
from interpreter.bitset import bits
from interpreter.ir import statements as st
from interpreter.ir.expressions import Cell, Choice, Const, Expr, Local, Loop, both
from interpreter.ir.module import Module
from interpreter.ir.runs import Run, constant_moves, runs_of
from interpreter.ir.turns import idle_turns
from interpreter.ir.types import Bool, Opaque, Set
from interpreter.layout.cells import RANDOM
from interpreter.runtime.chance import MASK
from interpreter.runtime.selection import selecting_way

MOST_PIECES = 10_000
"""Maximum number of pieces that are shuffled together."""

WIDEST_TABLE = 11
"""Maximum width of a set whose members are looked up in a table."""

IDLE_TURNS = 10_000
"""The number of turns without a decision that is a fault."""


@dataclass
class Playout:
    """The input: blocks, the locals with the results, and the cells of the opening.

    `conditions` are the numbers of the results that are conditions; the last result is the team if there are `teams`.
    """

    module: Module
    first: int
    results: Sequence[Sequence[Local]]
    opening: Sequence[Any]
    seats: tuple[str, ...]
    conditions: tuple[int, ...]
    teams: bool
    names: dict[str, Any] = field(default_factory=dict)


def playout(printed: Playout) -> list[str]:
    """The lines of the function `games`."""
    module = printed.module
    numbers = sorted(module.blocks)
    inside = [node for each in module.blocks.values() for node in st.walk(each.body)]
    called = [node for each in module.functions.values() for node in st.walk(each.body)]
    chance = not any(isinstance(node, st.Shuffle) for node in inside) and not any(map(_by_chance, called))
    leaves = any(isinstance(node, st.Leave) for node in (*inside, *called))
    turns = sum(isinstance(node, st.Idle) and not node.reset for node in inside)
    printing = Printing(len(numbers) > 1, printed.names, chance, _idle(module, leaves), turns)
    out = Lines(False, True, special=printing.statement)
    out.add("def games(rows, more_choices, more_chances, begin, Faults, play_anew, new, made, J=None):")
    each = out.inside()
    each.add("for seed, z, c in rows:", " try:")
    game = each.inside().inside()
    _opening(game, printed)
    if not chance:
        game.add(f"S[{RANDOM}] = first_chance_state(seed)")
    game.add("d = e = choices = widest = idle = 0", *[f"pc = {printed.first}"] * (len(numbers) > 1), "while True:")
    loop = game.inside()
    if leaves:
        loop.add("try:")
    _dispatch(loop.inside() if leaves else loop, module, numbers)
    if leaves:
        loop.add("except Leave as leave: pc = leave.point")
    each.add(" except Faults:", "  d = -1  # for watchdogs: a game is being replayed", "  yield play_anew(seed)")
    numbers_of = [commas([_whole(local) for local in numbers]) for numbers in _criteria(printed)]
    scores = ", ".join(f"{seat!r}: {found}" for seat, found in zip(printed.seats, numbers_of, strict=True))
    each.add(" else:")
    each.inside().inside().add(*(_winning_teams(printed) if printed.teams else _winners(printed)))
    teams = "tuple(map(team_name, teams))" if printed.teams else "()"
    each.add(f"  yield new(made, (seed, {{{scores}}}, winners, d, choices, widest, {teams}))")
    return out.lines


def _winners(printed: Playout) -> list[str]:
    """The lines that compute the winners: nobody is ahead of them, and they meet all conditions."""
    ranks = [
        identifier(numbers[0]) if len(numbers) == 1 else commas([identifier(local) for local in numbers])
        for numbers in printed.results
    ]
    if printed.conditions and len(printed.results[0]) > 1:
        met = " and ".join(f"rank[{number}]" for number in printed.conditions)
        return [f"ranks = {commas(ranks)}", f"best = max([rank for rank in ranks if {met}], default=None)",
                f"winners = tuple([seat for seat, rank in zip({printed.seats!r}, ranks) if rank == best])"]  # fmt: skip
    if printed.conditions and len(ranks) != 2:
        return [f"winners = tuple([seat for seat, met in zip({printed.seats!r}, {commas(ranks)}) if met])"]
    if len(ranks) != 2:
        return [f"ranks = {commas(ranks)}", "best = max(ranks)",
                f"winners = tuple([seat for seat, rank in zip({printed.seats!r}, ranks) if rank == best])"]  # fmt: skip
    one, other = ((seat,) for seat in printed.seats)
    if printed.conditions:
        met_by_one, met_by_other = ranks
        return [f"winners = ({printed.seats!r} if {met_by_other} else {one!r}) if {met_by_one} else {other!r} "
                f"if {met_by_other} else ()"]  # fmt: skip
    return [f"one, other = {ranks[0]}, {ranks[1]}",
            f"winners = {one!r} if one > other else {other!r} if one < other else {printed.seats!r}"]  # fmt: skip


def _criteria(printed: Playout) -> list[Sequence[Local]]:
    """The locals with the criteria of each seat."""
    return [numbers[:-1] if printed.teams else numbers for numbers in printed.results]


def _winning_teams(printed: Playout) -> list[str]:
    """The seats whose team nobody is ahead of."""
    criteria = commas([commas([identifier(local) for local in numbers]) for numbers in _criteria(printed)])
    return [f"teams = {commas([identifier(numbers[-1]) for numbers in printed.results])}",
            f"ranks = ranks_of_teams(ranks_of({criteria}, {printed.conditions!r}), teams)",
            f"winners = tuple([{printed.seats!r}[seat] for seat in leaders(ranks)])"]  # fmt: skip


def _whole(local: Local) -> str:
    name = identifier(local)
    return f"int({name})" if isinstance(local.type, Bool) else name


def _opening(out: Lines, printed: Playout) -> None:
    """The lines that initialise the cells."""
    used = {
        part.group.name: part.group
        for each in printed.module.blocks.values()
        for node in st.walk(each.body) for part in st.cells(node)
    }  # fmt: skip
    own = [group for group in used.values() if group.own]
    for group in own:
        if not isinstance(group.type, Opaque):
            first = [printed.opening[number] for number in range(group.first, group.first + group.count)]
            out.add(f"c{group.first} = {first[0] if group.count == 1 else first!r}")
    out.add("S = begin()", *[f"c{group.first} = S[{group.first}]" for group in own if isinstance(group.type, Opaque)])


def _idle(module: Module, leaves: bool) -> str:
    """Where turns without a decision have to be counted."""
    if leaves:  # control may jump from anywhere
        return "always"
    return idle_turns({number: block.body for number, block in module.blocks.items()})


def _dispatch(out: Lines, module: Module, numbers: Sequence[int]) -> None:
    """Dispatch on `pc` by binary search."""
    if len(numbers) == 1:
        block(out, module.blocks[numbers[0]].body)
        return
    half = len(numbers) // 2
    out.add(f"if pc == {numbers[0]}:" if half == 1 else f"if pc < {numbers[half]}:")
    _dispatch(out.inside(), module, numbers[:half])
    out.add("else:")
    _dispatch(out.inside(), module, numbers[half:])


@dataclass
class Printing:
    """Prints jumps and decisions of a playout; `names` are its tables."""

    several: bool
    names: dict[str, Any]
    chance: bool
    idle: str
    turns: int
    parts: int = 0

    def statement(self, out: Lines, node: st.Statement) -> bool:
        """Print a statement if it is special in a playout; returns whether it is."""
        match node:
            case st.Goto(block=target):
                assert isinstance(target, int)
                out.add(*[f"pc = {target}"] * self.several, "continue")
            case st.Stop():
                out.add("break")
            case st.Idle(reset=True):
                out.add(*["idle = 0"] * (self.idle == "always"))
            case st.Idle():
                out.add(*["idle += 1", f"if idle > {IDLE_TURNS}: raise TooLong"] * (self.idle == "always"))
            case st.Decide():
                self._decide(out, node)
            case st.Emit(move=(value,)):
                out.add(f"add({text(extracted(out, value))})")
            case st.EmitDone():
                out.add(f"if out: add({self._declined()})")
            case st.Draw() if self.chance:
                _rolled(out, node)
            case st.Mix(cell=cell) if self.chance:
                _shuffled(out, Cell(cell.type, cell.group, extracted(out, cell.index)))
            case _:
                return False
        return True

    def _declined(self) -> str:
        return "-1" if self.parts == 1 else commas(["-1", *["None"] * (self.parts - 1)])

    def _decide(self, out: Lines, node: st.Decide) -> None:
        self.parts = len(node.names)
        found = runs_of(node.moves)
        if found is None:
            self._listed(out, node)
            return
        before, runs = found
        block_or_nothing(out, before)
        if constant_moves(runs):
            self._constant(out, node, runs)
        elif len(runs) == 1 and runs[0].loop is not None:
            self._of_one_set(out, node, runs[0], runs[0].loop)
        else:
            self._counted(out, node, runs)

    def _made(self, out: Lines, node: st.Decide, sure: bool, number: str, chosen: Callable[[Lines], None]) -> None:
        """Print what follows once the moves are counted: `number` is not 0 if there are any."""
        made = out
        if not sure:
            out.add(f"if {number}:")
            made = out.inside()
        chosen(made)
        block(made, node.made)
        if sure or not (node.otherwise or self.idle == "no moves"):
            return
        out.add("else:")
        inner = out.inside()
        if self.idle == "no moves":
            inner.add("idle += 1", f"if idle > {IDLE_TURNS // (self.turns + 1)}: raise TooLong")
        if node.otherwise:
            block(inner, node.otherwise)

    # ------------------------------------------------------------ lists of moves

    def _listed(self, out: Lines, node: st.Decide) -> None:
        begin_moves(out, node.moves)
        block(out, node.moves)

        def chosen(made: Lines) -> None:
            _drawn(made, "len(out)")
            _unpacked(made, node.names, "out[k]")

        self._made(out, node, False, "out", chosen)

    def _constant(self, out: Lines, node: st.Decide, runs: list[Run]) -> None:
        """Constant moves under a few conditions: which are legal is looked up in a table."""
        conditions = list(dict.fromkeys([both(list(run.conditions)) for run in runs if run.conditions]))
        table = self._table(runs, conditions, {})
        name = f"M{len(self.names)}"
        self.names[name] = table
        tests = "".join(f"[{text(extracted(out, each))}]" for each in conditions)
        sure = any(not run.conditions for run in runs)

        if not conditions:
            self._known(out, node, table, name)
            return

        def chosen(made: Lines) -> None:
            _drawn(made, "len(out)")
            _unpacked(made, node.names, "out[k]")

        out.add(f"out = {name}{tests}")
        self._made(out, node, sure, "out", chosen)

    def _known(self, out: Lines, node: st.Decide, moves: tuple[Any, ...], name: str) -> None:
        """Moves that are always the same."""

        def chosen(made: Lines) -> None:
            _drawn(made, str(len(moves)))
            if self.parts:
                consecutive = self.parts == 1 and moves == tuple(range(len(moves)))
                found = "k" if consecutive else repr(moves[0]) if len(moves) == 1 else f"{name}[k]"
                _unpacked(made, node.names, found)

        if moves:
            self._made(out, node, True, "", chosen)
        else:
            block(out, node.otherwise)

    def _table(self, runs: list[Run], conditions: list[Expr], known: dict[Expr, bool]) -> tuple[Any, ...]:
        if conditions:
            first, *rest = conditions
            return tuple(self._table(runs, rest, {**known, first: truth}) for truth in (False, True))
        there = [run for run in runs if not run.conditions or known[both(list(run.conditions))]]
        moves = [tuple(part.value for part in run.move) for run in there]  # type: ignore[union-attr]
        return tuple(move[0] if self.parts == 1 else move for move in moves)

    # ------------------------------------------------------------ sets of moves

    def _of_one_set(self, out: Lines, node: st.Decide, run: Run, loop: Loop) -> None:
        assert isinstance(loop.over.type, Set)
        width = loop.over.type.width
        if width <= WIDEST_TABLE and not isinstance(loop.over, Const) and not run.alternatives:
            out.add(f"out = {self._sets(width)}[{_under(out, run)}]")

            def chosen(made: Lines) -> None:
                _drawn(made, "len(out)")
                _given(made, node.names, run, loop, "out[k]")

            self._made(out, node, False, "out", chosen)
            return
        out.add(f"out = {_under(out, run)}")

        def selected(made: Lines) -> None:
            _drawn(made, "out.bit_count()")
            self._selected(made, node.names, run, "out, k")

        self._made(out, node, False, "out", selected)

    def _selected(self, out: Lines, names: Sequence[Local], run: Run, args: str) -> None:
        """Assign the parts of the move with a given number."""
        assert run.loop is not None and isinstance(run.loop.over.type, Set)
        width = run.loop.over.type.width
        if not run.alternatives:
            _given(out, names, run, run.loop, f"{_select(width)}({args})")
            return
        name = selector(width, len(run.alternatives))
        self.names[name] = selecting_way(width, len(run.alternatives))
        assign_parts(out, names, run, run.loop.local, f"{name}({args})")

    def _sets(self, width: int) -> str:
        """The name of the table of the members of all sets of a width."""
        if width <= SMALL:
            return "SMALL_SETS"
        name = f"SETS{width}"
        self.names[name] = tuple(tuple(bits(mask)) for mask in range(1 << width))
        return name

    def _counted(self, out: Lines, node: st.Decide, runs: list[Run]) -> None:
        """Several runs, counted one after the other."""
        ends: list[str] = []
        for number, run in enumerate(runs):
            count = "1"
            if run.loop is not None:
                out.add(f"out{number} = {_under(out, run)}")
                count = f"out{number}.bit_count()"
            elif run.conditions:
                count = text(extracted(out, both(list(run.conditions))), OR, CONDITION)
                count = f"(1 if {count} else 0)"
            end = f"n{number}" if number < len(runs) - 1 else "n"
            before = ends[-1] if ends else ""
            match run.after:
                case "some":
                    count = f"{before} + ({before} > 0)" if before else "0"
                case "none":
                    count = f"{before} or {count}" if before else count
                case "any":
                    count = f"{before} + {count}" if before else count
            out.add(f"{end} = {count}")
            ends.append(end)
        sure = any(run.loop is None and not run.conditions and run.after == "any" for run in runs)

        def chosen(made: Lines) -> None:
            _drawn(made, "n")
            for number, run in enumerate(runs):
                last = number == len(runs) - 1
                if not last:
                    made.add(f"{'el' if number else ''}if k < {ends[number]}:")
                elif number:
                    made.add("else:")
                inner = made.inside() if len(runs) > 1 else made
                if run.loop is None:
                    _moved(inner, node.names, run.move)
                else:
                    assert isinstance(run.loop.over.type, Set)
                    skipped = f" - {ends[number - 1]}" if number else ""
                    if run.after == "none":
                        skipped = ""
                    self._selected(inner, node.names, run, f"out{number}, k{skipped}")
                if not node.names:
                    inner.add("pass")

        self._made(out, node, sure, "n", chosen)


def _by_chance(node: st.Statement) -> bool:
    return isinstance(node, st.Shuffle | st.Mix | st.Draw)


def _rolled(out: Lines, node: st.Draw) -> None:
    """Store one of the results in a cell."""
    values = node.table.content[0]
    where = cell_text(Cell(node.cell.type, node.cell.group, extracted(out, node.cell.index)))
    _chance(out, len(values))
    straight = values == tuple(range(values[0], values[0] + len(values)))
    out.add(f"{where} = k + {values[0]}" if straight else f"{where} = {node.table.name}[0][k]")


def _chance(out: Lines, count: int) -> None:
    """Draw a random number below a constant."""
    out.add(f"try: k = c[e] * {count}", "except IndexError:", " c = more_chances(seed, c)", f" k = c[e] * {count}")
    out.add("e += 1")
    if count & (count - 1):
        out.add(f"if not k & {_rejection_mask(count)}: raise TooLong")
    out.add("k >>= 64")


def _rejection_mask(most: int) -> int:
    """A mask of the product with a number up to this; where it is 0, the draw may have to be repeated."""
    return MASK & -(1 << most.bit_length())


def _shuffled(out: Lines, cell: Cell) -> None:
    """Put the pieces of a row or stack into random order."""
    where = cell_text(cell)
    out.add(f"o = list({where})", "n = len(o)", "while len(c) < e + n: c = more_chances(seed, c)")
    out.add("for i in range(n - 1, 0, -1):", " k = c[e] * (i + 1)", " e += 1")
    out.add(f" if not k & {_rejection_mask(MOST_PIECES)}: raise TooLong")
    out.add(" k >>= 64", " o[i], o[k] = o[k], o[i]", f"{where} = tuple(o)")


def block_or_nothing(out: Lines, statements: st.Block) -> None:
    """Statements, if there are any."""
    if statements:
        block(out, statements)


def _drawn(out: Lines, count: str) -> None:
    """Draw the number of a move; `count` is the number of moves."""
    if count.isdigit():
        number = int(count)
        out.add(f"choices += {count}", f"if widest < {count}: widest = {count}", "d += 1")
        if number == 1:
            out.add("k = 0")
            return
        drawn = (
            f"z[d - 1] >> {64 - (number.bit_length() - 1)}"
            if number & (number - 1) == 0
            else f"z[d - 1] * {number} >> 64"
        )
        out.add(f"try: k = {drawn}", "except IndexError:", _more_choices("len(z) < d"), f" k = {drawn}")
        return
    if count != "n":
        out.add(f"n = {count}")
    out.add("choices += n", "if n > widest: widest = n")
    out.add("try: k = z[d] * n >> 64", "except IndexError:", _more_choices("len(z) <= d"), " k = z[d] * n >> 64")
    out.add("d += 1")


def _more_choices(too_few: str) -> str:
    """Get more numbers: perhaps many, as decisions with one move draw none."""
    return f" while {too_few}: z = more_choices(seed, z)"


def _under(out: Lines, run: Run) -> str:
    """The set of a run, or the empty set if its conditions do not hold."""
    assert run.loop is not None
    if run.alternatives:
        assert isinstance(run.loop.over.type, Set)
        found = packed_sets(out, run, run.loop.over.type.width)
        if not run.conditions:
            return found
        return f"({found}) if {text(extracted(out, both(list(run.conditions))), OR, CONDITION)} else 0"
    if not run.conditions:
        return text(extracted(out, run.loop.over), CHOICE)
    over = run.loop.over
    whole = Choice(over.type, both(list(run.conditions)), over, Const(over.type, 0))
    return text(extracted(out, whole), CHOICE)


def _select(width: int) -> str:
    return "select16" if width <= 16 else "select64" if width <= 64 else "select"


def _unpacked(out: Lines, names: Sequence[Local], move: str) -> None:
    if names:
        out.add(f"{', '.join(map(identifier, names))} = {move}")


def _given(out: Lines, names: Sequence[Local], run: Run, loop: Loop, member: str) -> None:
    """Assign the parts of a move for a given member of the set."""
    if len(names) == 1 and run.move == (loop.local,):
        out.add(f"{identifier(names[0])} = {member}")
        return
    out.add(f"{identifier(loop.local)} = {member}")
    _moved(out, names, run.move)


def _moved(out: Lines, names: Sequence[Local], move: Sequence[Expr]) -> None:
    for name, part in zip(names, move, strict=False):
        assigned(out, identifier(name), part)
