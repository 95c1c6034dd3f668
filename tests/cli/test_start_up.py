"""A verb imports what it needs and no more: most of the time of a short command is spent on imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

COMMAND = """
import json, sys
sys.argv[0] = "regelwerk"
from cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(sys.modules)))
"""

GAMES_PLAYED = {"interpreter.engine", "interpreter.compiler", "interpreter.seat"}
MANY_GAMES = {"interpreter.analysis.backends", "interpreter.compiler.machine", "interpreter.engine.machine", "wasmtime"}
SEARCHES = {"interpreter.opponents.mcts", "interpreter.opponents.knowledge.summary", "interpreter.laboratory"}
SCREENS = {"textual", "cli.html", "cli.viewer.app"}
CONVERSIONS = {"pydantic"}
GENERATOR = {"lark", "interegular"}
STATISTICS = {"statistics"}
COLOURS = {"rich"}
MISTAKES = {"dsl.syntax.recovery", "dsl.syntax.common_mistakes", "jsonschema"}


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--version"], GAMES_PLAYED | SCREENS | CONVERSIONS | {"lark", "dsl.checker"}),
        (["games"], GAMES_PLAYED | SCREENS | CONVERSIONS | {"lark", "dsl.checker"}),
        (
            ["check", "tic_tac_toe"],
            GAMES_PLAYED | MANY_GAMES | SEARCHES | SCREENS | CONVERSIONS | MISTAKES | COLOURS | GENERATOR,
        ),
        (
            ["fmt", "--check", "games/tic_tac_toe.rules"],
            GAMES_PLAYED | SEARCHES | SCREENS | CONVERSIONS | MISTAKES | GENERATOR,
        ),
        (
            ["play", "tic_tac_toe", "--plain", "--seed", "1"],
            MANY_GAMES | SEARCHES | SCREENS | CONVERSIONS | MISTAKES | GENERATOR | STATISTICS,
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_verb_imports_only_what_it_needs(arguments: list[str], unneeded: set[str]) -> None:
    code = [sys.executable, "-c", COMMAND, *arguments]
    done = subprocess.run(code, cwd=ROOT, input="quit\n", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    imported = set(json.loads(done.stdout.splitlines()[-1]))
    assert unneeded & imported == set()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "nim", "--games", "many"], "expected a whole number"),
        (["check"], "missing argument"),
        (["simulate", "nim", "--bots"], "--bots"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_converted_is_still_reported(arguments: list[str], message: str) -> None:
    code = [sys.executable, "-c", COMMAND, *arguments]
    done = subprocess.run(code, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert message in done.stderr
