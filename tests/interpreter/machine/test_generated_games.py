"""Generated games in the machine engine are those of Python: at random, and step by step. Many end in faults."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter.compiler.ir.verifier import verify
from interpreter.errors import PlayError
from interpreter.play.game import Game
from tests.interpreter.machine.comparing import KINDS, Difference, compared, generated, machine_of
from tests.interpreter.machine.walking import Walk

PARTS = 20
"""In how many parts the games of the long run are played, so that an interrupted run goes on near where it stopped."""

OF_A_PART, OF_A_PART_IN_THE_LONG_RUN = 2, 50
SEEDS, WALKS, STEPS = 8, 2, 60


@pytest.mark.parametrize("part", [pytest.param(part, marks=pytest.mark.long if part else ()) for part in range(PARTS)])
@pytest.mark.parametrize("kind", KINDS)
def test_generated_games(kind: str, part: int, long_run: bool, tmp_path: Path) -> None:
    many = OF_A_PART_IN_THE_LONG_RUN if long_run else OF_A_PART
    figures: Counter[str] = Counter()
    for number in range(part * many, (part + 1) * many):
        game = generated(kind, number, tmp_path)
        if isinstance(game, str):
            figures[game] += 1
            continue
        try:
            figures += Counter(accepted=1) + compared(game, 0, SEEDS) + walked(game)
        except Difference as difference:
            raise Difference(f"{kind} game {number}: {difference}") from None
    assert figures["accepted"] >= many / 2 and figures["moves"] >= many, figures
    assert not figures["left to Python"], figures


def walked(game: Game) -> Counter[str]:
    """Walk through a game, whose module has no problems; in some setup fails."""
    figures: Counter[str] = Counter()
    assert verify(machine_of(game).rules.module) == []
    for seed in range(WALKS):
        try:
            figures += Walk(game, seed).go(STEPS)
        except PlayError:
            figures["setup failed"] += 1
    return figures
