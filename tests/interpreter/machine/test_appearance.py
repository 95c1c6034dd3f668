"""What a seat sees of a state, as a hash of the machine engine: equal for two states if they look the same to it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dsl.diagnostics import RulesError
from interpreter.compiler.machine.forms import UnprintableError
from interpreter.engine.machine.games import MachineGame
from interpreter.errors import PlayError
from interpreter.opponents.knowledge.arrangement import appearance
from interpreter.play.game import Game, load
from interpreter.runtime.layout import POINT
from tests.interpreter.machine.comparing import NAMES, table_of
from tests.recorded.tables import game_at
from tests.support import secret_games, typed_games
from tests.support.long_run import one_in

GAMES, DECISIONS = 2, 25
KINDS = {"with secrets": secret_games.rules, "with types": typed_games.rules}


def looked_at(game: Game) -> Counter[str]:
    """Compare the states of some games with each other; how often they looked the same, and otherwise."""
    program, machine = game.program, MachineGame(game.program)
    figures: Counter[str] = Counter()
    for seat in range(len(game.seats)):
        hashes: dict[str, int] = {}
        for seed in range(GAMES):
            random, cells = Random(seed), list(game.start(seed).cells)
            state = machine.state(cells)
            for _ in range(DECISIONS):
                hashed, look = state.appearance(seat), repr(appearance(program, cells, seat))
                if hashed is None:
                    return Counter(unprinted=1)
                figures["same" if look in hashes else "other"] += 1
                assert hashes.setdefault(look, hashed) == hashed, "looks the same, but has another hash"
                if cells[POINT] < 0:
                    break
                legal = program.legal(cells)
                number = random.randrange(len(legal))
                try:
                    program.do(cells, None, legal[number])
                except PlayError:
                    break
                assert state.push(number)
        assert len(set(hashes.values())) == len(hashes), "looks different, but has the same hash"
    return figures


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_shipped_games(name: str) -> None:
    assert looked_at(game_at(table_of(name, NAMES.index(name))))["other"]


@pytest.mark.parametrize("kind", KINDS)
def test_generated_games(kind: str, tmp_path: Path) -> None:
    figures: Counter[str] = Counter()
    for number in range(12):
        path = tmp_path / f"game_{number}.rules"
        path.write_text(KINDS[kind](number), encoding="utf-8")
        try:
            figures += looked_at(load(path, players=None))
        except (RulesError, PlayError, UnprintableError):
            figures["unplayable"] += 1
    assert figures["same"] > 20 and figures["other"] > 20 and figures["unprinted"] < 4, figures
