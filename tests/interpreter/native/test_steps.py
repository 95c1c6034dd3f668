"""Games played step by step in machine code agree with Python at every decision, forward and back.

Compared are the legal moves in order, all cells, which positions have equal keys, criteria and teams as if the game was
over, and faults.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter import PlayError, RulesError, load
from interpreter.native.forms import NotInC
from interpreter.native.step_games import steps_of
from tests.interpreter.native.comparing import Difference
from tests.interpreter.native.test_native_games import KINDS, MOST_LEFT_TO_PYTHON, NAMES, table_of
from tests.interpreter.native.walking import Walk, steps_library
from tests.recorded.tables import SITTINGS, game_at

IN_CI, OUT_OF = ("chess", "china", "mauerbauer", "tallow_lane"), 10
"""Walked in the normal run besides every tenth game: repetition, teams, lists and sets in cells, choices of several."""

STEPS, IN_THE_LONG_RUN = 80, 400


@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_game_can_be_in_machine_code(name: str) -> None:
    """No shipped game is left to Python."""
    assert steps_of(game_at(table_of(name, NAMES.index(name))).program).rows


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in IN_CI or not number % OUT_OF else pytest.mark.long)
        for number, name in enumerate(NAMES)
    ],
)
def test_walks_through_a_shipped_game(name: str, long_run: bool) -> None:
    for number in range(SITTINGS if long_run else 1):
        game = game_at(table_of(name, number + NAMES.index(name)))
        steps, library = steps_library(game, optimise=long_run)
        for seed in range(10 if long_run else 1):
            figures = Walk(game, steps, library, seed).go(IN_THE_LONG_RUN if long_run else STEPS)
            assert figures["moves"] and not figures["faults"]


GENERATED, GENERATED_IN_THE_LONG_RUN = 2, 200
SEEDS = 3


@pytest.mark.parametrize("kind", KINDS)
def test_walks_through_generated_games(kind: str, long_run: bool, tmp_path: Path) -> None:
    """Many of these games end in faults."""
    figures: Counter[str] = Counter()
    many = GENERATED_IN_THE_LONG_RUN if long_run else GENERATED
    for number in range(many):
        path = tmp_path / f"game_{number}.rules"
        path.write_text(KINDS[kind](number), encoding="utf-8")
        try:
            game = load(path, players=None)
            steps, library = steps_library(game)
        except (RulesError, PlayError):
            continue
        except NotInC as problem:
            figures[f"not in C: {problem}"] += 1
            figures["left"] += 1
            continue
        for seed in range(SEEDS):
            try:
                figures += Walk(game, steps, library, seed).go(STEPS)
            except PlayError:
                figures["setup failed"] += 1
            except Difference as difference:
                raise Difference(f"{kind} game {number}: {difference}") from None
    assert figures["moves"] >= many * SEEDS, figures
    assert figures["left"] <= max(1, many * MOST_LEFT_TO_PYTHON), figures
