"""A search for faults that is guided by what it reaches: rules, and extremes of notes.

Random games spend most decisions on what happens in every game. The search keeps, for each branch of the rules that it
has taken and for the highest and lowest value of each note, the shortest course that led there, and starts every fourth
run at one that few runs have reached. Runs differ in how they choose: all moves alike, all actions alike, with a random
preference for some actions and for the first or last of their moves, or what has been done least. So sequences that are
unlikely at random, such as one action ten times in a row, come up as well.

    branches: draw 812 runs   lay 805   buy 31   ruin 2             → places are kept for `ruin` alone
    places:   ruin → (draw, buy, buy, draw), coins highest 19 → (sell, sell)
    run 61:   begins at the end of (draw, buy, buy, draw), 30 decisions with a preference for `lay`

A run is planned from what a fixed number of runs before it have reached. So several processes find the same as one.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import field
from functools import cached_property, partial

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.workers import spread_as_planned
from interpreter.authoring.coverage.random_games import CoveragePlayer, Setting, settings
from interpreter.exploration.findings import Course, Finding
from interpreter.exploration.runs import (
    LONGEST_GAME,
    MANNERS,
    Act,
    Extreme,
    Goal,
    Manner,
    Reached,
    RunPlan,
    RunResult,
    play_runs,
)
from interpreter.loading.rules import Rules
from interpreter.runtime.cells import Cells
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import RANDOM

MAX_IDLE_RUNS = 500
"""Number of runs in a row without a decision after which there is nothing to search, as where the setup fails."""

RUNS_PER_START = 4
"""One in this many runs starts from an earlier course, and one is a game in which all moves are equally likely."""

LENGTHS = (10, 30, 100, 300)
"""The lengths of runs that start from an earlier course: short ones are many, long ones get somewhere."""

RARE = 4
"""A branch that fewer runs than these have taken is worth a place to start from."""

MIN_DECISION_COUNT = 30
"""Number of times that a decision must have been asked before it is said that it offers no choice."""

TOURNAMENT = 6
"""Number of places to start from among which the one reached least is taken."""

RENDERED_AT = (1, 4, 16, 64)
"""The decisions of a run, by number, at one of which views and labels are rendered."""

MIN_RENDERED_RUNS = 64
RUNS_PER_RENDERED = 4
"""The number of runs at the beginning that are rendered, and of runs for each that is later."""

RECOMPILED_AT = tuple(32 * 4**step for step in range(16))
"""The runs, by number, before which frequent branches cease to be recorded: counters keep the passes from making rules
fast."""

RUNS_PER_RUN_AHEAD = 32
MAX_RUNS_AHEAD = 32
"""After each 32 runs, one more is planned before the results of those before it are known, up to 32: at first each run
counts, later processes should not wait for each other."""


def runs_ahead(number: int) -> int:
    """How many runs may be without a result when a run is planned, that one included."""
    return min(MAX_RUNS_AHEAD, 1 + number // RUNS_PER_RUN_AHEAD)


@dataclass
class Place:
    """A place to start from: a course, the cells at its end, and how often a run began there."""

    course: Course
    cells: Cells
    runs: int = 0


@dataclass
class DecisionStats:
    """A decision of the rules: how often it was asked, how often with several legal moves, and a course up to it."""

    location: str
    course: Course
    times: int = 0
    choices: int = 0


@dataclass
class Explorer:
    """A search through the games of a set of rules; `guided` is false for random games, to compare with.

    `runs_by_branch` says in how many runs each branch was taken, `act_counts` how often runs that look for it have done
    each act at a decision, `decision_stats` what is known of each decision by its number. `seconds` is the time of all
    earlier parts of a search that was continued.
    """

    rules: Rules
    seed: int = 0
    guided: bool = True
    runs: int = 0
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    runs_by_branch: Counter[int] = field(default_factory=Counter)
    findings: dict[tuple[str, ...], Finding] = field(default_factory=dict)
    decision_stats: dict[int, DecisionStats] = field(default_factory=dict)
    extremes: dict[Extreme, int] = field(default_factory=dict)
    places: dict[Goal, Place] = field(default_factory=dict)
    act_counts: Counter[Act] = field(default_factory=Counter)
    _uncounted: frozenset[int] = frozenset()

    @cached_property
    def _player(self) -> CoveragePlayer:
        return CoveragePlayer(self.rules)

    @cached_property
    def settings(self) -> tuple[tuple[Setting, ...], tuple[Setting, ...]]:
        """Numbers of players with the options as declared, and unusual options."""
        usual, unusual = settings(self.rules)
        return tuple(usual), tuple(unusual)

    # ------------------------------------------------------------ runs

    def search(self, is_over: Callable[[], bool], jobs: int = 1) -> Iterator[None]:
        """Play one run after the other until `is_over`, or until many of them in a row have no decision.

        What is found is the same for any number of processes, `jobs`, if the same runs are played until it is over.
        """
        pending = deque[RunPlan]()
        first, idle = self.runs, 0

        def plans() -> Iterator[RunPlan]:
            while True:
                pending.append(self._planned(self.runs + len(pending)))
                yield pending[-1]

        work = partial(play_runs, self._player)
        with closing(spread_as_planned(work, plans(), jobs, lambda number: runs_ahead(first + number))) as results:
            while not is_over() and idle < MAX_IDLE_RUNS:
                result = next(results)
                self._add(pending.popleft(), result)
                idle = 0 if result.decisions else idle + 1
                yield

    def _planned(self, number: int) -> RunPlan:
        """Plan one game to its end, or some decisions from an earlier course on."""
        if number in RECOMPILED_AT or (number > RECOMPILED_AT[0] and not self._uncounted):
            self._uncounted = self._frequent
        rng = random.Random(f"{self.seed}:{number}")
        goals = list(self.places)
        if self.guided and goals and number % RUNS_PER_START == 1:
            place = self.places[min(rng.choices(goals, k=TOURNAMENT), key=self._rarity)]
            place.runs += 1
            return self._plan(number, rng, rng.choice(MANNERS), place.course, place.cells, rng.choice(LENGTHS))
        usual, unusual = self.settings
        group = unusual if unusual and rng.random() < 0.5 else usual
        manner = rng.choice(MANNERS) if self.guided and number % RUNS_PER_START else "uniform"
        course = Course(rng.choice(group), self.seed + number, ())
        # Once it is known that games may not end, none is played to its end for that.
        patient = not self.guided or all(kind != "endless" for kind, *_ in self.findings)
        return self._plan(number, rng, manner, course, None, LONGEST_GAME if patient else LENGTHS[-1])

    def _plan(
        self, number: int, rng: random.Random, manner: Manner, course: Course, cells: Cells | None, longest: int
    ) -> RunPlan:  # fmt: skip
        """A run with what is known now, in copies that later runs do not change."""
        act_counts = dict(self.act_counts) if manner == "rare" else {}
        is_rendered = number < MIN_RENDERED_RUNS or not rng.randrange(RUNS_PER_RENDERED)
        return RunPlan(
            course, cells, longest, manner, rng.randrange(3), f"{self.seed}:{number}:moves", self.guided,
            self._frequent, self.extremes, act_counts, self._uncounted, rng.choice(RENDERED_AT) if is_rendered else -1,
        )  # fmt: skip

    @cached_property
    def _frequent(self) -> frozenset[int]:
        """The branches for which no more places are kept; plans share this set, so that it is replaced, not changed."""
        return frozenset(branch for branch, runs in self.runs_by_branch.items() if runs >= RARE - 1)

    def place_at(self, goal: Goal, course: Course, runs: int) -> None:
        """Make a course a place to start from. Raises PlayError."""
        game = self._player.game(course.setting)
        program, cells = game.compiled(), Cells(game.compiled().initial)
        cells[RANDOM] = seeded(course.seed)
        program.run(cells, None, 0)
        for move in course.moves:
            program.do(cells, None, move)
        game.branches.recorded.clear()
        self.places[goal] = Place(course, cells, runs)

    def _rarity(self, goal: Goal) -> tuple[int, int]:
        runs_through = self.runs_by_branch[goal] if isinstance(goal, int) else 0
        return self.places[goal].runs, runs_through

    # ------------------------------------------------------------ what was found

    def _add(self, plan: RunPlan, result: RunResult) -> None:
        """Add what a run has reached."""
        setting, seed = plan.course.setting, plan.course.seed

        def course(length: int) -> Course:
            return Course(setting, seed, result.moves[:length])

        self.runs += 1
        self.games += plan.cells is None
        self.decisions += result.decisions
        self.runs_by_branch.update(result.branches)
        newly_frequent = {branch for branch in result.branches if self.runs_by_branch[branch] == RARE - 1}
        if newly_frequent:
            self._frequent |= newly_frequent
        places: dict[int, Place] = {}
        for goal, reached in result.reached.items():
            if self._is_better(goal, reached):
                if reached.length not in places:
                    places[reached.length] = Place(course(reached.length), reached.cells)
                self.places[goal] = places[reached.length]
        self.act_counts.update(result.act_counts)
        for number, in_run in result.decision_stats.items():
            if number not in self.decision_stats:
                self.decision_stats[number] = DecisionStats(in_run.location, course(in_run.length))
            self.decision_stats[number].times += in_run.times
            self.decision_stats[number].choices += in_run.choices
        for finding in result.findings:
            self._add_finding(finding)

    def _is_better(self, goal: Goal, reached: Reached) -> bool:
        """True if a place is worth keeping: of a rare branch with a shorter course, or of a new extreme."""
        if isinstance(goal, int):
            place = self.places.get(goal)
            return self.runs_by_branch[goal] < RARE and (place is None or reached.length < len(place.course.moves))
        earlier, sign = self.extremes.get(goal), 1 if goal[1] == "highest" else -1
        if earlier is not None and sign * reached.value <= sign * earlier:
            return False
        self.extremes = self.extremes | {goal: reached.value}
        return True

    def _add_finding(self, finding: Finding) -> None:
        """Add a finding, unless one like it with a shorter course is known."""
        earlier = self.findings.get(finding.key)
        if earlier is None or finding.length < earlier.length:
            self.findings[finding.key] = finding

    def without_choice(self) -> list[Finding]:
        """The decisions that were asked often and never had more than one legal move."""
        return [
            Finding(
                "one move",
                decision.location,
                f"asked {decision.times:,} times, always with one legal move",
                decision.course,
            )
            for decision in self.decision_stats.values()
            if decision.times >= MIN_DECISION_COUNT and not decision.choices
        ]
