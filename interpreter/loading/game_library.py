"""The library of games: the current folder, the user's own games folder, the shipped games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import MAX_FILE_SIZE, Unreadable, files_in, has_suffix, is_file, read_file, special_at
from dsl.text.folders import EXAMPLES_SUFFIX, SUFFIX, shipped_folder, user_folder
from dsl.text.variant_files import head_of
from dsl.text.visible import visible
from interpreter.errors import UnknownGameError, thing
from interpreter.loading.game_heads import game_head
from interpreter.wording.phrases import NONE, Phrase, alternatives, did_you_mean

MIN_PART_LENGTH = 3
"""Fewer letters within a name do not name a game."""

Origin = Literal["here", "user", "shipped", "path"]


@dataclass(frozen=True)
class FoundGame:
    """A game in the library, or one given by path; `name` is its file name without `.rules`."""

    name: str
    path: Path
    origin: Origin


def all_games() -> list[FoundGame]:
    """Every game that can be named, nearest first; of games with the same name only the nearest counts."""
    games: dict[str, FoundGame] = {}
    for game in _all_found():
        games.setdefault(game.name, game)
    return list(games.values())


def _all_found() -> Iterator[FoundGame]:
    for folder, origin in _folders():
        for path in files_in(folder, SUFFIX):
            if _is_game(path):
                yield FoundGame(path.name.removesuffix(SUFFIX), path, origin)


def _folders() -> list[tuple[Path, Origin]]:
    return [(Path.cwd(), "here"), (user_folder(), "user"), (shipped_folder(), "shipped")]


def _is_game(path: Path) -> bool:
    return not path.name.endswith(EXAMPLES_SUFFIX) and head_of(path) is None


def game_named(name: str) -> Path | None:
    """The rules file of the nearest game with exactly this name, or None.

    Other files are not read, as that would take a hundredth of a second.
    """
    file = f"{name}{SUFFIX}"
    paths = (path for folder, _ in _folders() for path in files_in(folder, file) if path.name == file)
    return next(filter(_is_game, paths), None)


def find(name: str) -> Path:
    """Find the rules file of a game by path, name, title, or a beginning or part of these that only one game has.

    Capitals, blanks and signs do not matter. Raises UnknownGameError with suggestions.
    """
    path = Path(name)
    if name.endswith(SUFFIX) or path.parent != Path():
        if not is_file(path):
            kind = special_at(path)
            raise UnknownGameError(
                Phrase("`{name}` is {kind}, not a file", name=name, kind=thing(kind))
                if kind
                else Phrase("there is no rules file `{name}`", name=name)
            )
        if not has_suffix(path, SUFFIX):
            raise UnknownGameError(
                Phrase("`{name}` is not a rules file: its name does not end in `{suffix}`", name=name, suffix=SUFFIX)
            )
        return path
    path_of_name = game_named(name)
    if path_of_name is not None:
        return path_of_name
    matching_games = _meant(_plain(name), all_games()) if _plain(name) else []
    if len(matching_games) > 1:
        raise UnknownGameError(
            Phrase("`{name}` may be {games}", name=name, games=alternatives([game.name for game in matching_games]))
        )
    return matching_games[0].path if matching_games else find_named(name)


def _meant(text: str, games: Sequence[FoundGame]) -> list[FoundGame]:
    """The games that a text names: in full, else by a beginning, else by a part of their names or titles."""
    names = {game.path: [_plain(game.name)] for game in games}
    titles = {game.path: [_plain(head.title)] if (head := game_head(game.path)) else [] for game in games}
    for words_of in (names, titles):
        for matches in (str.__eq__, str.startswith):
            if matching := [game for game in games if any(matches(word, text) for word in words_of[game.path])]:
                return matching
    both = {path: [*names[path], *titles[path]] for path in names}
    return [game for game in games if len(text) >= MIN_PART_LENGTH and any(text in word for word in both[game.path])]


def _plain(text: str) -> str:
    """A name or title as it is compared: its letters and digits."""
    return "".join(character for character in text.casefold() if character.isalnum())


def find_named(name: str) -> Path:
    """Find the rules file of a game by its name alone. Raises UnknownGameError with suggestions."""
    path = game_named(name)
    if path is not None:
        return path
    names = [game.name for game in all_games()]
    close = get_close_matches(name, names, n=3, cutoff=0.6)
    hint = did_you_mean(close) or Phrase("; known games: {names}", names=", ".join(sorted(names)) or NONE)
    raise UnknownGameError(Phrase("there is no game `{name}`{hint}", name=name, hint=hint))


def companion_of(path: Path) -> Path | None:
    """The companion file of examples beside a rules file, if there is one."""
    companion = path.with_name(path.name.removesuffix(SUFFIX) + EXAMPLES_SUFFIX)
    return companion if _is_beside(companion, path) else None


def _is_beside(file: Path, path: Path) -> bool:
    """True if there is a file beside another that is not a link to somewhere else."""
    return is_file(file) and file.resolve().is_relative_to(path.parent.resolve())


def items_file(path: Path) -> Path | None:
    """The file of rulebook items beside a rules file, if there is one."""
    items = path.with_name(path.name.removesuffix(SUFFIX) + ".items")
    return items if _is_beside(items, path) else None


def items_of(path: Path) -> dict[str, str] | None:
    """The rulebook items beside a rules file, id to text; None if there is no such file."""
    items = items_file(path)
    if items is None:
        return None
    texts: dict[str, str] = {}
    try:
        lines = read_file(items, MAX_FILE_SIZE)[:MAX_FILE_SIZE].decode("utf-8", "replace").splitlines()
    except Unreadable:
        return None
    for line in lines:
        if line.strip() and not line.startswith("#"):
            item, _, text = line.partition(" ")
            texts[item] = visible(text.strip())
    return texts


__all__ = [
    "EXAMPLES_SUFFIX",
    "SUFFIX",
    "FoundGame",
    "Origin",
    "all_games",
    "companion_of",
    "find",
    "find_named",
    "game_named",
    "items_file",
    "items_of",
    "shipped_folder",
    "user_folder",
]
