"""The library of games: the current folder, the user's own games folder, the shipped games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from dsl.text.files import LARGEST, Unreadable, has_suffix, is_file, read_file, special_at
from dsl.text.folders import EXAMPLES_SUFFIX, SUFFIX, shipped_folder, user_folder
from dsl.text.variant_files import head_of
from dsl.text.visible import visible
from interpreter.errors import UnknownGameError

Origin = Literal["here", "user", "shipped", "path"]


@dataclass(frozen=True)
class FoundGame:
    """A game in the library, or one given by path; `name` is its file name without `.rules`."""

    name: str
    path: Path
    origin: Origin


def all_games() -> list[FoundGame]:
    """Every game that can be named, nearest first; of games with the same name only the nearest counts."""
    found: dict[str, FoundGame] = {}
    for game in _all_found():
        found.setdefault(game.name, game)
    return list(found.values())


def _all_found() -> Iterator[FoundGame]:
    folders: list[tuple[Path, Origin]] = [(Path.cwd(), "here"), (user_folder(), "user"), (shipped_folder(), "shipped")]
    for folder, origin in folders:
        try:
            paths = sorted(folder.glob(f"*{SUFFIX}"))
        except OSError:
            continue
        for path in paths:
            if is_file(path) and not path.name.endswith(EXAMPLES_SUFFIX) and head_of(path) is None:
                yield FoundGame(path.name.removesuffix(SUFFIX), path, origin)


def find(name: str) -> Path:
    """Find the rules file of a game by name or path. Raises UnknownGameError with suggestions."""
    path = Path(name)
    if name.endswith(SUFFIX) or path.parent != Path():
        if not is_file(path):
            kind = special_at(path)
            raise UnknownGameError(f"`{name}` is {kind}, not a file" if kind else f"there is no rules file `{name}`")
        if not has_suffix(path, SUFFIX):
            raise UnknownGameError(f"`{name}` is not a rules file: its name does not end in `{SUFFIX}`")
        return path
    return find_named(name)


def find_named(name: str) -> Path:
    """Find the rules file of a game by its name alone. Raises UnknownGameError with suggestions."""
    games = {game.name: game for game in all_games()}
    if name in games:
        return games[name].path
    close = get_close_matches(name, games, n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(close)}?" if close else f"known games: {', '.join(sorted(games)) or 'none'}"
    raise UnknownGameError(f"there is no game `{name}`; {hint}")


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
    found: dict[str, str] = {}
    try:
        lines = read_file(items, LARGEST)[:LARGEST].decode("utf-8", "replace").splitlines()
    except Unreadable:
        return None
    for line in lines:
        if line.strip() and not line.startswith("#"):
            item, _, text = line.partition(" ")
            found[item] = visible(text.strip())
    return found


__all__ = [
    "EXAMPLES_SUFFIX",
    "SUFFIX",
    "FoundGame",
    "Origin",
    "all_games",
    "companion_of",
    "find",
    "find_named",
    "items_file",
    "items_of",
    "shipped_folder",
    "user_folder",
]
