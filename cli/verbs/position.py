"""`position SAVE`: print the pending position as lines of an example."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.arguments import Json, RulesOfSave, wants_json
from cli.json_output import emit
from cli.render.echo import echo
from cli.save_paths import find_save
from cli.seat_access import opened_save, state_at
from dsl.text.nouns import counted
from interpreter.play.scenes.known import text_for


def position(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="Name or path of a saved game.")],
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", min=0, help="The position after N decisions (default: now).")
    ] = None,
    as_seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="Only what this seat knows of it.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything, before the game ends; recorded in every seat's log.")
    ] = False,
    rules: RulesOfSave = "new",
    form: Json = "text",
) -> None:
    """Print the position in a saved game as lines of an example.

    The lines can be pasted into an example, and `--from` of `play`, `simulate` and other verbs begins games there.
    Where a rule waits in the middle of a turn, they begin the turn and make its decisions.
    """
    json = wants_json(form)
    opened = opened_save(find_save(save), as_seat, everything, "position", english=True, rules=rules)
    state, seat = state_at(opened.state, at), opened.access.as_seat
    text = text_for(state, seat)
    game = state.game
    if json:
        head = {"game": game.name, "variants": list(game.variants), "ply": state.ply}
        emit("position", {**head, "as": seat, "text": text})
        return
    variants = "".join(f" --variant {name}" for name in game.variants)
    board = f" --board {game.rules.board.name}" if game.rules.board is not None else ""
    known = f", as {seat} knows it" if seat is not None else ""
    echo(f"# {game.name}{variants}{board}, after {counted(state.ply, 'decision')}{known}")
    echo(text.rstrip("\n"))
