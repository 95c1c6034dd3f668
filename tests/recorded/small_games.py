"""The small games that are recorded beside the shipped ones: many of them fail in play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from regelwerk import RulesError
from tests.recorded.tables import Table, chosen_options, loaded
from tests.support.project import ROOT

SMALL = "small_games"
FOLDERS = ("tests/recorded/rules", "tests/interpreter/rules", "tests/games/small")
GAMES = 5
"""How many games are recorded at each table."""


def small_tables() -> Iterator[Table]:
    """Each game with its fewest and its most players, twice: with the default options, and with others."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.rules")):
            yield from tables_of(path)


def tables_of(path: Path) -> Iterator[Table]:
    """The tables of one small game; none if `check` refuses it."""
    rules = path.relative_to(ROOT).as_posix()
    try:
        game = loaded(rules, None)
    except RulesError:
        return
    decks: dict[str, list[str]] = {}
    for number, players in enumerate((game.fewest, game.most, game.fewest, game.most)):
        options = {} if number < 2 else chosen_options(rules, (), players, number, decks)
        yield Table(rules, players, options, tape=number in (1, 2), looks=2)
