"""`know SAVE`: show what a seat knows of what it does not see, and what others know of its secrets."""

from __future__ import annotations

from math import inf
from time import process_time
from typing import Annotated

import typer

from cli.arguments import Json, Language, RulesOfSave, wants_json
from cli.errors import MisuseError
from cli.json_output import emit
from cli.progress import Stage, show_progress
from cli.render.knowledge import knowledge_lines
from cli.render.palette import palette
from cli.render.screen import screen
from cli.save_paths import find_save
from cli.seat_access import opened_save, state_at
from interpreter.opponents.hints import seconds_to_know
from interpreter.opponents.knowledge.summary import knowledge_of
from interpreter.wording.words import PLAIN


def know(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="Name or path of a saved game.")],
    limit: Annotated[
        str,
        typer.Argument(
            metavar="TIME",
            help="Time to work on it, `5s`; without one half a second, with --format json as long as it takes.",
            show_default=False,
        ),
    ] = "",
    as_seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="The seat whose knowledge is shown.")
    ] = None,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="N", min=0, help="Show what the seat knew after N decisions (default: now)."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Ask for any seat before the game ends; recorded in every seat's log.")
    ] = False,
    rules: RulesOfSave = "new",
    language: Language = None,
    form: Json = "text",
) -> None:
    """Show what a seat can infer about hidden pieces and notes in a save.

    What is certain, what is possible, and what others know of pieces that only this seat sees. This is derived only
    from what the seat has observed since the start.
    """
    json, seconds = wants_json(form), seconds_to_know(limit)
    is_complete = json and not limit  # for programs, which expect the same answer on every machine
    opened = opened_save(find_save(save), as_seat, everything, "know", language, rules=rules)
    state, seat = state_at(opened.state, at), opened.access.as_seat
    if seat is None:
        raise MisuseError(f"choose a seat with --as (the seats are {', '.join(state.game.seats)})")
    words, end = state.game.words, inf if is_complete else process_time() + seconds
    with show_progress(Stage(f"working out what {seat} knows")):
        knowledge = knowledge_of(state, seat, lambda: process_time() > end, words=PLAIN if json else words)
    if json:
        emit("know", {"ply": state.ply, **knowledge.as_data()})
        return
    console = screen()
    for part in knowledge_lines(knowledge, palette(state.game.seats, words)):
        console.print(part)
