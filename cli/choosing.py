"""Choosing what to play, if `play` is called without a game: a recent save, or a game from the list."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from cli.render.echo import asked, echo
from cli.render.moves import GAP, columns
from cli.render.screen import screen
from cli.saved_games import SavedGame, listed, saved_games
from dsl.text.cells import cell_width, padded
from dsl.text.numbers import is_number, whole_number
from dsl.text.visible import visible
from interpreter.errors import UnknownGameError
from interpreter.loading.game_heads import game_head
from interpreter.loading.game_library import FoundGame, all_games, find
from interpreter.loading.languages import languages_of
from interpreter.wording.words import Words

RECENT = 5
"""Maximum number of unfinished saves that are offered before the games."""


def chosen_to_play(words: Words, language: str | None) -> SavedGame | Path:
    """Let the person choose a save to resume or the rules file of a game, by number or name. Raises EOFError.

    `words` are those in which the command speaks; titles of games are in the `language` if they are translated.
    """
    saves = [save for save in saved_games() if not save.problem and not save.over][:RECENT]
    games = all_games()
    console = screen()
    if saves:
        console.print(Text(words.phrase("continue one of your games"), style="bold"))
        console.print(*listed(saves, console.width, words, numbered=True), sep="\n")
        echo("")
    console.print(Text(words.phrase("or begin a new one" if saves else "the games"), style="bold"))
    for line in _in_columns(games, len(saves) + 1, language):
        echo(line)
    hint = words.phrase("[1 is {name}] ", name=saves[0].name) if saves else ""
    question = words.phrase("which one? a number or a name; `q` stops ")
    while True:
        text = asked(f"{question}{hint}").strip()
        if text in ("q", "quit", "exit"):
            raise EOFError
        choice = _named(text or "1" * bool(saves), saves, games, words)
        if isinstance(choice, str):
            echo(choice)
        else:
            return choice


def _named(text: str, saves: Sequence[SavedGame], games: Sequence[FoundGame], words: Words) -> SavedGame | Path | str:
    """The save or game that a text names, or the reason why it names none."""
    number = whole_number(text) if is_number(text) else None
    if number is not None and 1 <= number <= len(saves):
        return saves[number - 1]
    if number is not None and len(saves) < number <= len(saves) + len(games):
        return games[number - len(saves) - 1].path
    same = [save for save in saves if save.name == text]
    if same:
        return same[0]
    if not text or is_number(text):
        return words.phrase("type a number from 1 to {number}, or a name", number=len(saves) + len(games))
    try:
        return find(text)
    except UnknownGameError as fault:
        return words.fault(fault)


def _in_columns(games: Sequence[FoundGame], first: int, language: str | None) -> list[str]:
    """The games with their numbers and titles, in as many columns as fit."""
    digits = len(str(first + len(games) - 1))
    texts = [f"{number:>{digits}} {_title(game, language)}" for number, game in enumerate(games, first)]
    layout = columns([cell_width(text) for text in texts], max(40, shutil.get_terminal_size().columns) - 1)
    return [
        (" " * GAP).join(padded(texts[index], layout.breadth) for index in line).rstrip()
        for line in layout.lines(len(texts))
    ]


def _title(game: FoundGame, language: str | None) -> str:
    """The title of a game, with its name if the title does not tell it."""
    head = game_head(game.path, languages_of(game.path).get(language or ""))
    title = visible(head.title) if head is not None else game.name
    plain = "".join(filter(str.isalnum, title.casefold()))
    return title if plain == game.name.replace("_", "") else f"{title} ({game.name})"
