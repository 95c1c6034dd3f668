"""Parsing of command-line arguments: `--option k=v`, `--players`, the game itself."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import CommandError, MisuseError, speak
from dsl.text.files import expanded, is_file, is_there, special_at
from dsl.text.numbers import is_number, whole_number
from interpreter.errors import thing
from interpreter.loading.game_library import EXAMPLES_SUFFIX, SUFFIX, find
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.play.game import Game

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

    Raises UnknownGameError.
    """
    from interpreter.errors import UnknownGameError  # start-up of --help, --version and fmt, which do not need it

    if is_file(Path(text)):
        return Path(text), []
    name, *variants = text.split("+")
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
    variants: Sequence[str | Path] | None = None, language: str | None = None,
) -> Game:  # fmt: skip
    """Open a game, checked and ready to start, with its texts in a language or, if that is None, in its own words."""
    from interpreter.play.game import load  # start-up of what only lists games
    from interpreter.wording.words import OWN

    return load(
        name, players=players, options=options, board=board, variants=variants or (), language=language or OWN
    )  # fmt: skip


def rules_file(name: str) -> Path:
    """Find the rules file an argument refers to: a path or the name of a game; an example file means its game."""
    path = expanded(name)
    game = path.with_name(path.name.removesuffix(EXAMPLES_SUFFIX) + SUFFIX)
    if path.name.endswith(EXAMPLES_SUFFIX) and is_file(game):
        return game
    return path if is_there(path) else find(name)


def output_file(text: str, flag: str) -> Path:
    """Path of a file that a flag asks to be written. Raises MisuseError if something else is in its place."""
    path = expanded(text)
    kind = special_at(path)
    if kind:
        raise MisuseError(Phrase("{flag} {path} is {thing}, not a file", flag=flag, path=text, thing=thing(kind)))
    return path


def in_writable_folder(path: Path, flag: str) -> Path:
    """The path, if its folder is writable: to be called before anything is computed. Raises CommandError."""
    if not path.parent.is_dir():
        raise CommandError(
            Phrase("{folder}: no such folder; {flag} needs an existing one", folder=path.parent, flag=flag)
        )
    if not os.access(path.parent, os.W_OK):
        raise CommandError(
            Phrase("{folder}: no permission to write; {flag} needs another folder", folder=path.parent, flag=flag)
        )
    return path


MOST_GAMES, MOST_JOBS = 10_000_000, 256


def no_more_than(most: int, flag: str, number: int | None) -> None:
    """Reject a number too large ever to finish. Raises MisuseError."""
    if number is not None and number > most:
        raise MisuseError(f"{flag} must be at most {most}")


def check_amounts(games: int, jobs: int | None, most: int = MOST_GAMES) -> None:
    """Reject a number of games or of worker processes that makes no sense. Raises MisuseError."""
    if games < 1:
        raise MisuseError("--games must be at least 1")
    no_more_than(most, "--games", games)
    if jobs is not None and jobs < 1:
        raise MisuseError("--jobs must be at least 1")
    no_more_than(MOST_JOBS, "--jobs", jobs)
