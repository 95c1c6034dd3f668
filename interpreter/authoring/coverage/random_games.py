"""Random games for coverage: which ones are played, with which players and options, and what each reaches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.failed_games import Failed, failed_at
from interpreter.analysis.playouts import MAX_CUT_OFF, MAX_DECISIONS, never_ends
from interpreter.analysis.random_choices import random_choice
from interpreter.authoring.coverage.instrumentation import InstrumentedGame, instrumented, worth_playing
from interpreter.authoring.coverage.subjects import derived
from interpreter.engine.program import Program
from interpreter.errors import OptionError, PlayError
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import seat_game
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, POINT, RANDOM
from interpreter.seat.notation.moves import moves_in_words, rendered
from interpreter.seat.views.seat_view import view_of

CHUNK = 10
"""Games played in one task; fixed, so that results do not depend on the number of processes."""

RENDERED_AT = frozenset({0, 8, 64, 512})
"""The decisions, by number, at which views and labels are rendered; that is slower than play itself."""


@dataclass(frozen=True)
class Setting:
    """A number of players, and the options other than the defaults."""

    players: int
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Chunk:
    """Games of one setting, by their seeds."""

    setting: Setting
    seeds: tuple[int, ...]


@dataclass
class BranchCounts:
    """How many games took each branch, of how many games; and the games that ended in an error."""

    branches: Counter[int] = field(default_factory=Counter)
    games: int = 0
    failed: list[tuple[Setting, Failed]] = field(default_factory=list)

    @property
    def enough(self) -> bool:
        """True once too many games were cut off for more to be worth the time."""
        return sum(failed.cut_off for _, failed in self.failed) >= MAX_CUT_OFF

    def add(self, counts: BranchCounts) -> None:
        """Add the counts of other games."""
        self.branches += counts.branches
        self.games += counts.games
        self.failed += counts.failed


def settings(rules: Rules) -> tuple[list[Setting], list[Setting]]:
    """Choose the settings to play: every number of players with the defaults, and every other value of every option.

    Of a range only the ends are played. The values cycle through the numbers of players; last comes a setting with all
    of them together.
    """
    header = rules.model.file.header
    counts = header.counts
    others: list[tuple[str, str]] = []
    for name, option in rules.model.options.items():
        others += [(name, value) for value in worth_playing(option) if value != option.default]
    unusual: list[tuple[tuple[str, str], ...]] = [(pair,) for pair in others]
    if len(dict(others)) > 1:
        unusual.append(tuple(dict(others).items()))
    settings = []
    for index, options in enumerate(unusual):
        rotated = [counts[(index + step) % len(counts)] for step in range(len(counts))]
        possible = (Setting(players, options) for players in rotated if _possible(rules, players, options))
        settings += [setting for setting in (next(possible, None),) if setting is not None]
    return [Setting(players) for players in counts], settings


def _possible(rules: Rules, players: int, options: Sequence[tuple[str, str]]) -> bool:
    try:
        seat_game(rules, players, dict(options))
    except OptionError:
        return False
    return True


def chunks(rules: Rules, games: int, seed: int) -> list[Chunk]:
    """Divide the games to play: one half with the defaults, the other with other options, if there are any."""
    usual, unusual = settings(rules)
    seeds: dict[Setting, list[int]] = {}
    for number in range(games):
        index, half = number, usual
        if unusual:
            index, half = number // 2, (usual, unusual)[number % 2]
        seeds.setdefault(half[index % len(half)], []).append(seed + number)
    return [
        Chunk(setting, tuple(seeds_of_setting[first : first + CHUNK]))
        for setting, seeds_of_setting in seeds.items()
        for first in range(0, len(seeds_of_setting), CHUNK)
    ]


@dataclass
class CoveragePlayer:
    """Plays instrumented games of a set of rules, which do not record `uncounted` branches."""

    rules: Rules
    uncounted: frozenset[int] = frozenset()
    games: dict[Setting, InstrumentedGame] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[CoveragePlayer], tuple[Rules, frozenset[int]]]:
        """Another process compiles the games for itself."""
        return CoveragePlayer, (self.rules, self.uncounted)

    @cached_property
    def _derived(self) -> dict[int, int]:
        return derived(self.rules.model)

    def with_derived(self, branches: frozenset[int]) -> frozenset[int]:
        """Add to branches the declarations that are reached with them."""
        return branches | {self._derived[branch] for branch in branches if branch in self._derived}

    def play(self, chunk: Chunk) -> BranchCounts:
        """Play the games of a chunk."""
        game, counts = self.game(chunk.setting), BranchCounts()
        for seed in chunk.seeds:
            failed = play_instrumented(game, seed)
            if failed is not None:
                counts.failed.append((chunk.setting, failed))
            counts.games += 1
            counts.branches.update(self.with_derived(game.branches.take()))
            if counts.enough:
                break
        return counts

    def game(self, setting: Setting) -> InstrumentedGame:
        """The instrumented game of a setting, compiled once."""
        if setting not in self.games:
            plain = seat_game(self.rules, setting.players, dict(setting.options))
            self.games[setting] = instrumented(plain, uncounted=self.uncounted)
        return self.games[setting]

    def leave_uncounted(self, branches: frozenset[int]) -> None:
        """Do not record some branches from now on: all games are compiled anew."""
        if branches != self.uncounted:
            self.uncounted = branches
            self.games.clear()


def play_instrumented(game: InstrumentedGame, seed: int) -> Failed | None:
    """Play one game, with the same moves as `play_at_random`; at times the view and the moves are rendered.

    Returns the failure if the game ended in an error, instead of raising it.
    """
    program = game.compiled()
    state = Cells(program.initial)
    state[RANDOM] = seeded(seed)
    decisions = 0
    move: MoveCode | None = None
    try:
        program.run(state, None, 0)
        while state[POINT] >= 0:
            if decisions >= MAX_DECISIONS:
                raise never_ends(game)
            legal = program.legal(state)
            move = legal[random_choice(seed, decisions, len(legal))]
            if decisions in RENDERED_AT:
                _render(program, state, move)
            program.do(state, None, move)
            move = None
            decisions += 1
        view_of(program, state, None)
        for seat in range(len(game.seats)):
            program.criteria(state, seat)
    except PlayError as fault:
        return failed_at(game, program, seed, decisions, move, fault)
    return None


def _render(program: Program, state: Cells, move: MoveCode) -> None:
    """Render tables, labels and secret questions: play itself never evaluates them."""
    view_of(program, state, state[ME])
    rendered(moves_in_words(program, state, [move]))


def play_chunks(
    path: Path, board: Path | None, variants: Sequence[Path], chunks_to_play: Sequence[Chunk]
) -> Iterator[list[BranchCounts]]:
    """Play chunks of a game in a separate process.

    The examples are read as well, although they are not run here: branches are numbered by the nodes of everything that
    is read, and the numbers of a variant come after those of the companion file.
    """
    player = CoveragePlayer(load_rules(path, examples=True, board=board, variants=variants))
    for chunk in chunks_to_play:
        yield [player.play(chunk)]
