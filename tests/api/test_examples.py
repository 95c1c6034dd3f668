"""The programs in `examples/` run, where what they need is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import Any

import pytest

import regelwerk
from tests.support.project import ROOT

NEEDED = ("flax", "gymnasium", "jax", "optax")

pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in NEEDED), reason=f"needs {', '.join(NEEDED)}"
)


def test_a_network_learns_and_plays() -> None:
    few = ["--updates", "2", "--games", "16", "--length", "4", "--width", "8", "--bot", "random", "--against", "2"]
    game = ["kuhn_poker", "--returns", "margin", "--curve", "1"]
    command = [sys.executable, ROOT / "examples" / "ppo.py", *game, *few]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True)
    assert "128 steps" in done.stdout and "mean return against random" in done.stdout


def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    return importlib.import_module("ppo")


def test_seats_read_columns_as_if_each_were_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    ppo = example(monkeypatch)
    game = regelwerk.load("connect_four")
    names = game.observation_space.names
    yellow = [names[column] for column in ppo.from_seat(names, game.seats, 1)]
    assert yellow[names.index("looks: red")] == "looks: red"
    assert yellow[names.index("disc[c2]: red")] == "disc[c2]: yellow"
    assert yellow[names.index("box[yellow]: red")] == "box[red]: yellow"
    china = regelwerk.load("china", players=3)
    names = china.observation_space.names
    red = [names[column] for column in ppo.from_seat(names, china.seats, 1)]
    assert red[names.index("hand[green]: red")] == "hand[red]: red"  # the colour of a card
    assert red[names.index("stock[green]: red House")] == "stock[red]: violet House"  # that of a player


def test_random_games_say_how_large_numbers_get(monkeypatch: pytest.MonkeyPatch) -> None:
    ppo = example(monkeypatch)
    few = ["--players", "3", "--games", "8", "--width", "8", "--returns", "margin"]
    learner = ppo.Learner(ppo.parser_of_arguments().parse_args(["china", *few]))
    names = learner.game.observation_space.names
    assert learner.largest[names.index("house[shu1]: red")] == 1
    assert 10 / 999 < learner.largest[names.index("score[green]: / 999")] < 100 / 999
    assert 1 < learner.spread < 20


def test_windows_are_found_by_the_names_of_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    ppo = example(monkeypatch)
    names = regelwerk.load("connect_four").observation_space.names
    windows = ppo.windows_of(names, 4)
    assert len(windows) == 4 * 3 and {len(window) for window in windows} == {4 * 4 * 2}
    assert names[windows[0][0]] == "disc[a1]: red" and names[windows[-1][-1]] == "disc[g6]: yellow"
    assert ppo.windows_of(regelwerk.load("kuhn_poker").observation_space.names, 4) == ()


@pytest.mark.long
def test_a_network_learns_to_play_tic_tac_toe_perfectly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tic-tac-toe is a draw, as `solve` says: from either seat the network never loses, whatever the other does."""
    ppo = example(monkeypatch)
    np = importlib.import_module("numpy")
    few = ["--updates", "100", "--games", "256", "--opening", "4", "--curve", "0"]
    learner = ppo.Learner(ppo.parser_of_arguments().parse_args(["tic_tac_toe", *few]))
    assert regelwerk.solve(learner.game).returns == (0, 0)
    learner.learn()

    def loses(state: regelwerk.State, seat: int) -> bool:
        if state.over:
            return learner.game.seats[seat] not in state.outcome.winners
        partial = state.partial_move()
        actions = partial.legal_actions
        if state.player == learner.game.seats[seat]:
            mask = np.zeros(learner.game.action_space.size, dtype=bool)
            mask[list(actions)] = True
            actions = (learner.likeliest(seat, np.array(state.observation(state.player)), mask),)
        for action in actions:
            following = state.copy()
            following.push_number(partial.choose(action).number)
            if loses(following, seat):
                return True
        return False

    assert not any(loses(learner.game.start(), seat) for seat in range(2))
