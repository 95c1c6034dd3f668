"""Parsing of command-line arguments: `--option k=v`, `--players`, the game itself."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cli.errors import CommandError, MisuseError, speak
from dsl.diagnostics import Diagnostic, RulesError
from dsl.syntax.prescan import source_of
from dsl.text.files import Unreadable, expanded, is_file, is_there, read_file
from dsl.text.numbers import is_number, whole_number
from interpreter.loading.game_library import EXAMPLES_SUFFIX, SUFFIX, find
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from dsl.text.span import Source
    from interpreter.play.game import Game

SomeGame = TypeVar("SomeGame", bound="Game")

MAX_POSITION_BYTES = 1_000_000
"""Maximum size of a position in a file."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game, or path of a .rules file.")]
Players = Annotated[
    str | None, typer.Option("--players", metavar="N|NAMES", help="Number of players, or their seats: red,blue.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of the game; may be repeated."),
]
OwnBoard = Annotated[
    str | None,
    typer.Option("--board", metavar="FILE", help="A custom board file, used instead of the one in the rules."),
]
Variants = Annotated[
    list[str] | None, typer.Option("--variant", metavar="NAME", help="Name or path of a variant; may be repeated.")
]


From = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="FILE", help="Begin in the position in this file, which `position` prints; -: standard input."
    ),
]


RulesOfSave = Annotated[
    str,
    typer.Option(
        "--rules", metavar="saved|new", help="The rules: as its file is now, or those with which the game began."
    ),
]


def _spoken(language: str | None) -> str | None:
    """Say errors in the chosen language, too."""
    speak(language)
    return language


Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        help="Show names and texts of the game in this language: de.",
        callback=_spoken,
    ),
]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="J", help="Worker processes (default: one per CPU).")]
Json = Annotated[str, typer.Option("--format", metavar="text|json", help="Output format.")]


def wants_json(form: str) -> bool:
    """True if `--format` asks for JSON. Raises MisuseError for anything but text and json."""
    if form not in ("text", "json"):
        raise MisuseError(Phrase("--format must be text or json, not {format}", format=form))
    return form == "json"


def pairs(texts: Sequence[str] | None, flag: str, example: str) -> dict[str, str]:
    """Parse `NAME=VALUE` texts into a dict, allowing each name only once. Raises MisuseError."""
    values: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise MisuseError(Phrase("{flag} expects {example}, not {text!r}", flag=flag, example=example, text=text))
        if values.setdefault(name, value) != value:
            raise MisuseError(
                Phrase(
                    "{flag} {name} is given twice, as {first} and as {second}",
                    flag=flag, name=name, first=values[name], second=value,
                )
            )  # fmt: skip
    return values


def read_players(text: str | None) -> int | tuple[str, ...] | None:
    """Parse `3` or `red,blue`. Raises MisuseError."""
    if text is None:
        return None
    if is_number(text):
        number = whole_number(text)
        if number is None:
            raise MisuseError(
                Phrase("--players expects a number of players or names of seats; this number is too large")
            )
        return number
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise MisuseError(Phrase("--players expects a number of players or names of seats"))
    return names


SIDE = "Name or path of a game or variant; GAME+VARIANT applies a variant."
OTHER_SIDE = "The same, or a variant of A's game."


def side_of(text: str, base: Path | None) -> tuple[Path, list[str]]:
    """The rules file and the variants that one side of a comparison names; `base` is the game of a variant named alone.

    The name of such a variant is not taken for the beginning of a game's name. Raises UnknownGameError.
    """
    from interpreter.errors import UnknownGameError  # start-up of --help, --version and fmt, which do not need it
    from interpreter.loading.variants import variants_of

    if is_file(Path(text)):
        return Path(text), []
    name, *variants = text.split("+")
    if base is not None and any(variant.name == name for variant in variants_of(base)):
        return base, [name, *variants]
    try:
        return find(name), variants
    except UnknownGameError:
        if base is None:
            raise
        return base, [name, *variants]


def board_file(text: str | None) -> Path | None:
    """Path given by `--board`."""
    return None if text is None else expanded(text)


def open_game(
    name: str, players: int | Sequence[str] | None, options: Mapping[str, str], board: Path | None = None,
    variants: Sequence[str | Path] | None = None, language: str | None = None, position: str | None = None,
) -> Game:  # fmt: skip
    """Open a game, checked and ready to start, with its texts in a language or, if that is None, in its own words.

    It begins in the `position` of a file, if one is named.
    """
    from interpreter.play.game import load  # start-up of what only lists games
    from interpreter.wording.words import OWN

    source = position_from(position)
    game = load(
        name, players=players, options=options, board=board, variants=variants or (), language=language or OWN
    )  # fmt: skip
    return begun_at(game, source, players=players is not None, options=options)


def position_from(text: str | None) -> Source | None:
    """The position that `--from` names, read from its file or from standard input. Raises CommandError."""
    if text is None:
        return None
    if text == "-":
        data, name = sys.stdin.buffer.read(), "standard input"
    else:
        name = text
        try:
            data = read_file(expanded(text), MAX_POSITION_BYTES)
        except Unreadable as fault:
            why = Phrase("no such file") if fault.kind == "missing" else fault.why
            raise CommandError(Phrase("{path}: {reason}", path=text, reason=why)) from None
    source = source_of(data, name)
    if isinstance(source, Diagnostic):
        raise RulesError([source])
    return source


def begun_at(game: SomeGame, position: Source | None, *, players: bool, options: Collection[str]) -> SomeGame:
    """The game, begun in a position; `players` and `options` say what flags have chosen, which it may not contradict.

    Raises MisuseError, RulesError and PositionError.
    """
    if position is None:
        return game
    from interpreter.play.scenes.starting import game_at  # start-up of play without it

    begun = game_at(game, position)
    if players and begun.seats != game.seats:
        raise MisuseError(Phrase("the position is one of {seats}: omit --players", seats=", ".join(begun.seats)))
    for name in options:
        if begun.options[name] != game.options[name]:
            raise MisuseError(
                Phrase("in the position {option} is {value}: omit --option", option=name, value=begun.options[name])
            )
    return begun


def rules_file(name: str) -> Path:
    """Find the rules file an argument refers to: a path or the name of a game; an example file means its game."""
    path = expanded(name)
    game = path.parent / (path.name.removesuffix(EXAMPLES_SUFFIX) + SUFFIX)
    if path.name.endswith(EXAMPLES_SUFFIX) and is_file(game):
        return game
    return path if is_there(path) else find(name)


MAX_GAMES, MAX_JOBS = 10_000_000, 256


def no_more_than(most: int, flag: str, number: int | None) -> None:
    """Reject a number too large ever to finish. Raises MisuseError."""
    if number is not None and number > most:
        raise MisuseError(f"{flag} must be at most {most}")


def check_amounts(games: int, jobs: int | None, most: int = MAX_GAMES) -> None:
    """Reject a number of games or of worker processes that makes no sense. Raises MisuseError."""
    if games < 1:
        raise MisuseError("--games must be at least 1")
    no_more_than(most, "--games", games)
    check_jobs(jobs)


def check_jobs(jobs: int | None) -> None:
    """Reject a number of worker processes that makes no sense. Raises MisuseError."""
    if jobs is not None and jobs < 1:
        raise MisuseError("--jobs must be at least 1")
    no_more_than(MAX_JOBS, "--jobs", jobs)


MAX_SECONDS = 1_000_000


def check_seconds(time: float) -> None:
    """Reject a time in seconds that makes no sense. Raises MisuseError."""
    if not 0 < time <= MAX_SECONDS:
        raise MisuseError(f"--time must be above 0, and at most {MAX_SECONDS}")
