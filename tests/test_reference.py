"""The reference in `docs/reference`: it describes every construct, its examples run, and what is generated is current.

After a change of the grammar, the messages or the games: `REGELWERK_UPDATE=1 pytest tests/test_reference.py`.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import fields
from pathlib import Path

import pytest

from dsl import catalogue
from dsl.ast.base import NODES
from interpreter.analysis.random_choices import random_move
from interpreter.authoring.examples.suite import run_checked
from interpreter.loading.rules import load_rules
from interpreter.play.game import load
from tests.support import reference
from tests.support.reference import FOLDER
from tests.support.reference_pages import FIRST, GROUPS, PAGES, Page

UPDATE = bool(os.environ.get("REGELWERK_UPDATE"))
INDEX = FOLDER / "README.md"
WITHOUT_EXAMPLE = {
    "files/limits.md",
    "files/variants.md",
    "files/translations.md",
    "types/boards.md",
    "rules/idioms.md",
}
"""Pages about files beside a game, or about no construct at all."""
JSON = re.compile(r"^```json\n(.*?)^```", re.DOTALL | re.MULTILINE)


def written(page: Page) -> str:
    return (FOLDER / page.path).read_text("utf-8")


def test_every_construct_has_its_page() -> None:
    pages = [name for page in PAGES for name in reference.described(page)]
    features = {f"{class_.__name__}.{field.name}" for class_ in NODES for field in fields(class_)}
    assert reference.constructs() - set(pages) == set()
    assert set(pages) - reference.constructs() - features == set()


def test_every_form_of_the_grammar_is_on_a_page() -> None:
    assert reference.written_rules() - {rule for page in PAGES for rule in page.rules} == set()


def test_every_keyword_is_in_the_index() -> None:
    index = set(re.findall(r"^\| `([^`]+)` \|", INDEX.read_text("utf-8"), re.MULTILINE))
    assert reference.keywords() - index == set()


def test_every_code_is_on_a_page() -> None:
    assert sorted({code for page in PAGES for code in page.codes}) == catalogue.codes()


def test_pages_are_those_of_the_table() -> None:
    files = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md")} - {INDEX.name}
    assert files == {page.path for page in PAGES}
    assert {page.group for page in PAGES} == GROUPS.keys()
    assert {page.path for page in PAGES} >= set(FIRST)
    for page in PAGES:
        assert written(page).startswith(f"# {page.title}\n"), page.path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_what_is_generated_is_current(page: Page) -> None:
    text = written(page)
    current = reference.renewed(page, text)
    if UPDATE:
        (FOLDER / page.path).write_text(current, "utf-8")
        text = current
    assert text == current
    blocks = {name for _, name, _, _ in reference.BLOCK.findall(text)}
    assert blocks == {name for name, generate in reference.GENERATED.items() if generate(page)}


def test_the_index_is_current() -> None:
    text = INDEX.read_text("utf-8")
    current = reference.renewed_index(text)
    if UPDATE:
        INDEX.write_text(current, "utf-8")
        text = current
    assert text == current


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_the_example_of_a_page_checks_passes_and_plays(page: Page, tmp_path: Path) -> None:
    rules_text = reference.example(written(page))
    if rules_text is None:
        assert page.path in WITHOUT_EXAMPLE
        return
    beside = (FOLDER / page.path).with_suffix("")
    if beside.exists():  # a game with a board: its files, which the page shows
        shutil.copytree(beside, tmp_path, dirs_exist_ok=True)
        assert JSON.findall(written(page)) == [file.read_text("utf-8") for file in beside.glob("*.json")]
        (path,) = tmp_path.glob("*.rules")
        assert rules_text == path.read_text("utf-8")
    else:
        path = tmp_path / "example.rules"
        path.write_text(rules_text, "utf-8")
    rules = load_rules(path, examples=True)
    assert [finding.draw() for finding in rules.warnings] == []
    results = run_checked(rules)
    assert results and [result for result in results if not result.passed] == []
    header = rules.model.file.header
    for players in {header.fewest, header.most}:
        state = load(path, players).start(players)
        while not state.over:
            state.push(random_move(state))
