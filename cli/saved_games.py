"""The saves in the user's folder, newest first, and choosing one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rich.table import Table
from rich.text import Text

from cli.errors import CommandError
from cli.play.seats import HUMAN
from cli.render.echo import echo
from cli.render.screen import screen
from cli.save_paths import ENDING, save_name, short
from cli.viewer.opening import is_at_terminal
from dsl.text.files import Unreadable, is_file, read_file
from dsl.text.folders import saves_folder
from dsl.text.nouns import counted
from dsl.text.numbers import is_number, whole_number
from dsl.text.visible import brief
from interpreter.errors import SaveError
from interpreter.saves.files import FORMAT, read_save

OFFERED = 15
"""Maximum number of saves among which a person is asked to choose."""
WIDE = 36
"""Number of characters up to which names are not broken into lines."""
HEAD = 200
"""Number of bytes at the beginning of a file that identify a save."""


@dataclass(frozen=True)
class SavedGame:
    """An entry in the list of saves. `problem` is the reason why it cannot be read; then little else is known.

    `decisions` counts those that every seat knows of; it and `over` are None for saves without this information.
    """

    path: Path
    name: str
    modified: datetime
    game: str = ""
    title: str = ""
    seats: tuple[tuple[str, str], ...] = ()
    decisions: int | None = None
    over: bool | None = None
    problem: str = ""

    @property
    def players(self) -> str:
        """The persons by their seats, and the number of bots."""
        persons = [seat for seat, kind in self.seats if kind == HUMAN]
        bots = len(self.seats) - len(persons)
        return ", ".join([*persons, *[counted(bots, "bot")] * bool(bots)])

    @property
    def progress(self) -> str:
        """The progress of the game, in words."""
        if self.problem:
            return "cannot be read"
        number = "" if self.decisions is None else counted(self.decisions, "decision")
        return ", ".join(part for part in ("over" if self.over else "", number) if part) or "unknown"


def saved_game(path: Path) -> SavedGame | None:
    """The entry of a save; None if the file is not a save, or has just been deleted."""
    name = save_name(path) or short(path.absolute())
    try:
        modified = datetime.fromtimestamp(path.stat().st_mtime)
        saved = read_save(path)
    except SaveError as fault:
        return SavedGame(path, name, modified, problem=str(fault)) if _says_it_is_a_save(path) else None
    except OSError:
        return None
    progress, seats = saved.progress, tuple((seat, saved.seats.get(seat, "")) for seat in saved.players)
    return SavedGame(
        path, name, modified, saved.game, saved.title, seats,
        None if progress is None else progress.decisions, None if progress is None else progress.over,
    )  # fmt: skip


def _says_it_is_a_save(path: Path) -> bool:
    """True for a file that begins like a save, even if the rest is damaged."""
    try:
        head = read_file(path, HEAD)
    except Unreadable:
        return False
    return head.lstrip().startswith(b"{") and f'"format": "{FORMAT}"'.encode() in head


def saved_games() -> list[SavedGame]:
    """All saves in the user's folder, newest first; other files there are ignored."""
    paths = [path for path in saves_folder().glob(f"*{ENDING}") if is_file(path)]
    found = [game for path in paths if (game := saved_game(path)) is not None]
    return sorted(found, key=lambda one: (one.modified, one.name), reverse=True)


def listed(games: Sequence[SavedGame], *, numbered: bool = False) -> Table:
    """The saves as a table, one line each."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in (*["#"] * numbered, "name", "game", "players", "last played", "progress"):
        one_line = heading == "last played" or (heading == "name" and all(len(one.name) <= WIDE for one in games))
        grid.add_column(heading, overflow="fold", justify="right" if heading == "#" else "left", no_wrap=one_line)
    for number, one in enumerate(games, start=1):
        cells = [
            Text(one.name, style="bold"), Text(brief(one.title)), Text(brief(one.players)),
            Text(_day(one.modified)), Text(one.progress, style="bright_red" if one.problem else ""),
        ]  # fmt: skip
        grid.add_row(*[Text(str(number))] * numbered, *cells)
    return grid


def _day(moment: datetime) -> str:
    """The time of day if it was today, else the date."""
    return f"today {moment:%H:%M}" if moment.date() == datetime.now().date() else f"{moment:%Y-%m-%d}"


def newest_save(game: str | None = None, *, unfinished: bool = False) -> Path:
    """Let the person choose a save, the newest first; in a pipe, take the newest and say which.

    Only saves of a `game` if one is given; `unfinished`: only those that can be continued. Raises CommandError.
    """
    found = [
        one for one in saved_games() if not one.problem and game in (None, one.game) and not (unfinished and one.over)
    ]
    if not found:
        kind = " of an unfinished game" if unfinished else " of a game" if game else ""
        of = f" of {brief(game)}" if game else ""
        raise CommandError(f"there is no save{kind}{of} in {short(saves_folder())} yet")
    asked = len(found) > 1 and is_at_terminal()
    chosen = _chosen(found[:OFFERED]) if asked else found[0]
    if not asked:
        echo(f"the newest save: {chosen.name}", err=True)
    return chosen.path


def _chosen(found: Sequence[SavedGame]) -> SavedGame:
    """Ask for one of several saves by its number or name; just Enter means the first."""
    console = screen()
    console.print(listed(found, numbered=True))
    while True:
        line = input(f"which one? [1 is {found[0].name}] ").strip()
        if not line:
            return found[0]
        number = whole_number(line) if is_number(line) else None
        if number is not None and 1 <= number <= len(found):
            return found[number - 1]
        named = [one for one in found if one.name == line] or [one for one in found if one.name.startswith(line)]
        if len(named) == 1:
            return named[0]
        echo(f"type a number from 1 to {len(found)}, or a name; Enter takes {found[0].name}")
