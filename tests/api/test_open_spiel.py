"""Games as games of OpenSpiel: its own checks, known values of poker, and what it is told about each game.

OpenSpiel comes with the extra `open_spiel` and has no wheels for every machine: where it is missing, these tests are
skipped and say so.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import regelwerk
from tests.support.library import shipped
from tests.support.long_run import one_in

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None
else:
    from regelwerk import open_spiel

pytestmark = pytest.mark.skipif(
    pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[open_spiel]'"
)

LEDUC_VALUE = -0.0856
"""For the first player; Lisý and Bowling (2017) and OpenSpiel's own tests give it to this digit."""


def loaded(name: str, **parameters: Any) -> Any:
    (registered,) = open_spiel.register(name)
    return pyspiel.load_game(registered, parameters)


QUICK = {"blackjack", "blotto", "briscola", "kuhn_poker", "nim", "golf", "no_thanks", "tic_tac_toe", "pig"}
"""The games of the normal run: cards, dice, secret choices, one seat, no chance."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in shipped()]
)
def test_openspiel_plays_every_game(name: str) -> None:
    """Its own test: a random game, with all it asks of states, their copies, and their text in a file."""
    pyspiel.random_sim_test(loaded(name), num_sims=1, serialize=name in QUICK, verbose=False)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ("nim", "kuhn_poker") else pytest.mark.long) for name in shipped()]
)
def test_playthroughs_are_repeated_to_the_letter(name: str) -> None:
    """OpenSpiel's record of a random game: of each state all that it can be asked."""
    from open_spiel.python.algorithms import generate_playthrough

    open_spiel.register(name)
    first, second = (generate_playthrough.playthrough(f"regelwerk_{name}", None, seed=5) for _ in range(2))
    assert first == second and "IsTerminal() = True" in first


@pytest.mark.parametrize("name", one_in(4, shipped(), 2))
def test_what_openspiel_is_told_bounds_what_comes(name: str) -> None:
    game = loaded(name)
    state = game.new_initial_state()
    for _ in range(30):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        bound = game.max_chance_outcomes() if state.is_chance_node() else game.num_distinct_actions()
        assert legal == sorted(legal) and legal[0] >= 0 and legal[-1] < bound
        state.apply_action(legal[0])


def test_uniformly_random_poker_is_as_exploitable_as_openspiels() -> None:
    game, theirs = loaded("kuhn_poker", returns="margin"), pyspiel.load_game("kuhn_poker")
    here, there = (pyspiel.exploitability(one, pyspiel.UniformRandomPolicy(one)) for one in (game, theirs))
    assert here == pytest.approx(there)


def test_counterfactual_regret_minimisation_solves_kuhn_poker() -> None:
    game = loaded("kuhn_poker", returns="margin")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.exploitability(game, policy) < 1e-3
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)


@pytest.mark.long
def test_counterfactual_regret_minimisation_solves_leduc_poker() -> None:
    game = loaded("leduc_poker", returns="margin")  # counted in half chips
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.exploitability(game, policy) / 2 < 1e-2  # OpenSpiel: 0.005 on its own game
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values[0] / 2 == pytest.approx(LEDUC_VALUE, abs=2e-3)


def test_what_openspiel_is_told() -> None:
    kinds = pyspiel.GameType
    kuhn = loaded("kuhn_poker", players=3)
    assert (kuhn.num_players(), kuhn.num_distinct_actions(), kuhn.max_chance_outcomes()) == (3, 4, 4)
    assert kuhn.get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert kuhn.get_type().information == kinds.Information.IMPERFECT_INFORMATION
    assert kuhn.get_type().utility == kinds.Utility.ZERO_SUM
    nim = loaded("nim")
    assert nim.get_type().chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert nim.get_type().information == kinds.Information.PERFECT_INFORMATION
    dilemma = loaded("prisoners_dilemma", returns="score", rounds=2)
    assert dilemma.get_type().utility == kinds.Utility.GENERAL_SUM
    assert dilemma.utility_sum() is None
    assert loaded("skat", first_dealer="random").get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC


def test_options_are_parameters() -> None:
    game = loaded("hex", size=3)
    assert len(game.new_initial_state().legal_actions()) == 9
    assert game.get_parameters()["size"] == 3
    assert loaded("nim", last_loses=False).get_parameters()["last_loses"] is False
    state = pyspiel.load_game("regelwerk_hex(size=2)").new_initial_state()
    assert len(state.legal_actions()) == 4


def test_a_tensor_is_what_the_seat_sees() -> None:
    game = loaded("kuhn_poker")
    state = game.new_initial_state()
    while state.is_chance_node():
        assert not any(state.observation_tensor(0))
        state.apply_action(state.legal_actions()[0])
    ours = state.place.node.state
    own = regelwerk.load("kuhn_poker").observation_space.tensor(ours.cells, 0)
    assert state.observation_tensor(0) == list(own)
    assert state.information_state_string(0) == state.place.node.information(0)


def test_moves_in_parts_are_several_actions() -> None:
    state = loaded("chess").new_initial_state()
    first = state.legal_actions()
    assert [state.action_to_string(action) for action in first[:2]] == ["go, c: b1", "go, c: g1"]
    known = state.information_state_string(0)
    state.apply_action(first[0])
    assert state.current_player() == 0
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["go, d: a3", "go, d: c3"]
    assert state.information_state_string(0) == known + "\nchosen: go, c: b1"
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 1
    assert "go(b1, a3)" in str(state)


def test_games_are_broken_off() -> None:
    game = loaded("chess", max_decisions=3)
    state = game.new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0, 0.0]
    assert game.max_game_length() == 3


def test_a_game_with_a_variant_or_a_position() -> None:
    game = open_spiel.spiel_game(regelwerk.load("prisoners_dilemma", options={"rounds": 1}), "margin")
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0, 0.0]


def test_wrong_arguments(tmp_path: Path) -> None:
    with pytest.raises(regelwerk.UnknownGameError):
        open_spiel.register("no_such_game")
    with pytest.raises(regelwerk.UsageError, match="`returns` is"):
        open_spiel.spiel_game(regelwerk.load("nim"), "chips")
    with pytest.raises(regelwerk.UsageError, match="not `nim`"):
        open_spiel.spiel_game("nim")
    open_spiel.register("nim")
    for value in (0, -5):
        with pytest.raises(regelwerk.UsageError, match="`max_decisions` must be at least 1"):
            pyspiel.load_game(f"regelwerk_nim(max_decisions={value})")
    path = tmp_path / "clash.rules"
    path.write_text(
        'game "Clash" for 2 players ann, ben\n\noption players: Truth = true\n\n== phases ==\n\n'
        "phase play, turns from ann, over when true: must go\n\naction go: add 1 to moves\n\n"
        "== scoring ==\n\nwinner highest moves\n",
        encoding="utf-8",
    )
    with pytest.raises(regelwerk.RegelwerkError):
        open_spiel.register(path)


def test_python_ends_quietly() -> None:
    """OpenSpiel keeps what makes a game beyond the end of Python."""
    program = "import regelwerk.open_spiel as o, pyspiel; pyspiel.load_game(*o.register('nim')).new_initial_state()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
