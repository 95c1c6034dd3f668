"""The setting of a run: the game with everything it depends on, who plays it, and the first seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property

from dsl.lazy_dataclasses import dataclass
from dsl.types import Number, bare
from interpreter.analysis.figures import mean_of
from interpreter.arguments import described, seat_number
from interpreter.errors import UsageError
from interpreter.laboratory.courses import GameRecord
from interpreter.laboratory.results_file import Header
from interpreter.opponents.situation import Bot
from interpreter.opponents.specs import RANDOM, BotSpec, SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game
from interpreter.seat.explain.outcome import criterion_words
from interpreter.wording.words import PLAIN, Words

# ---- The bots of a run as programs name them


BotName = str | Callable[[], Bot]
"""A bot: its name with its limit, such as `mcts:200`, or a class or function that makes one for each game."""


def spec_named(bot: BotName) -> BotSpec:
    """The bot with this name and limit, such as `mcts:200`, or made by this class or function. Raises UsageError."""
    if callable(bot):
        name = getattr(bot, "__qualname__", type(bot).__qualname__)
        return BotSpec(name, f"{getattr(bot, '__module__', '')}:{name}", make=bot)
    if not isinstance(bot, str):
        raise UsageError(f"a bot is a name, or a class or function that makes one, not {described(bot)}")
    spec = spec_of(bot)
    if isinstance(spec, SpecProblem):
        raise UsageError(spec.message)
    return spec


def check_fit(bots: Iterable[BotSpec], game: Game, seat: str = "") -> None:
    """Raise UsageError for a bot that cannot play the game; with `seat`, the message says where it sits."""
    for bot in bots:
        reason = why_unfit(bot, game)
        if reason is not None:
            raise UsageError(f"{reason} for {seat}" if seat else reason)


def lineup(game: Game, bots: BotName | Mapping[str, BotName]) -> tuple[BotSpec, ...]:
    """The bot of each seat: the same for all, or by seat; a seat that is not named moves at random.

    Raises UsageError, UnknownSeatError.
    """
    names_by_seat = bots if isinstance(bots, Mapping) else dict.fromkeys(game.seats, bots)
    for seat in names_by_seat:
        seat_number(game.seats, seat)
    chosen = {seat: spec_named(names_by_seat.get(seat, RANDOM)) for seat in game.seats}
    for seat, bot in chosen.items():
        check_fit([bot], game, seat)
    return tuple(chosen.values())


TOGETHER = "everyone"
"""The team of all seats if they can only win together."""

Side = tuple[str, bool]
"""A team, or a seat that plays alone: its name, and whether it is a team."""


@dataclass(frozen=True)
class Criterion:
    """One criterion that decides the outcome: whether less of it is better, and whether it is a condition.

    An `amount` cannot be negative, as its type says.
    """

    words: str
    lowest: bool = False
    condition: bool = False
    amount: bool = False


def criteria_of(game: Game, *, plain: bool) -> list[Criterion]:
    """The criteria of a game, as the rules write them if `plain`, otherwise in words for people."""
    winner = game.rules.model.winner
    types = game.rules.model.types
    return [
        Criterion(
            criterion.text if plain else criterion_words(game.program, criterion),
            criterion.direction == "lowest",
            criterion.is_condition,
            isinstance(type_ := bare(types[criterion.value.number]), Number) and type_.low >= 0,
        )
        for criterion in (winner.criteria if winner is not None else ())
    ]


@dataclass(frozen=True)
class Setting:
    """A game, a bot for each seat, and the seed of the first game.

    With `plain`, results have the names and texts of the rules, for programs; otherwise those of the language in which
    the game is shown.
    """

    game: Game
    bots: tuple[BotSpec, ...]
    seed: int
    plain: bool = False

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

    def even_share(self, records: Collection[GameRecord]) -> float:
        """The share of the games, at least one, that a seat wins if all sides win equally often."""
        return mean_of(Counter(1 / len(set(self.sides(record))) for record in records), len(records))
