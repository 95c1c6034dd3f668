"""Random games played by Python and by a library compiled from C, compared one by one."""

from __future__ import annotations

from collections import Counter
from functools import partial

from interpreter import Game
from interpreter.analysis.backends import playout_of
from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import attempts
from interpreter.analysis.results import Playout
from interpreter.native.building import build
from interpreter.native.games import native_source, result_of, shape_of
from interpreter.native.library import Library, open_library


class Difference(AssertionError):
    """A game is not the same."""


def library_of(game: Game, optimise: bool = False) -> Library:
    """The library of a game. Raises NotInC."""
    found = build(native_source(game.program), open_library, optimise)
    assert isinstance(found, Library), found
    return found


def played_natively(game: Game, library: Library, seed: int, games: int) -> list[Playout | None]:
    """Games with consecutive seeds; None for those that failed."""
    shape, teams = shape_of(game.program), game.program.model.teams is not None
    results = library.play_games(seed, games, shape)
    assert results.played == games
    made = partial(playout_of, game)
    return [
        None if results.failed[number] else result_of(results, number, seed + number, shape, teams, made)
        for number in range(games)
    ]


def compared(game: Game, library: Library, seed: int, games: int) -> Counter[str]:
    """Play games in both ways; how many ended and how many failed. Raises Difference."""
    figures: Counter[str] = Counter()
    natively = played_natively(game, library, seed, games)
    for number, (found, mine) in enumerate(zip(attempts(game, games, seed), natively, strict=False)):
        if isinstance(found, Failed):
            figures["faults"] += 1
            if mine is not None:
                raise Difference(f"seed {seed + number} of {game.name} fails in Python: {found}; in C it ends {mine}")
        elif mine is None:
            raise Difference(f"seed {seed + number} of {game.name} fails in C; in Python it ends {found}")
        elif mine != found:
            raise Difference(f"seed {seed + number} of {game.name}: in C {mine}, in Python {found}")
        else:
            figures += Counter(games=1, decisions=found.decisions)
    return figures
