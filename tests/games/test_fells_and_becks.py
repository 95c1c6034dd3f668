"""Fells and becks with its variants: random games are those of a model in plain Python, move by move."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter.loading.rules import load_rules
from tests.games.fells_and_becks_properties import NARROW, play
from tests.games.reference_fells_and_becks import WARDENS

GAMES = Path(__file__).parents[2] / "games"
VARIANTS = {"": {}, "steepsided": {"highest": NARROW}, "neighbourly": {"full_shares": True}}


@pytest.mark.parametrize("players", WARDENS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_games_are_those_of_the_model(variant: str, players: int, long_run: bool) -> None:
    variants = [GAMES / "variants" / f"{variant}.rules"] if variant else []
    rules = load_rules(GAMES / "fells_and_becks.rules", variants=variants)
    seen: Counter[str] = Counter()
    for seed in range(60 if long_run else 1):
        seen += play(rules, players, seed, **VARIANTS[variant])
    assert seen.keys() >= {"post", "done", "returned"}
    assert variant != "steepsided" or seen["aside"]
