"""The hardest rules of four games, and three small games whole, are sentences of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest
from lark.indenter import Indenter

import dsl

HERE = Path(__file__).parent
RULES = sorted((HERE / "hard").glob("*.rules"))
PARTS = ["components", "setup", "phases", "scoring", "examples"]


class Blocks(Indenter):
    NL_type, INDENT_type, DEDENT_type, tab_len = "_NL", "_INDENT", "_DEDENT", 4  # type: ignore[assignment]
    OPEN_PAREN_types, CLOSE_PAREN_types = ["LPAR", "LSQB", "LBRACE"], ["RPAR", "RSQB", "RBRACE"]  # type: ignore[assignment]


@pytest.fixture(scope="module")
def grammar() -> lark.Lark:
    text = (Path(dsl.__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    return lark.Lark(text, parser="lalr", postlex=Blocks(), propagate_positions=True, maybe_placeholders=True)


def test_the_games_are_there() -> None:
    names = {path.stem for path in RULES}
    assert names >= {"china", "mauerbauer", "dschingis_khan", "go_fish", "kuhn_poker", "tic_tac_toe"}


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_parses(path: Path, grammar: lark.Lark) -> None:
    assert list(grammar.parse(path.read_text(encoding="utf-8") + "\n").find_data("example"))


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_parts_come_in_their_order(path: Path) -> None:
    found = re.findall(r"^== (\w+) ==$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert found == [part for part in PARTS if part in found]


def places(table: str) -> Iterator[tuple[str, str]]:
    """The places `china: pay` named between backquotes in docs/constructs.md."""
    for game, rules in re.findall(r"`(china|mauerbauer|dschingis_khan|go_fish|kuhn_poker|tic_tac_toe): ([^`]+)`", table):
        for rule in rules.split(", "):
            yield game, rule


def test_the_table_of_constructs_names_rules_that_are_there() -> None:
    table = (HERE.parent.parent / "docs" / "constructs.md").read_text(encoding="utf-8")
    texts = {path.stem: path.read_text(encoding="utf-8") for path in RULES}
    found = list(places(table))
    assert len(found) > 40
    for game, rule in found:
        declared = rf"^(step|action|define|when|phase|zone|note|type|piece|die|option|by players|winner|    )[^\n]*\b{re.escape(rule)}\b"
        assert re.search(declared, texts[game], flags=re.MULTILINE), f"{game} has no {rule}"
