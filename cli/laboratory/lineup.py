"""The bot of each seat, as flags of the command line assign them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from cli.errors import MisuseError
from cli.play.seats import ALL, unknown_seat
from interpreter.opponents.specs import EXAMPLES, RANDOM, BotSpec, SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game

Bots = Annotated[
    str | None,
    typer.Option("--bots", metavar="BOT", help=f"The bot in every other seat: {', '.join(EXAMPLES)}, or your own."),
]
Seats = Annotated[
    list[str] | None,
    typer.Option("--seat", metavar="NAME=BOT", help="The bot of one seat; may be repeated."),
]


def lineup(game: Game, assigned: Mapping[str, str], bots: str | None) -> tuple[BotSpec, ...]:
    """The bot of each seat: the one assigned to it, else `bots`, else random moves. Raises MisuseError."""
    for seat in assigned:
        if seat != ALL and seat not in game.seats:
            raise unknown_seat(seat, game.seats)
    if ALL in assigned and bots is not None:
        raise MisuseError(f"--seat {ALL}={assigned[ALL]} already assigns all other seats: omit one of the two")
    others = assigned.get(ALL, bots or RANDOM)
    return tuple(_bot(game, seat, assigned.get(seat, others)) for seat in game.seats)


def _bot(game: Game, seat: str, text: str) -> BotSpec:
    spec = spec_of(text)
    if isinstance(spec, SpecProblem):
        raise MisuseError(spec.message)
    reason = why_unfit(spec, game)
    if reason is not None:
        raise MisuseError(f"{reason} for {seat}")
    return spec
