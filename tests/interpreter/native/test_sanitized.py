"""Nothing makes machine code read or write where it must not: games under the sanitizers of the compiler.

Each program is compiled with the checks of addresses and of undefined behaviour into an executable of its own, which
ends in an error at the first violation.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from interpreter import Game, PlayError, RulesError, load
from interpreter.native.building import open_cache
from interpreter.native.cache import Cache
from interpreter.native.compiler import Compiler, find_compiler
from interpreter.native.forms import NotInC
from interpreter.native.games import native_source, shape_of
from interpreter.native.step_cells import to_words
from interpreter.native.step_games import steps_of
from tests.interpreter.native.test_native_games import KINDS, NAMES, table_of
from tests.recorded.tables import SHORT_SITTINGS, SITTING, game_at

MAIN = """
#include <stdio.h>
int main(void) {{
    int64_t *numbers = calloc({games} * {numbers}, sizeof(int64_t)), *n = numbers;
    uint64_t *winners = calloc({games}, sizeof(uint64_t));
    uint8_t *failed = calloc({games}, 1);
    int64_t *decisions = n + {games} * ({numbers} - 3), *choices = decisions + {games}, *widest = choices + {games};
    Results results = {{n, n + {games} * {scores}, winners, decisions, choices, widest, failed}};
    int32_t stop = 0;
    int64_t played = play_games({seed}, {games}, 1000, &stop, &results), faults = 0;
    for (int k = 0; k < played; k++) faults += failed[k];
    printf("%d %d\\n", (int)played, (int)faults);
    free(numbers); free(winners); free(failed);
    return 0;
}}
"""
STEPS = """
#include <stdio.h>
static const uint64_t cells[] = {{{cells}}};
int main(void) {{
    uint64_t words[{words} + 64], key[2], random = {seed}, won;
    int64_t result[{scores} + {numbers}];
    int64_t faults = 0, pushed = 0;
    State *s = new_state(cells, {words});
    if (new_state(cells, {words} - 1)) return 3;
    if (!s) return 2;
    for (int k = 0; k < {steps}; k++) {{
        random += GOLDEN;
        uint64_t drawn = mixed(random);
        if (s->shown.point < 0 || drawn % 7 == 0) {{
            pop(s);
        }} else if (drawn % 31 == 0) {{
            State *copy = copy_state(s);
            free_state(s);
            s = copy;
        }} else if (push(s, (int64_t)(drawn >> 8) % s->shown.count) == DONE) {{
            pushed++;
        }} else {{
            faults++;
        }}
        push(s, s->shown.count);
        if (drawn % 13 == 0) set_chance(s, drawn);
        if (drawn % 5 == 0) rollout(s, drawn, {horizon}, result, result + {scores}, &won);
        key_of(s, key);
        save_state(s, words, {words} + 64);
    }}
    int64_t games = {games}, *n = calloc(games * {numbers}, sizeof(int64_t)), *decisions = n + games * ({numbers} - 1);
    uint64_t *winners = calloc(games, sizeof(uint64_t));
    uint8_t *flags = calloc(games, 3);
    Results results = {{n, n + games * {scores}, winners, decisions, NULL, NULL, flags}};
    int32_t stop = 0;
    Counting *counting = calloc(1, sizeof(Counting));
    State *copy = copy_state(s);
    scores_of(copy, n, n + {scores}, winners);
    rollouts(copy, {seed}, games, {horizon}, 1000, &stop, &results, flags + games, flags + 2 * games);
    counting->depth = 2;
    counting->level = 1;
    count_sequences(copy, counting, 10);
    printf("%d %d\\n", (int)pushed, (int)faults);
    free_state(copy);
    free_state(s);
    free(counting); free(n); free(winners); free(flags);
    return 0;
}}
"""
CHECKS = (
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O0", "-std=gnu11", "-w", "-g",
)  # fmt: skip
GAMES = 6
SEEDS = 8
WALK, HORIZON = 60, 40
STEP_BY_STEP = ("chess", "chinesische_mauer", "weir_keepers")
"""Played step by step in the normal run: recorded positions, lists in cells, and an order of pieces."""


def fewer(name: str, games: int) -> int:
    """The number of games, of a game that takes long fewer."""
    return max(1, games * SHORT_SITTINGS.get(name, SITTING) // SITTING)


def played(game: Game, seed: int, games: int, folder: Path) -> tuple[int, int]:
    """How many games the checked program played, and how many of them failed."""
    shape = shape_of(game.program)
    scores = shape.seats * shape.criteria
    figures = {"games": games, "seed": seed, "scores": scores, "numbers": scores + shape.seats + 3}
    return checked(native_source(game.program) + MAIN.format(**figures), folder)


def walked(game: Game, seed: int, steps: int, folder: Path) -> tuple[int, int]:
    """How many moves the checked program made, and how many it could not make, in play step by step."""
    shape, found = shape_of(game.program), steps_of(game.program)
    scores = shape.seats * shape.criteria
    cells = to_words(found, game.start(seed).cells)
    figures = {
        "cells": ", ".join(f"UINT64_C({word})" for word in cells), "words": len(cells), "seed": seed, "steps": steps,
        "games": GAMES, "scores": scores, "numbers": scores + shape.seats + 1, "horizon": HORIZON,
    }  # fmt: skip
    return checked(found.source + STEPS.format(**figures), folder)


def checked(text: str, folder: Path) -> tuple[int, int]:
    """The two numbers that a program prints in which nothing is wrong."""
    source, program = folder / "game.c", folder / "game"
    source.write_text(text, "ascii")
    cache = open_cache()
    assert isinstance(cache, Cache)
    compiler = find_compiler(cache)
    assert isinstance(compiler, Compiler)
    subprocess.run([*compiler.words, *CHECKS, "-o", str(program), str(source)], check=True, timeout=300)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=300, check=False)
    assert not done.returncode and not done.stderr, (done.returncode, done.stderr[:2000])
    number, faults = map(int, done.stdout.split())
    return number, faults


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if number % 2 else ()) for number, name in enumerate(NAMES)]
)
def test_shipped_games_stay_within_their_memory(name: str, long_run: bool, tmp_path: Path) -> None:
    table = NAMES.index(name)
    games = fewer(name, 100 * GAMES if long_run else GAMES)
    assert played(game_at(table_of(name, table)), table, games, tmp_path) == (games, 0)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in STEP_BY_STEP else pytest.mark.long) for name in NAMES]
)
def test_play_step_by_step_stays_within_its_memory(name: str, long_run: bool, tmp_path: Path) -> None:
    table = NAMES.index(name)
    pushed, failed = walked(game_at(table_of(name, table)), table, 100 * WALK if long_run else WALK, tmp_path)
    assert pushed and not failed


def test_searches_stay_within_their_memory(tmp_path: Path) -> None:
    game = load(Path(__file__).with_name("searches.rules"))
    assert played(game, 0, 40, tmp_path) == (40, 0)


@pytest.mark.parametrize("number", [0, *[pytest.param(n, marks=pytest.mark.long) for n in range(1, 200)]])
@pytest.mark.parametrize("kind", KINDS)
def test_generated_games_stay_within_their_memory(kind: str, number: int, tmp_path: Path) -> None:
    """Many of them end in faults, which leave a program in the middle of whatever it does."""
    path = tmp_path / "game.rules"
    path.write_text(KINDS[kind](number), encoding="utf-8")
    try:
        game = load(path, players=None)
        assert played(game, 0, SEEDS, tmp_path)[0] == SEEDS
    except (RulesError, PlayError, NotInC):
        pytest.skip("this game is refused, or left to Python")


@pytest.mark.parametrize("number", [0, *[pytest.param(n, marks=pytest.mark.long) for n in range(1, 100)]])
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind == "with repetition" else pytest.mark.long) for kind in KINDS]
)
def test_generated_games_step_by_step_stay_within_their_memory(kind: str, number: int, tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text(KINDS[kind](number), encoding="utf-8")
    try:
        assert sum(walked(load(path, players=None), 0, WALK, tmp_path))
    except (RulesError, PlayError, NotInC):
        pytest.skip("this game is refused, or left to Python")
