"""Mutation testing for authors: which small changes of the rules no example notices, and an example that would.

    drop `require owner[c] is nobody`   refused by the checker?  no
                                        noticed by an example?   no
                                        20 games in step         7 differ, first after 4 decisions: the legal moves
                                        example that would       given …, when red: lay(c2), then blue may not lay(c2)

Each change is tried on the checker, then on the examples, and one that passes both is played in step with the rules as
they are. Changes are dealt out rule by rule, so that a run that ends early has tried some of each rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field
from functools import cached_property, partial
from itertools import zip_longest
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from interpreter.analysis.workers import spread
from interpreter.authoring.coverage.random_games import Setting, settings
from interpreter.errors import LimitError, PlayError, UsageError
from interpreter.exploration.in_step import Pair, Witness
from interpreter.exploration.mutants import Mutant, mutants
from interpreter.exploration.noticing import Original, noticing_example
from interpreter.exploration.proposing import Bench, example_text, proposed_example
from interpreter.loading.rules import Rules
from interpreter.play.game import Game, seat_game
from interpreter.runtime.chance import seeded
from interpreter.watchdog import watchdog

GAMES = 20
"""Default number of games in which the two sets of rules are compared."""

GAMES_WITH_VIEWS = 3
"""Number of these games in which what each seat sees is compared as well."""

MAX_SECONDS_OF_CALL = 5.0
"""Processor time that one call into changed rules may take; some changes make them run on and on."""

MAX_WITNESSES = 3
"""Number of games from which an example is tried, those that differ earliest."""

Verdict = Literal["checker", "example", "difference", "none"]
"""Who notices a change: the checker, an example, only games (so an example is missing), or nobody."""


@dataclass(frozen=True)
class Tried:
    """A change of the rules and what became of it.

    `noticed_by` is the title of the example that fails. If none does, the rules were compared in `games` games, of
    which `different` were not the same; `first` is that which differs earliest, `example` the lines of an example that
    notices the change, empty if none was found.
    """

    description: str
    location: str
    verdict: Verdict
    noticed_by: str = ""
    games: int = 0
    different: int = 0
    first: Witness | None = None
    example: str = ""

    @property
    def rule(self) -> str:
        """The rule that is changed, by kind and name."""
        return self.description.partition(":")[0]

    @property
    def rank(self) -> tuple[float, int]:
        """The sort key of a change that no example notices: those that differ often and early come first."""
        assert self.first is not None
        return -self.different / self.games, len(self.first.choices)

    def as_data(self) -> JsonObject:
        """A change that no example notices, as plain data."""
        first = self.first
        assert first is not None
        return {
            "change": self.description,
            "place": self.location,
            "games": self.games,
            "different": self.different,
            "differs": first.differs,
            "fault": first.fault or None,
            "decisions": len(first.choices),
            "seed": first.seed,
            "players": first.setting.players,
            "options": dict(first.setting.options),
            "example": self.example or None,
        }


@dataclass
class Survey:
    """The changes of a game, and those tried so far, by their descriptions.

    `earlier` of them were tried by a run that is continued; `seconds` is the time of this one. One that was
    `interrupted` ended before its time.
    """

    original: Original
    games: int = GAMES
    seed: int = 0
    only: str = ""
    tried: dict[str, Tried] = field(default_factory=dict)
    earlier: int = field(default=0, init=False)
    seconds: float = field(default=0.0, init=False)
    interrupted: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        for seed in (self.seed, self.seed + self.games - 1):
            seeded(seed)  # refused here: while a change is tried, it would pass for a fault of the changed rules

    @cached_property
    def changes(self) -> tuple[Mutant, ...]:
        """All changes that are about play, one of each rule in turn; `only` those of rules with this in their names.

        The numbers of players and the defaults of options are not changed: no example is about them.
        """
        by_rule: dict[str, list[Mutant]] = {}
        for mutant in mutants(self.original.file):
            rule = mutant.description.partition(":")[0]
            if not mutant.is_display and not rule.startswith(("header", "option ")) and self.only in rule:
                by_rule.setdefault(rule, []).append(mutant)
        return tuple(mutant for row in zip_longest(*by_rule.values()) for mutant in row if mutant is not None)

    @cached_property
    def _settings(self) -> tuple[Setting, ...]:
        """Seats and options to play with, in turn: every second game has the options as declared."""
        usual, unusual = settings(self.original.rules)
        if not unusual:
            return tuple(usual)
        return tuple(
            group[number % len(group)]
            for number in range(max(len(usual), len(unusual)))
            for group in (usual, unusual)
        )  # fmt: skip

    def missing(self) -> list[Tried]:
        """The changes that make a difference which no example notices, the most conspicuous first.

        Of each rule one comes before the second one of any; those for which no example was found come last.
        """
        of_rule: dict[tuple[str, bool], list[Tried]] = {}
        different = (tried for tried in self.tried.values() if tried.verdict == "difference")
        for tried in sorted(different, key=lambda tried: tried.rank):
            of_rule.setdefault((tried.rule, not tried.example), []).append(tried)
        placed = [(lacks, number, tried) for (_, lacks), group in of_rule.items() for number, tried in enumerate(group)]
        return [tried for *_, tried in sorted(placed, key=lambda place: (*place[:2], place[2].rank))]

    def count(self, verdict: Verdict) -> int:
        """How many of the changes tried so far have this verdict."""
        return sum(tried.verdict == verdict for tried in self.tried.values())

    def as_data(self) -> JsonObject:
        """What became of the changes, as plain data."""
        verdicts: tuple[Verdict, ...] = ("checker", "example", "difference", "none")
        unnoticed = by_location(self.tried, "none")
        return {
            "game": self.original.rules.name,
            "variants": list(self.original.rules.titles),
            "changes": len(self.changes),
            "tried": len(self.tried),
            "games": self.games,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "summary": {verdict: self.count(verdict) for verdict in verdicts},
            "missing": [change.as_data() for change in self.missing()],
            "equal": [{"change": change.description, "place": change.location} for change in unnoticed],
        }

    def __repr__(self) -> str:
        amount = f"{len(self.tried)} of {len(self.changes)} changes tried"
        return f"<Survey of {self.original.rules.name}: {amount}, {self.count('difference')} not noticed>"

    # ------------------------------------------------------------ trying

    def run(self, is_over: Callable[[], bool], jobs: int = 1) -> Iterator[Tried]:
        """Try the changes that have not been tried yet, one by one in `jobs` processes, until `is_over`."""
        numbers = [number for number, change in enumerate(self.changes) if change.description not in self.tried]
        alone = Survey(self.original, self.games, self.seed, self.only)
        with closing(spread(partial(_try_changes, alone if jobs > 1 else self), numbers, jobs)) as every:
            while len(self.tried) < len(self.changes) and not is_over():
                tried = next(every)
                self.tried[tried.description] = tried
                yield tried

    def try_change(self, number: int) -> Tried:
        """Try the change with this number: what becomes of it depends on nothing that was tried before."""
        mutant = self.changes[number]
        head = mutant.description, mutant.location
        with watchdog(MAX_SECONDS_OF_CALL):
            try:
                changed = self.original.changed(mutant.file)
                if changed is None:
                    return Tried(*head, "checker")
                title = noticing_example(changed, mutant, self.original.reached_by_example)
                if title:
                    return Tried(*head, "example", title)
                witnesses = list(self._witnesses(changed))
            except LimitError as fault:
                return Tried(*head, "checker", str(fault))
            except UsageError as fault:  # the changed rules have become too large to be compiled
                return Tried(*head, "checker", str(fault))
            if not witnesses:
                return Tried(*head, "none", games=self.games)
            witnesses.sort(key=lambda witness: len(witness.choices))
            example = self._example(changed, mutant, witnesses[:MAX_WITNESSES])
        return Tried(*head, "difference", "", self.games, len(witnesses), witnesses[0], example)

    def _witnesses(self, changed: Rules) -> Iterator[Witness]:
        pairs: dict[Setting, Pair | None] = {}
        for number in range(self.games):
            setting = self._settings[number % len(self._settings)]
            if setting not in pairs:
                pairs[setting] = self._pair(setting, changed)
            pair = pairs[setting]
            witness = None if pair is None else pair.played(self.seed + number, with_views=number < GAMES_WITH_VIEWS)
            if witness is not None:
                yield witness

    def _pair(self, setting: Setting, changed: Rules) -> Pair | None:
        """The two games of a setting; None if the changed rules have no such options or number of players."""
        try:
            changed_game = seat_game(changed, setting.players, dict(setting.options))
            return Pair(self._game(setting), changed_game, setting)
        except (PlayError, UsageError):
            return None

    def _game(self, setting: Setting) -> Game:
        return self._bench.games.seated(setting.players, setting.options)

    def _example(self, changed: Rules, mutant: Mutant, witnesses: Sequence[Witness]) -> str:
        """The text of an example that notices the change; empty if none was found."""
        original = self._bench
        bench = Bench(changed)
        for witness in witnesses:
            try:
                lines = proposed_example(self._game(witness.setting), original, bench, witness)
            except (PlayError, UsageError):
                continue
            if lines:
                return example_text(_title(mutant), mutant.cites, lines)
        return ""

    @cached_property
    def _bench(self) -> Bench:
        return Bench(self.original.rules)


def _try_changes(survey: Survey, numbers: Iterable[int]) -> Iterator[list[Tried]]:
    for number in numbers:
        yield [survey.try_change(number)]


def _title(mutant: Mutant) -> str:
    """A title for an example, which its author replaces by what the example shows."""
    rule, _, _ = mutant.description.partition(":")
    line = mutant.location.split(":")[-2]
    return f"{rule}, line {line}"


def by_location(tried: Mapping[str, Tried], verdict: Verdict) -> list[Tried]:
    """The changes with a verdict in the order of the rules."""

    def place(change: Tried) -> tuple[str, ...]:
        file, *numbers = change.location.rsplit(":", 2)
        return file, *(number.zfill(6) for number in numbers)

    return sorted((change for change in tried.values() if change.verdict == verdict), key=place)
