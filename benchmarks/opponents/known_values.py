"""`alphabeta` and the minimax search of OpenSpiel: who wins, from the beginning and after each first move."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.classic import installed
from benchmarks.opponents.series import Series
from interpreter.opponents.alphabeta import best_move
from interpreter.opponents.specs import ALPHABETA
from interpreter.play.game import Game, State, load
from tests.classic.twin import Twin
from tests.classic.twins import TWINS

SMALL_BREAKTHROUGH = Path(__file__).parents[1] / "small_breakthrough.rules"

SOLVED: dict[str, tuple[str, str, dict[str, object]]] = {
    "tic-tac-toe": ("tic_tac_toe", "tic_tac_toe", {}),
    "Nim, who takes last loses": ("nim", "nim", {}),
    "Nim, who takes last wins": ("nim", "nim(is_misere=false)", {"last_loses": False}),
    "Hex on 3 by 3": ("hex", "hex(board_size=3)", {"size": 3}),
    "Hex on 4 by 4": ("hex", "hex(board_size=4)", {"size": 4}),
    "Breakthrough on 3 by 5": ("breakthrough", "breakthrough(rows=5,columns=3)", {}),
}
"""Positions with a value that minimax finds: our game, OpenSpiel's, and the options of ours."""

LARGE, PLAYED, SAMPLE = "Hex on 4 by 4", 6, 20
"""OpenSpiel's minimax cannot solve this one: its search is compared after some random moves, and the first position
with what is known of every board of Hex: the first seat wins.
"""

SEARCHED = "Breakthrough on 3 by 5"
"""In OpenSpiel's table positions of this one that differ in who moves have one value; its search tells them apart."""


def series() -> Iterator[Series]:
    """A series for each game."""
    for title, (name, _, _) in SOLVED.items():
        yield Series(
            f"values/{title}", "values", name, f"`{ALPHABETA}` finds the values of {title}", (ALPHABETA,), 1,
            _compared(title), lambda title=title: _game(title).rules.hash, shares=False, most=1,  # type: ignore[misc]
        )  # fmt: skip


@cache
def _game(title: str) -> Game:
    name, _, options = SOLVED[title]
    game = load(SMALL_BREAKTHROUGH) if "by 5" in title else load(name, 2, options)
    game.backend = "machine"
    return game


def _compared(title: str) -> Callable[[int], float]:
    """The share of the positions with equal values."""

    def compare(_: int) -> float:
        name, spiel_name, _options = SOLVED[title]
        twin = next(each for each in TWINS if each.name == name)
        state, spiel = _game(title).start(), installed().load_game(spiel_name).new_initial_state()
        equal = list(
            _after_random_moves(twin, state, spiel)
            if title == LARGE
            else _solved(twin, state, spiel, by_search=title == SEARCHED)
        )
        return sum(equal) / len(equal)

    return compare


def _solved(twin: Twin, state: State, spiel: Any, *, by_search: bool) -> Iterator[bool]:
    """The first position, and those after each first move, against the table of all positions, or against a search."""
    value = _searched if by_search else _tabled(spiel)
    yield best_move(state).result == value(spiel)
    for action in spiel.legal_actions():
        state.push(_notation(twin, spiel, action))
        yield best_move(state).result == value(spiel.child(action))
        state.pop()


def _tabled(spiel: Any) -> Callable[[Any], int]:
    """The values of the positions of a game, found once for all."""
    solver = importlib.import_module("open_spiel.python.algorithms.minimax_solver")
    values = solver.MinimaxSolver(str(spiel.get_game())).solve()
    return lambda position: round(values[str(position)].value)


def _searched(position: Any) -> int:
    """The value of a position for the seat that decides, by a search."""
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    value: float = minimax.alpha_beta_search(position.get_game(), position)[0]
    return round(value)


def _after_random_moves(twin: Twin, state: State, spiel: Any) -> Iterator[bool]:
    """The first position, whose value is known, and some against a search."""
    yield best_move(state).result == 1
    for seed in range(SAMPLE):
        rng, now, theirs = Random(seed), state.copy(), spiel.clone()
        for _ in range(PLAYED):
            action = rng.choice(theirs.legal_actions())
            now.push(_notation(twin, theirs, action))
            theirs.apply_action(action)
        if now.player is not None:
            yield best_move(now).result == _searched(theirs)


def _notation(twin: Twin, spiel: Any, action: int) -> str:
    if twin.name == "hex":  # named there by the size of the board
        columns = round(spiel.num_distinct_actions() ** 0.5)
        return f"put({'abcdefghijklmnopqrstuvwxyz'[action % columns]}{action // columns + 1})"
    found = twin.called(spiel, action)
    assert found is not None
    return found
