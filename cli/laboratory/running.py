"""Playing the games of a run that are still missing, in several processes, until there are enough."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from math import ceil
from statistics import median

from cli.laboratory.cluster import played_on_cluster
from cli.laboratory.tasks import Parameters, PlayedChunk, open_and_play, play_chunks
from cli.progress import Stage
from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import half_width, share
from interpreter.analysis.playouts import MOST_CUT_OFF
from interpreter.analysis.workers import spread
from interpreter.arguments import Backend
from interpreter.laboratory.records import FailedRecord, GameRecord
from interpreter.laboratory.results_file import Record
from interpreter.laboratory.setting import Setting
from interpreter.laboratory.statistics import Side

BLOCK = 100
"""The number of games between two checks of whether there are enough; it does not depend on the number of processes."""

LARGE, SMALL = 25, 1
"""Games per chunk: of random games, and of games in which bots think or that are analysed in detail."""


@dataclass(frozen=True)
class Plan:
    """What is to be played: at most `games` games, the first `details` of which are analysed in detail.

    With `until`, the run ends once the share of the wins of every side is known to within ±`until`. `rollouts` is the
    number of random games from each moment of a game that is analysed in detail. The games are played in `jobs`
    processes, or on the cluster whose scheduler has the address `on`.
    """

    setting: Setting
    games: int
    details: int = 0
    rollouts: int = 0
    until: float | None = None
    backend: Backend = "auto"
    jobs: int = 1
    on: str | None = None

    def lacks(self, records: Mapping[int, Record], number: int) -> bool:
        """True if a game has yet to be played, or to be analysed in detail."""
        record = records.get(number)
        return record is None or (number < self.details and isinstance(record, GameRecord) and record.course is None)


@dataclass
class Run:
    """The games played so far, by number; the first `end` of them count."""

    records: dict[int, Record]
    end: int = 0
    interrupted: bool = False

    @property
    def counted(self) -> list[Record]:
        """The games that count: those before the first missing one, up to the last that is needed."""
        return [self.records[number] for number in range(self.end)]

    @property
    def finished(self) -> list[GameRecord]:
        """The games that count and were finished."""
        return [record for record in self.counted if isinstance(record, GameRecord)]

    @property
    def failed(self) -> list[FailedRecord]:
        """The games that count and ended in an error."""
        return [record for record in self.counted if isinstance(record, FailedRecord)]


def play_run(plan: Plan, records: dict[int, Record], add: Callable[[Sequence[Record]], None], stage: Stage) -> Run:
    """Play the games of a plan that are missing from `records`; `add` stores played games, and adds them to `records`.

    If a run is interrupted, or stopped because several games were cut off, the games before the first missing one
    count. Raises KeyboardInterrupt if there are none.
    """
    # Example: `--until 1%` with games 0 to 399 in the file, and two processes. Games 400 to 799 arrive in chunks, but
    # are counted one by one, in order, and after each block the rule says whether to stop. If it says so after game
    # 599, games that arrived later are in the file but do not count: with any number of processes, and however often
    # the run was interrupted, the same games count.
    #
    # INVARIANT: the games before `run.end` have been given to `stopping` in the order of their numbers, each once.
    run, stopping = Run(records), _StoppingRule(plan)
    gaps = list(_gaps(plan, records))
    detailed, pace = {number for gap in gaps if gap.start < plan.details for number in gap}, Pace()
    played_now: set[int] = set()  # an analysis fails if rules are nested too deeply, and is not tried again
    stage.total, stage.completed = plan.games, plan.games - sum(map(len, gaps))
    stage.expect(None)

    def can_count() -> bool:
        return not stopping.reached and (run.end in played_now or not plan.lacks(records, run.end))

    try:
        with closing(_played(plan, _chunks(plan, gaps), stage)) as parcels:
            while run.end < plan.games and not stopping.reached:
                if can_count():
                    stopping.add(records[run.end])
                    run.end += 1
                    continue
                stage.note = _detail_note(plan, run.end) or stopping.note
                played = next(parcels)
                add(played.records)
                numbers = {record.number for record in played.records}
                if numbers:
                    pace.add(not numbers.isdisjoint(detailed), len(numbers), played.seconds)
                detailed -= numbers
                played_now |= numbers
                stage.completed += len(numbers)
                stage.total = min(plan.games, max(stopping.expected, stage.completed))
                others = stage.total - stage.completed - len(detailed)
                stage.expect(pace.remaining_seconds(len(detailed), max(0, others), stage.processes))
    except KeyboardInterrupt:
        while run.end < plan.games and can_count():  # kept, but the interruption came before they were counted
            run.end += 1
        if not run.end:
            raise
        run.interrupted = True
    return run


def _detail_note(plan: Plan, number: int) -> str:
    """The progress note while the next game is analysed in detail: one takes so long that the bar stands still."""
    return f"analysing game {number + 1} of {plan.details} in detail" if number < plan.details else ""


def _gaps(plan: Plan, records: Mapping[int, Record]) -> Iterator[range]:
    """The missing games as ranges, separate ones for games to be analysed in detail and for others."""
    # Games 2 and 5 of 8 are there, the first 4 are to be analysed: 0-1, 3, 4, 6-7. `middle` ends the part in detail.
    present = sorted(number for number in records if number < plan.games and not plan.lacks(records, number))
    start = 0
    for number in (*present, plan.games):
        middle = min(max(start, plan.details), number)
        yield from filter(None, (range(start, middle), range(middle, number)))
        start = number + 1


def _chunks(plan: Plan, gaps: Sequence[range]) -> list[range]:
    """The missing games, divided into chunks."""
    quick = plan.setting.is_random
    chunks = [
        gap[first : first + size]
        for gap in gaps
        for size in (LARGE if quick and gap.start >= plan.details else SMALL,)
        for first in range(0, len(gap), size)
    ]
    return _with_early_sample(plan, chunks)


def _with_early_sample(plan: Plan, chunks: list[range]) -> list[range]:
    """Move one chunk of games without details close to the start, so that their pace is soon known."""
    # Games to be analysed in detail have the first numbers, and all others would come after them: until then nothing
    # could be said of the time that is left. In place `jobs`, the chunk is the second of the first process.
    first = next((place for place, chunk in enumerate(chunks) if chunk[0] >= plan.details), 0)
    if first > plan.jobs:
        chunks.insert(plan.jobs, chunks.pop(first))
    return chunks


def _played(plan: Plan, chunks: Sequence[range], stage: Stage) -> Generator[PlayedChunk, None, None]:
    """Play the chunks and yield their games in order, regardless of the process that played them."""
    setting = plan.setting
    stage.processes = max(1, min(plan.jobs, len(chunks)))
    parameters = Parameters(setting.bots, setting.seed, plan.details, plan.rollouts, plan.backend)
    if plan.on is not None:
        yield from played_on_cluster(plan.on, setting, parameters, chunks, stage)
    elif min(plan.jobs, len(chunks)) < 2:
        yield from chain.from_iterable(play_chunks(setting.game, parameters, chunks))
    else:
        yield from spread(partial(open_and_play, setting.opening, parameters), chunks, plan.jobs)


class _StoppingRule:
    """Tells whether the games counted so far are enough for a plan.

    `expected` is the number of games likely to be needed: widths are inversely proportional to the square root of it.
    """

    def __init__(self, plan: Plan) -> None:
        self.setting, self.until = plan.setting, plan.until
        self.games = self.finished = self.cut_off = 0
        self.parts: dict[Side, Counter[float]] = {}
        self.reached = False
        self.note = ""
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
            self.note = f"shares of the wins known to ±{100 * half:.2f} %"
            if self.until is not None:
                self.reached = half <= self.until
                self.expected = -(-ceil(self.games * (half / self.until) ** 2) // BLOCK) * BLOCK

    def _half_width(self) -> float:
        """Half the width of the widest interval of a share of the wins."""
        return max(map(self._half_width_of, self.parts.values()), default=1.0)

    def _half_width_of(self, parts: Counter[float]) -> float:
        counts = parts + Counter({0.0: self.finished - parts.total()})
        figure = share(counts)
        return half_width(figure.low, figure.high)


# ---- The pace at which the games of a run are played, and the time that the rest will take
# A game that is analysed in detail takes much longer than one that is only played, and such games come first. Each of
# the two kinds has a pace of its own.


RECENT = 200
"""The number of latest chunks of each kind that count: games become faster once the machine engine plays them."""


class Pace:
    """The seconds that one process takes per game of each kind, estimated from the chunks played so far.

    The estimate is the median over chunks, because the first chunk of each process includes compiling the rules.
    """

    def __init__(self) -> None:
        self._seconds: dict[bool, deque[float]] = {detailed: deque(maxlen=RECENT) for detailed in (True, False)}

    def add(self, detailed: bool, games: int, seconds: float) -> None:
        """Record the seconds that a process took for some games, all of which were analysed in detail, or none."""
        self._seconds[detailed].append(seconds / games)

    def remaining_seconds(self, detailed: int, others: int, processes: int) -> float | None:
        """The seconds that the rest of the games will take; None while the pace of a kind that remains is not known."""
        seconds_of_work = 0.0
        for number, seconds in ((detailed, self._seconds[True]), (others, self._seconds[False])):
            if number:
                if not seconds:
                    return None
                seconds_of_work += number * median(seconds)
        return seconds_of_work / max(1, min(processes, detailed + others))
