"""The information structure of a game: whether seats learn different things, and whether anything is unknown."""

from __future__ import annotations

from collections.abc import Collection

from dsl import ast
from interpreter.compiler.privacy import has_masked_moves
from interpreter.play.game import Game


def is_known(game: Game) -> bool:
    """True if every seat knows the whole position.

    Either nothing is hidden, or everything follows from the moves, which all see, because there is no chance.
    """
    return game.is_open or not (_has_chance(game, ()) or has_masked_moves(game.program.model))


def can_be_proven(game: Game) -> bool:
    """True if every seat knows the whole position, which alone determines the effect of each move."""
    parts = game.rules.model.file.parts
    setup = {node.number for part in parts if part.name == "setup" for node in part.walk()}
    return is_known(game) and not _has_chance(game, setup)


def _has_chance(game: Game, apart_from: Collection[int]) -> bool:
    """True if anything but some nodes of the rules is chance."""
    return any(
        isinstance(node, ast.Shuffle | ast.Roll) and node.number not in apart_from for node in game.rules.model.nodes
    )
