"""The games of the open tables: each is read and compiled once, however many tables play it.

Reading a large game takes half a second, during which a server that has just been started would have all its tables to
open, and most of the memory of a table is its game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from weakref import WeakValueDictionary

from interpreter.loading.rules import files_of
from interpreter.play.game import Game, load
from interpreter.wording.words import OWN

Choice = tuple[Path, tuple[str, ...], tuple[tuple[str, str], ...], Path | None, tuple[Path, ...]]
"""The rules, the seats, the options, the board and the variants of a game."""
Stamps = tuple[tuple[int, int], ...]
"""When each file of the rules was last changed, and its size."""


class SharedGames:
    """Games in all their languages, as long as somebody uses them; its method may be called from any thread."""

    def __init__(self) -> None:
        self._files: dict[Choice, tuple[Path, ...]] = {}
        self._games: WeakValueDictionary[tuple[Choice, Stamps], Game] = WeakValueDictionary()

    def load(
        self, rules: Path, players: Sequence[str], options: Mapping[str, str], board: Path | None,
        variants: Sequence[Path],
    ) -> Game:  # fmt: skip
        """A game, read anew if the files of its rules have changed. Raises what `load` raises."""
        choice: Choice = rules, tuple(players), tuple(sorted(options.items())), board, tuple(variants)
        # The files are those that the rules named when they were read last; another one that they name now is found,
        # because then they have changed themselves.
        game = self._games.get((choice, _stamps(self._files.get(choice, ()))))
        if game is None:
            game = load(rules, players, options, board, variants, language=OWN, every_language=True)
            self._files[choice] = tuple(files_of(game.rules))
            self._games[choice, _stamps(self._files[choice])] = game
        return game


def _stamps(files: Sequence[Path]) -> Stamps:
    """The stamps of files; one that is gone has none."""
    statuses = [path.stat() for path in files if path.is_file()]
    return tuple((status.st_mtime_ns, status.st_size) for status in statuses)
