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
from tests.interpreter.native.test_native_games import KINDS, NAMES, fewer, table_of
from tests.recorded.tables import game_at

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
CHECKS = (
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O0", "-std=gnu11", "-w", "-g",
)  # fmt: skip
GAMES = 6
SEEDS = 8


def played(game: Game, seed: int, games: int, folder: Path) -> tuple[int, int]:
    """How many games the checked program played, and how many of them failed."""
    shape = shape_of(game.program)
    scores = shape.seats * shape.criteria
    figures = {"games": games, "seed": seed, "scores": scores, "numbers": scores + shape.seats + 3}
    source, program = folder / "game.c", folder / "game"
    source.write_text(native_source(game.program) + MAIN.format(**figures), "ascii")
    cache = open_cache()
    assert isinstance(cache, Cache)
    compiler = find_compiler(cache)
    assert isinstance(compiler, Compiler)
    subprocess.run([*compiler.words, *CHECKS, "-o", str(program), str(source)], check=True, timeout=300)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=300, check=False)
    assert not done.returncode and not done.stderr, done.stderr[:2000]
    number, faults = map(int, done.stdout.split())
    return number, faults


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if number % 2 else ()) for number, name in enumerate(NAMES)]
)
def test_shipped_games_stay_within_their_memory(name: str, long_run: bool, tmp_path: Path) -> None:
    table = NAMES.index(name)
    games = fewer(name, 100 * GAMES if long_run else GAMES)
    assert played(game_at(table_of(name, table)), table, games, tmp_path) == (games, 0)


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
