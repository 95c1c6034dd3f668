"""The setting of a run: the game with everything it depends on, who plays it, and the first seed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.workers import Opening
from interpreter.laboratory.records import GameRecord
from interpreter.laboratory.results_file import Header
from interpreter.laboratory.statistics import TOGETHER, Criterion, Side, criteria_of
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import Game
from interpreter.wording.words import PLAIN, Words


@dataclass(frozen=True)
class Setting:
    """A game, the options as the command line gives them, a bot for each seat, and the seed of the first game.

    With `plain`, results have the names and texts of the rules, for programs; otherwise those of the language in which
    the game is shown.
    """

    game: Game
    options: Mapping[str, str]
    bots: tuple[BotSpec, ...]
    seed: int
    plain: bool = False

    @property
    def opening(self) -> Opening:
        """How another process opens the game."""
        game = self.game
        return (str(game.path), game.seats, self.options, game.rules.board, game.rules.variants)

    @property
    def header(self) -> Header:
        """The header of a file with games of this setting."""
        return Header.of(self.game, self.bots, self.seed)

    @property
    def is_random(self) -> bool:
        """True if every seat moves at random."""
        return all(bot.is_random for bot in self.bots)

    @property
    def words(self) -> Words:
        """The words of results."""
        return PLAIN if self.plain else self.game.words

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each seat in results; if two display names are equal, the names in the rules are used."""
        display_names = {seat: self.words.name(seat) for seat in self.game.seats}
        return (
            display_names
            if len(set(display_names.values())) == len(display_names)
            else {seat: seat for seat in display_names}
        )

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats in results."""
        return tuple(self.names.values())

    @property
    def seats_with_figures(self) -> tuple[str, ...]:
        """The seats whose figures can differ; if all win or lose together, one for all."""
        return (TOGETHER,) if self.together else self.game.seats

    def side_name(self, name: str) -> str:
        """The name of a seat, a team, or all seats together in results."""
        return name if name == TOGETHER else self.names.get(name) or self.words.name(name)

    def option_words(self, name: str, value: str) -> str:
        """An option with its value: `goal is 100`."""
        return f"{self.words.name(name)} is {self.words.name(value)}"

    @cached_property
    def criteria(self) -> list[Criterion]:
        """The criteria of `winner`."""
        return criteria_of(self.game, plain=self.plain)

    @cached_property
    def together(self) -> bool:
        """True if all seats, more than one, win or lose together."""
        winner = self.game.rules.model.winner
        decided = winner.criteria if winner is not None else ()
        return len(self.game.seats) > 1 and all(map(self.game.program.is_same_for_all, decided))

    def sides(self, record: GameRecord) -> tuple[Side, ...]:
        """The side of each seat in a game: its team, or itself."""
        return self._with_teams(record.teams) if record.teams and not self.together else self._usual_sides

    @cached_property
    def _usual_sides(self) -> tuple[Side, ...]:
        seats = self.game.seats
        return ((TOGETHER, True),) * len(seats) if self.together else tuple((seat, False) for seat in seats)

    def _with_teams(self, teams: tuple[str | None, ...]) -> tuple[Side, ...]:
        return tuple(
            (seat, False) if team is None else (team, True) for seat, team in zip(self.game.seats, teams, strict=True)
        )

    def parts_won(self, record: GameRecord) -> dict[Side, float]:
        """The part of the win that each winning side has."""
        sides = self.sides(record)
        winning = dict.fromkeys(sides[seat] for seat in record.winners)
        return dict.fromkeys(winning, 1 / len(winning)) if winning else {}
