"""The cookbook: every recipe is a small game that checks, is laid out, passes its examples and plays to the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.analysis.random_choices import random_move
from interpreter.play.game import load

PAGE = Path(__file__).parents[2] / "docs" / "cookbook.md"
RECIPES = re.findall(r"^## (.+?)$(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"```rules\n(.*?)```", re.DOTALL)
GAMES_FOR_EACH_NUMBER_OF_PLAYERS = 3


@pytest.fixture(scope="module")
def recipes(tmp_path_factory):
    """The files of all recipes in one folder, in the order of the page."""
    folder = tmp_path_factory.mktemp("cookbook")
    paths = [folder / f"recipe_{number:02}.rules" for number in range(1, len(RECIPES) + 1)]
    for path, (_, text) in zip(paths, RECIPES, strict=True):
        path.write_text("\n".join(BLOCK.findall(text)), "utf-8")
    return paths


def test_there_are_thirty_small_games():
    assert len(RECIPES) >= 30
    for heading, text in RECIPES:
        (block,) = BLOCK.findall(text)
        lines = [line for line in block.splitlines() if line]
        assert 10 <= len(lines) <= 30, f"{heading}: {len(lines)} lines"
        assert max(map(len, lines)) <= 120, heading


def test_all_recipes_are_named_above_and_linked_games_exist():
    page = PAGE.read_text("utf-8")
    contents = page.partition("\n## ")[0]
    assert re.findall(r"\[([^]]+)\]\(#", contents) == [heading for heading, _ in RECIPES]
    for link in re.findall(r"\]\((\.\./games[^)]*)\)", page):
        assert (PAGE.parent / link).exists(), link


def test_recipes_check_without_warnings_and_are_laid_out(run, recipes):
    assert run("check", *recipes).output.split() == f"no problems in {len(recipes)} files".split()
    layout = run("fmt", "--diff", *recipes)
    assert layout.exit_code == 0 and "@@" not in layout.output, layout.output


def test_examples_of_recipes_pass(run, recipes):
    with_examples = [path for path in recipes if "\nexample " in path.read_text("utf-8")]
    tested = run("test", *with_examples)
    assert tested.exit_code == 0, tested.output


@pytest.mark.parametrize("number", range(len(RECIPES)), ids=[heading for heading, _ in RECIPES])
def test_recipe_plays_to_the_end(recipes, number):
    header = load(recipes[number]).rules.model.file.header
    for players in {header.fewest, header.most}:
        game = load(recipes[number], players)
        for seed in range(GAMES_FOR_EACH_NUMBER_OF_PLAYERS):
            state = game.start(seed)
            while not state.over:
                state.push(random_move(state))
