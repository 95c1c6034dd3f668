"""The grammar: no collisions, every rule built, every keyword known."""

from __future__ import annotations

import re

from dsl.syntax import terminals
from dsl.syntax.build_declarations import DECLARATION_RULES
from dsl.syntax.build_files import FILE_RULES, RULES
from dsl.syntax.build_nodes import NODE_RULES
from dsl.syntax.parser import tables
from dsl.syntax.preparing import GRAMMAR, STARTS
from dsl.syntax.terminals import first
from dsl.variants.selectors import SINGLE, TITLED


def test_every_rule_of_the_grammar_is_built() -> None:
    made = {name for _, _, name, is_replaced, *_ in tables().rules if not is_replaced and not name.startswith("_")}
    assert made - {"rest", "changes"} == set(RULES)


def test_a_rule_of_the_grammar_is_built_in_one_way() -> None:
    assert len(RULES) == sum(map(len, (NODE_RULES, DECLARATION_RULES, FILE_RULES)))


def test_no_name_can_be_a_word_of_the_language() -> None:
    refused = re.search(r"NAME: /\(\?!\(\?:([a-z|]+)\)", GRAMMAR.read_text("utf-8"))
    assert refused
    assert set(refused.group(1).split("|")) == terminals.keywords()


def test_every_terminal_has_a_name_for_people() -> None:
    for terminal in tables().terminals:
        spelling = terminals.spellings()[terminal]
        assert not re.search(r"[\\_]|\[ |[A-Z]", spelling), terminal


def test_what_lines_begin_with_follows_from_the_grammar() -> None:
    assert set(terminals.declaration_starts()) == {
        "game", "examples of", "variant", "board", "type", "piece", "zone", "note", "option", "die", "position",
        "table", "names", "define", "action", "step", "phase", "when", "winner", "example", "by players", "teams by",
    }  # fmt: skip
    assert set(terminals.line_starts()) == {
        "move", "set", "add", "remove", "shuffle", "roll", "choose", "record", "let", "must", "may", "if", "else",
        "for each", "each player", "up to", "end game", "tell", "require", "given", "when", "then", "and", "replace",
    }  # fmt: skip
    assert terminals.one_line_declarations() == {
        "board",
        "piece",
        "zone",
        "note",
        "die",
        "position",
        "winner",
        "teams by",
    }
    assert {"seen by", "turns from", "over when", "at bottom", "on board"} < set(terminals.phrases())


def test_the_kinds_that_variants_name_are_those_of_the_grammar() -> None:
    declared = set(map(terminals.keyword, first("declaration")))
    titled, named = (set(map(terminals.keyword, first(rule))) for rule in ("titled", "kind"))
    assert titled == TITLED
    only_added = {"names"}
    assert declared - titled - named - only_added == SINGLE - {"game", "setup"}


def test_the_starts_are_explained_in_the_grammar() -> None:
    head = GRAMMAR.read_text("utf-8").split("start:")[0]
    assert all(f"`{start}`" in head for start in STARTS)
