"""Ctrl-C during a call of the machine engine, processes that are forked off, and arguments beyond 64 bits."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep
from typing import Any
from weakref import WeakSet

import pytest

import regelwerk
from interpreter.analysis import backends
from interpreter.engine.machine import wasmtime_host
from interpreter.engine.machine.games import MachineState
from regelwerk import Game, SearchState, State, UsageError
from tests.interpreter.machine.comparing import machine_of

ENDLESS = """\
game "Endless" for 1 to 2 players ann, ben

== components ==

note n: 0..9 = 0

== phases ==

phase main, turns from ann, over when n is 9:
    must take

action take(k: 1..2):
    "{k}"
    if k is 2: for_long

step for_long:
    up to 999999 times:
        up to 999999 times:
            set n to remainder(n + 1, 8)

== scoring ==

winner highest (n)
"""


@pytest.fixture
def endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(wasmtime_host, "MAX_SECONDS", 0.4)
    path = tmp_path / "endless.rules"
    path.write_text(ENDLESS, encoding="utf-8")
    return regelwerk.load(path, players=2)


def state_of(game: Game) -> MachineState:
    return machine_of(game).state(game.start().cells)


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Ctrl-C after some time."""

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


INTERRUPTED: dict[str, Callable[[MachineState], object]] = {
    "a move": lambda state: state.push(1),
    "random games": lambda state: state.play(0, 3, 50),
    "counting sequences": lambda state: state.sequences(3),
}


@pytest.mark.skipif(sys.platform == "win32", reason="no timer sends signals there")
@pytest.mark.parametrize("what", INTERRUPTED)
def test_ctrl_c_leaves_a_state_as_it_was(endless: Game, what: str) -> None:
    """The call ends in a fault later, or as usual; neither that fault nor the time since is held against the next."""
    state = state_of(endless)
    assert state.push(0)
    key = state.key()
    with interrupted(0.1), pytest.raises(KeyboardInterrupt):
        INTERRUPTED[what](state)
    assert (state.key(), state.legal_moves()) == (key, [(0, 1), (0, 2)])
    sleep(2 * (wasmtime_host.MAX_SECONDS + wasmtime_host.SECONDS_BETWEEN_LOOKS))
    assert state.scores() is not None and state.push(0) and state.pop() and state.pop() and not state.pop()
    assert not state.push(1)  # is ended, as before


def move_and_prepare_another(sender: Connection, state: MachineState) -> None:
    pushed = state.push(1)
    rollouts = regelwerk.load("tic_tac_toe").start().search_state("machine").rollouts(2)
    sender.send((pushed, len(rollouts)))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no process can be forked off there")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_process_that_is_forked_off_goes_on(endless: Game) -> None:
    """A rule that does not end is ended there too, and another game can be prepared."""
    state = state_of(endless)
    assert state.push(0)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=move_and_prepare_another, args=(sender, state))
    process.start()
    try:
        assert receiver.poll(120), "the process that was forked off waits forever"
        assert receiver.recv() == (False, 2)
    finally:
        process.kill()
        process.join()
    assert state.pop()


def prepare(sender: Connection) -> None:
    sender.send(len(regelwerk.load("tic_tac_toe").playout_columns(3, backend="machine")))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no process can be forked off there")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_process_that_is_forked_off_while_a_game_is_prepared() -> None:
    """The thread that prepares it does not exist there, and never lets go of its lock."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=prepare, args=(sender,))
    with backends._preparing:
        process.start()
    try:
        assert receiver.poll(120), "the process that was forked off waits forever"
        assert receiver.recv() == 3
    finally:
        process.kill()
        process.join()


class IdleInstance:
    """An instance in which no function runs."""

    calls = seen_call = 0
    seen_at = 0.0


def test_instances_are_made_while_calls_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that ends long calls looks at all instances, and other threads make some at the same time."""
    failures: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    machine_of(regelwerk.load("nim")).machine()
    monkeypatch.setattr(wasmtime_host, "_instances", WeakSet())
    monkeypatch.setattr(wasmtime_host, "SECONDS_BETWEEN_LOOKS", 0)
    sleep(0.3)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        instances: Any = [IdleInstance() for _ in range(20_000)]
        for instance in instances:
            wasmtime_host._watch(instance)
    finally:
        sys.setswitchinterval(before)
    assert not failures


# ---------------------------------------------------------------- large arguments


def searches(state: State) -> list[SearchState[State]]:
    return [state.search_state("python"), state.search_state("machine")]


@pytest.mark.parametrize("horizon", [(1 << 62) - 1, 1 << 62, (1 << 63) - 1, 1 << 63, 1 << 64, (1 << 64) + 1, 10**30])
def test_horizons_that_no_game_reaches(horizon: int) -> None:
    in_python, in_machine = searches(regelwerk.load("nim").start(seed=2))
    assert in_machine.rollouts(3, horizon=horizon) == in_python.rollouts(3, horizon=horizon)
    assert in_machine.rollout(5, horizon) == in_python.rollout(5, horizon)


@pytest.mark.parametrize("seed", [0, -1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 - (1 << 64)])
def test_seeds_of_64_bits(seed: int) -> None:
    in_python, in_machine = searches(regelwerk.load("pig").start(seed=2))
    assert in_machine.rollouts(1, seed) == in_python.rollouts(1, seed)
    assert in_machine.rollout(seed) == in_python.rollout(seed)


@pytest.mark.parametrize("seed", [1 << 64, -(1 << 64), 10**30])
def test_seeds_that_are_too_large(seed: int) -> None:
    for search in searches(regelwerk.load("nim").start()):
        for roll_out in (search.rollout, lambda seed, search=search: search.rollouts(2, seed)):
            with pytest.raises(UsageError, match="a seed must be between"):
                roll_out(seed)
