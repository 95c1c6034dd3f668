"""Threads that share a game: each has states of its own, and gets what it would get alone."""

from __future__ import annotations

import gc
import random
import sys
import weakref
from collections.abc import Iterator, Sized
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import pytest

from dsl.diagnostics import RegelwerkError
from interpreter.analysis.playouts import playouts
from interpreter.engine.program import Program
from interpreter.loading.rules import load_rules
from interpreter.opponents.evaluation import random_margins
from interpreter.play.game import Game, State, load

HYPOTHESES = str(Path(__file__).parent / "rules" / "hypotheses.rules")
THREADS = 6

QUESTIONS = {
    HYPOTHESES: ("stuck", "attacked(white) given carry(a1, a2)", "attacked(black) given carry(b1, b4)"),
    "chinesische_mauer": ("count hand[green]", "hand[red]", "open", "A is in open", "points(red)"),
    "go": ("count groups(stone of me, Line)", "area(me)", "count groups(Point - stone, Line)", "me"),
    "go_fish": ("count pond", "hand[ann]", "count hand[ben] - count hand[ann]", "first(hand[ben])"),
}
"""Games, with expressions that are evaluated about them; some of these have an error."""


@pytest.fixture
def switching_often() -> Iterator[None]:
    """Make threads take turns far more often than usual."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def answered(state: State, question: str, seat: str | None) -> object:
    """The value of an expression, or the words of its error."""
    try:
        return state.evaluate(question, seat)
    except RegelwerkError as error:
        return str(error)


def told_of(game: Game, seed: int, questions: tuple[str, ...]) -> list[object]:
    """What is said about a random game, at some of its first decisions: values, views, labels, logs, reasons."""
    state, rng, told = game.start(seed), random.Random(seed), list[object]()
    for number in range(12):
        if state.over:
            break
        moves = state.legal_moves
        if number % 3 == seed % 3:
            told += [answered(state, question, seat) for question in questions for seat in (None, game.seats[0])]
            move = rng.choice(moves)
            told += [move.label, move.notation, str(state.why(move.notation)), state.view(game.seats[-1])]
            told += [str(state.why(question)) for question in questions[:1]]
        state.push(rng.choice(moves))
    return [*told, [entry.text for entry in state.log(game.seats[0])], state.key()]


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.usefixtures("switching_often")
def test_threads_get_what_each_would_get_alone(name: str) -> None:
    """The program is compiled, and every cache filled, while all of them are at work."""
    alone, shared, questions = load(name), load(name), QUESTIONS[name]
    expected = [told_of(alone, seed, questions) for seed in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda seed: told_of(shared, seed, questions), range(THREADS))) == expected


@pytest.mark.usefixtures("switching_often")
def test_threads_may_ask_about_one_state_that_nobody_changes() -> None:
    state, questions = load("chinesische_mauer").start(7), QUESTIONS["chinesische_mauer"]
    asked = [(f"{question}{n % 2 * ' '}", seat) for n in range(12) for question in questions for seat in (None, "red")]
    alone = load("chinesische_mauer").start(7)
    expected = [answered(alone, *each) for each in asked]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda each: answered(state, *each), asked)) == expected


def sizes_of(program: Program) -> dict[str, int]:
    """How much is in the tables of a program that say what its rules mean."""
    parts = {"names": program.names, "nodes": program.nodes}
    for owner in (program.model, program.lowered, program.lowered.module, program.layout):
        parts |= {f"{type(owner).__name__}.{part.name}": getattr(owner, part.name) for part in fields(owner)}
    # Names are kept once they have been rendered.
    words = ("Layout.names", "Layout.words", "Layout._listed_names", "Layout._member_names")
    sizes = {name: len(part) for name, part in parts.items() if isinstance(part, Sized) and name not in words}
    return sizes | {"size": program.layout.size}


@pytest.mark.parametrize("name", QUESTIONS)
def test_asking_adds_nothing_to_the_program(name: str) -> None:
    game = load(name)
    before = sizes_of(game.program)
    told_of(game, 3, QUESTIONS[name])
    assert sizes_of(game.program) == before


@pytest.mark.parametrize("name", ["hearts", "othello"])
def test_a_program_is_gone_with_its_game(name, monkeypatch):
    """What views, queries, bots and random games keep about a program does not keep the program."""
    monkeypatch.setattr("interpreter.play.game.load_rules", load_rules)  # that of tests keeps the rules
    gc.freeze()  # what is there already need not be gone through
    game = load(name)
    state = game.start(1)
    seat = game.seats[0]
    state.view(None)
    state.view(seat)
    state.evaluate("me", seat)
    list(playouts(game, 2, backend="python"))
    random_margins(game.program)
    program = weakref.ref(game.program)
    del game, state
    gc.collect()
    assert program() is None
