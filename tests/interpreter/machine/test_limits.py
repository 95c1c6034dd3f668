"""Where the machine engine meets a limit: rules that do not end, memory, many states and threads, wrong positions."""

from __future__ import annotations

import gc
import os
import weakref
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest
import wasmtime

from interpreter.analysis.backends import why_no_machine
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import attempts, play_at_random, playouts
from interpreter.analysis.search_states import search_state
from interpreter.compiler.machine.forms import UnprintableError
from interpreter.engine.machine import hosts, wasmtime_host
from interpreter.engine.machine.games import NO_HORIZON, MachineGame, MachineState
from interpreter.errors import PlayError
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, load
from interpreter.runtime.layout import POINT
from interpreter.watchdog import watchdog
from tests.interpreter.machine.comparing import Difference, compared, machine_of
from tests.interpreter.machine.walking import Walk

HEAD = """\
game "Limit" for 1 to 2 players ann, ben

== components ==

{components}

== phases ==

phase main, turns from ann, over when {over}:
    must take

{rules}

== scoring ==

winner highest ({score})
"""


def written(folder: Path, **parts: str) -> Game:
    path = folder / "limit.rules"
    path.write_text(HEAD.format(**parts), encoding="utf-8")
    return load(path, 2)


# ---------------------------------------------------------------- time

ENDLESS = {
    "components": "note n: 0..9 = 0",
    "over": "n is 9",
    "rules": "action take(k: 1..2):\n    \"{k}\"\n    if k is 2:\n        up to 999999 times:\n"
    "            up to 999999 times:\n                set n to remainder(n + 1, 8)",
    "score": "n",
}  # fmt: skip


def test_a_rule_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Afterwards the same machine plays on, and of a random game Python says what it says of such rules."""
    monkeypatch.setattr(wasmtime_host, "MAX_SECONDS", 0.3)
    game = written(tmp_path, **ENDLESS)
    state = machine_of(game).state(game.start().cells)
    key = state.key()
    assert not state.push(1) and state.key() == key and state.legal_moves() == [(0, 1), (0, 2)]
    assert state.push(0) and state.pop() and state.key() == key
    with watchdog(0.5):
        in_python, in_machine = (next(attempts(game, 1, backend=backend)) for backend in ("python", "machine"))
    assert isinstance(in_python, Failed) and in_python.cut_off and in_machine == in_python


# ---------------------------------------------------------------- memory


COUNTING = {
    "components": "note n: 0..9 = 0",
    "over": "n is 9",
    "rules": "action take:\n    set n to remainder(n + 1, 8)",
    "score": "n",
}


def test_the_past_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move for which no memory is left fails like a rule; a search goes on with new memory, and back again."""
    monkeypatch.setattr("interpreter.compiler.machine.printing.PAST_BYTES", 1 << 10)
    game = written(tmp_path, **COUNTING)
    state = machine_of(game).state(game.start().cells)
    keys = [state.key()]
    while state.push(0):
        keys.append(state.key())
    assert len(keys) > 50 and state.key() == keys[-1]
    search = search_state(game.start(), "machine")
    expected = search_state(game.start(), "python")
    for _ in range(len(keys) + 20):
        search.push(0)
        expected.push(0)
    assert search.legal_moves == expected.legal_moves and search.scores() == expected.scores()
    for _ in range(21):
        search.pop()
    while keys:
        assert search.key() == keys.pop()
        if keys:
            search.pop()


# ---------------------------------------------------------------- states and threads


def walked(machine: MachineGame, game: Game, seed: int) -> tuple[MachineState, list[int]]:
    """A state with a past, and the key of each position on the way."""
    state, random = machine.state(game.start(seed).cells), Random(seed)
    keys = [state.key()]
    while state.point >= 0 and len(keys) < 12:
        assert state.push(random.randrange(state.count))
        keys.append(state.key())
    return state, keys


@pytest.mark.parametrize("name", ["go", "mauerbauer", "pig", "leduc_poker"])
def test_states_take_turns_on_one_machine(name: str) -> None:
    """Each has a past of its own, recorded positions and lists in cells included."""
    game = load(name)
    machine = machine_of(game)
    states = [walked(machine, game, seed) for seed in range(4)]
    while any(keys for _, keys in states):
        for state, keys in states:
            if keys:
                assert state.key() == keys.pop()
                assert state.pop() == bool(keys)


def test_threads_share_a_game() -> None:
    """Each has a machine of its own; a state may be used by a thread that has not made it."""
    game = load("go")
    machine = machine_of(game)
    shared, keys = walked(machine, game, 1)

    def work(seed: int) -> tuple[list[int], int]:
        _, own = walked(machine, game, seed)
        return own, shared.copy().key()

    alone = [walked(machine, game, seed)[1] for seed in range(6)]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(work, range(6)))
    assert together == [(own, keys[-1]) for own in alone]
    assert shared.key() == keys[-1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_process_that_is_forked_off_prepares_games() -> None:
    """The command does so with `--jobs`, after it has prepared one itself."""
    assert machine_of(load("nim")).machine()
    process = get_context("fork").Process(target=lambda: machine_of(load("pig")).machine().play(True, 0, 3, NO_HORIZON))
    process.start()
    process.join(60)
    running = process.is_alive()
    process.kill()
    assert not running and process.exitcode == 0


def test_a_game_that_is_no_longer_used_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.play.game.load_rules", load_rules)  # that of tests keeps the rules
    gc.freeze()  # what is there already need not be gone through
    game = load("tic_tac_toe")
    machine = weakref.ref(machine_of(game))
    search = search_state(game.start(), "machine")
    search.push(0)
    search.rollouts(4, threads=2)
    assert machine() is not None
    del game, search
    gc.collect()  # the rules, which are the key under which the game is kept
    gc.collect()
    assert machine() is None


# ---------------------------------------------------------------- what is over, and what is not a move


def test_a_game_that_is_over_goes_on_no_further() -> None:
    """Random games from there have its results, whatever was played before in the same memory."""
    game = load("nim")
    machine = machine_of(game)
    ends = []
    for seed in range(6):
        state, random = machine.state(game.start().cells), Random(seed)
        while state.point >= 0:
            assert not state.push(state.count)
            assert state.push(random.randrange(state.count))
        ends.append(state)
    for state in ends:
        scores, key = state.scores(), state.key()
        assert not state.push(0) and state.key() == key and state.legal_moves() == []
        for horizon in (0, 3, NO_HORIZON):
            batch = state.play(1, 2, horizon)
            assert not batch.failed and batch.played == 2
            assert [tuple(batch.words[seat : seat + 1]) for seat in range(2)] == scores
            assert list(batch.column(machine.printed.of_result.decisions)) == [0, 0]
            assert list(batch.column(machine.printed.of_result.over)) == [1, 1]


def test_cells_that_no_game_reaches_are_refused() -> None:
    game = load("nim")
    cells = list(game.start().cells)
    cells[POINT] = 77
    with pytest.raises(UnprintableError, match="not reached"):
        machine_of(game).state(cells)


# ---------------------------------------------------------------- sizes, modules, and hosts

WIDE = {
    "components": "".join(f"piece {name}: 999 in box\n" for name in ("Red", "Blue", "Green", "White", "Black"))
    + "zone box holds Red or Blue or Green or White or Black\nzone pot holds Red or Blue or Green or White or Black",
    "over": "box is empty",
    "rules": "action take:\n    move 1000 from box to pot",
    "score": "count pot",
}
MANY_CELLS = {
    "components": "type Cell from grid(20, 20)\npiece Red: 999 in box\nzone box holds Red\n"
    "zone pile[c: Cell] holds stack of Red",
    "over": "count box < 980",
    "rules": "action take(c: Cell):\n    move 1 from box to pile[c]",
    "score": "count box",
}


@pytest.mark.parametrize("parts", [WIDE, MANY_CELLS])
def test_wide_sets_and_large_states(tmp_path: Path, parts: dict[str, str]) -> None:
    game = written(tmp_path, **parts)
    assert compared(game, 0, 3)["games"] + compared(game, 3, 3)["faults"] >= 3
    Walk(game, 1).go(20)


def test_a_module_that_is_not_valid_is_refused() -> None:
    binary = bytearray(machine_of(load("nim")).printed.module.binary())
    wasmtime.Module.validate(wasmtime.Engine(), bytes(binary))
    del binary[len(binary) // 2]
    with pytest.raises(wasmtime.WasmtimeError):
        wasmtime.Module.validate(wasmtime.Engine(), bytes(binary))


def test_without_wasmtime_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("pig")

    def refuse(binary: bytes) -> None:
        raise hosts.NoMachineError("the package wasmtime cannot be used here (no wheel)")

    monkeypatch.setattr("interpreter.engine.machine.games.compiled_module", refuse)
    assert why_no_machine(game) == "the package wasmtime cannot be used here (no wheel)"
    games = list(playouts(game, 3, backend="auto"))
    assert games == [play_at_random(game, seed) for seed in range(3)]


def test_a_changed_module_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison finds a wrong constant."""
    game = load("nim")
    monkeypatch.setattr("interpreter.compiler.machine.course.CHOICE_OFFSET", 1)
    with pytest.raises(Difference):
        compared(game, 0, 10, MachineGame(game.program))


def test_faults_have_the_message_and_line_of_python(tmp_path: Path) -> None:
    game = written(
        tmp_path, components="note n: 0..9 = 0", over="n is 9", score="n",
        rules="action take(k: 1..4):\n    \"{k}\"\n    add k to n",
    )  # fmt: skip
    messages = []
    for backend in ("python", "machine"):
        with pytest.raises(PlayError) as caught:
            list(playouts(game, 20, backend=backend))
        messages.append((caught.value.message, caught.value.location))
    assert messages[0] == messages[1] and "outside the range 0..9" in messages[0][0]
