"""A search for faults that is guided by what it reaches: rules, and extremes of notes.

Random games spend most decisions on what happens in every game. The search keeps, for each branch of the rules that it
has taken and for the highest and lowest value of each note, the shortest course that led there, and starts every second
run at one that few runs have reached. Runs differ in how they choose: all moves alike, all actions alike, with a random
preference for some actions and for the first or last of their moves, or what has been done least. So sequences that are
unlikely at random, such as one action ten times in a row, come up as well.

Branches are recorded by instrumented code (`authoring/coverage/instrumentation.py`). A run is determined by the seed of
the search and its number.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal

from dsl.lazy_dataclasses import dataclass
from dsl.types import Number, bare
from interpreter.authoring.coverage.instrumentation import InstrumentedGame
from interpreter.authoring.coverage.random_games import CoveragePlayer, Setting, settings
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.exploration.findings import Course, Finding
from interpreter.loading.rules import Rules
from interpreter.runtime.cells import Cells, MoveCode, NoteCell
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import DRAWN, IDLE, ME, MOVES, POINT, RANDOM
from interpreter.seat.notation.moves import moves_in_words, rendered
from interpreter.seat.views.seat_view import view_of

LONGEST_GAME = 3_000
"""A random game that is not over after this many decisions is a finding."""

MAX_IDLE_RUNS = 500
"""Number of runs in a row without a decision after which there is nothing to search, as where the setup fails."""

LENGTHS = (10, 30, 100, 300)
"""The lengths of runs that start from an earlier course: short ones are many, long ones get somewhere."""

RENDERED_AT = frozenset({1, 16, 128})
"""The decisions of a run, by number, at which views and labels are rendered; that is slower than play itself."""

MAX_NOTE_CELLS = 200
"""Notes with more values than these together are not watched for extremes."""

FORCED_BEFORE_LOOKING = 12
"""Number of consecutive decisions with one legal move after which positions are compared."""

RARE = 4
"""A branch that fewer runs than these have taken is worth a place to start from."""

MIN_ASKED = 30
"""Number of times that a decision must have been asked before it is said that it offers no choice."""

TOURNAMENT = 6
"""Number of places to start from among which the one reached least is taken."""

Manner = Literal["uniform", "acts", "leaning", "rare"]
MANNERS: tuple[Manner, ...] = ("uniform", "acts", "leaning", "rare")

Goal = int | tuple[str, str]
"""A branch of the rules, or an extreme of a note."""


@dataclass
class Place:
    """A place to start from: a course, the cells at its end, and how often a run began there."""

    course: Course
    cells: Cells
    runs: int = 0


@dataclass
class Asked:
    """A decision of the rules: how often it was asked, how often with several legal moves, and a course up to it."""

    location: str
    course: Course
    times: int = 0
    choices: int = 0


@dataclass
class _Run:
    """How the moves of one run are chosen."""

    rng: random.Random
    manner: Manner
    lean: int
    weights: dict[tuple[int, int], float] = field(default_factory=dict)


@dataclass
class Explorer:
    """A search through the games of a set of rules; `guided` is false for random games, to compare with.

    `taken` says in how many runs each branch was taken, `done` how often runs that look for it have done each act at a
    decision. `seconds` is the time of all earlier parts of a search that was continued.
    """

    rules: Rules
    seed: int = 0
    guided: bool = True
    runs: int = 0
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    taken: Counter[int] = field(default_factory=Counter)
    findings: dict[tuple[str, ...], Finding] = field(default_factory=dict)
    asked: dict[int, Asked] = field(default_factory=dict)
    extremes: dict[tuple[str, str], int] = field(default_factory=dict)
    places: dict[Goal, Place] = field(default_factory=dict)
    done: Counter[tuple[int, int]] = field(default_factory=Counter)

    @cached_property
    def _player(self) -> CoveragePlayer:
        return CoveragePlayer(self.rules)

    @cached_property
    def settings(self) -> tuple[tuple[Setting, ...], tuple[Setting, ...]]:
        """Numbers of players with the options as declared, and unusual options."""
        usual, unusual = settings(self.rules)
        return tuple(usual), tuple(unusual)

    # ------------------------------------------------------------ runs

    def search(self, is_over: Callable[[], bool]) -> Iterator[None]:
        """Play one run after the other until `is_over`, or until many of them in a row have no decision."""
        idle = 0
        while not is_over() and idle < MAX_IDLE_RUNS:
            before = self.decisions
            self.run()
            idle = 0 if self.decisions > before else idle + 1
            yield

    def run(self) -> None:
        """Play one game to its end, or some decisions from an earlier course on."""
        number, self.runs = self.runs, self.runs + 1
        rng = random.Random(f"{self.seed}:{number}")
        goals = list(self.places)
        if self.guided and goals and number % 2:
            place = self.places[min(rng.choices(goals, k=TOURNAMENT), key=self._rarity)]
            place.runs += 1
            run = _Run(rng, rng.choice(MANNERS), rng.randrange(3))
            self._play(run, place.course, Cells(place.cells), rng.choice(LENGTHS))
            return
        usual, unusual = self.settings
        group = unusual if unusual and rng.random() < 0.5 else usual
        manner = rng.choice(MANNERS) if self.guided and number % 4 else "uniform"
        self.games += 1
        course = Course(rng.choice(group), self.seed + number, ())
        # Once it is known that games may not end, none is played to its end for that.
        patient = not self.guided or all(kind != "endless" for kind, *_ in self.findings)
        longest = LONGEST_GAME if patient else LENGTHS[-1]
        self._play(_Run(rng, manner, rng.randrange(3)), course, None, longest)

    def place_at(self, goal: Goal, course: Course, runs: int) -> None:
        """Make a course a place to start from. Raises PlayError."""
        game = self._player.game(course.setting)
        program, cells = game.compiled(), Cells(game.compiled().initial)
        cells[RANDOM] = seeded(course.seed)
        program.run(cells, None, 0)
        for move in course.moves:
            program.do(cells, None, move)
        game.branches.taken.clear()
        self.places[goal] = Place(course, cells, runs)

    def _rarity(self, goal: Goal) -> tuple[int, int]:
        reached = self.taken[goal] if isinstance(goal, int) else 0
        return self.places[goal].runs, reached

    def _play(self, run: _Run, begun: Course, cells: Cells | None, longest: int) -> None:
        """Play on from a course, whose end `cells` are; from the setup if there are none."""
        game = self._player.game(begun.setting)
        program, moves = game.compiled(), list(begun.moves)
        observer = _Observer(self, game, begun)
        move: MoveCode | None = None
        at_display = False
        try:
            if cells is None:
                cells = Cells(program.initial)
                cells[RANDOM] = seeded(begun.seed)
                program.run(cells, None, 0)
            while True:
                observer.look(cells, moves)
                if cells[POINT] < 0:
                    program.criteria_of_all(cells)
                    observer.look(cells, moves)
                    break
                if len(moves) - len(begun.moves) >= longest:
                    if longest == LONGEST_GAME and run.manner == "uniform":
                        self._endless(observer.course(moves))
                    break
                legal = program.legal(cells)
                observer.asked(cells, moves, len(legal))
                if len(legal) == 1 and observer.is_stuck(cells):
                    self._stuck(program, cells, observer.course(moves))
                    break
                if len(moves) - len(begun.moves) in RENDERED_AT:
                    at_display = True
                    view_of(program, cells, cells[ME])
                    rendered(moves_in_words(program, cells, legal))
                    at_display = False
                move = self._chosen(run, cells[POINT], legal)
                program.do(cells, None, move)
                moves.append(move)
                move = None
                self.decisions += 1
        except PlayError as fault:
            self.decisions += move is not None
            made = moves if move is None else [*moves, move]
            self.add(
                Finding("fault", fault.location, fault.message, observer.course(made), move is not None, at_display)
            )  # fmt: skip
        observer.end()

    def _endless(self, course: Course) -> None:
        header = self.rules.model.file.header.span.location
        self.add(Finding("endless", header, f"not over after {LONGEST_GAME:,} random decisions", course))

    def _stuck(self, program: Program, cells: Cells, course: Course) -> None:
        decision = program.decision(cells)
        assert decision is not None
        words = "every decision from here on has one legal move, and they lead back to the same position"
        self.add(Finding("stuck", decision.node.span.location, words, course))

    def add(self, finding: Finding) -> None:
        """Add a finding, unless one like it with a shorter course is known."""
        known = self.findings.get(finding.key)
        if known is None or finding.length < known.length:
            self.findings[finding.key] = finding

    def _chosen(self, run: _Run, point: int, legal: Sequence[MoveCode]) -> MoveCode:
        """The move that a run makes at a decision."""
        if len(legal) == 1:
            return legal[0]
        rng = run.rng
        if run.manner == "uniform":
            return legal[int(rng.random() * len(legal))]
        acts = list(dict.fromkeys(code[0] for code in legal))
        match run.manner:
            case "acts":
                act = rng.choice(acts)
            case "leaning":
                weights = [run.weights.setdefault((point, act), 2 ** rng.uniform(-4, 4)) for act in acts]
                act = rng.choices(acts, weights)[0]
            case "rare":
                act = (
                    min(acts, key=lambda act: (self.done[point, act], act)) if rng.random() < 0.7 else rng.choice(acts)
                )
        self.done[point, act] += 1
        moves = [code for code in legal if code[0] == act]
        if run.manner == "leaning" and run.lean and rng.random() < 0.8:
            return moves[0 if run.lean == 1 else -1]
        return moves[int(rng.random() * len(moves))]

    # ------------------------------------------------------------ what was found

    def without_choice(self) -> list[Finding]:
        """The decisions that were asked often and never had more than one legal move."""
        return [
            Finding(
                "one move", asked.location, f"asked {asked.times:,} times, always with one legal move", asked.course
            )
            for asked in self.asked.values()
            if asked.times >= MIN_ASKED and not asked.choices
        ]


class _Observer:
    """Watches one run: which branches it takes, which values notes reach, what is asked."""

    def __init__(self, explorer: Explorer, game: InstrumentedGame, begun: Course) -> None:
        self.explorer, self.begun = explorer, begun
        self.program, self.taken = game.compiled(), game.branches.taken
        self.initial = game.branches.initial
        self.known: set[int] = set()
        self.values: Any = None
        self.forced: list[int] = []
        self._notes, self._names = _watched(self.program)

    def course(self, moves: Sequence[MoveCode]) -> Course:
        """The course that has led to here."""
        return Course(self.begun.setting, self.begun.seed, tuple(moves))

    def look(self, cells: Cells, moves: Sequence[MoveCode]) -> None:
        """Record what has been reached since the last look."""
        explorer, goals = self.explorer, list[Goal]()
        if len(self.taken) != len(self.known):
            for branch in self.taken - self.known:
                explorer.taken[branch] += 1
                if explorer.taken[branch] < RARE:
                    goals.append(branch)
            self.known |= self.taken
        if explorer.guided and self._notes is not None and self._notes(cells) != self.values:
            self.values = self._notes(cells)
            goals += self._extremes(self.values)
        if goals and explorer.guided and cells[POINT] >= 0:
            self._keep(goals, cells, moves)

    def _extremes(self, values: Sequence[object]) -> Iterator[Goal]:
        extremes = self.explorer.extremes
        for name, value in zip(self._names, values, strict=True):
            if isinstance(value, int):
                if value > extremes.get((name, "highest"), value - 1):
                    extremes[name, "highest"] = value
                    yield name, "highest"
                if value < extremes.get((name, "lowest"), value + 1):
                    extremes[name, "lowest"] = value
                    yield name, "lowest"

    def _keep(self, goals: Sequence[Goal], cells: Cells, moves: Sequence[MoveCode]) -> None:
        place = Place(self.course(moves), Cells(cells))
        for goal in goals:
            known = self.explorer.places.get(goal)
            if known is None or isinstance(goal, tuple) or len(moves) < len(known.course.moves):
                self.explorer.places[goal] = place

    def asked(self, cells: Cells, moves: Sequence[MoveCode], count: int) -> None:
        """Record that a decision is asked, with this number of legal moves."""
        decision = self.program.decision(cells)
        assert decision is not None
        asked = self.explorer.asked.get(decision.node.number)
        if asked is None:
            asked = self.explorer.asked[decision.node.number] = Asked(decision.node.span.location, self.course(moves))
        asked.times += 1
        asked.choices += count > 1
        if count > 1:
            self.forced.clear()

    def is_stuck(self, cells: Cells) -> bool:
        """True if there was only one legal move at each decision since the same position was there before."""
        if len(self.forced) < FORCED_BEFORE_LOOKING:
            self.forced.append(0)
            return False
        # What chance brings may lead out, so that its state is part of a position.
        ignored = (MOVES, IDLE, DRAWN)
        position = hash(tuple(repr(cell) for number, cell in enumerate(cells) if number not in ignored))
        if position in self.forced:
            return True
        self.forced.append(position)
        return False

    def end(self) -> None:
        """Forget what this run has taken."""
        for branch in self.initial - self.known:
            self.explorer.taken[branch] += 1
        self.taken.clear()


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
