"""`solve GAME`: the exact value of a small game, and how it is played best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from cli.arguments import check_seconds, wants_json
from cli.errors import WRONG, MisuseError, Stop
from cli.examined_game import GameFlags, game_heading
from cli.json_output import emit
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from cli.render.screen import screen, show
from cli.render.tables import plain_grid
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.environments.returns import Returns, returns_named
from interpreter.play.game import Game
from interpreter.solving.equilibrium import Choice
from interpreter.solving.limits import TooLargeError
from interpreter.solving.solution import Solution, SolvedMove
from interpreter.solving.solution import solve as solved

MAX_ROWS = 40
"""Longer tables are cut off; `--format json` has all of their rows."""


@dataclass(frozen=True, kw_only=True)
class Flags(GameFlags):
    """The arguments and flags of `solve`."""

    returns: Annotated[
        str,
        typer.Option("--returns", metavar="WHAT", help="What counts: `win`, or `margin`, how far the score is ahead."),
    ] = "win"
    time: Annotated[float, typer.Option("--time", metavar="S", help="Give up after S seconds.")] = 60.0
    positions: Annotated[
        int,
        typer.Option(
            "--positions", metavar="N", help="Give up after N positions; a million take about 300 MB of memory."
        ),
    ] = 2_000_000


def solve(flags: Flags) -> None:
    """Find the exact value of a small game for one or two, and best play.

    Without chance and hidden information all positions are examined, otherwise all histories, by a linear program.
    """
    json, kind = wants_json(flags.form), returns_named(flags.returns)
    check_seconds(flags.time)
    if flags.positions < 1:
        raise MisuseError("--positions must be at least 1")
    opened, backend = flags.opened()
    head = flags.head(opened) | {"returns": kind}
    try:
        with show_progress(Stage(f"{opened.name}: solving")):
            solution = solved(
                opened, kind, seed=flags.seed, positions=flags.positions, seconds=flags.time, backend=backend
            )
    except TooLargeError as fault:
        if json:
            emit("solve", head | {"solved": False, "reason": str(fault), "solution": None})
        else:
            echo(f"{opened.title}: not solved: {fault}; raise --time or --positions, or begin later with --from")
        raise Stop(WRONG) from None
    if json:
        emit("solve", head | {"solved": True, "reason": "", "solution": asdict(solution)})
        return
    show(screen(), Text(game_heading(opened), style="bold"), *_parts(opened, solution, kind))


def _parts(game: Game, solution: Solution, kind: Returns) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(_verdict(game, solution, kind))
    if solution.line:
        more = f", and {counted(len(solution.line) - MAX_ROWS, 'more move')}" if len(solution.line) > MAX_ROWS else ""
        yield Text(f"best play: {', '.join(played.notation for played in solution.line[:MAX_ROWS])}{more}")
    if solution.moves:
        yield Text("")
        yield from _moves(game, solution.moves, kind)
    if solution.choices:
        yield Text("")
        yield from _choices(solution.choices)
    examined = {"positions": "position", "tree": "history"}.get(solution.method)
    if examined is not None and solution.size is not None:
        yield Text("")
        yield Text(f"{counted(solution.size, examined)} examined", style="dim")


def _verdict(game: Game, solution: Solution, kind: Returns) -> str:
    """Who wins, or what each seat gets."""
    first, within = solution.returns[0], ""
    if solution.is_endless:
        return "nobody can force a better result than to play for ever"
    if solution.decisions is not None:
        within = f" in {counted(solution.decisions, 'decision')}"
    if solution.method == "tree" or kind != "win":
        gets = " and ".join(f"{seat} {value:+.6g}" for seat, value in zip(game.seats, solution.returns, strict=True))
        return f"{gets} with best play{within}"
    return _result(game, first) + within


def _result(game: Game, value: float) -> str:
    if value > 0:
        return f"{game.seats[0]} wins"
    if value < 0:
        return f"{game.seats[-1]} wins" if len(game.seats) == 2 else f"{game.seats[0]} loses"
    return "a draw"


def _moves(game: Game, moves: Sequence[SolvedMove], kind: Returns) -> Iterator[RenderableType]:
    table = plain_grid()
    for heading in ("move", "result", "decisions"):
        table.add_column(heading, justify="right" if heading == "decisions" else "left")
    for move in moves[:MAX_ROWS]:
        result = _result(game, move.value) if kind == "win" else f"{game.seats[0]} {move.value:+g}"
        table.add_row(move.notation, result, "for ever" if move.decisions is None else str(move.decisions))
    yield table
    yield from _cut_off(len(moves), "move")


def _choices(choices: Sequence[Choice]) -> Iterator[RenderableType]:
    table = plain_grid()
    for heading in ("seat", "has observed", "plays"):
        table.add_column(heading)
    for choice in choices[:MAX_ROWS]:
        plays = ", ".join(f"{move} {share:.3g}" for move, share in choice.moves.items() if share)
        table.add_row(choice.seat, "; ".join(choice.told), plays)
    yield table
    yield from _cut_off(len(choices), "choice")


def _cut_off(rows: int, noun: str) -> Iterator[RenderableType]:
    if rows > MAX_ROWS:
        yield Text(f"and {counted(rows - MAX_ROWS, f'more {noun}')}: --format json", style="dim")
