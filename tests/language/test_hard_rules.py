"""The table of constructs names rules that are there; what the language page shows is in the language."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl import ast
from dsl.syntax import parse, parser, read_source
from dsl.text.span import Source

HERE = Path(__file__).parent
GAMES = {path.stem: path for path in sorted((HERE.parent.parent / "games").glob("*.rules")) if "." not in path.stem}
RULES = list(GAMES.values())
NAMES = [path.stem for path in RULES]
PARTS = ["components", "setup", "phases", "scoring", "examples"]


def tree(path: Path) -> ast.GameFile:
    source = read_source(path)
    assert isinstance(source, Source)
    file, diagnostics = parse(source)
    assert diagnostics == []
    assert isinstance(file, ast.GameFile)
    return file


def test_the_games_are_there() -> None:
    assert {"chinesische_mauer", "china", "mauerbauer", "dschingis_khan"} <= set(GAMES)
    assert {"go_fish", "kuhn_poker", "tic_tac_toe"} <= set(NAMES)


@pytest.mark.parametrize("path", RULES, ids=NAMES)
def test_parses_with_its_parts_in_order(path: Path) -> None:
    parts = [part.name for part in tree(path).parts]
    assert parts == [part for part in PARTS if part in parts]


@pytest.mark.parametrize("path", RULES, ids=NAMES)
def test_every_requirement_has_a_reason(path: Path) -> None:
    requires = [
        require
        for part in tree(path).parts
        for declaration in part.declarations
        if isinstance(declaration, ast.Action | ast.Step)
        for require in declaration.requires
    ]
    assert all(require.reason.value for require in requires)


def places(table: str) -> Iterator[tuple[str, str]]:
    """The places named in docs/constructs.md as `china: pay, price`."""
    for game, rules in re.findall(rf"`({'|'.join(NAMES)}): ([^`]+)`", table):
        for rule in rules.split(", "):
            yield game, rule


def declared(file: ast.GameFile) -> Iterator[str]:
    """The names of all declarations, of nested phases and of the rows of tables by players too."""
    waiting = [declaration for part in file.parts for declaration in part.declarations]
    waiting += file.options
    while waiting:
        declaration = waiting.pop()
        if isinstance(declaration, ast.ByPlayers):
            yield from (str(row.key) for row in declaration.rows)
        elif isinstance(declaration, ast.Phase):
            waiting += declaration.phases
        yield str(getattr(declaration, "name", ""))


def test_the_table_of_constructs_names_rules_that_are_there() -> None:
    table = (HERE.parent.parent / "docs" / "constructs.md").read_text(encoding="utf-8")
    names = {path.stem: set(declared(tree(path))) for path in RULES}
    found = list(places(table))
    assert len(found) > 40
    assert [f"{game} has no {rule}" for game, rule in found if rule not in names[game]] == []


DOCS = HERE.parent.parent / "docs"
PAGES = [DOCS / "cheatsheet.md", *sorted((DOCS / "reference").rglob("*.md"))]
BLOCKS = [
    (f"{path.stem} line {text[: match.start()].count(chr(10)) + 1}", match.group(1))
    for path in PAGES
    for text in [path.read_text(encoding="utf-8")]
    for match in re.finditer(r"^```rules\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize("text", [text for _, text in BLOCKS], ids=[place for place, _ in BLOCKS])
def test_every_block_of_the_reference_is_in_the_language(text: str) -> None:
    """A block is a whole file, or declarations and statements, or an expression a line."""
    for start in ("start", "rest"):
        with contextlib.suppress(parser.Unexpected):
            parser.tree(re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), start)
            return
    for line in text.splitlines():
        parser.expression_tree(line)


def squeezed(text: str) -> list[str]:
    """The lines that say something, without comments, all blanks as one."""
    return [" ".join(line.split()) for line in re.sub(r" *#.*", "", text).splitlines() if line.strip()]


QUOTED = [
    (title, text)
    for _, block in BLOCKS
    for title, text in re.findall(r"^# ([A-Z][^,:.\n]*)\n(.*?)(?=^# |\Z)", block, flags=re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize(("title", "text"), QUOTED, ids=[title for title, _ in QUOTED])
def test_what_is_quoted_from_a_game_stands_there(title: str, text: str) -> None:
    name = re.sub(r"[^a-z]+", "_", title.casefold().replace("'", ""))
    lines = set(squeezed(GAMES[name].read_text(encoding="utf-8")))
    assert [line for line in squeezed(text) if line not in lines] == []
