"""The flags of verbs that examine one game with its seats and options, and how they name it."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.arguments import (
    From,
    GameName,
    Json,
    Options,
    OwnBoard,
    Players,
    Variants,
    board_file,
    open_game,
    pairs,
    read_players,
)
from cli.backends import BackendName, named_backend, usable_backend
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from interpreter.arguments import Backend
from interpreter.engine.seated_game import game_data
from interpreter.play.game import Game


@dataclass(frozen=True, kw_only=True)
class GameFlags:
    """The game, its seats, options, board and position, and what plays it, in the order in which help lists them."""

    game: GameName
    players: Players = None
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of chance, if there is any.")] = 0
    backend: BackendName = "auto"
    option: Options = None
    variant: Variants = None
    board: OwnBoard = None
    position: From = None
    form: Json = "text"

    def opened(self) -> tuple[Game, Backend]:
        """The game, and what plays it. Raises MisuseError and what opening a game raises."""
        chosen, options = named_backend(self.backend), pairs(self.option, "--option", "NAME=VALUE")
        players, board = read_players(self.players), board_file(self.board)
        game = open_game(self.game, players, options, board, self.variant, position=self.position)
        return game, usable_backend(game, chosen)

    def head(self, game: Game) -> JsonObject:
        """What the game is, as plain data."""
        return game_data(game) | {"seed": self.seed}


def game_heading(game: Game, words: str = "") -> str:
    """The title of a game, with words about what is shown and its options."""
    return f"{game.title}{words}" + "".join(f", {name} is {value}" for name, value in game.options.items())
