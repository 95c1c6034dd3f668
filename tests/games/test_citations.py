"""Every item of a rulebook is cited by an example, and nothing is cited that is no item."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.citations import CASE, citations, items

FOLDER = Path(__file__).parent.parent.parent / "games"
GAMES = [path.with_suffix(".rules") for path in sorted(FOLDER.glob("*.items"))]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)


def test_the_games_are_there() -> None:
    assert "chinesische_mauer" in [game.stem for game in GAMES]


@every_game
def test_each_item_occurs_once_with_its_text(game: Path) -> None:
    ids = items(game)
    assert len(set(ids)) == len(ids)
    assert {item.split("-")[0] for item in ids} == {ids[0].split("-")[0]}
    lines = game.with_suffix(".items").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.strip() and not line.startswith("#") and len(line.split()) < 4] == []


@every_game
def test_nothing_unknown_is_cited(game: Path) -> None:
    assert citations(game).unknown == []


@every_game
def test_every_item_has_an_example(game: Path) -> None:
    found = citations(game)
    assert any(CASE.fullmatch(item) for item in found.items)
    assert found.without_example == []


@every_game
def test_every_item_that_is_a_rule_is_cited_by_the_rules(game: Path) -> None:
    assert citations(game).without_rule == []
