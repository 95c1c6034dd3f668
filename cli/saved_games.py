"""The saves in the user's folder, newest first, and choosing one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from cli.errors import CommandError
from cli.render.echo import asked, echo
from cli.render.pieces import Hanging
from cli.render.screen import screen
from cli.render.tables import GRID_GAP, plain_grid
from cli.save_paths import ENDING, save_name, short
from cli.viewer.opening import is_at_terminal
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width
from dsl.text.files import Unreadable, is_file, read_file
from dsl.text.folders import saves_folder
from dsl.text.numbers import is_number, whole_number
from dsl.text.visible import brief
from interpreter.errors import SaveError
from interpreter.play.saves.files import FORMAT, PERSON, read_save
from interpreter.play.saves.tables import table_at, tables_in
from interpreter.seat.explain.outcome import VERDICTS
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN, Words

OFFERED = 15
"""Maximum number of saves among which a person is asked to choose."""
HEADINGS = (Phrase("name"), Phrase("game"), Phrase("players"), Phrase("last played"), Phrase("progress"))
"""The columns of the list."""
HEAD = 200
"""Number of bytes at the beginning of a file that identify a save."""


@dataclass(frozen=True)
class SavedGame:
    """An entry in the list of saves. `problem` is the reason why it cannot be read; then little else is known.

    `decisions` counts those that every seat knows of. `result` says who has won a game that is over.
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
    result: str = ""

    def players(self, words: Words) -> str:
        """The persons by their seats, and the number of bots."""
        persons = [seat for seat, kind in self.seats if kind == PERSON]
        bots = len(self.seats) - len(persons)
        return ", ".join([*persons, *[words.counted_phrase("{number} bot", "{number} bots", bots)] * bool(bots)])

    def progress(self, words: Words) -> str:
        """The progress of the game, or its result."""
        if self.problem:
            return words.phrase("cannot be read")
        assert self.decisions is not None
        number = words.counted_phrase("{number} decision", "{number} decisions", self.decisions)
        return f"{words.retold(self.result, VERDICTS) or words.phrase('finished')}, {number}" if self.over else number


def saved_game(path: Path) -> SavedGame | None:
    """The entry of a save; None if the file is not a save, or has just been deleted.

    Raises SaveError for a table in a file that holds none.
    """
    name, table = save_name(path) or short(path.absolute()), table_at(path)
    if table is not None:
        return next((save for save in saved_tables(table[0]) if save.path == path), None)
    try:
        modified = datetime.fromtimestamp(path.stat().st_mtime)
        saved = read_save(path)
    except SaveError as fault:
        return SavedGame(path, name, modified, problem=fault.message) if _says_it_is_a_save(path) else None
    except OSError:
        return None
    progress, seats = saved.progress, tuple((seat, saved.seats.get(seat, "")) for seat in saved.players)
    return SavedGame(
        path, name, modified, saved.game, saved.title, seats,
        progress.decisions, progress.over, result=progress.result,
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
    saves = [game for path in paths if (game := saved_game(path)) is not None]
    return newest_first(saves)


def saved_tables(path: Path) -> list[SavedGame]:
    """The tables in a file of the server, newest first. Raises SaveError."""
    tables = [
        SavedGame(
            path / table.id, save_name(path / table.id) or short((path / table.id).absolute()),
            datetime.fromtimestamp(table.changed), table.game, table.title, table.kinds,
            table.decisions, table.over, result=table.result,
        )
        for table in tables_in(path)
    ]  # fmt: skip
    return newest_first(tables)


def newest_first(saves: Iterable[SavedGame]) -> list[SavedGame]:
    """Saves, the last changed one first."""
    return sorted(saves, key=lambda save: (save.modified, save.name), reverse=True)


def listed(
    games: Sequence[SavedGame], width: int, words: Words = PLAIN, *, numbered: bool = False
) -> Iterator[RenderableType]:
    """The saves, as a table if no word has to be broken for it; else each by its name, with the rest below."""
    headings = [*["#"] * numbered, *(words.phrase(heading) for heading in HEADINGS)]
    rows = [[*[Text(str(number))] * numbered, *_row(save, words)] for number, save in enumerate(games, start=1)]
    columns = list(zip(map(Text, headings), *rows, strict=True))
    breadths = [max(map(_longest_word, column)) for column in columns]
    room = width - sum(breadths) - GRID_GAP * len(breadths)
    if room < 0:
        for row in rows:
            yield Text(" ").join(row[: 1 + numbered])
            yield Hanging(Text("    "), Text("; ").join(row[1 + numbered :]))
        return
    grid = plain_grid()
    for heading, breadth, column in zip(headings, breadths, columns, strict=True):
        more = min(room, max(text.cell_len for text in column) - breadth)
        room -= more  # the library would narrow the broadest column, and break its words
        grid.add_column(heading, justify="right" if heading == "#" else "left", width=breadth + more)
    for row in rows:
        grid.add_row(*row)
    yield grid


def _longest_word(text: Text) -> int:
    return max(map(cell_width, text.plain.split(" ")))


def _row(game: SavedGame, words: Words) -> list[Text]:
    """The columns of a save, in the order of `HEADINGS`."""
    return [
        Text(game.name, style="bold"), Text(brief(game.title)), Text(brief(game.players(words))),
        Text(_day(game.modified, words)), Text(brief(game.progress(words)), style="bright_red" if game.problem else ""),
    ]  # fmt: skip


def _day(moment: datetime, words: Words) -> str:
    """The time of day if it was today, else the date."""
    if moment.date() == datetime.now().date():
        return words.phrase("today {time}", time=f"{moment:%H:%M}")
    return f"{moment:%Y-%m-%d}"


def newest_save(game: str | None = None, *, unfinished: bool = False, words: Words = PLAIN) -> Path:
    """Let the person choose a save, the newest first; in a pipe, take the newest and say which.

    Only saves of a `game` if one is given; `unfinished`: only those that can be continued. Raises CommandError.
    """
    saves = [
        save
        for save in saved_games()
        if not save.problem and game in (None, save.game) and not (unfinished and save.over)
    ]
    if not saves:
        missing = (
            Phrase("there is no save of an unfinished game of {game} in {folder} yet")
            if unfinished and game
            else Phrase("there is no save of a game of {game} in {folder} yet")
            if game
            else Phrase("there is no save of an unfinished game in {folder} yet")
            if unfinished
            else Phrase("there is no save in {folder} yet")
        )
        raise CommandError(Phrase(missing.template, game=brief(game), folder=short(saves_folder())))
    can_ask = len(saves) > 1 and is_at_terminal()
    chosen = _chosen(saves[:OFFERED], words) if can_ask else saves[0]
    if not can_ask:
        echo(words.phrase("the newest save: {name}", name=chosen.name), err=True)
    return chosen.path


def _chosen(saves: Sequence[SavedGame], words: Words) -> SavedGame:
    """Ask for one of several saves by its number or name; just Enter means the first."""
    console = screen()
    console.print(*listed(saves, console.width, words, numbered=True), sep="\n")
    question = f"{words.phrase('which one? ')}{words.phrase('[1 is {name}] ', name=saves[0].name)}"
    while True:
        line = asked(question).strip()
        if not line:
            return saves[0]
        number = whole_number(line) if is_number(line) else None
        if number is not None and 1 <= number <= len(saves):
            return saves[number - 1]
        named = [save for save in saves if save.name == line] or [save for save in saves if save.name.startswith(line)]
        if len(named) == 1:
            return named[0]
        echo(
            words.phrase(
                "type a number from 1 to {number}, or a name; Enter takes {name}",
                number=len(saves), name=saves[0].name,
            )
        )  # fmt: skip
