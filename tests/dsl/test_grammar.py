"""The grammar: no collisions, every rule built, every keyword known."""

from __future__ import annotations

import re

from dsl.syntax import terminals
from dsl.syntax.grammar_rules import RULES
from dsl.syntax.parser_cache import GRAMMAR, STARTS, build, machine


def test_terminals_do_not_collide() -> None:
    build(strict=True)


def test_every_rule_of_the_grammar_is_built() -> None:
    made = {str(rule.alias or rule.origin.name) for rule in machine().rules if not rule.options.expand1 or rule.alias}
    made = {name for name in made if not name.startswith("_")}
    assert made - {"rest", "changes"} == set(RULES)


def test_no_name_can_be_a_word_of_the_language() -> None:
    refused = re.search(r"NAME: /\(\?!\(\?:([a-z|]+)\)", GRAMMAR.read_text("utf-8"))
    assert refused
    assert set(refused.group(1).split("|")) == terminals.keywords()


def test_every_terminal_has_a_name_for_people() -> None:
    for terminal in machine().terminals:
        spelling = terminals.spellings()[terminal.name]
        assert not re.search(r"[\\_]|\[ |[A-Z]", spelling), terminal.name


def test_the_words_lines_begin_with_are_words_of_the_language() -> None:
    known = {terminals.keyword(terminal.name) for terminal in machine().terminals}
    for word in (*terminals.OPENERS, *terminals.VERBS):
        assert word in known or all(part in known for part in word.split()), word


def test_the_starts_are_explained_in_the_grammar() -> None:
    head = GRAMMAR.read_text("utf-8").split("start:")[0]
    assert all(f"`{start}`" in head for start in STARTS)
