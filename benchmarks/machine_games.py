"""Random games of the machine engine, measured: by the same functions under Wasmtime and in a browser.

In a browser this file is run as it is, so that it imports nothing but the language and the interpreter.
"""

from __future__ import annotations

from functools import cache

from dsl.syntax.parser import tables
from interpreter.analysis.bulk import playout_columns
from interpreter.analysis.playouts import playouts
from interpreter.compiler.machine.printing import print_rules
from interpreter.engine.machine.games import compiled_module, rules_of
from interpreter.play.game import Game, load

PLAYERS = 3


def read_tables() -> None:
    """Read the tables of the parser."""
    tables()


@cache
def load_rules(name: str) -> Game:
    """Read, check and compile the rules for Python."""
    game = load(name, PLAYERS)
    assert game.program
    return game


@cache
def print_module(name: str) -> bytes:
    """Prepare loaded rules for the machine engine, and print them as a module."""
    return print_rules(rules_of(load_rules(name).program)).module.binary()


def compile_module(name: str) -> None:
    """Compile a printed module."""
    compiled_module(print_module(name))


def play(name: str, seed: int, games: int) -> int:
    """Play games with consecutive seeds; the number of results."""
    return len(playout_columns(load_rules(name), games, seed, "machine"))


def results(name: str, seed: int, games: int) -> list[str]:
    """The results of games, as text."""
    return [str(result) for result in playouts(load_rules(name), games, seed, "machine")]
