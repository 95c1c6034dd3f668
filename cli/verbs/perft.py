"""`perft GAME`: how many ways a game can go on, to compare with another implementation of it."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.arguments import (
    GameName,
    Json,
    Options,
    OwnBoard,
    Variants,
    board_file,
    open_game,
    pairs,
    read_players,
    wants_json,
)
from cli.faults import Misused

DEEPEST = 200


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="How many decisions deep.")] = 3,
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|NAMES", help="How many play, or which seats: red,blue.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of chance, where there is any.")] = 0,
    option: Options = None,
    variant: Variants = None,
    board: OwnBoard = None,
    form: Json = "text",
) -> None:
    """Count the ways a game can go on: every move of every decision, down to a depth."""
    json = wants_json(form)
    if not 1 <= depth <= DEEPEST:
        raise Misused(f"--depth goes from 1 to {DEEPEST}")
    options = pairs(option, "--option", "NAME=VALUE")
    opened = open_game(game, read_players(players), options, board_file(board), variant)
    from interpreter.counting import count_ways

    levels, chance = count_ways(opened, depth, seed)
    if json:
        from cli.machine import emit

        head = {"game": opened.name, "players": list(opened.seats), "options": dict(opened.options), "seed": seed}
        head["board"] = opened.board.name if opened.board else None
        head["variants"] = list(opened.variants)
        rows = [{"depth": level.depth, "ways": level.ways, "over": level.over} for level in levels]
        emit("perft", {**head, "chance": chance, "levels": rows, "over": sum(level.over for level in levels)})
        return
    from rich.text import Text

    from cli.render.screen import screen
    from cli.render.tables import plain_grid

    console = screen()
    chosen = "".join(f", {name} is {value}" for name, value in opened.options.items())
    console.print(Text(f"{opened.title}: ways to go on from the beginning{chosen}", style="bold"))
    console.print()
    table = plain_grid()
    for heading in ("decisions", "ways", "games over"):
        table.add_column(heading, justify="right")
    for level in levels:
        table.add_row(str(level.depth), str(level.ways), str(level.over))
    console.print(table)
    console.print()
    note = f"; what is left to chance follows from seed {seed}" if chance else ""
    console.print(Text(f"{sum(level.over for level in levels)} games end within {depth} decisions{note}", style="dim"))
