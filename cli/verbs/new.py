"""`new NAME`: write a small game to begin with."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, get_args

import typer

from cli.arguments import rules_file
from cli.errors import MisuseError, suggestion
from cli.output_files import write_shared
from cli.render.echo import asked, echo
from cli.save_paths import short
from cli.verbs.copy import copied
from dsl.text.files import expanded, is_there
from dsl.text.folders import SUFFIX
from dsl.text.visible import brief
from interpreter.authoring.starting import MIN_SEATS, SEATS, Ending, Kind, Sight, StartingPoint, first_version

NAME = re.compile(r"[a-z][a-z0-9_]*")
NUMBERS = re.compile(r"(\d{1,2})(?:(?:\.\.|-| to )(\d{1,2}))?")

QUESTIONS = {
    "players": f"How many players? a number or a range, {MIN_SEATS} to {len(SEATS)}",
    "kind": "Cards, or stones on a board?",
    "sight": "Is anything hidden from the others?",
    "ending": "How does it end?",
}
ANSWERS: Mapping[str, Mapping[str, str]] = {
    "kind": {"cards": "cards in hand", "board": "stones on a board"},
    "sight": {"hidden": "hands are hidden, or something else is", "open": "everybody sees everything"},
    "ending": {
        "points": "most points when nothing is left", "race": "whoever is first to reach a goal",
        "last": "whoever is the last who can play",
    },
}  # fmt: skip


def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the game: small letters, digits and `_`, a letter first.")
    ],
    players: Annotated[str | None, typer.Option(metavar="N|N..M", help="Number of players, such as 2 or 2..4.")] = None,
    kind: Annotated[str | None, typer.Option(metavar="|".join(get_args(Kind)), help="What it is played with.")] = None,
    sight: Annotated[
        str | None, typer.Option(metavar="|".join(get_args(Sight)), help="Whether anything is hidden from others.")
    ] = None,
    ending: Annotated[str | None, typer.Option(metavar="|".join(get_args(Ending)), help="How it ends.")] = None,
    game: Annotated[
        str | None, typer.Option("--from", metavar="GAME", help="Start from a copy of this game instead.")
    ] = None,
) -> None:
    """Write a small game to begin with.

    It checks, tests and plays, and its comments say what every part is for. On a terminal you are asked for what no
    flag says. With --from, the game is copied into a folder of this name.
    """
    if not NAME.fullmatch(name.removesuffix(SUFFIX)):
        raise MisuseError(
            f"`{brief(name)}` cannot be the name of a game: use small letters, digits and `_`, a letter first"
        )
    name = name.removesuffix(SUFFIX)
    given = {"players": players, "kind": kind, "sight": sight, "ending": ending}
    if game is not None:
        if flags := [flag for flag, value in given.items() if value is not None]:
            raise MisuseError(f"--from takes the game as it is; --{flags[0]} cannot be combined with it")
        copied(rules_file(game), name)
        return
    path = expanded(name + SUFFIX)
    if is_there(path):
        raise MisuseError(f"{short(path.absolute())} already exists; choose another name")
    start = starting_point(given)
    write_shared(path, first_version(start, name.replace("_", " ").capitalize(), path.name).encode())
    echo(f"wrote {short(path.absolute())}")
    _advise(path)


def _advise(rules: Path) -> None:
    """What to do with the new game."""
    for verb, about in (("play", "play it"), ("check", "after every few lines"), ("test", "run its examples")):
        echo(f"  {f'regelwerk {verb} {short(rules.absolute())}':<40} {about}")


def starting_point(given: Mapping[str, str | None]) -> StartingPoint:
    """How the game is to be, from flags and, on a terminal, from answers. Raises MisuseError, EOFError."""
    start, is_asked = StartingPoint(), sys.stdin.isatty()
    for trait, value in given.items():
        if value is not None:
            start = _with(start, trait, value)
        elif is_asked:
            start = _answered(start, trait)
    return start


def _answered(start: StartingPoint, trait: str) -> StartingPoint:
    """Ask for one trait until the answer fits; an empty answer takes the default."""
    answers = ANSWERS.get(trait, {})
    default = f"{start.fewest}..{start.most}" if trait == "players" else getattr(start, trait)
    echo(QUESTIONS[trait])
    for number, (answer, about) in enumerate(answers.items(), start=1):
        echo(f"  {number} {answer:<8} {about}")
    while True:
        text = asked(f"[{default}] ").strip() or default
        if answers and text.isdecimal() and 0 < int(text) <= len(answers):
            text = list(answers)[int(text) - 1]
        try:
            return _with(start, trait, text)
        except MisuseError as fault:
            echo(str(fault))


def _with(start: StartingPoint, trait: str, text: str) -> StartingPoint:
    """The same with another trait. Raises MisuseError."""
    if trait == "players":
        return _with_players(start, text)
    for kind in get_args(Kind):
        if (trait, text) == ("kind", kind):
            return replace(start, kind=kind)
    for sight in get_args(Sight):
        if (trait, text) == ("sight", sight):
            return replace(start, sight=sight)
    for ending in get_args(Ending):
        if (trait, text) == ("ending", ending):
            return replace(start, ending=ending)
    answers = ANSWERS[trait]
    raise MisuseError(f"--{trait} is {' or '.join(answers)}, not `{brief(text)}`{suggestion(text, answers)}")


def _with_players(start: StartingPoint, text: str) -> StartingPoint:
    match = NUMBERS.fullmatch(text.strip())
    fewest, most = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not MIN_SEATS <= fewest <= most <= len(SEATS):
        raise MisuseError(
            f"--players is a number from {MIN_SEATS} to {len(SEATS)}, or a range of them such as 2..4, "
            f"not `{brief(text)}`; any other number can be written into the file later"
        )
    return replace(start, fewest=fewest, most=most)
