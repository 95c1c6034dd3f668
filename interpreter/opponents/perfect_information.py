"""Two-player games of perfect information without chance, which alpha-beta search can play."""

from __future__ import annotations

from dsl import ast
from interpreter.opponents.chance_in_play import chance_in_play
from interpreter.opponents.information import is_known
from interpreter.play.game import Game
from interpreter.wording.phrases import Phrase


def why_uncertain(game: Game) -> str | None:
    """Why a game is not a two-player game of perfect information without chance in play; None if it is.

    Something unseen is no secret if it follows from the moves, which all see.
    """
    program = game.program
    if len(game.seats) != 2:
        return Phrase("it has {number} seat, not two", plural="it has {number} seats, not two", number=len(game.seats))
    if program.model.teams is not None:
        return Phrase("its seats play in teams ({where})", where=_where(program.model.teams))
    winner = program.model.winner
    if winner is None or all(map(program.is_same_for_all, winner.criteria)):
        return Phrase("its players win or lose together")
    chance = chance_in_play(program)
    if chance is not None:
        return Phrase("chance plays a part ({where})", where=_where(chance))
    return None if is_known(game) else _hidden(game)


def _hidden(game: Game) -> str:
    """Something that is hidden from some seat, in a game with hidden information."""
    for node in game.rules.model.nodes:
        match node:
            case ast.Zone() | ast.Note() if node.sights:
                return Phrase("`{name}` is not open to everybody ({where})", name=node.name, where=_where(node))
            case ast.Decide() | ast.Choose() if node.secretly:
                return Phrase("a choice is secret ({where})", where=_where(node))
            case ast.Parameter() if node.secret:
                return Phrase("a choice is secret ({where})", where=_where(node))
            case ast.EachPlayer() if node.at_once:
                return Phrase("all choose at the same time ({where})", where=_where(node))
    return Phrase("not everything is open to everybody")


def _where(node: ast.Node) -> str:
    return node.span.location
