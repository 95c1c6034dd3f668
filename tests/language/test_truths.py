"""A truth value that may be none, as a condition: none does not hold, wherever the condition is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.play.game import load
from tests.interpreter.lockstep import same_with_passes_and_without

RULES = Path(__file__).parent / "rules" / "truths.rules"


def test_games_are_the_same_with_passes_and_without() -> None:
    game = load(RULES)
    same_with_passes_and_without(game, range(4))


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_same_as_a_comparison_with_true(tmp_path: Path, seed: int) -> None:
    (tmp_path / "written_out.rules").write_text(
        RULES.read_text("utf-8").replace(".loud", ".loud is true"), encoding="utf-8"
    )
    one, other = load(RULES).start(seed), load(tmp_path / "written_out.rules").start(seed)
    rng = random.Random(seed)
    while one.player is not None:
        assert (one.player, one.legal_moves) == (other.player, other.legal_moves)
        move = rng.choice(one.legal_moves)
        one.push(move)
        other.push(move)
        assert one.view(None).zones == other.view(None).zones
    assert one.outcome is not None and other.outcome is not None
    assert (one.outcome.winners, one.outcome.scores) == (other.outcome.winners, other.outcome.scores)
