"""`games`: list all games in a table, or show games by name with their options, variants and boards."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import Json, Language, rules_file, wants_json
from cli.errors import Stop
from cli.render.echo import echo
from dsl.text.cells import cell_width, padded, wrapped
from dsl.text.nouns import runs
from interpreter.errors import UsageError
from interpreter.loading.game_heads import GameHead, by_family, game_head
from interpreter.loading.game_library import SUFFIX, FoundGame, all_games
from interpreter.loading.languages import languages_of
from interpreter.wording.phrases import NONE, Phrase

WIDE = 110
"""The minimum width, in columns, at which the sentence about a game is beside it instead of below it."""

MIN_LINE_COLUMNS = 40
GAP = "  "


def games(
    names: Annotated[list[str] | None, typer.Argument(metavar="GAME…", help="Show only these games, in full.")] = None,
    family: Annotated[
        str | None,
        typer.Option("--family", metavar="FAMILY", help="List only the games of this family, such as cards."),
    ] = None,
    form: Json = "text",
    language: Language = None,
) -> None:
    """List the games with their players, and what they are about.

    They are grouped by family. For a game by name also: its options, variants and languages, its board, and where it
    comes from.
    """
    json, chosen = wants_json(form), _found(names or ())
    if family is not None:
        chosen = _of_family(family, chosen)
    if json or names:
        # start-up: the list needs neither rules nor rich
        from cli.game_details import entry_of, lines_of
        from cli.json_output import emit
        from cli.render.screen import screen

        entries = [entry_of(game.name, game.origin, game.path, language) for game in chosen]
        if json:
            emit("games", {"games": entries})
            return
        console = screen()
        for entry in entries:
            for part in lines_of(entry):
                console.print(part)
        return
    if not chosen:
        echo("no games found")
        raise Stop(0)
    width = max(MIN_LINE_COLUMNS, shutil.get_terminal_size().columns)
    for line in listed([(game, _head(game.path, language)) for game in chosen], width):
        echo(line)


def _found(names: Sequence[str]) -> list[FoundGame]:
    """All games, or only those with these names or paths."""
    shipped = all_games()
    if not names:
        return shipped
    origins = {game.path.absolute(): game.origin for game in shipped}
    paths = dict.fromkeys(rules_file(name) for name in names)
    return [FoundGame(game.name.removesuffix(SUFFIX), game, origins.get(game.absolute(), "path")) for game in paths]


def _of_family(family: str, games: Sequence[FoundGame]) -> list[FoundGame]:
    """The games of a family. Raises UsageError if there are none."""
    families = {game.name: head.family for game in games if (head := game_head(game.path)) is not None}
    chosen = [game for game in games if families.get(game.name, "").casefold() == family.casefold() != ""]
    if not chosen:
        known = ", ".join(sorted(set(families.values()) - {""})) or NONE
        raise UsageError(Phrase("there is no family `{name}`; known families: {names}", name=family, names=known))
    return chosen


def _head(path: Path, language: str | None) -> GameHead | None:
    words = None if language is None else languages_of(path).get(language)
    return game_head(path, words)


def listed(entries: Sequence[tuple[FoundGame, GameHead | None]], width: int) -> Iterator[str]:
    """A line for each game, below its family: name, title, players, duration, and a sentence beside or below it."""
    families = by_family(entries)
    heads = [entry for _, members in families for entry in members]
    rows = [
        (game.name, head.title, ",".join(spanned(*run) for run in runs(head.counts)), minutes_of(head))
        for game, head in heads
    ]
    headings = {members[0][0]: family or "other games" for family, members in families} if len(families) > 1 else {}
    head_row = ("Game", "Title", "Players", "Minutes")
    widths = [max(cell_width(row[column]) for row in (head_row, *rows)) for column in range(len(head_row))]
    beside = sum(widths) + len(GAP) * len(widths)
    wide = width >= WIDE and beside < width - MIN_LINE_COLUMNS
    yield _row(head_row, widths).rstrip()
    for row, (game, head) in zip(rows, heads, strict=True):
        if game in headings:
            yield from ("", f"{headings[game][:1].upper()}{headings[game][1:]}")
        if not wide:
            yield _row(row, widths).rstrip()
            yield from (f"    {line}" for line in wrapped(head.sentence, width - 4))
            continue
        first, *rest = wrapped(head.sentence, width - beside)
        yield f"{_row(row, widths)}{GAP}{first}".rstrip()
        yield from (f"{' ' * beside}{line}" for line in rest)
    for game in (game for game, head in entries if head is None):
        yield f"{game.name} cannot be read: regelwerk check {game.path}"
    yield ""
    yield "details of a game: regelwerk games GAME"


def _row(texts: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(padded(text, width) for text, width in zip(texts, widths, strict=True))


def spanned(least: int, most: int) -> str:
    """Two numbers as one text: `2-5`, or `2` if they are the same."""
    return str(least) if least == most else f"{least}-{most}"


def minutes_of(head: GameHead) -> str:
    """How many minutes a game takes; empty if it does not say so."""
    return "" if head.minutes is None else spanned(*head.minutes)
