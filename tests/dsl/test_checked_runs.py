"""What passes the checks compiles and plays: changed files are refused, or run, and never make anything fail."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl import ast
from dsl.checker import check
from dsl.model import Model
from dsl.syntax import parse
from dsl.text.span import Source
from interpreter.authoring.examples.suite import run_examples
from interpreter.engine.build import build
from interpreter.errors import PlayError
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import POINT, RANDOM
from tests.support.project import ROOT

GAMES = [
    ROOT / "games" / "chinesische_mauer.rules",
    *sorted((ROOT / "tests" / "games" / "small").glob("*.rules")),
    ROOT / "games" / "go_fish.rules",
    ROOT / "tests" / "dsl" / "accepted" / "odd.rules",
]
TEXTS = [path.read_text("utf-8") for path in GAMES]
TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|\.\.|[^\s\w]')
KEYWORDS = set(re.findall(r"[a-z]+", re.findall(r"^NAME: .*", (ROOT / "dsl/grammar.lark").read_text("utf-8"), re.M)[0]))
ALIKE = [{"some", "no", "the", "count"}, {"highest", "lowest", "sum"}, {"must", "may"}, {"and", "or"}, set("+-*&")]
LONGEST = 300

Change = tuple[int, int, str]
changes = st.lists(
    st.tuples(
        st.integers(0, 9_999), st.integers(0, 9_999), st.sampled_from(["change", "change", "swap", "twice", "out"])
    ),
    min_size=1,
    max_size=3,
)


def sort_of(token: str) -> str:
    for number, group in enumerate(ALIKE):
        if token in group:
            return str(number)
    if token in KEYWORDS:
        return token
    return "name" if token[0].isalpha() else "number" if token[0].isdigit() else token[0]


def changed(text: str, first: int, second: int, how: str) -> str:
    """The text with one token changed for another of its sort, two of one sort swapped, one doubled or left out."""
    tokens = [match.span() for match in TOKEN.finditer(text)]
    a, b = tokens[first % len(tokens)]
    word = text[a:b]
    alike = [span for span in tokens if sort_of(text[slice(*span)]) == sort_of(word)]
    c, d = alike[second % len(alike)]
    other = text[c:d]
    if how == "change":
        return text[:a] + other + text[b:]
    if how == "twice":
        return text[:b] + " " + word + text[b:]
    if how == "out":
        return text[:a] + text[b:]
    (a, b), (c, d) = sorted([(a, b), (c, d)])
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:] if b <= c else text


def model_of(text: str) -> Model | None:
    tree, _ = parse(Source("x.rules", text))
    if not isinstance(tree, ast.GameFile):
        return None
    model, found = check(tree)
    assert all(finding.draw() for finding in found)
    assert (model is None) == any(finding.severity == "error" for finding in found)
    return model


def play(model: Model, seed: int) -> None:
    """Three random games for every number of players; only the faults that a game can have may come."""
    header, rng = model.file.header, random.Random(seed)
    for count in header.counts:
        options = {option.name: rng.choice(option.values) for option in model.options.values()}
        try:
            program = build(model, header.seats[:count], options)
            for _ in range(3):
                cells = list(program.initial)
                cells[RANDOM] = seeded(rng.getrandbits(32))
                program.run(cells, None, 0)
                for _ in range(LONGEST):
                    if cells[POINT] < 0:
                        break
                    program.do(cells, None, rng.choice(program.legal(cells)))
                for seat in range(count):
                    program.criteria(cells, seat)
        except PlayError as fault:
            assert fault.location


@given(st.integers(0, len(TEXTS) - 1), changes, st.integers(0, 999))
def test_a_changed_game_is_refused_or_runs(game: int, made: list[Change], seed: int) -> None:
    text = TEXTS[game]
    for change in made:
        text = changed(text, *change)
    model = model_of(text)
    if model is not None:
        play(model, seed)


def test_the_examples_of_the_odd_game_hold() -> None:
    assert [failure for result in run_examples(GAMES[-1]) for failure in result.failures] == []


@pytest.mark.parametrize("text", TEXTS, ids=[path.stem for path in GAMES])
def test_the_games_themselves_run(text: str) -> None:
    model = model_of(text)
    assert model is not None
    play(model, 1)
