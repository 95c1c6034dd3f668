"""No game is known to the interpreter: with every name in its rules file replaced, a game is played the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dsl.boards.grids import COMPASS, SIX_WAYS, TWO_WAYS, Grid
from dsl.checker.names.declarations import PREDECLARED, TAKEN
from dsl.checker.names.functions import FUNCTIONS
from interpreter.analysis.playouts import playouts
from interpreter.play.game import load, seat_game
from tests.support.library import representative
from tests.support.long_run import one_in
from tests.test_project import keywords

GAMES = Path(__file__).parents[2] / "games"
NAMES = representative()
OF_THE_LANGUAGE = """
components phases scoring examples it Truth Player heap row stack one grid hexes hexagon plane track ring
beside around directions round family designer minutes
"""
OWN = {*OF_THE_LANGUAGE.split(), *PREDECLARED, *FUNCTIONS, *TAKEN}
PLACES = {*Grid("grid", 26, 19).names, *Grid.of("plane", 31).names}
OF_GRIDS = {*COMPASS, *SIX_WAYS, *TWO_WAYS, "column", "row", "columns", "rows", "opposite", *PLACES}
PART = re.compile(r'"[^"\n]*"|#[^\n]*|\[[A-Z]+-[^\]\n]*\]|[A-Za-z_]\w*|[^"#\[A-Za-z_]+|\[')


def words_of(data: object) -> set[str]:
    """Every key and text of a board file: these names are its own."""
    if isinstance(data, dict):
        return set(data) | {word for value in data.values() for word in words_of(value)}
    if isinstance(data, list):
        return {word for value in data for word in words_of(value)}
    return {data} if isinstance(data, str) else set()


def renamed(text: str, kept: set[str]) -> str:
    """The rules with another name for everything; the order of names by letters stays."""

    def code(part: str) -> str:
        return part if part in kept else f"{'Q' if part[0].isupper() else 'q'}{part}"

    def replace(found: re.Match[str]) -> str:
        part = found.group()
        if part.startswith('"'):
            return re.sub(r"\{([^}]*)\}", lambda inner: "{" + PART.sub(replace, inner.group(1)) + "}", part)
        return code(part) if re.fullmatch(r"[A-Za-z_]\w*", part) else part

    return PART.sub(replace, text)


@pytest.mark.parametrize("name", one_in(4, NAMES, 1))
def test_a_game_with_other_names_is_the_same_game(name: str, tmp_path: Path, long_run: bool) -> None:
    text = (GAMES / f"{name}.rules").read_text("utf-8")
    kept = OWN | keywords()
    if re.search(r"^type \w+ from (grid|hexes|hexagon|plane|track|ring)\(", text, re.MULTILINE):
        kept |= OF_GRIDS
    for path in re.findall(r'^board "([^"]*)"', text, re.MULTILINE):
        board = (GAMES / path).read_text("utf-8")
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(board, "utf-8")
        kept |= words_of(json.loads(board))
    other = tmp_path / "other.rules"
    other.write_text(renamed(text, kept), "utf-8")
    assert other.read_text("utf-8") != text
    rules, games = load(other).rules, 5 if long_run else 2
    for players in (rules.model.file.header.fewest, rules.model.file.header.most):
        one, two = load(name, players), seat_game(rules, players, None)
        for played, again in zip(playouts(one, games), playouts(two, games), strict=True):
            assert list(played.scores.values()) == list(again.scores.values())
            assert (played.decisions, played.choices) == (again.decisions, again.choices)
