"""States for search: both backends have the same interface and the same results, forward, back and at random."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import regelwerk
from interpreter.engine.machine.games import MachineState
from regelwerk import Game, IllegalMoveError, MachineWarning, PlayError, SearchState, State, UsageError

FAILING = """\
game "Failing" for 1 to 2 players ann, ben

== components ==

note points[p: Player]: 0..3 = 0

== phases ==

phase main, turns from ann:
    must grow or rest

action grow:
    add 2 to points[me]

action rest:
    add 0 to points[me]

== scoring ==

winner highest points[me]
"""
CALLED = """\
game "Called" for 1 to 2 players ann, ben

== components ==

note caller: Player or none = none
note points[p: Player]: 0..9 = 0

== phases ==

phase main, turns from ann, over when caller is not none:
    must call or wait

action call:
    set caller to me

action wait:
    require points[me] < 9 because "nine is the most"
    add 1 to points[me]

== scoring ==

winner highest points[caller]
"""


def written(text: str, folder: Path) -> Game:
    path = folder / "it.rules"
    path.write_text(text, encoding="utf-8")
    return regelwerk.load(path, players=2)


def both(state: State) -> list[SearchState[State]]:
    found = [state.search_state("python"), state.search_state("machine")]
    assert [each.backend for each in found] == ["python", "machine"]
    return found


def test_forward_and_back() -> None:
    state = regelwerk.load("china", players=3).start(seed=4)
    for number in (3, 0, 5):
        state.push(state.legal_moves[number])
    for search in both(state):
        key = search.key()
        assert (search.player, search.ply, search.over) == (state.player, 3, False)
        assert search.move_count == len(state.legal_moves)
        assert search.legal_moves == [move.code for move in state.legal_moves] == [m.code for m in search.moves()]
        search.push(1)
        search.push(search.legal_moves[0])
        search.push(search.moves()[2])
        assert search.ply == 6 and search.key() != key
        for _ in range(3):
            search.pop()
        assert search.key() == key and search.export().key() == state.key()
        with pytest.raises(IllegalMoveError, match="no decision to take back"):
            search.pop()


def test_a_copy_goes_its_own_way() -> None:
    for search in both(regelwerk.load("leduc_poker").start(seed=1)):
        search.push(0)
        other = copy.deepcopy(search)
        assert other.key() == search.key() and other.legal_moves == search.legal_moves
        other.push(0)
        assert other.ply == search.ply + 1 and other.key() != search.key()
        other.pop()
        assert other.key() == search.key()
        with pytest.raises(IllegalMoveError):
            other.pop()


def test_pickled() -> None:
    for search in both(regelwerk.load("pig").start(seed=8)):
        for number in (0, 1, 0):
            search.push(number)
        again = pickle.loads(pickle.dumps(search))
        assert (again.key(), again.ply, again.backend) == (search.key(), 3, search.backend)


def test_exported_with_the_whole_past() -> None:
    state = regelwerk.load("leduc_poker").start(seed=5)
    state.push(state.legal_moves[0])
    for search in both(state):
        while not search.over:
            search.push(search.move_count - 1)
        exported = search.export()
        assert exported.over and exported.outcome is not None
        assert search.scores() == tuple(exported.outcome.scores.values())
        assert exported.ply == search.ply == len(exported.history) and exported.log(None)
        again = exported.search_state(search.backend)
        assert (again.key(), again.over, again.player, again.legal_moves) == (search.key(), True, None, [])
        with pytest.raises(IllegalMoveError, match="the game is over"):
            again.push(0)


def test_moves_that_are_not_legal() -> None:
    wrong: list[object] = [-1, 99, "mark(a1)", True, (0, 77), None]
    for search in both(regelwerk.load("tic_tac_toe").start()):
        for move in wrong:
            with pytest.raises(IllegalMoveError):
                search.push(move)  # type: ignore[arg-type]
        assert search.ply == 0 and search.move_count == 9


TIC_TAC_TOE, NINE_MENS_MORRIS = regelwerk.load("tic_tac_toe"), regelwerk.load("nine_mens_morris")


@given(st.lists(st.integers(-2, 60), max_size=40), st.sampled_from([TIC_TAC_TOE, NINE_MENS_MORRIS]))
def test_undoing_leads_back(steps: list[int], game: Game) -> None:
    """Negative numbers take moves back; every state on the way back is the one from before."""
    search = game.start(seed=3).search_state("machine")
    keys = [(search.key(), search.legal_moves)]
    for number in steps:
        if number < 0 or search.over:
            if len(keys) > 1:
                search.pop()
                keys.pop()
        else:
            search.push(number % search.move_count)
            keys.append((search.key(), search.legal_moves))
        assert (search.key(), search.legal_moves) == keys[-1]
    while len(keys) > 1:
        search.pop()
        keys.pop()
        assert (search.key(), search.legal_moves) == keys[-1]


# ---------------------------------------------------------------- rollouts


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "leduc_poker", "china", "hearts"])
def test_rollouts_are_the_same(name: str) -> None:
    """In both backends, on any number of threads, and they leave the state as it was."""
    state = regelwerk.load(name).start(seed=2)
    for _ in range(3):
        state.push(state.legal_moves[0])
    python, machine = both(state)
    for horizon in (None, 0, 7):
        expected = python.rollouts(6, seed=11, horizon=horizon)
        key = machine.key()
        found = machine.rollouts(6, seed=11, horizon=horizon)
        assert found == expected == machine.rollouts(6, seed=11, horizon=horizon, threads=2)
        assert machine.key() == key and machine.ply == 3
        if horizon is None:
            assert list(found.over) == [1] * 6
        else:
            assert max(found.decisions) <= horizon
    assert machine.rollouts(0).wins() == dict.fromkeys(state.game.seats, 0)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "leduc_poker", "china", "hearts", "chess"])
def test_a_single_rollout_is_the_one_with_its_seed(name: str) -> None:
    """In the middle of a search too, and the state goes back afterwards as if nothing had been."""
    python, machine = both(regelwerk.load(name).start(seed=2))
    for seed in range(6):
        keys = []
        for search in (python, machine):
            key, moves = search.key(), search.legal_moves
            found = search.rollouts(1, seed=seed, horizon=9)
            expected = found.winners[0], list(found.scores) if found.scored[0] else None
            winners, scores = search.rollout(seed, horizon=9)
            assert (winners, None if scores is None else list(scores)) == expected
            assert search.key() == key and search.legal_moves == moves
            if not search.over:
                search.push(seed % search.move_count)
            keys.append(search.legal_moves)
        assert keys[0] == keys[1]
    while machine.ply:
        machine.pop()
        python.pop()
        assert machine.legal_moves == python.legal_moves and machine.scores() == python.scores()


@pytest.mark.parametrize("name", ["pig", "backgammon", "liars_dice"])
def test_future_chance_is_redrawn(name: str) -> None:
    """It follows from the seed alone, with both backends and in the state that is exported."""
    state = regelwerk.load(name).start(seed=2)
    for seed in (4, 5, 4):
        courses = []
        for search in both(state):
            search.draw_chance_from(seed)
            other = pickle.loads(pickle.dumps(search.copy()))
            for _ in range(12):
                if not search.over:
                    search.push(search.ply * 7 % search.move_count)
                    other.push(other.ply * 7 % other.move_count)
            assert other.legal_moves == search.legal_moves and other.scores() == search.scores()
            exported = search.export()
            assert [move.code for move in exported.legal_moves] == search.legal_moves
            courses.append((search.legal_moves, search.scores(), exported.cells))
            with pytest.raises(UsageError, match="before the first move"):
                search.draw_chance_from(1)
        assert courses[0] == courses[1]


def test_rollouts_of_the_end() -> None:
    for search in both(regelwerk.load("nim").start()):
        while not search.over:
            search.push(0)
        found = search.rollouts(3)
        assert list(found.decisions) == [0] * 3 and list(found.over) == [1] * 3
        assert sum(found.wins().values()) == 3


@pytest.mark.parametrize("winner", ["highest points[caller]", "highest points[me]\nteams by points[caller]"])
def test_a_criterion_or_a_team_without_a_value_yet(winner: str, tmp_path: Path) -> None:
    """The game is not over, so that a score or a team may have no value: then nobody is ahead."""
    rules = CALLED.replace("highest points[caller]", winner)
    for search in both(written(rules, tmp_path).start()):
        assert search.scores() is None
        found = search.rollouts(20, horizon=1)
        assert list(found.scored) == list(found.over) and set(found.over) == {0, 1}
        assert all(not won for won, scored in zip(found.winners, found.scored, strict=True) if not scored)


def test_wrong_arguments() -> None:
    wrong = {"count": -1}, {"count": 1, "seed": 1 << 64}, {"count": 1, "horizon": -1}, {"count": 1, "threads": 0}
    for search in both(regelwerk.load("nim").start()):
        for arguments in wrong:
            with pytest.raises(UsageError):
                search.rollouts(**arguments)


# ---------------------------------------------------------------- faults, and what the machine engine cannot do


def test_a_rule_that_fails_is_named(tmp_path: Path) -> None:
    for search in both(written(FAILING, tmp_path).start()):
        search.push(0)
        search.push(1)
        key = search.key()
        with pytest.raises(PlayError, match=r"it.rules:13:.* 4 is outside the range 0..3"):
            search.push(0)
        assert search.key() == key and search.ply == 2
        with pytest.raises(PlayError, match="outside the range"):
            search.rollouts(1)


def test_a_move_that_only_python_can_make(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made by Python, and the machine engine goes on from there; it can be taken back like any other."""
    search = regelwerk.load("nine_mens_morris").start().search_state("machine")
    other = search.copy()
    search.push(0)
    key = search.key()
    with monkeypatch.context() as changed:
        changed.setattr(MachineState, "push", lambda _, __: False)
        search.push(1)
    search.push(2)
    for number in (0, 1, 2):
        other.push(number)
    assert (search.key(), search.legal_moves) == (other.key(), other.legal_moves)
    assert search.export().key() == other.export().key()
    search.pop()
    search.pop()
    assert search.key() == key and search.ply == 1
    search.pop()
    with pytest.raises(IllegalMoveError):
        search.pop()


LARGE = """\
game "Large" for 2 players ann, ben

== components ==

type Spot from grid(26, 41)
note at: Spot = a1
note shut: several Spot = {}

== phases ==

phase main, turns from ann, over when count shut is 9:
    must lay

action lay(s: Spot):
    require s.row is 1 and s is not in shut     because "not here"
    require between(at, s) is not shut          because "through those"
    set at to s
    add s to shut

== scoring ==

winner me is ann
"""


def test_a_game_that_the_machine_engine_cannot_play(tmp_path: Path) -> None:
    path = tmp_path / "large.rules"
    path.write_text(LARGE, encoding="utf-8")
    game = regelwerk.load(path)
    with pytest.warns(MachineWarning, match="the machine engine cannot play a table of more than 1048576 entries"):
        search = game.start().search_state("machine")
    assert search.backend == "python" and search.move_count == 24
    assert list(game.playouts(2, backend="auto")) == list(game.playouts(2, backend="python"))


def test_supplied_chance_is_refused() -> None:
    state = regelwerk.load("pig").start(chance=lambda event: 0)
    with pytest.raises(UsageError, match="supplied from outside"):
        state.search_state("python")


def test_the_backend_is_chosen() -> None:
    game = regelwerk.load("nim")
    for backend in ("auto", "machine", "python"):
        expected = "python" if backend == "python" else "machine"
        assert game.start().search_state(backend).backend == expected
        assert regelwerk.load("nim", backend=backend).start().search_state().backend == expected
    with pytest.raises(UsageError, match="a backend is one of"):
        game.start().search_state("fortran")  # type: ignore[arg-type]
