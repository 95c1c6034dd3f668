"""`perft GAME`: count the move sequences of a game, to compare with another implementation of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from cli.arguments import wants_json
from cli.errors import DONE, WRONG, MisuseError, Stop
from cli.examined_game import GameFlags, game_heading
from cli.failed_games import FailedGame, as_data, in_words, saved_faults
from cli.json_output import emit
from cli.render.echo import echo
from cli.render.screen import screen
from cli.render.tables import plain_grid
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.analysis.perft import perft as count_sequences

MAX_DEPTH = 200


@dataclass(frozen=True, kw_only=True)
class Flags(GameFlags):
    """The arguments and flags of `perft`."""

    depth: Annotated[int, typer.Option("--depth", metavar="N", help="Number of decisions.")] = 3


def perft(flags: Flags) -> None:
    """Count the move sequences of a game, to compare implementations.

    Every legal move of every decision is followed, down to a depth. The counts are the same for any backend.
    """
    json, depth = wants_json(flags.form), flags.depth
    if not 1 <= depth <= MAX_DEPTH:
        raise MisuseError(f"--depth must be between 1 and {MAX_DEPTH}")
    opened, backend = flags.opened()
    result = count_sequences(opened, depth, flags.seed, backend)
    levels = result.levels
    stuck = result.failure
    faults = saved_faults([FailedGame(stuck.failed, lambda: stuck.state)]) if stuck is not None else []
    if json:
        rows = [asdict(level) for level in levels]
        counts = {"chance": result.chance, "levels": rows, "over": sum(level.over for level in levels)}
        emit(
            "perft",
            {**flags.head(opened), **counts, "failed": next(iter(as_data(faults)), None), "complete": result.complete},
        )
        raise Stop(WRONG if faults else DONE)
    console = screen()
    begun = "the start" if opened.given is None else "the position"
    console.print(Text(game_heading(opened, f": move sequences from {begun}"), style="bold"))
    console.print()
    table = plain_grid()
    for heading in ("decisions", "nodes", "games over", *(("errors",) if faults else ())):
        table.add_column(heading, justify="right")
    for level in levels:
        numbers = (level.depth, level.nodes, level.over, *((level.faults,) if faults else ()))
        table.add_row(*map(str, numbers))
    console.print(table)
    console.print()
    note = f"; chance is drawn from seed {flags.seed}" if result.chance else ""
    over = sum(level.over for level in levels)
    summary = f"{counted(over, 'game')} {'ends' if over == 1 else 'end'} within {counted(depth, 'decision')}{note}"
    console.print(Text(summary, style="dim"))
    if faults:
        echo("")
        echo("a rule fails in some sequences; the first of them:" if result.complete
                   else "counting stopped early, at a rule that never ends:")  # fmt: skip
        for line in in_words(faults):
            echo(f" {line}")
    raise Stop(WRONG if faults else DONE)
