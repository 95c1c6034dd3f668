"""One random game played by several programs at once: what they do must not differ in anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from interpreter.analysis.backends import prepared
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import try_at_random
from interpreter.analysis.random_choices import random_choice
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.pipeline import FOR_THE_MACHINE, MEANINGS, run_passes
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.marks import drop_marks
from interpreter.compiler.python.printing import constants, source
from interpreter.engine.build import build
from interpreter.engine.machine.games import MachineGame
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.play.game import Game
from interpreter.runtime.cells import Journal
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import IDLE, MOVES, RANDOM
from tests.interpreter.machine.comparing import Difference, machine_playouts

NONE, ALL, AND_MORE = "no passes", "all passes", "all passes, those for the machine engine as well"
LONGEST = 400
"""Games are left after this many decisions."""


@dataclass
class Side:
    """A program with the game that it plays."""

    program: Program
    S: list[Any]
    J: Journal | None
    fault: str = ""
    compared: int = 0
    """How many changes of the journal have been compared with those of the first program."""

    def run(self) -> None:
        try:
            self.program.run(self.S, self.J, 0)
        except PlayError as fault:
            self.fault = str(fault)

    def do(self, move: tuple[int, ...]) -> None:
        try:
            self.program.do(self.S, self.J, move)
        except PlayError as fault:
            self.fault = str(fault)

    def changes_since(self, start: int, size: int) -> list[tuple[int, Any]]:
        """The changes of a journal from one on in the cells that all programs have."""
        return [change for change in (self.J or ())[start:] if change[0] < size]

    def ends(self, seats: int) -> list[object]:
        """The numbers that decide who wins, or the fault in which computing them ends."""
        found: list[object] = []
        for seat in range(seats):
            try:
                found.append(self.program.criteria(self.S, seat))
            except PlayError as fault:
                found.append(str(fault))
        return found

    def teams(self) -> object:
        """The teams of the seats, or the fault in which computing them ends."""
        try:
            return self.program.teams(self.S)
        except PlayError as fault:
            return str(fault)


@dataclass(frozen=True)
class Played:
    """A game played to its end, to a fault, or left: how many decisions it had, and what decides who wins."""

    decisions: int
    choices: int
    widest: int
    over: bool
    fault: str
    ends: list[object]
    teams: object


def programs(game: Game, *singles: str) -> dict[str, Program]:
    """The game without passes, as it is played, with those for the machine engine as well, and with each of some alone.

    Every pass leaves a module without problems. A single pass that changes nothing is left out.
    """
    plain = list[object]()
    found = {
        NONE: verified(game, frozenset(), at_end=lambda module: plain.append(compiled_from(module))),
        ALL: game.program,
        AND_MORE: verified(game, frozenset(FOR_THE_MACHINE)),
    }

    def differs(module: Module) -> None:
        if compiled_from(module) == plain[0]:
            raise SameCode

    for name in singles:
        with suppress(SameCode):
            found[name] = verified(game, frozenset((name,)), at_end=differs)
    return found


class SameCode(Exception):
    """A program would run the same code as one that is there."""


def compiled_from(module: Module) -> object:
    """What a program is compiled from: its Python, and the tables that this reads."""
    return source(module), constants(module)


def verified(game: Game, on: frozenset[str], at_end: Callable[[Module], object] = lambda module: None) -> Program:
    """A program with some passes; after each of them the verifier has nothing to say.

    `at_end` is called with the module as it is compiled.
    """

    def prepare(module: Module) -> PassRecords:
        def check(name: str) -> None:
            problems = verify(module)
            assert not problems, "\n".join([f"{game.name}, after {name}:", *problems[:5]])

        drop_marks(module)
        records = run_passes(module, FOR_THE_MACHINE.keys() - on, FOR_THE_MACHINE, check)
        at_end(module)
        return records

    return build(game.rules.model, game.seats, game.options, prepare)


def play(
    compiled: Mapping[str, Program],
    seats: int,
    seed: int,
    journal: bool,
    longest: int = LONGEST,
    most: int | None = None,
) -> Played:
    """Play one random game, the moves chosen as in playouts; leave it after `longest` decisions. Raises Difference.

    With `most` it is left as soon as so many legal moves have been compared, too.

    Compared are at every decision legal moves in order, cells, changes and chance; and faults and who is ahead.
    """
    sides = {name: begun(program, seed, journal) for name, program in compiled.items()}
    first, *_ = sides.values()
    size, counts = len(first.S), list[int]()
    for side in sides.values():
        side.run()
    while True:
        for name, side in sides.items():
            _same(f"{name}, decision {len(counts)}", first, side, size)
        for side in sides.values():
            side.compared = len(side.J or ())
        legal = [] if first.fault else first.program.legal(first.S)
        if not legal or len(counts) >= longest or (most is not None and sum(counts) >= most):
            break
        move = legal[random_choice(seed, len(counts), len(legal))]
        counts.append(len(legal))
        for side in sides.values():
            side.do(move)
    ends = [] if first.fault else first.ends(seats)
    teams = () if first.fault else first.teams()
    for name, side in sides.items():
        if not first.fault and side.ends(seats) != ends:
            raise Difference(f"{name}, at the end: {side.ends(seats)}, not {ends}")
        if not first.fault and side.teams() != teams:
            raise Difference(f"{name}, at the end: teams {side.teams()}, not {teams}")
        if side.J is not None:
            side.J.rewind(side.S, len(side.J), 0)
            opening = _opening(side.program, seed)
            left = [cell for cell in range(size) if cell not in (MOVES, IDLE) and side.S[cell] != opening[cell]]
            if left:
                raise Difference(f"{name}: what is in the cells {left[:5]} is not undone")
    over = not first.fault and not legal
    return Played(len(counts), sum(counts), max(counts, default=0), over, first.fault, ends, teams)


def begun(program: Program, seed: int, journal: bool) -> Side:
    return Side(program, _opening(program, seed), Journal() if journal else None)


def _opening(program: Program, seed: int) -> list[Any]:
    cells = list(program.initial)
    cells[RANDOM] = seeded(seed)
    return cells


def _same(where: str, first: Side, other: Side, size: int) -> None:
    """Both have done the same; a program may have more cells than the first, which are its own."""
    if other.fault != first.fault:
        raise Difference(f"{where}: fault {other.fault or 'none'}, not {first.fault or 'none'}")
    if not first.fault:
        found, meant = other.program.legal(other.S), first.program.legal(first.S)
        if found != meant:
            raise Difference(f"{where}: legal moves {found[:8]}, not {meant[:8]}")
    if other.S[:size] != first.S:
        cells = [number for number, value in enumerate(first.S) if other.S[number] != value]
        values = [(number, other.S[number], first.S[number]) for number in cells[:5]]
        raise Difference(f"{where}: cells, with what is there and what should be: {values}")
    if first.J is not None and other.J is not None and other.J is not first.J:
        changes, meant = other.changes_since(other.compared, size), first.changes_since(first.compared, size)
        if changes != meant or other.J.results != first.J.results:
            raise Difference(f"{where}: other changes: {changes[-5:]}, not {meant[-5:]}")


def same_playout(game: Game, seed: int, played: Played, *others: MachineGame) -> None:
    """Random games, which need no journal, are the same, step by step and in the machine engine. Raises Difference.

    `others` are the same game in the machine engine with other passes. Some generated games are left to Python.
    """
    if not played.over and not played.fault:
        return  # it goes on for long
    found = try_at_random(game, seed)
    if isinstance(found, Failed):
        fault = f"{found.location}: {found.message}"
        if fault not in (played.fault, played.teams, *played.ends):
            raise Difference(f"playout: fault {fault}, not {played.fault or played.ends}")
    else:
        length = (found.decisions, found.choices, found.widest)
        if length != (played.decisions, played.choices, played.widest) or [*found.scores.values()] != played.ends:
            raise Difference(f"playout: {found}, not {played}")
    for machine in (prepared(game.program), *others):
        if isinstance(machine, str):
            continue  # Python plays, as the machine engine does not know all operations
        (quick,) = machine_playouts(game, range(seed, seed + 1), machine)
        if quick != (None if isinstance(found, Failed) else found):
            raise Difference(f"playout in the machine engine: {quick or 'a fault'}, not {found}")


def same_with_passes_and_without(game: Game, seeds: range) -> None:
    """Games are the same with all passes, with none, and in the machine engine. Raises Difference.

    They are compiled once for all seeds: that takes longer than to play.
    """
    compiled, machine = programs(game), with_only(game)
    for seed in seeds:
        played = play(compiled, len(game.seats), seed, journal=seed % 2 == 1)
        same_playout(game, seed, played, machine)


def with_only(game: Game, *passes: str) -> MachineGame:
    """The game in the machine engine with these passes alone."""
    return MachineGame(game.program, PassRecords(off=frozenset(MEANINGS.keys() - set(passes))))
