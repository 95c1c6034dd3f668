"""Which engine plays: Python, which is there at once, or the machine engine, once preparing it pays off.

The results are the same. Without Wasmtime, and for the few rules that cannot be printed as a module, Python plays.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TypeVar
from weakref import WeakKeyDictionary

from interpreter.analysis.results import Playout
from interpreter.arguments import Backend
from interpreter.compiler.ir.module import Module
from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.compiler.machine.stepping import MAX_BATCH
from interpreter.engine.machine.games import NO_HORIZON, Batch, MachineGame, machine_game
from interpreter.engine.machine.hosts import NoMachineError
from interpreter.engine.program import Program
from interpreter.play.game import Game
from interpreter.runtime.chance import MAX_SEED, seeded

WORTH_PREPARING = 20_000
"""Number of legal moves listed in random games beyond which preparing the machine engine pays off."""

SECONDS = 0.1
"""The time that a batch of games takes: Ctrl-C is noticed between batches."""

Replayed = TypeVar("Replayed")

_prepared: WeakKeyDictionary[Module, MachineGame | str] = WeakKeyDictionary()
"""The machine engine of each program, or why it cannot play it. Programs in other words share theirs."""

_listed: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
"""How many legal moves were listed in random games of each program."""

_preparing = threading.Lock()
_warned: set[str] = set()


def _unlock() -> None:
    """Let go of the lock in a process that was forked off while a thread, which it does not have, was preparing."""
    global _preparing
    _preparing = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)


class MachineWarning(UserWarning):
    """Python plays although the machine engine was asked for."""


def prepared(program: Program) -> MachineGame | str:
    """The machine engine of a program, prepared on first use, or why it cannot play it."""
    with _preparing:
        machine = _prepared.get(program.as_lowered)
        if machine is None:
            try:
                machine = machine_game(program)
            except NoMachineError as error:
                machine = str(error)
            _prepared[program.as_lowered] = machine
        return machine


def why_no_machine(game: Game) -> str | None:
    """Why the machine engine cannot play a game; None if it can."""
    machine = prepared(game.program)
    return machine if isinstance(machine, str) else None


def machine_for(game: Game, backend: Backend) -> MachineGame | None:
    """The machine engine, unless Python is to play. Warns if it was asked for and cannot play."""
    if backend == "python":
        return None
    machine = prepared(game.program)
    if not isinstance(machine, str):
        return machine
    if backend == "machine" and machine not in _warned:
        _warned.add(machine)
        warnings.warn(f"Python plays: {machine}", MachineWarning, stacklevel=2)
    return None


def played(
    game: Game, seeds: range, step_by_step: Callable[[int], Replayed], backend: Backend
) -> Iterator[Playout | Replayed]:
    """Play the games with these seeds; those that end in a fault are replayed by `step_by_step`."""
    program, place = game.program, 0
    while place < len(seeds):
        pays = (
            backend == "machine"
            or _listed.get(program.as_lowered, 0) >= WORTH_PREPARING
            or program.as_lowered in _prepared
        )
        machine = machine_for(game, backend) if pays else None
        if machine is not None:
            for first, batch in batches(machine, seeds[place:]):
                yield from playouts_of(game, batch, first)
                if batch.failed:
                    yield step_by_step(first + batch.played)
            return
        yield step_by_step(seeds[place])
        place += 1


def note_listed(program: Program, moves: int) -> None:
    """Note that this many legal moves were listed in random games, which shows whether preparing pays."""
    _listed[program.as_lowered] = _listed.get(program.as_lowered, 0) + moves


def batches(machine: MachineGame, seeds: range) -> Iterator[tuple[int, Batch]]:
    """The results of random games in batches of about `SECONDS`, each with its first seed.

    A game that ends in a fault ends a batch, and the next one begins after it. Raises UsageError for an invalid seed.
    """
    finished, count = 0, 1
    while finished < len(seeds):
        first = seeds[finished]
        seeded(first)
        begun = perf_counter()
        batch = machine.play(first, min(count, len(seeds) - finished, MAX_SEED - first), NO_HORIZON)
        yield first, batch
        finished += batch.played + batch.failed
        count = next_count(count, perf_counter() - begun)


def next_count(count: int, seconds: float) -> int:
    """How many games the next batch has, after one of `count` took some time."""
    return max(1, min(MAX_BATCH, int(count * SECONDS / max(seconds, SECONDS / 4))))


def playouts_of(game: Game, batch: Batch, first: int) -> Iterator[Playout]:
    """The results of a batch of games, the seed of whose first is given."""
    program, seats = game.program, game.seats
    machine = batch.game
    criteria, at_winners = machine.criteria, machine.printed.of_result.winners // WORD_BYTES
    for number in range(batch.played):
        words = batch.words[number * batch.width : (number + 1) * batch.width].tolist()
        scores = {seat: tuple(words[criteria * k : criteria * (k + 1)]) for k, seat in enumerate(seats)}
        winners, decisions, choices, widest = words[at_winners : at_winners + 4]
        names = tuple([seat for k, seat in enumerate(seats) if winners >> k & 1])
        teams = tuple([program.team_name(team) for team in machine.teams_of(words)])
        yield Playout(first + number, scores, names, decisions, choices, widest, teams)
