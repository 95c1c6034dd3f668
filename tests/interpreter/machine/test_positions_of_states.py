"""Recorded positions and the acting seat of states of the machine engine, whatever else is played in its memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

import regelwerk
from interpreter.analysis.playouts import playouts
from interpreter.runtime.layout import POINT
from regelwerk import Game
from tests.interpreter.machine.walking import Walk

RECORDED = """\
game "Recorded" for 2 players ann, ben

== components ==

note n: 0..9 = 0
note m: 0..9 = 0
position numbers: n, me
position sums: m, count {x in 1..9 where x < n}

== phases ==

phase main, turns from ann, over as soon as times(numbers) is 3 or times(sums) is 5:
    record numbers
    if n > 2: record sums
    must go else skip

action go(k: 0..3):
    require times(numbers) < 2 given update(k) because "it has been twice"
    require times(sums) < 4 given update(k) because "it has been four times"
    update(k)
    record sums

step update(k: 0..3):
    set n to remainder(n + k, 5)
    set m to remainder(m * 2 + k, 7)
    record sums

action skip:
    set n to 0

== scoring ==

winner highest times(numbers) then lowest times(sums)
"""


@pytest.fixture
def recorded(tmp_path: Path) -> Game:
    path = tmp_path / "recorded.rules"
    path.write_text(RECORDED, encoding="utf-8")
    return regelwerk.load(path, players=2)


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        ("recorded", False), ("recorded", True), ("go", True), ("chess", True), ("mauerbauer", True),
        *(pytest.param(name, False, marks=pytest.mark.long) for name in ("go", "chess", "mauerbauer")),
    ],
)  # fmt: skip
def test_games_from_the_opening_leave_states_as_they_are(name: str, elsewhere: bool, recorded: Game) -> None:
    """They are played in the same memory, also by a thread that uses a state which another one has made."""
    game = recorded if name == "recorded" else regelwerk.load(name)
    in_python, in_machine = (game.start(seed=3).search_state(backend) for backend in ("python", "machine"))
    random = Random(1)
    while in_machine.ply < 25 and not in_machine.over:
        number = random.randrange(in_machine.move_count)
        in_python.push(number)
        in_machine.push(number)
    key = in_machine.key()
    games = list(playouts(game, 20, seed=7, backend="machine"))
    assert in_machine.key() == key and in_machine.rollouts(4) == in_python.rollouts(4)
    if elsewhere:
        with ThreadPoolExecutor(1) as pool:
            keys = pool.submit(lambda: [in_machine.key() for _ in range(200)])
            for _ in range(5):
                assert list(playouts(game, 20, seed=7, backend="machine")) == games
            assert set(keys.result()) == {key}
    while True:
        assert in_machine.legal_moves == in_python.legal_moves
        if not in_machine.ply:
            break
        in_python.pop()
        in_machine.pop()


def test_states_that_are_over_have_the_keys_of_states_in_python(recorded: Game) -> None:
    """Criteria are evaluated with each seat in turn as the acting one; afterwards the last one is that again."""
    for seed in range(10):
        walk, random = Walk(recorded, seed), Random(seed)
        while walk.S[POINT] >= 0:
            walk.forward(random.randrange(walk.state.count))
        assert walk.machine.state(walk.S).key() == walk.state.key()
