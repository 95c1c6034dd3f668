"""Playing the games of a run that are still missing, in several processes, until there are enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import ceil

from cli.laboratory.cluster import played_on_cluster
from cli.laboratory.games_file import Record
from cli.laboratory.pace import Pace
from cli.laboratory.setting import Setting
from cli.laboratory.tasks import How, Played, open_and_play, play_chunks
from cli.progress import Stage
from cli.statistics import Side, half_width, share
from cli.workers import spread
from interpreter.analysis.playouts import MOST_CUT_OFF
from interpreter.arguments import Backend
from interpreter.laboratory.records import FailedRecord, GameRecord

BLOCK = 100
"""The number of games after which it is checked whether there are enough; the same for any number of processes."""

LARGE, SMALL = 25, 1
"""Games played in one call of a worker: at random, and if bots think or a game is looked at closely."""


@dataclass(frozen=True)
class Plan:
    """What is to be played: at most `games` games, the first `details` of which are looked at closely.

    With `until`, games end once the share of the wins of every seat is known to within that, in either direction.
    `rollouts` is the number of random games from each moment of a game that is looked at. The games are played in
    `jobs` processes, or on the cluster whose scheduler has the address `on`.
    """

    setting: Setting
    games: int
    details: int = 0
    rollouts: int = 0
    until: float | None = None
    backend: Backend = "auto"
    jobs: int = 1
    on: str | None = None

    def lacks(self, known: Mapping[int, Record], number: int) -> bool:
        """True if a game has to be played, or looked at."""
        record = known.get(number)
        return record is None or (number < self.details and isinstance(record, GameRecord) and record.course is None)


@dataclass
class Run:
    """The games that were played, by number, and whether that was all."""

    known: dict[int, Record]
    end: int = 0
    interrupted: bool = False

    @property
    def counted(self) -> list[Record]:
        """The games that count: those before the first that is missing, as far as they are needed."""
        return [self.known[number] for number in range(self.end)]

    @property
    def finished(self) -> list[GameRecord]:
        """The games that count and are over."""
        return [record for record in self.counted if isinstance(record, GameRecord)]

    @property
    def failed(self) -> list[FailedRecord]:
        """The games that count and ended in an error."""
        return [record for record in self.counted if isinstance(record, FailedRecord)]


def play_run(plan: Plan, known: dict[int, Record], add: Callable[[Sequence[Record]], None], stage: Stage) -> Run:
    """Play what is missing among the known games; `add` keeps what has been played, and makes it known.

    A run that is interrupted, or in which several games were cut off, has the games before the first that is missing.
    Raises KeyboardInterrupt if there are none.
    """
    run, enough = Run(known), _Enough(plan)
    gaps = list(_gaps(plan, known))
    closely, pace = {number for gap in gaps if gap.start < plan.details for number in gap}, Pace()
    played_now: set[int] = set()  # a game may have been looked at in vain: rules can be nested too deeply
    stage.total, stage.done = plan.games, plan.games - sum(map(len, gaps))
    stage.expect(None)

    def can_count() -> bool:
        return not enough.reached and (run.end in played_now or not plan.lacks(known, run.end))

    try:
        with closing(_played(plan, _chunks(plan, gaps), stage)) as found:
            while run.end < plan.games and not enough.reached:
                if can_count():
                    enough.add(known[run.end])
                    run.end += 1
                    continue
                stage.note = _closely(plan, run.end) or enough.words
                played = next(found)
                add(played.records)
                numbers = {record.number for record in played.records}
                if numbers:
                    pace.add(not numbers.isdisjoint(closely), len(numbers), played.seconds)
                closely -= numbers
                played_now |= numbers
                stage.done += len(numbers)
                stage.total = min(plan.games, max(enough.expected, stage.done))
                others = stage.total - stage.done - len(closely)
                stage.expect(pace.left(len(closely), max(0, others), stage.processes))
    except KeyboardInterrupt:
        while run.end < plan.games and can_count():  # kept, but the interruption came before they were counted
            run.end += 1
        if not run.end:
            raise
        run.interrupted = True
    return run


def _closely(plan: Plan, number: int) -> str:
    """Which game is looked at closely: a single one takes long, so nobody should think that nothing happens."""
    return f"looking closely at game {number + 1} of {plan.details}" if number < plan.details else ""


def _gaps(plan: Plan, known: Mapping[int, Record]) -> Iterator[range]:
    """The missing games, consecutive ones together; those to be looked at apart from the others."""
    there = sorted(number for number in known if number < plan.games and not plan.lacks(known, number))
    start = 0
    for number in (*there, plan.games):
        middle = min(max(start, plan.details), number)
        yield from filter(None, (range(start, middle), range(middle, number)))
        start = number + 1


def _chunks(plan: Plan, gaps: Sequence[range]) -> list[range]:
    """The missing games, in calls."""
    quick = plan.setting.is_random
    chunks = [
        gap[first : first + size]
        for gap in gaps
        for size in (LARGE if quick and gap.start >= plan.details else SMALL,)
        for first in range(0, len(gap), size)
    ]
    return _with_others_early(plan, chunks)


def _with_others_early(plan: Plan, chunks: list[range]) -> list[range]:
    """Chunks with one of those that are not looked at closely soon after the start, so that its pace is known."""
    first = next((place for place, chunk in enumerate(chunks) if chunk[0] >= plan.details), 0)
    if first > plan.jobs:
        chunks.insert(plan.jobs, chunks.pop(first))
    return chunks


def _played(plan: Plan, chunks: Sequence[range], stage: Stage) -> Generator[Played, None, None]:
    """The games of each chunk, in order, regardless of the process that played them."""
    setting = plan.setting
    expected = -(-sum(map(len, chunks)) // plan.jobs)
    stage.processes = max(1, min(plan.jobs, len(chunks)))
    how = How(setting.bots, setting.seed, plan.details, plan.rollouts, plan.backend, expected)
    if plan.on is not None:
        yield from played_on_cluster(plan.on, setting, how, chunks, stage)
    elif min(plan.jobs, len(chunks)) < 2:
        yield from chain.from_iterable(play_chunks(setting.game, how, chunks))
    else:
        yield from spread(partial(open_and_play, setting.opening, how), chunks, plan.jobs)


class _Enough:
    """Whether the games that were counted so far are enough, as the plan says.

    `expected` are the games that it takes, as far as that can be foreseen: widths fall with the root of their number.
    """

    def __init__(self, plan: Plan) -> None:
        self.setting, self.until = plan.setting, plan.until
        self.games = self.finished = self.cut_off = 0
        self.parts: dict[Side, Counter[float]] = {}
        self.reached = False
        self.words = ""
        self.expected = plan.games

    def add(self, record: Record) -> None:
        """Count one more game."""
        self.games += 1
        if isinstance(record, FailedRecord):
            self.cut_off += record.failed.cut_off
            self.reached = self.cut_off >= MOST_CUT_OFF
            return
        self.finished += 1
        for side in self.setting.sides(record):
            self.parts.setdefault(side, Counter())
        for side, part in self.setting.parts_won(record).items():
            self.parts[side][part] += 1
        if self.games % BLOCK == 0:
            half = self._half_width()
            self.words = f"shares of the wins known to ±{100 * half:.2f} %"
            if self.until is not None:
                self.reached = half <= self.until
                self.expected = -(-ceil(self.games * (half / self.until) ** 2) // BLOCK) * BLOCK

    def _half_width(self) -> float:
        """Half the width of the widest interval of a share of the wins."""
        return max(map(self._half_of, self.parts.values()), default=1.0)

    def _half_of(self, parts: Counter[float]) -> float:
        counts = parts + Counter({0.0: self.finished - parts.total()})
        found = share(counts)
        return half_width(found.low, found.high)
