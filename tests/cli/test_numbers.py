"""Numbers that people type and files hold: huge, or written with signs that only look like digits."""

import re
from itertools import product

import pytest
import typer

from cli.arguments import read_players
from cli.main import app
from cli.verbs import VERBS
from dsl import ast
from dsl.checker import check
from dsl.syntax import parse
from dsl.text.numbers import is_number, whole_number
from dsl.text.span import Source
from interpreter.play.game import load
from interpreter.play.trace.origins import why as ask
from interpreter.runtime.chance import MAX_SEED
from tests.cli.conftest import PEBBLES
from tests.support.project import ROOT

LONG = "9" * 5000
ODD = ("²", "٣", "\uff13", "--3", "+-3", "-", "+", "1_000", "0x10", "1e9", "1.0", "", " ", "\u200b3", LONG, f"-{LONG}")


@pytest.mark.parametrize("text", ODD)
def test_what_is_no_number(text):
    assert whole_number(text) is None


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), (" 12 ", 12), ("-3", -3), ("+4", 4), ("0" * 5000 + "7", 7), ("9" * 18, 10**18 - 1)]
)
def test_what_is_one(text, number):
    assert whole_number(text) == number
    assert is_number(text)


def test_a_long_one_is_still_written_like_a_number():
    assert is_number(LONG) and not is_number("²")


@pytest.mark.parametrize("text", ODD)
def test_players(run, text):
    result = run("play", PEBBLES, "--players", text)
    assert result.exit_code == 2
    assert len(result.output) < 400 or text != LONG
    assert read_players("3") == 3


FLAGS = (
    ("simulate", PEBBLES, "-n", "{}"),
    ("simulate", PEBBLES, "-n", "1", "--seed", "{}"),
    ("simulate", PEBBLES, "-n", "1", "--jobs", "{}"),
    ("arena", PEBBLES, "random", "random", "-n", "{}"),
    ("arena", PEBBLES, "random", "random", "-n", "1", "--seed", "{}"),
    ("arena", PEBBLES, "random", "random", "-n", "1", "--jobs", "{}"),
    ("perft", PEBBLES, "--depth", "{}"),
    ("perft", PEBBLES, "--depth", "1", "--seed", "{}"),
    ("play", PEBBLES, "--seat", "all=random", "--seed", "{}"),
    ("diff", PEBBLES, PEBBLES, "--games", "{}"),
    ("diff", PEBBLES, PEBBLES, "--players", "{}"),
    ("diff", PEBBLES, PEBBLES, "--games", "1", "--seed", "{}"),
    ("test", PEBBLES, "--coverage", "--playouts", "{}"),
    ("test", PEBBLES, "--coverage", "--jobs", "{}"),
    ("test", PEBBLES, "--coverage", "--playouts", "1", "--seed", "{}"),
    ("play", PEBBLES, "--option", "turns={}"),
)


@pytest.mark.parametrize("words", FLAGS, ids=lambda words: f"{words[0]} {words[-2]}")
@pytest.mark.parametrize("text", ["²", LONG, "9" * 4000, "9" * 25])
def test_flags(run, words, text):
    result = run(*(word.format(text) for word in words))
    assert result.exit_code in (1, 2)
    assert "bug in Regelwerk" not in result.output


WRONG_NUMBER = r"error: (invalid value for .*: expected a (whole )?number\nsee: |--time must be above 0)"


@pytest.mark.parametrize("verb", VERBS)
def test_every_flag_that_takes_a_number_says_so(run, verb):
    """In our words, not in those of a library, for whole numbers and others."""
    command = typer.main.get_command(app).get_command(None, verb)
    flags = [flag for flag in command.params if command.types.get(flag.name) in (int, int | None, float)]
    for flag, word in product(flags, ("x", "1.5x", LONG, "")):
        result = run(verb, *("1" for part in command.params if part.required), flag.opts[0], word)
        assert result.exit_code == 2
        assert re.match(WRONG_NUMBER, result.output)


SEEDED = (
    ("simulate", PEBBLES, "-n", "2"),
    ("explore", PEBBLES, "--decisions", "20", "-j", "1"),
    ("mutate", PEBBLES, "-n", "2", "-j", "1"),
    ("compare", PEBBLES, PEBBLES, "-n", "2"),
    ("sweep", PEBBLES, "-o", "turns=few,many", "-n", "2"),
    ("arena", PEBBLES, "random", "random", "-n", "4"),
    ("diff", PEBBLES, PEBBLES, "-n", "4"),
)


@pytest.mark.parametrize("words", SEEDED, ids=lambda words: words[0])
def test_seeds_that_no_game_can_have(run, words):
    """Not even the last game of a run, whose seed is counted up from that of the first."""
    for seed in (MAX_SEED - 1, MAX_SEED, -MAX_SEED):
        result = run(*words, "--seed", seed)
        assert result.exit_code == 2 and "a seed must be" in result.output, result.output


@pytest.mark.parametrize(
    "question", ["throw(--3)", "pick(²)", f"pick({LONG})", LONG, f"-{LONG}", f"points(red) + {LONG}", "²"]
)
def test_questions(run, running, question):
    result = run("why", running, "--", question)
    assert result.exit_code in (0, 1, 2)
    assert "bug in Regelwerk" not in result.output


@pytest.mark.parametrize("name", ["pig", "nim", "go_fish"])
def test_every_number_of_a_game(name):
    """Each one replaced by one with 5 000 digits: refused or taken, and never converted."""
    text = (ROOT / "games" / f"{name}.rules").read_text("utf-8")
    spots = [found.span() for found in re.finditer(r"\b\d+\b", text)]
    for start, end in spots[:12]:
        tree, found = parse(Source("x.rules", text[:start] + LONG + text[end:]))
        if isinstance(tree, ast.GameFile):
            found = check(tree)[1]
        assert all(finding.draw() for finding in found)


@pytest.mark.parametrize("flag", ["why", "trace"])
def test_decisions(run, running, flag):
    words = [flag, running, *(["1"] if flag == "why" else ["--plain"])]
    for text in (LONG, "9" * 4000, "²"):
        result = run(*words, "--at", text)
        assert result.exit_code in (0, 2)
        assert "bug in Regelwerk" not in result.output


def test_every_word_of_the_prompt(run):
    typed = [
        f"{word} {text}" for word in ("why", "log", "save", "view", "trace", "?", "") for text in ODD if text.strip()
    ]
    result = run("play", PEBBLES, typed=[*typed, "quit"])
    assert result.exit_code == 0
    assert result.output.count("> ") >= len(typed)


@pytest.mark.parametrize("text", ["--3", "²", LONG, f"-{LONG}", "-1", "4096", "99999", "{-1}", "{99999999999}", "[3]"])
def test_arguments_of_moves(text):
    for name in ("nim", "go_fish", "hex"):
        state = load(name).start(1)
        move = state.legal_moves[0].notation
        head = move.partition("(")[0]
        for question in (f"{head}({text})", f"{head}(1, {text})", f"{head}({text}, {text})", f"choose({text})", text):
            for seat in (None, *state.game.seats):
                assert ask(state, question, seat).legal in (False, None)
