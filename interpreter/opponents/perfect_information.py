"""Games that a search can play out with certainty: two opponents who know everything, and no chance."""

from __future__ import annotations

from dsl import ast
from interpreter.game import Game
from interpreter.opponents.chance_in_play import chance_in_play, has_chance


def why_uncertain(game: Game) -> str | None:
    """Why a game is not one of two opponents with perfect information and without chance in play; None if it is.

    Notes that somebody does not see are no secret if they follow from what all have seen: where every piece is open,
    nobody chooses secretly, and nothing, the set-up included, depends on chance.
    """
    program = game.program
    if len(game.seats) != 2:
        return f"it has {len(game.seats)} {'seat' if len(game.seats) == 1 else 'seats'}, not two"
    if program.model.teams is not None:
        return f"its seats play in teams ({_where(program.model.teams)})"
    winner = program.model.winner
    if winner is None or all(map(program.is_same_for_all, winner.criteria)):
        return "its players win or lose together"
    notes: list[ast.Node] = []
    for node in program.model.nodes:
        match node:
            case ast.Zone() if node.sights:
                return f"`{node.name}` is not open to everybody ({_where(node)})"
            case ast.Note() if node.sights:
                notes.append(node)
            case ast.Decide() | ast.Choose() if node.secretly:
                return f"a choice is secret ({_where(node)})"
            case ast.Parameter() if node.secret:
                return f"a choice is secret ({_where(node)})"
            case ast.EachPlayer() if node.at_once:
                return f"all choose at the same time ({_where(node)})"
    chance = chance_in_play(program)
    if chance is not None:
        return f"chance plays a part ({_where(chance)})"
    if notes and has_chance(program):
        return f"`{getattr(notes[0], 'name', '')}` is not open to everybody ({_where(notes[0])})"
    return None


def _where(node: ast.Node) -> str:
    return node.span.location
