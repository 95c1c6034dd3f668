"""Whatever the text is: a tree or diagnostics, never an exception, and in reasonable time."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.diagnostics import Diagnostic
from dsl.syntax import parse, parse_expression
from dsl.syntax.prescan import source_of
from dsl.text.span import Source
from tests.support.project import ROOT

GAME = (ROOT / "games" / "chinesische_mauer.rules").read_text("utf-8")
HEAD = 'game "X" for 2 players red, blue\n== setup ==\n'
PIECES = [
    "(", ")", "[", "]", "{", "}", '"', "#", "==", "== setup ==", "\n", "\n    ", "\n\t", "\n        ", "\r\n", "\r",
    ":", ",", "..", ".", "->", "=", "<", "+", "-", "*", "&", "!", "é", "\0", "\f", "\u2028", "x", "y", "1", "[CM-1]",
    ' "a {b}"', "and", "or", "not", "is", "if", "else", "for each", "in", "to", "of", "move", "zone", "holds", "define",
    "action", "require", "because", "count", "the", "where", "must", "may", "example", "given", "when", "then", "game",
    "phase",
]  # fmt: skip


def checked(text: str) -> list[Diagnostic]:
    source = Source("x", text)
    tree, diagnostics = parse(source)
    assert (tree is None) == bool(diagnostics)
    assert diagnostics == sorted(diagnostics, key=lambda found: found.span.start)
    for found in diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(text)
        assert len(found.draw()) < 5_000
    return diagnostics


@given(st.text())
def test_any_text(text: str) -> None:
    checked(text)


@given(st.text())
def test_any_text_in_a_game(text: str) -> None:
    checked(HEAD + text)


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    source = source_of(data, "x")
    if isinstance(source, Source):
        checked(source.text)
    else:
        assert source.draw()


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " "])), max_size=60))
def test_any_words(pieces: list[tuple[str, str]]) -> None:
    checked(HEAD + "".join(word + blank for word, blank in pieces))


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " "])), max_size=12))
def test_any_expression(pieces: list[tuple[str, str]]) -> None:
    text = "".join(word + blank for word, blank in pieces)
    source = Source("x", f"{{{text}}}")
    tree, diagnostics = parse_expression(source, 1, len(text) + 1)
    assert (tree is None) == bool(diagnostics)
    for found in diagnostics:
        assert 1 <= found.span.start <= found.span.end <= len(text) + 2
        assert found.draw()


@given(st.lists(st.tuples(st.integers(0, len(GAME)), st.integers(0, 12), st.sampled_from(["", *PIECES])), max_size=4))
def test_a_game_with_changes(changes: list[tuple[int, int, str]]) -> None:
    text = GAME
    for place, length, word in changes:
        text = text[:place] + word + text[place + length :]
    checked(text)


def test_a_game_cut_off_anywhere(long_run: bool) -> None:
    places = range(len(GAME) + 1)
    for place in places if long_run else random.Random(7).sample(places, 250):
        checked(GAME[:place])


def test_a_game_without_one_of_its_lines(long_run: bool) -> None:
    lines = GAME.split("\n")
    for place in range(0, len(lines), 1 if long_run else 5):
        checked("\n".join(lines[:place] + lines[place + 1 :]))


@pytest.mark.parametrize(
    "text",
    [
        "set a to " + "(" * 5_000,
        "set a to " + "[" * 5_000 + "]" * 5_000,
        "set a to " + "{b + (" * 2_000,
        "set a to b" + " + b" * 5_000,
        "set a to b" + " - (b" * 2_000 + ")" * 2_000,
        "set a to b" + "[b" * 2_000 + "]" * 2_000,
        "set a to b" + "[b]" * 5_000,
        "set a to b" + ".b" * 5_000,
        "if " + "not " * 5_000 + "a: go",
        "if a" + " or a" * 5_000 + ": go",
        "set a to " + "-" * 5_000 + "b",
        "for each a in b: " * 2_000 + "go",
        "".join(" " * depth + "if a:\n" for depth in range(500)) + " " * 500 + "go",
        "if a: go\n" + "else if a: go\n" * 2_000,
        'set a to "' + "{" * 5_000 + '"',
        'set a to "{' + "(" * 5_000 + '}"',
        'set a to "{a' + " + a" * 5_000 + '}"',
    ],
    ids=lambda text: text[:20],
)
def test_what_is_nested_too_deeply(text: str) -> None:
    (found,) = checked(f"{HEAD}{text}\n")
    assert found.code in ("E0117", "E0109", "E0118", "E0106")


def test_brackets_around_one_thing_are_not_deep() -> None:
    assert checked(f"{HEAD}set a to {'(' * 5_000}b{')' * 5_000}\n") == []


def test_what_people_write_is_not_too_deep() -> None:
    assert checked(f"{HEAD}set a to b{' + b' * 80}\n") == []
    assert checked(HEAD + "if a: go\n" + "else if a: go\n" * 40) == []
    assert checked(HEAD + "".join("    " * depth + "if a:\n" for depth in range(40)) + "    " * 40 + "go\n") == []


@pytest.mark.parametrize(
    "text",
    [
        bytes(random.Random(1).choices(range(32, 127), k=100_000)).decode("ascii"),
        HEAD + "foo bar\n" * 13_000,
        HEAD + "foo\n" * 6_000 + "foo bar\n" + "foo\n" * 6_000,
        HEAD + "(\n" * 33_000,
        HEAD + "foo (\n" * 16_000,
        "=" * 100_000,
        HEAD + "foo == " * 13_000,
        '"' * 100_000,
        "\n" * 100_000,
        "a" * 100_000,
        HEAD + "a " * 33_000,
        HEAD + "== setup ==\n" * 6_000,
        HEAD + 'set a to "' + "{a}" * 3_000 + '"\n',
        HEAD + "foo [" + "CM-1 " * 16_000 + "]\n",
        HEAD + "if a:\n        b\n    c\n" * 3_000,
        HEAD + "set a to " + "b" * 100_000 + " c\n",
        HEAD + "set a to b" + " " * 100_000 + "c\n",
        HEAD + "set a to b / " + "c" * 100_000 + "\n",
        HEAD + "set a to b / c" + " " * 100_000 + "d\n",
        HEAD + "set a to " + "b / " * 25_000 + "c\n",
        HEAD + "set a to " + "b // " * 20_000 + "c\n",
        HEAD + "set a to " + "half of " * 13_000 + "c\n",
        HEAD + "set a to floor(" + "b " * 50_000 + ")\n",
        HEAD + "set a to " + "max(b, " * 13_000 + "\n",
        HEAD + "set a to " + "b[c" * 33_000 + "\n",
        HEAD + "must choose " + "2 " * 50_000 + "\n",
        HEAD + "must choose at least " + "b" * 100_000 + "\n",
        HEAD + "== scoring ==\nwinner " + "b " * 50_000 + "\n",
        HEAD + "== scoring ==\nwinner " + "b" * 100_000 + "!\n",
    ],
    ids=[str(number) for number in range(29)],
)
def test_noise_is_read_in_time(text: str) -> None:
    started = time.process_time()
    assert len(checked(text)) <= 25
    assert time.process_time() - started < 2.5
