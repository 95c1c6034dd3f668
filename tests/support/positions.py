"""Positions of random games and their tables, for the properties of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from interpreter.loading.rules import Rules
from interpreter.play.game import Game, State, seat_game
from interpreter.play.scenes.runner import Runner
from interpreter.seat.views.model import View


class Seated:
    """The games of the rules last asked for, each compiled once: that takes longer than most that is done with them."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._games: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], Game] = {}

    def game(self, rules: Rules, players: int | Sequence[str] | None, options: Mapping[str, object]) -> Game:
        """The game of these rules with seats and options."""
        if rules is not self._rules:
            self._rules, self._games = rules, {}
        game = seat_game(rules, players, options)
        return self._games.setdefault((tuple(game.seats), tuple(sorted(game.options.items()))), game)


seated = Seated().game


def opening(rules: Rules, players: int, seed: int, options: dict[str, str] | None = None) -> State:
    """A game at its first decision."""
    return seated(rules, players, options or {}).start(seed)


def positions(rules: Rules, players: int, seed: int, options: dict[str, str] | None = None) -> Iterator[State]:
    """Every tenth position of a random game, and the last."""
    state = opening(rules, players, seed, options)
    draw = random.Random(seed)
    while not state.over:
        if state.ply % 10 == 0:
            yield state
        state.push(draw.choice(state.legal_moves))
    yield state


def after_example(rules: Rules, title: str) -> State:
    """The state at the end of an example, which holds, of a game with the fewest players and no options."""
    (example,) = (each for each in rules.model.examples if each.title.value == title)
    runner = Runner(seated(rules, None, {}), example)
    assert not runner.run()
    return runner.state


def texts(view: View, title: str) -> list[list[str]]:
    """The rows of a table as people read them; pieces by what they are."""
    table = next(table for table in view.tables if table.title == title)
    return [
        [" ".join(piece.name for piece in cell.pieces) if cell.kind == "pieces" else cell.text for cell in row]
        for row in table.rows
    ]
