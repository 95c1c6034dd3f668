"""`trace SAVE`: show a saved game in the viewer, or print all its events as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

import typer

from cli import signals
from cli.arguments import Json, Language, RulesOfSave, wants_json
from cli.branching import beside
from cli.errors import MisuseError, suggestion
from cli.html.page import page_path, write_page
from cli.json_output import emit
from cli.render.echo import echo
from cli.render.reasons import line_of, traced
from cli.render.screen import screen
from cli.save_paths import find_save
from cli.saved_games import newest_save
from cli.seat_access import OpenedSave, opened_save
from cli.trace_data import document
from cli.viewer.opening import is_full_screen, look_inside
from interpreter.play.trace import LEVELS, Level, outline
from interpreter.play.trace.failed_decision import FailedDecision, timeline_up_to
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

Opened = Callable[[], OpenedSave]
"""Loads the saved game, with the seat it is viewed as."""


def trace(
    save: Annotated[
        str | None,
        typer.Argument(metavar="[SAVE]", help="Name or path of a saved game (default: choose one, the newest first)."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print one line per event.")] = False,
    form: Json = "text",
    as_seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="Show only what this seat may see.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show everything before the game ends; recorded in every seat's log.")
    ] = False,
    level: Annotated[str, typer.Option("--level", metavar="|".join(LEVELS), help="Level of detail.")] = "everything",
    at: Annotated[int | None, typer.Option("--at", metavar="N", min=0, help="Start at decision N.")] = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write a self-contained HTML page.")
    ] = None,
    rules: RulesOfSave = "new",
    language: Language = None,
) -> None:
    """Step through a saved game, rule by rule, forward and back.

    Until the game ends, only what the person who plays it may see is shown.
    """
    path = newest_save(words=Words(language=language)) if save is None else find_save(save)
    opened = partial(opened_save, path, as_seat, everything, "trace", language, english=wants_json(form), rules=rules)
    if html is not None:
        if plain or wants_json(form):
            raise MisuseError(Phrase("--html cannot be combined with --plain or --format"))
        _paged(opened, at, one_of_levels(level), html)
    elif plain or wants_json(form) or not is_full_screen():
        _written(opened, at, one_of_levels(level), json=wants_json(form))
    else:
        _viewed(opened, at)


def one_of_levels(word: str) -> Level:
    """Parse the name of a level. Raises MisuseError."""
    for level in LEVELS:
        if level == word:
            return level
    raise MisuseError(
        Phrase(
            "there is no level `{level}`{meant} (the levels are {levels})",
            level=word, meant=suggestion(word, LEVELS), levels=", ".join(LEVELS),
        )
    )  # fmt: skip


def _viewed(opened: Opened, at: int | None) -> None:
    game = opened()
    access = game.access
    save = beside(game.path, game.meta, access.owner)
    with signals.ending():
        look_inside(game.state, access.as_seat, access.offered, save=save, at=at, failing=game.meta.failing)


def _written(opened: Opened, at: int | None, level: Level, *, json: bool) -> None:
    game = opened()
    timeline = timeline_up_to(game.state, game.meta.failing, game.access.as_seat)
    if json:
        emit("trace", document(timeline, at or 0, level))
        return
    lines, words = outline(timeline.all_events(at or 0), level), game.state.game.words
    console = screen()
    if console.is_terminal:
        for part in traced(lines, words):
            console.print(part)
        return
    for depth, _, event in lines:
        echo(line_of(depth, event, words))


def _paged(opened: Opened, at: int | None, level: Level, html: str) -> None:
    target = page_path(html)
    game = opened()
    timeline = timeline_up_to(game.state, game.meta.failing, game.access.as_seat)
    start = timeline.plies if at is None and isinstance(timeline, FailedDecision) else at or 0
    size = write_page(target, timeline, level, start)
    words, as_seat, kilobytes = game.state.game.words, game.access.as_seat, max(1, round(size / 1000))
    seen = words.phrase(", as seen by {seat}", seat=words.name(as_seat)) if as_seat is not None else ""
    decisions = words.counted_phrase("{number} decision", "{number} decisions", timeline.plies)
    summary = f"{decisions}{seen}, {kilobytes} KB"
    echo(words.phrase("{path}: {summary}; open it in a browser", path=html, summary=summary))
