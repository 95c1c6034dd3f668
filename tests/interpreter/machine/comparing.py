"""Random games of the machine engine and of Python, compared one by one."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from dsl.diagnostics import RulesError
from interpreter.analysis.backends import batches, playouts_of, prepared
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import attempts
from interpreter.analysis.results import Playout
from interpreter.engine.machine.games import MachineGame
from interpreter.errors import PlayError
from interpreter.play.game import Game, load
from tests.recorded.tables import SITTINGS, Table, shipped, tables_of
from tests.support import at_once_games, bound_games, round_games, secret_games, typed_games

NAMES = shipped()

KINDS = {
    "typed": lambda number: secret_games.rules(number) if number % 4 == 0 else typed_games.rules(number),
    "with hypotheses": lambda number: typed_games.rules(number, hypotheses=True),
    "with numbers": lambda number: typed_games.rules(number, numbers=True),
    "in rounds": round_games.rules,
    "with loops at once": at_once_games.rules,
    "with relations": lambda number: typed_games.rules(number, relations=True),
    "with repetition": lambda number: typed_games.rules(number, hypotheses=number % 2 == 1, repetition=True),
    "with reactions": lambda number: typed_games.rules(number, reactions=True),
    "offering moves once": lambda number: typed_games.rules(number, hypotheses=number % 2 == 1, once=True),
    "with bound values": bound_games.rules,
}
"""Kinds of generated games, each with what makes the rules for a number."""


class Difference(AssertionError):
    """A game is not the same."""


@cache
def tables(name: str) -> list[Table]:
    """The tables of a shipped game."""
    return list(tables_of(name))


def table_of(name: str, number: int) -> Table:
    """One of the tables of a shipped game; their numbers go round."""
    return tables(name)[number % SITTINGS]


def generated(kind: str, number: int, folder: Path) -> Game | str:
    """A generated game, or why there is none."""
    path = folder / f"game_{number}.rules"
    path.write_text(KINDS[kind](number), encoding="utf-8")
    try:
        game = load(path, players=None)
        found = prepared(game.program)
    except RulesError:
        return "refused"
    except PlayError:
        return "unplayable"
    return game if isinstance(found, MachineGame) else "left to Python"


def machine_of(game: Game) -> MachineGame:
    """The machine engine of a game that it can play."""
    found = prepared(game.program)
    assert isinstance(found, MachineGame), found
    return found


def machine_playouts(game: Game, seeds: range, machine: MachineGame | None = None) -> list[Playout | None]:
    """Random games of the machine engine; None for those that end in a fault, which Python names."""
    found: list[Playout | None] = []
    for first, batch in batches(machine or machine_of(game), seeds):
        found += [*playouts_of(game, batch, first), *[None] * batch.failed]
    return found


def compared(game: Game, seed: int, games: int, machine: MachineGame | None = None) -> Counter[str]:
    """Play games in both ways; how many ended and how many failed. Raises Difference.

    A difference in one legal move changes which moves are made from there on, and thereby the results.
    """
    figures: Counter[str] = Counter()
    in_python = attempts(game, games, seed)
    in_machine = machine_playouts(game, range(seed, seed + games), machine)
    for number, (result, mine) in enumerate(zip(in_python, in_machine, strict=False)):
        failed = isinstance(result, Failed)
        if (mine is not None) if failed else (mine != result):
            raise Difference(
                f"{game.name}, seed {seed + number}: in the machine {mine or 'a fault'}, in Python {result}"
            )
        figures += Counter(faults=1) if isinstance(result, Failed) else Counter(games=1, decisions=result.decisions)
    return figures
