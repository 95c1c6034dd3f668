"""`perft GAME`: count the move sequences of a game, to compare with another implementation of it."""

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
from cli.errors import DONE, WRONG, MisuseError, Stop
from cli.failed_games import FailedGame, as_data, in_words, saved_faults
from cli.render.screen import echo
from dsl.text.nouns import counted

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
        raise MisuseError(f"--depth goes from 1 to {DEEPEST}")
    options = pairs(option, "--option", "NAME=VALUE")
    opened = open_game(game, read_players(players), options, board_file(board), variant)
    from interpreter.analysis.perft import perft

    found = perft(opened, depth, seed)
    levels = found.levels
    stuck = found.failure
    faults = saved_faults([FailedGame(stuck.failed, lambda: stuck.state)]) if stuck is not None else []
    if json:
        from cli.json_output import emit

        head = {"game": opened.name, "players": list(opened.seats), "options": dict(opened.options), "seed": seed}
        head["board"] = opened.board.name if opened.board else None
        head["variants"] = list(opened.variants)
        rows = [{"depth": one.depth, "ways": one.nodes, "over": one.over, "faults": one.faults} for one in levels]
        counts = {"chance": found.chance, "levels": rows, "over": sum(level.over for level in levels)}
        emit("perft", {**head, **counts, "failed": next(iter(as_data(faults)), None), "complete": found.complete})
        raise Stop(WRONG if faults else DONE)
    from rich.text import Text

    from cli.render.screen import screen
    from cli.render.tables import plain_grid

    console = screen()
    chosen = "".join(f", {name} is {value}" for name, value in opened.options.items())
    console.print(Text(f"{opened.title}: ways to go on from the beginning{chosen}", style="bold"))
    console.print()
    table = plain_grid()
    for heading in ("decisions", "ways", "games over", *(("faults",) if faults else ())):
        table.add_column(heading, justify="right")
    for level in levels:
        numbers = (level.depth, level.nodes, level.over, *((level.faults,) if faults else ()))
        table.add_row(*map(str, numbers))
    console.print(table)
    console.print()
    note = f"; what is left to chance follows from seed {seed}" if found.chance else ""
    over = sum(level.over for level in levels)
    told = f"{counted(over, 'game')} {'ends' if over == 1 else 'end'} within {counted(depth, 'decision')}{note}"
    console.print(Text(told, style="dim"))
    if faults:
        echo("")
        echo("a rule fails on some of the ways; the first of them:" if found.complete
                   else "counting ended early, at a rule that goes on without end:")  # fmt: skip
        for line in in_words(faults):
            echo(f" {line}")
    raise Stop(WRONG if faults else DONE)
