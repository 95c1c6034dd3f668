"""The runs of a search for faults: what is planned of one, how its moves are chosen, and what it reaches.

What a run brings home of a game, with what the search did not know before it:

    moves     draw, lay(3), lay(5), draw, buy …            all of them, from the setup on
    reached   `ruin` after 4 moves, `coins` at 19 after 7   with the cells of that position, to start from
    decisions line 40: 5 times, 3 times with a choice       a decision that never has one is a finding
    findings  fault in line 62, in the last move

A run follows from its plan alone, wherever and whenever it is played. Branches of the rules are recorded by
instrumented code (`authoring/coverage/instrumentation.py`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from operator import itemgetter
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from dsl.types import Number, bare
from interpreter.authoring.coverage.instrumentation import InstrumentedGame
from interpreter.authoring.coverage.random_games import CoveragePlayer
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.exploration.findings import Course, Finding
from interpreter.runtime.cells import Cells, MoveCode, NoteCell
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import DRAWN, IDLE, ME, MOVES, POINT, RANDOM
from interpreter.seat.notation.moves import moves_in_words, rendered
from interpreter.seat.views.seat_view import view_of

LONGEST_GAME = 3_000
"""A random game that is not over after this many decisions is a finding."""

MAX_NOTE_CELLS = 200
"""Notes with more values than these together are not watched for extremes."""

FORCED_BEFORE_COMPARING = 12
"""Number of consecutive decisions with one legal move after which positions are compared."""

Manner = Literal["uniform", "acts", "leaning", "rare"]
MANNERS: tuple[Manner, ...] = ("uniform", "acts", "leaning", "rare")

Extreme = tuple[str, str]
"""The highest or lowest value of a note: its name, and which of the two."""

Goal = int | Extreme
"""A branch of the rules, or an extreme of a note."""

Act = tuple[int, int]
"""An action at a decision: the number of the decision, and that of the action."""


@dataclass(frozen=True)
class RunPlan:
    """A run: it plays at most `longest` decisions on from a course, at whose end the cells are `cells`.

    From the setup if these are None. `seed` determines the choices. What is known when the run is planned: of
    `frequent` branches no more places are needed; the `extremes` of notes; the `act_counts`, how often each act was
    done, for runs that look for rare ones. Runs that are not `guided` keep no places. `uncounted` branches are not
    recorded. Views and labels are rendered before the decision with the number `rendered_at`, -1 for none; that is
    slower than play itself.
    """

    course: Course
    cells: Cells | None
    longest: int
    manner: Manner
    lean: int
    seed: str
    guided: bool
    frequent: frozenset[int]
    extremes: Mapping[Extreme, int]
    act_counts: Mapping[Act, int]
    uncounted: frozenset[int]
    rendered_at: int


@dataclass(frozen=True)
class Reached:
    """Where a run has first taken a branch, or has last got to the extreme of a note: after `length` moves."""

    length: int
    cells: Cells
    value: int = 0


@dataclass
class DecisionStatsOfRun:
    """How often a run came to a decision, and with several legal moves; first after `length` moves."""

    location: str
    length: int
    times: int = 0
    choices: int = 0


@dataclass
class RunResult:
    """What a run has reached; `moves` are all moves from the setup on, `branches` all branches taken."""

    moves: tuple[MoveCode, ...] = ()
    decisions: int = 0
    branches: frozenset[int] = frozenset()
    reached: dict[Goal, Reached] = field(default_factory=dict)
    decision_stats: dict[int, DecisionStatsOfRun] = field(default_factory=dict)
    act_counts: Counter[Act] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


def position_text(cells: Cells) -> str:
    """A text that is equal for equal positions. The state of chance counts, as what it brings may lead out of one."""
    ignored = (MOVES, IDLE, DRAWN)
    return repr([content for number, content in enumerate(cells) if number not in ignored])


def play_runs(player: CoveragePlayer, plans: Iterator[RunPlan]) -> Iterator[RunResult]:
    """Play one run after the other."""
    for plan in plans:
        player.leave_uncounted(plan.uncounted)
        yield _Run(player, plan).played()


class _Run:
    """One run while it is played."""

    def __init__(self, player: CoveragePlayer, plan: RunPlan) -> None:
        self.plan, self.result, self.rng = plan, RunResult(), random.Random(plan.seed)
        self.weights: dict[Act, float] = {}
        self.game: InstrumentedGame = player.game(plan.course.setting)
        self.program, self.recorded_branches = self.game.compiled(), self.game.branches.recorded
        self.moves = list(plan.course.moves)
        self.seen_branches: set[int] = set()
        self.extremes = dict(plan.extremes)
        self.values: tuple[object, ...] | None = None
        self.forced_positions: list[int] = []
        self._notes, self._names = _watched(self.program) if plan.guided else (None, [])

    def played(self) -> RunResult:
        """Play the run. Faults of the rules are findings."""
        move: MoveCode | None = None
        at_display = False
        program, result, begun = self.program, self.result, len(self.moves)
        try:
            cells = self._first_cells()
            while True:
                self._record_reached(cells)
                if cells[POINT] < 0:
                    program.criteria_of_all(cells)
                    self._record_reached(cells)
                    break
                if result.decisions >= self.plan.longest:
                    if self.plan.longest == LONGEST_GAME and self.plan.manner == "uniform":
                        self._endless()
                    break
                legal = program.legal(cells)
                self._count_decision(cells, len(legal))
                if len(legal) == 1 and self._is_stuck(cells):
                    self._stuck(cells)
                    break
                if result.decisions == self.plan.rendered_at:
                    at_display = True
                    view_of(program, cells, cells[ME])
                    rendered(moves_in_words(program, cells, legal))
                    at_display = False
                move = self._chosen(cells[POINT], legal)
                program.do(cells, None, move)
                self.moves.append(move)
                move = None
                result.decisions += 1
        except PlayError as fault:
            if move is not None:
                self.moves.append(move)
            self._add_finding(
                Finding("fault", fault.location, fault.message, self._course(), move is not None, at_display)
            )
        result.decisions = len(self.moves) - begun
        result.moves = tuple(self.moves)
        result.branches = frozenset(self.seen_branches | self.game.branches.initial)
        self.recorded_branches.clear()
        return result

    def _first_cells(self) -> Cells:
        """The cells with which the run begins. Raises PlayError if the setup fails."""
        if self.plan.cells is not None:
            return Cells(self.plan.cells)
        cells = Cells(self.program.initial)
        cells[RANDOM] = seeded(self.plan.course.seed)
        self.program.run(cells, None, 0)
        return cells

    def _course(self) -> Course:
        """The course that has led to here."""
        return Course(self.plan.course.setting, self.plan.course.seed, tuple(self.moves))

    # ------------------------------------------------------------ what is found

    def _add_finding(self, finding: Finding) -> None:
        self.result.findings.append(finding)

    def _endless(self) -> None:
        header = self.game.rules.model.file.header.span.location
        self._add_finding(
            Finding("endless", header, f"not over after {LONGEST_GAME:,} random decisions", self._course())
        )

    def _stuck(self, cells: Cells) -> None:
        decision = self.program.decision(cells)
        assert decision is not None
        words = "every decision from here on has one legal move, and they lead back to the same position"
        self._add_finding(Finding("stuck", decision.node.span.location, words, self._course()))

    # ------------------------------------------------------------ how moves are chosen

    def _chosen(self, point: int, legal: Sequence[MoveCode]) -> MoveCode:
        """The move that the run makes at a decision."""
        if len(legal) == 1:
            return legal[0]
        rng, plan, act_counts = self.rng, self.plan, self.result.act_counts
        if plan.manner == "uniform":
            return legal[int(rng.random() * len(legal))]
        acts = list(dict.fromkeys(code[0] for code in legal))
        match plan.manner:
            case "acts":
                act = rng.choice(acts)
            case "leaning":
                weights = [self.weights.setdefault((point, act), 2 ** rng.uniform(-4, 4)) for act in acts]
                act = rng.choices(acts, weights)[0]
            case "rare" if rng.random() < 0.7:
                act = min(acts, key=lambda act: (plan.act_counts.get((point, act), 0) + act_counts[point, act], act))
            case "rare":
                act = rng.choice(acts)
        act_counts[point, act] += 1
        moves = [code for code in legal if code[0] == act]
        if plan.manner == "leaning" and plan.lean and rng.random() < 0.8:
            return moves[0 if plan.lean == 1 else -1]
        return moves[int(rng.random() * len(moves))]

    # ------------------------------------------------------------ what is reached

    def _record_reached(self, cells: Cells) -> None:
        """Record what has been reached since the last call."""
        new_branches = frozenset[int]()
        if len(self.recorded_branches) != len(self.seen_branches):
            new_branches = frozenset(self.recorded_branches - self.seen_branches)
            self.seen_branches |= new_branches
        if not self.plan.guided or cells[POINT] < 0:
            return
        goals: dict[Goal, int] = dict.fromkeys(new_branches - self.plan.frequent, 0)
        if self._notes is not None and self._notes(cells) != self.values:
            self.values = self._notes(cells)
            goals.update(self._improved(self.values))
        if goals:
            copied, length = Cells(cells), len(self.moves)
            self.result.reached |= {goal: Reached(length, copied, value) for goal, value in goals.items()}

    def _improved(self, values: Sequence[object]) -> Iterator[tuple[Extreme, int]]:
        """The extremes of notes that these values exceed, with them."""
        for name, value in zip(self._names, values, strict=True):
            if isinstance(value, int):
                if value > self.extremes.get((name, "highest"), value - 1):
                    self.extremes[name, "highest"] = value
                    yield (name, "highest"), value
                if value < self.extremes.get((name, "lowest"), value + 1):
                    self.extremes[name, "lowest"] = value
                    yield (name, "lowest"), value

    def _count_decision(self, cells: Cells, legal_moves: int) -> None:
        """Record that a decision has come up, with this number of legal moves."""
        decision = self.program.decision(cells)
        assert decision is not None
        stats = self.result.decision_stats.get(decision.node.number)
        if stats is None:
            stats = DecisionStatsOfRun(decision.node.span.location, len(self.moves))
            self.result.decision_stats[decision.node.number] = stats
        stats.times += 1
        if legal_moves > 1:
            stats.choices += 1
            self.forced_positions.clear()

    def _is_stuck(self, cells: Cells) -> bool:
        """True if there was only one legal move at each decision since the same position was there before."""
        if len(self.forced_positions) < FORCED_BEFORE_COMPARING:
            self.forced_positions.append(0)
            return False
        position = hash(position_text(cells))
        if position in self.forced_positions:
            return True
        self.forced_positions.append(position)
        return False


def _watched(program: Program) -> tuple[Callable[[Cells], tuple[object, ...]] | None, list[str]]:
    """What gives the values of notes that are numbers, and the name of each; None if there are none, or too many."""
    model = program.model
    cells = [
        (NoteCell(cell), name)
        for cell, (name, _) in program.layout.notes_of_cell.items()
        if name in model.notes and isinstance(bare(model.notes[name].type), Number)  # type: ignore[arg-type]
    ]
    if not 2 <= len(cells) <= MAX_NOTE_CELLS:
        return None, []
    return itemgetter(*(cell for cell, _ in cells)), [name for _, name in cells]
